package stages

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/stage"
)

// Marginal holds the distributions at one stage of an annealing, one probability for each state.
type Marginal struct {
	Stage   int // t, from 1 to T
	Beta    float64
	P       []float64 // p_t, the distribution that the stage stands for
	Forward []float64 // the law of x_t in the forward chain
	Reverse []float64 // the law of x_t in the reverse chain
}

// Marginals returns the distributions at the given stages, in the order given. It makes two sweeps, which take O(T entries) time; memory grows only
// with the number of stages. It fails for a stage outside 1..T, where the kernel does not do what it says, and where the context ends.
func Marginals(ctx context.Context, a *chains.Annealing, stages []int) ([]Marginal, error) {
	at := make(map[int][]int) // stage to places in the result
	out := make([]Marginal, len(stages))
	for i, t := range stages {
		if t < 1 || t > a.Distributions() {
			return nil, fmt.Errorf("stages: stage %d of an annealing with %d distributions; stages are 1 to %d", t, a.Distributions(), a.Distributions())
		}
		at[t] = append(at[t], i)
		out[i].Stage, out[i].Beta = t, a.Beta(t)
	}
	p := stage.NewProblem(a, nil)
	s := stage.NewStage(p.Annealing)
	q := stage.NewRatios(&s.Here)
	record := func(t int, put func(*Marginal, []float64)) {
		for _, i := range at[t] {
			out[i].P = append([]float64(nil), s.Density(t).P...)
			put(&out[i], q.Masses(s.Density(t)))
		}
	}
	record(1, func(m *Marginal, v []float64) { m.Forward = v })
	for t := 2; t <= a.Distributions(); t++ {
		if err := p.Load(ctx, s, t); err != nil {
			return nil, err
		}
		q.Rebase(&s.Before, &s.Here, s.Lambda)
		s.MoveForward(q)
		record(t, func(m *Marginal, v []float64) { m.Forward = v })
	}
	q = stage.NewRatios(&s.Here)
	record(a.Distributions(), func(m *Marginal, v []float64) { m.Reverse = v })
	for t := a.Distributions(); t >= 2; t-- {
		if err := p.Load(ctx, s, t); err != nil {
			return nil, err
		}
		s.MoveBack(q)
		record(t-1, func(m *Marginal, v []float64) { m.Reverse = v })
	}
	p.Flush()
	return out, nil
}

// Distribution returns the distribution p_b on the path at b = beta, 0 <= beta <= 1, one probability for each state.
func Distribution(path chains.Path, beta float64) []float64 {
	path, _ = path.Centred()
	p := make([]float64, path.States())
	path.LogF(p, chains.At(beta))
	logZ := number.LogSumExp(p)
	for x, v := range p {
		p[x] = math.Exp(v - logZ)
	}
	return p
}

// Spread returns so many stages of an annealing with T distributions, from 1 to T and as evenly apart as whole numbers can be. Where T is
// no larger than count they are all stages. It fails for fewer than two stages, and for T below two.
func Spread(T, count int) ([]int, error) {
	if T < 2 || count < 2 {
		return nil, fmt.Errorf("%d stages of an annealing with %d distributions; both are at least 2", count, T)
	}
	count = min(count, T)
	out := make([]int, count)
	for i := range out {
		out[i] = 1 + (2*i*(T-1)+count-1)/(2*(count-1)) // i (T-1)/(count-1), rounded
	}
	return out, nil
}
