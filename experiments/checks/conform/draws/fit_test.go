package draws

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"breadboard/chains/number"
	"breadboard/experiments/forms"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// normal divides numbers by their sum.
func normal(q []float64) []float64 {
	total := number.Total(q)
	for x := range q {
		q[x] /= total
	}
	return q
}

// TestCause: what explains the draws is named, with its parameter; what does not is not, and
// independent draws never depend on each other.
func TestCause(t *testing.T) {
	ten := slices.Repeat([]float64{0.1}, 10)
	three := []float64{0.5, 0.3, 0.2}
	skewed := tilted(9, 3)
	mixed := make([]float64, 9)
	for x, p := range skewed {
		mixed[x] = 0.7*p + 0.3/9
	}
	for _, c := range []struct {
		p, q  []float64
		n     int
		named string
	}{
		{ten, normal([]float64{4992, 2503, 1856, 1569, 2457, 1898, 1587, 1284, 1012, 842}), 20_000, None +
			": the frequencies of the states differ from the distribution: state 0: "},
		{three, []float64{0.15, 0.25, 0.6}, 3000,
			None + ": the frequencies of the states differ from the distribution: state 2: "},
		{skewed, mixed, 20_000,
			"it is as if a share of 0.302 (from 0.281 to 0.322) of the draws was uniform over all states (found"},
		{three, []float64{0.25, 0.35, 0.4}, 20_000,
			"it is as if each state has the probability (1 - p)/(n - 1) instead of p"},
		{skewed, lawOf(skewed).powerLaw(1.7), 20_000,
			"it is as if the probabilities were raised to the power 1.71 (from 1.68 to 1.74)"},
	} {
		states := independent(c.q, c.n, rand.New(rand.NewPCG(66, 2)))
		l := lawOf(c.p)
		out := checked(t, l, states)
		if !strings.HasPrefix(out.Fault, c.named) || out.Depend ||
			strings.Contains(fmt.Sprint(out.Findings), "depend on") {
			t.Errorf("%+v", out)
		}
		counted := newTally(l, false) // of counts the same is named
		for _, x := range states {
			counted.addState(x, 1)
		}
		if named, _ := counted.nameMistakes(); named == "" != strings.HasPrefix(c.named, None) ||
			!strings.HasPrefix(out.Fault, named) {
			t.Errorf("counts: %q, and draws: %q", named, out.Fault)
		}
	}
}

// TestKnown: exchanged columns, and a log f of another base, are named.
func TestKnown(t *testing.T) {
	for _, c := range []struct {
		toy   string
		of    func(l *Law, space *grid.Lattice, x int) float64
		named string
	}{
		{"random:2:3:3x3x2",
			func(l *Law, space *grid.Lattice, x int) float64 { return l.P[space.Swapped(x, 0, 1)] },
			"it is as if the columns x0 and x1 were exchanged ("},
		{"random:2:3:3x3",
			func(l *Law, space *grid.Lattice, x int) float64 { return l.P[space.Swapped(x, 0, 1)] },
			"in the opposite order, as in column-major numbering or exchanged columns ("},
		{"random:1:3:3x3", func(l *Law, _ *grid.Lattice, x int) float64 { return l.powerLaw(math.Ln10)[x] },
			", or as if log f was taken for a logarithm in base 10 ("},
		{"random:2:3:3x3",
			func(l *Law, _ *grid.Lattice, x int) float64 { return l.powerLaw(1 / math.Ln10)[x] },
			", or as if log f was a logarithm in base 10 ("},
	} {
		toy, err := forms.All().Parse(c.toy)
		longtest.NoError(t, err)
		l, err := OfToy(toy)
		longtest.NoError(t, err)
		q := make([]float64, len(l.P))
		for x := range q {
			q[x] = c.of(l, toy.Lattice(), x)
		}
		out := checked(t, l, independent(q, 20_000, rand.New(rand.NewPCG(66, 7))))
		if !strings.Contains(out.Fault, c.named) {
			t.Errorf("%s: %s", c.toy, out.Fault)
		}
	}
}

// TestFit: a maximum and its interval are those of the closed forms of a binomial and of a normal
// likelihood, and an interval that reaches an end of the grid of a parameter without bounds is open
// there.
func TestFit(t *testing.T) {
	normal := func(mean, sd float64) func(float64) float64 {
		return func(at float64) float64 { return -(at - mean) * (at - mean) / (2 * sd * sd) }
	}
	grid := []float64{-4, -1, 0, 0.5, 1, 2, 8}
	const z = 2.5758293035489 // the quantile 0.995 of the standard normal distribution
	for _, c := range []struct{ mean, sd float64 }{{0.3, 0.01}, {1.7, 0.1}, {-2, 0.2}, {0.7, 1e-5}} {
		p := Fit(grid, normal(c.mean, c.sd))
		if math.Abs(p.At-c.mean) > 1e-3*c.sd || math.Abs(p.Low-c.mean+z*c.sd) > 0.02*c.sd ||
			math.Abs(p.High-c.mean-z*c.sd) > 0.02*c.sd {
			t.Errorf("%+v: %+v", c, p)
		}
	}
	for want, c := range map[string]struct {
		mean, sd float64
	}{"6.71 or more": {8, 0.5}, "-3.23 or less": {-4, 0.3}} {
		if got := Interval(Fit(grid, normal(c.mean, c.sd))); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	none := Fit([]float64{0, 0.5, 1}, func(at float64) float64 { return 500 * math.Log1p(-at) })
	if math.Abs(none.High+math.Expm1(-HalfQuantile/500)) > 1e-4 || none.At != 0 || none.Low != 0 {
		t.Errorf("no successes: %+v", none)
	}
}

// TestPearson: with a right distribution the p-value is below a level about as often as the level
// says, also with rare cells and a single wrong group.
func TestPearson(t *testing.T) {
	rng := rand.New(rand.NewPCG(66, 4))
	p := normal([]float64{1, 2, 3, 4, 0.001, 0.0001})
	below := 0
	found := 0
	samples := 400
	if longtest.Enabled() {
		samples = 2000
	}
	for range samples {
		var right, wrong Pearson
		for g := range 20 {
			counts := make([]int, len(p))
			off := make([]int, len(p))
			for _, x := range independent(p, 200, rng) {
				counts[x]++
				if g == 7 && x == 3 && rng.IntN(3) == 0 {
					x = 0
				}
				off[x]++
			}
			right.Add(counts, p)
			wrong.Add(off, p)
		}
		if right.P(0) < 0.02 {
			below++
		}
		if wrong.P(0) < Unexplained {
			found++
		}
	}
	if below > samples*3/100 || found < samples*9/10 {
		t.Errorf("of %d right samples %d are below 0.02, and of wrong ones %d are found", samples, below, found)
	}
}

// TestFits: a distribution explains counts only if each of them fits, also one of many that the sum
// over all does not show.
func TestFits(t *testing.T) {
	const states, each = 1 << 14, 100
	p := make([]float64, states)
	counts := make([]int, states)
	rng := rand.New(rand.NewPCG(8, 1))
	for x := range p {
		p[x] = 1. / states
	}
	for range states * each {
		counts[rng.IntN(states)]++
	}
	if !Fits(counts, p, 0) {
		t.Error("right counts do not fit")
	}
	counts[7] = 2 * each
	var all Pearson
	all.Add(counts, p)
	if all.P(0) < Unexplained || Fits(counts, p, 0) {
		t.Errorf("p-value %v, and one count of ten standard errors fits", all.P(0))
	}
}

// TestRareState: one draw of a state of probability e^-900 is the finding, and neither that the
// state is impossible nor that counts are too even.
func TestRareState(t *testing.T) {
	l := longtest.Must(OfToy(longtest.Must(forms.All().Parse("cells:0:-900"))(t)))(t)
	says := checked(t, l, append([]int{1}, make([]int, 300)...)).Fault
	if !strings.Contains(says, "state 1: 1 of 301 draws") || strings.Contains(says, "zero") {
		t.Error(says)
	}
}

// TestExchangeFits: that two states were exchanged explains draws only if the counts of these two
// fit, whatever those of hundreds of others say for it. A share of 0.28 more is no exchange.
func TestExchangeFits(t *testing.T) {
	l := longtest.Must(OfToy(longtest.Must(forms.All().Parse("random:1:1:16x16"))(t)))(t)
	most := slices.Index(l.P, slices.Max(l.P))
	least := slices.Index(l.P, slices.Min(l.P))
	for _, share := range []float64{1, 1.28} {
		q := slices.Clone(l.P)
		q[most], q[least] = l.P[least], l.P[most]*share
		says := checked(t, l, independent(normal(q), 8000, rand.New(rand.NewPCG(8, 2)))).Fault
		if strings.Contains(says, "were exchanged") != (share == 1) {
			t.Errorf("share %v: %q", share, says)
		}
	}
}
