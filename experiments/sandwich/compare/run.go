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
		blocks, err := o.blocks(ctx, models)
		if err != nil {
			return nil, err
		}
		rows, err := sandwich.RunBlocks(ctx, h, blocks)
		compare(rows)
		return sandwich.WithAll(blocks, rows, together), err
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

// blocks lists the chains of all fits: by the model that made the data, the model that is fitted, and the data set.
func (o *CrossedOptions) blocks(ctx context.Context, models []sandwich.Model) (blocks [][]sandwich.Batch[CrossedRow], err error) {
	for _, made := range models {
		sets, data := make([]sandwich.Set, o.Datasets), make([]*sandwich.Data, o.Datasets)
		for i := range sets {
			sets[i] = sandwich.Set{Model: made, Rows: o.Rows, Columns: o.Columns, Number: i + 1, Seed: o.Seed}
			if data[i], err = sets[i].Draw(ctx); err != nil {
				return nil, err
			}
		}
		for _, fitted := range models {
			block := make([]sandwich.Batch[CrossedRow], o.Datasets)
			for i := range block {
				if block[i], err = o.fit(fitted, sets[i], data[i]); err != nil {
					return nil, err
				}
			}
			blocks = append(blocks, block)
		}
	}
	return blocks, nil
}

// fit returns the chains of a model that is fitted to a data set.
func (o *CrossedOptions) fit(fitted sandwich.Model, set sandwich.Set, data *sandwich.Data) (b sandwich.Batch[CrossedRow], err error) {
	anneal, err := fitted.Infer(data.Rows)
	if err != nil {
		return b, err
	}
	forward, err := sandwich.ChoiceNamed(sandwich.TruthForward)
	if err != nil {
		return b, err
	}
	as := set
	as.Model = fitted
	purpose := fmt.Sprintf("%s with unknown hyperparameters on data set %d of %s %d by %d with T = %d", fitted.Name, set.Number, set.Model.Name, o.Rows, o.Columns, o.T)
	return sandwich.Batch[CrossedRow]{
		Chains: o.Chains, Cost: as.Seconds(forward, o.T), Steps: 1,
		Chain: func(ctx context.Context, i int) (sandwich.Estimate, error) {
			return anneal.Run(ctx, chains.NewSampler(simulate.NewStream(o.Seed, purpose, i)), o.T, chains.Forward)
		},
		Row: func(estimates []sandwich.Estimate) CrossedRow { return o.row(fitted, set, estimates) },
	}, nil
}
