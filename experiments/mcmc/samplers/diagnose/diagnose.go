package diagnose

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains/diagnostics"
	"breadboard/chains/errs"
	"breadboard/exact/averages"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// Row has the diagnostics of some simulated chains, and exact values.
type Row struct {
	samplers.Setting
	Chains int
	Diagnostics

	// RESSChains is the real effective sample size of these chains, K over the sum of the squared
	// errors of their means, and ESSD the deviation of ESSChain from it (Turner and Neal 2017, Eqs.
	// 4 and 8).
	RESSChains, ESSD float64
	// RESSMean and RESSAll are the exact real effective sample sizes of the mean of one chain and
	// of the mean of all: one over their mean squared error.
	RESSMean, RESSAll float64
	// Expected has the exact means of the inputs of the diagnostics. It is nil if there are too
	// many samples.
	Expected *averages.Expectations
	Notes    []Note
}

// Options are the options of the study.
type Options struct {
	N      []int64 // the numbers of samples of a chain
	Chains int     // the number of chains that are simulated, at least two
	Seed   uint64
}

func (o *Options) checkProblems(problems []samplers.Problem) error {
	if o.Chains < 2 {
		return errs.New("{chains} %d, and R-hat compares chains; give at least 2", o.Chains)
	}
	for _, n := range o.N {
		if n < diagnostics.MinDraws {
			return errs.New("{N} %d; diagnostics need at least %d samples in each chain",
				n, diagnostics.MinDraws)
		}
	}
	return checkDraws(problems, o.N, o.Chains)
}

// checkDraws fails if no number of samples is named, if there would be too many draws, and if a
// function is a vector.
func checkDraws[I int | int64](problems []samplers.Problem, samples []I, each int) error {
	if len(samples) == 0 {
		return errs.New("no number of samples is named; give some, as in {N} 100,1000")
	}
	for _, n := range samples {
		if int64(each) > MaxDraws/int64(n) {
			return errs.New(
				"{N} %d with {chains} %d; that is more than the limit of %d draws (2.1 GB); give fewer "+
					"samples or fewer chains",
				n,
				each,
				MaxDraws,
			)
		}
	}
	for i := range problems {
		for _, f := range problems[i].Functions {
			if !f.IsScalar() {
				return errs.New(
					"{function} %s is a vector, but diagnostics are for numbers; give functions such as x0",
					f.Name,
				)
			}
		}
	}
	return nil
}

// plan simulates and diagnoses the chains of every setting. Time is that of
// averages.Chain.Expectations for each, and O(K N log N) for K chains of N samples.
func plan(_ context.Context, problems []samplers.Problem, o *Options) (study.Plan[Row], error) {
	steps := func(s *samplers.Setting) int { return averages.ExpectationSteps(int(s.N)) }
	return study.Each(samplers.Settings(problems, o.N),
		steps, func(ctx context.Context, s *samplers.Setting, h study.How) (Row, error) {
			r := Row{Setting: *s, Chains: o.Chains}
			add, done := h.Share(steps(s), steps(s))
			h.Progress = add
			if err := r.simulateRow(ctx, o.Seed, h); err != nil {
				return r, fmt.Errorf("%s: %w", s, err)
			}
			done()
			return r, nil
		}), o.checkProblems(problems)
}

// simulateRow simulates and diagnoses the chains of a row, and finds the truth, as far as they are
// wanted.
func (r *Row) simulateRow(ctx context.Context, seed uint64, h study.How) error {
	nan := math.NaN()
	f := r.Function.Parts[0]
	r.Diagnostics = unknown()
	r.RESSChains = nan
	r.ESSD = nan
	r.RESSMean = nan
	r.RESSAll = nan
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
	if h.Columns.Any("note") {
		if reversible, err := r.Chain.Reversible(ctx); err != nil {
			return err
		} else if !reversible {
			r.Notes = append(r.Notes, noteOf(
				"the kernel is not reversible: ESS and MCSE, which assume that it is, may be far too "+
					"large or too small (breadboard help mixing)",
			))
		}
	}
	names = []string{"ress_all", "ress_mean", "note"}
	for _, column := range expected() {
		names = append(names, column.Name)
	}
	if h.Columns.Any(names...) {
		return r.findExpectations(ctx, f, h.Progress)
	}
	return nil
}

// scored returns the real effective sample size of the means of chains of draws of a function, and
// how far the effective sample size of a chain lies above what it supports (Turner and Neal 2017,
// Eqs. 4 and 8).
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

// findExpectations finds the exact expectations, or the exact errors of the mean alone if there are
// too many pairs of samples.
func (r *Row) findExpectations(ctx context.Context, f *averages.Function,
	progress func(steps int)) (err error) {
	var mse, bias float64
	if tooLarge := averages.CheckExpectations(r.Chain.States(), int(r.N)); tooLarge != nil {
		r.Notes = append(r.Notes, noteOf("the exact expectations are empty: %w", tooLarge))
		all, err := r.Chain.Errors(ctx, averages.Question{
			Function: f,
			Starts:   [][]float64{r.Start.Law},
			N:        []int64{r.N},
			Progress: progress,
		}, averages.Recursion)
		if err != nil {
			return err
		}
		mse = all[0][0].MSE.Float()
		bias = all[0][0].Bias.Value
	} else {
		r.Expected, err = r.Chain.Expectations(ctx, f, r.Start.Law, int(r.N), r.Chains, progress)
		if err != nil {
			return err
		}
		mse = r.Expected.MSE
		bias = r.Expected.Bias
	}
	r.RESSMean = 1 / mse
	r.RESSAll = 1 / (bias*bias + (mse-bias*bias)/float64(r.Chains))
	return nil
}

// Study declares the study of the diagnostics of simulated chains, with exact values. In sweeps a
// seed is at most subject.MaxNumber.
func Study() *study.Study[samplers.Problem, Options, Row] {
	samples := subject.Whole(
		samplers.ParamN,
		"the number of samples, including the start",
		diagnostics.MinDraws,
		MaxDraws/2,
		100,
	)
	several := subject.Whole(paramChains, "chains that are simulated", 2, samplers.MaxChains, 8)
	seed := subject.Whole("seed", "of all random numbers", 0, subject.MaxNumber, 1)
	return study.New(Options{Chains: 8, N: []int64{100, 300, 1000, 3000}, Seed: 1}, plan, study.Declaration{
		Says: columns.Sentence{
			Text: "{toy}: {N} samples of {kernel} are worth {ress_mean} independent draws; their ESS is {ess_chain}"},
		Name: "samplers diagnose",
		Asks: "Are ESS, R-hat and other diagnostics right? For simulated chains or your own draws",
		Help: `diagnose compares convergence diagnostics of chains with the exact real
effective sample size (RESS), for simulated chains or for your own draws.

Without FILE it simulates chains, and compares ESS, R-hat, batch means and
Geweke's test with their values at exact expectations. ESSD is standard normal
if ESS is correct (Turner and Neal 2017, Eq. 8). With FILE it has a row for
each variable of your chains, and with --toy the exact values, matched by name.
MCSE is too small if error/MCSE is beyond 3. --out then draws ranks by chain,
traces, and ESS against the number of draws, of the six variables that have
mixed the least. breadboard help files lists the formats.

See breadboard help check-draws.`,
		Examples: `  breadboard samplers diagnose
  breadboard samplers diagnose output_1.csv output_2.csv output_3.csv output_4.csv
  breadboard samplers diagnose --toy barrier --kernel metropolis --start uniform,target --function x0,mode -N 100,1000 --out results
  breadboard samplers diagnose --shape draws,chains emcee.npy`,
		Counts: "rows", Workers: true,
		Options: study.OptionsOf(func(o *Options) []study.Option {
			return []study.Option{
				samplers.SamplesOption(&o.N, &samples),
				study.CountOption(paramChains, "", &o.Chains, &several),
				study.SeedOption(&o.Seed, &seed),
			}
		}),
		Columns: fields(),
		Cost:    cost,
		View:    reports.Untyped(report),
		About:   samplers.OnPaper([]string{"uniform"}, "x0"),
		Tables: func(own reports.Schema) []reports.Schema {
			return []reports.Schema{
				own,
				{Table: variablesFile, Of: VariablesTable([]Variable{{Truth: &Truth{}}}), By: reports.ByFiles},
			}
		},
		Swept: &study.Swept{
			Parameters: append(samplers.ChainParameters("uniform"), samplers.FunctionParameter()),
			Build:      samplers.Build, Subject: samplers.Subject,
			Note: study.NoteOf(func(r *Row) (string, error) { return joined(r.Notes), nil }),
		},
	})
}

// paramChains is the name of the option and of the parameter.
const paramChains = "chains"

// Measured: the seconds of a row, for each draw, and for each sample on a state.
const (
	startCost = 1e-3
	drawCost  = 1e-6
	entryCost = 150e-9
)

func cost(s subject.Size) subject.Cost {
	n := float64(s.Params.Int(samplers.ParamN))
	states := float64(s.States)
	draws := n * float64(s.Params.Int(paramChains))
	return subject.Cost{
		Seconds: startCost + drawCost*draws + entryCost*n*states,
		Bytes:   32*math.Sqrt(n)*states + 128*draws,
	}
}
