package eprocess

import (
	"fmt"
	"math"

	"breadboard/chains/number"
	"breadboard/exact/weights"
)

// Level is a log weight X with bounds on P(log w < X).
type Level struct {
	X float64
	P weights.Bracket
}

// LevelsLogE returns the log e-value of the numbers of log weights, of n, that are below each level. The probability of
// being below a level is known within bounds. The e-value of a level is the mixture likelihood of CountsLogE divided by
// the largest likelihood that a probability within the bounds gives; it is no larger than with the true probability, so
// that bounds, however wide, give no false alarm. The result is the average over the levels.
func LevelsLogE(below []int, n int, levels []Level) float64 {
	terms := make([]float64, len(levels))
	for i, l := range levels {
		terms[i] = levelLogE(below[i], n, l.P)
	}
	return number.LogMean(terms)
}

// levelLogE returns the log e-value of one level.
func levelLogE(below, n int, p weights.Bracket) float64 {
	counts := [2]int{below, n - below}
	share := float64(below) / float64(max(1, n))
	best := max(p.Low, min(p.High, share))
	return CountsLogE(counts[:], []float64{p.Value, 1 - p.Value}) + LogLikelihood(counts, p.Value) - LogLikelihood(counts, best)
}

// WorstLevel says at which level the count deviates most from its expectation, in standard deviations.
func WorstLevel(below []int, n int, levels []Level) string {
	worst := 0
	off := func(i int) float64 {
		p := levels[i].P.Value
		return math.Abs(float64(below[i])-float64(n)*p) / math.Sqrt(p*(1-p))
	}
	for i := range levels {
		if off(i) > off(worst) {
			worst = i
		}
	}
	l := levels[worst]
	return fmt.Sprintf("log w < %.6g: %d of %d chains, %.6g expected", l.X, below[worst], n, float64(n)*l.P.Value)
}
