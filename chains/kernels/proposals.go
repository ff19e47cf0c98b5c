package kernels

import "breadboard/chains"

// proposal is one proposal of a move, made with probability p: a state, or a step that would leave the space.
type proposal struct {
	y      int
	inside bool
	p      float64
}

// block is the number of proposals whose probabilities are added up by themselves. A plain sum of hundreds of thousands of them, as Moore
// makes on twelve axes, would be off by so much that a row no longer sums to one.
const block = 1 << 10

// appendProposals appends the row of proposals that are accepted or refused by a rule.
func appendProposals(dst []chains.Entry, logf []float64, x int, list []proposal, accept, refuse rule) []chains.Entry {
	total, stay := 0.0, 0.0
	for i, q := range list {
		if i%block == 0 {
			total, stay = total+stay, 0
		}
		if !q.inside {
			stay += q.p
			continue
		}
		stay += q.p * refuse(logf[x], logf[q.y])
		if p := q.p * accept(logf[x], logf[q.y]); p > 0 {
			dst = append(dst, chains.Entry{To: q.y, P: p})
		}
	}
	if stay += total; stay > 0 {
		dst = append(dst, chains.Entry{To: x, P: stay})
	}
	return dst
}
