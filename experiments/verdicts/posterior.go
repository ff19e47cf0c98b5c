package verdicts

import (
	"math"
	"slices"

	"breadboard/chains/number"
)

// With the logs l_i of prior times likelihood, a distribution has the posterior probability
//
//	P(i) = exp(l_i)/sum_j exp(l_j),
//
// and its lead is log P(i) less the log of what all others have together. Time is O(distributions).

// Posterior returns the logs of the posterior probabilities of distributions, given for each, up to
// a common constant, the log of its prior probability times that of the draws. At least one is not
// -Inf.
func Posterior(logs []float64) []float64 {
	top := slices.Max(logs)
	total := 0.0
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

// EnoughLead is the least posterior odds of a named distribution, against all other distributions
// together and against an unknown one. With smaller odds an unlisted bug is too often taken for a
// listed one.
const EnoughLead = 20

// EnoughChains is a multiple of the number of draws that finds a fault. After that many draws its
// name is certain: an unlisted distribution close to the named one is then distinguished from it,
// one whose KL from the named one is some hundredths of the latter's KL from the specification.
const EnoughChains = 32

// Lead is the posterior odds of a distribution, or of several that draws cannot tell from each
// other, as natural logarithms: against all other known distributions together, and against an
// unknown one.
type Lead struct{ Others, Unknown float64 }

// LeadOf returns the lead of the distributions chosen by of, by their logs as in Posterior; unknown
// is the log of the unknown distribution.
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

// Enough reports whether both odds are at least a number, such as EnoughLead.
func (l Lead) Enough(odds float64) bool { return min(l.Others, l.Unknown) >= number.Log(odds) }
