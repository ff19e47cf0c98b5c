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

// job is the chains of one row: those of a representation with one T on a data set.
type job struct {
	representation, T, data int // their places among the representations, the numbers T and the data sets
}

// study is a run with its data.
type study struct {
	*RepresentationOptions
	model sandwich.Model
	data  []*sandwich.Data
	jobs  []job
}

// RunRepresentations anneals in all representations. The rows are representation by representation: with each T those of all data sets, and then the one of
// all of them together. Results are the same for any number of workers, the seconds apart. Where the context ends, rows of which all
// chains are done are returned with its error.
func RunRepresentations(ctx context.Context, o RepresentationOptions) ([]RepresentationRow, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	s, err := o.study(ctx)
	if err != nil {
		return nil, err
	}
	each := 2 * o.Chains
	results, done := make([]sandwich.Estimate, each*len(s.jobs)), make([]bool, each*len(s.jobs))
	order := s.order()
	err = experiments.Parallel(ctx, len(results), o.Workers, func(ctx context.Context, i int) (err error) {
		i = order[i]
		results[i], err = s.chain(ctx, s.jobs[i/each], i%each)
		if err == nil && o.Progress != nil {
			o.Progress(1)
		}
		done[i] = err == nil
		return err
	})
	if err != nil && !experiments.Ended(ctx, err) {
		return nil, err
	}
	return s.rows(results, done), err
}

// study draws the data sets, which are those of the sandwich, and lists the jobs.
func (o *RepresentationOptions) study(ctx context.Context) (*study, error) {
	m, err := sandwich.ParseModel(o.Model)
	if err != nil {
		return nil, err
	}
	s := &study{RepresentationOptions: o, model: m}
	for i := range o.Datasets {
		data, err := sandwich.Set{Model: m, Rows: o.Rows, Columns: o.Columns, Number: i + 1, Seed: o.Seed}.Draw(ctx)
		if err != nil {
			return nil, err
		}
		s.data = append(s.data, data)
	}
	for representation := range m.Representations {
		for T := range o.T {
			for data := range o.Datasets {
				s.jobs = append(s.jobs, job{representation, T, data})
			}
		}
	}
	return s, nil
}

// order returns the order in which chains are begun: the longest first, so that no worker is left with one at the end.
func (s *study) order() []int {
	each := 2 * s.Chains
	order := make([]int, each*len(s.jobs))
	for i := range order {
		order[i] = i
	}
	cost := func(i int) float64 {
		j := s.jobs[i/each]
		return s.model.Representations[j.representation].Scans * float64(s.T[j.T])
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(cost(b), cost(a)) })
	return order
}

// chain runs chain number i of a job: the first half of them forward, the others in reverse.
func (s *study) chain(ctx context.Context, j job, i int) (sandwich.Estimate, error) {
	direction := chains.Forward
	if i >= s.Chains {
		direction = chains.Reverse
	}
	name, T := s.model.Representations[j.representation].Name, s.T[j.T]
	purpose := fmt.Sprintf("%v in representation %s of data set %d of %s %d by %d with T = %d", direction, name, j.data+1, s.model.Name, s.Rows, s.Columns, T)
	c := chains.NewSampler(simulate.NewStream(s.Seed, purpose, i))
	return s.data[j.data].Annealing(j.representation).Run(ctx, c, T, direction)
}
