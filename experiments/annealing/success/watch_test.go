package success

import (
	"math"
	"testing"

	"breadboard/chains/simulate"
	"breadboard/chains/sites"
	"breadboard/experiments/subject"
)

// TestClopperPearson: the intervals of 8, 0 and 10 of 10, which binom.test of R has, and of 3 of
// 1000 by beta.ppf of SciPy.
func TestClopperPearson(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{{8, 10, 0.4439045, 0.9747893}, {0, 10, 0, 0.3084971}, {10, 10, 0.6915029, 1}, {3, 1000, 0.0006190999, 0.008742023}} {
		in := clopperPearson(c.k, 0, c.n)
		if math.Abs(in.Low-c.low) > 1e-6*c.low || math.Abs(in.High-c.high) > 1e-6*c.high {
			t.Errorf("%d of %d: %v", c.k, c.n, in)
		}
	}
}

// TestRoundingDecidesNothing: over thousands of stages on factors of very different sizes log f
// that is kept up to date stays within what the watch promises, and the best of each chain is log f
// of one of its states, added up anew, than which none that it had was larger.
func TestRoundingDecidesNothing(t *testing.T) {
	const n = 12
	var factors []sites.Factor
	cards, scale := make([]int, n), 0.0
	for v := range n {
		cards[v] = 2
		w := math.Pow(10, float64(v%5)) * 1.1
		factors = append(factors, sites.Factor{Scope: []int{v, (v + 1) % n}, Logs: []float64{w, -w / 3, -w / 7, w}})
		scale += w
	}
	m, err := sites.New(cards, factors)
	if err != nil {
		t.Fatal(err)
	}
	w := newWatch(sites.NewCrowd(m, 20, nil, simulate.NewGenerator(simulate.NewStream(1, "rounding", 0))), subject.Goal{Whole: m, Scale: scale}, n)
	largest := append([]float64(nil), w.best...)
	for range 20_000 {
		sites.Moves()["heatbath-scan"](w.Crowd, 0, false)
		for i := range w.LogF {
			v := w.value(i)
			if largest[i] = max(largest[i], v); math.Abs(w.LogF[i]-v) > alike/2 {
				t.Fatalf("chain %d: log f is %.17g, and %.17g is kept", i, v, w.LogF[i])
			}
		}
		w.see()
	}
	for i, best := range w.best {
		if math.Abs(best-largest[i]) > alike {
			t.Errorf("chain %d: the best is %.17g, and it had %.17g", i, best, largest[i])
		}
	}
}

// TestUnknownChains: an unknown case widens an interval upwards to where it would be if all of that
// had come true.
func TestUnknownChains(t *testing.T) {
	if got, all := clopperPearson(3, 4, 20), clopperPearson(7, 0, 20); got.Low != clopperPearson(3, 0, 20).Low || got.High != all.High ||
		clopperPearson(3, 17, 20).High != 1 {
		t.Errorf("%+v, %+v", got, all)
	}
}
