package hypotheses

import (
	"cmp"
	"context"
	"math"
	"slices"

	"breadboard/chains/number"
	"breadboard/experiments"
	"breadboard/experiments/checks/eprocess"
)

// Naming returns, by hypothesis, the number of chains after which it is likelier than any other by target nats: the largest of Needs over
// all others but those that the columns cannot tell from it, and 1 where there are none.
//
// There are two thousand pairs, and half a million cells. So the pairs are screened first: from one logarithm for each law and cell, which
// all pairs share, come the sums of all ratios, with nearly all of their digits. Needs is asked only for those pairs that may have the
// largest number, so that the numbers are those of Needs. Progress is called as that of Problem is.
func (s *Set) Naming(ctx context.Context, target float64, workers int, progress func(steps int)) ([]float64, error) {
	sums, err := s.screen(ctx, workers, progress)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(s.laws))
	err = experiments.Parallel(ctx, len(out), workers, func(ctx context.Context, h int) error {
		out[h] = s.namingOf(ctx, h, sums[h], target)
		return nil
	})
	return out, err
}

const (
	// screened is the part of the largest number of chains so far below which a pair cannot have a larger one.
	screened = 0.99
	// faint is the divergence, in nats, below which the sums of a pair have too few digits, and steady the variance of its ratio in squares
	// of the mean. Above both, what is screened is right to better than a hundredth.
	faint, steady = 1e-9, 1e-9
)

// namingOf returns the number of chains that name a hypothesis, from the sums of its ratios to all. It stops where the context ends.
func (s *Set) namingOf(ctx context.Context, h int, sums []powers, target float64) float64 {
	about := make([]float64, len(sums))
	for other, p := range sums {
		r := p.ratio(s.laws[h].total, s.laws[other].total)
		about[other] = eprocess.Ratio{Mean: r.mean, Variance: r.variance, Third: r.third, Impossible: r.impossible}.Draws(target)
		if r.mean < faint || r.variance < steady*r.mean*r.mean || other == 0 && s.rounded {
			about[other] = math.Inf(1)
		}
	}
	worst := 1.0
	order := experiments.Order(len(sums), func(i, j int) int { return cmp.Compare(about[j], about[i]) })
	for _, other := range order {
		if about[other] < screened*worst || ctx.Err() != nil {
			break
		}
		if other != h && !s.Same(h, other) {
			worst = max(worst, s.Needs(h, other, target))
		}
	}
	return worst
}

// powers has the sums of p L, p L^2 and p L^3 over the cells that are possible under both laws of a pair, where p is the probability under
// the first law, and L the log of that over the one under the second. Before them stands the sum of p over the other cells.
type powers [4]float64

// ratio returns the law of the ratio of two laws with these totals, nearly.
func (p powers) ratio(truth, other float64) ratio {
	centre := p[1]
	r := ratio{impossible: p[0], mean: centre}
	if p[0] == 0 {
		r.mean += other - truth
	}
	r.variance = p[2] - (2-truth)*centre*centre
	r.third = p[3] - 3*centre*p[2] + (3-truth)*centre*centre*centre
	return r
}

// screenCells is the number of cells whose logarithms are held at once, and screenParts the number of jobs. Their sums are added in order, so
// that they do not depend on the number of workers.
const screenCells, screenParts = 1 << 11, 16

// screen returns the sums of all pairs, by hypothesis and other hypothesis.
func (s *Set) screen(ctx context.Context, workers int, progress func(steps int)) ([][]powers, error) {
	parts := make([][][]powers, screenParts)
	blocks := (s.cells() + screenCells - 1) / screenCells
	err := experiments.Parallel(ctx, screenParts, workers, func(ctx context.Context, i int) error {
		b := s.newBlock()
		for block := blocks * i / screenParts; block < blocks*(i+1)/screenParts; block++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			b.load(s, int32(block*screenCells))
			b.add()
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

// block has the laws of some cells: of each law the cells that are possible there, with their probabilities and the logarithms of these, and for
// every cell the logarithm, which is -Inf where it is impossible.
type block struct {
	cells  [][]int32
	p, own [][]float64
	log    []*[screenCells]float64
	sums   [][]powers
}

func (s *Set) newBlock() *block {
	n := len(s.laws)
	b := &block{make([][]int32, n), make([][]float64, n), make([][]float64, n), make([]*[screenCells]float64, n), make([][]powers, n)}
	for h := range n {
		b.log[h], b.sums[h] = new([screenCells]float64), make([]powers, n)
	}
	return b
}

// load takes the cells from one on.
func (b *block) load(s *Set, first int32) {
	least := number.Log(s.resolution)
	for h, l := range s.laws {
		from, _ := slices.BinarySearch(l.cells, first)
		until, _ := slices.BinarySearch(l.cells, first+screenCells)
		b.cells[h], b.p[h], b.own[h] = b.cells[h][:0], l.p[from:until], b.own[h][:0]
		for i := range b.log[h] {
			b.log[h][i] = least
		}
		for i, cell := range l.cells[from:until] {
			log := number.Log(b.p[h][i])
			b.cells[h], b.own[h] = append(b.cells[h], cell-first), append(b.own[h], log)
			b.log[h][cell-first] = log
		}
	}
}

// add adds the cells to the sums of all pairs, two of them at once, so that the sums of one are added while those of the other wait.
func (b *block) add() {
	for h, sums := range b.sums {
		for other := 0; other < len(sums); other += 2 {
			beside := min(other+1, len(sums)-1) // the last one twice where their number is odd
			sums[other], sums[beside] = b.two(h, b.log[other], b.log[beside], sums[other], sums[beside])
		}
	}
}

// two adds the cells of a law to its sums beside two others.
func (b *block) two(h int, one, two *[screenCells]float64, first, second powers) (powers, powers) {
	cells := b.cells[h]
	// The compiler keeps numbers in registers, and arrays not.
	a0, a1, a2, a3 := first[0], first[1], first[2], first[3]
	b0, b1, b2, b3 := second[0], second[1], second[2], second[3]
	p, own := b.p[h][:len(cells)], b.own[h][:len(cells)]
	for i, cell := range cells {
		at, v := cell&(screenCells-1), p[i] // an index that needs no check
		if l := own[i] - one[at]; l > math.MaxFloat64 {
			a0 += v
		} else {
			first := v * l
			second := first * l
			a1 += first
			a2 += second
			a3 += second * l
		}
		if l := own[i] - two[at]; l > math.MaxFloat64 {
			b0 += v
		} else {
			first := v * l
			second := first * l
			b1 += first
			b2 += second
			b3 += second * l
		}
	}
	return powers{a0, a1, a2, a3}, powers{b0, b1, b2, b3}
}
