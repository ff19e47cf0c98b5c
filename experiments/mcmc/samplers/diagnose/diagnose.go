package diagnose

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/diagnostics"
	"breadboard/exact/averages"
	"breadboard/experiments"
	"breadboard/experiments/columns"
	"breadboard/experiments/mcmc/samplers"
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
	Notes    []Note
}

// Options says what the study asks.
type Options struct {
	N      []int64 // the numbers of samples of a chain
	Chains int     // the number of chains that are simulated, at least two
	Seed   uint64
}

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
	steps := func(s *samplers.Setting) int { return averages.ExpectationSteps(int(s.N)) }
	return study.Each(samplers.Settings(problems, o.N), steps, func(ctx context.Context, s *samplers.Setting, h study.How) (Row, error) {
		r := Row{Setting: *s, Chains: o.Chains}
		add, done := h.Share(steps(s), steps(s))
		h.Progress = add
		if err := r.fill(ctx, o.Seed, h); err != nil {
			return r, fmt.Errorf("%s: %w", s, err)
		}
		done()
		return r, nil
	}), o.check(problems)
}

// fill simulates and diagnoses the chains of a row, and finds the truth, as far as they are wanted.
func (r *Row) fill(ctx context.Context, seed uint64, h study.How) error {
	nan, f := math.NaN(), r.Function.Parts[0]
	r.Diagnostics, r.RESSChains, r.ESSD, r.RESSMean, r.RESSAll = unknown(), nan, nan, nan, nan
	names := []string{"ress_chains", "essd", "note"}
	for _, column := range diagnosticColumns() {
		names = append(names, column.Name)
	}
	if h.Columns.Any(names...) {
		draws, err := Simulate(ctx, r.Setting, r.Chains, seed, h.Workers)
		if err != nil {
			return err
		}
		if err := r.diagnose(ctx, draws, h.Columns); err != nil {
			return err
		}
		r.RESSChains, r.ESSD = scored(f, draws, r.ESSChain)
	}
	names = []string{"ress_all", "ress_mean", "note"}
	for _, column := range expected() {
		names = append(names, column.Name)
	}
	if h.Columns.Any(names...) {
		return r.expect(ctx, f, h.Progress)
	}
	return nil
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

func meanOf(f *averages.Function, x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += v - f.Mean
	}
	return total / f.SD / float64(len(x))
}

// expect finds the exact expectations, or the exact errors of the mean alone where there are too many pairs of samples.
func (r *Row) expect(ctx context.Context, f *averages.Function, progress func(steps int)) (err error) {
	var mse, bias float64
	if tooLarge := averages.CheckExpectations(r.Chain.States(), int(r.N)); tooLarge != nil {
		r.Notes = append(r.Notes, noteOf("no expectations: %w", tooLarge))
		all, err := r.Chain.Errors(ctx, averages.Question{Function: f, Starts: [][]float64{r.Start.Law}, N: []int64{r.N}, Progress: progress}, averages.Recursion)
		if err != nil {
			return err
		}
		mse, bias = all[0][0].MSE.Float(), all[0][0].Bias.Value
	} else {
		if r.Expected, err = r.Chain.Expectations(ctx, f, r.Start.Law, int(r.N), r.Chains, progress); err != nil {
			return err
		}
		mse, bias = r.Expected.MSE, r.Expected.Bias
	}
	r.RESSMean = 1 / mse
	r.RESSAll = 1 / (bias*bias + (mse-bias*bias)/float64(r.Chains))
	return nil
}

// OfDraws returns the row of draws that somebody else has made, and that come from a file of a name. Of these no truth is known. It fails
// where the draws are bad (see diagnostics.Draws.Check), where all of them are equal, and where the context ends. Diagnostics that are not wanted
// are NaN.
func OfDraws(ctx context.Context, name string, draws diagnostics.Draws, wanted columns.Wanted) (Row, error) {
	nan := math.NaN()
	r := Row{Draws: name, RESSChains: nan, ESSD: nan, RESSMean: nan, RESSAll: nan}
	if err := draws.Check(); err != nil {
		return r, err
	}
	r.Chains, r.N = len(draws), int64(len(draws[0]))
	if r.Chains > len(draws[0]) {
		r.Notes = append(r.Notes, noteOf("there are more chains (%d) than draws in each (%d); transpose the draws if that is wrong", r.Chains, r.N))
	}
	if draws.Constant() {
		return r, fmt.Errorf("all %d draws have the value %v, of which nothing can be diagnosed; give draws of something that varies", len(draws)*len(draws[0]), draws[0][0])
	}
	return r, r.diagnose(ctx, draws, wanted)
}

// Study declares the study of the diagnostics of simulated chains, beside the exact truth. In sweeps a seed is at most experiments.MaxNumber.
func Study() *study.Study[samplers.Problem, Options, Row] {
	samples := experiments.Whole(samplers.ParamN, "the number of samples, the start among them", diagnostics.MinDraws, MaxDraws/2, 100)
	several := experiments.Whole(paramChains, "chains that are simulated", 2, samplers.MaxChains, 8)
	seed := experiments.Whole("seed", "of all random numbers", 0, experiments.MaxNumber, 1)
	return study.New(Options{Chains: 8, N: []int64{100, 300, 1000, 3000}, Seed: 1}, plan, study.Declaration{
		Name: "samplers diagnose",
		Asks: "What do ESS, R-hat and their like say, and what is the truth? Also for your own draws",
		Help: `diagnose simulates chains and sets the diagnostics of convergence beside the exact real effective sample size (RESS), the
number of independent draws whose mean is as good as that of one chain.

Simulated: the effective sample size (ESS) of Stan and ArviZ, on average for each chain by itself (ess_chain) and of all
chains (ess_basic of whole, ess_mean of split, ess_bulk of rank-normalised and split chains, ess_tail of the 5% and 95%
quantiles), ESS by batch means; R-hat of Gelman and Rubin, of split, and of rank-normalised and folded chains; the largest
|z| of Geweke's test (first 10% against last 50%) in a chain; and ESSD, how many standard deviations ess_chain lies above
what the errors of these very chains support (Eq. 8). ESSD is standard normal where ESS is right.

Exact, without any simulation: the means over all runs of what the diagnostics are computed from (sample variance,
autocovariances, batch means, the variance between chains, Geweke's squared difference), in units of the target's
variance, and the ESS and R-hat that these means give. RESS is exact too: ress_mean of one chain, and ress_all of the mean of
all chains, with which ess_basic compares. ress_chains is what the simulated chains had.

With FILE it diagnoses chains that your own program has drawn, one row a variable: CmdStan's CSV files, one for each chain
(the draws of the warm-up are left out); the index of coda's files, as JAGS and BUGS write them (CODAindex.txt, with
CODAchain1.txt and so on beside it); text with a column for each variable (.csv, .tsv, .txt), as R and pandas write it, where a file is a
chain or a column such as chain, .chain or the one of --chain-column tells them apart; or .npy arrays of shape (chains, draws), one for each variable. The Monte Carlo
standard error (MCSE) is what the draws claim for their mean.

With FILE and --toy the truth stands beside it: variables are found by name among the axes and functions of the target, in
any order, and theta1 is also theta[1]; an axis whose values have labels may be written by label. A column state, or a single
one, holds states. --base 1 and --map are those of conform draws. Labels of other variables count by their order. --function adds functions that are computed from the states. error/MCSE is how far the mean is off, in
the standard errors that it claims: beyond 3 it claims too much.

With --draws it diagnoses a file of one quantity: .npy of shape (chains, draws) or (draws,), or text (.csv, .tsv, .txt)
with a column for each chain. Chains and draws are counted from 0.

With --out it also draws simulated ESS and R-hat against N, beside what the exact means give and the exact RESS.`,
		Examples: `  breadboard samplers diagnose
  breadboard samplers diagnose output_1.csv output_2.csv output_3.csv output_4.csv
  breadboard samplers diagnose --toy barrier --kernel metropolis --start uniform,target --function x0,mode -N 100,1000 --out results
  breadboard samplers diagnose --toy ising:3x3:0.4 --kernel heatbath --function sum --chains 4 --format json
  breadboard samplers diagnose --toy ising:3x3:0.4 --function sum,g CODAindex.txt
  breadboard samplers diagnose --draws fit.npy`,
		Counts: "rows", Workers: "number of rows computed at once",
		Options: []study.Option{
			samplers.SamplesOption(func(o *Options) *[]int64 { return &o.N }, "numbers of samples, the start among them", &samples),
			study.CountOption(paramChains, "number of chains that are simulated", func(o *Options) *int { return &o.Chains }, &several),
			study.SeedOption("seed of all random numbers, 0 to 2^64-1", func(o *Options) *uint64 { return &o.Seed }, &seed),
		},
		Columns: fields(),
		Swept: &study.Swept{
			Answers:    "What do ESS, R-hat and their like say of simulated chains, and what is the truth?",
			Main:       "essd",
			Parameters: append(samplers.ChainParameters("uniform"), samplers.FunctionParameter()),
			Build:      samplers.Build, Subject: samplers.Subject,
			Note:  study.NoteOf(func(r *Row) (string, error) { return joined(r.Notes), nil }),
			Check: contradiction, Cost: cost,
		},
	})
}

// paramChains is the name of the option and of the parameter.
const paramChains = "chains"

// roundings is the relative error of numbers that are computed from one another.
const roundings = 1e-9

// contradiction: the mean of K chains is worth at least as much as that of one, and at most K times as much, and ESSD is that of the two
// numbers that it compares.
func contradiction(k study.StoredRow) error {
	several := k.Params.Int(paramChains)
	one, all := k.Get("ress_mean"), k.Get("ress_all")
	if all < one*(1-roundings) || all > float64(several)*one*(1+roundings) {
		return fmt.Errorf("its ress_all is %v, and with %d chains and its ress_mean %v it is from that to so many times as much", all, several, one)
	}
	got, want := k.Get("essd"), diagnostics.ESSD(k.Get("ess_chain"), k.Get("ress_chains"), several)
	if same := math.IsNaN(got) && math.IsNaN(want); !same && !experiments.Near(got, want, roundings*(1+math.Abs(want))) {
		return fmt.Errorf("its essd is %v, and its ess_chain and ress_chains give %v", got, want)
	}
	return nil
}

// Measured: the seconds of a row, for each draw, for each pair of samples on a state, and for each sample at an entry of a transition matrix.
const (
	startCost = 1e-3
	drawCost  = 1e-6
	pairCost  = 0.12e-9
	entryCost = 5e-9
)

func cost(s experiments.Size) experiments.Cost {
	n, states := float64(s.Params.Int(samplers.ParamN)), float64(s.States)
	draws := n * float64(s.Params.Int(paramChains))
	pairs := n * n * states
	if n > averages.MaxExpectations {
		pairs = 0
	}
	return experiments.Cost{Seconds: startCost + drawCost*draws + pairCost*pairs + entryCost*n*states, Bytes: 8*n*states + 128*draws}
}
