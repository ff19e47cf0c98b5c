package aide

import (
	"math"

	"breadboard/chains/particle"
)

// bimodalStates is the number of states of the study bimodal; the middle one counts to the right mode.
const bimodalStates = 21

// bimodalTarget is log f: two modes of the same width and height.
func bimodalTarget(x float64) float64 {
	a, b := -(x-5)*(x-5)/4, -(x-15)*(x-15)/4
	return max(a, b) + math.Log1p(math.Exp(-math.Abs(a-b)))
}

// bimodalOffset is log f of the proposal that covers the left mode.
func bimodalOffset(x float64) float64 { return -(x - 5) * (x - 5) / 8 }

// bimodal is the study of importance resampling from a proposal that covers both modes, the uniform one, and from one that misses
// the right mode. After figure 3 of the paper: the error of log Zhat does not tell the two apart, and AIDE does.
func bimodal(Data) (*Comparison, error) {
	target := onGrid(bimodalTarget)
	s := &Comparison{study: "bimodal", p: normalised(target), own: string(Exact), about: "the mass of the right mode, x >= 10"}
	s.probe = func(x int) float64 {
		if x >= bimodalStates/2 {
			return 1
		}
		return 0
	}
	for _, proposal := range []struct {
		name string
		logf func(float64) float64
	}{{"broad", func(float64) float64 { return 0 }}, {"offset", bimodalOffset}} {
		flow := particle.NewProposed(onGrid(proposal.logf), target)
		s.all = append(s.all, family{algorithm: proposal.name, counts: []int{1, 10, 100, 1000}, with: func(particles int) (contender, error) {
			return onProposal(proposal.name, flow, particles), nil
		}})
	}
	return s, nil
}

// onGrid returns log f of each state.
func onGrid(logf func(x float64) float64) []float64 {
	out := make([]float64, bimodalStates)
	for x := range out {
		out[x] = logf(float64(x))
	}
	return out
}
