package averages

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/grid/longtest"
)

// TestRHatCells: the size that a refusal names is that which is counted, to a thousandth where laws are large.
func TestRHatCells(t *testing.T) {
	for _, v := range []struct{ n, chains, low, high int }{{500, 4, 0, 500}, {300, 8, 0, 300}, {300, 7, 20, 290}, {2000, 2, 0, 2000}} {
		s := &shape{atoms: []atom{{v.low, 0.5}, {v.high, 0.5}}, high: func(_, a int) int { return v.n * a }}
		counted, _ := s.cost(v.chains, 1e10)
		if got := s.rhatCells(v.n, v.chains); !(got > 0.999*counted && got < 1.001*counted) {
			t.Errorf("%d chains of %d samples: about %v probabilities, counted %v", v.chains, v.n, got, counted)
		}
	}
}

// TestRHatWrong: a pooled mean that is off by half a standard deviation is not wrong, nor is one that is so but for rounding.
func TestRHatWrong(t *testing.T) {
	for _, v := range []struct {
		mean  float64
		wrong bool
	}{{0.5, false}, {0.5 - 1e-13, false}, {0.5 - 1.5e-12/4, true}, {0.5 + 1e-9, false}} { // three of four samples are one
		law := &RHatLaw{N: 2, Chains: 2, function: &Function{Mean: v.mean, SD: 0.5}}
		if got := law.wrong(3); got != v.wrong {
			t.Errorf("mean %v: %v, want %v", v.mean, got, v.wrong)
		}
	}
}

// TestLatticeBracketIsAttained: the bracket of a sum of squares holds where each of them is nearly a whole unit above what it is rounded to,
// and where it is nearly on it: one unit less of slack would be wrong on one side, and rounding up on the other.
func TestLatticeBracketIsAttained(t *testing.T) {
	const chains, top = 5, 1e7
	whole := longtest.Must(newLattice(t.Context(), []square{{1, 1}}, chains, top, 1e6, 1))(t)
	for _, part := range []float64{0.001, 0.999} {
		e := (17 + part) * whole.unit
		l := longtest.Must(newLattice(t.Context(), []square{{e, 1}}, chains, top, 1e6, 1))(t)
		if l.unit != whole.unit || l.exact {
			t.Fatalf("units %v and %v, exact %v", l.unit, whole.unit, l.exact)
		}
		if b := l.atMost(chains * e * (1 - 1e-9)); b.Low != 0 {
			t.Errorf("a sum of %v cannot be at most a little less, but the bracket is %+v", chains*e, b)
		}
		if b := l.atMost(chains * e); b.High < 1 {
			t.Errorf("a sum of %v is surely at most that, but the bracket is %+v", chains*e, b)
		}
	}
	if b := whole.atMost(chains); b.High < 1 {
		t.Errorf("a sum of %d is surely at most that, but the bracket is %+v", chains, b)
	}
}

// TestLevelCounts: the numbers of counts are those of all ways to spread samples over classes, each once, those of fewer samples first, and
// what follows a number is the number of one sample more.
func TestLevelCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		classes, n := rapid.IntRange(1, 5).Draw(t, "classes"), rapid.IntRange(1, 7).Draw(t, "samples")
		l := newLevelCounts(n, classes)
		counts := func(bars []int) []int { // of all classes but the last
			c := make([]int, len(bars))
			last := 0
			for j, b := range bars {
				c[j] = b - j - last
				last = b - j
			}
			return c
		}
		var all [][]int
		bars := firstBars(classes)
		for range l.size(n) {
			all = append(all, counts(bars))
			nextBars(bars)
		}
		total := func(c []int) (sum int) {
			for _, v := range c {
				sum += v
			}
			return sum
		}
		for i, c := range all {
			if s := total(c); s > n || s < n && i >= l.size(s) {
				t.Fatalf("number %d stands for %v", i, c)
			}
		}
		to := make([]int, classes)
		for i := range l.size(n - 1) {
			l.next(to, i)
			for class, next := range to {
				for j, v := range all[next] {
					if want := all[i][j]; v != want && (j != class || v != want+1) || j == class && v != want+1 {
						t.Fatalf("class %d takes %v to %v", class, all[i], all[next])
					}
				}
			}
		}
	})
}

// TestPoisson compares the probabilities of Poisson variables with the formula, and their sum with one.
func TestPoisson(t *testing.T) {
	for _, mean := range []float64{0, 1e-300, 1e-9, 0.3, 1, 17.5, 200} {
		total := 0.0
		for c, p := range poisson(mean, 500) {
			gamma, _ := math.Lgamma(float64(c + 1))
			want := math.Exp(float64(c)*math.Log(mean) - mean - gamma)
			if c == 0 {
				want = math.Exp(-mean)
			}
			if math.Abs(p-want) > 1e-12*want && want > 1e-290 {
				t.Errorf("mean %v: P(%d) is %v, want %v", mean, c, p, want)
			}
			total += p
		}
		if math.Abs(total-1) > 1e-14 {
			t.Errorf("mean %v: the probabilities sum to %v", mean, total)
		}
	}
}
