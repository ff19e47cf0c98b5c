package kernels

import (
	"breadboard/chains"
)

// proposal is one proposal of a move, made with probability p: a state, or a step that would leave the space.
type proposal struct {
	y      int
	inside bool
	p      float64
}

// appendProposals appends the row of proposals that are accepted or refused by a rule.
func appendProposals(dst []chains.Entry, logf []float64, x int, list []proposal, accept, refuse rule) []chains.Entry {
	stay := 0.0
	for _, q := range list {
		if !q.inside {
			stay += q.p
			continue
		}
		stay += q.p * refuse(logf[x], logf[q.y])
		if p := q.p * accept(logf[x], logf[q.y]); p > 0 {
			dst = append(dst, chains.Entry{To: q.y, P: p})
		}
	}
	if stay > 0 {
		dst = append(dst, chains.Entry{To: x, P: stay})
	}
	return dst
}
