package paths

import (
	"breadboard/chains"
	"breadboard/chains/selector"
)

// Forms are the forms of the selectors of paths, in the order in which they are listed.
func Forms() selector.Set[Env, chains.Path] {
	return selector.Set[Env, chains.Path]{What: "path", Forms: []func() pathForm{
		geometricForm,
		arithmeticForm,
		powerMeanForm,
		piecewiseForm,
		temperedForm,
	}}
}

// pathForm is how a path is selected.
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
