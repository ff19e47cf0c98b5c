package couplings

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/kernels"
	"breadboard/grid"
)

// ofProposals couples the proposals of a kernel maximally: the distributions of the proposed state,
// where a step off the space proposes the state itself, which is always accepted. What remains of
// the two distributions is independent. One uniform number decides about both proposals. Of a heat
// bath, one axis is drawn for both, and the distributions along the two lines are coupled
// maximally.
func ofProposals(k chains.Kernel) (Coupling, error) {
	switch k := k.(type) {
	case kernels.Metropolis:
		return proposals{k.Space, func(from, to float64) []float64 {
			return []float64{math.Exp(min(0, to-from)), -math.Expm1(min(0, to-from))}
		}}, nil
	case kernels.Barker:
		return proposals{k.Space, func(from, to float64) []float64 {
			return []float64{1 / (1 + math.Exp(from-to)), 1 / (1 + math.Exp(to-from))}
		}}, nil
	}
	if parts, combined := chains.PartsOf(k); combined && !parts.Sequential {
		lines := make([]Coupling, len(parts.Kernels))
		for i, part := range parts.Kernels {
			if _, line := part.(kernels.HeatBathAxis); !line {
				return nil, errProposals
			}
			lines[i], _ = ofRows(independentResiduals)(part)
		}
		weights := parts.Weights
		return Func(func(c chains.Chooser, logf []float64, x, y int) (x2, y2 int) {
			at := 0
			if len(lines) > 1 {
				at = c.Choose(weights)
			}
			return faithful{parts.Kernels[at], lines[at]}.Couple(c, logf, x, y)
		}), nil
	}
	return nil, errProposals
}

var errProposals = errs.New(
	"it proposes no neighbour; proposals is for metropolis, barker and heatbath, and all other couplings " +
		"accept any kernel",
)

// proposals couples a kernel that proposes a neighbour and accepts it by a rule.
//
// With q the distribution of the proposed state, both chains propose z with probability min(q_x(z),
// q_y(z)), and each accepts if the same uniform number is below its acceptance. The proposals
// differ with probability TV(q_x, q_y). Time is O(directions) for a pair.
type proposals struct {
	space grid.Graph
	// the probabilities to accept and to refuse, of a state where f is positive
	accept func(from, to float64) []float64
}

// Couple implements Coupling.
func (k proposals) Couple(c chains.Chooser, logf []float64, x, y int) (x2, y2 int) {
	px, py := overlap(k.proposalRow(x), k.proposalRow(y), independentMoves)(c)
	refusedX, refusedY := drawBoth(c, k.accepted(logf, x, px), k.accepted(logf, y, py), -1)
	return []int{px, x}[refusedX], []int{py, y}[refusedY]
}

// proposalRow returns the distribution of the proposed state.
func (k proposals) proposalRow(x int) []chains.Entry {
	directions := k.space.Directions()
	row := make([]chains.Entry, directions)
	for d := range directions {
		row[d] = chains.Entry{To: x, P: 1 / float64(directions)}
		if y, inside := k.space.Neighbour(x, d); inside {
			row[d].To = y
		}
	}
	return tidy(row)
}

// accepted returns the probabilities with which the proposal of a state is accepted and refused.
func (k proposals) accepted(logf []float64, from, to int) []float64 {
	switch {
	case from == to:
		return []float64{1, 0}
	case math.IsInf(logf[to], -1):
		return []float64{0, 1}
	case math.IsInf(logf[from], -1):
		return []float64{1, 0}
	}
	return k.accept(logf[from], logf[to])
}
