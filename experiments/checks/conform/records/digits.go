package records

import (
	"fmt"
	"math"

	"breadboard/experiments/draws"
)

// patience is the number of runs after which a note says that a file has few digits. Until then a
// row may still come that has all.
const patience = 1 << 12

// column is what the numbers of a column of real numbers have shown so far.
type column struct {
	written draws.Precision // of all rows together: one cell may be 0.5 because that is its value, and not because it is rounded
	off     float64         // see Inexact
}

// Inexact says that the numbers of a column do not have all digits of the distributions' values.
type Inexact struct {
	Column string
	Off    float64 // their largest distance from values of the distributions, relative to one plus their size
}

// exact is how far the numbers of a program that computes in float64 are from values of the
// distributions, as Inexact says it.
const exact = 1e-10

// sent is a record that was sent.
type sent struct {
	Record
	run    int    // its number, from 1
	key    string // of its whole numbers
	places []int  // of its real numbers among the values of all distributions
}

// read takes a record. It waits if a number is no value of any distribution, and may be one by
// the digits that have been written of its column so far.
func (s *checkedSide) read(r sent) {
	r.Whole = s.laws.sorted(r.Whole)
	r.key, r.places = Key(r.Whole), make([]int, len(s.laws.Reals))
	for i, c := range s.laws.Reals {
		if !s.groups[c.Group] {
			continue
		}
		if r.Digits != nil {
			s.columns[i].written.Add(r.Digits[i])
		}
		v, values := r.Reals[i], s.valuesOf(i, r.Whole)
		if values == nil {
			continue
		}
		if r.places[i] = place(values, v); r.places[i] != unknown {
			s.columns[i].off = max(s.columns[i].off, values[r.places[i]].off(v)/(1+math.Abs(v)))
		}
	}
	if s.rounded(&r) >= 0 {
		s.waiting = append(s.waiting, r)
		return
	}
	s.count(&r)
}

// count lets all tests see a record.
func (s *checkedSide) count(r *sent) {
	for _, t := range s.tallies {
		if cell := t.add(r); cell != "" && t.learned {
			s.learn(t, cell, r)
		}
	}
	if !s.listed() && s.groups[s.laws.Reals[0].Group] {
		s.addReal(r)
	}
}

// rounded returns the column in which a record has a number that is none of the distributions', and
// is within rounding of one by the digits of the whole column; -1 if there is none. If no digits
// are known a number is what it is.
func (s *checkedSide) rounded(r *sent) int {
	for i, c := range s.laws.Reals {
		if !s.groups[c.Group] || r.places[i] != unknown {
			continue
		}
		if values, v := s.valuesOf(i, r.Whole), r.Reals[i]; values[nearest(values, v)].off(v) <= s.columns[i].written.Rounding(v) {
			return i
		}
	}
	return -1
}

// fewDigits lets the tests see the records that need not wait any longer, since their columns have
// more digits by now. It fails if some go on waiting though all records have come, or enough of
// them.
func (s *checkedSide) fewDigits(last bool) error {
	var waiting []sent
	for i := range s.waiting {
		if r := &s.waiting[i]; s.rounded(r) >= 0 {
			waiting = append(waiting, *r)
		} else {
			s.count(r)
		}
	}
	s.waiting = waiting
	if len(waiting) == 0 || !last && !s.ended && s.runs < patience {
		return nil
	}
	r := &waiting[0]
	i := s.rounded(r)
	v, values := r.Reals[i], s.valuesOf(i, r.Whole)
	return fmt.Errorf(
		"%s: %s of run %d, %v, has too few digits to distinguish it from %v, like the whole column; write all digits of a float64, as repr does in Python",
		s.source.Name, s.laws.Reals[i].Name, r.run, v, values[nearest(values, v)].low)
}

// inexact returns the columns whose numbers are not those of float64.
func (s *checkedSide) inexact() (list []Inexact) {
	for i, c := range s.columns {
		if c.off > exact {
			list = append(list, Inexact{s.laws.Reals[i].Name, c.off})
		}
	}
	return list
}
