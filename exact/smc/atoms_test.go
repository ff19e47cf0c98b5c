package smc_test

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/exact/certified"
	"breadboard/exact/smc"
	"breadboard/grid/longtest"
)

// atomsOf returns a distribution of W of mean one from the probabilities of traces in
// meta-inference and in runs.
func atomsOf(meta, run []float64) (l smc.TraceLaw) {
	for i, r := range meta {
		switch {
		case r > 0:
			l.Atoms = append(l.Atoms, smc.Atom{LogW: math.Log(run[i]) - math.Log(r), P: r})
		case run[i] > 0:
			l.RunOnly += run[i]
		}
	}
	return l
}

// slowMoments returns E log S and E (log S)^2 over all ways to draw M traces, the first from the
// run if that is asked for.
func slowMoments(l smc.TraceLaw, m int, run bool) (first, second float64) {
	var walk func(k int, p, sum float64)
	walk = func(k int, p, sum float64) {
		if k == m {
			s := math.Log(sum / float64(m))
			first += p * s
			second += p * s * s
			return
		}
		for _, a := range l.Atoms {
			w := math.Exp(a.LogW)
			q := a.P
			if k == 0 && run {
				q *= w
			}
			walk(k+1, p*q, sum+w)
		}
	}
	walk(0, 1, 0)
	return first, second
}

func normalised(v []float64) []float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	out := make([]float64, len(v))
	for i := range v {
		out[i] = v[i] / sum
	}
	return out
}

// traces returns the moments of a distribution at one output.
func traces(l smc.TraceLaw, ms ...int) []smc.Traces {
	a := longtest.Sure(smc.NewAtoms([]float64{0}, []smc.TraceLaw{l}))
	return longtest.Sure(a.Traces(context.Background(), ms))
}

// TestMomentsAreSums compares the moments from transforms with sums over all draws, for values of W
// that lie up to 50 nats apart.
func TestMomentsAreSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "traces")
		spread := rapid.SampledFrom([]float64{0, 1e-9, 1e-3, 1, 50}).Draw(t, "spread")
		law := func(name string) []float64 {
			v := rapid.SliceOfN(rapid.Float64Range(-0.5, 0.5), n, n).Draw(t, name)
			for i := range v {
				v[i] = math.Exp(spread * v[i])
			}
			return normalised(v)
		}
		l := atomsOf(law("meta"), law("run"))
		for _, got := range traces(l, 1, 2, 3, 5) {
			meta, meta2 := slowMoments(l, got.M, false)
			run, run2 := slowMoments(l, got.M, true)
			bound := 1e-13 * (1 + spread*spread)
			if math.Abs(got.Meta[0]-meta) > bound || math.Abs(got.Run[0]-run) > bound ||
				math.Abs(got.Meta2[0]-meta2) > bound || math.Abs(got.Run2[0]-run2) > bound {
				t.Fatalf("M = %d: %+v, want %v, %v and %v, %v", got.M, got, meta, meta2, run, run2)
			}
			// Log W is a difference of two numbers that each lie up to the spread apart. The error
			// stated is 1e-14 of its range.
			if !(got.Meta[0] <= 1e-15 && got.Run[0] >= -1e-15) || got.Error > max(1e-12, 1e-14*(2+2*spread)) {
				t.Fatalf("a divergence is negative: %+v", got)
			}
		}
	})
}

// TestMomentErrors holds the moments of log S to their errors, by sums over all draws to 200 bits,
// for values of W that lie up to 700 nats apart.
func TestMomentErrors(t *testing.T) {
	const bits, M = 200, 3
	rng := rand.New(rand.NewPCG(1, 3))
	functions := certified.NewFunctions(bits)
	wide := func(v float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(v) }
	for i := range 42 {
		spread := []float64{0, 1e-9, 1e-3, 1, 50, 300, 700}[i%7]
		law := smc.TraceLaw{Atoms: []smc.Atom{{P: 1}, {P: math.Ldexp(1, -1-i%30)}, {P: 0x1p-3}}}
		law.Atoms[0].P -= law.Atoms[1].P + law.Atoms[2].P
		mean := 0.0
		for k := range law.Atoms {
			a := &law.Atoms[k]
			a.LogW = spread * (rng.Float64() - 0.5)
			mean += a.P * math.Exp(a.LogW)
		}
		var w, p [3]*big.Float
		for k := range law.Atoms {
			law.Atoms[k].LogW -= math.Log(mean)
			w[k], p[k] = functions.Exp(wide(law.Atoms[k].LogW)), wide(law.Atoms[k].P)
		}
		meta, run := wide(0), wide(0)
		for draw := range 27 {
			first, second, third := draw/9, draw/3%3, draw%3
			s := wide(0).Add(w[first], w[second])
			s = functions.Log(s.Quo(s.Add(s, w[third]), wide(M)))
			s.Mul(s, p[first]).Mul(s, p[second]).Mul(s, p[third])
			meta.Add(meta, s)
			run.Add(run, s.Mul(s, w[first]))
		}
		got := traces(law, M)[0]
		offMeta, _ := meta.Sub(meta, wide(got.Meta[0])).Float64()
		offRun, _ := run.Sub(run, wide(got.Run[0])).Float64()
		if !(max(math.Abs(offMeta), math.Abs(offRun)) <= got.Error) {
			t.Errorf("%+v: %+v are off by %.3g and %.3g", law, got, offMeta, offRun)
		}
	}
}

// TestTracesThatOneSideLacks make a moment infinite, and the note says where.
func TestTracesThatOneSideLacks(t *testing.T) {
	noRun := traces(atomsOf([]float64{0.5, 0.5}, []float64{1, 0}), 1, 3)
	noMeta := traces(atomsOf([]float64{1, 0}, []float64{0.5, 0.5}), 1, 3)
	for i := range noRun {
		if !math.IsInf(noRun[i].Meta[0], -1) || math.IsInf(noRun[i].Run[0], 0) {
			t.Errorf("traces that no run has: %+v", noRun[i])
		}
		if !math.IsInf(noMeta[i].Run[0], 1) || math.IsInf(noMeta[i].Meta[0], 0) {
			t.Errorf("traces that meta-inference never draws: %+v", noMeta[i])
		}
	}
	// Of three traces the first is from the run, W = 2, and each of the others is 2 or 0 with
	// probability 1/2.
	near(t, "E log S of a run", noRun[1].Run[0],
		0.25*math.Log(2)+0.5*math.Log(4.0/3)+0.25*math.Log(2.0/3), 1e-14)
	// Meta-inference always draws the trace of W = 1/2.
	near(t, "E log S of meta-inference", noMeta[1].Meta[0], math.Log(0.5), 1e-14)
	a := longtest.Sure(smc.NewAtoms([]float64{0}, []smc.TraceLaw{atomsOf([]float64{0.5, 0.5}, []float64{1, 0})}))
	e := against(a, []float64{1}, 2)[0]
	if !math.IsInf(e.Mean, 1) || len(e.Notes) != 1 || !strings.Contains(
		e.Notes[0],
		"meta-inference of the target draws traces that no run has, at output 0",
	) {
		t.Errorf("%+v", e)
	}
}

// TestLawsThatAreNone are refused.
func TestLawsThatAreNone(t *testing.T) {
	for want, law := range map[string]smc.TraceLaw{
		"in meta-inference sum to 0.5": {Atoms: []smc.Atom{{LogW: math.Log(2), P: 0.5}}},
		"in runs sum to 2":             {Atoms: []smc.Atom{{LogW: math.Log(2), P: 1}}},
		"in runs sum to NaN":           {Atoms: []smc.Atom{{LogW: math.NaN(), P: 1}}},
	} {
		longtest.Refuses(smc.NewAtoms([]float64{0}, []smc.TraceLaw{law}))(t, want)
	}
	if _, err := smc.NewAtoms([]float64{0, 0}, nil); err == nil {
		t.Error("two outputs have no distributions")
	}
	for _, m := range []int{0, -1, smc.MaxTraces + 1} {
		if _, err := smc.NewExact(1).Traces(context.Background(), []int{m}); err == nil {
			t.Errorf("%d traces are taken", m)
		}
	}
}

// TestAIDEOfTwoAlgorithmsWithTraces compares the mean and the variance with sums over everything
// that AIDE draws.
func TestAIDEOfTwoAlgorithmsWithTraces(t *testing.T) {
	p := []float64{0.25, 0.75}
	laws := [2][]smc.TraceLaw{
		{atomsOf([]float64{0.5, 0.5}, []float64{0.2, 0.8}),
			atomsOf([]float64{0.9, 0.1}, []float64{0.3, 0.7})},
		{atomsOf([]float64{0.4, 0.6}, []float64{0.6, 0.4}),
			atomsOf([]float64{0.5, 0.5}, []float64{0.45, 0.55})},
	}
	q := [2][]float64{{0.6, 0.4}, {0.1, 0.9}}
	var sides [2]smc.Side
	for i := range sides {
		ratio := []float64{math.Log(q[i][0] / p[0]), math.Log(q[i][1] / p[1])}
		a := longtest.Sure(smc.NewAtoms(ratio, laws[i]))
		sides[i] = a
	}
	list := longtest.Sure(smc.AIDE(context.Background(), sides[0], sides[1], p, []int{1, 2}, []int{1, 3}))
	for _, e := range list {
		numbers := [2]int{e.Meta, e.GoldMeta}
		var mean, variance, upper [2]float64
		for own := range 2 {
			other := 1 - own
			second := 0.0
			for x := range p {
				run, run2 := slowMoments(laws[own][x], numbers[own], true)
				meta, meta2 := slowMoments(laws[other][x], numbers[other], false)
				level := math.Log(q[own][x] / q[other][x])
				mean[own] += q[own][x] * (level + run - meta)
				second += q[own][x] * (level*level + run2 + meta2 + 2*level*(run-meta) - 2*run*meta)
			}
			variance[own] = second - mean[own]*mean[own]
			upper[own] = mean[own]
		}
		name := fmt.Sprint(numbers)
		near(t, name+": mean", e.Mean, mean[0]+mean[1], 1e-13)
		near(t, name+": variance", e.Variance, variance[0]+variance[1], 1e-13)
		near(t, name+": first half", e.KLQPUpper, upper[0], 1e-13)
		near(t, name+": second half", e.KLPQUpper, upper[1], 1e-13)
		if !math.IsNaN(e.KLQPLower) {
			t.Errorf("%s: a lower bound %v, though the density of the gold standard is not known", name,
				e.KLQPLower)
		}
	}
}

// TestOutputsThatOneSideLacks: J is infinite, and a note says which outputs, with what mass, and
// which side is finite.
func TestOutputsThatOneSideLacks(t *testing.T) {
	p := []float64{0.25, 0.25, 0.5}
	half := smc.NewDensity([]float64{math.Log(2), math.Log(2), math.Inf(-1)})
	e := against(half, p, 1)[0]
	if !math.IsInf(e.J, 1) || !math.IsInf(e.Mean, 1) || !math.IsInf(e.KLPQ, 1) {
		t.Errorf("%+v", e)
	}
	near(t, "KL(q||p)", e.KLQP, math.Log(2), 1e-15)
	want := "the target never returns output 2, which the gold standard returns with probability 0.5, so " +
		"that J is infinite; the divergence of the target from the gold standard may be finite"
	if len(e.Notes) != 1 || e.Notes[0] != want {
		t.Errorf("notes %q", e.Notes)
	}
	longtest.Refuses(smc.AIDE(context.Background(), half, smc.NewExact(2), p, []int{1}, []int{1}))(t,
		"compare algorithms over the same outputs")
}
