package averages

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"breadboard/chains/number"
)

// KS are the exact moments of the Kolmogorov-Smirnov distance of the empirical distribution of a function: the largest |Fhat - F| over its levels.
type KS struct {
	Mean   float64 // E[KS]
	Square float64 // E[KS^2]
}

// KolmogorovSquare is N E[KS^2] of many independent draws of a continuous quantity, the second moment of the Kolmogorov law. On a few levels
// it is less (see IndependentKS).
const KolmogorovSquare = math.Pi * math.Pi / 12

// levelCounts counts how many samples are at each of some levels. The numbers stand for the counts of all levels but the last: with
// b_j = c_0 + ... + c_j + j, number sum_j binomial(b_j, j + 1), the place of the set of the b_j among all sets of as many integers, of which
// those of few samples come first. A sample at the last level changes no b_j, hence not the number.
type levelCounts struct {
	classes int
	place   []int32 // the numbers that follow each number: classes of them
}

func (l *levelCounts) size(samples int) int { return int(countsOf(samples, l.classes)) }

func (l *levelCounts) next(to []int, i int) {
	for c, n := range l.place[i*l.classes : (i+1)*l.classes] {
		to[c] = int(n)
	}
}

// countsOf returns in how many ways so many samples spread over classes, binomial(samples + classes - 1, classes - 1), as a float64, which
// may be infinite.
func countsOf(samples, classes int) float64 {
	ways := 1.0
	for i := 1; i < classes; i++ {
		ways = ways * float64(samples+i) / float64(i) // an integer after each division
	}
	return ways
}

// newLevelCounts lists what follows each number of up to n - 1 samples.
func newLevelCounts(n, classes int) *levelCounts {
	l := &levelCounts{classes: classes}
	l.place = make([]int32, l.size(n-1)*classes)
	bars := firstBars(classes)
	choose := pascal(n+classes-1, len(bars))
	for i := range l.size(n - 1) {
		number := 0 // with the bars from some class on moved by one
		for j := range bars {
			number += choose[bars[j]][j+1]
		}
		l.place[(i+1)*classes-1] = int32(number)
		for c := classes - 2; c >= 0; c-- {
			number += choose[bars[c]+1][c+1] - choose[bars[c]][c+1]
			l.place[i*classes+c] = int32(number)
		}
		nextBars(bars)
	}
	return l
}

// firstBars returns the b_j of no samples.
func firstBars(classes int) []int {
	bars := make([]int, classes-1)
	for j := range bars {
		bars[j] = j
	}
	return bars
}

// nextBars moves to the set with the next number: the first element that has room moves up by one, and those below it go back.
func nextBars(bars []int) {
	for j := range bars {
		if j+1 == len(bars) || bars[j]+1 < bars[j+1] {
			bars[j]++
			return
		}
		bars[j] = j
	}
}

// pascal returns the binomial coefficients choose[n][k] of n up to rows - 1 and k up to most. They are small for all that are asked for
// within the limits of a tally, and others overflow. There are none for most = 0.
func pascal(rows, most int) [][]int {
	if most == 0 {
		return nil
	}
	choose := make([][]int, rows)
	for n := range choose {
		choose[n] = make([]int, most+1)
		choose[n][0] = 1
		for k := 1; k <= min(n, most); k++ {
			choose[n][k] = choose[n-1][k-1] + choose[n-1][k]
		}
	}
	return choose
}

// KS returns the moments of the Kolmogorov-Smirnov distance of n samples of a chain whose first one has the given law, from the joint law of
// the state and of how many samples are at each level. It fails where that law is too large, and where the context ends. With L levels
// it takes binomial(n + L - 1, L - 1) numbers for each state, and n times as many products with each entry of the transition matrix.
func (c *Chain) KS(ctx context.Context, f *Function, start []float64, n int) (KS, error) {
	if _, err := c.KSWork(f, start, n); err != nil {
		return KS{}, err
	}
	r := c.reached(start)
	levels, class := r.levels(f)
	p, err := r.tally(ctx, n, class, len(levels), newLevelCounts(n, len(levels)))
	if err != nil {
		return KS{}, err
	}
	return f.distances(levels, n, p), nil
}

// maxKSWork is the largest number of products that KS may take: some ten seconds.
const maxKSWork = 1e10

// KSWork returns how many products KS makes, of which a processor makes about 1e9 in a second. It fails where KS would fail before it
// computes anything: where the law is too large. Time is O(entries + n).
func (c *Chain) KSWork(f *Function, start []float64, n int) (float64, error) {
	if err := c.checkLaw(start, n); err != nil {
		return 0, err
	}
	r := c.reached(start)
	levels, _ := r.levels(f)
	const cure = "take fewer samples, or the bounds of the distance, which are known for any number"
	if cells := countsOf(n, len(levels)) * float64(len(r.states)); cells > maxTally { // before the number overflows
		return 0, fmt.Errorf("the law of the counts of %d levels over %d samples takes %.3g probabilities for %d states, and at most %.3g are kept; %s",
			len(levels), n, cells, len(r.states), float64(maxTally), cure)
	}
	return r.check(n, &levelCounts{classes: len(levels)}, maxKSWork, "the law of the counts of levels", cure)
}

// levels returns the places of the levels at which the states that are reached are, ascending, and for each state the place of its level
// among these. A state at which the function is +Inf has place len(f.Levels.Values).
func (r *reach) levels(f *Function) (levels []int, class []int32) {
	for _, x := range r.states {
		levels = append(levels, f.Level[x])
	}
	sort.Ints(levels)
	levels = slices.Compact(levels)
	for _, x := range r.states {
		i, _ := slices.BinarySearch(levels, f.Level[x])
		class = append(class, int32(i))
	}
	return levels, class
}

// distances returns the moments of the distance, from the probability of each number of counts of n samples at the given levels.
func (f *Function) distances(levels []int, n int, p []float64) KS {
	var mean, square number.Sum
	f.eachCounts(levels, n, p, func(q, d float64, _ []int) {
		mean.Add(q * d)
		square.Add(q * d * d)
	})
	return KS{mean.Value(), square.Value()}
}

// eachCounts calls do with the probability of each number of counts, the distance that these counts have, and the counts at the levels, which
// hold until do returns.
func (f *Function) eachCounts(levels []int, n int, p []float64, do func(q, distance float64, counts []int)) {
	bars, below, above, counts := firstBars(len(levels)), f.below(), f.above(), make([]int, len(levels))
	for _, q := range p {
		d, at, count := 0.0, 0, 0
		for j, share := range below {
			for at < len(levels) && levels[at] <= j {
				if count = n; at < len(bars) {
					count = bars[at] - at
				}
				at++
			}
			d = max(d, offShare(count, n, share, above[j]))
		}
		before := 0
		for i := range counts {
			upTo := n
			if i < len(bars) {
				upTo = bars[i] - i
			}
			counts[i], before = upTo-before, upTo
		}
		do(q, d, counts)
		nextBars(bars)
	}
}

// offShare returns |s/n - F|, given F and 1 - F. The lesser of these two has its own digits where the other is nearly one.
func offShare(s, n int, below, above float64) float64 {
	if below > above {
		s, below = n-s, above
	}
	return math.Abs(float64(s)/float64(n) - below)
}

// below returns F at each level: the probability of being at it or below. That of the last is one.
func (f *Function) below() []float64 {
	out := running(f.Masses)
	out[len(out)-1] = 1
	return out
}

// above returns 1 - F at each level: the probability of being above it, with its own digits. That of the last is zero.
func (f *Function) above() []float64 {
	out := make([]float64, len(f.Masses))
	var total number.Sum
	for l := len(out) - 1; l > 0; l-- {
		total.Add(f.Masses[l])
		out[l-1] = total.Value()
	}
	return out
}

// maxIndependentWork is the largest number of products that IndependentKS may take.
const maxIndependentWork = 3e10

// IndependentKS returns the moments of the Kolmogorov-Smirnov distance of n independent draws from the target. R of that distance is
// N E[KS^2]. It fails where that takes too long, and where the context ends.
//
// KS is at most d where the number S_j of draws at level j or below lies within n d of n F_j, for all levels. The law of the S_j is that of
// sums of independent Poisson variables with means n P(level j), given that the last sum is n. So a recursion over the levels gives P(KS > d),
// as what leaves the bands, in O(levels (n d)^2). It is repeated between any two neighbours of the values that KS may have, until what may
// follow is less than rounding. All terms are positive. With L levels that takes about 500 L^2 n^(3/2) products.
//
// Source: Turner and Neal 2017, section 4.6 (R).
func (f *Function) IndependentKS(ctx context.Context, n int) (KS, error) {
	if n < 1 {
		return KS{}, fmt.Errorf("the distance of %d draws; give a number from 1 on", n)
	}
	levels := float64(len(f.Levels.Values) - 1)
	if work := 500 * levels * levels * math.Pow(float64(n), 1.5); work > maxIndependentWork {
		return KS{}, fmt.Errorf("the distance of %d independent draws at %d levels takes %.3g products, and at most %.3g are made; take fewer draws, or a function of fewer levels",
			n, len(f.Levels.Values), work, float64(maxIndependentWork))
	}
	d := f.draws(n)
	values := d.values()
	var mean, square number.Sum
	for i, low := range values[:len(values)-1] {
		if ctx.Err() != nil {
			return KS{}, ctx.Err()
		}
		high := values[i+1]
		beyond := d.beyond((low + high) / 2)
		mean.Add(beyond * (high - low))
		square.Add(beyond * (high - low) * (high + low))
		if beyond < unit/16*square.Value() { // it falls, and multiplies less than one from here on
			break
		}
	}
	return KS{mean.Value(), square.Value()}, nil
}

// draws are independent draws from the levels of a function.
type draws struct {
	n     int
	below []float64   // F at each level
	above []float64   // 1 - F at each level, with its own digits
	share [][]float64 // share[j][c] is the probability of c at level j, where the numbers are Poisson variables
	rest  [][]float64 // rest[j][c] is the probability that the numbers at all levels above j together are c
	whole float64     // the probability that all numbers together are n
}

// draws prepares n draws.
func (f *Function) draws(n int) *draws {
	d := &draws{n: n, below: f.below(), above: f.above(), whole: poisson(float64(n), n)[n]}
	d.share, d.rest = make([][]float64, len(f.Masses)), make([][]float64, len(f.Masses))
	for j, m := range f.Masses {
		d.share[j], d.rest[j] = poisson(float64(n)*m, n), poisson(float64(n)*d.above[j], n)
	}
	return d
}

// poisson returns the probabilities of 0 to n of a Poisson variable of a mean up to n. They are found from the most probable number on, by
// ratios of neighbours, and divided by their sum: so they keep their digits, which a formula with factorials loses.
func poisson(mean float64, n int) []float64 {
	p := make([]float64, n+1)
	mode := int(mean)
	p[mode] = 1
	var total number.Sum
	for c := mode; c > 0; c-- {
		p[c-1] = p[c] * float64(c) / mean
		total.Add(p[c-1])
	}
	for c, v := mode, 1.0; c < n || v > 0x1p-80; c++ { // beyond n too, because these count in the sum
		total.Add(v)
		if v *= mean / float64(c+1); c+1 <= n {
			p[c+1] = v
		}
	}
	for c := range p {
		p[c] /= total.Value()
	}
	return p
}

// values returns zero and the values that KS may have, ascending.
func (d *draws) values() []float64 {
	values := []float64{0}
	for j, share := range d.below[:len(d.below)-1] {
		for s := range d.n + 1 {
			values = append(values, offShare(s, d.n, share, d.above[j]))
		}
	}
	sort.Float64s(values)
	return slices.Compact(values)
}

// beyond returns the probability that KS is above a distance, which is none of its values.
func (d *draws) beyond(distance float64) float64 {
	first, at := 0, []float64{1} // the probability of each sum up to a level, from first on, where no level has left its band
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

// band returns the least and the largest number of draws whose share is within a distance of the given one. Where there is none, the least
// is above the largest.
func (d *draws) band(share, distance float64) (low, high int) {
	n := float64(d.n)
	return int(max(0, math.Ceil(n*(share-distance)))), int(min(n, math.Floor(n*(share+distance))))
}

// staying takes the sums up to the level before j, from first on, to those up to level j from low to high.
func (d *draws) staying(j, first int, at []float64, low, high int) []float64 {
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

// leaving returns the probability that the sum up to level j is not from low to high, and the last one is n, where the sum up to the level
// before is s. The terms rise and then fall as the sum moves away, so that small ones that fall are followed by smaller ones.
func (d *draws) leaving(j, s, low, high int) float64 {
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
