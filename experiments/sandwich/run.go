package sandwich

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"breadboard/chains"
	"breadboard/experiments"
	"breadboard/experiments/study"
)

// Algorithm is an algorithm that runs in both directions.
type Algorithm struct {
	Name             string
	Forward, Reverse string // the estimators of both directions, by name
}

// TruthForward and TruthReverse are the estimators between which the ground truth is.
const (
	TruthForward = "ais"
	TruthReverse = "rais"
)

// Algorithms are those between which log p(y) is sandwiched.
func Algorithms() []Algorithm {
	return []Algorithm{{"ais", TruthForward, TruthReverse}, {"smc", "smc", "shme"}}
}

// Options say which models are sandwiched, and how.
type Options struct {
	Given         []Given // the data sets, where they are there already; then Models, Rows, Columns, Datasets and Seed say nothing
	Models        []string
	Rows, Columns int
	T             []int // the numbers of distributions of annealing
	Scans         []int // the numbers M of scans after a datum of sequential Monte Carlo
	Chains        int   // of each direction on each data set
	Datasets      int
	Seed          uint64
}

// The limits of the options.
const (
	MaxT        = 100_000_000
	MaxScans    = 1_000_000
	MaxChains   = 100_000
	MaxDatasets = 10_000
	// maxRuns bounds the number of chains, each of which keeps its weight.
	maxRuns = 1_000_000
	// maxNumbers bounds the numbers of all data sets, which are held together with two copies of each.
	maxNumbers = 20_000_000
)

// sets returns the data sets, model by model, and an error that says what is wrong with the options.
func (o *Options) sets() ([]Set, error) {
	switch {
	case len(o.Given) > 0:
	case len(o.Models) == 0:
		return nil, chains.NewAdvice("no model is named; give {model} clustering, lowrank or binary")
	case o.Datasets < 1 || o.Datasets > MaxDatasets:
		return nil, chains.NewAdvice("{datasets} %d; give a whole number from 1 to %d", o.Datasets, MaxDatasets)
	}
	switch {
	case len(o.T) == 0 && len(o.Scans) == 0:
		return nil, chains.NewAdvice("neither {T} nor {scans} is given; give the numbers of distributions, or of scans after a datum")
	case o.Chains < 1 || o.Chains > MaxChains:
		return nil, chains.NewAdvice("{chains} %d; give a whole number from 1 to %d", o.Chains, MaxChains)
	}
	for _, T := range o.T {
		if T < 2 || T > MaxT {
			return nil, chains.NewAdvice("{T} %d; give whole numbers of distributions from 2 to %d", T, MaxT)
		}
	}
	for _, m := range o.Scans {
		if m < 0 || m > MaxScans {
			return nil, chains.NewAdvice("{scans} %d; give whole numbers from 0 to %d", m, MaxScans)
		}
	}
	sets, err := givenSets(o.Given)
	if len(o.Given) == 0 {
		sets, err = o.drawnSets()
	}
	if err != nil {
		return nil, err
	}
	if runs := float64(len(sets)*o.ends()) * float64(o.Chains) * float64(len(o.T)+len(o.Scans)); runs > maxRuns {
		return nil, chains.NewAdvice("%.3g chains in all, and at most %.2g are made; give fewer {chains} or {datasets}", runs, float64(maxRuns))
	}
	if numbers := float64(len(sets)) * float64(o.Rows) * float64(o.Columns); len(o.Given) == 0 && numbers > maxNumbers {
		return nil, chains.NewAdvice("%d data sets of %d rows and %d columns; they may have %.2g numbers in all: give fewer {datasets}, or smaller ones", len(sets), o.Rows, o.Columns, float64(maxNumbers))
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
			return nil, fmt.Errorf("%s and %s are the same model; name it once", before, name)
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

// ends returns how many directions chains run in: both, and forward alone on data without an exact draw to start from in reverse.
func (o *Options) ends() int {
	if len(o.Given) > 0 && !o.Given[0].Data.Drawn() {
		return 1
	}
	return 2
}

// pair is an algorithm with a knob on a data set: the work of one row.
type pair struct {
	set       int // its place among the data sets
	of        int // how many data sets of the same model there are
	algorithm Algorithm
	knob      int
}

// run is one chain of a pair.
type run struct {
	pair, chain int
	choice      *Choice
}

// plan sandwiches log p(y) of every data set. The rows are model by model: of each algorithm with each knob those of all data sets, and
// then the one of all of them together. Results are the same for any number of workers, the seconds apart.
func plan(_ context.Context, _ []study.NoSubjects, o *Options) (p study.Plan[Row], err error) {
	sets, err := o.sets()
	if err != nil {
		return p, err
	}
	pairs := o.pairs(sets)
	runs, costs, err := o.runs(sets, pairs)
	if err != nil {
		return p, err
	}
	return study.Plan[Row]{Steps: len(runs), Run: func(ctx context.Context, h study.How) ([]Row, error) {
		data, err := o.data(ctx, sets)
		if err != nil {
			return nil, err
		}
		chain := func(ctx context.Context, i int) (Estimate, error) {
			r := &runs[i]
			p := &pairs[r.pair]
			return sets[p.set].Estimate(ctx, data[p.set], *r.choice, p.knob, r.chain)
		}
		return RunChains(ctx, h, costs, chain, func(results []Estimate, done []bool) []Row { return o.rows(sets, pairs, results, done) })
	}}, nil
}

// RunChains makes chains that are independent of each other, as many as there are costs, and returns the rows of what they come to. The longest are
// begun first, so that no worker is left with one at the end. Where the context ends before all are done, it returns the rows of those that
// are, with an error that is experiments.Unfinished.
func RunChains[R any](
	ctx context.Context, h study.How, costs []float64, chain func(ctx context.Context, i int) (Estimate, error), rows func(results []Estimate, done []bool) []R,
) ([]R, error) {
	order := make([]int, len(costs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(costs[b], costs[a]) })
	results, done := make([]Estimate, len(costs)), make([]bool, len(costs))
	var finished atomic.Int64
	err := experiments.Parallel(ctx, len(costs), h.Workers, func(ctx context.Context, i int) (err error) {
		i = order[i]
		if results[i], err = chain(ctx, i); err == nil {
			done[i] = true
			finished.Add(1)
			h.Add(1)
		}
		return err
	})
	if err != nil {
		if !experiments.Ended(ctx, err) {
			return nil, err
		}
		err = experiments.NewUnfinished(int(finished.Load()), len(costs), err)
	}
	return rows(results, done), err
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

// pairs lists the work of all rows of single data sets.
func (o *Options) pairs(sets []Set) (pairs []pair) {
	for start, of := 0, 0; start < len(sets); start += of {
		for of = 1; start+of < len(sets) && sets[start+of].Model.Name == sets[start].Model.Name; of++ {
		}
		for _, a := range Algorithms() {
			knobs := o.T
			if a.Name != "ais" {
				knobs = o.Scans
			}
			for _, knob := range knobs {
				for i := range of {
					pairs = append(pairs, pair{start + i, of, a, knob})
				}
			}
		}
	}
	return pairs
}

// runs lists the chains of all pairs, and about how long each takes.
func (o *Options) runs(sets []Set, pairs []pair) (runs []run, costs []float64, err error) {
	choices, err := choicesByName()
	if err != nil {
		return nil, nil, err
	}
	for i, p := range pairs {
		for _, name := range []string{p.algorithm.Forward, p.algorithm.Reverse}[:o.ends()] {
			choice := choices[name]
			for chain := range o.Chains {
				runs = append(runs, run{i, chain + 1, choice})
				costs = append(costs, sets[p.set].Seconds(*choice, p.knob))
			}
		}
	}
	return runs, costs, nil
}

// choicesByName returns the estimators of all algorithms.
func choicesByName() (map[string]*Choice, error) {
	choices := map[string]*Choice{}
	for _, a := range Algorithms() {
		for _, name := range []string{a.Forward, a.Reverse} {
			c, err := ChoiceNamed(name)
			if err != nil {
				return nil, err
			}
			choices[name] = &c
		}
	}
	return choices, nil
}
