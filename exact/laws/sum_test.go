package laws_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/laws"
	"breadboard/exact/program"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// momentsOf returns the moments of a distribution, or fails the test.
func momentsOf(l laws.Law, trials int) laws.Moments {
	return longtest.Sure(l.Moments(context.Background(), trials))
}

// mustSum returns the distribution of an estimator, or fails the test.
func mustSum(t rapid.TB, target *laws.Target, kind string, star, k int) *laws.Sum {
	t.Helper()
	s, err := newSum(context.Background(), target, kind, star, k)
	if err != nil {
		t.Fatalf("%s, K = %d: %v", kind, k, err)
	}
	return s
}

// lineTarget returns the target of an annealing on a line between two ends.
func lineTarget(kernel string, initial, target []float64) *laws.Target {
	return laws.NewTarget(onLine(kernel, initial, target))
}

func onLine(kernel string, initial, target []float64) *chains.Annealing {
	space := longtest.Sure(grid.New(len(target)))
	path := longtest.Sure(paths.NewGeometric(initial, target))
	k := longtest.Sure(kernels.Parse(kernel, space))
	return longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, k, 2))
}

// TestSumsOfOneValue: if all terms are alike the estimate is certain, whatever rounding does; sums
// along a chain are known to be so to 1e-7.
func TestSumsOfOneValue(t *testing.T) {
	// L is exp(0.1) but for rounding, and T(z*|x) is p(z*)
	flat := lineTarget("heatbath-scan", []float64{0, 1.3, -0.7}, []float64{0.1, 1.4, -0.6})
	for _, kind := range kinds() {
		for _, k := range []int{1, 7, 1000} {
			s := mustSum(t, flat, kind, 2, k)
			for _, trials := range []int{1, 25} {
				m := momentsOf(s, trials)
				if !(math.Abs(m.Mean-flat.LogZ) < 1e-12 && m.SD < 2e-7 &&
					math.Abs(m.LogMean-flat.LogZ) < 1e-12) {
					t.Errorf("%s, K = %d, %d trials: %+v, log Z is %v", kind, k, trials, m, flat.LogZ)
				}
			}
		}
	}
	if m := momentsOf(mustSum(t, flat, "weighting", 0, 1), 1); !(m.SD < 1e-15) {
		t.Errorf("the standard deviation of one draw is %v", m.SD)
	}
}

// TestSumsFarApart: values that span thousands of nats, of which float64 cannot hold the
// probabilities either, keep the order of the means; one draw has the mean of log L itself.
func TestSumsFarApart(t *testing.T) {
	initial := []float64{0, -900, 0, -1}
	f := []float64{-3000, 0, 10, -2000}
	target := lineTarget("metropolis", initial, f)
	mean := 0.0
	for x, p := range target.Prior {
		if p > 0 {
			mean += p * target.LogL[x]
		}
	}
	one := momentsOf(mustSum(t, target, "weighting", 0, 1), 1)
	if !(math.Abs(one.Mean/mean-1) < 1e-12) {
		t.Errorf("E log L is %v, want %v", one.Mean, mean)
	}
	for _, k := range []int{2, 100} {
		low, high := momentsOf(mustSum(t, target, "weighting", 0, k), 1),
			momentsOf(mustSum(t, target, "harmonic", 0, k), 1)
		chain := momentsOf(mustSum(t, target, "harmonic-chain", 0, k), 1)
		if !(low.Mean < target.LogZ && target.LogZ < high.Mean && target.LogZ < chain.Mean &&
			math.Abs(low.LogMean-target.LogZ) < 1e-12) {
			t.Errorf("K = %d: weighting %+v, harmonic means %+v, %+v, log Z = %v", k, low, high, chain,
				target.LogZ)
		}
	}
	longtest.Refuses(laws.NewWeighting(lineTarget("metropolis", []float64{0, 0}, []float64{0, -1e6}), 3))(t,
		"more than 32768",
		"a million nats",
	)
}

// TestChibFarApart: if moves to z* are too rare for float64, the note does not say that there are
// none.
func TestChibFarApart(t *testing.T) {
	target := lineTarget("heatbath-scan", []float64{0, 0}, []float64{-1000, 0})
	for _, kind := range []string{"chib", "chib-chain"} {
		m := momentsOf(mustSum(t, target, kind, 1, 2), 1)
		if m.Note != "" {
			t.Errorf("%s at the likely state: %+v", kind, m)
		}
	}
	target = lineTarget("metropolis", []float64{0, 0, 0, 0}, []float64{-1000, 0, -1000, -1000})
	if m := momentsOf(mustSum(t, target, "chib-chain", 1, 1), 1); !strings.Contains(m.Note, "that float64 holds") {
		t.Errorf("%+v", m)
	}
}

// TestHarmonicChainFarApart: if likelihoods span thousands of nats, and the smallest has a
// posterior probability that float64 can just hold, the mean of the terms keeps its digits. One
// place has the mean of log L, and two that of pairs.
func TestHarmonicChainFarApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 5).Draw(t, "states")
		initial := rapid.SliceOfN(rapid.Float64Range(-2000, 0), n, n).Draw(t, "initial")
		f := rapid.SliceOfN(rapid.Float64Range(-1, 0), n, n).Draw(t, "target")
		f[rapid.IntRange(0, n-1).Draw(t, "rare")] = rapid.SampledFrom(
			[]float64{-744.2, -743, -700, -600},
		).Draw(t, "log f there")
		target := lineTarget(rapid.SampledFrom([]string{"metropolis", "heatbath-scan", "barker"}).Draw(
			t,
			"kernel",
		), initial, f)
		k := target.Annealing.Kernel()
		one, two := 0.0, 0.0
		for x, p := range target.Posterior {
			one += p * target.LogL[x]
			moves := longtest.Sure(program.Enumerate(t.Context(), func(c chains.Chooser) int { return k.Move(c, f, x) },
				program.Options{Cut: math.SmallestNonzeroFloat64}))
			two += p * moves.Mean(
				func(y int) float64 { return math.Ln2 - number.LogPlus(-target.LogL[x], -target.LogL[y]) },
			)
		}
		for k, want := range map[int]float64{1: one, 2: two} {
			m := momentsOf(mustSum(t, target, "harmonic-chain", 0, k), 1)
			if tolerance := 1e-11 * max(1, math.Abs(want)); !(math.Abs(m.Mean-want) < tolerance &&
				m.LogMean > m.Mean-tolerance) {
				t.Fatalf("K = %d: %+v, want a mean of %v", k, m, want)
			}
		}
	})
}

// TestSumsNotes: estimates that may be zero or infinite say so, and with what probability.
func TestSumsNotes(t *testing.T) {
	none := math.Inf(-1)
	target := lineTarget("metropolis", []float64{0, 0, 0, 0}, []float64{0, 0, none, none})
	for _, c := range []struct {
		kind string
		k    int
		mean float64
		note string
	}{
		{"weighting", 3, none, "with probability 0.125 the likelihood is zero at all draws"},
		{"harmonic", 3, math.Log(1), "E 1/Z-hat lacks 0.5 of 1/Z"},
		{"chib", 2, math.Inf(1), ""},
		{"chib-chain", 2, math.Inf(1),
			"no place of the chain can move to z* = 0, and the estimate is infinite"},
	} {
		m := momentsOf(mustSum(t, target, c.kind, 0, c.k), 1)
		if c.kind == "chib" { // T(0|x) is positive at both states
			if m.Note != "" || math.IsInf(m.Mean, 0) {
				t.Errorf("%s: %+v", c.kind, m)
			}
			continue
		}
		if m.Mean != c.mean && math.Abs(m.Mean-c.mean) > 1e-12 || !strings.Contains(m.Note, c.note) ||
			math.IsInf(c.mean, 0) != math.IsNaN(m.SD) {
			t.Errorf("%s: %+v, want the mean %v and a note of %q", c.kind, m, c.mean, c.note)
		}
	}
	far := lineTarget("metropolis", nil, []float64{0, 0, 0, 0, 0})
	if m := momentsOf(mustSum(t, far, "chib", 0, 2), 2); !math.IsInf(m.Mean, 1) ||
		!math.IsInf(m.LogMean, 1) ||
		m.Note !=
			"with probability 0.36 no draw can move to z* = 0, and the estimate is infinite; this holds "+
				"for all of 2 trials with probability 0.1296" {
		t.Errorf("Chib's estimate far from z*: %+v", m)
	}
	if m := momentsOf(mustSum(t, far, "cms-first", 0, 1), 1); m.Note !=
		"E Z-hat is 0.4 of Z: T(z*|x) is zero for states x that have 0.6 of the posterior" {
		t.Errorf("a start far from most states: %+v", m)
	}
	if m := momentsOf(mustSum(t, target, "weighting", 0, 10_000), 1); !math.IsInf(m.Mean, -1) {
		t.Errorf("a chance of 2^-10000 of no estimate: %+v", m)
	}
	easy, _ := sumTarget("easy", "metropolis")
	if m := momentsOf(mustSum(t, easy, "cms-uniform", 24, 1), 1); !strings.Contains(
		m.Note,
		"E Z-hat lacks 0.792813 of Z",
	) {
		t.Errorf("a chain of one place that mostly cannot move to z*: %+v", m)
	}
	lost := lineTarget("metropolis", []float64{none, 0}, []float64{0, 0})
	if m := momentsOf(mustSum(t, lost, "weighting", 0, 2), 1); !strings.Contains(m.Note, "E Z-hat lacks 0.5 of Z") ||
		math.Abs(m.LogMean-lost.LogZ+math.Ln2) > 1e-12 {
		t.Errorf("a prior that is zero at half of the posterior: %+v", m)
	}
}

// TestSumsRefuse: what is out of range, and what never gives an estimate.
func TestSumsRefuse(t *testing.T) {
	target := lineTarget("metropolis", nil, []float64{0, 1, 2})
	none := math.Inf(-1)
	zero := lineTarget("metropolis", nil, []float64{0, none, 2})
	for _, kind := range kinds() {
		for _, k := range []int{0, -1, estimators.MaxDraws + 1} {
			longtest.Refuses(newSum(context.Background(), target, kind, 0, k))(t, "draws", kind, k)
		}
		s := mustSum(t, target, kind, 0, 2)
		for _, trials := range []int{0, 1_000_001} {
			longtest.Refuses(s.Moments(context.Background(), trials))(t, "trials", kind, trials)
		}
		longtest.Refuses(s.Above(context.Background(), math.NaN()))(t, "NaN", kind)
	}
	for _, kind := range []string{"chib", "chib-chain", "cms-first", "cms-uniform"} {
		for _, star := range []int{-1, 3} {
			longtest.Refuses(newSum(context.Background(), target, kind, star, 1))(t, "is not a state", kind, star)
		}
		longtest.Refuses(newSum(context.Background(), zero, kind, 1, 1))(t, "posterior probability 0", kind)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, kind := range []string{"harmonic-chain", "chib-chain", "cms-first", "cms-uniform"} {
		if _, err := newSum(ended, target, kind, 0, 5); !errors.Is(err, context.Canceled) {
			t.Errorf("%s in a context that has ended: %v", kind, err)
		}
	}
	s := mustSum(t, target, "cms-first", 0, 3)
	if _, err := s.Moments(ended, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("two trials in a context that has ended: %v", err)
	}
	if m := momentsOf(s, 2); math.IsNaN(m.Mean) {
		t.Errorf("and then in one that goes on: %+v", m)
	}
}

// leaning is a kernel that does not leave its distribution invariant: it goes up with the same
// probability everywhere.
type leaning struct{ n int }

// Move implements chains.Kernel.
func (k leaning) Move(c chains.Chooser, _ []float64, x int) int {
	if c.Flip(0.5) {
		return min(k.n-1, x+1)
	}
	return max(0, x-1)
}

// TestSumsNeedInvariance: a kernel that does not leave the posterior invariant has no reversal to
// start from.
func TestSumsNeedInvariance(t *testing.T) {
	path := longtest.Sure(paths.NewGeometric(nil, []float64{0, 1, 3}))
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, leaning{3}, 2))
	longtest.Refuses(laws.NewCMS(context.Background(), laws.NewTarget(a), 2, 3, estimators.StartUniform, 1))(t,
		"invariant",
		"a kernel that leans",
	)
}

// TestSubnormalTransitions: if a T(z*|x) is so small that float64 does not hold its digits, what
// depends on it is right, or a note says how many digits are left. From state 0 two Metropolis
// steps lead to z* = 2 by way of state 1 alone, with probability exp(-depth)/4.
func TestSubnormalTransitions(t *testing.T) {
	noted := 0
	for _, depth := range []float64{500, 690, 715, 725, 735, 740} {
		on := lineTarget("repeat:2:metropolis", make([]float64, 3), []float64{0, -depth, 1})
		first := momentsOf(longtest.Sure(laws.NewCMS(t.Context(), on, 2, 1, estimators.StartFirst, 1)), 1)
		chib := momentsOf(longtest.Sure(laws.NewChib(t.Context(), on, 2, 1, 1)), 1)
		p, q := on.Posterior[0], on.Posterior[2]
		mean := on.LogZ + number.Log(q) + p*(depth+number.Log(4))
		for name, m := range map[string]struct {
			laws.Moments
			off float64
		}{
			"cms:first": {first, (first.LogMean - on.LogZ) / math.Abs(on.LogZ)},
			"chib":      {chib, (chib.Mean - mean) / mean},
		} {
			if wrong := math.Abs(m.off) > 1e-12; wrong && m.Note == "" || m.Note != "" && depth < 700 {
				t.Errorf("%s at a depth of %v: off by a relative %.3g, with the note %q", name,
					depth, m.off, m.Note)
			} else if wrong {
				noted++
			}
		}
	}
	if noted == 0 {
		t.Error("no digits were lost, so that nothing has been tested")
	}
}
