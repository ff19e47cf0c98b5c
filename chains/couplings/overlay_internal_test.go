package couplings

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
)

// laws draws two distributions of up to six outcomes whose probabilities may be as small as 1e-300,
// and of which some outcomes may be alike.
func laws(t *rapid.T) (p, q []float64) {
	draw := func(name string) []float64 {
		v := make([]float64, rapid.IntRange(1, 6).Draw(t, name))
		total := 0.0
		for i := range v {
			v[i] = math.Exp(-rapid.SampledFrom([]float64{0, 0, 0.3, 1, 37, 40, 400, 690}).Draw(t, name))
			total += v[i]
		}
		for i := range v {
			v[i] /= total
		}
		return v
	}
	return draw("p"), draw("q")
}

// TestOverlay: the overlaps are in the order of both distributions, and add up to the probability
// of each outcome with all its digits.
func TestOverlay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := laws(t)
		first, second := make([]float64, len(p)), make([]float64, len(q))
		last := cell{}
		for _, c := range overlay(p, q) {
			if c.x < last.x || c.y < last.y || c.mass <= 0 {
				t.Fatalf("%v after %v", c, last)
			}
			first[c.x], second[c.y], last = first[c.x]+c.mass, second[c.y]+c.mass, c
		}
		for i, law := range [][]float64{p, q} {
			for x, want := range law {
				if got := [][]float64{first, second}[i][x]; math.Abs(got-want) > 1e-13*want {
					t.Fatalf("outcome %d of %v has %v", x, law, got)
				}
			}
		}
	})
}

// entry is a chooser that takes given outcomes, and keeps the probability of all of them together.
type entry struct {
	outcomes []int
	p        float64
	sizes    []int // of the choices
}

func (e *entry) Choose(p []float64) int {
	at := 0
	if len(e.sizes) < len(e.outcomes) {
		at = e.outcomes[len(e.sizes)]
	}
	e.sizes, e.p = append(e.sizes, len(p)), e.p*p[at]
	return at
}
func (e *entry) Flip(p float64) bool { return e.Choose([]float64{p, 1 - p}) == 0 }
func (e *entry) Uniform(n int) int   { return e.Choose(evenly(n)) }

// TestRowsKeepSmallProbabilities: each chain alone goes where its row says with all digits of the
// probability, and both meet as often as they can.
func TestRowsKeepSmallProbabilities(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := laws(t)
		row := func(law []float64) (row []chains.Entry) {
			for x, v := range law {
				row = append(row, chains.Entry{To: x, P: v})
			}
			return row
		}
		for name, draw := range map[string]func(p, q []chains.Entry) moves{"rows": independentResiduals, "rows-comonotone": comonotoneResiduals} {
			first, second := make([]float64, 6), make([]float64, 6)
			for next := [][]int{nil}; len(next) > 0; {
				outcomes := next[0]
				next = next[1:]
				e := &entry{outcomes: outcomes, p: 1}
				x, y := draw(row(p), row(q))(e)
				for at := len(outcomes); at < len(e.sizes); at++ { // all other ways from there on
					for other := 1; other < e.sizes[at]; other++ {
						way := make([]int, at+1)
						copy(way, outcomes)
						way[at] = other
						next = append(next, way)
					}
				}
				first[x], second[y] = first[x]+e.p, second[y]+e.p
			}
			for i, law := range [][]float64{p, q} {
				for x, want := range law {
					if got := [][]float64{first, second}[i][x]; math.Abs(got-want) > 1e-12*want {
						t.Fatalf("%s: outcome %d of %v has %v; the distributions are %v and %v", name, x, law, got, p, q)
					}
				}
			}
		}
	})
}
