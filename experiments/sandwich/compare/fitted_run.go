package compare

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"breadboard/chains"

	"breadboard/chains/simulate"
	"breadboard/experiments"
	"breadboard/experiments/study"
)

// fittedRun is a run at work.
type fittedRun struct {
	*FittedOptions
	study.How
	model Model
	data  []problem // the measured data, and then the simulated ones
	// starts are the starts of chains in reverse on the first simulated data: Starts of them for each S.
	starts []problem
	fitted []Fitted
	curves []curve
}

// curve is what becomes a row: the chains of one direction with one T on one data set.
type curve struct {
	row     FittedRow
	starts  []problem // chain i starts at the one with number i, counted round
	logs    []float64
	seconds []float64
	done    []bool
}

// fittedPlan infers the hyperparameters from the measured data, simulates data with them, and makes chains forward on all of these and in reverse on
// the first simulated ones. The rows are those of the measured data, of each simulated data set, and in reverse of each S. Results are
// the same for any number of workers, the seconds apart. Where the context ends, rows of which all chains are done are returned.
func fittedPlan(_ context.Context, _ []study.NoSubjects, o *FittedOptions) (study.Plan[FittedRow], error) {
	m, p, err := o.read()
	if err != nil {
		return study.Plan[FittedRow]{}, err
	}
	doubts, err := o.Doubts()
	if err != nil {
		return study.Plan[FittedRow]{}, err
	}
	return study.Plan[FittedRow]{Steps: o.scans(), Run: func(ctx context.Context, h study.How) ([]FittedRow, error) {
		r := &fittedRun{FittedOptions: o, How: h, model: m}
		for _, part := range []func() error{
			func() error { return r.infer(ctx, p) },
			func() error { return r.simulate() },
			func() error { return r.begin(ctx) },
			func() error { return r.chains(ctx) },
		} {
			if err = part(); err != nil {
				break
			}
		}
		if err != nil && !experiments.Ended(ctx, err) {
			return nil, err
		}
		rows := r.rows(doubts)
		if err != nil {
			err = experiments.NewUnfinished(len(rows), len(o.T)*(1+o.Datasets+len(o.S)), err)
		}
		return rows, err
	}}, nil
}

// sampler returns the random choices of something that is done.
func (r *fittedRun) sampler(what string, i int) chains.RealChooser {
	return chains.NewSampler(simulate.NewStream(r.Seed, what+" of "+r.model.Name+" fitted to data", i))
}

// infer draws hyperparameters and parameters given the measured data: by annealing, and by moves at b = 1 after that. Annealing comes to
// where the mass is from a prior that is far from it, where a chain that begins there may stay for long.
func (r *fittedRun) infer(ctx context.Context, p problem) error {
	var inferred problem
	var wrong error
	var along running
	ended := chains.Unless(ctx, func() {
		c := r.sampler("inference", 1)
		if p, wrong = p.annealed(c, max(2, r.Moves)); wrong == nil {
			inferred = p.moved(c, r.Moves, along.add)
		}
	})
	if ended != nil {
		return ended
	}
	if wrong != nil {
		return wrong
	}
	r.data = []problem{inferred}
	r.fitted = append(r.fitted, r.estimates(inferred, &along, Fitted{Moves: r.Moves})...)
	r.Add(2 * r.Moves)
	return nil
}

// estimates returns the hyperparameters of a problem that has been moved.
func (r *fittedRun) estimates(p problem, along *running, of Fitted) (list []Fitted) {
	of.Model = r.model.Name
	for i, h := range p.hyper() {
		of.Name, of.Value = h.Name, h.Value
		of.Mean, of.SD = along.of(i)
		list = append(list, of)
	}
	return list
}

// simulate draws data with the hyperparameters that were inferred.
func (r *fittedRun) simulate() error {
	for i := range r.Datasets {
		p, err := r.data[0].simulated(r.sampler("data", i+1))
		if err != nil {
			return err
		}
		r.data = append(r.data, p)
	}
	return nil
}

// begin makes the moves before chains in reverse.
func (r *fittedRun) begin(ctx context.Context) error {
	n := len(r.S) * r.Starts
	starts, fitted := make([]problem, n), make([][]Fitted, n)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.S[b/r.Starts], r.S[a/r.Starts]) })
	err := experiments.Parallel(ctx, n, r.Workers, func(ctx context.Context, i int) error {
		i = order[i]
		moves, start := r.S[i/r.Starts], i%r.Starts+1
		var p problem
		var along running
		if err := chains.Unless(ctx, func() {
			p = r.data[1].moved(r.sampler(fmt.Sprintf("start after %d moves", moves), start), moves, along.add)
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

// list makes the curves: forward on all data, and in reverse on the first that were simulated.
func (r *fittedRun) list() {
	add := func(row FittedRow, starts []problem) {
		for _, T := range r.T {
			row.T = T
			r.curves = append(r.curves, curve{row, starts, make([]float64, r.Chains), make([]float64, r.Chains), make([]bool, r.Chains)})
		}
	}
	row := FittedRow{Model: r.model.Name, Rows: len(r.Table.Rows), Columns: len(r.Table.Rows[0]), Chains: r.Chains}
	for i := range r.data {
		row.Data, row.Direction, row.S = i, chains.Forward, -1
		add(row, r.data[i:i+1])
	}
	row.Data, row.Direction, row.Starts = 1, chains.Reverse, r.Starts
	for i, moves := range r.S {
		row.S = moves
		add(row, r.starts[i*r.Starts:(i+1)*r.Starts])
	}
}

// chains makes the chains of all curves, the longest first, so that no worker is left with one at the end.
func (r *fittedRun) chains(ctx context.Context) error {
	r.list()
	order := make([]int, len(r.curves)*r.Chains)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(r.curves[b/r.Chains].row.T, r.curves[a/r.Chains].row.T)
	})
	return experiments.Parallel(ctx, len(order), r.Workers, func(ctx context.Context, i int) error {
		i = order[i]
		return r.chain(ctx, &r.curves[i/r.Chains], i%r.Chains)
	})
}

// chain makes one chain of a curve.
func (r *fittedRun) chain(ctx context.Context, of *curve, i int) error {
	row := &of.row
	what := fmt.Sprintf("chain %v on data set %d with T = %d", row.Direction, row.Data, row.T)
	if row.Direction == chains.Reverse {
		what += fmt.Sprintf(" after %d moves", row.S)
	}
	c := r.sampler(what, i+1)
	var log float64
	var wrong error
	began := time.Now()
	if err := chains.Unless(ctx, func() { log, wrong = of.starts[i%len(of.starts)].weight(c, row.T, row.Direction) }); err != nil {
		return err
	}
	if wrong != nil {
		return wrong
	}
	of.logs[i], of.seconds[i], of.done[i] = log, time.Since(began).Seconds(), true
	r.Add(row.T)
	return nil
}

// rows returns the rows of the curves all of whose chains are done.
func (r *fittedRun) rows(doubts []chains.Advice) (rows []FittedRow) {
	for _, of := range r.curves {
		if slices.Contains(of.done, false) {
			continue
		}
		row := of.row
		row.Fitted, row.Doubts = r.fitted, doubts
		row.summarize(of.logs)
		for _, s := range of.seconds {
			row.Seconds += s / float64(len(of.seconds))
		}
		rows = append(rows, row)
	}
	shift(rows)
	return rows
}

// shift sets by how much the values of each data set are shifted: the largest forward value of all.
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
