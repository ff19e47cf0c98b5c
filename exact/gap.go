package exact

import (
	"context"
	"math"

	"breadboard/chains"
)

// Gap says where B exceeds J. By the chain rule from the last state backward, with q_t and r_t the laws of x_t in
// the forward and the reverse chain, and T~_t the time reversal of T_t,
//
//	KL(path_fwd || path_rev) = KL(q_T || p_T) + sum over t of E_{x_t ~ q_t} KL(Q_t(x_t,.) || T~_t(x_t,.))
//	KL(path_rev || path_fwd) = KL(p_T || q_T) + sum over t of E_{x_t ~ r_t} KL(T~_t(x_t,.) || Q_t(x_t,.)),
//
// where Q_t(y,x) = q_{t-1}(x) T_t(x,y) / q_t(y) is the law of x_{t-1} given x_t = y in the forward chain. So the
// terms under the sums add up to B - J, and none is negative: a stage adds to the gap what one can tell, from its
// two states, of the direction in which the chain has run.
//
// The first is also KL(q_{t-1} || p_t) - KL(q_{t-1} T_t || p_t), by how much T_t brings the forward chain closer to
// p_t; the second is E_{r_t} log(q_t/p_t) - E_{r_{t-1}} log(q_{t-1}/p_t).
//
// Source: Eqs. 21-23 of Grosse, Ancha and Roy 2016, which these refine; Cover and Thomas 2006, section 4.4.
type Gap struct {
	Stages     []StageGap // t = 2..T
	KLQP, KLPQ float64    // KL(q_T || p_T) and KL(p_T || q_T), whose sum is J
}

// StageGap is what one stage adds to B - J, in nats. Forward is +Inf where the forward chain stands on a zero of
// p_t, and Reverse where the reverse chain does or comes from where the forward chain cannot be.
type StageGap struct {
	Stage            int // t
	Beta             float64
	Forward, Reverse float64
	Jeffreys         float64 // KL(q_t || r_t) + KL(r_t || q_t); J at t = T
}

// GapByStage returns the account of B - J. A bracket is a sum of non-negative terms in the deviation of
// q_{t-1}(x)/p_t(x) from q_t(y)/p_t(y), so that small ones keep their digits too. It takes three sweeps of
// O(T entries) time, a logarithm or two an entry, and O(T + sqrt(T) states) memory.
func GapByStage(ctx context.Context, a *chains.Annealing, opts ...Option) (*Gap, error) {
	if err := Validate(a); err != nil {
		return nil, err
	}
	p := newProblem(a, opts)
	g := &gapSweep{p: p, s: newStage(p.a), every: int(math.Ceil(math.Sqrt(float64(a.Distributions()))))}
	if err := g.keepReverse(ctx); err != nil {
		return nil, err
	}
	if err := g.s.load(ctx, 2); err != nil {
		return nil, err
	}
	g.q = newRatios(&g.s.before)
	out := &Gap{}
	for first := 1; first < a.Distributions(); first += g.every {
		if err := g.block(ctx, out, first, min(first+g.every, a.Distributions())); err != nil {
			return nil, err
		}
	}
	p.flush()
	d := g.q.divergences(&g.s.here)
	_, out.KLQP, out.KLPQ = d.values()
	return out, nil
}

// gapSweep carries the forward chain through the stages. The reverse laws are kept at every so many stages and
// computed again from there.
type gapSweep struct {
	p     *problem
	s     *stage
	every int
	kept  map[int]*ratios // r_t at t = 1 + k every and at T
	q     *ratios
}

func (g *gapSweep) keepReverse(ctx context.Context) error {
	T := g.p.a.Distributions()
	g.kept = map[int]*ratios{}
	var r *ratios
	for t := T; t >= 2; t-- {
		if err := g.load(ctx, t); err != nil {
			return err
		}
		if t == T {
			r = newRatios(&g.s.here)
		}
		if t == T || (t-1)%g.every == 0 {
			g.kept[t] = r.clone()
		}
		g.s.moveBack(r)
	}
	return nil
}

func (g *gapSweep) load(ctx context.Context, t int) error {
	if err := g.p.step(ctx); err != nil {
		return err
	}
	return g.s.load(ctx, t)
}

// block appends the stages first+1..last.
func (g *gapSweep) block(ctx context.Context, out *Gap, first, last int) error {
	r := make([]*ratios, last-first+1) // r[i] is the law of x_{first+i}
	r[last-first] = g.kept[last]
	delete(g.kept, last)
	back := r[last-first].resume()
	for t := last; t > first; t-- {
		if err := g.load(ctx, t); err != nil {
			return err
		}
		g.s.moveBack(back)
		r[t-1-first] = back.clone()
	}
	for t := first + 1; t <= last; t++ {
		if err := g.load(ctx, t); err != nil {
			return err
		}
		s := g.s
		g.q.rebase(&s.before, &s.here, s.lambda)
		old := g.q.clone()
		g.q.move(&s.here, s.forward, s.backward, s.tinyBackward)
		stage := StageGap{Stage: t, Beta: g.p.a.Beta(t), Jeffreys: jeffreys(&s.here, g.q, r[t-first])}
		stage.Forward, stage.Reverse = g.brackets(old, r[t-first])
		out.Stages = append(out.Stages, stage)
	}
	return nil
}

// moveBack takes the law of x_t in the reverse chain to that of x_{t-1}.
func (s *stage) moveBack(r *ratios) {
	r.move(&s.here, s.backward, s.forward, s.tinyForward)
	back := make([]float64, len(s.lambda))
	for x, l := range s.lambda {
		back[x] = -l
	}
	r.rebase(&s.here, &s.before, back)
}

// brackets returns what the stage adds to the gap, from q_{t-1}, q_t and r_t, all held as ratios to p_t. With
// rho = (q_{t-1}/p_t)(x) / (q_t/p_t)(y), whose mean over the row y of T~_t is one, the terms are
//
//	forward: q_t(y) T~_t(y,x) (rho log rho - rho + 1)
//	reverse: r_t(y) T~_t(y,x) (rho - 1 - log rho).
func (g *gapSweep) brackets(old, r *ratios) (forward, reverse float64) {
	s := g.s
	var f, b sum
	for y := range s.logf {
		if !s.here.on(y) {
			continue
		}
		for _, e := range s.backward.Row(y) {
			if e.P > 0 {
				g.addTerms(&f, &b, old, r, y, e.To, scaled(e.P, 0))
			}
		}
	}
	for _, e := range s.tinyBackward {
		if s.here.on(e.from) {
			g.addTerms(&f, &b, old, r, e.from, e.to, wideExp(e.logP))
		}
	}
	for y, mass := range r.off {
		if mass.m != 0 && !s.here.on(y) {
			b.add(math.Inf(1))
		}
	}
	for x, mass := range old.off {
		if mass.m != 0 {
			f.add(math.Inf(1))
			b.add(g.strayed(x, mass, r))
		}
	}
	return f.value(), b.value()
}

// addTerms adds the terms of the pair y = x_t, x = x_{t-1}, which the reverse chain makes with probability p.
func (g *gapSweep) addTerms(f, b *sum, old, r *ratios, y, x int, p wide) {
	s, q := g.s, g.q
	forward, reverse := q.mass(y, &s.here).mul(p), r.mass(y, &s.here).mul(p)
	if q.h[y].m == 0 || old.h[x].m == 0 {
		f.add(forward.float())
		if reverse.m != 0 {
			b.add(math.Inf(1))
		}
		return
	}
	if v, close := deviation(old, x, q, y); close {
		f.add(forward.float() * forwardExcess(v))
		b.add(reverse.float() * reverseExcess(v))
		return
	}
	rho := old.h[x].div(q.h[y])
	l := rho.log()
	f.add(forward.mul(rho).float()*(l-1) + forward.float())
	b.add(reverse.mul(rho).float() - reverse.float()*(1+l))
}

// deviation returns h_a(x)/h_b(y) - 1 without the cancellation of that difference, and false where the ratio is far
// from one.
func deviation(a *ratios, x int, b *ratios, y int) (v float64, close bool) {
	if near(a.h[x]) && near(b.h[y]) {
		u := b.u[y].float()
		return (a.u[x].float() - u) / (1 + u), true
	}
	if !near(a.h[x].div(b.h[y])) {
		return 0, false
	}
	return a.h[x].sub(b.h[y]).div(b.h[y]).float(), true
}

// strayed returns what the mean of rho lacks of one, summed over r_t: the mass that comes to y from x, a zero of p_t.
func (g *gapSweep) strayed(x int, mass wide, r *ratios) float64 {
	s, q := g.s, g.q
	total := 0.0
	for _, e := range s.forward.Row(x) {
		if s.here.on(e.To) && e.P > 0 {
			total += mass.mul(scaled(e.P, 0)).mul(r.h[e.To]).div(q.h[e.To]).float()
		}
	}
	return total
}

// jeffreys returns KL(q||r) + KL(r||q).
func jeffreys(p *density, q, r *ratios) float64 {
	var j sum
	for x := range p.log {
		a, b := q.mass(x, p), r.mass(x, p)
		if a.m == 0 && b.m == 0 {
			continue
		}
		if a.m == 0 || b.m == 0 {
			return math.Inf(1)
		}
		if p.on(x) {
			if v, close := deviation(q, x, r, x); close {
				j.add(b.float() * v * math.Log1p(v))
				continue
			}
		}
		j.add((a.float() - b.float()) * a.div(b).log())
	}
	return j.value()
}

// Sums returns KL(path_fwd || path_rev) and KL(path_rev || path_fwd), whose sum is B.
func (g *Gap) Sums() (forward, reverse float64) {
	var f, r sum
	f.add(g.KLQP)
	r.add(g.KLPQ)
	for _, s := range g.Stages {
		f.add(s.Forward)
		r.add(s.Reverse)
	}
	return f.value(), r.value()
}

// Check compares the account with a solution of the same annealing, which knows of no stages.
func (g *Gap) Check(sol *Solution) []Identity {
	var out []Identity
	equal := func(name string, got, want, scale float64) {
		out = append(out, identity(name, got, want, identityTolerance*scale+0x1p-1022)) // below that digits are lost
	}
	forward, reverse := g.Sums()
	scale := 1 + finite(sol.LogZRatio) + finite(sol.B)
	equal("brackets + KL(q||p) = log(Z_T/Z_1) - E_fwd[log w]", forward, sol.LogZRatio-sol.MeanLogWForward, scale)
	equal("brackets + KL(p||q) = E_rev[log w] - log(Z_T/Z_1)", reverse, sol.MeanLogWReverse-sol.LogZRatio, scale)
	equal("brackets + J = B", forward+reverse, sol.B, finite(sol.B))
	// Deviations, whose squares J is made of, are rounded at the size of the changes that the steps make, whose squares
	// B is made of (see noteResolution).
	divergence := func(name string, got, want float64) {
		size := max(finite(got), finite(want))
		equal(name, got, want, size+0.01*math.Sqrt(size*finite(sol.B)))
	}
	divergence("KL(q||p)", g.KLQP, sol.KLQP)
	divergence("KL(p||q)", g.KLPQ, sol.KLPQ)
	divergence("Jeffreys divergence at t = T is J", g.Stages[len(g.Stages)-1].Jeffreys, sol.J)
	least := 0.0
	for _, s := range g.Stages {
		least = min(least, s.Forward, s.Reverse)
	}
	equal("no bracket is negative", least, 0, 0)
	return out
}
