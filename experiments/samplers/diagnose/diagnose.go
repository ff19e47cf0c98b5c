package diagnose

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/diagnostics"
	"breadboard/exact/averages"
	"breadboard/experiments/samplers"
	"breadboard/experiments/study"
)

// Row has the diagnostics of some chains, and beside them the truth where the target is known.
type Row struct {
	samplers.Setting        // of draws from a file only N is set
	Draws            string // the file that the draws are from; empty for simulated chains
	Chains           int
	Diagnostics

	// RESSChains is the real effective sample size of these very chains, K over the sum of the squared errors of their means, and ESSD says
	// how far ESSChain lies above what it supports (Turner and Neal 2017, Eqs. 4 and 8). Both are NaN where the truth is not known.
	RESSChains, ESSD float64
	// RESSMean and RESSAll are the exact real effective sample sizes of the mean of one chain and of the mean of all: one over their mean
	// squared error. NaN where the target is not known.
	RESSMean, RESSAll float64
	// Expected is what the diagnostics are computed from on average. It is nil where the target is not known, and where there are too many
	// samples for it.
	Expected *averages.Expectations
	Notes    []string
}

// Options says what the study asks.
type Options struct {
	N      []int64 // the numbers of samples of a chain
	Chains int     // the number of chains that are simulated, at least two
	Seed   uint64
}

// check fails where the question makes no sense.
func (o *Options) check(problems []samplers.Problem) error {
	if o.Chains < 2 {
		return chains.NewAdvice("{chains} %d; R-hat compares chains: give at least 2", o.Chains)
	}
	for _, n := range o.N {
		if n < diagnostics.MinDraws {
			return chains.NewAdvice("{N} %d; diagnostics need at least %d samples in each chain", n, diagnostics.MinDraws)
		}
	}
	return checkDraws(problems, o.N, o.Chains)
}

// checkDraws fails where no number of samples is named, where there would be too many draws, and where a function is a vector.
func checkDraws[I int | int64](problems []samplers.Problem, samples []I, each int) error {
	if len(samples) == 0 {
		return chains.NewAdvice("no number of samples is named; give some, as in {N} 100,1000")
	}
	for _, n := range samples {
		if int64(each) > MaxDraws/int64(n) {
			return chains.NewAdvice("{N} %d with {chains} %d; that is more than %d draws, which take 2 GiB; give fewer samples or fewer chains", n, each, MaxDraws)
		}
	}
	for i := range problems {
		for _, f := range problems[i].Functions {
			if !f.Whole() {
				return chains.NewAdvice("{function} %s is a vector, and diagnostics are of one number; name functions such as x0", f.Name)
			}
		}
	}
	return nil
}

// plan simulates and diagnoses the chains of every setting. Time is that of averages.Chain.Expectations for each, and O(K N log N) for K
// chains of N samples.
func plan(_ context.Context, problems []samplers.Problem, o *Options) (study.Plan[Row], error) {
	one := func(*samplers.Setting) int { return 1 }
	return study.Each(samplers.Settings(problems, o.N), one, func(ctx context.Context, s *samplers.Setting, h study.How) (Row, error) {
		r := Row{Setting: *s, Chains: o.Chains}
		if err := r.fill(ctx, o.Seed, h.Workers); err != nil {
			return r, fmt.Errorf("%s: %w", s, err)
		}
		h.Add(1)
		return r, nil
	}), o.check(problems)
}

// fill simulates and diagnoses the chains of a row, and finds the truth.
func (r *Row) fill(ctx context.Context, seed uint64, workers int) error {
	draws, err := Simulate(ctx, r.Setting, r.Chains, seed, workers)
	if err != nil {
		return err
	}
	if err := r.diagnose(ctx, draws); err != nil {
		return err
	}
	f := r.Function.Parts[0]
	r.RESSChains, r.ESSD = scored(f, draws, r.ESSChain)
	return r.expect(ctx, f)
}

// scored returns the real effective sample size of the means of chains of draws of a function, and how far the effective sample size of a
// chain lies above what it supports (Turner and Neal 2017, Eqs. 4 and 8).
func scored(f *averages.Function, draws diagnostics.Draws, essChain float64) (ress, essd float64) {
	total := 0.0
	for _, x := range draws {
		e := meanOf(f, x)
		total += e * e
	}
	ress = float64(len(draws)) / total
	return ress, diagnostics.ESSD(essChain, ress, len(draws))
}

// meanOf returns the mean of draws of a function in standardised units.
func meanOf(f *averages.Function, x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += v - f.Mean
	}
	return total / f.SD / float64(len(x))
}

// expect finds the exact expectations, or the exact errors of the mean alone where there are too many pairs of samples.
func (r *Row) expect(ctx context.Context, f *averages.Function) (err error) {
	var mean averages.Errors
	if tooLarge := averages.CheckExpectations(r.Chain.States(), int(r.N)); tooLarge != nil {
		r.Notes = append(r.Notes, "no expectations: "+tooLarge.Error())
		all, err := r.Chain.Errors(ctx, averages.Question{Function: f, Starts: [][]float64{r.Start.Law}, N: []int64{r.N}}, averages.Recursion)
		if err != nil {
			return err
		}
		mean = all[0][0]
	} else {
		if r.Expected, err = r.Chain.Expectations(ctx, f, r.Start.Law, int(r.N), r.Chains); err != nil {
			return err
		}
		mean.MSE, mean.Bias = r.Expected.MSE, r.Expected.Bias
	}
	r.RESSMean = 1 / mean.MSE
	square := mean.Bias * mean.Bias
	r.RESSAll = 1 / (square + (mean.MSE-square)/float64(r.Chains))
	return nil
}

// OfDraws returns the row of draws that somebody else has made, and that come from a file of a name. Of these no truth is known. It fails
// where the draws are bad (see diagnostics.Draws.Check), where all of them are equal, and where the context ends.
func OfDraws(ctx context.Context, name string, draws diagnostics.Draws) (Row, error) {
	nan := math.NaN()
	r := Row{Draws: name, RESSChains: nan, ESSD: nan, RESSMean: nan, RESSAll: nan}
	if err := draws.Check(); err != nil {
		return r, err
	}
	r.Chains, r.N = len(draws), int64(len(draws[0]))
	if r.Chains > len(draws[0]) {
		r.Notes = append(r.Notes, fmt.Sprintf("there are more chains (%d) than draws in each (%d); transpose the draws if that is wrong", r.Chains, r.N))
	}
	if draws.Constant() {
		return r, fmt.Errorf("all %d draws have the value %v, of which nothing can be diagnosed; give draws of something that varies", len(draws)*len(draws[0]), draws[0][0])
	}
	return r, r.diagnose(ctx, draws)
}
