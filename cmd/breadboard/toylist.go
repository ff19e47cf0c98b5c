package main

import (
	"encoding/csv"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"breadboard/chains/selector"
)

// maxToys bounds the number of toys of one command. A sweep takes more.
const maxToys = 100_000

// toyList is a flag that takes selectors of toys with commas between them, and ranges in them, as random:2:{0..99} or random:2:{3,7}. The first time it
// is given it replaces the default, and then it adds to what is there.
type toyList struct {
	toys    *[]string
	changed bool
}

// addToys adds the flag of a list of toys, whose default is what is there.
func addToys(flags *pflag.FlagSet, toys *[]string, usage string) {
	flags.Var(&toyList{toys: toys}, "toy", usage)
}

func (l *toyList) Type() string { return "stringSlice" }

func (l *toyList) String() string {
	if l.toys == nil || len(*l.toys) == 0 {
		return ""
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write(*l.toys) // a strings.Builder never fails
	w.Flush()
	return "[" + strings.TrimSuffix(b.String(), "\n") + "]"
}

func (l *toyList) Set(text string) error {
	lines, err := selector.ReadLists(text)
	if err != nil {
		return err
	}
	if !l.changed {
		*l.toys, l.changed = nil, true
	}
	all, err := selector.ExpandRanges(slices.Concat(append([][]string{*l.toys}, lines...)...), maxToys)
	if err == nil {
		*l.toys = all
	}
	return err
}

// Append, Replace and GetSlice make toyList a pflag.SliceValue.
func (l *toyList) Append(toy string) error {
	*l.toys = append(*l.toys, toy)
	return nil
}

func (l *toyList) Replace(toys []string) error {
	*l.toys = toys
	return nil
}

func (l *toyList) GetSlice() []string { return *l.toys }
