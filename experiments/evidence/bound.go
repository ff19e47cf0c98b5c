package evidence

import (
	"cmp"
	"math"
	"slices"

	"breadboard/chains/estimators"
)

// Bound says on which side of log Z the mean of log Z-hat is for certain, on every target.
type Bound string

// These are the bounds.
const (
	Lower   Bound = "lower" // E log Z-hat <= log Z
	Upper   Bound = "upper" // E log Z-hat >= log Z
	NoBound Bound = "none"  // neither is known of it
)

// bound returns the bound that follows, by Jensen's inequality, from how estimates are combined: Z-hat is unbiased, or its reciprocal, or
// Z-hat is itself a lower bound.
func (p *plan) bound() Bound {
	switch {
	case p.biased || p.combination == estimators.MeanOfLogs:
		return NoBound
	case p.combination == estimators.HarmonicMean:
		return Upper
	}
	return Lower
}

// sortByRMSE orders the rows of each target by their root mean squared error, from the least. Those of which it is not known come last.
// Rows of one target stand together.
func sortByRMSE(rows []Row) {
	for _, list := range ByTarget(rows) {
		slices.SortStableFunc(list, func(a, b Row) int { return cmp.Compare(orInfinite(a.RMSE), orInfinite(b.RMSE)) })
	}
}

// orInfinite returns a number, and infinity for one that is not known.
func orInfinite(v float64) float64 {
	if math.IsNaN(v) {
		return math.Inf(1)
	}
	return v
}

// ByTarget splits rows into those of each target, which stand together.
func ByTarget(rows []Row) (lists [][]Row) {
	for len(rows) > 0 {
		n := slices.IndexFunc(rows, func(r Row) bool { return r.Algorithm != rows[0].Algorithm })
		if n < 0 {
			n = len(rows)
		}
		lists, rows = append(lists, rows[:n]), rows[n:]
	}
	return lists
}

// Usable returns the row with the least root mean squared error among those of one target that can be had on real data, where nobody makes
// exact draws, and that cost no more than a work. It is nil where there is none.
func Usable(rows []Row, work float64) *Row {
	var best *Row
	for i := range rows {
		r := &rows[i]
		if r.NeedsExactDraw || !(r.Work <= work*(1+1e-9)) || math.IsInf(orInfinite(r.RMSE), 1) {
			continue
		}
		if best == nil || r.RMSE < best.RMSE {
			best = r
		}
	}
	return best
}
