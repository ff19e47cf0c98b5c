package smc

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/stage"
	"breadboard/exact/weights"
)

// NewChain returns the Side of annealed importance sampling, which is sequential Monte Carlo with one particle: Zhat is the
// weight of the chain. It takes one sweep of O(T entries) time; Traces take another for each point of the transform. Memory
// depends neither on T nor on the numbers of traces. Zero workers stand for one for each processor. Progress is called while traces
// are computed, from several goroutines, with the number of steps since the last call, weights.LawProgress in all; it may be nil.
func NewChain(ctx context.Context, a *chains.Annealing, workers int, progress func(steps int)) (*Transformed, error) {
	o, err := outputsOfChain(ctx, a)
	if err != nil {
		return nil, err
	}
	return &Transformed{outputs: *o, workers: workers, tilts: func(ctx context.Context, lines []weights.Vertical) ([]lineValues, error) {
		watched := progress
		if lines[0].Points == 1 { // the few points that Traces begins with take little of the time
			watched = nil
		}
		points, err := weights.EndTransforms(ctx, a, lines, workers, watched)
		if err != nil {
			return nil, err
		}
		out := make([]lineValues, len(points))
		for i, f := range points {
			out[i].EndTransform = f
		}
		return out, nil
	}}, nil
}

// outputsOfChain propagates the law of a chain of positive weight, relative to the target, so that it keeps its digits where
// both are nearly the same.
func outputsOfChain(ctx context.Context, a *chains.Annealing) (*outputs, error) {
	p := stage.NewProblem(a, nil)
	s := stage.NewStage(p.Annealing)
	n, T := a.States(), a.Distributions()
	first := s.Here.LogZ
	r := stage.NewRatios(&s.Here)
	o := &outputs{lost: make([]bool, n)}
	var low, high, extinct number.Sum
	for t := 2; t <= T; t++ {
		if err := p.Load(ctx, s, t); err != nil {
			return nil, err
		}
		least, most := math.Inf(1), math.Inf(-1)
		for x, d := range s.Delta {
			if s.Both(x) {
				least, most = min(least, d), max(most, d)
			}
			o.lost[x] = o.lost[x] && s.Both(x) || s.Here.On(x) && !s.Before.On(x)
		}
		if least <= most { // else every weight becomes zero or infinite here
			low.Add(least)
			high.Add(most)
		}
		r.Rebase(&s.Before, &s.Here, s.Lambda)
		for x := range r.Off { // chains whose weight has become zero have no output
			extinct.Add(r.Off[x].Float())
			r.Off[x] = number.Wide{}
		}
		s.MoveForward(r)
		s.Spread(o.lost)
	}
	logZRatio := s.Here.LogZ - first
	o.low, o.high, o.extinct = low.Value()-logZRatio, high.Value()-logZRatio, extinct.Value()
	o.logP = append(o.logP, s.Here.Log...)
	o.take(r)
	return o, nil
}

// take writes the law of the outputs from its ratios to the target.
func (o *outputs) take(r *stage.Ratios) {
	for x, h := range r.H {
		u := 0.0
		ratio := math.Inf(-1)
		if !math.IsInf(o.logP[x], -1) {
			u = r.U[x].Float()
			if ratio = h.Log(); stage.Near(h) {
				ratio = math.Log1p(u)
			}
		}
		o.logRatio, o.deviation = append(o.logRatio, ratio), append(o.deviation, u)
	}
}
