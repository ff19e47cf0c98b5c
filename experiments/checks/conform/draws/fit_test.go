package draws

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"breadboard/chains/number"
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

// planted returns a mistake in the draws of a distribution: a part of the text that names it, empty
// if it is on no list, and the wrong distribution.
func planted(l *Law, i int, rng *rand.Rand) (name string, q []float64) {
	n, u := len(l.P), rng.Float64()
	q = slices.Clone(l.P)
	a := rng.IntN(n)
	b := (a + 1 + rng.IntN(n-1)) % n
	switch i % 8 {
	case 0:
		return "raised to the power", l.power(3 * u)
	case 1, 2:
		for x := range q {
			q[x] = (1-u)*q[x] + u/float64(n)
		}
		return "was uniform over all states", q
	case 3:
		q[a], q[b] = q[b], q[a]
		return fmt.Sprintf("state %d and state %d were exchanged", min(a, b), max(a, b)), q
	case 4:
		if i%16 == 4 {
			return "one too high", append(q[n-1:], q[:n-1]...)
		}
		q[a] = 0
		return fmt.Sprintf("state %d is never drawn", a), normal(q)
	case 5: // one state too often
		q[a] *= 1.5 + u
	case 6: // all states are off
		for x := range q {
			q[x] *= math.Exp(rng.NormFloat64() / 2)
		}
	case 7: // a mixture with another distribution, or the weights of pairs
		for x := range q {
			q[x] = (1-u/2)*q[x] + u/2*l.P[(x*7+3)%n]
		}
		if i%16 == 7 {
			for x := range q {
				q[x] = l.P[x] * (1 + float64(x%3))
			}
		}
	}
	return "", normal(q)
}

// flat reports whether that many draws hardly tell probabilities from equal ones.
func flat(q []float64) bool { return slices.Max(q)-slices.Min(q) < 0.1/float64(len(q)) }

// TestNamed: causes are named by a fit that explains the draws, and at most 1 in 100 is wrong. With
// -long these are 200 files.
func TestNamed(t *testing.T) {
	rng := rand.New(rand.NewPCG(66, 1))
	found, named, wrong, missed := 0, 0, 0, 0
	count := longtest.Times(24, 200)
	for i := range count {
		p := make([]float64, 5+rng.IntN(20))
		for x := range p {
			p[x] = rng.ExpFloat64() + 0.02
		}
		l := lawOf(normal(p))
		name, q := planted(l, i, rng)
		out := checked(t, l, independent(q, 10_000, rng))
		if out.Fault == "" {
			continue
		}
		found++
		if out.Depend {
			t.Errorf("file %d: independent draws depend on each other", i)
		}
		switch is := strings.Contains(out.Fault, "it is as if"); {
		case is && (name == "" || !strings.Contains(out.Fault, name)) && !(strings.Contains(out.Fault, "drawn alike") && flat(q)):
			wrong++
			t.Logf("file %d, %d states: %q is named wrongly: %s", i, len(p), name, out.Fault)
		case is:
			named++
		case name != "":
			missed++
			t.Logf("file %d, %d states: %q is not named: %s", i, len(p), name, out.Fault)
		}
	}
	t.Logf("of %d files %d are at fault, %d are named rightly, %d wrongly, %d on the list are not named", count, found, named, wrong, missed)
	if 100*wrong > count || 20*missed > count || 2*named < count {
		t.Error("too many wrong names, or too few right ones")
	}
}

// TestCause: what explains the draws is named, with its parameter; what does not is not, and
// independent draws never depend on each other.
func TestCause(t *testing.T) {
	ten, three := slices.Repeat([]float64{0.1}, 10), []float64{0.5, 0.3, 0.2}
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
		{three, []float64{0.15, 0.25, 0.6}, 3000, None + ": the frequencies of the states differ from the distribution: state 2: "},
		{skewed, mixed, 20_000, "it is as if a share of 0.302 (from 0.281 to 0.322) of the draws was uniform over all states (found"},
		{skewed, lawOf(skewed).power(1.7), 20_000, "it is as if the probabilities were raised to the power 1.71 (from 1.68 to 1.74)"},
	} {
		states := independent(c.q, c.n, rand.New(rand.NewPCG(66, 2)))
		l := lawOf(c.p)
		out := checked(t, l, states)
		if !strings.HasPrefix(out.Fault, c.named) || out.Depend || strings.Contains(fmt.Sprint(out.Findings), "depend on") {
			t.Errorf("%+v", out)
		}
		counted := newTally(l, false) // of counts the same is named
		for _, x := range states {
			counted.add(x, 1)
		}
		if named, _ := counted.named(); named == "" != strings.HasPrefix(c.named, None) || !strings.HasPrefix(out.Fault, named) {
			t.Errorf("counts: %q, and draws: %q", named, out.Fault)
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
		if math.Abs(p.At-c.mean) > 1e-3*c.sd || math.Abs(p.Low-c.mean+z*c.sd) > 0.02*c.sd || math.Abs(p.High-c.mean-z*c.sd) > 0.02*c.sd {
			t.Errorf("%+v: %+v", c, p)
		}
	}
	for want, c := range map[string]struct{ mean, sd float64 }{"6.71 or more": {8, 0.5}, "-3.23 or less": {-4, 0.3}} {
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
	below, found := 0, 0
	const samples = 2000
	for range samples {
		var right, wrong Pearson
		for g := range 20 {
			counts, off := make([]int, len(p)), make([]int, len(p))
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
