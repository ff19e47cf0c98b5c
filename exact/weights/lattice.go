package weights

import (
	"context"
	"math"
	"slices"
	"sort"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/stage"
)

// If the increments of stage t are a_t + h d_t(x) with whole numbers d_t(x), log w is the sum of
// all a_t plus h times a whole number, and the joint distribution of the state and that number
// follows from stage to stage: a weight moves the mass at (x, k) to (x, k + d_t(x)), and a move by
// T_t spreads it over the states at the same k. The step h is the greatest common divisor of all
// differences of increments within a stage, by Euclid's algorithm. Time is that of one move for
// each of the numbers k, at every stage.

const (
	// latticeTolerance is how far an increment may be from the lattice, relative to the widest
	// range of a stage's increments: some units in the last place. So every log weight is on it
	// within that share of the whole range.
	latticeTolerance = 1e-14
	// latticeFinest is the least lattice step that is looked for, relative to the range of a
	// stage's increments.
	latticeFinest = 1e-6
	// latticeWork is the number of multiplications above which the distribution is found by
	// inversion instead.
	latticeWork = 3e9
	// latticeCells is the number of states times points above which it would take too much memory.
	latticeCells = 3e7
	// negligible is the probability below which rungs are trimmed; the trimmed part is in the error
	// bound.
	negligible = 1e-305
)

// survey holds the range and the lattice of the increments of all stages.
type survey struct {
	low, high float64 // sums of the least and of the greatest increments
	size      float64 // sum of the largest absolute increments
	step      float64 // of their lattice; 0 if they are on no lattice, or do not differ
	span      int     // the greatest sum of increments, in steps above the least
	work      float64 // multiplications of the dynamic programming
	states    int
}

// survey finds the range and the lattice of the log weights in two passes over the stages.
func (p *problem) survey(ctx context.Context) (*survey, error) {
	v := &survey{states: p.Annealing.States()}
	var low, high number.Sum
	widest := 0.0
	err := p.eachIncrement(ctx, func(increments []float64) bool {
		least, most := slices.Min(increments), slices.Max(increments)
		low.Add(least)
		high.Add(most)
		widest = max(widest, most-least)
		v.size += max(most, -least)
		return true
	})
	if err != nil {
		return nil, err
	}
	v.low, v.high = low.Value(), high.Value()
	if len(number.LevelsOf([]float64{v.low + p.Offset, v.high + p.Offset}).Values) == 1 {
		// all log weights are one but for rounding
		v.high = v.low
		return v, nil
	}
	step := 0.0
	err = p.eachIncrement(ctx, func(increments []float64) bool {
		least := slices.Min(increments)
		for _, d := range increments {
			o := d - least
			step = commonStep(step, o, latticeFinest*widest)
			if step < latticeFinest*widest && o > 0 {
				return false
			}
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	v.step = widest / math.Round(widest/step)
	return v, v.fit(ctx, p, widest)
}

// fit measures the lattice, and drops the step if an increment is not on it.
func (v *survey) fit(ctx context.Context, p *problem, widest float64) error {
	points := 0.0
	return p.eachIncrement(ctx, func(increments []float64) bool {
		top := 0.0
		least := slices.Min(increments)
		for _, d := range increments {
			o := d - least
			m := math.Round(o / v.step)
			top = max(top, m)
			if !(math.Abs(o-m*v.step) <= latticeTolerance*widest) {
				v.step = 0
				return false
			}
		}
		points += top
		v.span = int(min(points, math.MaxInt32))
		v.work += (points + 1) * float64(v.states) * 5
		return v.work < 100*latticeWork
	})
}

// lattice returns the survey if the dynamic programming is possible at a reasonable cost.
func (v *survey) lattice() (*survey, bool) {
	if v.low == v.high { // every weight is the same
		return v, true
	}
	return v, v.step > 0 && v.work <= latticeWork && float64(v.span+1)*float64(v.states) <= latticeCells
}

// eachIncrement calls f for every stage with the increments where both distributions are positive,
// until f returns false. A stage where they never are makes every weight zero or infinite, and is
// left out.
func (p *problem) eachIncrement(ctx context.Context, f func(increments []float64) bool) error {
	s := stage.NewStage(p.Annealing)
	var increments []float64
	for t := 2; t <= p.Annealing.Distributions(); t++ {
		if t%p.Pulse == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s.LoadPath(t)
		increments = increments[:0]
		for x, d := range s.Delta {
			if s.Both(x) {
				increments = append(increments, d)
			}
		}
		if len(increments) > 0 && !f(increments) {
			break
		}
	}
	return nil
}

// commonStep returns the greatest number that divides a and b, both >= 0, by Euclid's algorithm;
// remainders within tolerance of nothing or of the divisor are rounding.
func commonStep(a, b, tolerance float64) float64 {
	for b > tolerance {
		r := math.Mod(a, b)
		if b-r <= tolerance {
			r = 0
		}
		a, b = b, r
	}
	return a
}

// atoms is a distribution on the lattice of len(p) points from low to high.
type atoms struct {
	low, high, step float64
	p               []float64
	upTo            []float64 // upTo[k] is the probability of the atoms before k
	from            []float64 // from[k] is that of the others
	infinite        float64   // mass on infinite values
	rounding        float64   // bound on the error of any probability
}

// point returns the k-th point, from both ends: the sum of many steps would have the rounding of
// one many times.
func (l *atoms) point(k int) float64 {
	last := len(l.p) - 1
	if last == 0 {
		return l.low
	}
	return (l.low*float64(last-k) + l.high*float64(k)) / float64(last)
}

// support implements distribution.
func (l *atoms) support() (low, high float64) { return l.point(0), l.point(len(l.p) - 1) }

// snap implements distribution.
func (l *atoms) snap(x float64) float64 {
	if l.step == 0 {
		return l.low
	}
	k := int(math.Round((x - l.low) / l.step))
	return l.point(max(0, min(len(l.p)-1, k)))
}

// search returns the number of atoms below x, with orEqual those at x among them.
func (l *atoms) search(x float64, orEqual bool) int {
	return sort.Search(len(l.p), func(k int) bool {
		v := l.point(k)
		return v > x || v == x && !orEqual
	})
}

// bracket is a sum of probabilities; its error is relative, plus the dropped part.
func (l *atoms) bracket(v float64) Bracket { return Bracket{max(0, v-l.rounding), v, v + l.rounding} }

// below implements distribution.
func (l *atoms) below(x float64, orEqual bool) Bracket {
	return l.bracket(l.upTo[l.search(x, orEqual)])
}

// above implements distribution.
func (l *atoms) above(x float64, orEqual bool) Bracket {
	return l.bracket(l.from[l.search(x, !orEqual)])
}

// sumTails sums the probabilities up from either end.
func (l *atoms) sumTails() {
	n := len(l.p)
	l.upTo = make([]float64, n+1)
	l.from = make([]float64, n+1)
	var up, down number.Sum
	for k := range n {
		up.Add(l.p[k])
		l.upTo[k+1] = up.Value()
		down.Add(l.p[n-1-k])
		l.from[n-1-k] = down.Value()
	}
}

// differenceBelow returns the probability that a draw from reverse exceeds one from forward by less
// than b.
func differenceBelow(forward, reverse *atoms, b float64) float64 {
	n := len(forward.p)
	most := 0 // the largest number of steps that is less than b
	switch {
	case forward.step > 0:
		most = int(max(-float64(n), min(float64(n), math.Ceil(b/forward.step)-1)))
	case b <= 0:
		most = -1
	}
	var s number.Sum
	for j, p := range reverse.p {
		s.Add(p * forward.from[max(0, min(n, j-most))])
	}
	return s.Value()
}

// latticeLaws computes both distributions over the points of the lattice.
func (p *problem) latticeLaws(ctx context.Context, v *survey) (laws [2]*atoms, err error) {
	report := p.portions(2 * (p.Annealing.Distributions() - 1))
	err = crew.Jobs(ctx, 2, p.Workers, func(ctx context.Context, i int) (err error) {
		laws[i], err = p.propagateLattice(ctx, chains.Direction(i), v, report)
		return err
	})
	return laws, err
}

// onLattice makes the weights from both distributions.
func (w *Laws) onLattice(ctx context.Context, p *problem, v *survey) error {
	laws, err := p.latticeLaws(ctx, v)
	if err != nil {
		return err
	}
	forward, reverse := laws[0], laws[1]
	w.Method = MethodLattice
	w.Resolved = true
	w.Forward = &Law{Zero: forward.infinite, Spacing: v.step, finite: forward}
	w.Reverse = &Law{Infinite: reverse.infinite, Spacing: v.step, finite: reverse}
	w.Crooks = crooksOnLattice(forward, reverse, w.LogZRatio)
	for _, l := range laws {
		l.low += p.Offset
		l.high += p.Offset
	}
	w.difference = func(b float64) Bracket {
		near := latticeTolerance * number.Finite(b)
		rounding := forward.rounding + reverse.rounding
		return Bracket{
			differenceBelow(forward, reverse, b-near) - rounding, differenceBelow(forward, reverse, b),
			differenceBelow(forward, reverse, b+near) + rounding}.ofProbability()
	}
	return nil
}

// crooksOnLattice returns the largest relative violation of Crooks' relation, where both sides are
// large enough to be known to all digits.
func crooksOnLattice(forward, reverse *atoms, logZRatio float64) float64 {
	worst := 0.0
	for k, f := range forward.p {
		if r := reverse.p[k]; f > 1e-280 && r > 1e-280 {
			worst = max(worst, math.Abs(math.Expm1(number.Log(f/r)+forward.point(k)-logZRatio)))
		}
	}
	return worst
}
