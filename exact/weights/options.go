package weights

import (
	"breadboard/chains"
	"breadboard/exact/internal/stage"
)

// Options say how LawsOf works. Workers never change what it answers; Inversion and Frequencies change how narrow its
// brackets are. The zero value is the default.
type Options struct {
	// Progress is called now and then, from several goroutines, with the number of steps since the last call. All calls
	// add up to LawProgress. It may be nil.
	Progress func(steps int)
	// Inversion makes LawsOf invert characteristic functions even where the log weights lie on a lattice, so that the two
	// methods can be compared.
	Inversion bool
	// Frequencies is the number of frequencies at which characteristic functions are computed, at most MaxFrequencies.
	// More frequencies take more time and give narrower brackets. Zero stands for as many as some seconds allow.
	Frequencies int
	// Workers is the number of goroutines that compute at the same time; zero stands for the number of processors.
	Workers int
}

// SampleOptions say how MultiSampleBounds works, and never change what it answers. The zero value is the default.
type SampleOptions struct {
	Progress  func(steps int) // as in Options
	Inversion bool            // makes MultiSampleBounds integrate transforms even where the log weights lie on a lattice
	Workers   int             // as in Options
}

// problem is an annealing whose log weights are examined, with the options for that.
type problem struct {
	*stage.Problem
	Inversion            bool
	Frequencies, Workers int
}

// newProblem returns the problem of an annealing.
func newProblem(a *chains.Annealing, o Options) *problem {
	return &problem{stage.NewProblem(a, o.Progress), o.Inversion, o.Frequencies, o.Workers}
}
