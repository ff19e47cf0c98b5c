package eprocess

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
)

// LargestWeight returns a bound on the log weights of an annealing's forward chains, in nats: the sum over the stages
// t = 2..T of the largest increment that a state with f_{t-1} > 0 has. No estimate of Z_T / Z_1 that is an average of products of these
// increments is larger: AIS with any number of chains, and SMC with any resampling, since each stage contributes an average of
// increments. On a geometric path from the uniform distribution it is the largest log f_T - log f_1, which the chain that
// stays at the highest state attains. Estimates of Z_T itself are larger by log Z_1, which the caller adds.
//
// It takes time in proportion to T times the number of states. It fails where the context ends, and where no state is
// possible.
func LargestWeight(ctx context.Context, a *chains.Annealing) (float64, error) {
	centred, offset := a.Centred()
	n := centred.States()
	before, after, ratio := make([]float64, n), make([]float64, n), make([]float64, n)
	centred.LogF(before, 1)
	total := 0.0
	for t := 2; t <= centred.Distributions(); t++ {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		centred.LogF(after, t)
		centred.LogRatio(ratio, t)
		largest := math.Inf(-1)
		for x := range n {
			if !math.IsInf(before[x], -1) && !math.IsInf(after[x], -1) {
				largest = max(largest, ratio[x])
			}
		}
		if math.IsInf(largest, -1) {
			return 0, fmt.Errorf("stage t = %d: f_t is zero wherever f_{t-1} is positive, so that every weight is zero", t)
		}
		total += largest
		before, after = after, before
	}
	return total + offset, nil
}
