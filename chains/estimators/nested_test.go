package estimators_test

import (
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/grid"
)

// TestLevels: states whose likelihoods are equal to within 1e-12 are one level, and states without a prior are on none.
func TestLevels(t *testing.T) {
	inf := math.Inf(1)
	logPrior := []float64{math.Log(0.1), math.Log(0.2), -inf, math.Log(0.3), math.Log(0.05), math.Log(0.25), math.Log(0.1)}
	logL := []float64{1, -inf, inf, 1 + 9e-13, 1 + 2e-12, 4, -inf}
	levels, of := estimators.LevelsOf(logPrior, logL)
	if got, want := fmt.Sprint(of), "[1 0 -1 1 2 3 0]"; got != want {
		t.Errorf("states are at levels %s, want %s", got, want)
	}
	if len(levels) != 4 {
		t.Fatalf("%d levels, want 4", len(levels))
	}
	for j, want := range []struct{ logL, at, above float64 }{{-inf, 0.3, 0.7}, {1, 0.4, 0.3}, {1 + 2e-12, 0.05, 0.25}, {4, 0.25, 0}} {
		l := levels[j]
		if l.LogL != want.logL || !near(l.LogOdds, math.Log(want.at/want.above)) {
			t.Errorf("level %d is %+v, want %+v", j, l, want)
		}
		if !near(l.Share(), want.at/(want.at+want.above)) || !near(l.Shrinkage(), math.Log((want.at+want.above)/want.above)) {
			t.Errorf("level %d: share %v, shrinkage %v", j, l.Share(), l.Shrinkage())
		}
	}
}

// near reports whether two numbers are equal but for rounding.
func near(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-14*max(1, math.Abs(b)) }

// TestLevelsFar: a level whose prior is next to nothing beside the others keeps its odds, from either side.
func TestLevelsFar(t *testing.T) {
	levels, _ := estimators.LevelsOf([]float64{-2000, 0, -2000.5, -900}, []float64{0, 1, 2, 3})
	for j, want := range []float64{-2000, 900, -1100.5, math.Inf(1)} {
		if !near(levels[j].LogOdds, want) {
			t.Errorf("level %d: log odds %v, want %v", j, levels[j].LogOdds, want)
		}
	}
	if s := levels[0].Shrinkage(); s != 0 {
		t.Errorf("shrinkage exp(-2000) is %v", s)
	}
	if s := levels[1].Shrinkage(); s != 900 {
		t.Errorf("shrinkage by exp(900) is %v", s)
	}
}

// TestDeaths holds the laws of deaths to their formulas: they sum to one, no likely number is left out, and with a label the law given
// that some die is what the estimator draws.
func TestDeaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.SampledFrom([]int{2, 3, 10, 1000, 100_000}).Draw(t, "K")
		l := estimators.Level{LogOdds: rapid.Float64Range(-30, 5).Draw(t, "log odds")}
		label, strict := l.Deaths(k, estimators.TiesLabel), l.Deaths(k, estimators.TiesStrict)
		mean, q := float64(k)*math.Log1p(math.Exp(l.LogOdds)), 1/(1+math.Exp(-l.LogOdds))
		gamma := func(x float64) float64 {
			v, _ := math.Lgamma(x)
			return v
		}
		for what, c := range map[string]struct {
			law estimators.Deaths
			log func(n float64) float64
		}{
			"Poisson": {label, func(n float64) float64 { return n*math.Log(mean) - mean - gamma(n+1) }},
			"binomial": {strict, func(n float64) float64 {
				return gamma(float64(k)+1) - gamma(n+1) - gamma(float64(k)-n+1) + n*math.Log(q) - (float64(k)-n)*math.Log1p(math.Exp(l.LogOdds))
			}},
		} {
			total, most := 0.0, 0.0
			for i, p := range c.law.P {
				total += p
				most = max(most, p)
				want := c.log(float64(c.law.First + i))
				if math.Abs(math.Log(p)-want) > 1e-14*(100+float64(k)*math.Log(float64(k))) {
					t.Errorf("%s: log P(%d) is %v, want %v", what, c.law.First+i, math.Log(p), want)
				}
			}
			if math.Abs(total-1) > 1e-12 {
				t.Errorf("%s: the probabilities sum to %v", what, total)
			}
			if last := c.law.First + len(c.law.P); last <= k && math.Exp(c.log(float64(last))) > 1e-20*most {
				t.Errorf("%s: %d deaths have been left out", what, last)
			}
			if c.law.First > 0 && math.Exp(c.log(float64(c.law.First-1))) > 1e-20*most {
				t.Errorf("%s: %d deaths have been left out", what, c.law.First-1)
			}
		}
	})
}

// TestNestedStrictByHand: two particles at states 0 and 2, which tie, with L = 1. Both die, one a step, at volumes 1 and 2/3, and what
// is left, 4/9, goes to the last level, L = e^2, as nothing is above state 3.
func TestNestedStrictByHand(t *testing.T) {
	m := finite(nil, []float64{0, -1, 0, 2})
	e := must(estimators.NewNested(m, estimators.NestedOptions{Particles: 2, Ties: estimators.TiesStrict}))
	c := chains.NewScorer([]int{0, 2, 3, 3})
	// The prior is a quarter everywhere, but log f_1 = 0, so that L = f_T.
	if got, want := e.Estimate(c), math.Log(5.0/9+4.0/9*math.Exp(2)); !near(got, want) {
		t.Errorf("log Z-hat = %v, want %v", got, want)
	}
	if c.Left() > 0 || !near(c.LogP(), math.Log(1.0/16)) {
		t.Errorf("%d choices are left; the log probability is %v, want that of two draws from the prior", c.Left(), c.LogP())
	}
}

// TestNestedTogetherByHand: three particles at states 0, 2 and 3, of which the last two survive. Each is as likely to be copied; the
// third is, and does not move. Then state 2 leaves, and what is left goes to state 3.
func TestNestedTogetherByHand(t *testing.T) {
	m := finite(nil, []float64{0, -1, 1, 2})
	e := must(estimators.NewNested(m, estimators.NestedOptions{Particles: 3, Ties: estimators.TiesTogether}))
	c := chains.NewScorer([]int{0, 2, 3, 1, 0})
	if got, want := e.Estimate(c), math.Log(1.0/4+3.0/4*1/4*math.E+9.0/16*math.Exp(2)); !near(got, want) {
		t.Errorf("log Z-hat = %v, want %v", got, want)
	}
	if c.Left() > 0 || !near(c.LogP(), math.Log(1.0/64/2/2)) {
		t.Errorf("%d choices are left; the log probability is %v, want that of three draws and two copies among two", c.Left(), c.LogP())
	}
}

// TestNestedOptions: what is no nested sampling is refused, and so is one by exact draws without levels.
func TestNestedOptions(t *testing.T) {
	m := finite(nil, []float64{0, 1, 2})
	for _, c := range []struct {
		o    estimators.NestedOptions
		want string
	}{
		{estimators.NestedOptions{Particles: 1}, "K = 1 particles"},
		{estimators.NestedOptions{Particles: estimators.MaxDraws + 1}, "K = 1000000001 particles"},
		{estimators.NestedOptions{Particles: 2, Ties: -1}, "ties -1"},
		{estimators.NestedOptions{Particles: 2, Volume: 3}, "volume 3"},
		{estimators.NestedOptions{Particles: 2, Ties: estimators.TiesTogether, Moves: -1}, "M = -1 moves"},
		{estimators.NestedOptions{Particles: 2, Ties: estimators.TiesStrict, Moves: 1}, "M = 1 moves and ties strict"},
	} {
		if _, err := estimators.NewNested(m, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.o, err, c.want)
		}
	}
	if _, err := estimators.NewNested[chains.Chooser, int](levelless{m}, estimators.NestedOptions{Particles: 2}); err == nil {
		t.Error("exact draws without levels are not refused")
	}
	e := must(estimators.NewNested[chains.Chooser, int](levelless{m}, estimators.NestedOptions{Particles: 2, Ties: estimators.TiesTogether, Moves: 1}))
	if z := e.Estimate(chains.NewSampler(rand.NewPCG(1, 1))); math.IsNaN(z) || z < 0 || z > 2 {
		t.Errorf("log Z-hat = %v of a model without levels", z)
	}
	names := fmt.Sprint(estimators.TiesLabel, estimators.TiesStrict, estimators.TiesTogether, estimators.VolumePaper, estimators.VolumeUnbiased, estimators.VolumeExp)
	if names != "label strict together paper unbiased exp" {
		t.Errorf("the names are %s", names)
	}
}

// levelless is a model that does not know its levels.
type levelless struct {
	estimators.Constrained[chains.Chooser, int]
}

// TestAbove: draws above a level have the prior's proportions, also where the prior there is too small for a float64, and a draw above
// another level is not one of the level before.
func TestAbove(t *testing.T) {
	m := finite([]float64{0, 0, -801, -800}, []float64{0, 1, -700, -690})
	levels := m.Levels()
	if len(levels) != 4 {
		t.Fatalf("levels %+v", levels)
	}
	s := chains.NewScorer([]int{3})
	if x := m.Above(s, levels[1].LogL); x != 3 || !near(s.LogP(), -math.Log1p(math.Exp(-1))) {
		t.Errorf("the draw above level 1 is %d with log probability %v, want 3 with -log(1 + 1/e)", x, s.LogP())
	}
	s = chains.NewScorer([]int{1})
	if x := m.Above(s, levels[0].LogL); x != 1 || !near(s.LogP(), 0) {
		t.Errorf("the draw above level 0 is %d with log probability %v, want 1 with 0", x, s.LogP())
	}
	s = chains.NewScorer([]int{3})
	if x := m.Above(s, levels[1].LogL); x != 3 || !near(s.LogP(), -math.Log1p(math.Exp(-1))) {
		t.Errorf("the second draw above level 1 is %d with log probability %v, want 3 with -log(1 + 1/e)", x, s.LogP())
	}
}

// One run of nested sampling with two particles on a line of four states.
func ExampleNewNested() {
	path, err := paths.NewGeometric(nil, []float64{0, -1, 0, 2})
	if err != nil {
		log.Fatal(err)
	}
	annealing, err := chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(4)}, 2)
	if err != nil {
		log.Fatal(err)
	}
	model, err := estimators.NewFinite(annealing)
	if err != nil {
		log.Fatal(err)
	}
	e, err := estimators.NewNested(model, estimators.NestedOptions{Particles: 2, Ties: estimators.TiesStrict})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("log Z-hat: %.4f\n", e.Estimate(chains.NewSampler(rand.NewPCG(1, 2))))
	fmt.Printf("exact draws on average: %.4f\n", e.Work().Exact)
	// Output:
	// log Z-hat: 0.9867
	// exact draws on average: 1.8333
}
