package compare

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/experiments/sandwich"
	"breadboard/experiments/study"
)

// job is the chains of one row: those of a representation with one T on a data set.
type job struct {
	representation, T, data int // their places among the representations, the numbers T and the data sets
}

// annealed are the data of a run.
type annealed struct {
	*RepresentationOptions
	model sandwich.Model
	data  []*sandwich.Data
	jobs  []job
}

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
		s, err := o.draw(ctx, m)
		if err != nil {
			return nil, err
		}
		each := 2 * o.Chains
		chain := func(ctx context.Context, i int) (sandwich.Estimate, error) {
			return s.chain(ctx, s.jobs[i/each], i%each)
		}
		return sandwich.RunChains(ctx, h, s.costs(), chain, s.rows)
	}}, nil
}

// draw draws the data sets, which are those of the sandwich, and lists the jobs.
func (o *RepresentationOptions) draw(ctx context.Context, m sandwich.Model) (*annealed, error) {
	s := &annealed{RepresentationOptions: o, model: m}
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

// costs returns about how many scans each chain makes.
func (s *annealed) costs() (costs []float64) {
	for _, j := range s.jobs {
		for range 2 * s.Chains {
			costs = append(costs, s.model.Representations[j.representation].Scans*float64(s.T[j.T]))
		}
	}
	return costs
}

// chain runs chain number i of a job: the first half of them forward, the others in reverse.
func (s *annealed) chain(ctx context.Context, j job, i int) (sandwich.Estimate, error) {
	direction := chains.Forward
	if i >= s.Chains {
		direction = chains.Reverse
	}
	name, T := s.model.Representations[j.representation].Name, s.T[j.T]
	purpose := fmt.Sprintf("%v in representation %s of data set %d of %s %d by %d with T = %d", direction, name, j.data+1, s.model.Name, s.Rows, s.Columns, T)
	c := chains.NewSampler(simulate.NewStream(s.Seed, purpose, i))
	return s.data[j.data].Annealing(j.representation).Run(ctx, c, T, direction)
}
