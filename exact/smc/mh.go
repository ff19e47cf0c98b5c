package smc

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/exact/internal/stage"
	"breadboard/exact/weights"
	"breadboard/grid"
)

// MH is the Side of a Markov chain that makes S moves under the target from the first distribution
// of an annealing, as chains/particle.MCMC does. The trace matters only through the first state
// x_1: W is p_1(x_1)/p(x_1) over q(x)/p(x), where x_1 is found by S moves of the time reversal from
// x. So W has no more values than there are states.
//
//	q = p_1 T^S, r(x_1; x) = R^S(x, x_1),
//
//	W = p_1(x_1) T^S(x_1, x)/(q(x) r(x_1; x)) = (p_1(x_1)/p(x_1))/(q(x)/p(x)),
//
// with R the time reversal of T, as p(x_1) T^S(x_1, x) = p(x) R^S(x, x_1).
type MH struct {
	*Atoms
	outputs
}

// maxMHStates is the largest number of states that NewMH takes, as the distribution of x_1 given x
// takes their square in memory.
const maxMHStates = 4096

// NewMH returns the side of a chain that starts from p_1 and makes S moves by the kernel of the
// last stage. It takes O(S states entries) time and O(states^2) memory.
func NewMH(ctx context.Context, a *chains.Annealing, moves int) (*MH, error) {
	n := a.States()
	if moves < 0 {
		return nil, errs.New("%d moves; a Markov chain makes none or more", moves)
	}
	if n > maxMHStates {
		return nil, errs.New("%d states; the distribution of the start given the output is computed for up to %d",
			n, maxMHStates)
	}
	p := stage.NewProblem(a, nil)
	s := stage.NewStage(p.Annealing)
	first := stage.Density{Log: slices.Clone(s.Here.Log), P: slices.Clone(s.Here.P)}
	if err := s.Load(ctx, a.Distributions()); err != nil {
		return nil, err
	}
	back, err := backwards(ctx, s, moves)
	if err != nil {
		return nil, err
	}
	m := &MH{}
	logW := m.forwards(s, &first, moves)
	laws := make([]TraceLaw, n)
	for x := range laws {
		for from := range n {
			if p := back[from][x]; p > 0 {
				laws[x].Atoms = append(laws[x].Atoms, Atom{logW[from] - m.outputs.logRatio[x], p})
			}
		}
	}
	m.Atoms, err = NewAtoms(m.outputs.logRatio, laws)
	return m, err
}

// forwards computes the distribution of the outputs of a chain that starts from the first
// distribution, relative to the target, and returns log p_1/p, by state.
func (m *MH) forwards(s *stage.Stage, first *stage.Density, moves int) []float64 {
	logW := make([]float64, len(first.Log))
	for x, log := range first.Log {
		logW[x] = log - s.Here.Log[x]
	}
	ratio := stage.NewRatios(first)
	ratio.Rebase(first, &s.Here, logW)
	m.extinct = ratio.Leave()
	for range moves {
		s.MoveForward(ratio)
	}
	m.logP = s.Here.Log
	m.fromRatios(ratio)
	return logW
}

// backwards returns the distribution of the state from which a chain came by S moves: the
// probability that it is y where the last one is x stands at [y][x]. It is carried as its ratio to
// p(y). So the probability of an unlikely start keeps its digits, which its large weight needs, and
// rounding errors do not add up over many moves, after which the distribution is near p.
func backwards(ctx context.Context, s *stage.Stage, moves int) ([][]float64, error) {
	n := s.Annealing.States()
	law := make([][]float64, n)
	for y := range law {
		law[y] = make([]float64, n)
		if !s.Here.On(y) { // no chain comes from there
			continue
		}
		p := number.WideExp(s.Here.Log[y])
		start := make([]number.Wide, n)
		start[y] = number.Wide{M: 1}.Div(p)
		ratio := stage.NewFunction(start)
		for range moves {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			s.Expect(chains.Reverse, ratio)
		}
		for x, h := range ratio.H {
			law[y][x] = p.Mul(h).Float()
		}
	}
	return law, nil
}

// FitMeanField fits a product of one distribution for each axis to the target f on a lattice, and
// returns its log q of each state, in nats. It is found by coordinate ascent: from the uniform
// distribution, each factor in turn, axes in order, is set to its best value given the others,
// proportional to exp(E[log f | coordinate]), until no factor changes by more than rounding (see
// estimators.MeanField). The fit is a stationary point of
// E_q[log f - log q], a bound on the log of the sum of f from below: a maximum, unless the target
// treats the values of an axis alike, so that the uniform distribution is a saddle. It fails if the
// target is zero somewhere on every line of a coordinate, so that no factor has a positive value,
// and if the ascent has not come to an end.
//
// Source: Bishop 2006, section 10.1.1.
func FitMeanField(ctx context.Context, space *grid.Lattice, logf []float64) (logQ []float64, err error) {
	m, err := estimators.NewMeanField(space, logf, estimators.OneNaming)
	if err != nil {
		return nil, err
	}
	uniform := make([][]float64, space.Dims())
	for k := range uniform {
		uniform[k] = make([]float64, space.Side(k))
		for i := range uniform[k] {
			uniform[k][i] = 1 / float64(space.Side(k))
		}
	}
	p, err := m.Fit(ctx, uniform)
	switch {
	case err != nil:
		return nil, err
	case p.Stuck >= 0:
		return nil, fmt.Errorf(
			"a product of distributions of the coordinates cannot avoid the zeros of the target: every "+
				"value of axis %d meets one",
			p.Stuck,
		)
	}
	return p.LogQ, nil
}

// NewChain returns the Side of annealed importance sampling, which is sequential Monte Carlo with
// one particle: Zhat is the weight of the chain. It takes one sweep of O(T entries) time; Traces
// take another for each point of the transform. Memory depends neither on T nor on the numbers of
// traces. Zero workers means one for each processor. Progress, which may be nil, is called from
// several goroutines while traces are computed, with steps that add up to weights.LawProgress.
func NewChain(ctx context.Context, a *chains.Annealing, workers int,
	progress func(steps int)) (*Transformed, error) {
	single := make(chainMoments, a.States())
	o, err := outputsOfChain(ctx, a, single)
	if err != nil {
		return nil, err
	}
	single.writeMoments(o)
	return &Transformed{
		outputs: *o,
		workers: workers,
		tilts: func(ctx context.Context, lines []weights.Vertical) ([]lineValues, error) {
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
		},
	}, nil
}

// outputsOfChain propagates the distribution of a chain of positive weight, relative to the target,
// so that it keeps its digits if both are nearly the same. Single is taken along; it may be nil.
func outputsOfChain(ctx context.Context, a *chains.Annealing, single chainMoments) (*outputs, error) {
	p := stage.NewProblem(a, nil)
	s := stage.NewStage(p.Annealing)
	n := a.States()
	T := a.Distributions()
	first := s.Here.LogZ
	r := stage.NewRatios(&s.Here)
	for x := range single {
		p := s.Here.P[x]
		single[x] = [6]float64{p, 0, 0, p, 0, 0}
	}
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
		extinct.Add(r.Leave()) // chains whose weight has become zero have no output
		s.MoveForward(r)
		s.Spread(o.lost)
		if single != nil {
			copy(single, single.takeStage(s))
		}
	}
	logZRatio := s.Here.LogZ - first
	o.low, o.high, o.extinct = low.Value()-logZRatio, high.Value()-logZRatio, extinct.Value()
	o.logP = append(o.logP, s.Here.Log...)
	o.fromRatios(r)
	return o, nil
}

// chainMoments are the probability of a run that ends in each state and, on it, the means of
// log(Zhat/Z) and of its square, and the same weighed by Zhat/Z, which is meta-inference. They are
// in plain numbers.
type chainMoments [][6]float64

// takeStage takes the moments through a stage.
func (v chainMoments) takeStage(s *stage.Stage) chainMoments {
	for x := range v {
		if !s.Both(x) {
			v[x] = [6]float64{}
			continue
		}
		log := -s.Lambda[x]
		tiltMoments(v[x][:3], 1, log)
		tiltMoments(v[x][3:], math.Exp(log), log)
	}
	for m := range s.Along(chains.Forward) {
		next := make(chainMoments, len(v))
		for x := range v {
			u := &v[x]
			for _, e := range m.Forward.Row(x) {
				to := &next[e.To]
				for i := range to {
					to[i] += float64(e.P * u[i])
				}
			}
		}
		v = next
	}
	return v
}

// writeMoments writes the moments of each output, unless some probabilities underflow in plain
// numbers, or traces are lost.
func (v chainMoments) writeMoments(o *outputs) {
	const near = 1e-9
	meta := make([][2]float64, len(v))
	run := make([][2]float64, len(v))
	for x, u := range v {
		if math.IsInf(o.logRatio[x], -1) {
			continue
		}
		q := math.Exp(o.logP[x] + o.logRatio[x])
		p := math.Exp(o.logP[x])
		if !(math.Abs(u[0]-q) <= near*q && math.Abs(u[3]-p) <= near*p && min(u[0], u[3]) > 0x1p-1000) {
			return
		}
		run[x], meta[x] = [2]float64{u[1] / u[0], u[2] / u[0]}, [2]float64{u[4] / u[3], u[5] / u[3]}
	}
	o.run = run
	o.meta = meta
}

// fromRatios writes the distribution of the outputs from its ratios to the target.
func (o *outputs) fromRatios(r *stage.Ratios) {
	for x, h := range r.H {
		u := 0.0
		ratio := math.Inf(-1)
		if !math.IsInf(o.logP[x], -1) {
			u = r.U[x].Float()
			ratio = h.Log()
			if stage.Near(h) {
				ratio = math.Log1p(u)
			}
		}
		o.logRatio, o.deviation = append(o.logRatio, ratio), append(o.deviation, u)
	}
}
