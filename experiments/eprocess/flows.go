package eprocess

import (
	"fmt"
	"math"

	"breadboard/chains/number"
)

// Flow counts the moves between two states x < y: from x to y, and from y to x.
type Flow struct {
	X, Y   int
	Counts [2]int
}

// FlowsLogE returns the log e-value of moves from independent draws of a distribution p against the hypothesis that the kernel
// is reversible with respect to p. Then the flow from x to y is the flow from y to x, so that each move between the two is a fair
// coin. Each pair has the mixture over the Beta(kappa/2, kappa/2) laws, as CountsLogE has it. The result is the mean of two
// e-values: the mean over kappa of the product over the pairs, which finds a slight fault at many pairs, and the mean over all
// pairs of states, of which there are the given number, which finds a fault at one pair. Pairs without a move may be left out.
//
// Source: as of CountsLogE.
func FlowsLogE(flows []Flow, states int) float64 {
	kappas := Concentrations()
	var all [ConcentrationCount]float64
	each := make([]float64, 0, len(flows)+1)
	for _, f := range flows {
		a, b := float64(f.Counts[0]), float64(f.Counts[1])
		var terms [ConcentrationCount]float64
		for k, kappa := range kappas {
			terms[k] = excessRising(kappa/2, a) + excessRising(kappa/2, b) - excessRising(kappa, a+b)
			all[k] += terms[k]
		}
		each = append(each, number.LogMean(terms[:]))
	}
	pairs := float64(states) * float64(states-1) / 2
	return number.LogMean([]float64{number.LogMean(all[:]), logMeanWithOnes(each, pairs)})
}

// WorstFlow says between which two states the moves deviate most from being as many in both directions, in standard deviations.
func WorstFlow(flows []Flow, name func(x int) string) string {
	worst, size := -1, 0.0
	for i, f := range flows {
		off, n := float64(f.Counts[0]-f.Counts[1]), float64(f.Counts[0]+f.Counts[1])
		if z := off * off / n; n > 0 && z > size {
			worst, size = i, z
		}
	}
	if worst < 0 {
		return "as many moves in both directions between all states"
	}
	f := flows[worst]
	return fmt.Sprintf("%d moves from state %s to state %s, and %d back", f.Counts[0], name(f.X), name(f.Y), f.Counts[1])
}

// logMeanWithOnes returns the log of the mean of n e-values: exp(v), and a one for each of those that v has not.
func logMeanWithOnes(v []float64, n float64) float64 {
	if n < 1 {
		return 0
	}
	top := 0.0
	for _, x := range v {
		top = max(top, x)
	}
	total := (n - float64(len(v))) * math.Exp(-top)
	for _, x := range v {
		total += math.Exp(x - top)
	}
	return top + math.Log(total/n)
}
