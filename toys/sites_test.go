package toys_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/grid/longtest"
	"breadboard/toys"
)

// neighbours returns the neighbouring pairs of sites, each once, from the definition: sites at distance one, where a torus goes around.
func neighbours(s toys.Sites) (pairs [][2]int) {
	distance := func(a, b, side int) int {
		d := max(a-b, b-a)
		if s.Torus {
			d = min(d, side-d)
		}
		return d
	}
	for a := range s.Rows * s.Cols {
		for b := range a {
			if distance(a/s.Cols, b/s.Cols, s.Rows)+distance(a%s.Cols, b%s.Cols, s.Cols) == 1 {
				pairs = append(pairs, [2]int{b, a})
			}
		}
	}
	return pairs
}

// drawSites draws sites of which there are so many at most.
func drawSites(t *rapid.T, most int) toys.Sites {
	torus, least := rapid.Bool().Draw(t, "torus"), 1
	if torus = torus && most >= 9; torus {
		least = 3
	}
	rows := rapid.IntRange(least, most/least).Draw(t, "rows")
	return toys.Sites{Rows: rows, Cols: rapid.IntRange(least, most/rows).Draw(t, "columns"), Torus: torus}
}

// sumExp returns the logarithm of the sum of exp(g) over all states, with what each addition rounds off added at the end (Neumaier's sum).
func sumExp(g []float64) float64 {
	top := math.Inf(-1)
	for _, v := range g {
		top = max(top, v)
	}
	sum, lost := 0.0, 0.0
	for _, v := range g {
		term := math.Exp(v - top)
		next := sum + term
		if sum >= term {
			lost += sum - next + term
		} else {
			lost += term - next + sum
		}
		sum = next
	}
	return top + math.Log(sum+lost)
}

// transfer returns log of the sum of exp(g) over all states of a model with open edges, by the transfer matrix from row to row.
// Two neighbours with values v and w at them have the weight pair(v, w), and a site with value v has the weight site(v).
func transfer(s toys.Sites, q int, pair func(v, w int) float64, site func(v int) float64) float64 {
	n := 1
	for range s.Cols {
		n *= q
	}
	value := func(row, col int) int {
		for range col {
			row /= q
		}
		return row % q
	}
	within := make([]float64, n) // the weight of a row: its sites, and the pairs in it
	for row := range within {
		within[row] = 1
		for col := range s.Cols {
			within[row] *= site(value(row, col))
			if col > 0 {
				within[row] *= pair(value(row, col-1), value(row, col))
			}
		}
	}
	z := append([]float64(nil), within...)
	for range s.Rows - 1 {
		next := make([]float64, n)
		for below := range next {
			for above, v := range z {
				for col := range s.Cols {
					v *= pair(value(above, col), value(below, col))
				}
				next[below] += v * within[below]
			}
		}
		z = next
	}
	total := 0.0
	for _, v := range z {
		total += v
	}
	return math.Log(total)
}

// near reports whether two logarithms agree to 1e-12, of their size where that is above one.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(1, math.Abs(b)) }

// parsed returns a toy that must parse.
func parsed(t testing.TB, selector string) *toys.Toy {
	t.Helper()
	toy := longtest.Sure(toys.Parse(selector))
	return toy
}
