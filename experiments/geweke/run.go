package geweke

import (
	"context"
	"slices"

	"breadboard/experiments/columns"
	"breadboard/experiments/study/check"
)

// Options say how models are tested.
type Options struct {
	Rounds int // how often a chain moves z and draws y anew
	Draws  int // the largest number of chains
	Seed   uint64
	Alpha  float64 // the probability of a false alarm among all tests of a run
}

// These are the bounds on the options.
const (
	// MaxStates is the largest number of states of the latent variables: the joint density of all is computed for every round.
	MaxStates = 1 << 13
	MaxRounds = 10_000
	MaxDraws  = 1_000_000
	firstLook = 256 // the number of chains after which a test looks at them for the first time
)

// Finding is what a test of a model has found.
type Finding struct {
	Model, Kernel string // as in its Row
	check.Finding
	Chains int // how many chains it was found with
}

// FindingColumns lists the columns of findings.
func FindingColumns() []columns.Field[Finding] {
	return slices.Concat([]columns.Field[Finding]{
		{Column: columns.Column{Name: "toy", Type: columns.String, Title: "toy", Meaning: columns.MeansRows}, Of: func(f *Finding) any { return f.Model }},
		{Column: columns.Column{Name: "kernel", Type: columns.String, Title: "kernel", Meaning: columns.MeansKernel}, Of: func(f *Finding) any { return f.Kernel }},
		chainsColumn(func(f *Finding) int { return f.Chains }),
	}, check.Columns[Finding]())
}

// chainsColumn is the column of the number of chains.
func chainsColumn[R any](of func(*R) int) columns.Field[R] {
	return columns.Field[R]{Column: columns.Column{Name: "chains", Type: columns.Int, Title: "chains", Meaning: "the number of chains that were run"}, Of: func(r *R) any { return of(r) }}
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
	Draws          int     // how many forward draws there are; 0 where their law is known exactly
	Chains         int
}

// Point says which share of the forward draws, and which of the ends of the chains, are at most some value.
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
	// chains returns the largest number of chains that it makes. A test that finds a fault sooner makes fewer.
	chains(draws int) int
	// examine makes its row by e-processes, each of which is held against the threshold, a logarithm.
	examine(ctx context.Context, o *runOptions, threshold float64) (*Row, error)
	// test makes its row by all that it is tested by. Its errors name it.
	test(ctx context.Context, o *runOptions, threshold float64) (*Row, error)
}
