package compare

import (
	"slices"

	"breadboard/experiments"
	"breadboard/experiments/sandwich"
	"breadboard/experiments/study"
)

// Crossed declares the study of models that are fitted to the data of each other.
func Crossed() *study.Study[study.NoSubjects, CrossedOptions, CrossedRow] {
	type options = CrossedOptions
	return &study.Study[study.NoSubjects, options, CrossedRow]{
		Name: "sandwich table",
		Asks: "Do marginal likelihoods tell from which model data come? Every model fitted to the data of every model",
		Help: `table draws data from each model and fits all of the models to them by annealed importance sampling (sigmoid:4), as section
6.3 and Table 1 of Grosse, Ghahramani and Adams (2015). Data are drawn with known hyperparameters. As these mean nothing to a
model that did not make the data, all models have theirs in the state when they are fitted: variances with inverse gamma priors
of shape and scale one, probabilities with uniform ones.

  log mean w   the logarithm of the mean weight over the chains of a data set, which is at most log p(y) on average
  (behind)     by how much it is below that of the model that made the data, on the same data
  mean log w   the mean log weight, which is further below; a chain of lowrank that starts at a huge variance spoils it
  paper        what Table 1 has, for other data of the same models and size; expect it to be similar, and not equal

Numbers are means over data sets, and their standard errors are over data sets, or over chains where there is one alone.
Standard error says which other model comes nearest on the data of each model, and by how many standard errors.

How far below log p(y) the numbers are is not known, as a model that did not make the data has no exact draw to anneal from in
reverse. The paper takes -T 30000. Models that anneal badly are further behind at a smaller T.

With --out it also draws the table.`,
		Examples: `  breadboard sandwich table
  breadboard sandwich table -T 30000 --chains 10 --datasets 8 --out results
  breadboard sandwich table --model clustering:4,lowrank:2 --data-rows 30 --data-columns 10 -T 300`,
		Counts: "chains", Workers: "number of chains run at once",
		Standard: options{
			Models: sandwich.ModelNames(), Rows: sandwich.DefaultRows, Columns: sandwich.DefaultColumns, T: 1000, Chains: 3, Datasets: 3, Seed: 1,
		},
		Options: slices.Concat(
			[]study.Option[options]{
				sandwich.ModelsOption(func(o *options) *[]string { return &o.Models }),
				{Name: "distributions", Letter: "T", Doc: "number of distributions of annealing, both ends included", Value: func(o *options) study.Value { return study.Whole(&o.T, "N", 0, experiments.MaxNumber) }},
				sandwich.CountOption("chains", "number of chains of each model on each data set", func(o *options) *int { return &o.Chains }),
				sandwich.CountOption("datasets", "number of data sets of each model", func(o *options) *int { return &o.Datasets }),
				sandwich.SeedOption("seed of data and chains, 0 to 2^64-1", func(o *options) *uint64 { return &o.Seed }),
			},
			sandwich.SizeOptions(func(o *options) *int { return &o.Rows }, func(o *options) *int { return &o.Columns }),
		),
		Columns: crossedColumns(), Plan: crossedPlan,
		Unswept: "its rows compare each model with the one that made the data, on the same data",
	}
}
