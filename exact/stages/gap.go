// Package stages shows at which stages of an annealing B arises. It gives the distributions of both
// chains at any stage, the contribution of each stage to B and to B - J, in nats, and the past and
// future of the mass at a state.
//
// It also computes the length of a path of distributions, as a function of beta: Fisher
// information, friction, the divergences of a step along the path, and functions of beta with their
// integrals (Curve). These depend on the path, and on a kernel under one distribution, and
// propagate no chain.
//
// For the log weight of single chains see package weights.
package stages

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact"
	"breadboard/exact/internal/stage"
)

// Gap has the contribution of each stage to the gap B - J. Let q_t and r_t be the distributions of
// x_t in the forward and the reverse chain, and T~_t the time reversal of T_t. By the chain rule of
// the divergence, taken from the last state backward,
//
//	KL(path_fwd || path_rev) = KL(q_T || p_T) + sum over t of E_{x_t ~ q_t} KL(Q_t(x_t,.) || T~_t(x_t,.))
//	KL(path_rev || path_fwd) = KL(p_T || q_T) + sum over t of E_{x_t ~ r_t} KL(T~_t(x_t,.) || Q_t(x_t,.)),
//
// where Q_t(y,x) = q_{t-1}(x) T_t(x,y) / q_t(y) is the distribution of x_{t-1} given x_t = y in the
// forward chain. So the terms under both sums, which are called brackets, add up to B - J, and none
// is negative. The brackets of a stage measure how well its two states x_{t-1} and x_t reveal the
// direction of the chain.
//
// The first bracket is also KL(q_{t-1} || p_t) - KL(q_{t-1} T_t || p_t), the decrease of the
// divergence of the forward chain from p_t by T_t. The second is E_{r_t} log(q_t/p_t) - E_{r_{t-1}}
// log(q_{t-1}/p_t).
//
// Source: Eqs. 21-23 of Grosse, Ancha and Roy 2016, which these refine; Cover and Thomas 2006,
// section 4.4.
type Gap struct {
	Stages     []StageGap // t = 2..T
	KLQP, KLPQ float64    // KL(q_T || p_T) and KL(p_T || q_T), whose sum is J
}

// StageGap is the contribution of one stage to B - J, in nats: the two terms of Gap. Forward is
// +Inf if the forward chain has mass on zeros of p_t. Reverse is +Inf if the reverse chain has mass
// on zeros of p_t, or on states where the forward chain has none.
type StageGap struct {
	Stage            int     // t
	Beta             float64 // b_t
	Forward, Reverse float64
	Jeffreys         float64 // KL(q_t || r_t) + KL(r_t || q_t); J at t = T
}

// GapByStage returns the contribution of each stage to B - J. It computes a bracket as a sum of
// non-negative terms in the deviation of q_{t-1}(x)/p_t(x) from q_t(y)/p_t(y), so that small
// brackets keep their digits too. It makes two or three sweeps, which take O(T entries) time with a
// logarithm or two for each entry, and O(T + sqrt(T) states) memory, or 8 MB if that is more. It
// fails if exact.Solve does. Progress is as in exact.Options, and may be nil.
func GapByStage(ctx context.Context, a *chains.Annealing, progress func(steps int)) (*Gap, error) {
	if err := exact.Validate(a); err != nil {
		return nil, err
	}
	g := &gapSweep{p: stage.NewProblem(a, progress)}
	g.s = stage.NewStage(g.p.Annealing)
	kept, err := g.keepReverse(ctx)
	if err != nil {
		return nil, err
	}
	if err := g.s.Load(ctx, 2); err != nil {
		return nil, err
	}
	g.q = stage.NewRatios(&g.s.Before)
	out := &Gap{}
	for stretch, law := range kept.Stretches() {
		if err := g.append(ctx, out, stretch, law); err != nil {
			return nil, err
		}
	}
	g.p.Flush()
	d := g.q.Divergences(&g.s.Here)
	_, out.KLQP, out.KLPQ = d.Values()
	return out, nil
}

// gapSweep carries the forward chain through the stages. The brackets need the distributions of the
// reverse chain at the same stages; that chain visits the stages in the opposite order, so its
// distributions are recomputed from checkpoints.
type gapSweep struct {
	p *stage.Problem
	s *stage.Stage
	q *stage.Ratios // the distribution of the forward chain
}

// RatiosBytes is the memory, for each state, of the kept ratios of a distribution.
const RatiosBytes = 3 * 16

// keptBytes is the memory that the distributions of a stretch of the reverse chain may take if
// there are few states. If it holds those of all stages, the chain is propagated once.
const keptBytes = 8 << 20

// keepReverse propagates the reverse chain from the distribution p_T of x_T towards the
// distribution of x_1, and keeps checkpoints, until it has the last of them. Its step i is the move
// of stage T + 1 - i.
func (g *gapSweep) keepReverse(ctx context.Context) (*stage.Checkpoints[*stage.Ratios], error) {
	T := g.p.Annealing.Distributions()
	kept := stage.NewCheckpoints[*stage.Ratios](T - 1)
	kept.Lengthen(keptBytes / (RatiosBytes * g.p.Annealing.States()))
	if err := kept.CheckMemory(g.p.Annealing.States(), RatiosBytes); err != nil {
		return nil, err
	}
	var r *stage.Ratios
	for i := 1; i < T; i++ {
		if err := g.p.Load(ctx, g.s, T+1-i); err != nil {
			return nil, err
		}
		if i == 1 {
			r = stage.NewRatios(&g.s.Here)
		}
		if kept.Begins(i) {
			kept.Keep(r.Clone())
		}
		if i == kept.Last() {
			return kept, g.p.Steps(ctx, T-1-i) // the steps that need not be taken
		}
		g.s.MoveBack(r)
	}
	return kept, nil
}

// append appends to out the stages of a stretch of the reverse chain, given the distribution before
// the stretch.
func (g *gapSweep) append(ctx context.Context, out *Gap, stretch stage.Stretch, law *stage.Ratios) error {
	high := g.p.Annealing.Distributions() + 1 - stretch.First
	low := g.p.Annealing.Distributions() - stretch.Last
	r := make([]*stage.Ratios, high-low+1) // r[i] is the distribution of x_{high-i}
	r[0] = law
	back := law.Resume()
	for t := high; t > low; t-- {
		if err := g.p.Load(ctx, g.s, t); err != nil {
			return err
		}
		g.s.MoveBack(back)
		r[high-t+1] = back.Clone()
	}
	for t := low + 1; t <= high; t++ {
		if err := g.p.Load(ctx, g.s, t); err != nil {
			return err
		}
		s := g.s
		g.q.Rebase(&s.Before, &s.Here, s.Lambda)
		stage := StageGap{Stage: t, Beta: g.p.Annealing.Beta(t)}
		stage.Forward, stage.Reverse = g.brackets(r[high-t])
		stage.Jeffreys = jeffreys(&s.Here, g.q, r[high-t])
		out.Stages = append(out.Stages, stage)
	}
	return nil
}

// brackets moves q from t-1 to t and returns both brackets of the stage, given r_t, the
// distribution of the reverse chain (r). The brackets of a stage with several moves are the sums of
// those of its moves. By their second forms in Gap, with the states between the moves instead of
// x_t and x_{t-1}, they are differences whose sum telescopes, as p_t stays the same.
func (g *gapSweep) brackets(r *stage.Ratios) (forward, reverse float64) {
	s := g.s
	// laws[i] is the distribution of the reverse chain after move i of the forward one
	laws := make([]*stage.Ratios, len(s.Moves))
	laws[len(s.Moves)-1] = r
	for i := len(s.Moves) - 1; i > 0; i-- {
		law := laws[i].Resume()
		law.Move(&s.Here, s.Moves[i].Backward, s.Moves[i].Forward)
		laws[i-1] = law
	}
	var f, b number.Sum
	for i, m := range s.Moves {
		old := g.q.Clone()
		g.q.Move(&s.Here, m.Forward, m.Backward)
		g.addBrackets(&f, &b, m, old, laws[i])
	}
	return f.Value(), b.Value()
}

// addBrackets adds the brackets of a move to f and b, from the distributions of the forward chain
// before (old) and after it, and from that of the reverse chain after it (r), all held as ratios to
// p_t. With rho = (q_{t-1}/p_t)(x) / (q_t/p_t)(y), whose mean over row y of T~_t is one, the
// brackets are the sums over x and y of
//
//	forward: q_t(y) T~_t(y,x) (rho log rho - rho + 1)
//	reverse: r_t(y) T~_t(y,x) (rho - 1 - log rho).
func (g *gapSweep) addBrackets(f, b *number.Sum, m *stage.Move, old, r *stage.Ratios) {
	s := g.s
	for y := range s.Logf {
		if !s.Here.On(y) {
			continue
		}
		q := g.q.Mass(y, &s.Here)
		r := r.Mass(y, &s.Here)
		for _, e := range m.Backward.Row(y) {
			if e.P > 0 {
				g.addTerms(f, b, old, statePair{y, e.To, q, r, number.Scaled(e.P, 0)})
			}
		}
	}
	for _, e := range m.Backward.Tiny {
		if s.Here.On(e.From) {
			q := g.q.Mass(e.From, &s.Here)
			r := r.Mass(e.From, &s.Here)
			g.addTerms(f, b, old, statePair{e.From, e.To, q, r, number.WideExp(e.LogP)})
		}
	}
	for y, mass := range r.Off {
		if mass.M != 0 && !s.Here.On(y) {
			b.Add(math.Inf(1))
		}
	}
	for x, mass := range old.Off {
		if mass.M != 0 {
			f.Add(math.Inf(1))
			b.Add(g.strayed(m, x, mass, r))
		}
	}
}

// statePair is a pair x_t = y, x_{t-1} = x, with q_t(y), r_t(y) and p = T~_t(y,x).
type statePair struct {
	y, x            int
	massQ, massR, p number.Wide
}

// addTerms adds the terms of a pair to the brackets, forward to f and reverse to b.
func (g *gapSweep) addTerms(f, b *number.Sum, old *stage.Ratios, of statePair) {
	q := g.q
	y := of.y
	x := of.x
	forward, reverse := of.massQ.Mul(of.p), of.massR.Mul(of.p)
	if q.H[y].M == 0 || old.H[x].M == 0 {
		f.Add(forward.Float())
		if reverse.M != 0 {
			b.Add(math.Inf(1))
		}
		return
	}
	if v, close := deviation(old, x, q, y); close {
		above, below := stage.Excesses(v)
		f.Add(forward.Float() * above)
		b.Add(reverse.Float() * below)
		return
	}
	rho := old.H[x].Div(q.H[y])
	l := rho.Log()
	f.Add(forward.Mul(rho).Float()*(l-1) + forward.Float())
	b.Add(reverse.Mul(rho).Float() - reverse.Float()*(1+l))
}

// deviation returns a.H[x]/b.H[y] - 1, computed without cancellation, and true. If the ratio is far
// from one it returns false.
func deviation(a *stage.Ratios, x int, b *stage.Ratios, y int) (v float64, close bool) {
	if stage.Near(a.H[x]) && stage.Near(b.H[y]) {
		u := b.U[y].Float()
		return (a.U[x].Float() - u) / (1 + u), true
	}
	if !stage.Near(a.H[x].Div(b.H[y])) {
		return 0, false
	}
	return a.H[x].Sub(b.H[y]).Div(b.H[y]).Float(), true
}

// strayed returns the correction of the reverse bracket for the mass of the forward chain that
// moves from x, where p_t is zero, to states y if it is not. That mass is in q_t(y) but in no
// term of rho, so that the mean of rho over row y of T~_t is less than one by that mass over
// q_t(y); strayed sums this deficit over y with weights r_t(y).
func (g *gapSweep) strayed(m *stage.Move, x int, mass number.Wide, r *stage.Ratios) float64 {
	s := g.s
	q := g.q
	total := 0.0
	for _, e := range m.Forward.Row(x) {
		if s.Here.On(e.To) && e.P > 0 {
			total += mass.Mul(number.Scaled(e.P, 0)).Mul(r.H[e.To]).Div(q.H[e.To]).Float()
		}
	}
	return total
}

// jeffreys returns KL(q||r) + KL(r||q).
func jeffreys(p *stage.Density, q, r *stage.Ratios) float64 {
	var j number.Sum
	for x := range p.Log {
		a, b := q.Mass(x, p), r.Mass(x, p)
		if a.M == 0 && b.M == 0 {
			continue
		}
		if a.M == 0 || b.M == 0 {
			return math.Inf(1)
		}
		if p.On(x) {
			if v, close := deviation(q, x, r, x); close {
				j.Add(b.Float() * v * math.Log1p(v))
				continue
			}
		}
		j.Add((a.Float() - b.Float()) * a.Div(b).Log())
	}
	return j.Value()
}

// Sums returns KL(path_fwd || path_rev) and KL(path_rev || path_fwd) in nats, whose sum is B.
func (g *Gap) Sums() (forward, reverse float64) {
	var f, r number.Sum
	f.Add(g.KLQP)
	r.Add(g.KLPQ)
	for _, s := range g.Stages {
		f.Add(s.Forward)
		r.Add(s.Reverse)
	}
	return f.Value(), r.Value()
}

// CheckSolution compares the sums over the stages with a solution of the same annealing, which
// exact.Solve has found in another way. It also checks that no bracket is negative.
func (g *Gap) CheckSolution(sol *exact.Solution) []exact.Identity {
	var out []exact.Identity
	// lost is the error that the solution states for a number, twice for each of the two methods.
	equal := func(name string, got, want, scale, lost float64) {
		// Below 2^-1022 float64 loses digits to underflow.
		out = append(out, exact.NewIdentity(name, got, want, exact.BaseTolerance*scale+4*lost+0x1p-1022))
	}
	forward, reverse := g.Sums()
	scale := 1 + number.Finite(sol.LogZRatio) + number.Finite(sol.B)
	equal("brackets + KL(q||p) = log(Z_T/Z_1) - E_fwd[log w]", forward, sol.LogZRatio-sol.MeanLogWForward,
		scale, sol.ErrorLogW)
	equal("brackets + KL(p||q) = E_rev[log w] - log(Z_T/Z_1)", reverse, sol.MeanLogWReverse-sol.LogZRatio,
		scale, sol.ErrorLogW)
	equal("brackets + J = B", forward+reverse, sol.B, number.Finite(sol.B), sol.ErrorB)
	// J is of second order in the deviations q_T/p_T - 1, whose rounding is relative to the changes
	// that the steps make. B is of second order in these changes. So the error of J grows with the
	// root of J B.
	divergence := func(name string, got, want float64) {
		size := max(number.Finite(got), number.Finite(want))
		equal(name, got, want, size+0.01*math.Sqrt(size*number.Finite(sol.B)), 0)
	}
	divergence("KL(q||p)", g.KLQP, sol.KLQP)
	divergence("KL(p||q)", g.KLPQ, sol.KLPQ)
	divergence("Jeffreys divergence at t = T is J", g.Stages[len(g.Stages)-1].Jeffreys, sol.J)
	least := 0.0
	for _, s := range g.Stages {
		least = min(least, s.Forward, s.Reverse)
	}
	equal("no bracket is negative", least, 0, 0, 0)
	return out
}

// Contributions returns the contribution of each stage t = 2..T to B, in nats, at index t - 2:
// E_rev[d] - E_fwd[d] for the increment d of the log weight at that stage. They sum to B, with an
// error of about 1e-15 times the size of the increments. It makes two sweeps over t, which take O(T
// entries) time and O(T states) memory. It fails if the path passes zeros of f, for which a log
// weight may be infinite, and if Marginals does.
func Contributions(ctx context.Context, a *chains.Annealing) ([]float64, error) {
	if a.Path().Zeros() {
		return nil, errs.New(
			"the path begins, ends or passes where f is zero; the contribution of a stage to B may be infinite there",
		)
	}
	a, _ = a.Centred()
	stages := make([]int, a.Distributions()-1)
	for i := range stages {
		stages[i] = i + 1
	}
	marginals, err := Marginals(ctx, a, stages)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(stages))
	delta := make([]float64, a.States())
	for i, m := range marginals {
		a.LogRatio(delta, i+2)
		var total number.Sum
		for x, d := range delta {
			if difference := m.Reverse[x] - m.Forward[x]; difference != 0 {
				total.Add(difference * d)
			}
		}
		out[i] = total.Value()
	}
	return out, nil
}
