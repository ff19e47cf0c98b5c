// Package paths answers: which distributions lie between the initial one and the target? It has the paths of the library, one a file, each
// with the form by which it is selected. It never says where on a path an annealing stands: package schedules does.
//
// The paths are geometric (powers), arithmetic (the mixture), q:Q (power means; q = 0 is arithmetic, q = 1 geometric),
// via:[BETA:]PATH (through the distribution in a file), and tempered (a model's likelihood to the power b before the
// model's continuous parameters are integrated out). The arithmetic path and the power means are between
// normalised distributions, so that a constant in log f of the target, which means nothing, does not bend them.
//
// The path matters: on HARD at T = 1000 the path q:0.5 has J = 0.054, where the geometric one has 1.84:
//
//	breadboard tightness --toy hard -T 1000 --path q:0.5
package paths

import (
	"breadboard/chains"
	"breadboard/chains/selector"
)

// Forms are the forms of the selectors of paths, in the order in which they are listed.
func Forms() selector.Set[Env, chains.Path] {
	return selector.NewSet("path",
		geometricForm,
		arithmeticForm,
		powerMeanForm,
		piecewiseForm,
		temperedForm,
	)
}

type pathForm = selector.Form[Env, chains.Path]

// Env is what must be known beside the arguments of a path's selector.
type Env struct {
	Ends *Ends                                         // the ends between which the path runs
	Read func(file string) (logf []float64, err error) // reads log f of each state from a file, on the space of the ends
}

// orNil returns a nil Path where there is an error: a nil pointer in the interface would be a Path that is not nil.
func orNil[P chains.Path](p P, err error) (chains.Path, error) {
	if err != nil {
		return nil, err
	}
	return p, nil
}
