package policies

import (
	"math"

	"breadboard/chains/number"
)

// totals are the sums over all layers.
type totals struct {
	sums
	// the sum over the layers of the squared rounding of a, which is independent from layer to
	// layer
	square   float64
	rounding float64 // of c, about
}

// addLayer adds the parts of a layer.
func (t *totals) addLayer(sol *Solution, all []sums, layer int) {
	var forward, reverse, roundingR, massR, roundingQ, massQ, spreadQ, spreadR float64
	for i := range all {
		a := &all[i]
		forward += a.forward.Value()
		reverse += a.reverse.Value()
		t.qp.Add(a.qp.Value())
		t.pq.Add(a.pq.Value())
		t.forwardLost.Add(a.forwardLost.Value())
		t.reverseLost.Add(a.reverseLost.Value())
		spreadQ, spreadR = spreadQ+a.spreadQ, spreadR+a.spreadR
		t.condition += a.condition
		t.conditionQ += a.conditionQ
		roundingR += a.roundingR
		massR += a.massR
		roundingQ += a.roundingQ
		massQ += a.massQ
		t.weight = append(t.weight, a.weight...)
		t.variance += a.variance
		t.possible += a.possible
		t.lost += a.lost
		sol.States += a.states
	}
	if massR > 0 && massQ > 0 {
		rounding := max(roundingR/massR, roundingQ/massQ)
		t.square += rounding * rounding
		t.rounding = 2 * math.Sqrt(t.square)
	}
	gap := LayerGap{positive(forward, 2*spreadQ*t.rounding), positive(reverse, 2*spreadR*t.rounding)}
	t.forward.Add(gap.Forward.Value)
	t.reverse.Add(gap.Reverse.Value)
	t.spreadQ, t.spreadR = t.spreadQ+spreadQ, t.spreadR+spreadR
	if layer > 0 {
		sol.Layers = append(sol.Layers, gap)
	}
}

// setSolution sets the numbers of a solution.
//
//	KL(path_fwd||path_rev) = KL(q||p) + the sum over the layers of forward, and the same in reverse,
//
//	B = KL(path_fwd||path_rev) + KL(path_rev||path_fwd), ESS = (E w)^2/E w^2.
func (t *totals) setSolution(sol *Solution) {
	sol.ForwardLost, sol.ReverseLost = t.forwardLost.Value(), t.reverseLost.Value()
	errorQP := t.conditionQ * t.rounding
	errorPQ := t.condition * t.rounding
	// log rho has two c
	errorForward := errorQP + 2*t.spreadQ*t.rounding
	errorReverse := errorPQ + 2*t.spreadR*t.rounding
	qp := t.qp.Value()
	pq := t.pq.Value()
	forward, reverse := qp+t.forward.Value(), pq+t.reverse.Value()
	sol.KLQP, sol.KLPQ, sol.J = positive(qp, errorQP), positive(pq, errorPQ), positive(qp+pq, errorQP+errorPQ)
	sol.KLForward, sol.KLReverse = positive(forward, errorForward), positive(reverse, errorReverse)
	sol.B = positive(forward+reverse, errorForward+errorReverse)
	sol.MeanLogWForward, sol.MeanLogWReverse = sol.aside(-sol.KLForward.Value, sol.KLForward.Error),
		sol.aside(sol.KLReverse.Value, sol.KLReverse.Error)
	if t.lost < 0.5 {
		t.possible = 1 - t.lost
	}
	ess := t.possible * t.possible / (1 + t.variance)
	if !(-0.5 < t.variance && t.variance < largest) {
		ess = math.Exp(2*number.Log(t.possible) - number.LogSumExp(t.weight))
	}
	sol.ESS = number.Within(ess, 2*t.rounding)
}

// aside returns log Z plus a number with a bound on its error.
func (sol *Solution) aside(by, lost float64) number.Bounded {
	if lost > 0 { // the rounding of log Z counts where the sum cancels
		lost += 2 * epsilon * math.Abs(sol.LogZ)
	}
	return number.Bounded{Value: sol.LogZ + by, Error: lost}
}

// promised is the error below which a divergence that is not larger counts as zero.
const promised = 1e-12

// positive returns a divergence with a bound on its error: zero if it is no larger than that and
// the error is as small as promised.
func positive(v, lost float64) number.Bounded {
	switch {
	case math.IsInf(v, 1):
		return number.Exactly(v)
	case v <= lost && lost < promised:
		return number.Bounded{Value: 0, Error: lost + max(0, v)}
	}
	return number.Bounded{Value: v, Error: lost}
}
