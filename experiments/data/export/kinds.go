package export

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/frames"
	"breadboard/chains/number"
	"breadboard/exact"
	"breadboard/exact/kernel"
	"breadboard/exact/stages"
	"breadboard/exact/weights"
	"breadboard/experiments/subject"
)

// Kind is a kind of arrays: its name and its content.
type Kind struct {
	Name     string // its selector, and the name of the array if there is only one
	Shape    string // of each array, in words
	Doc      string // the content, in one sentence
	Several  bool   // whether it is several arrays, whose names are in its Doc
	NoTable  bool   // whether it has only texts or whole numbers, and so no rows in a table of numbers
	Standard bool   // whether it is given if no kind is named

	positive bool // whether it exists only if f has no zeros
	// whether it is given only if it is named, and not among all
	apart bool
	// whether it is of the kernels of stages, of which the first has none
	kernel bool
	// the largest number of states of which it is given; 0 if there is none
	most    int
	numbers func(c *subject.Case, s size) float64 // about how many numbers it has; nil if they are few
	make    func(ctx context.Context, m *maker) ([]Array, error)

	// Chains makes it as Markov chains. It is nil for an array that is not a chain.
	Chains func(ctx context.Context, m *maker) ([]Chain, error)
}

// size has what an estimate of memory needs to know.
type size struct{ states, T, stages float64 }

// Names returns the names of all kinds.
func Names() []string {
	var list []string
	for _, k := range Kinds() {
		list = append(list, k.Name)
	}
	return list
}

// The sets of kinds that have a name.
const (
	setStandard = "standard" // those that are given if nothing is named
	setAll      = "all"
)

// sets returns the names of sets of several kinds.
func sets() []string { return []string{setStandard, setAll} }

// Kinds returns all kinds of arrays. All texts about them derive from this list.
func Kinds() []Kind {
	return slices.Concat(
		parameters(),
		laws(),
		marginals(),
		byStage(),
		numbers(),
		weightLaws(),
		kernelRows(),
		annealed(),
	)
}

// parameters are what says which annealing it is.
func parameters() []Kind {
	var list []Kind
	for _, p := range subject.Parameters() {
		k := Kind{Name: p.Name, NoTable: true, Shape: "one text", Doc: p.Doc, Standard: true}
		k.make = func(ctx context.Context, m *maker) ([]Array, error) {
			switch k.Name {
			case "toy":
				return []Array{{Name: k.Name, Texts: []string{m.c.Toy.Selector()}}}, nil
			case "T":
				return []Array{{Name: k.Name, Integers: []int{m.c.Distributions()}}}, nil
			}
			return []Array{{Name: k.Name, Texts: []string{m.c.Param(k.Name)}}}, nil
		}
		if k.Name == "T" {
			k.Shape = "one integer"
		}
		list = append(list, k)
	}
	return list
}

// ofSolution returns a function that makes an array of the exact solution.
func ofSolution(of func(m *maker, s *exact.Solution) Array) func(ctx context.Context, m *maker) ([]Array, error) {
	return func(ctx context.Context, m *maker) ([]Array, error) {
		s, err := m.solution(ctx)
		if err != nil {
			return nil, err
		}
		return []Array{of(m, s)}, nil
	}
}

// distributions are the arrays with a number for each state.
func laws() []Kind {
	states := func(_ *subject.Case, s size) float64 { return s.states }
	solved := func(of func(*exact.Solution) []float64) func(ctx context.Context, m *maker) ([]Array, error) {
		return ofSolution(
			func(m *maker, s *exact.Solution) Array { return Array{Axes: []Axis{m.states()}, Floats: of(s)} },
		)
	}
	return []Kind{
		{
			Name:     "p",
			Shape:    "states",
			Doc:      "the target p_T",
			Standard: true,
			numbers:  states,
			make:     solved(func(s *exact.Solution) []float64 { return s.Target }),
		},
		{
			Name:     "q",
			Shape:    "states",
			Doc:      "the distribution of the output x_T",
			Standard: true,
			numbers:  states,
			make:     solved(func(s *exact.Solution) []float64 { return s.Output }),
		},
		{Name: "log_f", Shape: "states", Doc: "log f_T, in nats; -inf is a zero of f", Standard: true,
			numbers: states, make: func(ctx context.Context, m *maker) ([]Array, error) {
				return []Array{{Axes: []Axis{m.states()}, Floats: m.c.Toy.G}}, nil
			}},
		{
			Name:     "shape",
			NoTable:  true,
			Shape:    "axes",
			Doc:      "the sides of the grid, or on a graph the number of states",
			Standard: true,
			make: func(ctx context.Context, m *maker) ([]Array, error) {
				sides := m.states().Sides
				return []Array{
					{Name: "shape", Axes: []Axis{{Sides: []int{len(sides)}}}, Integers: sides}}, nil
			},
		},
		{Name: "labels", NoTable: true, Shape: "states", Doc: "the names of the states", Standard: true,
			numbers: states, make: func(ctx context.Context, m *maker) ([]Array, error) {
				texts := make([]string, m.c.Toy.Space.States())
				for x := range texts {
					texts[x] = m.c.Toy.Label(x)
				}
				return []Array{{Name: "labels", Axes: []Axis{m.states()}, Texts: texts}}, nil
			}},
	}
}

// marginals are the arrays with a number for each state at each chosen stage.
func marginals() []Kind {
	// one of them has all three computed
	all := func(_ *subject.Case, s size) float64 { return 3 * s.states * s.stages }
	of := func(law func(stages.Marginal) []float64) func(ctx context.Context, m *maker) ([]Array, error) {
		return func(ctx context.Context, m *maker) ([]Array, error) {
			list, err := m.marginals(ctx)
			if err != nil {
				return nil, err
			}
			var values []float64
			for _, at := range list {
				values = append(values, law(at)...)
			}
			return []Array{{Axes: []Axis{m.chosen(), m.states()}, Floats: values}}, nil
		}
	}
	list := []Kind{
		{
			Name: "p_t",
			Doc:  "p_t, the target of stage t",
			make: of(func(at stages.Marginal) []float64 { return at.P }),
		},
		{
			Name: "q_t",
			Doc:  "the distribution of x_t in the forward chain",
			make: of(func(at stages.Marginal) []float64 { return at.Forward }),
		},
		{Name: "r_t", Doc: "the distribution of x_t in the reverse chain",
			make: of(func(at stages.Marginal) []float64 { return at.Reverse })},
	}
	for i := range list {
		list[i].Shape, list[i].Standard, list[i].numbers = "stages x states", true, all
	}
	return list
}

// byStage are the arrays with a number for each stage.
func byStage() []Kind {
	each := func(_ *subject.Case, s size) float64 { return s.T }
	return []Kind{
		{Name: "stages", NoTable: true, Shape: "stages", Doc: "the chosen stages t, from 1 on",
			Standard: true, make: func(ctx context.Context, m *maker) ([]Array, error) {
				return []Array{{Name: "stages", Axes: []Axis{m.chosen()}, Integers: m.stages}}, nil
			}},
		{
			Name:     "beta",
			Shape:    "T",
			Doc:      "the schedule b_1, ..., b_T",
			Standard: true,
			numbers:  each,
			make: func(ctx context.Context, m *maker) ([]Array, error) {
				values := make([]float64, m.c.Distributions())
				for i := range values {
					values[i] = m.c.Annealing().Beta(i + 1)
				}
				return []Array{{Axes: []Axis{stageAxis(1, len(values))}, Floats: values}}, nil
			},
		},
		{Name: "gap", Several: true, Shape: "T - 1 each",
			Doc: "gap_forward and gap_reverse, the contributions of stages to B - J, and " +
				"gap_jeffreys, J of q_t and r_t, in nats",
			numbers: func(_ *subject.Case, s size) float64 { return 6 * s.T }, make: gap},
		{
			Name:     "contributions",
			Shape:    "T - 1",
			Doc:      "the contributions of stages t = 2..T to B, in nats; not if f has zeros",
			positive: true,
			numbers:  each,
			make: func(ctx context.Context, m *maker) ([]Array, error) {
				values, err := stages.Contributions(ctx, m.c.Annealing())
				return []Array{{Axes: []Axis{stageAxis(2, m.c.Distributions())}, Floats: values}}, err
			},
		},
	}
}

// numbers are the single numbers, in nats.
func numbers() []Kind {
	of := func(name, doc string, value func(*exact.Solution) float64) Kind {
		made := ofSolution(func(_ *maker, s *exact.Solution) Array { return Array{Floats: []float64{value(s)}} })
		return Kind{Name: name, Shape: "one number", Doc: doc + ", in nats", Standard: true, make: made}
	}
	return []Kind{
		of("J", "the Jeffreys divergence of q and p", func(s *exact.Solution) float64 { return s.J }),
		of("B", "the expectation of the bound on J", func(s *exact.Solution) float64 { return s.B }),
		of("kl_q_p", "KL(q || p)", func(s *exact.Solution) float64 { return s.KLQP }),
		of("kl_p_q", "KL(p || q)", func(s *exact.Solution) float64 { return s.KLPQ }),
		of("mean_log_w_forward", "the mean of log w of forward chains",
			func(s *exact.Solution) float64 { return s.MeanLogWForward }),
		of("mean_log_w_reverse", "the mean of log w of reverse chains",
			func(s *exact.Solution) float64 { return s.MeanLogWReverse }),
		of("log_z_ratio", "log(Z_T/Z_1)", func(s *exact.Solution) float64 { return s.LogZRatio }),
		{
			Name:     "log_z",
			Shape:    "one number",
			Doc:      "log Z_T, the log of the sum of f, in nats",
			Standard: true,
			make: func(ctx context.Context, m *maker) ([]Array, error) {
				return []Array{{Floats: []float64{number.LogSumExp(m.c.Toy.G)}}}, nil
			},
		},
	}
}

// maxDense is the largest number of states of which the whole matrix of a kernel is given.
const maxDense = 1024

// kernelRows are the matrices of the kernels of the chosen stages, in two forms.
func kernelRows() []Kind {
	return []Kind{
		{
			Name:    "kernel_csr",
			Several: true,
			Shape:   "entries, entries, states + 1",
			kernel:  true,
			numbers: kernelNumbers,
			make:    csr(kernels),
			Chains:  kernels,
			Doc: "for each chosen stage t from 2 on the rows of its kernel for " +
				"scipy.sparse.csr_array: kernel_t_data, kernel_t_indices and kernel_t_indptr",
		},
		{
			Name:    "kernel_dense",
			Several: true,
			Shape:   "states x states",
			kernel:  true,
			most:    maxDense,
			make:    denseKernels,
			Doc: fmt.Sprintf(
				"kernel_t for each chosen stage t from 2 on: row x has the probabilities of moves from x; "+
					"up to %d states. The kernel matrix:FILE.npz#kernel_{t} reads them",
				maxDense,
			),
			numbers: func(_ *subject.Case, s size) float64 {
				return s.stages * min(s.states, maxDense) * min(s.states, maxDense)
			},
		},
	}
}

// kernelNumbers estimates the numbers of the sparse rows, three for an entry with the columns of a
// table. It knows nothing of kernels whose rows it would have to make; these are counted as they
// are made.
func kernelNumbers(c *subject.Case, s size) float64 {
	entries, _ := frames.Entries(c.Annealing().KernelAt(2), int(s.states), maxBytes)
	return s.stages * (4*entries + s.states)
}

// eachKernel makes the rows of the kernel of each of some stages from 2 on.
func (m *maker) eachKernel(ctx context.Context, chosen []int,
	use func(t int, rows *kernel.Rows, logf []float64) error) error {
	logf := make([]float64, m.c.Annealing().States())
	rows := &kernel.Rows{}
	for _, t := range chosen {
		if t < 2 {
			continue
		}
		m.c.Annealing().LogF(logf, t)
		if err := rows.Fill(ctx, m.c.Annealing().KernelAt(t), logf); err != nil {
			return fmt.Errorf("stage %d: %w", t, err)
		}
		if err := use(t, rows, logf); err != nil {
			return err
		}
	}
	return nil
}

func denseKernels(ctx context.Context, m *maker) (out []Array, err error) {
	n := m.c.Annealing().States()
	err = m.eachKernel(ctx, m.stages, func(t int, rows *kernel.Rows, _ []float64) error {
		p := make([]float64, n*n)
		for x := range n {
			for _, e := range rows.Row(x) {
				p[x*n+e.To] = e.P
			}
		}
		from, to := Axis{Sides: []int{n}, Columns: []Column{{Name: "state", Of: upFrom(0, n)}}},
			Axis{Sides: []int{n}, Columns: []Column{{Name: "to", Of: upFrom(0, n)}}}
		// of one place, which the shape does not have
		at := Axis{Columns: []Column{{Name: "stage", Of: []int{t}}}}
		out = append(out, Array{
			Name:   fmt.Sprintf("kernel_%d", t),
			Group:  "kernel_dense",
			Axes:   []Axis{at, from, to},
			Floats: p,
		})
		return nil
	})
	return out, err
}

// lawPoints is the number of values of log w at which a distribution that lies on no lattice is
// given.
const lawPoints = 401

// weightLaws are the distributions of log w in both directions.
func weightLaws() []Kind {
	return []Kind{{
		Name: "law", Several: true, Shape: "values, each",
		Doc: "of forward (and reverse) chains law_forward_log_w, values v of log w in nats; " +
			"law_forward_p, the probability of the interval that ends at v; law_forward_at_most, P(log w " +
			"<= v), within law_forward_low and law_forward_high",
		numbers: func(*subject.Case, size) float64 { return 10 * lawPoints },
		make: func(ctx context.Context, m *maker) ([]Array, error) {
			l, err := m.laws(ctx)
			if err != nil {
				return nil, err
			}
			return append(lawArrays("law_forward", l.Forward), lawArrays("law_reverse", l.Reverse)...), nil
		},
	}}
}

func lawArrays(name string, l *weights.Law) []Array {
	values, p := l.Points()
	onLattice := values != nil
	if !onLattice {
		values = between(l.Support())
	}
	if l.Zero > 0 {
		values, p = append([]float64{math.Inf(-1)}, values...), append([]float64{l.Zero}, p...)
	}
	if l.Infinite > 0 {
		values, p = append(values, math.Inf(1)), append(p, l.Infinite)
	}
	atMost := make([]float64, len(values))
	low := make([]float64, len(values))
	high := make([]float64, len(values))
	for i, v := range values {
		b := l.AtMost(v)
		switch {
		case math.IsInf(v, -1):
			b = weights.Bracket{Low: l.Zero, Value: l.Zero, High: l.Zero}
		case math.IsInf(v, 1):
			b = weights.Bracket{Low: 1, Value: 1, High: 1}
		}
		atMost[i], low[i], high[i] = b.Value, b.Low, b.High
	}
	if !onLattice {
		p = differences(atMost)
	}
	axis := Axis{Sides: []int{len(values)}, Columns: []Column{{Name: "point", Of: upFrom(0, len(values))}}}
	of := func(suffix string, v []float64) Array {
		return Array{Name: name + suffix, Group: name + suffix, Axes: []Axis{axis}, Floats: v}
	}
	return []Array{
		of("_log_w", values), of("_p", p), of("_at_most", atMost), of("_low", low), of("_high", high)}
}

// between returns values from low to high at equal distances, or the one value if both are the
// same.
func between(low, high float64) []float64 {
	if !(high > low) {
		return []float64{low}
	}
	values := make([]float64, lawPoints)
	for i := range values {
		u := float64(i) / (lawPoints - 1)
		values[i] = low*(1-u) + high*u
	}
	return values
}

// differences returns the difference of each number from the one before, and the first number
// itself.
func differences(values []float64) []float64 {
	out := make([]float64, len(values))
	before := 0.0
	for i, v := range values {
		out[i], before = v-before, v
	}
	return out
}
