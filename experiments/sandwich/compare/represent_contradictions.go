package compare

import (
	"fmt"
	"math"
)

// Alpha is the largest probability with which Contradictions finds something although nothing is wrong.
const Alpha = 1e-6

// RepresentationContradictions says where the lower end of a representation is above the upper end of one, of itself or of another one, by more than
// chance: then one of them does not anneal, or they are not of the same model. It compares the rows of
// the most data sets, whatever their T.
//
// Let a data set's lower end exceed log p(y) by u, and its upper end fall short of it by v. Markov's inequality bounds both, since the mean
// weight forward is p(y), that in reverse over one it is 1/p(y), over chains and exact draws, and means of logarithms are below logarithms
// of means: E e^u <= 1 and E e^v <= 1. Then E e^((u+v)/2) <= 1 by Cauchy and Schwarz, however u and v depend on each other. Data sets are
// independent, so that with n of them P(u + v >= g on average) <= e^(-n g/2). Chains that share an exact draw are no exception, which they
// are for standard errors. The probability is shared by all comparisons.
func RepresentationContradictions(rows []RepresentationRow) (found []string) {
	whole := RepresentationWhole(rows)
	type comparison struct{ low, high *RepresentationRow }
	var all []comparison
	for i := range whole {
		for j := range whole {
			if whole[i].Data == whole[j].Data {
				all = append(all, comparison{&whole[i], &whole[j]})
			}
		}
	}
	for _, c := range all {
		gap := c.low.Lower - c.high.Upper
		chance := math.Exp(-gap * float64(c.low.Datasets) / 2)
		if gap > 0 && chance < Alpha/float64(len(all)) {
			found = append(found, fmt.Sprintf("the lower end of %s at T = %d is %.3g nats above the upper end of %s at T = %d, on average over %s; by chance that has a probability of at most %.2g",
				c.low.Representation, c.low.T, gap, c.high.Representation, c.high.T, sets(c.low.Datasets), chance))
		}
	}
	return found
}

// sets counts data sets in words.
func sets(n int) string {
	if n == 1 {
		return "one data set"
	}
	return fmt.Sprintf("%d data sets", n)
}

// RepresentationWhole returns the rows of all data sets together, or those of the only data set.
func RepresentationWhole(rows []RepresentationRow) []RepresentationRow {
	return ofMost(rows, func(r *RepresentationRow) int { return r.Datasets })
}

// ofMost returns the rows of the most data sets.
func ofMost[R any](rows []R, datasets func(*R) int) (out []R) {
	most := 0
	for i := range rows {
		most = max(most, datasets(&rows[i]))
	}
	for i := range rows {
		if datasets(&rows[i]) == most {
			out = append(out, rows[i])
		}
	}
	return out
}
