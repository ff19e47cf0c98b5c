package compare

import (
	"context"
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/experiments/sandwich"
	"breadboard/experiments/study"
)

// CrossedOptions say which models make data and are fitted to them, and how.
type CrossedOptions struct {
	Models        []string // selectors of package sandwich
	Rows, Columns int
	T             int // the number of distributions of annealing
	Chains        int // of each model on each data set
	Datasets      int // of each model
	Seed          uint64
}

// PaperT is the number of distributions of the paper.
const PaperT = 30_000

// crossedMaxChains bounds the number of chains, each of which keeps its estimate.
const crossedMaxChains = 5_000_000

// crossedPlan fits all models to the data of all. The rows are by the model that made the data and the model that is fitted: those of its
// data sets, and then the one of all of them together. Results are the same for any number of workers, the seconds apart.
func crossedPlan(ctx context.Context, none []study.NoSubjects, o *CrossedOptions) (p study.Plan[CrossedRow], err error) {
	models, err := o.models()
	if err != nil {
		return p, err
	}
	s := sandwich.Options{Models: o.Models, Rows: o.Rows, Columns: o.Columns, T: []int{o.T}, Chains: o.Chains, Datasets: o.Datasets, Seed: o.Seed}
	if _, err := sandwich.Study().Plan(ctx, none, &s); err != nil {
		return p, err
	}
	if len(models) < 2 {
		return p, chains.NewAdvice("one model alone; give {model} two models at least, so that there is something to compare")
	}
	p.Steps = o.Chains * o.Datasets * len(models) * len(models)
	if p.Steps > crossedMaxChains {
		return p, chains.NewAdvice("%d chains in all, and at most %d are made; give fewer {chains}, {datasets} or models", p.Steps, crossedMaxChains)
	}
	p.Run = func(ctx context.Context, h study.How) ([]CrossedRow, error) {
		fits, err := o.fits(ctx, models)
		if err != nil {
			return nil, err
		}
		costs, err := o.costs(fits)
		if err != nil {
			return nil, err
		}
		chain := func(ctx context.Context, i int) (sandwich.Estimate, error) {
			return o.chain(ctx, &fits[i/o.Chains], i%o.Chains)
		}
		return sandwich.RunChains(ctx, h, costs, chain, func(results []sandwich.Estimate, done []bool) []CrossedRow { return o.rows(fits, results, done) })
	}
	return p, nil
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

// fit is a model that is fitted to a data set.
type fit struct {
	set    sandwich.Set   // the data set, with the model that made it
	fitted sandwich.Model // the model that is fitted
	anneal sandwich.Annealing
}

// fits lists all fits: by the model that made the data, the model that is fitted, and the data set.
func (o *CrossedOptions) fits(ctx context.Context, models []sandwich.Model) (fits []fit, err error) {
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

// costs returns about how long each chain takes.
func (o *CrossedOptions) costs(fits []fit) (costs []float64, err error) {
	ais, err := sandwich.ChoiceNamed("ais")
	if err != nil {
		return nil, err
	}
	for _, f := range fits {
		as := f.set
		as.Model = f.fitted
		for range o.Chains {
			costs = append(costs, as.Seconds(ais, o.T))
		}
	}
	return costs, nil
}

// chain runs chain number i of a fit.
func (o *CrossedOptions) chain(ctx context.Context, f *fit, i int) (sandwich.Estimate, error) {
	purpose := fmt.Sprintf("%s with unknown hyperparameters on data set %d of %s %d by %d with T = %d", f.fitted.Name, f.set.Number, f.set.Model.Name, o.Rows, o.Columns, o.T)
	return f.anneal.Run(ctx, chains.NewSampler(simulate.NewStream(o.Seed, purpose, i)), o.T, chains.Forward)
}
