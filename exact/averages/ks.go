package averages

import (
	"context"
	"math"
	"slices"
	"sort"

	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// KS are the exact moments of the Kolmogorov-Smirnov distance of the empirical distribution of a
// function: the largest |Fhat - F| over its levels.
type KS struct {
	Mean   float64 // E[KS]
	Square float64 // E[KS^2]
}

// KolmogorovSquare is N E[KS^2] of many independent draws of a continuous quantity, the second
// moment of the Kolmogorov distribution. On a few levels it is less (see IndependentKS).
const KolmogorovSquare = math.Pi * math.Pi / 12

// levelCounts counts how many samples are at each of some levels. The numbers stand for the counts
// of all levels but the last: with b_j = c_0 + ... + c_j + j, number sum_j binomial(b_j, j + 1),
// the place of the set of the b_j among all sets of as many integers, of which those of few samples
// come first. A sample at the last level changes no b_j, hence not the number.
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

// countsOf returns in how many ways the given number of samples spread over classes,
// binomial(samples + classes - 1, classes - 1), as a float64, which may be infinite.
func countsOf(samples, classes int) float64 {
	ways := 1.0
	for i := 1; i < classes; i++ {
		ways = ways * float64(samples+i) / float64(i) // an integer after each division
	}
	return ways
}

// newLevelCounts lists the successors of each number of up to n - 1 samples.
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
	bars := number.Range(classes - 1)
	return bars
}

// nextBars moves to the set with the next number: the first element that can moves up by one, and
// those below it go back to the start.
func nextBars(bars []int) {
	for j := range bars {
		if j+1 == len(bars) || bars[j]+1 < bars[j+1] {
			bars[j]++
			return
		}
		bars[j] = j
	}
}

// pascal returns the binomial coefficients choose[n][k] of n up to rows - 1 and k up to most. Those
// used within the limits of a tally are small; others overflow. There are none for most = 0.
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

// KS returns the moments of the Kolmogorov-Smirnov distance of n samples of a chain whose first
// sample has the distribution start, from the joint distribution of the state and of the numbers of
// samples at each level. It fails if that distribution is too large, and if the context ends. With
// L levels it takes binomial(n + L - 1, L - 1) numbers for each state, and n times as many products
// with each entry of the transition matrix. Progress, which may be nil, is called with the
// completed fraction.
func (c *Chain) KS(ctx context.Context, f *Function, start []float64, n int,
	progress func(part float64)) (KS, error) {
	if _, err := c.KSWork(f, start, n); err != nil {
		return KS{}, err
	}
	r := c.reached(start)
	r.progress = progress
	levels, class := r.levels(f)
	p, err := r.tally(ctx, n, class, len(levels), newLevelCounts(n, len(levels)))
	if err != nil {
		return KS{}, err
	}
	return f.distances(levels, n, p), nil
}

// maxKSWork is the largest number of products that KS may take: some ten seconds.
const maxKSWork = 1e10

// KSWork returns how many products KS makes, about 1e9 a second. It fails if the distribution is
// too large. Time is O(entries + n).
func (c *Chain) KSWork(f *Function, start []float64, n int) (float64, error) {
	if err := c.checkStart(start, n); err != nil {
		return 0, err
	}
	r := c.reached(start)
	levels, _ := r.levels(f)
	const cure = "take fewer samples, or the bounds of the distance, which are known for any number"
	if cells := countsOf(n, len(levels)) * float64(len(r.states)); cells > maxTally {
		// before the number overflows
		return 0, errs.New(
			"the distribution of the counts of %d levels over %d samples takes %.3g probabilities for %d "+
				"states, and at most %.3g are kept; %s",
			len(levels),
			n,
			cells,
			len(r.states),
			float64(maxTally),
			cure,
		)
	}
	return r.checkSize(
		n,
		&levelCounts{classes: len(levels)},
		maxKSWork,
		"the distribution of the counts of levels",
		cure,
	)
}

// levels returns the places of the levels at which the states that are reached are, ascending, and
// for each state the place of its level among these. A state at which the function is +Inf has
// place len(f.Levels.Values).
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

// distances returns the moments of the distance, from the probability of each number of counts of n
// samples at the given levels.
func (f *Function) distances(levels []int, n int, p []float64) KS {
	var mean, square number.Sum
	f.eachCounts(levels, n, p, func(q, d float64, _ []int) {
		mean.Add(q * d)
		square.Add(q * d * d)
	})
	return KS{mean.Value(), square.Value()}
}

// eachCounts calls do with the probability of each number of counts, the distance that these counts
// have, and the counts at the levels, which hold until do returns.
func (f *Function) eachCounts(levels []int, n int, p []float64, do func(q, distance float64, counts []int)) {
	bars := firstBars(len(levels))
	below := f.below()
	above := f.above()
	counts := make([]int, len(levels))
	for _, q := range p {
		d := 0.0
		at := 0
		count := 0
		for j, share := range below {
			for at < len(levels) && levels[at] <= j {
				count = n
				if at < len(bars) {
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

// offShare returns |s/n - F|, given F and 1 - F. The lesser of these two keeps its digits if the
// other is nearly one.
func offShare(s, n int, below, above float64) float64 {
	if below > above {
		s = n - s
		below = above
	}
	return math.Abs(float64(s)/float64(n) - below)
}

// below returns F at each level: the probability of being at it or below. That of the last is one.
func (f *Function) below() []float64 {
	out := running(f.Masses)
	out[len(out)-1] = 1
	return out
}

// above returns 1 - F at each level: the probability of being above it, with its own digits. That
// of the last is zero.
func (f *Function) above() []float64 {
	out := make([]float64, len(f.Masses))
	var total number.Sum
	for l := len(out) - 1; l > 0; l-- {
		total.Add(f.Masses[l])
		out[l-1] = total.Value()
	}
	return out
}
