package compare

import (
	"fmt"
	"strings"

	"breadboard/chains"
	"breadboard/experiments/sandwich"
)

// DefaultRepresentation is the model that is compared where nothing else is said: that of the paper.
const DefaultRepresentation = "lowrank"

// RepresentationOptions say which model is compared, and how.
type RepresentationOptions struct {
	Model         string // a selector of package sandwich; the model must have several representations
	Rows, Columns int
	T             []int // the numbers of distributions of annealing
	Chains        int   // of each direction on each data set, in each representation
	Datasets      int
	Seed          uint64
	Workers       int              // 0 is one for each processor
	Progress      func(chains int) // called from several goroutines at once; may be nil
}

// Validate returns an error that says what is wrong with the options, and nil where they are valid.
func (o *RepresentationOptions) Validate() error {
	if len(o.T) == 0 {
		return chains.NewAdvice("no number of distributions is given; give {T} whole numbers, as 100,1000")
	}
	s := o.sandwich()
	if err := s.Validate(); err != nil {
		return err
	}
	m, err := sandwich.ParseModel(o.Model)
	if err != nil {
		return err
	}
	if len(m.Representations) == 0 {
		return fmt.Errorf("model %s is written in one way only, so that there is nothing to compare; give %s", m.Name, DefaultRepresentation)
	}
	return nil
}

// sandwich returns the options of the sandwich of the model as it is written, which has the same data and as many chains.
func (o *RepresentationOptions) sandwich() sandwich.Options {
	return sandwich.Options{
		Models: []string{o.Model}, Rows: o.Rows, Columns: o.Columns, T: o.T, Chains: o.Chains, Datasets: o.Datasets, Seed: o.Seed, Workers: o.Workers,
	}
}

// Steps returns the number of chains that Run makes, which is what Progress counts. The options must be valid.
func (o *RepresentationOptions) Steps() int {
	m, err := sandwich.ParseModel(o.Model)
	if err != nil {
		return 0
	}
	return 2 * o.Chains * o.Datasets * len(o.T) * len(m.Representations)
}

// RepresentationSyntaxes are the forms of the selectors of models that have several representations.
func RepresentationSyntaxes() []string {
	var out []string
	for _, s := range sandwich.Models().Syntaxes() {
		kind, _, _ := strings.Cut(s, "[")
		if m, err := sandwich.ParseModel(kind); err == nil && len(m.Representations) > 0 {
			out = append(out, s)
		}
	}
	return out
}
