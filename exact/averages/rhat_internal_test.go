package averages

import "testing"

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
