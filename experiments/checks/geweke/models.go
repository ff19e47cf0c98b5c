package geweke

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments/columns"
	"breadboard/experiments/marginal/sandwich"
	"breadboard/experiments/study/check"
)

// Size is the size of the data of a model: N rows and D columns.
type Size struct{ Rows, Columns int }

// Validate returns an error if data cannot have the size.
func (s Size) Validate() error {
	if s.Rows < 1 || s.Rows > sandwich.MaxRows || s.Columns < 1 || s.Columns > sandwich.MaxColumns {
		return chains.NewAdvice("{data-rows|rows} %d and {data-columns|columns} %d; data have 1 to %d rows and 1 to %d columns", s.Rows, s.Columns,
			sandwich.MaxRows, sandwich.MaxColumns)
	}
	return nil
}

// zeros returns a table that stands for data until some are drawn.
func (s Size) zeros() [][]float64 {
	y := make([][]float64, s.Rows)
	for i := range y {
		y[i] = make([]float64, s.Columns)
	}
	return y
}

// Model is a model of any size, with its simulator and its scan.
type Model struct {
	Name   string // the selector in canonical form
	tested tested
}

// modelForm is how a model of any size is selected.
type modelForm = selector.Form[Size, Model]

// Models are the forms of the models of any size. A selector is parsed with the size of the data.
func Models() selector.Set[Size, Model] {
	return selector.NewSet("model", clusteringForm, lowRankForm, collapsedForm, binaryForm)
}

// inferred is the argument of a model whose hyperparameters are unknown, and part of its state.
const inferred = "inferred"

// modelSource is where the models come from.
const modelSource = "Grosse, Ghahramani and Adams 2015, section 6"

// maker makes the test of a model with k components. The name is the selector, and the key what
// random numbers depend on.
type maker func(name, key string, s Size, k int) (tested, error)

// newModelForm returns the form of a model, which has that many components by default.
func newModelForm(name, doc string, components int, known, unknown maker) modelForm {
	return modelForm{
		Syntax: name + "[:" + inferred + "][:K]", Doc: doc, Example: name + ":" + inferred + ":3", Source: modelSource,
		Parse: func(args selector.Args, s Size) (Model, error) {
			full, makes, rest, k := name, known, args.Text, components
			if first, after := args.Cut(); first == inferred {
				full, makes, rest = name+":"+inferred, unknown, after
			}
			if args.Given && args.Text != inferred {
				var err error
				if k, err = selector.ParseWhole(rest, 1, sandwich.MaxComponents); err != nil {
					return Model{}, args.Errorf("the number K of components: %w; write %s, %s:K or %s:%s:K", err, name, name, name, inferred)
				}
			}
			return makes.model(full, args, s, k, components)
		},
	}
}

// model makes the model of a selector without its number of components, of which there are usually
// that many.
func (m maker) model(name string, args selector.Args, s Size, k, usual int) (Model, error) {
	if k != usual {
		name += ":" + strconv.Itoa(k)
	}
	t, err := m(name, fmt.Sprintf("%s of %d by %d with K=%d", name, s.Rows, s.Columns, k), s, k)
	return Model{name, t}, args.Wrap(err)
}

// Options are the options of the tests.
type Options struct {
	Rounds int // how often a chain moves z and draws y anew
	Draws  int // the largest number of chains
	Seed   uint64
	Alpha  float64 // the probability of a false alarm among all tests of a run
}

// These are the bounds on the options.
const (
	// maxStates is the largest number of states of the latent variables: the joint density of all
	// is computed for every round.
	maxStates = 1 << 13
	maxRounds = 10_000
	maxDraws  = 1_000_000
	firstLook = 256 // the number of chains after which a test looks at them for the first time
)

// Finding is the result of a test of a model.
type Finding struct {
	Model, Kernel string // as in its Row
	check.Finding
	Chains int // how many chains it was found with
}

// FindingColumns lists the columns of findings.
func FindingColumns() columns.List {
	return slices.Concat(columns.List{
		columns.Of("toy", "toy", columns.MeansRows, func(f *Finding) string { return f.Model }),
		columns.Of("kernel", "kernel", columns.MeansKernel, func(f *Finding) string { return f.Kernel }),
		chainsColumn(func(f *Finding) int { return f.Chains }),
	}, check.Columns[Finding]())
}

func chainsColumn[Row any](of func(Row) int) columns.Field {
	return columns.Of("chains", "chains", "the number of chains that were run", of)
}

// Row is the test of one model.
type Row struct {
	Name     string // the toy or the model, as it is selected
	Kernel   string
	Chains   int // the largest number of chains that a finding has
	Findings []Finding
	Plots    []Shares // of the statistics, and of the latent numbers but the state
}

// Shares are the points of a P-P plot of one statistic, from (0, 0) to (1, 1).
type Shares struct {
	Statistic, Doc string  // its name, and what it is
	Points         []Point // in ascending order
	Draws          int     // the number of forward draws; 0 if their distribution is known exactly
	Chains         int
}

// Point has the shares of the forward draws, and of the ends of the chains, that are at most some
// value.
type Point struct{ Forward, Chains float64 }

// Wrong reports whether a finding is a fault.
func (r *Row) Wrong() bool { return check.Faulty(r.Findings) }

func (r *Row) add(f check.Finding, chains int) {
	r.Findings = append(r.Findings, Finding{r.Name, r.Kernel, f, chains})
}

// tested is what has a row of its own.
type tested interface {
	// tests returns how many e-processes look at it.
	tests() int
	// chains returns the largest number of chains that it makes. A test that finds a fault sooner
	// makes fewer.
	chains(draws int) int
	// examine makes its row by e-processes, each of which is held against the threshold, a
	// logarithm.
	examine(ctx context.Context, o *runOptions, threshold float64) (*Row, error)
	// test makes its row by all that it is tested by. Its errors name it.
	test(ctx context.Context, o *runOptions, threshold float64) (*Row, error)
}
