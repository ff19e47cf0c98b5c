package stages

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/internal/stage"
)

// Followed is the distribution of the state of a chain at one stage, given its state at another.
type Followed struct {
	Stage int // s, from 1 to T
	Beta  float64
	Law   []float64 // P(x_s = y | x_t = x) for each state y
}

// Follow returns the distributions of x_s at the given stages s, in the order given, of a chain of
// direction d that is at state x at stage t. For stages that the chain visits before t, they
// describe the origin of its mass, by Bayes' rule with the distribution q_s of the chain,
//
//	P(x_s = y | x_t = x) = q_s(y) P(x_t = x | x_s = y) / q_t(x).
//
// For stages after t they describe where the mass goes. At s = t the distribution is all at x. The
// forward chain visits the stages from 1 to T, the reverse chain from T to 1.
//
// Nothing is normalised: before t the distributions are products of numbers from two sweeps in
// opposite directions, so that their sums of one check both. Each ratio of a distribution to q_s is
// propagated with an exponent range beyond float64, so that x may have any positive probability;
// entries that underflow are zero.
//
// It makes one sweep in the direction of the chain, as far as the given stages require, and one
// back from t, in O(T entries) time; memory is O(states) for each of the stages. It fails for an
// invalid state or stage, if the chain is at x with probability zero, if the kernel is not valid,
// and if the context ends.
func Follow(ctx context.Context, a *chains.Annealing, d chains.Direction, t, x int,
	stages []int) ([]Followed, error) {
	if err := validFollow(a, t, x, stages); err != nil {
		return nil, err
	}
	f := &follower{p: stage.NewProblem(a, nil), d: d, t: t, x: x, laws: make(map[int][]number.Wide)}
	f.s = stage.NewStage(f.p.Annealing)
	for _, s := range stages {
		f.laws[s] = nil
	}
	if err := f.followForward(ctx); err != nil {
		return nil, err
	}
	if err := f.followBack(ctx); err != nil {
		return nil, err
	}
	f.p.Flush()
	out := make([]Followed, len(stages))
	for i, s := range stages {
		out[i] = Followed{s, a.Beta(s), make([]float64, a.States())}
		for y, mass := range f.laws[s] {
			out[i].Law[y] = mass.Float()
		}
	}
	return out, nil
}

// validFollow returns an error for an invalid state or stage.
func validFollow(a *chains.Annealing, t, x int, stages []int) error {
	for _, s := range append([]int{t}, stages...) {
		if s < 1 || s > a.Distributions() {
			return errs.New("stage %d of an annealing with %d distributions; stages are 1 to %d",
				s, a.Distributions(), a.Distributions())
		}
	}
	if x < 0 || x >= a.States() {
		return errs.New("state %d of %d; states are 0 to %d", x, a.States(), a.States()-1)
	}
	return nil
}

// follower takes a chain to the state x at stage t, and on from there.
type follower struct {
	p    *stage.Problem
	s    *stage.Stage
	d    chains.Direction
	t, x int
	// by stage: q_s until back has made it the distribution given x, where the chain comes to s
	// before t
	laws map[int][]number.Wide
	mass number.Wide // q_t(x)
}

// stageOf returns the stage of the i-th state of the chain, and place its inverse, both from 1 to
// T.
func (f *follower) stageOf(i int) int {
	if f.d == chains.Reverse {
		return f.p.Annealing.Distributions() + 1 - i
	}
	return i
}

func (f *follower) stagePlace(stage int) int { return f.stageOf(stage) } // the map is its own inverse

// followForward takes the chain through the stages, until the last for which a distribution is
// asked. Up to t it keeps the distributions of the chain, and from there on those of a chain that
// is at x.
func (f *follower) followForward(ctx context.Context) error {
	last := f.stagePlace(f.t)
	for s := range f.laws {
		last = max(last, f.stagePlace(s))
	}
	q, err := f.startLaw(ctx)
	if err != nil {
		return err
	}
	for i := 1; i <= last; i++ {
		if i > 1 {
			if err := f.replaceLaw(ctx, q, i); err != nil {
				return err
			}
		}
		p := f.s.Density(f.stageOf(i))
		if f.stageOf(i) == f.t {
			f.mass = q.Mass(f.x, p)
			if f.mass.M == 0 {
				return errs.New(
					"the %v chain is at state %d at stage t = %d with probability zero, so that there is "+
						"no conditional distribution; choose a state of positive probability",
					f.d,
					f.x,
					f.t,
				)
			}
			q = pointMass(f.x, p)
		}
		f.keepStage(f.stageOf(i), q, p)
	}
	return nil
}

// startLaw returns the distribution from which the chain starts.
func (f *follower) startLaw(ctx context.Context) (*stage.Ratios, error) {
	if f.d == chains.Reverse {
		if err := f.p.Load(ctx, f.s, f.p.Annealing.Distributions()); err != nil {
			return nil, err
		}
	}
	return stage.NewRatios(&f.s.Here), nil
}

// replaceLaw replaces the distribution of the state before the i-th one of the chain by that of the
// i-th.
func (f *follower) replaceLaw(ctx context.Context, q *stage.Ratios, i int) error {
	if err := f.p.Load(ctx, f.s, stage.StageOf(f.d, i, f.p.Annealing.Distributions())); err != nil {
		return err
	}
	if f.d == chains.Reverse {
		f.s.MoveBack(q)
		return nil
	}
	q.Rebase(&f.s.Before, &f.s.Here, f.s.Lambda)
	f.s.MoveForward(q)
	return nil
}

// pointMass returns the distribution that is all at x, given the reference p.
func pointMass(x int, p *stage.Density) *stage.Ratios {
	r := stage.NewRatios(p)
	for y := range r.H {
		if p.On(y) {
			r.SetRatio(y, number.Wide{})
		}
	}
	if p.On(x) {
		r.SetRatio(x, number.WideExp(-p.Log[x]))
	} else {
		r.Off[x] = number.Wide{M: 1}
	}
	return r
}

// keepStage keeps the distribution q at a stage, if it is asked for. At t it is exactly one at x.
func (f *follower) keepStage(stage int, q *stage.Ratios, p *stage.Density) {
	if _, wanted := f.laws[stage]; !wanted {
		return
	}
	law := make([]number.Wide, len(p.Log))
	if stage == f.t {
		law[f.x] = number.Wide{M: 1}
	} else {
		for y := range law {
			law[y] = q.Mass(y, p)
		}
	}
	f.laws[stage] = law
}

// followBack goes from t back to the start of the chain, with the function h_s(y) = P(x_t = x | x_s
// = y)/q_t(x), and multiplies the distributions q_s by it. That ratio tends to one as the chain
// forgets its past.
func (f *follower) followBack(ctx context.Context) error {
	first := f.stagePlace(f.t)
	for s := range f.laws {
		first = min(first, f.stagePlace(s))
	}
	h := make([]number.Wide, f.p.Annealing.States())
	h[f.x] = number.Wide{M: 1}.Div(f.mass)
	ratio := stage.NewFunction(h)
	for i := f.stagePlace(f.t); i > first; i-- {
		if err := f.p.Load(ctx, f.s, stage.StageOf(f.d, i, f.p.Annealing.Distributions())); err != nil {
			return err
		}
		f.s.Expect(f.d, ratio)
		law := f.laws[f.stageOf(i-1)]
		for y := range law {
			law[y] = law[y].Mul(ratio.H[y])
		}
	}
	return nil
}

// Marginal holds the distributions at one stage of an annealing, one probability for each state.
type Marginal struct {
	Stage   int // t, from 1 to T
	Beta    float64
	P       []float64 // p_t, the intended distribution of the stage
	Forward []float64 // the distribution of x_t in the forward chain
	Reverse []float64 // the distribution of x_t in the reverse chain
}

// Marginals returns the distributions at the given stages, in the order given. It makes two sweeps,
// which take O(T entries) time; memory grows only with the number of given stages. It fails for a
// stage outside 1..T, if the kernel is not valid, and if the context ends.
func Marginals(ctx context.Context, a *chains.Annealing, stages []int) ([]Marginal, error) {
	at := make(map[int][]int) // stage to places in the result
	out := make([]Marginal, len(stages))
	for i, t := range stages {
		if t < 1 || t > a.Distributions() {
			return nil, errs.New("stages: stage %d of an annealing with %d distributions; stages are 1 to %d", t,
				a.Distributions(), a.Distributions())
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

// Distribution returns the distribution p_b on the path at b = beta, 0 <= beta <= 1, one
// probability for each state.
func Distribution(path chains.Path, beta float64) []float64 {
	p := logDistribution(path, beta)
	for x, v := range p {
		p[x] = math.Exp(v)
	}
	return p
}

// logDistribution returns the logarithms of the probabilities of Distribution.
func logDistribution(path chains.Path, beta float64) []float64 {
	path, _ = path.Centred()
	logp := make([]float64, path.States())
	path.LogF(logp, chains.At(beta))
	logZ := number.LogSumExp(logp)
	for x := range logp {
		logp[x] -= logZ
	}
	return logp
}

// Spread returns the given number of stages of an annealing with T distributions, from 1 to T,
// spaced as evenly as possible, or all stages if T is no larger than count. It fails for fewer than
// two stages, and for T below two.
func Spread(T, count int) ([]int, error) {
	if T < 2 || count < 2 {
		return nil, errs.New("%d stages of an annealing with %d distributions; both are at least 2", count, T)
	}
	count = min(count, T)
	out := make([]int, count)
	for i := range out {
		out[i] = 1 + (2*i*(T-1)+count-1)/(2*(count-1)) // i (T-1)/(count-1), rounded
	}
	return out, nil
}
