package evidence

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"

	"breadboard/chains/estimators"
	"breadboard/chains/simulate"
	"breadboard/experiments"
	"breadboard/experiments/ais"
)

// Sample is what runs of an estimator say of the mean of log Z-hat, in nats.
type Sample struct {
	Mean, StandardError float64
	Z                   float64 // (Mean of the runs - exact mean)/StandardError; NaN where there is no exact mean, or no spread
}

// blockRuns is how many runs have a stream of random numbers in common. It must not depend on the number of workers.
const blockRuns = 64

// rounding is the spread, relative to the size of log Z-hat, up to which estimates count as equal.
const rounding = 1e-12

// sample runs the estimator for a row: each run combines as many estimates as the row does.
func (p *plan) sample(ctx context.Context, r *Row, o *Options, workers int) error {
	logs := make([]float64, o.Runs)
	purpose := fmt.Sprintf("evidence %s %s %d trials %d", r.Key(), r.Estimator, p.setting, r.Trials)
	blocks := (o.Runs + blockRuns - 1) / blockRuns
	err := experiments.Parallel(ctx, blocks, workers, func(ctx context.Context, i int) error {
		e, err := p.estimator(ctx, p.target, p.setting)
		if err != nil {
			return err
		}
		c := chains.NewSampler(simulate.NewStream(o.Seed, purpose, i))
		part := make([]float64, min(blockRuns, o.Runs-i*blockRuns))
		each := make([]float64, r.Trials)
		err = guarded(ctx, func() {
			for j := range part {
				for k := range each {
					if ctx.Err() != nil {
						return
					}
					each[k] = e.Estimate(c)
				}
				part[j] = combined(each, r.Combination)
			}
		})
		if err != nil {
			return err
		}
		copy(logs[i*blockRuns:], part)
		return nil
	})
	if err != nil {
		return err
	}
	mean := ais.Mean(logs)
	r.Sample = &Sample{mean.Value + p.Offset, mean.StandardError, math.NaN()}
	switch {
	case math.IsInf(r.Bias, 0): // an estimate that may be zero or infinite has no mean to compare with
	case mean.StandardError > rounding*(1+math.Abs(mean.Value)): // else all runs gave the same, and what is left is rounding
		// The difference is taken before the constant is added that centring has taken out, which would cost its digits.
		r.Sample.Z = (mean.Value - (r.Bias + p.LogZ)) / mean.StandardError
	}
	return nil
}

// guarded does work that runs an estimator. It returns a fault where a move panics, and the context's error as soon as that ends: the work
// may then go on for a while, and what it writes to must not be used.
func guarded(ctx context.Context, work func()) error {
	var failed error
	ended := chains.Unless(ctx, func() {
		defer func() {
			if panicked := recover(); panicked != nil {
				failed = chains.MovePanic(panicked)
			}
		}()
		work()
	})
	if ended != nil {
		return ended
	}
	return failed
}

// combined returns the logarithm of the estimate that combines several, which are given by their logarithms.
//
// Source: Grosse, Ghahramani and Adams 2015, footnote 5.
func combined(logs []float64, how estimators.Combination) float64 {
	switch how {
	case estimators.ArithmeticMean:
		return ais.LogMeanExp(logs, 1).Value
	case estimators.HarmonicMean:
		return -ais.LogMeanExp(logs, -1).Value
	case estimators.Maximum:
		return slices.Max(logs)
	}
	return ais.Mean(logs).Value
}
