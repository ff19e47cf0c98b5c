package chains_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/couplings"
	"breadboard/grid/longtest"
)

// given is a chooser that takes given outcomes, and keeps the probability of all of them together.
type given struct {
	outcomes []int
	p        float64
	sizes    []int // of the choices
}

func (e *given) Choose(p []float64) int {
	at := 0
	if len(e.sizes) < len(e.outcomes) {
		at = e.outcomes[len(e.sizes)]
	}
	e.sizes = append(e.sizes, len(p))
	e.p = e.p * p[at]
	return at
}
func (e *given) Flip(p float64) bool { return e.Choose([]float64{p, 1 - p}) == 0 }
func (e *given) Uniform(n int) int   { return e.Choose(slices.Repeat([]float64{1 / float64(n)}, n)) }

// TestRowCouplingsKeepSmallProbabilities: each chain alone goes where its row says with all digits
// of the probability, down to 1e-300, and by the rows both meet as often as they can.
func TestRowCouplingsKeepSmallProbabilities(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var rows [2][]float64
		for i := range rows {
			rows[i] = make([]float64, 6)
			for x := range rapid.IntRange(1, 6).Draw(t, "outcomes") {
				rows[i][x] = math.Exp(-rapid.SampledFrom([]float64{0, 0, 0.3, 1, 37, 40, 400, 690}).Draw(t, "-log p"))
			}
			floats.Scale(1/floats.Sum(rows[i]), rows[i])
		}
		k := chains.NewTabulated("rows", 6, func(x int) (row []chains.Entry) {
			for to, p := range rows[min(x, 1)] {
				row = append(row, chains.Entry{To: to, P: p})
			}
			return row
		})
		most := 0.0
		for x, p := range rows[0] {
			most += min(p, rows[1][x])
		}
		for _, name := range []string{"rows", "rows-comonotone", "quantile"} {
			coupling := longtest.Must(couplings.New(name, k))(t)
			met := 0.0
			var law [2][6]float64
			for next := [][]int{nil}; len(next) > 0; {
				outcomes := next[0]
				next = next[1:]
				e := &given{outcomes: outcomes, p: 1}
				x, y := coupling.Couple(e, make([]float64, 6), 0, 1)
				for at := len(outcomes); at < len(e.sizes); at++ { // all other ways from there on
					for other := 1; other < e.sizes[at]; other++ {
						way := make([]int, at+1)
						copy(way, outcomes)
						way[at] = other
						next = append(next, way)
					}
				}
				law[0][x] += e.p
				law[1][y] += e.p
				if x == y {
					met += e.p
				}
			}
			for i, row := range rows {
				for x, want := range row {
					if got := law[i][x]; math.Abs(got-want) > 1e-12*want {
						t.Fatalf("%s: outcome %d of chain %d has %v; the distributions are %v", name, x,
							i, got, rows)
					}
				}
			}
			if name != "quantile" && math.Abs(met-most) > 1e-12*most {
				t.Fatalf("%s: the chains meet with probability %v, and can with %v", name, met, most)
			}
		}
	})
}
