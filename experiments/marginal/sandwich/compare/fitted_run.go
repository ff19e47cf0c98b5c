package compare

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/chains/work"
	"breadboard/experiments/marginal/sandwich"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// fittedRun is a run in progress.
type fittedRun struct {
	*FittedOptions
	study.How
	model Model
	data  []problem // the measured data, and then the simulated ones
	// starts are the starts of reverse chains on the first simulated data: Starts of them for each
	// S.
	starts []problem
	fitted []Fitted
}

// fittedPlan infers the hyperparameters from the measured data, simulates data with them, and runs
// chains forward on all of these and in reverse on the first simulated ones. The rows are those of
// the measured data, of each simulated data set, and in reverse of each S. Apart from the seconds,
// results are the same for any number of workers. If the context ends, the rows with complete
// chains are returned.
func fittedPlan(_ context.Context, _ []study.NoSubjects, o *FittedOptions) (study.Plan[FittedRow], error) {
	m, p, err := o.readProblem()
	if err != nil {
		return study.Plan[FittedRow]{}, err
	}
	doubts, err := o.Doubts()
	if err != nil {
		return study.Plan[FittedRow]{}, err
	}
	return study.Plan[FittedRow]{
		Steps: o.scans(),
		Run: func(ctx context.Context, h study.How) ([]FittedRow, error) {
			r := &fittedRun{FittedOptions: o, How: h, model: m}
			rows, err := r.completeRows(ctx, p)
			if err != nil && !chains.Ended(ctx, err) {
				return nil, err
			}
			for i := range rows {
				rows[i].Fitted, rows[i].Doubts = r.fitted, doubts
			}
			shift(rows)
			if err != nil {
				err = subject.NewUnfinished(len(rows), len(o.T)*(1+o.Datasets+len(o.S)), err)
			}
			return rows, err
		},
	}, nil
}

// completeRows makes the steps in order, and returns the rows with complete chains.
func (r *fittedRun) completeRows(ctx context.Context, p problem) ([]FittedRow, error) {
	if err := r.infer(ctx, p); err != nil {
		return nil, err
	}
	if err := r.simulateData(); err != nil {
		return nil, err
	}
	if err := r.drawTransitions(ctx); err != nil {
		return nil, err
	}
	rows, err := sandwich.RunBlocks(ctx, r.How, [][]sandwich.Batch[FittedRow]{r.curves()})
	return slices.Concat(rows...), err
}

// sampler returns the random choices of a part of the run.
func (r *fittedRun) sampler(what string, i int) chains.RealChooser {
	return chains.NewSampler(simulate.NewStream(r.Seed, what+" of "+r.model.Name+" fitted to data", i))
}

// infer draws hyperparameters and parameters given the measured data: by annealing, and then by
// transitions at b = 1. Annealing reaches the mass from a prior far from it; a chain that starts
// there may stay for long.
func (r *fittedRun) infer(ctx context.Context, p problem) error {
	var along running
	inferred, err := subject.Unless(ctx, func() (problem, error) {
		c := r.sampler("inference", 1)
		annealed, err := p.annealed(c, max(2, r.Moves))
		if err != nil {
			return nil, err
		}
		return annealed.moved(c, r.Moves, along.addHyperparameters), nil
	})
	if err != nil {
		return err
	}
	r.data = []problem{inferred}
	r.fitted = append(r.fitted, r.estimates(inferred, &along, Fitted{Moves: r.Moves})...)
	r.Add(2 * r.Moves)
	return nil
}

// estimates returns the hyperparameters of a problem after its transitions.
func (r *fittedRun) estimates(p problem, along *running, of Fitted) (list []Fitted) {
	of.Model = r.model.Name
	for i, h := range p.hyper() {
		of.Name = h.Name
		of.Value = h.Value
		of.Mean, of.SD = along.meanAndSD(i)
		list = append(list, of)
	}
	return list
}

// simulateData draws data with the inferred hyperparameters.
func (r *fittedRun) simulateData() error {
	for i := range r.Datasets {
		p, err := r.data[0].simulated(r.sampler("data", i+1))
		if err != nil {
			return err
		}
		r.data = append(r.data, p)
	}
	return nil
}

// drawTransitions makes the transitions before reverse chains.
func (r *fittedRun) drawTransitions(ctx context.Context) error {
	n := len(r.S) * r.Starts
	starts := make([]problem, n)
	fitted := make([][]Fitted, n)
	order := subject.Order(n, func(a, b int) int { return cmp.Compare(r.S[b/r.Starts], r.S[a/r.Starts]) })
	err := subject.Parallel(ctx, n, r.Workers, func(ctx context.Context, i int) error {
		i = order[i]
		moves := r.S[i/r.Starts]
		start := i%r.Starts + 1
		var p problem
		var along running
		if err := work.Unless(ctx, func() {
			p = r.data[1].moved(
				r.sampler(fmt.Sprintf("start after %d moves", moves), start),
				moves,
				along.addHyperparameters,
			)
		}); err != nil {
			return err
		}
		starts[i], fitted[i] = p, r.estimates(p, &along, Fitted{Data: 1, Start: start, Moves: moves})
		r.Add(moves)
		return nil
	})
	if err != nil {
		return err
	}
	r.starts = starts
	r.fitted = append(r.fitted, slices.Concat(fitted...)...)
	return nil
}

// curves lists the chains of all rows: forward on all data, and in reverse on the first simulated
// data.
func (r *fittedRun) curves() (batches []sandwich.Batch[FittedRow]) {
	add := func(row FittedRow, starts []problem) {
		for _, T := range r.T {
			row.T = T
			batches = append(batches, r.curve(row, starts))
		}
	}
	row := FittedRow{
		Model:   r.model.Name,
		Rows:    len(r.Table.Rows),
		Columns: len(r.Table.Rows[0]),
		Chains:  r.Chains,
	}
	for i := range r.data {
		row.Data = i
		row.Direction = chains.Forward
		row.S = -1
		add(row, r.data[i:i+1])
	}
	row.Data = 1
	row.Direction = chains.Reverse
	row.Starts = r.Starts
	for i, moves := range r.S {
		row.S = moves
		add(row, r.starts[i*r.Starts:(i+1)*r.Starts])
	}
	return batches
}

// curve returns the chains of a row; chain i uses start i modulo the number of starts.
func (r *fittedRun) curve(row FittedRow, starts []problem) sandwich.Batch[FittedRow] {
	what := fmt.Sprintf("chain %v on data set %d with T = %d", row.Direction, row.Data, row.T)
	if row.Direction == chains.Reverse {
		what += fmt.Sprintf(" after %d moves", row.S)
	}
	return sandwich.Batch[FittedRow]{
		Chains: r.Chains, Cost: float64(row.T), Steps: row.T,
		Chain: func(ctx context.Context, i int) (sandwich.Estimate, error) {
			return sandwich.Annealing(starts[i%len(starts)].annealing).Run(
				ctx,
				r.sampler(what, i+1),
				row.T,
				row.Direction,
			)
		},
		Row: func(estimates []sandwich.Estimate) FittedRow {
			done := row
			done.Summarize(estimates)
			return done
		},
	}
}

// shift sets the shift of each data set: its largest forward log weight.
func shift(rows []FittedRow) {
	largest := map[int]float64{}
	for _, row := range rows {
		if row.Direction != chains.Forward {
			continue
		}
		if v, there := largest[row.Data]; !there || row.Max > v {
			largest[row.Data] = row.Max
		}
	}
	for i := range rows {
		v, there := largest[rows[i].Data]
		if !there {
			v = math.NaN()
		}
		rows[i].Shift = v
	}
}
