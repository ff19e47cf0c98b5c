package diagnose

import (
	"fmt"
	"math"
	"strings"

	"breadboard/chains/diagnostics"
	"breadboard/exact/averages"
	"breadboard/experiments"
	"breadboard/experiments/samplers"
	"breadboard/experiments/study"
)

// Study declares the study of the diagnostics of simulated chains, beside the exact truth. In sweeps a seed is at most
// experiments.MaxNumber.
func Study() *study.Study[samplers.Problem, Options, Row] {
	samples := experiments.Whole(samplers.ParamN, "the number of samples, the start among them", diagnostics.MinDraws, MaxDraws/2, 100)
	several := experiments.Whole(paramChains, "chains that are simulated", 2, samplers.MaxChains, 8)
	seed := experiments.Whole("seed", "of all random numbers", 0, experiments.MaxNumber, 1)
	return &study.Study[samplers.Problem, Options, Row]{
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
CODAchain1.txt and so on beside it); text with a column for each variable (.csv, .tsv, .txt), where a file is a chain or a
column chain or .chain tells them apart; or .npy arrays of shape (chains, draws), one for each variable. The Monte Carlo
standard error (MCSE) is what the draws claim for their mean.

With FILE and --toy the truth stands beside it: variables are found by name among the axes and functions of the target, in
any order, and theta1 is also theta[1]; an axis whose values have labels may be written by label. A column state holds the
numbers of states. --function adds functions that are computed from the states. error/MCSE is how far the mean is off, in
the standard errors that it claims: beyond 3 it claims too much.

With --draws it diagnoses a file of one quantity: .npy of shape (chains, draws) or (draws,), or text (.csv, .tsv, .txt)
with a column for each chain. Chains and draws are counted from 0.

With --out it also draws simulated ESS and R-hat against N, beside what the exact means give and the exact RESS.`,
		Examples: `  breadboard samplers diagnose
  breadboard samplers diagnose --toy barrier --kernel metropolis --start uniform,target --function x0,mode -N 100,1000 --out results
  breadboard samplers diagnose --toy ising:3x3:0.4 --kernel heatbath --function sum --chains 4 --format json
  breadboard samplers diagnose output_1.csv output_2.csv output_3.csv output_4.csv
  breadboard samplers diagnose --toy ising:3x3:0.4 --function sum,g CODAindex.txt
  breadboard samplers diagnose --draws fit.npy`,
		Counts: "rows", Workers: "number of rows computed at once",
		Standard: Options{Chains: 8, N: []int64{100, 300, 1000, 3000}, Seed: 1},
		Options: []study.Option[Options]{
			samplers.SamplesOption(func(o *Options) *[]int64 { return &o.N }, "numbers of samples, the start among them", &samples),
			study.CountOption(paramChains, "number of chains that are simulated", func(o *Options) *int { return &o.Chains }, &several),
			study.SeedOption("seed of all random numbers, 0 to 2^64-1", func(o *Options) *uint64 { return &o.Seed }, &seed),
		},
		Columns: fields(), Plan: plan,
		Swept: &study.Swept[samplers.Problem, Row]{
			Answers:    "What do ESS, R-hat and their like say of simulated chains, and what is the truth?",
			Main:       "essd",
			Parameters: append(samplers.ChainParameters("uniform"), samplers.FunctionParameter()),
			Build:      samplers.Build, Subject: samplers.Subject,
			Note:  func(r *Row) (string, error) { return strings.Join(r.Notes, "; "), nil },
			Check: contradiction, Cost: cost,
		},
	}
}

// paramChains is the name of the option and of the parameter.
const paramChains = "chains"

// roundings is the relative error of numbers that are computed from one another.
const roundings = 1e-9

// contradiction: the mean of K chains is worth at least as much as that of one, and at most K times as much, and ESSD is that of the two
// numbers that it compares.
func contradiction(k study.Kept) error {
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

// cost estimates what a row takes.
func cost(s experiments.Size) experiments.Cost {
	n, states := float64(s.Params.Int(samplers.ParamN)), float64(s.States)
	draws := n * float64(s.Params.Int(paramChains))
	pairs := n * n * states
	if n > averages.MaxExpectations {
		pairs = 0
	}
	return experiments.Cost{Seconds: startCost + drawCost*draws + pairCost*pairs + entryCost*n*states, Bytes: 8*n*states + 128*draws}
}
