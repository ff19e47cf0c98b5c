package hypotheses

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/exact"
	"breadboard/exact/weights"
	"breadboard/experiments"
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
	// Included says that log w is to hold log Z_1 as well.
	Included bool
	// Rounding returns how far a written log weight may be from what was computed; nil is not at all (see
	// samples.Precision).
	Rounding func(v float64) float64
	Workers  int
}

// Set has the laws of the cells of a chain under every hypothesis.
type Set struct {
	// Names are the hypotheses that have a meaning for the problem, the specification first.
	Names []string
	// Columns are those that the cells are made of: the start of the chains is left out where it would take too long.
	Columns Columns
	// Listed reports whether the log weights are compared value by value, and not in bins.
	Listed bool
	// Missing says which hypotheses are not considered, and why, one sentence each.
	Missing []string

	reduction reduction
	p         [][]float64 // the probability of each cell, by hypothesis
	support   [][]int32   // the cells that are possible under each hypothesis
	total     []float64   // the sum of the probabilities of all cells: one but for rounding
	// merged are the probabilities of cells under the hypothesis at blurred, without a difference between a log weight and one
	// beside it; blurred is 0 where there is none.
	merged  []float64
	blurred int
	// resolution is the rounding of a probability; a smaller one counts as this much where it speaks against a hypothesis.
	resolution float64
}

const (
	// Tolerance is how far a log weight may be from that of its path, relative to the largest log f.
	Tolerance = 1e-9
	// single is the rounding of single precision relative to a number, and singleSteps how many times that the results of a
	// stage may be off.
	single      = 0x1p-24
	singleSteps = 8
	// binResolution is the rounding of the probability of a bin.
	binResolution = 1e-13
	// maxWork bounds the products that bins take, over all hypotheses: some seconds.
	maxWork = 3e9
)

// hypothetical is a hypothesis on the problem at hand.
type hypothetical struct {
	name string
	code *code
	m    *markov
}

// New returns the laws of all hypotheses. It fails where the task itself has no exact laws.
func New(ctx context.Context, p Problem) (*Set, error) {
	a, err := exact.WithReversal(ctx, p.Annealing)
	if err != nil {
		return nil, err
	}
	s := &Set{Columns: p.Columns}
	programs, err := s.programs(&setting{ctx, a, p.Space, p.Direction, p.LogZ1}, p)
	if err != nil {
		return nil, err
	}
	err = s.list(ctx, p, a, programs)
	if errors.Is(err, errManyAtoms) {
		err = s.bin(ctx, p, a, programs)
	}
	return s, err
}

// programs returns the hypotheses that have a meaning, tabulated.
func (s *Set) programs(on *setting, p Problem) ([]hypothetical, error) {
	var out []hypothetical
	for _, h := range list() {
		c, err := h.make(on)
		if err != nil {
			return nil, fmt.Errorf("hypothesis %q: %w", h.name, err)
		}
		if c == nil {
			continue
		}
		if p.Included {
			c.offset += p.LogZ1
		}
		m, err := tabulate(on.ctx, c)
		if on.ctx.Err() != nil {
			return nil, on.ctx.Err()
		}
		if err != nil && h.name == Specification {
			return nil, err
		}
		if err != nil {
			s.Missing = append(s.Missing, fmt.Sprintf("%s: %v", h.name, err))
			continue
		}
		out = append(out, hypothetical{h.name, c, m})
	}
	return out, nil
}

// SingleError returns how far a log weight that was computed in single precision may be off, in nats, where log f is at most
// of the given size and there are T distributions.
func SingleError(size float64, T int) float64 { return singleSteps * single * size * float64(T) }

// largest returns the largest absolute value of log f of any stage.
func largest(c *code) float64 {
	most := 0.0
	for _, logf := range c.LogF {
		for _, v := range logf {
			if !math.IsInf(v, 0) {
				most = max(most, math.Abs(v))
			}
		}
	}
	return most
}

// list fills the set value by value.
func (s *Set) list(ctx context.Context, p Problem, a *chains.Annealing, programs []hypothetical) error {
	size := 1 + largest(programs[0].code)
	all := make([][][]atom, len(programs))
	var err error
	if all[0], err = programs[0].code.atomsOf(ctx, programs[0].m, p.Columns, size); err != nil {
		return err // before the work is done for all the others
	}
	err = experiments.Parallel(ctx, len(programs)-1, p.Workers, func(ctx context.Context, i int) (err error) {
		all[i+1], err = programs[i+1].code.atomsOf(ctx, programs[i+1].m, p.Columns, size)
		return err
	})
	if err != nil {
		return err
	}
	slack := func(v float64) float64 {
		if p.Rounding == nil {
			return Tolerance * size
		}
		return max(Tolerance*size, p.Rounding(v))
	}
	window := SingleError(size, a.Distributions())
	if !p.Columns.LogW || p.Rounding != nil && p.Rounding(size) >= window {
		window = 0
	}
	r := newListed(p.Columns, a.States(), all, slack, window)
	s.reduction, s.Listed = r, true
	for i, of := range programs {
		if of.code.blurred && window > 0 {
			s.blurred, s.merged = len(s.p), r.probabilities(all[i], false)
		}
		s.add(of.name, r.probabilities(all[i], of.code.blurred && window > 0))
	}
	return nil
}

// bin fills the set with bins.
func (s *Set) bin(ctx context.Context, p Problem, a *chains.Annealing, programs []hypothetical) error {
	m, err := weights.CumulantsOf(ctx, a, p.Direction)
	if err != nil {
		return err
	}
	deviation := math.Sqrt(m.Variance)
	if !(deviation > 0) || math.IsInf(deviation, 0) {
		deviation = 1
	}
	mean := m.Mean
	if p.Included {
		mean += p.LogZ1
	}
	circle := newCircle(mean, deviation)
	programs = slices.DeleteFunc(programs, func(of hypothetical) bool {
		if of.code.value == nil {
			return false
		}
		s.Missing = append(s.Missing, of.name+": the log weight can take too many values for that")
		return true
	})
	if s.work(programs) > maxWork {
		if p.Direction == chains.Forward {
			s.Columns.First = false
		} else {
			s.Columns.Last = false
		}
	}
	if s.work(programs) > maxWork {
		return fmt.Errorf("the laws of the log weight under %d hypotheses would take more than %.0e products", len(programs), float64(maxWork))
	}
	r := &binned{circle, s.Columns, a.States()}
	s.reduction, s.resolution = r, binResolution
	laws := make([][]float64, len(programs))
	err = experiments.Parallel(ctx, len(programs), p.Workers, func(ctx context.Context, i int) (err error) {
		laws[i], err = circle.law(ctx, programs[i].code, programs[i].m, s.Columns)
		return err
	})
	if err != nil {
		return err
	}
	for i, of := range programs {
		s.add(of.name, laws[i])
	}
	return nil
}

// work returns the number of products that the bins of all programs take.
func (s *Set) work(programs []hypothetical) float64 {
	total := 0.0
	for _, of := range programs {
		origins := 1
		if of.code.needsStart(s.Columns) {
			origins = of.m.n
		}
		total += float64(of.m.entries()) * float64(origins) * circleFrequencies
	}
	return total
}

func (s *Set) add(name string, p []float64) {
	var support []int32
	for cell, v := range p {
		if v > s.resolution {
			support = append(support, int32(cell))
		}
	}
	s.Names = append(s.Names, name)
	s.p, s.support, s.total = append(s.p, p), append(s.support, support), append(s.total, floats.SumCompensated(p))
}

// Cells returns the number of cells.
func (s *Set) Cells() int { return s.reduction.cells() }
