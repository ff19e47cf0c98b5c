package smc

import (
	"context"
	"math"
	"math/cmplx"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/weights"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// plainTilt returns E_meta[(Zhat/Z)^s | x] by the states of all particles, one after another:
// beside the path, the others are in every combination of states, with the probability that
// resampling and the moves of each give it. States are told apart by their types alone.
func plainTilt(f particle.Filter, stages []stageOfFilter, start branch, others, x int, s complex128) complex128 {
	path := make([]int, len(stages)) // types
	for t, y := len(stages), x; t >= 1; t-- {
		if path[t-1] = f.Type(t, y); t > 1 {
			y = f.Parent(t, y)
		}
	}
	type tuple [3]int
	draw := func(law branch, v complex128, to map[tuple]complex128) {
		var next func(i int, u tuple, v complex128)
		next = func(i int, u tuple, v complex128) {
			if i == others {
				to[u] += v
				return
			}
			for j, k := range law.types {
				u[i] = k
				next(i+1, u, v*complex(law.p[j], 0))
			}
		}
		next(0, tuple{}, v)
	}
	now := map[tuple]complex128{}
	draw(start, 1, now)
	for t, stage := range stages {
		next, total := map[tuple]complex128{}, complex128(0)
		for u, v := range now {
			all := append(append([]int(nil), u[:others]...), path[t])
			var w []float64
			for _, k := range all {
				w = append(w, stage.logw[k])
			}
			sum := number.LogSumExp(w)
			v *= cmplx.Exp(s * complex(sum-math.Log(float64(others+1)), 0))
			if total += v; stage.next != nil {
				draw(resampled(all, w, sum, stage.next), v, next)
			}
		}
		if stage.next == nil {
			return total
		}
		now = next
	}
	panic("no last stage")
}

// TestTiltsByTuples holds the transform of filters, and the means that need none, to particles one
// by one: with types that are one and parents that are drawn before they move, for hidden Markov
// models and mixtures, on weights as far apart as 40 nats.
func TestTiltsByTuples(t *testing.T) {
	far := &particle.HMM{Pi: []float64{0.3, 0.7}, A: [][]float64{{0.9, 0.1}, {1e-9, 1 - 1e-9}}, E: [][]float64{{1e-17, 1 - 1e-17}, {0.5, 0.5}},
		Y: []int{0, 1, 0, 0}}
	near := &particle.HMM{Pi: []float64{0.5, 0.5}, A: [][]float64{{0.9, 0.1}, {0.2, 0.8}}, E: [][]float64{{0.6, 0.3, 0.1}, {0.1, 0.3, 0.6}}, Y: []int{0, 2, 1, 0}}
	points := &particle.DPMM{Alpha: 1, S0: 3, SD: 0.7, Y: []float64{-2.1, -1.9, 0.1, 1.8}}
	for _, proposal := range []particle.Proposal{particle.Prior, particle.Optimal} {
		for i, f := range []particle.Filter{
			longtest.Must(particle.NewHidden(far, proposal))(t), longtest.Must(particle.NewHidden(near, proposal))(t),
			longtest.Must(particle.NewMixture(points, proposal))(t),
		} {
			for others := 1; others <= 3; others++ {
				if others == 3 && i == 2 {
					continue // too many combinations
				}
				stages, start, _, err := stagesOf(context.Background(), f, others+1)
				longtest.NoError(t, err)
				l := longtest.Must(NewFilter(context.Background(), f, others+1, 1))(t)
				line := weights.Vertical{Power: 0.5, Step: 0.3, Points: 20}
				values := longtest.Must(l.tilts(context.Background(), []weights.Vertical{line}))(t)[0]
				for x := range l.p {
					if math.IsInf(l.logRatio[x], -1) {
						continue
					}
					if want := real(plainTilt(f, stages, start, others, x, -1)); !(math.Abs(math.Exp(l.logRatio[x])/want-1) <= 1e-12) {
						t.Errorf("filter %d %v, %d others, output %d: q/p is %v, want %v", i, proposal, others, x, math.Exp(l.logRatio[x]), want)
					}
					size := math.Exp(values.LogScale[x] - l.logP[x])
					for _, k := range []int{0, 1, 14, 15, 19} {
						want := plainTilt(f, stages, start, others, x, complex(line.Power-1, float64(k)*line.Step))
						if got := complex(size, 0) * values.Values[x][k]; !(cmplx.Abs(got-want) <= max(1e-13, values.Rounding)*size) {
							t.Errorf("filter %d %v, %d others, output %d, point %d: %v, want %v", i, proposal, others, x, k, got, want)
						}
					}
				}
			}
		}
	}
}

// TestTypesAreLumped: after the last stage the 52 partitions of five points differ by the weight of
// the last point alone, which depends on those in its cluster: one of the 16 subsets of the others.
func TestTypesAreLumped(t *testing.T) {
	f := longtest.Must(particle.NewMixture(&particle.DPMM{Alpha: 1, S0: 3, SD: 0.7, Y: []float64{-2.1, -1.9, 0.1, 1.8, 2.2}}, particle.Prior))(t)
	stages, start, _, err := stagesOf(context.Background(), f, 3)
	longtest.NoError(t, err)
	lumped, _, class := lump(stages, start)
	if got := []int{len(lumped[3].logw), len(lumped[4].logw), len(class[4])}; got[0] != 15 || got[1] != 16 || got[2] != 52 {
		t.Errorf("%d types before the last stage, %d after it, of %d partitions", got[0], got[1], got[2])
	}
}

// TestOneTraceOfChain: the moments for one trace that a sweep finds are those of the integrals, on
// every output.
func TestOneTraceOfChain(t *testing.T) {
	for _, g := range [][]float64{{0, 3.2, -1, 1}, {0, 40, -3, 12, 25}, {0, 0, 0}} {
		a := exacttest.Build(t, nil, g, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(len(g))}, 12)
		l := longtest.Must(NewChain(context.Background(), a, 1, nil))(t)
		if l.meta == nil {
			t.Fatalf("log f %v: the moments are not known", g)
		}
		got := longtest.Must(l.Traces(context.Background(), []int{1}))(t)[0]
		want := longtest.Must(l.integrals(context.Background(), []int{1}))(t)[0]
		for x := range g {
			for i, v := range [][2]float64{{got.Meta[x], want.Meta[x]}, {got.Meta2[x], want.Meta2[x]}, {got.Run[x], want.Run[x]}, {got.Run2[x], want.Run2[x]}} {
				if !(math.Abs(v[0]-v[1]) <= want.Error*100+1e-11) {
					t.Errorf("log f %v, output %d, moment %d: %v, by the integral %v", g, x, i, v[0], v[1])
				}
			}
		}
	}
	// If traces are lost, or plain numbers do not hold the probabilities, nothing is claimed of one
	// trace alone.
	inf := math.Inf(-1)
	for _, g := range [][]float64{{0, 720, 3}, {0, inf, 0}} {
		a := exacttest.Build(t, nil, g, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(len(g))}, 4)
		if l := longtest.Must(NewChain(context.Background(), a, 1, nil))(t); l.meta != nil && g[1] > 0 {
			t.Errorf("log f %v: the moments %v count as known", g, l.meta)
		}
	}
}
