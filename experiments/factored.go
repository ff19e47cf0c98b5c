package experiments

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/schedules"
	"breadboard/chains/selector"
	"breadboard/chains/sites"
	"breadboard/grid"
	"breadboard/toys"
	"breadboard/toys/networks"
)

// Factored is an annealing, from the uniform distribution along the geometric path, to a toy that is a product of factors and has too many states to be
// listed. It is the Algorithm of a case that has no Toy.
type Factored struct {
	Query     *networks.Query
	Model     *sites.Model
	Move      sites.Move
	Betas     []float64
	LogStates float64 // log Z_1
}

// OnFactors returns the cases of a toy with chains that move on its factors. Where the toy is no product of factors the error is the given one.
func (s Selection) OnFactors(ctx context.Context, text string, large error) ([]Case, error) {
	q, name, err := toys.Factored(text, "", "")
	if err != nil {
		return nil, large
	}
	schedule, err := s.factorable(q)
	if err != nil {
		return nil, fmt.Errorf("toy %s has too many states to be listed, so that chains move on its factors: %w", name, err)
	}
	f := Factored{Query: q, Move: sites.Moves()[s.Kernel]}
	if f.Model, f.LogStates, err = modelOf(q); err != nil {
		return nil, fmt.Errorf("toy %s: %w", name, err)
	}
	var cases []Case
	lengths := s.Distributions
	if len(lengths) == 0 {
		lengths = s.Default
	}
	if points, own := schedule.(*schedules.Points); own {
		lengths = []int{points.Len()}
	}
	for _, T := range lengths {
		if err := schedule.Validate(T); err != nil {
			return nil, err
		}
		at := f
		for t := range T {
			at.Betas = append(at.Betas, schedule.Beta(t+1, T))
		}
		names := Setting{"geometric", uniform, schedule.String(), s.Kernel, T}
		cases = append(cases, Case{Algorithm: &at, Params: append(Params{{"toy", name}}, names.Params()...)})
	}
	return cases, ctx.Err()
}

// factorable returns the schedule, and fails where chains cannot anneal so on factors.
func (s Selection) factorable(q *networks.Query) (chains.Schedule, error) {
	initial := s.Initial
	if initial == "" && !q.Bayes {
		initial = uniform
	}
	switch {
	case s.Path != "geometric":
		return nil, chains.NewAdvice("{path} %s needs sums over states; give {path} geometric", s.Path)
	case initial != uniform:
		return nil, chains.NewAdvice("only the uniform distribution is left as it is by powers of the factors; give {initial} uniform")
	case sites.Moves()[s.Kernel] == nil:
		return nil, chains.NewAdvice("kernel %s does not move by factors; give {kernel} %s", s.Kernel, strings.Join(sites.Names(), ", "))
	}
	for _, hidden := range q.Hidden {
		if hidden {
			return nil, errors.New("variables that are summed out have no factors; keep them all")
		}
	}
	return schedules.Forms().Parse(s.Schedule, selector.Nothing{})
}

// modelOf returns the factors of a query for moves, and the log of the number of states. Variables that are observed have one value.
func modelOf(q *networks.Query) (*sites.Model, float64, error) {
	var factors []sites.Factor
	for _, f := range q.Clamped() {
		logs := make([]float64, len(f.Values))
		for i, v := range f.Values {
			logs[i] = number.Log(v)
		}
		factors = append(factors, sites.Factor{Scope: f.Scope, Logs: logs})
	}
	cards, states := q.FreeCards(), 0.0
	for _, n := range cards {
		states += number.Log(float64(n))
	}
	m, err := sites.New(cards, factors)
	return m, states, err
}

// Draws returns log Z of the target and so many exact draws, of each variable its value in each of them, by elimination.
func (f *Factored) Draws(ctx context.Context, n int, random *rand.Rand) (logZ float64, draws [][]uint8, err error) {
	found, err := f.Query.Infer(ctx, networks.Asked{Samples: n, Random: random})
	if err != nil {
		return 0, nil, err
	}
	for _, values := range found.Samples {
		narrow := make([]uint8, len(values))
		for i, v := range values {
			narrow[i] = uint8(v)
		}
		draws = append(draws, narrow)
	}
	return found.LogZ, draws, nil
}

// tooManyStates reports whether an error is about the number of states alone.
func tooManyStates(err error) bool {
	large, is := errors.AsType[grid.TooLarge](err)
	return is && large.What == "states"
}
