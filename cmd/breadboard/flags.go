package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"breadboard/chains/selector"
)

// addSelector adds a flag that takes one selector of the given forms.
func addSelector(flags *pflag.FlagSet, to *string, name, standard string, forms []string, usage string) {
	*to = standard
	flags.Var(&selectorValue{to: to, forms: forms}, name, usage)
}

type selectorValue struct {
	to    *string
	forms []string
	given bool // whether the default has been replaced
}

func (v *selectorValue) Type() string { return "string" }
func (v *selectorValue) String() string {
	if v.to == nil {
		return ""
	}
	return *v.to
}

// Set refuses a list of selectors by an error of its own, since the error for a single selector would not say what to do. It refuses a
// second selector too, where the first would otherwise be lost without a word.
func (v *selectorValue) Set(s string) error {
	if strings.TrimSpace(s) == "" {
		return errors.New("it is empty; leave the flag out for its default")
	}
	parts := strings.Split(s, ",")
	unknown := func(part string) bool { return !selector.Named(strings.TrimSpace(part), v.forms) }
	if len(parts) > 1 && !slices.ContainsFunc(parts, unknown) {
		return errors.New("give one at a time; breadboard sweep compares several")
	}
	if v.given && s != *v.to {
		return fmt.Errorf("the flag is given twice, first with %q; give one at a time; breadboard sweep compares several", *v.to)
	}
	*v.to, v.given = s, true
	return nil
}

// addSeed adds the flag of a seed, 1 by default.
func addSeed(flags *pflag.FlagSet, seed *uint64, usage string) {
	*seed = 1
	flags.Var((*seedValue)(seed), "seed", usage)
}

// seedValue is a flag that takes a seed.
type seedValue uint64

func (v *seedValue) String() string { return strconv.FormatUint(uint64(*v), 10) }
func (v *seedValue) Type() string   { return "N" }
func (v *seedValue) Set(s string) error {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return fmt.Errorf("%s is no whole number from 0 to 18446744073709551615", s)
	}
	*v = seedValue(n)
	return nil
}

// addNumbers adds a flag that takes numbers separated by commas, which replace the default.
func addNumbers(flags *pflag.FlagSet, to *[]float64, name string, standard []float64, usage string) {
	*to = standard
	flags.Var(&numbersValue{to: to}, name, usage)
}

type numbersValue struct {
	to    *[]float64
	given bool // whether the default has been replaced
}

func (v *numbersValue) Type() string { return "X,..." }
func (v *numbersValue) String() string {
	if v.to == nil {
		return ""
	}
	var parts []string
	for _, x := range *v.to {
		parts = append(parts, strconv.FormatFloat(x, 'g', -1, 64))
	}
	return strings.Join(parts, ",")
}

func (v *numbersValue) Set(s string) error {
	if !v.given {
		*v.to, v.given = nil, true
	}
	for part := range strings.SplitSeq(s, ",") {
		x, err := selector.ParseNumber(strings.TrimSpace(part))
		if err != nil {
			return err
		}
		*v.to = append(*v.to, x)
	}
	return nil
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
