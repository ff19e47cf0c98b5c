package hypotheses

import (
	"cmp"
	"context"
	"math"
	"slices"

	"breadboard/chains/number"
	"breadboard/experiments/subject"
	"breadboard/experiments/verdicts"
)

// Naming returns, by hypothesis, the number of chains after which it is likelier than any other by
// target nats: the largest of Needs over all others that the columns can tell from it, and 1 if
// there are none.
//
// There are two thousand pairs and a hundred thousand cells, of which a third or less have nearly
// all of the probability of a distribution. So the pairs are first screened by bounds: one
// logarithm for each distribution and cell, which all pairs share, gives the sums of all ratios
// over the likely cells; the other cells have little probability and bounded logarithms. Pairs that
// this does not separate from the largest, such as nearly equal distributions, are summed over all
// cells. Needs is computed only for pairs that may still be the largest, so that the numbers are
// those of Needs. Progress is as in Problem.
func (s *Set) Naming(ctx context.Context, target float64, workers int,
	progress func(steps int)) ([]float64, error) {
	k := s.newScreening()
	n := len(s.laws)
	if n == 1 {
		return []float64{1}, nil
	}
	pairs := make([][]int, n)
	for h := range pairs {
		for other := range n {
			if other != h {
				pairs[h] = append(pairs[h], other)
			}
		}
	}
	likely, err := s.screen(ctx, k, pairs, workers, progress)
	if err != nil {
		return nil, err
	}
	worst := make([]float64, n)  // the largest Needs so far, by hypothesis
	most := make([][]float64, n) // bounds on Needs, by hypothesis and other
	many := make([][]int, n)     // the others that are still open, if they are many
	err = subject.Parallel(ctx, n, workers, func(ctx context.Context, h int) error {
		worst[h] = 1
		about := s.boundNeeds(k.largest, 0, likely[h], target)
		most[h] = s.boundNeeds(k.largest, k.left[h], likely[h], target)
		if first := slices.MaxFunc(
			pairs[h],
			func(i, j int) int { return cmp.Compare(about[i], about[j]) },
		); !s.Same(h, first) {
			worst[h] = s.Needs(h, first, target)
			pairs[h] = slices.DeleteFunc(pairs[h], func(other int) bool { return other == first })
		}
		if h > 0 && !s.Same(h, 0) { // this one is known already
			worst[h] = max(worst[h], s.Needs(h, 0, target))
			pairs[h] = slices.DeleteFunc(pairs[h], func(other int) bool { return other == 0 })
		}
		pairs[h] = slices.DeleteFunc(pairs[h], func(other int) bool { return most[h][other] < worst[h] })
		if len(pairs[h]) > fewPairs {
			many[h] = pairs[h]
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	whole := &screening{largest: k.largest, least: make([]float64, n), left: make([]float64, n)}
	sums, err := s.screen(ctx, whole, many, workers, nil)
	if err != nil {
		return nil, err
	}
	err = subject.Parallel(ctx, n, workers, func(ctx context.Context, h int) error {
		if many[h] != nil {
			most[h] = s.boundNeeds(k.largest, 0, sums[h], target)
		}
		slices.SortStableFunc(pairs[h], func(i, j int) int { return cmp.Compare(most[h][j], most[h][i]) })
		for _, other := range pairs[h] {
			if most[h][other] < worst[h] || ctx.Err() != nil {
				break
			}
			if !s.Same(h, other) {
				worst[h] = max(worst[h], s.Needs(h, other, target))
			}
		}
		return nil
	})
	return worst, err
}

// boundNeeds returns, for each other hypothesis, an upper bound on Needs: from the sums of the
// ratios to it, in which cells of the probability left are missing.
func (s *Set) boundNeeds(largest, left float64, sums []powers, target float64) []float64 {
	out := make([]float64, len(sums))
	for other, p := range sums {
		out[other] = p.boundRatio(left, largest).Draws(target)
		if other == 0 && s.rounded {
			out[other] = math.Inf(1)
		}
	}
	return out
}

// screening says which cells of each distribution are likely.
type screening struct {
	largest float64   // a bound on the absolute value of the log of a ratio of two probabilities
	least   []float64 // by hypothesis, the probability from which on a cell is likely
	left    []float64 // by hypothesis, the probability of all other cells
}

// fewPairs is the number of pairs of a distribution for which Needs takes less time than the
// logarithms of all cells.
const fewPairs = 3

// leftSquare bounds what the cells that are left out may add to the mean of the square of a log
// ratio.
const leftSquare = 0.01

// newScreening returns the likely cells of each distribution: those above the largest power of two
// below which all cells together change the mean of a squared log ratio by leftSquare at most.
func (s *Set) newScreening() *screening {
	smallest := cmp.Or(s.resolution, 1)
	k := &screening{}
	for _, l := range s.laws {
		for _, p := range l.p {
			smallest = min(smallest, p)
		}
	}
	k.largest = 1 - number.Log(smallest) // one more, for what a probability may be above one
	for _, l := range s.laws {
		var mass [2048]float64
		for _, p := range l.p {
			mass[math.Float64bits(p)>>52] += p
		}
		exponent := 0
		left := 0.0
		for ; exponent < len(mass)-1 && left+mass[exponent] <= leftSquare/(k.largest*k.largest); exponent++ {
			left += mass[exponent]
		}
		k.least, k.left = append(k.least, math.Float64frombits(uint64(exponent)<<52)), append(k.left, left)
	}
	return k
}

// powers has the sums of p L, p L^2 and p L^3 over the likely cells that are possible under both
// distributions of a pair, where p is the probability under the first distribution, and L the log
// of that over the one under the second. Before them stands the sum of p over the other likely
// cells.
type powers [4]float64

// slack is more than the rounding of the sums, relative to what is added up.
const slack = 1e-10

// boundRatio returns a ratio whose Draws are at least those of the pair. The cells that are left
// out have a probability, and the absolute values of their logarithms are at most largest.
//
// They add at least left log(left) to the mean, by the inequality of the log sum, as their
// probability under the other distribution is at most one. The third moment about a centre falls as
// that rises, so that it is least about the largest mean; and it is divided by the least variance,
// which that over the likely cells alone is at any centre.
func (p powers) boundRatio(left, largest float64) verdicts.Ratio {
	rounding := slack * (1 + p[2])
	low, high := p[1]-rounding, p[1]+largest*left+rounding
	if left > 0 {
		low += left * number.Log(left)
	}
	if low <= 0 {
		return verdicts.Ratio{Impossible: p[0]}
	}
	square := largest * largest * left
	reach := largest + high
	r := verdicts.Ratio{Impossible: p[0], Mean: low, Variance: max(0, p[2]+square-low*low) + rounding}
	r.Third = min(0, p[3]-3*high*p[2]+3*high*high*p[1]-high*high*high-reach*reach*reach*left) -
		slack*(1+reach*p[2])
	if least := p[2] - p[1]*p[1]/(1-left) - rounding; least > 0 {
		r.Third *= r.Variance / least
	} else {
		r.Third = math.Inf(-1)
	}
	return r
}

// screenCells is the number of cells whose logarithms are held at once, and screenParts the number
// of jobs. Their sums are added in order, so that they do not depend on the number of workers.
const screenCells, screenParts = 1 << 11, 16

// screen returns the sums of pairs, by hypothesis and other hypothesis. Those of pairs that are not
// asked for are zero.
func (s *Set) screen(ctx context.Context, k *screening, pairs [][]int, workers int,
	progress func(steps int)) ([][]powers, error) {
	parts := make([][][]powers, screenParts)
	blocks := (s.cells() + screenCells - 1) / screenCells
	err := subject.Parallel(ctx, screenParts, workers, func(ctx context.Context, i int) error {
		b := newBlock(pairs)
		for block := blocks * i / screenParts; block < blocks*(i+1)/screenParts; block++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			b.load(s, k, block*screenCells)
			b.addCells(pairs)
		}
		parts[i] = b.sums
		if progress != nil {
			progress(1)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, part := range parts[1:] {
		for h, row := range part {
			for other, p := range row {
				for k, v := range p {
					parts[0][h][other][k] += v
				}
			}
		}
	}
	return parts[0], nil
}

// block has the distributions of some cells: of each distribution the cells that are likely there,
// with their probabilities and the logarithms of these, and for every cell that is likely under any
// distribution the logarithm, which is -Inf if it is impossible. Distributions of which no pair is
// asked for have none.
type block struct {
	all    []law             // what each distribution has of the cells
	wanted [screenCells]bool // whether a cell is likely under any distribution
	cells  [][]int32
	p, own [][]float64
	log    []*[screenCells]float64
	sums   [][]powers
}

// newBlock returns an empty block for some pairs.
func newBlock(pairs [][]int) *block {
	n := len(pairs)
	b := &block{
		all: make([]law, n), cells: make([][]int32, n), p: make([][]float64, n), own: make([][]float64, n),
		log: make([]*[screenCells]float64, n), sums: make([][]powers, n),
	}
	for h, others := range pairs {
		b.sums[h] = make([]powers, n)
		for _, law := range append(slices.Clone(others), h) {
			if len(others) > 0 && b.log[law] == nil {
				b.log[law] = new([screenCells]float64)
			}
		}
	}
	return b
}

// load takes the cells from one on.
func (b *block) load(s *Set, k *screening, first int) {
	clear(b.wanted[:])
	for h, l := range s.laws {
		if b.log[h] == nil {
			continue
		}
		b.cells[h], b.p[h], b.own[h] = b.cells[h][:0], b.p[h][:0], b.own[h][:0]
		b.all[h] = l.part(first, first+screenCells)
		for cell, p := range b.all[h].all() {
			if p >= k.least[h] {
				b.cells[h], b.p[h] = append(b.cells[h], cell), append(b.p[h], p)
				b.wanted[cell] = true
			}
		}
	}
	least := number.Log(s.resolution)
	for h, logs := range b.log {
		if logs == nil {
			continue
		}
		for i := range logs {
			logs[i] = least
		}
		for cell, p := range b.all[h].all() {
			if b.wanted[cell] {
				logs[cell] = number.Log(p)
			}
		}
		for _, at := range b.cells[h] {
			b.own[h] = append(b.own[h], logs[at])
		}
	}
}

// addCells adds the cells to the sums of pairs, two of them at once, so that the sums of one are
// added while those of the other wait.
func (b *block) addCells(pairs [][]int) {
	for h, others := range pairs {
		sums := b.sums[h]
		for i := 0; i < len(others); i += 2 {
			// the last one twice where their number is odd
			other := others[i]
			beside := others[min(i+1, len(others)-1)]
			sums[other], sums[beside] = b.addPair(h, b.log[other], b.log[beside], sums[other], sums[beside])
		}
	}
}

// addPair returns two sums of a distribution, those beside one and beside two, with the cells
// added.
func (b *block) addPair(h int, one, two *[screenCells]float64, first, second powers) (powers, powers) {
	cells := b.cells[h]
	// The compiler keeps numbers in registers, and arrays not.
	a0, a1, a2, a3 := first[0], first[1], first[2], first[3]
	b0, b1, b2, b3 := second[0], second[1], second[2], second[3]
	p := b.p[h][:len(cells)]
	own := b.own[h][:len(cells)]
	for i, cell := range cells {
		// an index that needs no check
		at := cell & (screenCells - 1)
		v := p[i]
		if l := own[i] - one[at]; l > math.MaxFloat64 {
			a0 += v
		} else {
			vl := v * l
			vl2 := vl * l
			a1 += vl
			a2 += vl2
			a3 += vl2 * l
		}
		if l := own[i] - two[at]; l > math.MaxFloat64 {
			b0 += v
		} else {
			vl := v * l
			vl2 := vl * l
			b1 += vl
			b2 += vl2
			b3 += vl2 * l
		}
	}
	return powers{a0, a1, a2, a3}, powers{b0, b1, b2, b3}
}
