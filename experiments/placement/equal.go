package placement

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/schedules"
	"breadboard/chains/work"
	"breadboard/exact/stages"
)

// maxEqual is the largest T for which equal steps are placed one by one.
const maxEqual = 100_000

// cost is the cost of a step: a number that is zero for a step of length zero and grows with the
// length.
//
// The schedule of equal steps has c(beta_{t-1}, beta_t) = e for all t, with the e for which the
// last step ends at 1. A step follows from e by the secant method on log c as a function of the log
// of its length, which is almost linear; e follows from the excess of the last step. Each
// comparison of two distributions takes a pass over the states.
type cost struct {
	of func(stages.Step) float64
	// the cost of a short step is its length to this power, times a factor that depends on its
	// place
	power float64
}

func stepKL() cost    { return cost{func(s stages.Step) float64 { return s.KL }, 2} }
func rejection() cost { return cost{func(s stages.Step) float64 { return s.Rejection }, 1} }
func lostESS() cost   { return cost{func(s stages.Step) float64 { return s.LostESS }, 2} }

// onSteps returns the placement whose steps all have the same cost. As T grows, the schedule tends
// to constant speed in the metric.
func onSteps(c cost, m metric) placing {
	return func(ctx context.Context, g *Ground) (Placement, error) {
		if g.path.Zeros() {
			return Placement{}, errZeros
		}
		w := &walker{path: g.merged(ctx), cost: c}
		whole := w.between(ctx, 0, 1)
		if ctx.Err() != nil {
			return Placement{}, ctx.Err()
		}
		if !(whole > 0) {
			return Placement{}, errFlat
		}
		length, err := g.length(ctx, m)
		if err != nil {
			return Placement{}, err
		}
		place := func(ctx context.Context, T int) (chains.Schedule, error) {
			if err := placeable(T, maxEqual); err != nil {
				return nil, err
			}
			betas, mean := w.equalSteps(ctx, length, T)
			switch {
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case betas != nil:
				return schedules.NewPoints("equal steps", betas)
			}
			return w.equal(ctx, T, mean)
		}
		return Placement{Place: withoutDoubt(place), Speed: constantSpeed(length)}, nil
	}
}

// onThreshold returns the placement of the longest steps whose conditional ESS is at least rho.
func onThreshold(rho float64) placing {
	return func(ctx context.Context, g *Ground) (Placement, error) {
		if g.path.Zeros() {
			return Placement{}, errZeros
		}
		w := &walker{path: g.merged(ctx), cost: lostESS()}
		return Placement{Place: withoutDoubt(func(ctx context.Context, T int) (chains.Schedule, error) {
			betas, err := w.allBetas(ctx, 1-rho)
			if err != nil {
				return nil, err
			}
			if T != 0 && T != len(betas) {
				return nil, errs.New("a conditional ESS of %v takes %d distributions, not %d; make T %d",
					rho, len(betas), T, len(betas))
			}
			return schedules.NewPoints("cess", betas)
		})}, nil
	}
}

// errZeros is the reason why steps cannot be compared.
var errZeros = errs.New("f is zero somewhere on the path; equal steps need an f that is positive everywhere")

// errTurns is the reason why the search for steps of equal cost has failed.
var errTurns = errs.New(
	"equal steps were not found: the path turns back, so that a longer step may cost less; use fisher or friction",
)

// walker takes steps of a given cost along a path.
type walker struct {
	path chains.Path
	cost cost
}

// between returns the cost of a step; NaN if the context has ended.
func (w *walker) between(ctx context.Context, from, to float64) float64 {
	return soon(ctx, w.path, func() float64 { return w.cost.of(stages.Compare(w.path, from, to)) })
}

// large is the number of states above which comparing two distributions takes milliseconds or more.
const large = 1 << 14

// soon returns the result of compute. On a large space, which takes long, it returns NaN as soon as
// the context ends.
func soon(ctx context.Context, path chains.Path, compute func() float64) float64 {
	if path.States() < large {
		return compute()
	}
	var v float64
	if work.Unless(ctx, func() { v = compute() }) != nil {
		return math.NaN()
	}
	return v
}

// nextBeta returns the beta at the end of a step of the given cost from another beta, and 1 if even
// the step to 1 costs less; guess is the approximate length of the step. The cost of short steps is
// a power of their length, so that the secant method on logarithms converges fast. If the context
// ends, the result is meaningless; the caller checks for this.
func (w *walker) nextBeta(ctx context.Context, from, level, guess float64) float64 {
	if w.between(ctx, from, 1) <= level {
		return 1
	}
	low, high := 0.0, 1-from // the cost is below the level at low and above it at high
	step := min(guess, high/2)
	lastStep := 0.0
	lastOff := 0.0
	for range 200 {
		if ctx.Err() != nil {
			break
		}
		off := number.Log(w.between(ctx, from, from+step) / level)
		if off < 0 {
			low = step
		} else {
			high = step
		}
		if math.Abs(off) < 1e-13 || high-low <= 0x1p-52*(from+high) {
			break
		}
		slope := w.cost.power
		if lastStep > 0 && lastStep != step {
			slope = (off - lastOff) / number.Log(step/lastStep)
		}
		lastStep = step
		lastOff = off
		next := step * math.Exp(-off/slope)
		if !(next > low && next < high) {
			next = (low + high) / 2
		}
		step = next
	}
	return from + step
}

// allBetas returns the betas of steps of the given cost from 0 to 1; the last step may cost less.
func (w *walker) allBetas(ctx context.Context, level float64) ([]float64, error) {
	betas := []float64{0}
	guess := 0.5
	for at := 0.0; at < 1; {
		if len(betas) > maxEqual {
			return nil, errs.New("this takes more than %d distributions; allow longer steps", maxEqual)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		next := w.nextBeta(ctx, at, level, guess)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !(next > at) {
			return nil, fmt.Errorf("no step from beta %v is short enough", at)
		}
		guess = next - at
		at = next
		betas = append(betas, at)
	}
	return betas, nil
}

// reach takes a number of steps of cost level, and returns their betas and an excess: the cost of
// one more step, from the last beta to 1, minus the level. If 1 is reached earlier, the excess is
// -level.
func (w *walker) reach(ctx context.Context, level float64, steps int) (betas []float64, excess float64) {
	betas = append(make([]float64, 0, steps+2), 0)
	guess := 1 / float64(steps+1)
	at := 0.0
	for range steps {
		next := w.nextBeta(ctx, at, level, guess)
		if next >= 1 || ctx.Err() != nil {
			return betas, -level
		}
		guess = next - at
		at = next
		betas = append(betas, at)
	}
	return betas, w.between(ctx, at, 1) - level
}

const (
	// levelled is the relative difference up to which lengths count as equal, apart from the
	// rounding of the betas.
	levelled = 1e-11
	// finest is the relative difference below which no further sweeps are made.
	finest = 1e-14
	// sweeps is the largest number of sweeps over all steps.
	sweeps = 20
)

// equalSteps searches the betas of T distributions whose steps all cost the same. It starts with
// constant speed in the metric to which the steps tend. The length of a step is a root of its cost;
// for short steps the sum of lengths along the path is the length in the metric. A sweep moves the
// betas to equal parts of the sum of these lengths, with straight lines between the previous betas;
// this leaves about one part in T of the differences. It returns no betas if the sweeps do not
// converge or the context ends. mean is the approximate cost of a step.
//
// Source: de Boor 1973.
func (w *walker) equalSteps(ctx context.Context, metric *stages.Curve, T int) (betas []float64,
	mean float64) {
	betas = make([]float64, T)
	next := make([]float64, T)
	lengths := make([]float64, T)
	for i := 1; i < T-1; i++ {
		betas[i] = metric.Inverse(float64(i) / float64(T-1))
	}
	betas[T-1] = 1
	last := math.Inf(1)
	for range sweeps {
		var sum number.Sum
		for i := 1; i < T; i++ {
			if !(betas[i] > betas[i-1]) || ctx.Err() != nil {
				return nil, mean
			}
			lengths[i] = math.Pow(w.between(ctx, betas[i-1], betas[i]), 1/w.cost.power)
			sum.Add(lengths[i])
		}
		each := sum.Value() / float64(T-1)
		worst := 0.0
		mean = math.Pow(each, w.cost.power)
		for i := 1; i < T; i++ {
			rounding := 0x1p-50 * betas[i] / (betas[i] - betas[i-1])
			worst = max(worst, math.Abs(lengths[i]/each-1)-rounding)
		}
		if worst <= finest || worst <= levelled && !(worst < last/2) {
			return betas, mean
		}
		if !(worst < last/2) {
			return nil, mean
		}
		last = worst
		i := 1
		sum = number.Sum{}
		for at := 1; at < T; at++ {
			before := sum.Value()
			sum.Add(lengths[at])
			for ; i < T-1 && each*float64(i) <= sum.Value(); i++ {
				next[i] = betas[at-1] + (betas[at]-betas[at-1])*(each*float64(i)-before)/lengths[at]
			}
		}
		next[T-1] = 1
		betas, next = next, betas
	}
	return nil, mean
}

// equal returns the schedule with T distributions whose steps all cost the same, about as much as
// the guess. It searches the level at which the excess of reach is zero by secant steps within a
// bracket. It halves the bracket, in its logarithm, if a secant step leaves it, or after patience
// steps: if the cost of the last step falls exponentially, secants alone hardly converge.
func (w *walker) equal(ctx context.Context, T int, guess float64) (chains.Schedule, error) {
	low, high := 0.0, w.between(ctx, 0, 1)
	level := min(guess, high/2)
	lastLevel := 0.0
	lastExcess := 0.0
	const patience = 6
	width := func() float64 { return high / max(low, high/256) }
	lastWidth := width()
	for step := range 200 {
		betas, excess := w.reach(ctx, level, T-2)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		reached := len(betas) == T-1
		if reached && math.Abs(excess) < 1e-10*level {
			return schedules.NewPoints("equal steps", append(betas, 1))
		}
		if excess > 0 {
			low = level
		} else {
			high = level
		}
		slow := false
		if step%patience == patience-1 {
			slow, lastWidth = width() > math.Sqrt(lastWidth), width()
		}
		next := level + excess*(lastLevel-level)/(excess-lastExcess)
		if lastLevel == 0 || !reached || slow || !(next > low && next < high) {
			next = math.Sqrt(max(low, high/256) * high)
		}
		lastLevel = level
		lastExcess = excess
		level = next
	}
	return nil, errTurns
}
