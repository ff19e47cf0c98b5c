package weights

import (
	"breadboard/chains"
	"breadboard/exact/internal/sweep"
)

// Options say how LawsOf works. Inversion and Workers never change what it answers; Frequencies change how narrow
// its brackets are. The zero value is the default.
type Options struct {
	// Progress is called now and then, from several goroutines, with the number of steps since the last call, out of
	// LawProgress. It may be nil.
	Progress func(steps int)
	// Inversion makes it invert transforms where a lattice would do, to compare the two.
	Inversion bool
	// Frequencies is the number of frequencies at which characteristic functions are computed, at most MaxFrequencies:
	// more take more time, and make narrower brackets. At 0 it is what some seconds allow.
	Frequencies int
	// Workers is how much is done at once; 0 is as much as there are processors.
	Workers int
}

// SampleOptions say how MultiSampleBounds works, never what it answers. The zero value is the default.
type SampleOptions struct {
	Progress  func(steps int) // as of Options
	Inversion bool            // as of Options
	Workers   int             // as of Options
}

// problem is an annealing whose log weight is asked about, and how.
type problem struct {
	*sweep.Problem
	Inversion            bool
	Frequencies, Workers int
}

func newProblem(a *chains.Annealing, o Options) *problem {
	return &problem{sweep.NewProblem(a, o.Progress), o.Inversion, o.Frequencies, o.Workers}
}
