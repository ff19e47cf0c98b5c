package sandwich

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/estimators"
)

// starScans is the number of scans of the chain that finds z*.
const starScans = 100

// starred is the Chib-Murray-Salakhutdinov estimator at a state z* that each run finds by itself: the likeliest of those that a chain
// under the posterior visits in 100 scans from a draw of the prior. No exact draw is used. As z* does not depend on the chain of the
// estimate, given z*, what holds of the estimator at any given state holds of it.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.2, which takes a single z* and does not say which.
type starred[S comparable] struct {
	model Sampled[S]
	k     int
	start estimators.Start
}

func newStarred[S comparable](model Sampled[S], k int, start estimators.Start) (starred[S], error) {
	return starred[S]{model, k, start}, estimators.CheckDraws(k)
}

// Estimate implements estimators.Estimator.
func (e starred[S]) Estimate(c chains.RealChooser) float64 {
	star, logJoint := e.star(c)
	at, err := estimators.NewMurraySalakhutdinov(e.model, star, logJoint, e.k, e.start)
	if err != nil {
		panic(err) // k and start have been checked
	}
	return at.Estimate(c)
}

// star returns z* and the logarithm of its joint density with the data.
func (e starred[S]) star(c chains.RealChooser) (star S, logJoint float64) {
	end := chains.At(1)
	x := e.model.Prior(c)
	logJoint = math.Inf(-1)
	for range starScans {
		x = e.model.Move(c, end, x)
		if joint := e.model.LogPrior(x) + e.model.LogLikelihood(end, x); joint > logJoint {
			star, logJoint = e.model.Clone(x), joint
		}
	}
	return star, logJoint
}

// Work implements estimators.Estimator: the scans that find z*, and what the estimator at z* takes.
func (e starred[S]) Work() estimators.Work {
	return estimators.Work{Evaluations: 1 + (starScans+2*float64(e.k))*e.model.MoveWork()}
}

// Combination implements estimators.Estimator.
func (starred[S]) Combination() estimators.Combination { return estimators.ArithmeticMean }
