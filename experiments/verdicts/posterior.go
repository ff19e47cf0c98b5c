package verdicts

import (
	"math"
	"slices"

	"breadboard/chains/number"
)

// Posterior returns the logs of the posterior probabilities of distributions, given for each the
// log of its prior probability times that of the draws under it, all but for a constant. One of the
// distributions is not -Inf.
func Posterior(logs []float64) []float64 {
	top, total := slices.Max(logs), 0.0
	out := make([]float64, len(logs))
	for i, v := range logs {
		out[i] = v - top
		total += math.Exp(out[i])
	}
	for i := range out {
		out[i] -= number.Log(total)
	}
	return out
}

// EnoughLead is the posterior odds, against all other distributions together and against an unknown
// one, from which on a distribution is named. With smaller ones a bug that is on no list is too
// often taken for one that is.
const EnoughLead = 20

// These are how many times as many draws as it takes to find a fault are read before its name is
// certain: a distribution that is on no list and close to the named one is then told from it. For
// chains of annealing that is one which differs from it by some hundredths of what that differs
// from the specification, in KL of a chain. An unknown distribution of records is spread over all
// cells, which may be hundreds, and is hardly likelier before four times as many.
const (
	EnoughChains  = 32
	EnoughRecords = 4 * EnoughChains
)

// Lead is the posterior odds of a distribution, or of several that draws cannot tell from each
// other, as natural logarithms: against all other known distributions together, and against an
// unknown one.
type Lead struct{ Others, Unknown float64 }

// LeadOf returns the lead of the distributions that of chooses, by their logs as in Posterior. That
// of an unknown distribution is given apart.
func LeadOf(logs []float64, of func(i int) bool, unknown float64) Lead {
	var chosen, others []float64
	for i, v := range logs {
		if of(i) {
			chosen = append(chosen, v)
		} else {
			others = append(others, v)
		}
	}
	log := number.LogSumExp(chosen)
	return Lead{log - number.LogSumExp(others), log - unknown}
}

// All returns the posterior odds against everything else, known and unknown, as a natural
// logarithm.
func (l Lead) All() float64 { return -number.LogSumExp([]float64{-l.Others, -l.Unknown}) }

// Enough reports whether both odds are at least a number, as EnoughLead.
func (l Lead) Enough(odds float64) bool { return min(l.Others, l.Unknown) >= number.Log(odds) }
