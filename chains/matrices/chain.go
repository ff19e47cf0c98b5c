// Package matrices reads and writes Markov chains as files of MatrixMarket and of PRISM (.tra with
// its .lab, .srew and .sta), and reads sparse matrices of SciPy. It reads discrete-time chains
// only; the error for another model names its type.
//
// It does not rescale rows, or add up repeated entries unless the format does. It compares a size
// that a file states with the caller's limit, and with the size of the file, before it takes
// memory. The caller checks whether rows sum to one.
//
// Sources: Boisvert, Pozo and Remington, "The Matrix Market exchange formats: initial design"
// (NISTIR 5935, 1996); and the appendix "Explicit model files" of PRISM's manual.
package matrices

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Chain is a Markov chain in discrete time, with the attributes of its states from a file.
type Chain struct {
	Rows
	Labels  []Label
	Rewards []Reward
	States  States
}

// Rows is a square matrix of which only the entries that are not zero are kept, row after row, and
// in each row by column.
type Rows struct {
	Starts []int   // row x has the entries Starts[x] to Starts[x+1]
	To     []int32 // the column of each entry, from 0 on
	P      []float64
	// Rounding is half a unit of the last digit that a text gives (see Rounding); zero for binary
	// files.
	Rounding float64
}

// Label is a set of states with a name.
type Label struct {
	Name string
	In   []bool // by state
}

// Initial is PRISM's name for the label of the states in which the chain may start.
const Initial = "init"

// Reward is a number for each state with a name, which may be empty. It is what model checkers
// collect on leaving the state.
type Reward struct {
	Name   string
	Values []float64 // by state
}

// States are the values of a chain's variables in each state.
type States struct {
	Names []string          // of the variables
	At    func(x int) []int // their values in a state
}

// Len returns the number of states.
func (r *Rows) Len() int { return len(r.Starts) - 1 }

// Row returns the columns and the entries of a row.
func (r *Rows) Row(x int) ([]int32, []float64) {
	first, last := r.Starts[x], r.Starts[x+1]
	return r.To[first:last], r.P[first:last]
}

// entry is an entry of a matrix as it stands in a text.
type entry struct {
	from, to, line int32
	p              float64
}

func byPlace(a, b entry) int {
	return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.line, b.line))
}

// gather returns rows that have the entries, of which zeros are left out. It fails if one is given
// twice.
func gather(n int, entries []entry) (*Rows, error) {
	if !slices.IsSortedFunc(entries, byPlace) {
		slices.SortFunc(entries, byPlace)
	}
	r := &Rows{Starts: make([]int, 1, n+1), To: make([]int32, 0, len(entries)), P: make([]float64, 0, len(entries))}
	for i, e := range entries {
		if i > 0 && e.from == entries[i-1].from && e.to == entries[i-1].to {
			return nil, at(int(e.line), "the entry from state %d to state %d stands already in line %d; add them up, or leave one out", e.from, e.to, entries[i-1].line)
		}
		for len(r.Starts) <= int(e.from) {
			r.Starts = append(r.Starts, len(r.P))
		}
		if e.p != 0 {
			r.To, r.P = append(r.To, e.to), append(r.P, e.p)
		}
	}
	for len(r.Starts) <= n {
		r.Starts = append(r.Starts, len(r.P))
	}
	return r, nil
}

// at returns an error with the number of its line.
func at(line int, format string, args ...any) error {
	return fmt.Errorf("line %d: "+format, append([]any{line}, args...)...)
}

// fits fails if a file promises more states than the caller allows.
func fits(states, most uint64) error {
	switch {
	case states == 0:
		return fmt.Errorf("there are no states; a chain has at least one")
	case states > most:
		return fmt.Errorf("there are %d states, and at most %d can be used here; is it the file of another chain?", states, most)
	}
	return nil
}

// The endings of PRISM's files that have numbers of states.
const (
	rewardsEnding = ".srew"
	labelsEnding  = ".lab"
)

// splitStates splits a path into a file with a number for each state and the name of the set of
// numbers, and reports whether it is such a path. A # is part of the file's name if none of the
// endings is in front of it.
func splitStates(path string) (file, name string, is bool) {
	has := func(file string) bool { return endsWith(file, append(umbEndings(), rewardsEnding, labelsEnding)...) }
	if i := strings.LastIndexByte(path, '#'); i >= 0 && has(path[:i]) {
		return path[:i], path[i+1:], true
	}
	return path, "", has(path)
}

// OfStates reports whether a path names one number for each state: rewards in FILE.srew, or a label
// in FILE.lab#NAME (1 for its states, 0 for the others). It is also true for FILE.umb, which
// ReadStates rejects with advice.
func OfStates(path string) bool {
	_, _, is := splitStates(path)
	return is
}

// Counts reports whether a file for which OfStates is true states the number of states. PRISM's
// labels do not.
func Counts(path string) bool {
	file, _, _ := splitStates(path)
	return !endsWith(file, labelsEnding)
}

// FileOf returns the path without the #NAME of a label.
func FileOf(path string) string {
	file, _, _ := splitStates(path)
	return file
}

// ReadStates reads the numbers of at most the given number of states from a path for which OfStates
// is true. A file of labels does not state the number of states; it is taken to be the limit.
func ReadStates(path string, most int) ([]float64, error) {
	file, name, _ := splitStates(path)
	data, err := readFile(file, most)
	if err != nil {
		return nil, err
	}
	switch {
	case endsWith(file, rewardsEnding):
		r, err := ParseRewards(data, most)
		if err != nil {
			return nil, err
		}
		if name != "" && name != r.Name {
			return nil, fmt.Errorf("the file has the rewards %q, and not %s; leave the name out", r.Name, name)
		}
		return r.Values, nil
	case endsWith(file, labelsEnding):
		labels, err := ParseLabels(data, most)
		if err != nil {
			return nil, err
		}
		return labelNamed(labels, name)
	}
	return nil, errUMB
}

// labelNamed returns the numbers of the named label.
func labelNamed(labels []Label, name string) ([]float64, error) {
	var names []string
	for _, l := range labels {
		if l.Name != name {
			names = append(names, l.Name)
			continue
		}
		values := make([]float64, len(l.In))
		for x, in := range l.In {
			if in {
				values[x] = 1
			}
		}
		return values, nil
	}
	return nil, fmt.Errorf("the file has no label with the name %q; write one behind #: %s", name, strings.Join(names, ", "))
}
