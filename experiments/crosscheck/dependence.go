package crosscheck

import (
	"math"

	"breadboard/chains/number"
	"breadboard/experiments/eprocess"
)

// dependence returns the log of how much likelier counts of pairs of classes are if the class of the second depends on that of
// the first than if it does not, whatever the law of the second is: the e-values against p of the second given each class of
// the first, divided by that of the second by itself. So a wrong law of the second is not taken for a dependence.
func dependence(counts []int, p []float64) float64 {
	k := len(p)
	all := make([]int, k)
	total := 0.0
	for at := 0; at < len(counts); at += k {
		row := counts[at : at+k]
		total += eprocess.CountsLogE(row, p)
		for i, c := range row {
			all[i] += c
		}
	}
	if alone := eprocess.CountsLogE(all, p); !math.IsInf(alone, 0) {
		return total - alone
	}
	return math.Inf(-1) // classes that are impossible say nothing about a dependence
}

// transposed returns the counts with the classes of the second in the place of those of the first.
func transposed(counts []int, k int) []int {
	out := make([]int, len(counts))
	rows := len(counts) / k
	for at, c := range counts {
		out[at%k*rows+at/k] = c
	}
	return out
}

// dependence returns the log odds of a dependence at some lag against none.
func (a *apart) dependence() float64 {
	var terms []float64
	for _, counts := range a.counts {
		terms = append(terms, dependence(counts, a.p))
	}
	return number.LogMean(terms)
}

// dependence returns the log odds of a dependence between the directions against none. Of the two ways to look at it the one
// that finds less is taken.
func (a *across) dependence() float64 {
	return min(dependence(a.counts, a.reverse.p), dependence(transposed(a.counts, len(a.reverse.p)), a.forward.p))
}

// Dependence returns the log of how much likelier the chains are if they depend on others at some distance than if they do
// not, whatever their law is; -Inf where no state of them is known.
func (t *Tally) Dependence() float64 {
	var terms []float64
	for _, a := range t.apart {
		terms = append(terms, a.dependence())
	}
	return number.LogMean(terms)
}

// Dependence returns the log of how much likelier the chains are if those of one direction depend on those of the other than
// if they do not, whatever their laws are; -Inf where the columns do not say.
func (t *PairTally) Dependence() float64 {
	var terms []float64
	if t.comparable() {
		for _, a := range t.across() {
			terms = append(terms, a.dependence())
		}
	}
	return number.LogMean(terms)
}
