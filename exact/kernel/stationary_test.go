package kernel

import (
	"math"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/grid/longtest"
)

// TestStationary compares the invariant distribution of a kernel that has nothing to do with the
// target with that of a birth and death chain by detailed balance, to the digits of its smallest
// probability, and says why there is none of a kernel with two ends.
func TestStationary(t *testing.T) {
	const n, up, down = 30, 0.5, 1e-9
	chain := func(ends ...int) *Diagnosis {
		k := chains.NewTabulated("chain", n, func(x int) []chains.Entry {
			for _, end := range ends {
				if x == end {
					return []chains.Entry{{To: x, P: 1}}
				}
			}
			row := []chains.Entry{}
			stay := 1.0
			if x+1 < n {
				row = append(row, chains.Entry{To: x + 1, P: up})
				stay = stay - up
			}
			if x > 0 {
				row = append(row, chains.Entry{To: x - 1, P: down})
				stay = stay - down
			}
			return append(row, chains.Entry{To: x, P: stay})
		})
		return longtest.Must(Diagnose(t.Context(), k, make([]float64, n)))(t)
	}
	pi := longtest.Must(chain().Stationary(t.Context()))(t)
	for x := range pi {
		if want := (1 - down/up) * math.Pow(down/up, float64(n-1-x)); math.Abs(pi[x]/want-1) > 1e-13 {
			t.Errorf("state %d: %v, by detailed balance %v", x, pi[x], want)
		}
	}
	pi = longtest.Must(chain(7).Stationary(t.Context()))(t)
	if pi[7] != 1 {
		t.Errorf("all end at 7: %v", pi)
	}
	if pi, err := chain(7, 20).Stationary(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "several distributions are invariant") {
		t.Errorf("%v, %v", pi, err)
	}
}
