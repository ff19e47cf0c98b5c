package hypotheses

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/exact"
	"breadboard/experiments/planted"
	"breadboard/grid"
)

// Problem is what the chains of one direction are compared with.
type Problem struct {
	Annealing *chains.Annealing
	Space     grid.Graph
	Direction chains.Direction
	Columns   Columns
	// LogZ1 is the log of the sum of f_1 over the states, in nats.
	LogZ1 float64
	// Included says that what was sent is to hold log Z_1 as well, and that it has been taken from all log weights before they
	// are compared.
	Included bool
	// Rounding returns how far a written log weight may be from what was computed; nil is not at all (see
	// samples.Precision).
	Rounding func(v float64) float64
	Workers  int
}

// Set has the laws of the cells of a chain under every hypothesis. It does not change once it is made, and several goroutines
// may use it.
type Set struct {
	// Names are the hypotheses that have a meaning for the problem, the specification first.
	Names []string
	// Columns are those that the cells are made of: the start of the chains is left out where it would take too long, and the
	// log weight where it would have to be put into bins and has too few digits for that.
	Columns Columns
	// Listed reports whether the log weights are compared value by value, and not in bins.
	Listed bool
	// Missing says which hypotheses are not considered, and why, one sentence each.
	Missing []string

	reduction reduction
	laws      []law // by hypothesis
	// specified is the law of the specification, cell by cell, and base is the mean of the Dirichlet law of Unknown.
	specified, base []float64
	// bound is a bound on the probability of every cell under the specification where log weights that may be rounded are put
	// into bins, which rounded says. Elsewhere it is not needed.
	bound   law
	rounded bool
	// merged is the law of cells under the hypothesis at blurred, without a difference between a log weight and one beside it;
	// blurred is 0 where there is none.
	merged  law
	blurred int
	// resolution is the rounding of a probability; a smaller one counts as this much where it speaks against a hypothesis.
	resolution float64
}

const (
	// Tolerance is how far a log weight may be from that of its path, relative to the Size of the annealing.
	Tolerance = 1e-9
	// single is the rounding of single precision relative to a number, and singleSteps how many times that the results of a
	// stage may be off.
	single      = 0x1p-24
	singleSteps = 8
	// binResolution is the rounding of the probability of a bin.
	binResolution = 1e-13
)

// New returns the laws of all hypotheses. It fails where the task itself has no exact laws, where they would take more than
// some seconds or some hundred megabytes even without the start of the chains, and within a second after the context ends.
func New(ctx context.Context, p Problem) (*Set, error) {
	a, err := exact.WithReversal(ctx, p.Annealing)
	if err != nil {
		return nil, err
	}
	b := &builder{p: p, a: a, all: list(), columns: p.Columns}
	if err := b.fits(ctx); err != nil {
		return nil, err
	}
	s, err := b.list(ctx)
	if errors.Is(err, errManyAtoms) && p.Columns.LogW {
		s, err = b.bin(ctx)
	} else if errors.Is(err, errManyAtoms) {
		b.columns = p.Columns.withoutStart(p.Direction)
		s, err = b.list(ctx)
	}
	return s, err
}

// Size returns the size of the numbers of an annealing: one more than the largest absolute value of log f of any stage, in nats,
// zeros of f left aside. Tolerance and SingleError are relative to it.
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

// SingleError returns how far a log weight that was computed in single precision may be off, in nats, where the annealing has
// the given Size and T distributions.
func SingleError(size float64, T int) float64 { return singleSteps * single * size * float64(T) }

// Cells returns the number of cells.
func (s *Set) Cells() int { return s.reduction.cells() }

// Chance returns a bound on the probability that a chain has these columns under the specification: that of its cell, and that of
// its ends where log weights are put into bins. States of columns that are not known are not looked at.
func (s *Set) Chance(first, last int32, logw float64) float64 {
	if s.Listed {
		return s.specified[s.reduction.cell(first, last, logw, nil)]
	}
	b := s.reduction.(*binned)
	return floats.Sum(s.specified[b.columns.key(int(first), int(last), b.n)*b.bins():][:b.bins()])
}
