package geweke

import (
	"context"
	"slices"
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

// Verdict is what a finding says.
type Verdict string

// These are the verdicts.
const (
	Pass  Verdict = "pass"
	Fault Verdict = "fault" // the model, its simulator and the kernel do not belong together
)

// Finding is what a test says.
type Finding struct {
	Name      string
	Value     float64 // an e-value, or how far a probability is off
	Tolerance float64 // what an e-value must stay below, or the distance must not exceed
	Verdict   Verdict
	Where     string
	Chains    int // how many chains it was found with
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
func (r *Row) Wrong() bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Verdict == Fault })
}

// tested is what has a row of its own.
type tested interface {
	// tests returns how many e-processes look at it.
	tests() int
	// chains returns the largest number of chains that it makes. A test that finds a fault sooner makes fewer.
	chains(draws int) int
	// examine makes its row by e-processes, each of which is held against the threshold, a logarithm.
	examine(ctx context.Context, o *asked, threshold float64) (*Row, error)
	// test makes its row by all that it is tested by. Its errors name it.
	test(ctx context.Context, o *asked, threshold float64) (*Row, error)
}
