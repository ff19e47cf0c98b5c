// Package paths has the paths of distributions between the initial distribution and the target, one
// a file, each with its selector. Package schedules places the distributions of an annealing on a
// path.
//
// The paths are geometric (powers), arithmetic (the mixture), q:Q (power means; q = 0 is
// arithmetic, q = 1 geometric), via:[BETA:]PATH (through the distribution in a file), file:PATH
// (through all in a file), and tempered (a model's likelihood to the power b before the model's
// continuous parameters are integrated out). The arithmetic path and the power means are between
// normalised distributions, so that a constant in log f of the target, which has no meaning, does
// not change them.
//
// The path matters. On HARD at T = 1000, J is 0.054 on the path q:0.5, and 1.84 on the geometric
// path:
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
		stepwiseForm,
		temperedForm,
	)
}

type pathForm = selector.Form[Env, chains.Path]

// Env is the context in which a path's selector is parsed.
type Env struct {
	Ends *Ends // the ends between which the path runs
	// reads log f of each state from a file, on the space of the ends
	Read func(file string) (logf []float64, err error)
	// reads an array from a file, of which each row has log f of each state
	ReadRows func(file string) (rows [][]float64, err error)
}

// orNil returns a nil Path if there is an error: an interface that holds a nil pointer would not be
// nil.
func orNil[P chains.Path](p P, err error) (chains.Path, error) {
	if err != nil {
		return nil, err
	}
	return p, nil
}
