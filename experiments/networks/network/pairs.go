package network

import (
	"cmp"
	"encoding/csv"
	"io"
	"maps"
	"math"
	"slices"

	"breadboard/reports/columns"
)

// PairRow is the answer for one value of each of two variables of a common factor that are neither
// observed nor hidden.
type PairRow struct {
	*Answer
	A, B           int // the variables, the first before the second
	ValueA, ValueB int
}

// Pairs returns the rows of the distributions of pairs; none if they were not requested.
func (a *Answer) Pairs() (list []PairRow) {
	pairs := slices.Collect(maps.Keys(a.Posterior.Joint))
	slices.SortStableFunc(pairs, func(p, q [2]int) int { return cmp.Or(p[0]-q[0], p[1]-q[1]) })
	for _, pair := range pairs {
		if v, w := pair[0], pair[1]; !a.Hidden[v] && !a.Hidden[w] {
			for k := range a.Posterior.Joint[pair] {
				n := len(a.Variables[w].Labels)
				list = append(list, PairRow{a, v, w, k / n, k % n})
			}
		}
	}
	return list
}

// distribution returns the probabilities of both values, of the first alone, of the second alone,
// and of neither.
func (r *PairRow) pairProbabilities() (both, first, second, neither float64) {
	law := r.Posterior.Joint[[2]int{r.A, r.B}]
	n := len(r.Variables[r.B].Labels)
	for k, p := range law {
		switch a, b := k/n == r.ValueA, k%n == r.ValueB; {
		case a && b:
			both += p
		case a:
			first += p
		case b:
			second += p
		default:
			neither += p
		}
	}
	return both, first, second, neither
}

// Probability returns the probability that the variables have these values.
func (r *PairRow) Probability() float64 { both, _, _, _ := r.pairProbabilities(); return both }

// Correlation returns the correlation of the two events, NaN if one of them is certain or
// impossible. It is right to some units of 1e-16, not relative to its size.
func (r *PairRow) Correlation() float64 {
	both, first, second, neither := r.pairProbabilities()
	return (float64(both*neither) - float64(first*second)) /
		math.Sqrt((both+first)*(second+neither)*(both+second)*(first+neither))
}

// pairColumns lists the columns of the table of pairs.
func pairColumns() columns.List {
	list := columns.List{
		columns.Of("a", "a", "the name of a variable",
			func(r *PairRow) string { return r.Variables[r.A].Name }).Answer(),
		columns.Of("label_a", "label", "the name of its value",
			func(r *PairRow) string { return r.Variables[r.A].Labels[r.ValueA] }).Answer(),
		columns.Of("b", "b", "the name of a later variable that shares a factor",
			func(r *PairRow) string { return r.Variables[r.B].Name }).Answer(),
		columns.Of("label_b", "label", "the name of its value",
			func(r *PairRow) string { return r.Variables[r.B].Labels[r.ValueB] }).Answer(),
		columns.Of("probability", "probability", "the probability of both values given the evidence",
			(*PairRow).Probability).Answer(),
		columns.Of("correlation",
			"correlation", "the correlation of the two events, to 1e-15; NaN if one of them is certain",
			(*PairRow).Correlation),
	}
	for i, f := range list {
		list[i] = f.With("pairs")
	}
	return list
}

// WriteSamples writes the drawn states as CSV, with a column for each variable that is neither
// observed nor hidden, and the labels of their values.
func (a *Answer) WriteSamples(to io.Writer) error {
	free := a.Free()
	w := csv.NewWriter(to)
	cells := make([]string, len(free))
	for k, v := range free {
		cells[k] = a.Variables[v].Name
	}
	err := w.Write(cells)
	for row := 0; row < len(a.Posterior.Samples[0]) && err == nil; row++ {
		for k, v := range free {
			cells[k] = a.Variables[v].Labels[a.Posterior.Samples[v][row]]
		}
		err = w.Write(cells)
	}
	w.Flush()
	return err
}
