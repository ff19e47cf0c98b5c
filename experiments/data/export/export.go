// Package export answers: which exact arrays does one annealing have? It gives the distributions,
// the marginals, the gap by stage, the distribution of log w and the rows of the kernel as plain
// numbers with names and shapes, for programs that draw them or compute with them, and the kernels
// and the whole annealing as Markov chains. It computes nothing of its own,
// writes no files, and never rounds.
package export

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/exact"
	"breadboard/exact/stages"
	"breadboard/exact/weights"
	"breadboard/experiments/subject"
	"breadboard/grid"
)

// Array is an array of numbers or of texts; one of the three lists of values is set. Values are in
// C order: the last index moves fastest.
type Array struct {
	Name string
	// the name of the arrays that share a table with a row for each value; empty for those in no
	// table
	Group    string
	Axes     []Axis // from the outermost to the innermost; none for a single value
	Floats   []float64
	Integers []int
	Texts    []string
}

// Axis is an axis of an array, or the several axes of a grid together.
type Axis struct {
	Sides   []int // the sides in the shape of the array
	Columns []Column
}

// Column is the position of a value on an axis in a table: its stage, its state, its coordinate.
type Column struct {
	Name string
	Of   []int    // by the place on the axis, or else
	Text []string // a text by the place on the axis
}

// Length returns the number of places on the axis.
func (a Axis) Length() int { return product(a.Sides) }

func product(sides []int) int {
	n := 1
	for _, s := range sides {
		n *= s
	}
	return n
}

// Shape returns the sides of all axes.
func (a *Array) Shape() []int {
	shape := []int{}
	for _, axis := range a.Axes {
		shape = append(shape, axis.Sides...)
	}
	return shape
}

// Options are the options of ArraysOf.
type Options struct {
	Names  []string // of Kinds, or of Sets; if empty, the Standard ones
	Stages Stages   // for the arrays that have an axis of stages, and for kernels
	// the memory that the caller takes for each number besides the number itself, for the estimate
	Bytes    int
	Progress func(steps int) // may be nil
	// LeftOut is called with the name of an array of a set that does not exist because f has zeros,
	// such as "array contributions". If it is nil such arrays are errors.
	LeftOut func(what string)
}

// maxBytes is the most memory that the arrays of one annealing may take together.
const maxBytes = 2e9

// Validate returns the error with which ArraysOf would fail for the cases.
func (o Options) Validate(cases []subject.Case) error {
	names := append(sets(), Names()...)
	for i, name := range o.Names {
		switch {
		case !slices.Contains(names, name):
			return selector.UnknownError("array", name, names)
		case slices.Contains(o.Names[:i], name):
			return errs.New("{arrays} names %s twice; delete one", name)
		}
	}
	for i := range cases {
		c := &cases[i]
		if err := subject.NeedsStates(c.Toy, "an array"); err != nil {
			return err
		}
		stages, err := o.Stages.ListStages(c.Distributions())
		if err != nil {
			return fmt.Errorf("%s: %w", c, err)
		}
		s := size{
			states: float64(c.Toy.Space.States()),
			T:      float64(c.Distributions()),
			stages: float64(len(stages)),
		}
		numbers := 0.0
		for _, k := range o.kinds(c) {
			if k.kernel && stages[len(stages)-1] < 2 {
				return errs.New("%s: stage 1 has no kernel; give {stages} from 2 on for the array %s",
					c, k.Name)
			}
			if n := c.Toy.Space.States(); k.most > 0 && n > k.most {
				return errs.New(
					"%s: there are %d states, but the limit of the array %s is %d; give kernel_csr in "+
						"{arrays}, which has only the nonzero entries",
					c,
					n,
					k.Name,
					k.most,
				)
			}
			if k.numbers != nil {
				numbers += k.numbers(c, s)
			}
		}
		if bytes := numbers * float64(8+o.Bytes); bytes > maxBytes {
			return errs.New(
				"%s: the arrays have about %.3g numbers and take %s, and the limit is %.3g GB; give "+
					"fewer {stages}, or fewer {arrays}",
				c,
				numbers,
				errs.Memory(bytes),
				maxBytes/1e9,
			)
		}
	}
	return nil
}

// kinds returns the kinds of arrays that are wanted of a case, in the order in which they were
// named.
func (o Options) kinds(c *subject.Case) (list []Kind) {
	names := o.Names
	if len(names) == 0 {
		names = []string{setStandard}
	}
	for _, name := range names {
		for _, k := range Kinds() {
			standard := k.Standard && (k.Name != "labels" || c.Toy.InWords())
			asked := name == k.Name || name == setAll && !k.apart || name == setStandard && standard
			if asked && !slices.ContainsFunc(list, func(other Kind) bool { return other.Name == k.Name }) {
				list = append(list, k)
			}
		}
	}
	return list
}

// ArraysOf computes the arrays of a case. It fails if Validate does, and if an array does not
// exist; the error names the case.
func ArraysOf(ctx context.Context, c subject.Case, o Options) ([]Array, error) {
	m, err := newMaker(c, o)
	if err != nil {
		return nil, err
	}
	var out []Array
	for _, k := range o.kinds(&c) {
		if k.positive && c.Annealing().Path().Zeros() && o.LeftOut != nil &&
			!slices.Contains(o.Names, k.Name) {
			o.LeftOut("array " + k.Name)
			continue
		}
		made, err := k.make(ctx, m)
		if err != nil {
			return nil, c.Wrong(fmt.Errorf("array %s: %w", k.Name, err))
		}
		for i := range made {
			if made[i].Name == "" {
				made[i].Name, made[i].Group = k.Name, k.Name
			}
		}
		out = append(out, made...)
	}
	return out, nil
}

// maker computes what the arrays of a case are made of, each of it once.
type maker struct {
	c      subject.Case
	stages []int
	o      Options

	solved   *exact.Solution
	marginal []stages.Marginal
	weights  *weights.Laws
}

// newMaker returns the maker of the arrays of a case. It fails if Options.Validate does.
func newMaker(c subject.Case, o Options) (*maker, error) {
	if err := o.Validate([]subject.Case{c}); err != nil {
		return nil, err
	}
	chosen, err := o.Stages.ListStages(c.Distributions())
	return &maker{c: c, stages: chosen, o: o}, err
}

// solution returns what exact.Solve finds.
func (m *maker) solution(ctx context.Context) (s *exact.Solution, err error) {
	if m.solved == nil {
		m.solved, err = exact.Solve(
			ctx,
			m.c.Annealing(),
			exact.Options{Progress: m.o.Progress, Workers: subject.WorkersEach(1, 0)},
		)
	}
	return m.solved, err
}

// marginals returns the marginals at the chosen stages. Those of the last stage are the
// distributions that the solution has, to the last bit: stages compute them by another route, whose
// roundings differ.
func (m *maker) marginals(ctx context.Context) ([]stages.Marginal, error) {
	if m.marginal != nil {
		return m.marginal, nil
	}
	list, err := stages.Marginals(ctx, m.c.Annealing(), m.stages)
	if err != nil {
		return nil, err
	}
	if last := len(list) - 1; last >= 0 && list[last].Stage == m.c.Distributions() {
		s, err := m.solution(ctx)
		if err != nil {
			return nil, err
		}
		list[last].P, list[last].Forward, list[last].Reverse = s.Target, s.Output, s.Target
	}
	m.marginal = list
	return list, nil
}

func (m *maker) laws(ctx context.Context) (l *weights.Laws, err error) {
	if m.weights == nil {
		m.weights, err = weights.LawsOf(ctx, m.c.Annealing(), weights.Options{Progress: m.o.Progress})
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
	return Axis{
		Sides:   []int{last - first + 1},
		Columns: []Column{{Name: "stage", Of: upFrom(first, last-first+1)}},
	}
}

// upFrom returns n whole numbers from the first on.
func upFrom(first, n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = first + i
	}
	return list
}

func gap(ctx context.Context, m *maker) ([]Array, error) {
	g, err := stages.GapByStage(ctx, m.c.Annealing(), m.o.Progress)
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

// Stages are stages of an annealing of any length.
type Stages []stage

// stage is a number of a stage from 1 on, or a share of the way from the first to the last, or all
// of them.
type stage struct {
	text  string
	index int     // if it is not zero
	share float64 // else
	all   bool
}

// StandardStages are the stages whose betas on a linear schedule are those of Figure 4 of Grosse,
// Ancha and Roy (2016), and the last.
const StandardStages = "0.1,0.25,0.5,last"

// ParseStages reads stages separated by commas: numbers from 1 to T, fractions of the way from the
// first stage to the last, above 0 and below 1, as in 0.25, "last", or "all".
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
		return nil, errs.New("all means every stage; give it alone")
	}
	return list, nil
}

func parseStage(text string) (stage, error) {
	s := stage{text: text}
	switch text {
	case "":
		return s, errs.New("a stage is empty; give numbers from 1 to T, shares of the way such as 0.25, last, or all")
	case "all":
		s.all = true
		return s, nil
	case "last":
		s.share = 1
		return s, nil
	}
	v, err := selector.ParseNumber(text)
	if err != nil {
		return s, errs.New("%w; stages are numbers from 1 to T, shares of the way such as 0.25, last, or all", err)
	}
	switch {
	case v > 0 && v < 1:
		s.share = v
	case v == math.Trunc(v) && v >= 1 && v <= math.MaxInt32:
		s.index = int(v)
	default:
		return s, errs.New(
			"%s is not a stage; give a number from 1 to T, a share of the way above 0 and below 1, last, or all",
			text,
		)
	}
	return s, nil
}

// ListStages returns the stages of an annealing with T distributions, each once and in increasing
// order. A fraction u is the stage that is nearest to 1 + u (T - 1). It fails for a stage above T.
func (l Stages) ListStages(T int) ([]int, error) {
	var out []int
	for _, s := range l {
		switch {
		case s.all:
			for t := 1; t <= T; t++ {
				out = append(out, t)
			}
		case s.index > T:
			return nil, errs.New("stage %d of an annealing with %d distributions; stages are 1 to %d", s.index, T, T)
		case s.index > 0:
			out = append(out, s.index)
		default:
			out = append(out, 1+int(math.Round(s.share*float64(T-1))))
		}
	}
	if len(out) == 0 {
		return nil, errs.New("no stage is named; give at least one")
	}
	sort.Ints(out)
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
