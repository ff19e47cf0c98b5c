package compare

import (
	"strings"

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
