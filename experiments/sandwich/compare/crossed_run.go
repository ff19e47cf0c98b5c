package compare

import (
	"context"
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/experiments/ais"
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

// CrossedRow is what annealing says of log p(y) of a data set under a fitted model, or of all data sets together. All is in nats.
type CrossedRow struct {
	Made, Fitted  string // the models that made the data and that is fitted
	Rows, Columns int
	T             int
	Data          int // the number of the data set; 0 where the row is of all of them
	Datasets      int // of which the row is
	Chains        int // on each data set

	// LogMean is the logarithm of the mean weight over the chains of a data set, and Mean is the mean log weight. Both are at most log p(y)
	// on average, and LogMean is nearer. Where the row is of all data sets, both are means over them. Standard errors are over chains on one
	// data set, where that of LogMean is meaningful only well below one, and over data sets for all of them.
	LogMean, Mean ais.Estimate
	// Behind is by how much LogMean is below that of the model that made the data, on the same data; MeanBehind is it for Mean. Both are
	// zero for that model itself, and NaN while it is not known.
	Behind, MeanBehind ais.Estimate
	Seconds            float64 // of a chain
}

// Diagonal reports whether the model that is fitted is the one that made the data.
func (r *CrossedRow) Diagonal() bool { return r.Made == r.Fitted }

// row returns the row of a model that is fitted to a data set.
func (o *CrossedOptions) row(fitted sandwich.Model, set sandwich.Set, estimates []sandwich.Estimate) CrossedRow {
	r := CrossedRow{Made: set.Model.Name, Fitted: fitted.Name, Rows: o.Rows, Columns: o.Columns, T: o.T, Data: set.Number, Datasets: 1, Chains: o.Chains}
	var logs []float64
	for _, e := range estimates {
		logs = append(logs, e.LogZ)
		r.Seconds += e.Seconds / float64(len(estimates))
	}
	r.Mean, r.LogMean = ais.Mean(logs), ais.LogMeanExp(logs, 1)
	return r
}
