package compare

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/experiments"
	"breadboard/experiments/sandwich"
)

// CrossedOptions say which models make data and are fitted to them, and how.
type CrossedOptions struct {
	Models        []string // selectors of package sandwich
	Rows, Columns int
	T             int // the number of distributions of annealing
	Chains        int // of each model on each data set
	Datasets      int // of each model
	Seed          uint64
	Workers       int              // 0 is one for each processor
	Progress      func(chains int) // called from several goroutines at once; may be nil
}

// PaperT is the number of distributions of the paper.
const PaperT = 30_000

// crossedMaxChains bounds the number of chains, each of which keeps its estimate.
const crossedMaxChains = 5_000_000

// Validate returns an error that says what is wrong with the options, and nil where they are valid.
func (o *CrossedOptions) Validate() error {
	s := sandwich.Options{
		Models: o.Models, Rows: o.Rows, Columns: o.Columns, T: []int{o.T}, Chains: o.Chains, Datasets: o.Datasets, Seed: o.Seed, Workers: o.Workers,
	}
	if err := s.Validate(); err != nil {
		return err
	}
	if n := o.Steps(); n > crossedMaxChains {
		return chains.NewAdvice("%d chains in all, and at most %d are made; give fewer {chains}, {datasets} or models", n, crossedMaxChains)
	}
	models, err := o.models()
	if err != nil {
		return err
	}
	if len(models) < 2 {
		return chains.NewAdvice("one model alone; give {model} two models at least, so that there is something to compare")
	}
	return nil
}

// models returns the models, and an error where two of them differ in nothing but hyperparameters, which are unknown to a model that is fitted.
func (o *CrossedOptions) models() (models []sandwich.Model, err error) {
	for _, name := range o.Models {
		m, err := sandwich.ParseModel(name)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(models, func(other sandwich.Model) bool { return other.Kind == m.Kind && other.K == m.K }); i >= 0 {
			return nil, fmt.Errorf("models %s and %s are one model where hyperparameters are unknown, as they are where data are fitted; name one of them, once", models[i].Name, m.Name)
		}
		models = append(models, m)
	}
	return models, nil
}

// Steps returns the number of chains that Run makes, which is what Progress counts.
func (o *CrossedOptions) Steps() int { return o.Chains * o.Datasets * len(o.Models) * len(o.Models) }

// fit is a model that is fitted to a data set.
type fit struct {
	set    sandwich.Set   // the data set, with the model that made it
	fitted sandwich.Model // the model that is fitted
	anneal sandwich.Annealing
}

// fits lists all fits: by the model that made the data, the model that is fitted, and the data set.
func (o *CrossedOptions) fits(ctx context.Context) (fits []fit, err error) {
	models, err := o.models()
	if err != nil {
		return nil, err
	}
	for _, made := range models {
		var sets []sandwich.Set
		var data []*sandwich.Data
		for i := range o.Datasets {
			set := sandwich.Set{Model: made, Rows: o.Rows, Columns: o.Columns, Number: i + 1, Seed: o.Seed}
			drawn, err := set.Draw(ctx)
			if err != nil {
				return nil, err
			}
			sets, data = append(sets, set), append(data, drawn)
		}
		for _, fitted := range models {
			for i, set := range sets {
				anneal, err := fitted.Infer(data[i].Rows)
				if err != nil {
					return nil, err
				}
				fits = append(fits, fit{set, fitted, anneal})
			}
		}
	}
	return fits, nil
}

// RunCrossed fits all models to the data of all. The rows are by the model that made the data and the model that is fitted: those of its data sets,
// and then the one of all of them together. Results are the same for any number of workers, the seconds apart. Where the context ends, rows
// of which all chains are done are returned with its error.
func RunCrossed(ctx context.Context, o CrossedOptions) ([]CrossedRow, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	fits, err := o.fits(ctx)
	if err != nil {
		return nil, err
	}
	order, err := o.order(fits)
	if err != nil {
		return nil, err
	}
	results, done := make([]sandwich.Estimate, len(order)), make([]bool, len(order))
	err = experiments.Parallel(ctx, len(results), o.Workers, func(ctx context.Context, i int) (err error) {
		i = order[i]
		results[i], err = o.chain(ctx, &fits[i/o.Chains], i%o.Chains)
		if err == nil && o.Progress != nil {
			o.Progress(1)
		}
		done[i] = err == nil
		return err
	})
	if err != nil && !experiments.Ended(ctx, err) {
		return nil, err
	}
	return o.rows(fits, results, done), err
}

// order returns the order in which chains are begun: the longest first, so that no worker is left with one at the end.
func (o *CrossedOptions) order(fits []fit) ([]int, error) {
	ais, err := sandwich.ChoiceNamed("ais")
	if err != nil {
		return nil, err
	}
	var order []int
	var costs []float64
	for _, f := range fits {
		as := f.set
		as.Model = f.fitted
		for range o.Chains {
			order, costs = append(order, len(order)), append(costs, as.Seconds(ais, o.T))
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(costs[b], costs[a]) })
	return order, nil
}

// chain runs chain number i of a fit.
func (o *CrossedOptions) chain(ctx context.Context, f *fit, i int) (sandwich.Estimate, error) {
	purpose := fmt.Sprintf("%s with unknown hyperparameters on data set %d of %s %d by %d with T = %d", f.fitted.Name, f.set.Number, f.set.Model.Name, o.Rows, o.Columns, o.T)
	return f.anneal.Run(ctx, chains.NewSampler(simulate.NewStream(o.Seed, purpose, i)), o.T, chains.Forward)
}
