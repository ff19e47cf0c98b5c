package exact

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/paths"
	"breadboard/exact/internal/operator"
)

// Endless reports which of J and B are sure to be +Inf at every T, given the solution at one T. It says so on geometric paths alone, and of J where T is large enough for that.
//
// There all distributions after the first are zero on the same states, Z, of those on which the first is positive. The first increment of log w is
// -Inf where x_1 is in Z, and the last state of a reverse chain, a draw of the target, stays one by the kernel that leaves the target as it is, so that
// log w is +Inf where the first distribution is zero there: B is infinite unless both ends are positive on the same states. J is infinite where chains
// end in Z. No kernel leads into Z, so that these have been in Z all the time. A way of as many steps as Z has states comes to one of them
// twice; what lies between can be left out or gone again and again, so that there is a way of every length where the kernel may do the same at each stage.
func Endless(a *chains.Annealing, s *Solution) (J, B bool) {
	if _, geometric := a.Path().(*paths.Geometric); !geometric {
		return false, false
	}
	first, last := make([]float64, a.States()), make([]float64, a.States())
	a.LogF(first, 1)
	a.LogF(last, a.Distributions())
	zeros := 0
	for x := range first {
		start, target := !math.IsInf(first[x], -1), !math.IsInf(last[x], -1)
		B = B || start != target
		if start && !target {
			zeros++
		}
	}
	k := a.Kernel()
	same := k != nil && chains.OfLibrary(k) && !operator.Varies(k)
	steps := a.Distributions() - 1
	// Of the steps that are looked at none is made at a beta of zero, where the distribution is still the first.
	return same && zeros > 0 && math.IsInf(s.KLQP, 1) && steps >= zeros && a.Beta(steps-zeros+2) > 0, B
}
