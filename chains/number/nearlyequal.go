package number

import (
	"math"
	"slices"
	"sort"
)

// oneUlps is the distance within which two values of a list count as equal, in units in the last
// place of the list's largest finite magnitude. Sums of the same terms in different orders are
// within one of them on all targets of the library, where other values are 10^9 of them apart.
// Whole numbers below 2^50 stay apart.
const oneUlps = 4

// Levels are the different values of a list. Values that differ only by rounding count as equal.
type Levels struct {
	// Values are the levels, ascending. Of values that count as equal, the greatest stands for all.
	Values []float64
	// Within is the distance within which two values count as equal: 4 units in the last place of
	// the largest finite magnitude.
	Within float64
}

// LevelsOf returns the levels of a list of numbers, of which none is NaN. In ascending order a
// value joins the level of the one before if it is at most Levels.Within above the smallest value
// of that level. So no level is wider than Levels.Within. Time is that of sorting.
func LevelsOf(values []float64) Levels {
	values = slices.Clone(values)
	sort.Float64s(values)
	largest := 0.0
	for _, v := range values {
		if !math.IsInf(v, 0) {
			largest = max(largest, math.Abs(v))
		}
	}
	l := Levels{Within: oneUlps * (largest - math.Nextafter(largest, 0))}
	least := 0.0
	for _, v := range values {
		if last := len(l.Values) - 1; last >= 0 && (v == least || v-least <= l.Within) {
			l.Values[last] = v
			continue
		}
		l.Values = append(l.Values, v)
		least = v
	}
	return l
}

// Find returns the index of the first level that is at least v - Within, and whether v is of that
// level. For a number above all levels the index is len(Values).
func (l Levels) Find(v float64) (at int, of bool) {
	at, of = slices.BinarySearch(l.Values, v)
	switch {
	case of:
	case at > 0 && v-l.Values[at-1] <= l.Within:
		at -= 1
		of = true
	case at < len(l.Values):
		of = l.Values[at]-v <= l.Within
	}
	return at, of
}

// AtMost reports whether v <= bound, up to the rounding within which numbers count as equal.
func (l Levels) AtMost(v, bound float64) bool { return v <= bound || v-bound <= l.Within }
