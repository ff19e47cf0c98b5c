// Package hypotheses answers: which known mistake in annealed importance sampling is it? It has the
// exact distribution of the output of the right code and of each mistake, by propagating the
// program with the bug (see package planted). From chains it computes the likelihood ratio of each
// hypothesis to the specification, and from the distributions alone how many chains it takes to
// tell any two of them apart. The odds of both directions are those of one program with one bug, or
// none, or an unlisted bug, which has a distribution of its own.
//
// Chains are reduced to cells, each a value of the first state, the last state and the log weight,
// as far as these are given. If the log weights can take few values, each value is a cell, so that
// an impossible log weight shows at once. Otherwise a little noise is added to the log weight, from
// a distribution whose characteristic function ends at a finite frequency, and the sum is put into
// bins of a circle: so the probability of every bin is a finite sum, exact without any assumption
// on tails. If the written log weights are rounded, the specification is tested by a bound on the
// probability of every bin.
//
// It never estimates a distribution from simulation, and never names a hypothesis without those
// that the same columns cannot tell from it.
//
// # Add a known mistake
//
//  1. experiments/checks/planted: a function that changes an Annealer, like KernelLate, if the bug
//     is in how a chain is made.
//  2. list.go: one entry with its name, a sentence that describes it, and how its program is made
//     (nil for a task or direction in which it means nothing). Its distribution, odds, tables,
//     figures and README follow. A bug with one name in each direction is a pair in SameBug.
//  3. experiments/checks/conform/testdata/bugs.py: the same bug in Python, a name in BUGS and its
//     place in the sampler.
//  4. A line in the table bugs of experiments/checks/conform/python_test.go. go test
//     ./experiments/checks/conform -update rewrites the README of tasks.
//
// breadboard conform spec --powerful then says how many chains find and name it.
package hypotheses

import (
	"context"
	"errors"
	"iter"
	"math"
	"math/bits"
	"sync"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact"
	"breadboard/experiments/checks/planted"
	"breadboard/grid"
)

// Problem describes the chains of one direction and their annealing.
type Problem struct {
	Annealing *chains.Annealing
	Space     grid.Graph
	Direction chains.Direction
	Columns   Columns
	LogZ1     float64 // the log of the sum of f_1 over the states, in nats
	// Included says that the received log weights contain log Z_1, which has been subtracted.
	Included bool
	// Rounding returns a bound on the rounding of a written log weight; nil means none (see
	// draws.Precision).
	Rounding func(v float64) float64
	Workers  int
	// Progress is called with 1 for each hypothesis but the specification whose distribution has
	// been computed, or has no meaning; it may be nil.
	Progress func(steps int)
}

// LawSteps returns the number of steps of New, and Steps that of New and of Naming together.
func LawSteps() int { return len(list()) - 1 }
func Steps() int    { return LawSteps() + screenParts }

// Set has the distributions of the cells of a chain under every hypothesis. It does not change once
// it is made, and several goroutines may use it.
type Set struct {
	Names []string // the hypotheses that have a meaning for the problem, the specification first
	// Columns are the columns of the cells. They omit the start of the chains if it would take too
	// long, and the log weight if it has too few digits for bins.
	Columns Columns
	Listed  bool     // whether the log weights are compared value by value, and not in bins
	Missing []string // the hypotheses that are not considered, with reasons, one sentence each

	reduction reduction
	laws      []law // by hypothesis
	// specified is the distribution of the specification, cell by cell, and base is the mean of the
	// Dirichlet distribution of Unknown.
	specified, base []float64
	// by hypothesis: the distribution of the ratio between it and the specification, computed once;
	// nil in tests
	toFirst []func() ratio
	// bound is a bound on the probability of every cell under the specification where log weights
	// that may be rounded are put into bins, which rounded says. Elsewhere it is not needed.
	bound   law
	rounded bool
	// merged is the distribution of cells under the hypothesis at blurred, without a difference
	// between a log weight and one beside it; blurred is 0 if there is none.
	merged  law
	blurred int
	// resolution is the rounding of a probability; a smaller one counts as this much where it
	// speaks against a hypothesis.
	resolution float64
	logs       sync.Pool // slices for the logarithms of ratios
}

const (
	// how far a log weight may be from that of its path, relative to the Size of the annealing
	Tolerance = 1e-9
	// single is the rounding of single precision relative to a number, and singleSteps how many
	// times that the results of a stage may be off.
	single        = 0x1p-24
	singleSteps   = 8
	binResolution = 1e-13 // the rounding of the probability of a bin
)

// New returns the distributions of all hypotheses. It fails if the task itself has no exact
// distributions, if they would take more than some seconds or some hundred megabytes even without
// the start of the chains, and within a second after the context ends.
func New(ctx context.Context, p Problem) (*Set, error) {
	a, err := exact.WithReversal(ctx, p.Annealing)
	if err != nil {
		return nil, err
	}
	b := &builder{p: p, a: a, all: list(), columns: p.Columns}
	b.counted = make([]sync.Once, len(b.all))
	if err := b.checkMoves(ctx); err != nil {
		return nil, err
	}
	s, err := b.listValues(ctx)
	if errors.Is(err, errManyAtoms) && p.Columns.LogW {
		s, err = b.bin(ctx)
	} else if errors.Is(err, errManyAtoms) {
		b.columns = p.Columns.withoutStart(p.Direction)
		s, err = b.listValues(ctx)
	}
	return s, err
}

// Size returns the size of the numbers of an annealing: one more than the largest |log f| of any
// stage, in nats, without zeros of f. Tolerance and SingleError are relative to it.
func Size(a *chains.Annealing) float64 {
	most := 0.0
	for _, logf := range planted.LogFOfStages(a) {
		for _, v := range logf {
			if !math.IsInf(v, 0) {
				most = max(most, math.Abs(v))
			}
		}
	}
	return 1 + most
}

// SingleError returns a bound on the error of log weights in single precision, in nats, for an
// annealing of a Size with T distributions.
func SingleError(size float64, T int) float64 { return singleSteps * single * size * float64(T) }

// cells returns the number of cells.
func (s *Set) cells() int { return s.reduction.cells() }

// Chance returns a bound on the probability that a chain has these columns under the specification:
// that of its cell, or that of its ends if log weights are put into bins. Unknown columns are
// ignored.
func (s *Set) Chance(first, last int32, logw float64) float64 {
	if s.Listed {
		return s.specified[s.reduction.cell(first, last, logw, nil)]
	}
	b := s.reduction.(*binned)
	return floats.Sum(s.specified[b.columns.key(int(first), int(last), b.n)*b.bins():][:b.bins()])
}

// distribution has the probabilities of the cells that are possible, in the order of the cells.
type law struct {
	possible []uint64  // a bit for each cell
	before   []int32   // by 64 cells, the number of possible ones before them
	p        []float64 // of the possible cells
	total    float64   // the sum of the probabilities of all cells: one but for rounding
}

// newLaw returns the distribution with a probability for every cell. One that is not above its
// rounding is none.
func newLaw(p []float64, resolution float64) law {
	words := (len(p) + 63) / 64
	l := law{possible: make([]uint64, words), before: make([]int32, words), total: number.Total(p)}
	n := 0
	for cell, v := range p {
		if v > resolution {
			l.possible[cell/64] |= 1 << (cell % 64)
			n++
		}
	}
	l.p = make([]float64, 0, n)
	for word := range words {
		l.before[word] = int32(len(l.p))
		for _, v := range p[word*64 : min(word*64+64, len(p))] {
			if v > resolution {
				l.p = append(l.p, v)
			}
		}
	}
	return l
}

// all yields the possible cells with their probabilities.
func (l *law) all() iter.Seq2[int32, float64] {
	return func(yield func(int32, float64) bool) {
		at := 0
		for word, set := range l.possible {
			for ; set != 0; set &= set - 1 {
				if !yield(int32(word*64+bits.TrailingZeros64(set)), l.p[at]) {
					return
				}
				at++
			}
		}
	}
}

// cellProbability returns the probability of a cell, and zero for one that is not possible.
func (l *law) cellProbability(cell int32) float64 {
	word := cell / 64
	bit := uint64(1) << (cell % 64)
	if l.possible[word]&bit == 0 {
		return 0
	}
	return l.p[int(l.before[word])+bits.OnesCount64(l.possible[word]&(bit-1))]
}

// cellProbabilities returns the probabilities of cells.
func (l *law) cellProbabilities(cells []int32) []float64 {
	p := make([]float64, len(cells))
	for i, cell := range cells {
		p[i] = l.cellProbability(cell)
	}
	return p
}

// part returns what a distribution has of some cells, both ends multiples of 64 or the last cell.
// They count from zero on there.
func (l *law) part(from, until int) law {
	first, last := from/64, min((until+63)/64, len(l.possible))
	at := int(l.before[first])
	end := len(l.p)
	if last < len(l.possible) {
		end = int(l.before[last])
	}
	return law{possible: l.possible[first:last], p: l.p[at:end]}
}
