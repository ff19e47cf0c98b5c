package sandwich

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// Algorithm is an algorithm that runs in both directions.
type Algorithm struct {
	Name             string
	Forward, Reverse string // the estimators of both directions, by name
}

// choices returns the estimators of both directions.
func (a Algorithm) choices() (forward, reverse Choice) {
	for _, c := range Choices() {
		switch c.Name {
		case a.Forward:
			forward = c
		case a.Reverse:
			reverse = c
		}
	}
	return forward, reverse
}

// TruthForward and TruthReverse are the estimators that bracket the ground truth.
const (
	TruthForward = "ais"
	TruthReverse = "rais"
)

// algorithms are the algorithms that bracket log p(y).
func algorithms() []Algorithm {
	return []Algorithm{{"ais", TruthForward, TruthReverse}, {"smc", "smc", "shme"}}
}

// Options are the models, and the sizes of the runs.
type Options struct {
	Given         []Given // existing data sets; if set, Models, Rows, Columns, Datasets and Seed are ignored
	Models        []string
	Rows, Columns int
	T             []int // the numbers of distributions of annealing
	Scans         []int // the numbers M of scans of sequential Monte Carlo after each datum
	Chains        int   // in each direction on each data set
	Datasets      int
	Seed          uint64
}

// The limits of the options.
const (
	MaxT        = 100_000_000
	maxScans    = 1_000_000
	MaxChains   = 100_000
	MaxDatasets = 10_000
	// maxRuns is the largest number of chains, each of which keeps its weight.
	maxRuns = 1_000_000
	// maxNumbers is the largest count of numbers in all data sets, which are held together with two
	// copies of each.
	maxNumbers = 20_000_000
)

// sets returns the data sets, model by model, and an error for invalid options.
func (o *Options) sets() ([]Set, error) {
	switch {
	case len(o.Given) > 0:
	case len(o.Models) == 0:
		return nil, errs.New("no model is given; give {model} clustering, lowrank or binary")
	case o.Datasets < 1 || o.Datasets > MaxDatasets:
		return nil, errs.New("{datasets} %d; give a whole number from 1 to %d", o.Datasets, MaxDatasets)
	}
	switch {
	case len(o.T) == 0 && len(o.Scans) == 0:
		return nil, errs.New(
			"neither {T} nor {scans} is given; give the numbers of distributions, or of scans after a datum",
		)
	case o.Chains < 1 || o.Chains > MaxChains:
		return nil, errs.New("{chains} %d; give a whole number from 1 to %d", o.Chains, MaxChains)
	}
	for _, T := range o.T {
		if T < 2 || T > MaxT {
			return nil, errs.New("{T} %d; give whole numbers of distributions from 2 to %d", T, MaxT)
		}
	}
	for _, m := range o.Scans {
		if m < 0 || m > maxScans {
			return nil, errs.New("{scans} %d; give whole numbers from 0 to %d", m, maxScans)
		}
	}
	sets, err := givenSets(o.Given)
	if len(o.Given) == 0 {
		sets, err = o.drawnSets()
	}
	if err != nil {
		return nil, err
	}
	if all := o.chains(sets); all > maxRuns {
		return nil, errs.New("%.3g chains in all, and the limit is %.2g; give fewer {chains} or {datasets}",
			all, float64(maxRuns))
	}
	if numbers := float64(len(sets)) * float64(o.Rows) * float64(o.Columns); len(o.Given) == 0 &&
		numbers > maxNumbers {
		return nil, errs.New(
			"%d data sets of %d rows and %d columns, and the limit is %.2g numbers in all; give fewer "+
				"{datasets}, or smaller ones",
			len(sets),
			o.Rows,
			o.Columns,
			float64(maxNumbers),
		)
	}
	return sets, nil
}

// drawnSets returns the data sets that are to be drawn.
func (o *Options) drawnSets() (sets []Set, err error) {
	names := map[string]string{}
	for _, name := range o.Models {
		m, err := ParseModel(name)
		if err != nil {
			return nil, err
		}
		if before, again := names[m.Name]; again {
			return nil, errs.New("%s and %s are the same model; name it once", before, name)
		}
		names[m.Name] = name
		if err := m.check(size{o.Rows, o.Columns}); err != nil {
			return nil, err
		}
		for i := range o.Datasets {
			sets = append(sets, Set{m, o.Rows, o.Columns, i + 1, o.Seed})
		}
	}
	return sets, nil
}

// chains returns the number of chains on all data sets.
func (o *Options) chains(sets []Set) float64 {
	return float64(len(sets)*o.ends()) * float64(o.Chains) * float64(len(o.T)+len(o.Scans))
}

// ends returns the number of directions of chains: two, or one on data without an exact draw.
func (o *Options) ends() int {
	if len(o.Given) > 0 && !o.Given[0].Data.drawn() {
		return 1
	}
	return 2
}

// plan brackets log p(y) of every data set. The rows are sorted by model, algorithm and knob: those
// of the data sets, and then the row of all of them together. Apart from the seconds, results are
// the same for any number of workers.
func plan(_ context.Context, _ []study.NoSubjects, o *Options) (p study.Plan[Row], err error) {
	sets, err := o.sets()
	if err != nil {
		return p, err
	}
	steps := 0
	for _, block := range o.listChains(sets, make([]*Data, len(sets))) {
		for _, b := range block {
			steps += b.Chains * b.Steps
		}
	}
	return study.Plan[Row]{Steps: steps, Seconds: 1e-6 * float64(steps), Run: func(ctx context.Context, h study.How) ([]Row, error) {
		data, err := o.data(ctx, sets)
		if err != nil {
			return nil, err
		}
		blocks := o.listChains(sets, data)
		rows, err := RunBlocks(ctx, h, blocks)
		return o.settled(WithAll(blocks, rows, Together)), err
	}}, nil
}

// data returns the data sets themselves.
func (o *Options) data(ctx context.Context, sets []Set) (data []*Data, err error) {
	for i := range sets {
		var one *Data
		if len(o.Given) > 0 {
			one = o.Given[i].Data
		} else if one, err = sets[i].Draw(ctx); err != nil {
			return nil, err
		}
		data = append(data, one)
	}
	return data, nil
}

// listChains lists the chains of all rows of single data sets. A block has those of one algorithm
// with one knob on the data sets of one model.
func (o *Options) listChains(sets []Set, data []*Data) (blocks [][]Batch[Row]) {
	for start, end := 0, 0; start < len(sets); start = end {
		for end = start; end < len(sets) && sets[end].Model.Name == sets[start].Model.Name; end++ {
		}
		for _, a := range algorithms() {
			knobs := o.T
			if a.Name != TruthForward {
				knobs = o.Scans
			}
			for _, knob := range knobs {
				block := make([]Batch[Row], end-start)
				for i := range block {
					block[i] = o.batch(a, knob, sets[start+i], data[start+i], len(block))
				}
				blocks = append(blocks, block)
			}
		}
	}
	return blocks
}

// batch returns the chains of an algorithm with a knob on one data set of a model: the forward
// ones, and then the reverse ones.
func (o *Options) batch(a Algorithm, knob int, set Set, data *Data, datasets int) Batch[Row] {
	forward, reverse := a.choices()
	return Batch[Row]{
		Chains: o.ends() * o.Chains,
		Cost:   set.Seconds(forward, knob),
		Steps:  max(1, int(1e6*set.Seconds(forward, knob))),
		Chain: func(ctx context.Context, i int) (Estimate, error) {
			by := forward
			if i >= o.Chains {
				by = reverse
			}
			return set.Estimate(ctx, data, by, knob, i%o.Chains+1)
		},
		Row: func(estimates []Estimate) Row { return o.dataRow(set, a, knob, datasets, estimates) },
	}
}

// Batch is the chains of one row, which are independent of each other.
type Batch[R any] struct {
	Chains int     // the number of chains
	Cost   float64 // the estimated time of each, in a unit that all batches of a run share
	Steps  int     // the progress that each counts for
	// Chain makes chain i, from 0. Several goroutines call it concurrently.
	Chain func(ctx context.Context, i int) (Estimate, error)
	// Row returns the row of the estimates of all chains.
	Row func(estimates []Estimate) R
}

// RunBlocks makes the chains of batches, grouped in blocks, and returns the rows of every block.
// The longest chains start first, so that no worker is left with one at the end. If the context
// ends before all are done, it returns the rows of the batches with complete chains, with an error
// that is subject.Unfinished.
func RunBlocks[R any](ctx context.Context, h study.How, blocks [][]Batch[R]) ([][]R, error) {
	type chain struct {
		of     *Batch[R]
		number int // in its batch
		place  int // its index among all chains
	}
	var order []chain
	for _, block := range blocks {
		for i := range block {
			for number := range block[i].Chains {
				order = append(order, chain{&block[i], number, len(order)})
			}
		}
	}
	slices.SortStableFunc(order, func(a, b chain) int { return cmp.Compare(b.of.Cost, a.of.Cost) })
	estimates := make([]Estimate, len(order))
	done := make([]bool, len(order))
	var finished atomic.Int64
	err := subject.Parallel(ctx, len(order), h.Workers, func(ctx context.Context, i int) (err error) {
		c := order[i]
		estimates[c.place], err = c.of.Chain(ctx, c.number)
		if err == nil {
			done[c.place] = true
			finished.Add(1)
			h.Add(c.of.Steps)
		}
		return err
	})
	if err != nil {
		if !chains.Ended(ctx, err) {
			return nil, err
		}
		err = subject.NewUnfinished(int(finished.Load()), len(order), err)
	}
	return doneRows(blocks, estimates, done), err
}

// doneRows returns the rows of the batches with complete chains.
func doneRows[R any](blocks [][]Batch[R], estimates []Estimate, done []bool) [][]R {
	rows := make([][]R, len(blocks))
	from := 0
	for i, block := range blocks {
		for _, b := range block {
			to := from + b.Chains
			if !slices.Contains(done[from:to], false) {
				rows[i] = append(rows[i], b.Row(estimates[from:to]))
			}
			from = to
		}
	}
	return rows
}

// WithAll returns the rows of all blocks, one after another. A block has the rows of single data
// sets. If all its batches are complete, and there are several, the row of all data sets together
// follows.
func WithAll[R any](blocks [][]Batch[R], rows [][]R, together func(block []R) R) (all []R) {
	for i, block := range rows {
		all = append(all, block...)
		if len(block) > 1 && len(block) == len(blocks[i]) {
			all = append(all, together(block))
		}
	}
	return all
}
