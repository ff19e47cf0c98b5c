// Package matrices reads and writes Markov chains as files of MatrixMarket, and reads sparse
// matrices of SciPy.
//
// It does not rescale rows, or add up repeated entries unless the format does. It compares a size
// that a file states with the caller's limit, and with the size of the file, before it takes
// memory. The caller checks whether rows sum to one.
//
// Source: Boisvert, Pozo and Remington, "The Matrix Market exchange formats: initial design"
// (NISTIR 5935, 1996).
package matrices

import (
	"cmp"
	"fmt"
	"slices"

	"breadboard/chains/errs"
)

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
	r := &Rows{
		Starts: make([]int, 1, n+1),
		To:     make([]int32, 0, len(entries)),
		P:      make([]float64, 0, len(entries)),
	}
	for i, e := range entries {
		if i > 0 && e.from == entries[i-1].from && e.to == entries[i-1].to {
			return nil, lineError(int(e.line),
				"the entry from state %d to state %d stands already in line %d; add them up, or leave one out",
				e.from, e.to, entries[i-1].line)
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

// lineError returns an error with the number of its line.
func lineError(line int, format string, args ...any) error {
	return fmt.Errorf("line %d: "+format, append([]any{line}, args...)...)
}

// fits fails if a file promises more states than the caller allows.
func fits(states, most uint64) error {
	switch {
	case states == 0:
		return errs.New("there are no states; a chain has at least one")
	case states > most:
		return errs.New("there are %d states, and at most %d can be used here; is it the file of another chain?",
			states, most)
	}
	return nil
}
