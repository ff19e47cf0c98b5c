package smc_test

import (
	"context"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/exact/kernel"
	"breadboard/exact/smc"
	"breadboard/grid/longtest"

	"gonum.org/v1/gonum/floats"
)

// plainGibbs is particle Gibbs as its sources write it, for kernels of two particles whose choices
// are enumerated. A path of probability zero stays.
type plainGibbs struct {
	h         *particle.HMM
	particles int
	scheme    particle.Scheme
	ancestors bool
}

func (g plainGibbs) Move(c chains.Chooser, _ []float64, x int) int {
	h := g.h
	if math.IsInf(hidden(h, particle.Prior).LogTarget(x), -1) {
		return x
	}
	paths := make([]int, g.particles) // the beginnings of paths, numbered as Hidden numbers them
	slot := c.Uniform(g.particles)
	for i := range paths {
		if i != slot {
			paths[i] = c.Choose(h.Pi)
		}
	}
	paths[slot] = h.Step(x, 1)
	for t := 1; ; t++ {
		w := g.weights(paths, func(z int) float64 { return h.E[z][h.Y[t-1]] })
		if t == len(h.Y) {
			return paths[c.Choose(w)]
		}
		next := h.Step(x, t+1)
		parents := make([]int, g.particles)
		slot = g.scheme.Keep(c, w, slot, parents)
		if g.ancestors {
			back := g.weights(paths, func(z int) float64 { return h.E[z][h.Y[t-1]] * h.A[z][next] })
			parents[slot] = c.Choose(back)
		}
		moved := make([]int, g.particles)
		for i, parent := range parents {
			z := next
			if i != slot {
				z = c.Choose(h.A[paths[parent]%len(h.Pi)])
			}
			moved[i] = paths[parent]*len(h.Pi) + z
		}
		paths = moved
	}
}

// weights returns the normalised weights of particles, from those of their last states.
func (g plainGibbs) weights(paths []int, of func(z int) float64) []float64 {
	w := make([]float64, len(paths))
	for i, path := range paths {
		w[i] = of(path % len(g.h.Pi))
	}
	floats.Scale(1/floats.Sum(w), w)
	return w
}

// forgetful is multinomial resampling that draws the parent of the conditioned path with the
// others.
type forgetful struct{ particle.Multinomial }

func (f forgetful) Keep(c chains.Chooser, w []float64, _ int, parents []int) int {
	f.Parents(c, w, parents)
	return c.Uniform(len(parents))
}

// TestForgottenAncestor: particle Gibbs in which the path continues from any parent does not leave
// the distribution of the paths invariant, and the diagnosis of kernels sees it.
func TestForgottenAncestor(t *testing.T) {
	h := weather()
	h.Y = h.Y[:3]
	for scheme, want := range map[particle.Scheme]bool{particle.Multinomial{}: true, forgetful{}: false} {
		logf := particle.LogTargets(hidden(h, particle.Prior))
		d := longtest.Sure(kernel.Diagnose(context.Background(), plainGibbs{h, 2, scheme, false}, logf))
		if got := d.Invariance < 1e-14; got != want || !want && d.Invariance < 1e-3 {
			t.Errorf("%T: the probability of a path changes by %v", scheme, d.Invariance)
		}
	}
}

// TestGibbs holds the rows of two particles to the enumerated choices of the kernel that is
// sampled, for all schemes: on the weather of three days, on a model of three states in which moves
// and symbols are impossible, and on one whose probabilities but one are below 2^-1022. For more
// particles, whose choices are too many, every row sums to one, and flows are balanced.
func TestGibbs(t *testing.T) {
	days := weather()
	days.Y = days.Y[:3]
	zeros := &particle.HMM{
		Pi: []float64{0.5, 0.3, 0.2},
		A:  [][]float64{{0.7, 0.3, 0}, {0.1, 0.6, 0.3}, {0, 0.5, 0.5}},
		E:  [][]float64{{0.8, 0.2}, {0, 1}, {0.4, 0.6}},
		Y:  []int{0, 1, 1},
	}
	subnormal := &particle.HMM{
		Pi: []float64{1, 5e-324},
		A:  [][]float64{{0.5, 0.5}, {0.5, 0.5}},
		E:  [][]float64{{1e-320, 1}, {1e-310, 1}},
		Y:  []int{0, 0},
	}
	even := particle.Multinomial{}
	ctx := context.Background()
	for _, h := range []*particle.HMM{days, zeros, subnormal} {
		p := particle.LogTargets(hidden(h, particle.Prior))
		chains.Normalize(p)
		for _, scheme := range schemes() {
			for _, P := range []int{2, 3, 4} {
				for _, ancestors := range []bool{false, true} {
					if ancestors && scheme != even || P > 2 && len(h.Pi) > 2 || P > 3 && !longtest.Enabled() {
						continue // without meaning, or long
					}
					rows := longtest.Sure(smc.GibbsRows(ctx, h, P, scheme, ancestors))
					k := plainGibbs{h, P, scheme, ancestors}
					for x, row := range rows {
						sum := 0.0
						got := make([]float64, len(p))
						for y, q := range row {
							sum += q
							if back := p[y] * rows[y][x]; math.Abs(p[x]*q-back) > 1e-15 {
								t.Fatalf("%v, P = %d: the flow from %d to %d is %v, and back %v", scheme,
									P, x, y, p[x]*q, back)
							}
						}
						if math.Abs(sum-1) > 1e-13 {
							t.Fatalf("%v, P = %d, path %d: sum %v", scheme, P, x, sum)
						}
						if P > 2 || h == subnormal || x%5 != 0 && !longtest.More() {
							continue
						}
						entries, left, err := kernel.Row(ctx, k, make([]float64, len(p)), x)
						if err != nil || left > 0 {
							t.Fatal(err, left)
						}
						for _, e := range entries {
							got[e.To] += e.P
						}
						for y := range got {
							if math.Abs(row[y]-got[y]) > 1e-14 {
								t.Fatalf("%v, ancestors %v: from %d to %d %v, want %v", scheme, ancestors,
									x, y, row[y], got[y])
							}
						}
					}
				}
			}
		}
	}
	// From (1, 0) to (0, 0) the other particle, in state 0, is the parent and is drawn, and goes to
	// state 0. math.Log of Go on amd64 had logarithms and quotients of such numbers wrong.
	rows := longtest.Sure(smc.GibbsRows(ctx, subnormal, 2, even, false))
	sameTo(t, "from (1, 0) to (0, 0)", rows[2][0], 0.25/(1+subnormal.E[1][0]/subnormal.E[0][0]), 1e-12)
}
