package temper

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/simulate"
	"breadboard/chains/tempering"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// Estimate is a number from simulated chains with its standard error.
type Estimate struct {
	number.Bounded
	SE float64 // the standard error; zero for a number that is exact
}

// Simulated has the estimates of simulated runs on a ladder whose joint distribution is too large.
type Simulated struct {
	Runs, Scans           int
	Rate, Variance, Plain Estimate
	// Apart is the difference of the rates for the two extreme guesses of where the replicas were
	// before the first scan: the truth is between.
	Apart float64
}

// run is what one simulated run has counted.
type run struct {
	// round trips, where all replicas were on their way up, or down, before the first scan
	low, high float64
	cold      []float64 // by function: the square of the mean over the cold chain
	plain     []float64 // the same of a plain chain
}

// experiment is parallel tempering with the exact distributions of its rungs, and functions whose
// averages are wanted.
type experiment struct {
	*tempering.Tempering
	laws, functions [][]float64
}

// simulated makes runs that start at exact draws of all rungs. Replicas forget where they came from
// for as many scans as are recorded thereafter. The functions have mean zero and variance one under
// the target, so that the mean square of their averages has no bias but that of a run's length.
// Each run has a random stream of its own, and the same numbers come for any number of workers.
func (m *experiment) simulated(ctx context.Context, o *Options, h study.How) ([]Simulated, error) {
	runs := make([]run, o.Chains)
	err := subject.Parallel(ctx, o.Chains, h.Workers, func(ctx context.Context, k int) (err error) {
		runs[k], err = m.oneRun(ctx, stream(m.Tempering, o.Seed, k), o.Scans)
		h.Add(1)
		return err
	})
	if err != nil {
		return nil, err
	}
	out := make([]Simulated, len(m.functions))
	for j := range out {
		out[j] = Simulated{
			Runs: o.Chains, Scans: o.Scans,
			Rate:     meanOf(runs, func(r *run) float64 { return (r.low + r.high) / 2 / float64(o.Scans) }),
			Variance: meanOf(runs, func(r *run) float64 { return r.cold[j] * float64(o.Scans) }),
			Plain:    meanOf(runs, func(r *run) float64 { return r.plain[j] * float64(o.Scans*m.Rungs()) }),
			Apart:    meanOf(runs, func(r *run) float64 { return (r.high - r.low) / float64(o.Scans) }).Value,
		}
	}
	return out, nil
}

// meanOf returns the mean of a number over runs.
func meanOf(runs []run, value func(r *run) float64) Estimate {
	list := make([]float64, len(runs))
	for i := range runs {
		list[i] = value(&runs[i])
	}
	mean, variance := stat.MeanVariance(list, nil)
	return Estimate{number.Exactly(mean), math.Sqrt(variance / float64(len(list)))}
}

// stream returns the random numbers of the run of a number.
func stream(m *tempering.Tempering, seed uint64, k int) chains.Sampler {
	return chains.NewSampler(simulate.NewStream(seed, fmt.Sprintf("temper %s", m.Scheme()), k))
}

// start returns exact draws of all rungs.
func start(c chains.Chooser, laws [][]float64) []int {
	x := make([]int, len(laws))
	for i, law := range laws {
		x[i] = c.Choose(law)
	}
	return x
}

// oneRun makes one run, and a plain chain with as many recorded moves as all replicas make.
func (m *experiment) oneRun(ctx context.Context, c chains.Chooser, scans int) (r run, err error) {
	top := m.Rungs() - 1
	x := start(c, m.laws)
	y := c.Choose(m.laws[top])
	low, high := tempering.Up(1<<top-1), tempering.Up(1)
	cold := make([]float64, len(m.functions))
	plain := make([]float64, len(m.functions))
	for t := 1; t <= 2*scans; t++ {
		if t%64 == 0 && ctx.Err() != nil {
			return r, ctx.Err()
		}
		recorded := t > scans
		m.Scan(c, t, x, func(i int, accepted bool) {
			if accepted && low.Swapped(i, top) && recorded {
				r.low++
			}
			if accepted && high.Swapped(i, top) && recorded {
				r.high++
			}
		})
		if !recorded {
			continue
		}
		for j, f := range m.functions {
			cold[j] += f[x[top]]
		}
		for range x {
			y = m.Kernel().Move(c, m.LogF(top), y)
			for j, f := range m.functions {
				plain[j] += f[y]
			}
		}
	}
	for j := range m.functions {
		a, b := cold[j]/float64(scans), plain[j]/float64(scans*len(x))
		r.cold, r.plain = append(r.cold, a*a), append(r.plain, b*b)
	}
	return r, nil
}
