package main

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/sampleuv"
)

// tenths is the target on 0, 1, 2, 3, whose probabilities are 0.1, 0.2, 0.3 and 0.4.
type tenths struct{}

func (tenths) LogProb(x float64) float64 { return math.Log(x + 1) }

// anywhere proposes each state with equal probability.
type anywhere struct{ *rand.Rand }

func (anywhere) ConditionalLogProb(_, _ float64) float64 { return -math.Log(4) }
func (a anywhere) ConditionalRand(_ float64) float64     { return float64(a.IntN(4)) }

// burnt is one draw after a burn-in.
func burnt(src rand.Source, burnIn int) float64 {
	batch := make([]float64, 1)
	proposal := anywhere{rand.New(src)}
	sampleuv.MetropolisHastings{Initial: 3, Target: tenths{}, Proposal: proposal, Src: src, BurnIn: burnIn}.
		Sample(batch)
	return batch[0]
}

// discarded is the same draw, with the burn-in drawn into the batch and discarded.
func discarded(src rand.Source, burnIn int) float64 {
	batch := make([]float64, burnIn+1)
	proposal := anywhere{rand.New(src)}
	sampleuv.MetropolisHastings{Initial: 3, Target: tenths{}, Proposal: proposal, Src: src}.Sample(batch)
	return batch[burnIn]
}
