package ais

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/chains/sites"
	"breadboard/exact"
	"breadboard/exact/weights"
	"breadboard/experiments"
	"breadboard/experiments/study"
)

// blockLanes is about how many chains on factors share a stream. All values of a block stay near the processor.
const blockLanes = 1 << 10

// onFactors runs chains of an annealing whose states are not listed. Reverse chains begin at exact draws, and log Z is that of elimination; the exact means
// of log weights are not known, nor is J.
func (r *Row) onFactors(ctx context.Context, f *experiments.Factored, h study.How) error {
	none := math.NaN()
	key := "ais " + r.Key()
	logZ, draws, err := f.Draws(ctx, r.Chains, rand.New(simulate.NewStream(r.Seed, key+" draws", 0)))
	if err != nil {
		return err
	}
	r.logZRatio = logZ - f.LogStates
	r.Exact = &exact.Solution{J: none, B: none, MeanLogWForward: none, MeanLogWReverse: none, LogZRatio: r.logZRatio}
	r.Forward, r.Reverse = &simulate.Batch{LogW: make([]float64, r.Chains)}, &simulate.Batch{LogW: make([]float64, r.Chains)}
	blocks := (r.Chains + blockLanes - 1) / blockLanes
	err = experiments.Parallel(ctx, 2*blocks, h.Workers, func(ctx context.Context, i int) error {
		d, block, into, start := chains.Direction(i%2), i/2, r.Forward, [][]uint8(nil)
		from, to := block*r.Chains/blocks, (block+1)*r.Chains/blocks
		if d == chains.Reverse {
			into = r.Reverse
			for _, values := range draws {
				start = append(start, values[from:to])
			}
		}
		c := sites.NewCrowd(f.Model, to-from, start, simulate.NewGenerator(simulate.ChainStream(r.Seed, key, d, block)))
		logw, err := c.Anneal(f.Move, f.Betas, d == chains.Reverse, func(int) error { h.Add(to - from); return ctx.Err() })
		copy(into.LogW[from:], logw)
		return err
	})
	if err != nil {
		return err
	}
	r.estimate(weightLaw{forward: weights.Spread{LogMean: none, Variance: none, Relative: none}, reverse: weights.Spread{LogMean: none, Variance: none, Relative: none}})
	for i := range r.Quantities {
		q := &r.Quantities[i]
		if q.Name == "log_mean_w_forward" || q.Name == "log_mean_w_reverse" {
			q.Exact, q.Bias = r.logZRatio, 0
		}
	}
	between := "lies"
	if low, high := r.Quantities[0].Estimate, r.Quantities[1].Estimate; !(low <= r.logZRatio && r.logZRatio <= high) {
		between = "does not lie"
	}
	r.Exact.Notes = []string{fmt.Sprintf("the states are too many to be listed: log(Z_T/Z_1) = %.10g by elimination is all that is exact, and it %s between the means of both directions", r.logZRatio, between)}
	r.raise(0)
	return nil
}
