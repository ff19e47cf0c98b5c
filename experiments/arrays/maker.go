package arrays

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/selector"
	"breadboard/exact"
	"breadboard/exact/stages"
	"breadboard/exact/weights"
	"breadboard/experiments"
	"breadboard/grid"
)

// maker computes what the arrays of a case are made of, each of it once.
type maker struct {
	ctx    context.Context
	c      experiments.Case
	stages []int
	o      Options
	// described is whether chains have labels and rewards, which arrays have no place for.
	described bool

	solved   *exact.Solution
	marginal []stages.Marginal
	weights  *weights.Laws
}

// newMaker returns the maker of the arrays of a case. It fails where Options.Validate does.
func newMaker(ctx context.Context, c experiments.Case, o Options) (*maker, error) {
	if err := o.Validate([]experiments.Case{c}); err != nil {
		return nil, err
	}
	chosen, err := o.Stages.Of(c.Distributions())
	return &maker{ctx: ctx, c: c, stages: chosen, o: o}, err
}

// solution returns what exact.Solve finds.
func (m *maker) solution() (s *exact.Solution, err error) {
	if m.solved == nil {
		m.solved, err = exact.Solve(m.ctx, m.c.Annealing(), exact.Options{Progress: m.o.Progress, Workers: experiments.WorkersEach(1, 0)})
	}
	return m.solved, err
}

// marginals returns the marginals at the chosen stages. Those of the last stage are the laws that the solution has, to the last bit: stages
// compute them by another route, whose roundings differ.
func (m *maker) marginals() ([]stages.Marginal, error) {
	if m.marginal != nil {
		return m.marginal, nil
	}
	list, err := stages.Marginals(m.ctx, m.c.Annealing(), m.stages)
	if err != nil {
		return nil, err
	}
	if last := len(list) - 1; last >= 0 && list[last].Stage == m.c.Distributions() {
		s, err := m.solution()
		if err != nil {
			return nil, err
		}
		list[last].P, list[last].Forward, list[last].Reverse = s.Target, s.Output, s.Target
	}
	m.marginal = list
	return list, nil
}

func (m *maker) laws() (l *weights.Laws, err error) {
	if m.weights == nil {
		m.weights, err = weights.LawsOf(m.ctx, m.c.Annealing(), weights.Options{Progress: m.o.Progress})
	}
	return m.weights, err
}

// states returns the axis of states, which has the shape of the grid.
func (m *maker) states() Axis {
	n := m.c.Toy.Space.States()
	axis := Axis{Sides: []int{n}, Columns: []Column{{Name: "state", Of: upFrom(0, n)}}}
	lattice := m.c.Toy.Lattice()
	if lattice != nil && !m.c.Toy.ByLabel() {
		axis.Sides = slices.Clone(lattice.Sides())
	}
	if m.c.Toy.InWords() {
		labels := make([]string, n)
		for x := range labels {
			labels[x] = m.c.Toy.Label(x)
		}
		axis.Columns = append(axis.Columns, Column{Name: "label", Text: labels})
		return axis
	}
	axis.Columns = append(axis.Columns, coordinates(lattice)...)
	return axis
}

// coordinates returns a column for each axis of a grid.
func coordinates(lattice *grid.Lattice) []Column {
	columns := make([]Column, lattice.Dims())
	for k := range columns {
		columns[k] = Column{Name: fmt.Sprintf("x%d", k), Of: make([]int, lattice.States())}
		for x := range columns[k].Of {
			columns[k].Of[x] = lattice.Coord(x, k)
		}
	}
	return columns
}

func (m *maker) chosen() Axis {
	return Axis{Sides: []int{len(m.stages)}, Columns: []Column{{Name: "stage", Of: m.stages}}}
}

// stageAxis returns the axis of all stages from the first to the last.
func stageAxis(first, last int) Axis {
	return Axis{Sides: []int{last - first + 1}, Columns: []Column{{Name: "stage", Of: upFrom(first, last-first+1)}}}
}

// upFrom returns n whole numbers from the first on.
func upFrom(first, n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = first + i
	}
	return list
}

func (m *maker) gap() ([]Array, error) {
	g, err := stages.GapByStage(m.ctx, m.c.Annealing(), m.o.Progress)
	if err != nil {
		return nil, err
	}
	of := func(name string, value func(stages.StageGap) float64) Array {
		a := Array{Name: name, Group: name, Axes: []Axis{stageAxis(2, m.c.Distributions())}}
		for _, s := range g.Stages {
			a.Floats = append(a.Floats, value(s))
		}
		return a
	}
	return []Array{
		of("gap_forward", func(s stages.StageGap) float64 { return s.Forward }),
		of("gap_reverse", func(s stages.StageGap) float64 { return s.Reverse }),
		of("gap_jeffreys", func(s stages.StageGap) float64 { return s.Jeffreys }),
	}, nil
}

// Stages are stages of an annealing, whatever its length.
type Stages []stage

// stage is a number of a stage from 1 on, or a share of the way from the first to the last, or all of them.
type stage struct {
	text  string
	index int     // where it is not zero
	share float64 // else
	all   bool
}

// StandardStages are the stages where a linear schedule is at the betas of Figure 4 of the paper, and the last.
const StandardStages = "0.1,0.25,0.5,last"

// ParseStages reads stages with commas between them: numbers from 1 to T, shares of the way from the first stage to the last, above 0 and
// below 1, as in 0.25, "last", or "all".
func ParseStages(text string) (Stages, error) {
	var list Stages
	for part := range strings.SplitSeq(text, ",") {
		s, err := parseStage(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	if len(list) > 1 && slices.ContainsFunc(list, func(s stage) bool { return s.all }) {
		return nil, errors.New("all is every stage; give it alone")
	}
	return list, nil
}

func parseStage(text string) (stage, error) {
	s := stage{text: text}
	switch text {
	case "":
		return s, errors.New("a stage is empty; give numbers from 1 to T, shares of the way such as 0.25, last, or all")
	case "all":
		s.all = true
		return s, nil
	case "last":
		s.share = 1
		return s, nil
	}
	v, err := selector.ParseNumber(text)
	if err != nil {
		return s, fmt.Errorf("%w; stages are numbers from 1 to T, shares of the way such as 0.25, last, or all", err)
	}
	switch {
	case v > 0 && v < 1:
		s.share = v
	case v == math.Trunc(v) && v >= 1 && v <= math.MaxInt32:
		s.index = int(v)
	default:
		return s, fmt.Errorf("%s is no stage; give a number from 1 to T, a share of the way above 0 and below 1, last, or all", text)
	}
	return s, nil
}

// Of returns the stages of an annealing with T distributions, each once and in increasing order. A share u is the stage that is nearest to
// 1 + u (T - 1). It fails for a stage above T.
func (l Stages) Of(T int) ([]int, error) {
	var out []int
	for _, s := range l {
		switch {
		case s.all:
			for t := 1; t <= T; t++ {
				out = append(out, t)
			}
		case s.index > T:
			return nil, fmt.Errorf("stage %d of an annealing with %d distributions; stages are 1 to %d", s.index, T, T)
		case s.index > 0:
			out = append(out, s.index)
		default:
			out = append(out, 1+int(math.Round(s.share*float64(T-1))))
		}
	}
	if len(out) == 0 {
		return nil, errors.New("no stage is named; give at least one")
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// String returns the text that ParseStages reads.
func (l Stages) String() string {
	texts := make([]string, len(l))
	for i, s := range l {
		texts[i] = s.text
	}
	return strings.Join(texts, ",")
}
