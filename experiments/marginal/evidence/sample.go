package evidence

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/simulate"
	"breadboard/chains/work"
	"breadboard/exact/laws"
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/subject"
)

// Sample is the result of runs of an estimator, about the mean of log Z-hat, in nats.
type Sample struct {
	Mean, StandardError float64
	// (Mean of the runs - exact mean)/StandardError; NaN without an exact mean or without spread
	Z float64
	// the standard error of the mean of Zhat/Z in the runs; NaN if log Z is not known
	OverZ float64
}

// blockRuns is the number of runs that share a random stream. It must not depend on the number of
// workers.
const blockRuns = 64

// rounding is the spread, relative to the size of log Z-hat, up to which estimates count as equal.
const rounding = 1e-12

// sampleRow runs the estimator for a row: each run combines as many estimates as the row does. If
// there is no exact distribution, the numbers are those of the runs.
func (p *plan) sampleRow(ctx context.Context, r *Row, o *Options, workers int) error {
	logs := make([]float64, o.Runs)
	purpose := fmt.Sprintf("evidence %s %s %d trials %d", r.Key(), r.Estimator, p.setting, r.Trials)
	blocks := (o.Runs + blockRuns - 1) / blockRuns
	err := subject.Parallel(ctx, blocks, workers, func(ctx context.Context, i int) error {
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
	r.Sample = sampleOf(logs, mean, p.LogZ)
	r.Sample.Mean += p.Offset
	switch {
	case math.IsInf(r.Bias, 0): // an estimate that may be zero or infinite has no mean
	case mean.StandardError > rounding*(1+math.Abs(mean.Value)):
		// otherwise all runs gave the same, and the difference is rounding
		// The difference is taken before the constant removed by centring is added, which would
		// cost its digits.
		r.Sample.Z = (mean.Value - (r.Bias + p.LogZ)) / mean.StandardError
	}
	if r.Error != "" {
		r.measure(logs, p.Offset, o.Above)
		r.Notes = append(r.Notes, fmt.Sprintf(
			"all numbers but log Z are estimates from %d runs, since there is no exact distribution: %s",
			o.Runs,
			r.Error,
		))
		r.Error = ""
	}
	return nil
}

// sampleOf returns the numbers of runs of which the mean of log Z-hat is given, without Z.
func sampleOf(logs []float64, mean ais.Estimate, logZ float64) *Sample {
	z := ais.LogMeanExp(logs, 1)
	return &Sample{mean.Value, mean.StandardError, math.NaN(), z.StandardError * math.Exp(z.Value-logZ)}
}

// guarded runs work on an estimator. It returns a fault if a move panics, and the context's error
// as soon as that ends. The work may then continue for a while, and its results must not be used.
func guarded(ctx context.Context, job func()) error {
	var failed error
	ended := work.Unless(ctx, func() {
		defer func() {
			if panicked := recover(); panicked != nil {
				failed = chains.MovePanic(panicked)
			}
		}()
		job()
	})
	if ended != nil {
		return ended
	}
	return failed
}

// combined returns the logarithm of the estimate that combines several, which are given by their
// logarithms.
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

// bracketAbove returns the bracket of P(log Z-hat > at) for the combination of independent
// estimates, given the distribution of one.
//
// Means of K draws, combined, are the mean of all draws, so that the distribution is that of the
// estimator with trials times K of them. The largest of several estimates is above at unless none
// of them is. Other combinations have no exact method.
func (p *plan) bracketAbove(ctx context.Context, law laws.Law, trials int, at float64,
	workers int) (laws.Bracket, error) {
	switch {
	case trials == 1:
		return law.Above(ctx, at)
	case p.pooled && p.setting <= estimators.MaxDraws/trials:
		all, err := p.lawOf(ctx, p.target, trials*p.setting, workers)
		if err != nil {
			return noBracket(ctx, err)
		}
		return all.Above(ctx, at)
	case p.combination == estimators.Maximum:
		one, err := law.Above(ctx, at)
		one.Low, one.High = anyOf(trials, one.Low), anyOf(trials, one.High)
		return one, err
	}
	return laws.Bracket{
		Low:  math.NaN(),
		High: math.NaN(),
		Note: "P(log Zhat > log Z + b) is known for single estimates, but not for this combination",
	}, nil
}

// noBracket returns a bracket whose note has the reason why nothing is known, or the error if it is
// of another kind.
func noBracket(ctx context.Context, err error) (laws.Bracket, error) {
	if ctx.Err() != nil || chains.IsFault(err) {
		return laws.Bracket{}, err
	}
	return laws.Bracket{
		Low:  math.NaN(),
		High: math.NaN(),
		Note: "P(log Zhat > log Z + b) is not known: " + err.Error(),
	}, nil
}

// anyOf returns the probability that any of n independent events of probability p occurs,
// accurately for small p.
func anyOf(n int, p float64) float64 { return -math.Expm1(float64(n) * math.Log1p(-p)) }

// Tail is a point of the distribution of an estimate: P(log Z-hat > log Z + Nats) lies between Low
// and High.
type Tail struct{ Nats, Low, High float64 }

// leastTail is the probability at which tails end.
const leastTail = 1e-4

// tailReach is the distance of the ends of the tails from log Z, in nats.
const tailReach = 4.0

// tail returns points of a distribution from 4 nats below log Z to 4 nats above it, most of them
// near the mean. The probability is not computed to the left of a point where it is nearly one, nor
// to the right of one if it is below LeastTail, since it falls. It returns none if the
// distribution is not known.
func tail(ctx context.Context, t *target, law laws.Law, of Numbers) ([]Tail, error) {
	places := tailPlaces(of.Bias, of.SD)
	middle, _ := slices.BinarySearch(places, of.Bias)
	var out []Tail
	add := func(b float64) (end bool, err error) {
		p, err := law.Above(ctx, t.LogZ+b)
		if err != nil || math.IsNaN(p.Low) {
			return true, err
		}
		out = append(out, Tail{b, p.Low, p.High})
		return p.Low > 1-leastTail*leastTail || p.High < leastTail, nil
	}
	for i := middle - 1; i >= 0; i-- {
		if end, err := add(places[i]); err != nil {
			return nil, err
		} else if end {
			break
		}
	}
	slices.Reverse(out)
	for _, b := range places[middle:] {
		if end, err := add(b); err != nil {
			return nil, err
		} else if end {
			break
		}
	}
	if len(out) > 0 && out[0].Nats > -tailReach && out[0].Low > 1-leastTail {
		// everything to the left is between this and one
		out = slices.Insert(out, 0, Tail{-tailReach, out[0].Low, 1})
	}
	return out, nil
}

// tailPlaces returns the points in ascending order: half a standard deviation apart near the mean,
// further and further apart beyond 4 of them, on both sides of the mean if there is no spread, and
// half a nat apart if no mean is known.
func tailPlaces(bias, sd float64) []float64 {
	places := []float64{-tailReach, tailReach}
	add := func(b float64) {
		if math.Abs(b) < tailReach {
			places = append(places, b)
		}
	}
	const beside = 1e-6
	switch {
	case !(sd >= 0) || math.IsInf(sd, 1) || math.IsInf(bias, 0):
		for b := -tailReach; b <= tailReach; b += 0.5 {
			add(b)
		}
	case sd < beside:
		add(bias - beside)
		add(bias + beside)
	default:
		add(bias)
		for k, step := 0.5, 0.5; k*sd < 2*tailReach; k += step {
			add(bias - k*sd)
			add(bias + k*sd)
			if k >= 4 {
				step *= 1.5
			}
		}
	}
	sort.Float64s(places)
	return slices.Compact(places)
}
