package geweke

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/experiments/crosscheck"
	"breadboard/experiments/external"
)

// Options say which models are tested, and how.
type Options struct {
	Toys     []string // selectors of models of data on lattices
	Kernel   string   // the selector of the kernel of z given y, for models on lattices
	Models   []string // selectors of models of any size, which their own scans move
	Size     Size     // of the data of these models
	Rounds   int      // how often a chain moves z and draws y anew
	Draws    int      // the largest number of chains
	Seed     uint64
	Alpha    float64 // the probability of a false alarm among all tests of a run
	Workers  int
	Programs *external.Programs // nil refuses kernels in other programs
	Progress func(chains int)   // called from several goroutines at once; may be nil
}

// These are the defaults of the options.
const (
	DefaultToy    = "clu6"
	DefaultKernel = "heatbath-scan"
	DefaultRounds = 10
	DefaultDraws  = 2048
)

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

// Validate returns an error that says what is wrong with the options, and nil where they are valid.
func (o *Options) Validate() error {
	switch {
	case len(o.Toys)+len(o.Models) == 0:
		return chains.NewAdvice("no toy is named; give a model of data, as in {toy} clu6 or {model} clustering")
	case o.Rounds < 1 || o.Rounds > MaxRounds:
		return chains.NewAdvice("{rounds} %d; give a whole number from 1 to %d", o.Rounds, MaxRounds)
	case o.Draws < firstLook || o.Draws > MaxDraws:
		return chains.NewAdvice("{draws} %d; a test looks at its chains for the first time after %d: give a whole number from there to %d", o.Draws, firstLook, MaxDraws)
	case !(o.Alpha >= crosscheck.MinAlpha && o.Alpha < 1):
		return fmt.Errorf("alpha %v; the probability of a false alarm is from %v to below 1", o.Alpha, crosscheck.MinAlpha)
	case o.Workers < 0:
		return chains.NewAdvice("{workers} %d; give a number, or 0 for one on each core", o.Workers)
	}
	if len(o.Models) > 0 {
		return o.Size.Validate()
	}
	return nil
}

// Steps returns the largest number of chains that Run makes. Chains of models of any size go forward and in reverse; tests that find a fault
// sooner make fewer.
func (o *Options) Steps() int { return (len(o.Toys) + 2*len(o.Models)) * o.Draws }

// Run tests every model, those on lattices first.
func Run(ctx context.Context, o Options) ([]Row, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	var all []tested
	tests := 0
	for _, selector := range o.Toys {
		s, err := parseSetting(ctx, selector, o.Kernel, o.Programs)
		if err != nil {
			return nil, err
		}
		all, tests = append(all, s), tests+s.tests()
	}
	for _, selector := range o.Models {
		m, err := Models().Parse(selector, o.Size)
		if err != nil {
			return nil, err
		}
		all, tests = append(all, m.tested), tests+m.tested.tests()
	}
	threshold := math.Log(float64(tests) / o.Alpha)
	var rows []Row
	for _, s := range all {
		r, err := s.test(ctx, &o, threshold)
		if err != nil {
			return nil, err
		}
		rows = append(rows, *r)
	}
	return rows, nil
}

// tested is what has a row of its own.
type tested interface {
	// tests returns how many e-processes look at it.
	tests() int
	// examine makes its row by e-processes, each of which is held against the threshold, a logarithm.
	examine(ctx context.Context, o *Options, threshold float64) (*Row, error)
	// test makes its row by all that it is tested by. Its errors name it.
	test(ctx context.Context, o *Options, threshold float64) (*Row, error)
}
