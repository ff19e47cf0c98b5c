package conform

import (
	"fmt"
	"math"

	"breadboard/experiments/crosscheck"
	"breadboard/experiments/eprocess"
)

// logarithms tells weights from log weights: where every number is positive, it tests whether their logarithms have the right
// mean. It is a suspicion and no hypothesis, because the law of the weights themselves is known only where they can be listed.
type logarithms struct {
	n, positive int
	sum         float64
}

func (l *logarithms) add(logw []float64) {
	l.n += len(logw)
	for _, v := range logw {
		if v > 0 && !math.IsInf(v, 0) {
			l.positive++
			l.sum += math.Log(v)
		}
	}
}

// suspicion says that the numbers seem to be weights; it is empty where they do not.
func (l *logarithms) suspicion(s *side, laws *crosscheck.ChainLaws, logThreshold float64) string {
	if l.n == 0 || l.positive < l.n {
		return ""
	}
	powers, k := laws.CGF(s.d)
	if eprocess.WeightsLogE(l.sum, l.n, powers, k) >= logThreshold {
		return ""
	}
	return fmt.Sprintf("the %s log weights are all positive, and their logarithms have the mean that log weights should have: they seem to be weights; write their natural logarithms", s.d)
}
