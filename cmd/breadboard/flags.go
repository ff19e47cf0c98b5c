package main

import (
	"errors"

	"github.com/spf13/pflag"

	"breadboard/experiments/study"
)

// addSelector adds a flag that takes one selector of the given forms.
func addSelector(flags *pflag.FlagSet, to *string, name, standard string, forms []string, usage string) {
	*to = standard
	flags.Var(study.Selector(to, forms), name, usage)
}

// addSeed adds the flag of a seed, 1 by default.
func addSeed(flags *pflag.FlagSet, seed *uint64, usage string) {
	*seed = 1
	flags.Var(study.Seed(seed), "seed", usage)
}

// addWorkers adds the flag of how many are at work at once, which as many as there are cores are by default.
func addWorkers(flags *pflag.FlagSet, workers *int, usage string) {
	flags.IntVar(workers, "workers", 0, usage+"; 0 is one for each core")
}

// addNumbers adds a flag that takes numbers separated by commas, which replace the default.
func addNumbers(flags *pflag.FlagSet, to *[]float64, name string, standard []float64, usage string) {
	*to = standard
	flags.Var(study.Numbers(to), name, usage)
}

// directoryValue is a flag that takes a directory.
type directoryValue string

func (v *directoryValue) String() string { return string(*v) }
func (v *directoryValue) Type() string   { return "DIR" }
func (v *directoryValue) Set(s string) error {
	if s == "" {
		return errors.New("no directory is named; leave the flag out, or write --out DIR")
	}
	*v = directoryValue(s)
	return nil
}
