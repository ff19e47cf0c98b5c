package averages

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/number"
	"breadboard/grid/longtest"
)

// obviousIndependentKS finds what IndependentKS does from P(KS > d) between any two neighbours of
// the values that KS may have, by a recursion over the levels for each, without leaving anything
// out.
func obviousIndependentKS(f *Function, n int) KS {
	d := f.obviousDraws(n)
	values := d.values()
	var mean, square number.Sum
	for i, low := range values[:len(values)-1] {
		high := values[i+1]
		beyond := d.beyond((low + high) / 2)
		mean.Add(beyond * (high - low))
		square.Add(beyond * (high - low) * (high + low))
		if beyond < unit/16*square.Value() { // it falls, and multiplies less than one from here on
			break
		}
	}
	return KS{mean.Value(), square.Value()}
}

// obviousDraws are independent draws from the levels of a function.
type obviousDraws struct {
	n     int
	below []float64   // F at each level
	above []float64   // 1 - F at each level, with its own digits
	share [][]float64 // share[j][c] is the probability of c at level j, where the numbers are Poisson variables
	rest  [][]float64 // rest[j][c] is the probability that the numbers at all levels above j together are c
	whole float64     // the probability that all numbers together are n
}

// obviousDraws prepares n draws.
func (f *Function) obviousDraws(n int) *obviousDraws {
	d := &obviousDraws{n: n, below: f.below(), above: f.above(), whole: poisson(float64(n), n)[n]}
	d.share, d.rest = make([][]float64, len(f.Masses)), make([][]float64, len(f.Masses))
	for j, m := range f.Masses {
		d.share[j], d.rest[j] = poisson(float64(n)*m, n), poisson(float64(n)*d.above[j], n)
	}
	return d
}

// values returns zero and the values that KS may have, ascending.
func (d *obviousDraws) values() []float64 {
	values := []float64{0}
	for j, share := range d.below[:len(d.below)-1] {
		for s := range d.n + 1 {
			values = append(values, offShare(s, d.n, share, d.above[j]))
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// beyond returns the probability that KS is above a distance, which is none of its values.
func (d *obviousDraws) beyond(distance float64) float64 {
	first, at := 0, []float64{1} // the probability of each sum up to a level, from first on, if no level has left its band
	var total number.Sum
	for j, share := range d.below[:len(d.below)-1] {
		low, high := d.band(min(share, d.above[j]), distance)
		if share > d.above[j] {
			low, high = d.n-high, d.n-low
		}
		for i, q := range at {
			total.Add(q * d.leaving(j, first+i, low, high))
		}
		low = max(low, first)
		if low > high {
			break
		}
		first, at = low, d.staying(j, first, at, low, high)
	}
	return total.Value() / d.whole
}

// band returns the least and the largest number of draws whose share is within a distance of the
// given one. If there is none, the least is above the largest.
func (d *obviousDraws) band(share, distance float64) (low, high int) {
	n := float64(d.n)
	return int(max(0, math.Ceil(n*(share-distance)))), int(min(n, math.Floor(n*(share+distance))))
}

// staying takes the sums up to the level before j, from first on, to those up to level j from low
// to high.
func (d *obviousDraws) staying(j, first int, at []float64, low, high int) []float64 {
	next := make([]float64, high-low+1)
	for i, q := range at {
		begin := max(low, first+i)
		if begin > high {
			break
		}
		chance, to := d.share[j][begin-first-i:], next[begin-low:]
		for k := range to {
			to[k] += float64(q * chance[k])
		}
	}
	return next
}

// leaving returns the probability that the sum up to level j is not from low to high, and the last
// one is n, where the sum up to the level before is s. The terms rise and then fall as the sum
// moves away, so that small ones that fall are followed by smaller ones.
func (d *obviousDraws) leaving(j, s, low, high int) float64 {
	total := 0.0
	away := func(to, step int) { // from the band, up or down
		for last := 0.0; s <= to && to <= d.n; to += step {
			v := d.share[j][to-s] * d.rest[j][d.n-to]
			total += v
			if v < last && v < 0x1p-70*total {
				return
			}
			last = v
		}
	}
	away(max(s, high+1), 1)
	away(min(low-1, d.n), -1)
	return total
}

// TestIndependentKSIsTheObvious: the recursion from both ends gives the moments of the obvious one,
// for levels of any masses: equal ones, whose bands get wider at once, one beside which the others
// are rounding, and single ones.
func TestIndependentKSIsTheObvious(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		levels, n := rapid.IntRange(1, 9).Draw(t, "levels"), rapid.IntRange(1, 60).Draw(t, "n")
		if rapid.IntRange(0, 19).Draw(t, "many") == 0 {
			levels, n = min(levels, 4), 5*n // so that the ends of the distributions of a level are left out
		}
		span := rapid.SampledFrom([]float64{0, 1, 37, 700}).Draw(t, "span")
		f, total := &Function{}, 0.0
		for l := range levels {
			m := math.Exp(-rapid.Float64Range(0, span).Draw(t, "mass"))
			f.Levels.Values, f.Masses, total = append(f.Levels.Values, float64(l)), append(f.Masses, m), total+m
		}
		for l := range f.Masses {
			f.Masses[l] /= total
		}
		got, want := longtest.Must(f.IndependentKS(t.Context(), n, nil))(t), obviousIndependentKS(f, n)
		for _, v := range [][2]float64{{got.Mean, want.Mean}, {got.Square, want.Square}} {
			if !(math.Abs(v[0]-v[1]) <= 1e-13*v[1]) {
				t.Fatalf("%d draws of %v: %v, want %v", n, f.Masses, got, want)
			}
		}
	})
}
