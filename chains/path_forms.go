package chains

import (
	"breadboard/chains/selector"
)

// PathForms are the forms of the selectors of paths, in the order in which they are listed.
func PathForms() selector.Set[PathEnv, Path] {
	return selector.Set[PathEnv, Path]{What: "path", Forms: []func() pathForm{
		geometricForm,
		arithmeticForm,
		powerMeanForm,
		piecewiseForm,
	}}
}

// pathForm is how a path is selected.
type pathForm = selector.Form[PathEnv, Path]

// PathEnv is what must be known beside the arguments of a path's selector.
type PathEnv struct {
	Ends *Ends                                         // between which the path runs
	Read func(file string) (logf []float64, err error) // log f of each state from a file, on the space of the ends
}

// orNil keeps a nil pointer from becoming a path that is not nil.
func orNil[P Path](p P, err error) (Path, error) {
	if err != nil {
		return nil, err
	}
	return p, nil
}
