package compare

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/experiments/sandwich"
	"breadboard/experiments/study"
)

// representationPlan anneals in all representations. The rows are representation by representation: with each T those of all data sets, and
// then the one of all of them together. Results are the same for any number of workers, the seconds apart.
func representationPlan(ctx context.Context, none []study.NoSubjects, o *RepresentationOptions) (p study.Plan[RepresentationRow], err error) {
	if len(o.T) == 0 {
		return p, chains.NewAdvice("no number of distributions is given; give {T} whole numbers, as 100,1000")
	}
	// The sandwich of the model as it is written has the same data and as many chains.
	s := sandwich.Options{Models: []string{o.Model}, Rows: o.Rows, Columns: o.Columns, T: o.T, Chains: o.Chains, Datasets: o.Datasets, Seed: o.Seed}
	of, err := sandwich.Study().Plan(ctx, none, &s)
	if err != nil {
		return p, err
	}
	m, err := sandwich.ParseModel(o.Model)
	if err != nil {
		return p, err
	}
	if len(m.Representations) == 0 {
		return p, fmt.Errorf("model %s is written in one way only, so that there is nothing to compare; give %s", m.Name, DefaultRepresentation)
	}
	return study.Plan[RepresentationRow]{Steps: of.Steps * len(m.Representations), Run: func(ctx context.Context, h study.How) ([]RepresentationRow, error) {
		blocks, err := o.blocks(ctx, m)
		if err != nil {
			return nil, err
		}
		rows, err := sandwich.RunBlocks(ctx, h, blocks)
		return sandwich.WithAll(blocks, rows, togetherRepresented), err
	}}, nil
}

// blocks draws the data sets, which are those of the sandwich, and lists the chains on them: by the representation, T and the data set.
func (o *RepresentationOptions) blocks(ctx context.Context, m sandwich.Model) (blocks [][]sandwich.Batch[RepresentationRow], err error) {
	data := make([]*sandwich.Data, o.Datasets)
	for i := range data {
		if data[i], err = (sandwich.Set{Model: m, Rows: o.Rows, Columns: o.Columns, Number: i + 1, Seed: o.Seed}).Draw(ctx); err != nil {
			return nil, err
		}
	}
	for i, representation := range m.Representations {
		for _, T := range o.T {
			block := make([]sandwich.Batch[RepresentationRow], o.Datasets)
			for j := range block {
				block[j] = o.batch(m, representation, data[j].Annealing(i), T, j+1)
			}
			blocks = append(blocks, block)
		}
	}
	return blocks, nil
}

// batch returns the chains in a representation with one T on a data set: the first half of them forward, the others in reverse.
func (o *RepresentationOptions) batch(m sandwich.Model, in sandwich.Representation, anneal sandwich.Annealing, T, data int) sandwich.Batch[RepresentationRow] {
	return sandwich.Batch[RepresentationRow]{
		Chains: 2 * o.Chains, Cost: in.Scans * float64(T), Steps: 1,
		Chain: func(ctx context.Context, i int) (sandwich.Estimate, error) {
			direction := chains.Forward
			if i >= o.Chains {
				direction = chains.Reverse
			}
			purpose := fmt.Sprintf("%v in representation %s of data set %d of %s %d by %d with T = %d", direction, in.Name, data, m.Name, o.Rows, o.Columns, T)
			return anneal.Run(ctx, chains.NewSampler(simulate.NewStream(o.Seed, purpose, i)), T, direction)
		},
		Row: func(estimates []sandwich.Estimate) RepresentationRow {
			r := RepresentationRow{in.Name, estimates[0].Work, sandwich.Row{
				Model: m.Name, Rows: o.Rows, Columns: o.Columns, Algorithm: sandwich.TruthForward, T: T, Scans: -1,
				Data: data, Datasets: 1, Chains: o.Chains, LogZ: math.NaN(), Notes: sandwich.Conditional(o.Datasets),
			}}
			r.Fill(estimates[:o.Chains], estimates[o.Chains:])
			return r
		},
	}
}

// RepresentationRow is what annealing in a representation with one T says of log p(y) of a data set, or of all of them together.
type RepresentationRow struct {
	Representation string
	Work           float64 // of a chain, in evaluations of log f as package chains/estimators counts them
	sandwich.Row
}

// togetherRepresented returns the row of several data sets.
func togetherRepresented(block []RepresentationRow) RepresentationRow {
	all := block[0]
	var rows []sandwich.Row
	for _, r := range block {
		rows = append(rows, r.Row)
	}
	all.Row = sandwich.Together(rows)
	return all
}
