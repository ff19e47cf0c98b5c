package exact

import (
	"context"
	"math"
)

// pushed is the account of an annealing that pushBoth makes.
type pushed struct {
	meanForward, meanReverse   sum  // E_fwd[log w], E_rev[log w]
	tiltForward, tiltReverse   wide // E_fwd[w], E_rev[1/w]
	pairsForward, pairsReverse sum  // KL(path_fwd || path_rev) and its mirror by Eq. 23
	j                          float64
	massForward, massReverse   float64
}

// pushBoth propagates probabilities, not deviations, in both directions. The reverse laws are needed beside
// the forward ones; they are kept at every sqrt(T)-th stage and computed again from there.
func pushBoth(ctx context.Context, p *problem) (*pushed, error) {
	T := p.a.Distributions()
	every := int(math.Ceil(math.Sqrt(float64(T))))
	s := newStage(p.a)
	m := &pushed{}
	kept, err := m.pushReverse(ctx, p, s, every)
	if err != nil {
		return nil, err
	}
	if err := s.load(ctx, 2); err != nil {
		return nil, err
	}
	q := s.before.masses()
	tilt := s.before.masses()
	r := make([][]wide, every+1) // r[i] is the law of x_{first+i}
	for first := 1; first < T; first += every {
		last := min(first+every, T)
		r[last-first] = kept[last]
		for t := last; t > first; t-- {
			if err := p.step(ctx); err != nil {
				return nil, err
			}
			if err := s.load(ctx, t); err != nil {
				return nil, err
			}
			r[t-1-first] = s.pushBack(r[t-first])
		}
		if first == 1 {
			m.firstPair(q, r[0])
		}
		for t := first + 1; t <= last; t++ {
			if err := p.step(ctx); err != nil {
				return nil, err
			}
			if err := s.load(ctx, t); err != nil {
				return nil, err
			}
			m.addMeans(s, q, r[t-1-first])
			m.addPairs(s, q, r[t-1-first], r[t-first])
			for x := range tilt {
				tilt[x] = tilt[x].mul(s.weight(x, 1))
			}
			q, tilt = push(q, s.forward, s.tinyForward), push(tilt, s.forward, s.tinyForward)
		}
	}
	m.tiltForward = total(tilt)
	m.massForward = total(q).float()
	m.finish(q, s.here.masses())
	return m, nil
}

// pushReverse pushes the reverse chain from p_T to x_1, and returns its laws at every stage 1 + k every and
// at T, by stage.
func (m *pushed) pushReverse(ctx context.Context, p *problem, s *stage, every int) (map[int][]wide, error) {
	T := p.a.Distributions()
	kept := map[int][]wide{}
	var r, tilt []wide
	for t := T; t >= 2; t-- {
		if err := p.step(ctx); err != nil {
			return nil, err
		}
		if err := s.load(ctx, t); err != nil {
			return nil, err
		}
		if t == T {
			r, tilt = s.here.masses(), s.here.masses()
		}
		if t == T || (t-1)%every == 0 {
			kept[t] = r
		}
		r, tilt = s.pushBack(r), s.pushBack(tilt)
		for x := range tilt {
			tilt[x] = tilt[x].mul(s.weight(x, -1))
		}
	}
	m.tiltReverse = total(tilt)
	m.massReverse = total(r).float()
	return kept, nil
}

// masses returns the probabilities of a density.
func (d *density) masses() []wide {
	q := make([]wide, len(d.log))
	for x, v := range d.log {
		q[x] = wideExp(v)
	}
	return q
}

// weight returns (f_t/f_{t-1})^sign at x, zero where either is.
func (s *stage) weight(x int, sign float64) wide {
	if !s.both(x) {
		return wide{}
	}
	return wideExp(sign * s.delta[x])
}

// push returns the law after one transition.
func push(q []wide, rows *Rows, tiny []tinyEntry) []wide {
	next := make([]wide, len(q))
	for x, mass := range q {
		if mass.m == 0 {
			continue
		}
		for _, e := range rows.Row(x) {
			next[e.To] = next[e.To].add(mass.mul(scaled(e.P, 0)))
		}
	}
	for _, e := range tiny {
		next[e.to] = next[e.to].add(q[e.from].mul(wideExp(e.logP)))
	}
	return next
}

// pushBack returns the law of the reverse chain after one transition. Where the kernel is not of the library it knows
// nothing of the backward rows that the solver has made: it takes the forward flows back, from y to x with probability
// p(x) T(x,y) / p(y), so that a wrong reversal, or one that was not needed and is, shows.
func (s *stage) pushBack(r []wide) []wide {
	if !s.outside {
		return push(r, s.backward, s.tinyBackward)
	}
	next := make([]wide, len(r))
	share := make([]wide, len(r)) // r/p
	for y, mass := range r {
		if s.here.on(y) {
			share[y] = mass.mul(wideExp(-s.here.log[y]))
			continue
		}
		for _, e := range s.backward.Row(y) { // no flow is here that could be turned round
			next[e.To] = next[e.To].add(mass.mul(scaled(e.P, 0)))
		}
	}
	for x := range r {
		if !s.here.on(x) {
			continue
		}
		var back wide
		for _, e := range s.forward.Row(x) {
			back = back.add(share[e.To].mul(scaled(e.P, 0)))
		}
		next[x] = next[x].add(back.mul(wideExp(s.here.log[x])))
	}
	for _, e := range s.tinyForward {
		next[e.from] = next[e.from].add(share[e.to].mul(wideExp(e.logP)).mul(wideExp(s.here.log[e.from])))
	}
	return next
}

// backProbability returns the probability R(y,x) of the time reversal to go from y to x, where forward is T(x,y).
func (s *stage) backProbability(y, x int, forward wide) wide {
	if !s.outside || !s.here.on(y) {
		return probability(s.backward, s.tinyBackward, y, x)
	}
	if !s.here.on(x) {
		return wide{}
	}
	return forward.mul(wideExp(s.here.log[x] - s.here.log[y]))
}

func total(q []wide) wide {
	var t wide
	for _, v := range q {
		t = t.add(v)
	}
	return t
}

// addMeans adds stage t to the expected log weights.
func (m *pushed) addMeans(s *stage, q, r []wide) {
	for x, d := range s.delta {
		switch {
		case s.both(x):
			m.meanForward.add(q[x].float() * d)
			m.meanReverse.add(r[x].float() * d)
		case s.before.on(x) && q[x].m != 0:
			m.meanForward.add(math.Inf(-1))
		case s.here.on(x) && r[x].m != 0:
			m.meanReverse.add(math.Inf(1))
		}
	}
}

// relative returns a log(a/b), the term of a divergence.
func relative(a, b wide) float64 {
	if a.m == 0 {
		return 0
	}
	if b.m == 0 {
		return math.Inf(1)
	}
	return a.float() * a.div(b).log()
}

// firstPair adds the first term of Eq. 23, the divergence between the laws of x_1.
func (m *pushed) firstPair(q, r []wide) {
	for x := range q {
		m.pairsForward.add(relative(q[x], r[x]))
		m.pairsReverse.add(relative(r[x], q[x]))
	}
}

// addPairs adds the term of Eq. 23 for the pair x = x_{t-1}, y = x_t: the expectation of the log ratio of
// q_fwd(y|x) = T(x,y) and q_rev(y|x) = r_t(y) R(y,x) / r_{t-1}(x), with R the time reversal of T.
func (m *pushed) addPairs(s *stage, q, r, rNext []wide) {
	add := func(x, y int, forward, backward wide) {
		if (forward.m == 0) != (backward.m == 0) && max(forward.float(), backward.float()) < tiny {
			return // the other has underflowed
		}
		joint := rNext[y].mul(backward)
		if q[x].m != 0 && r[x].m == 0 {
			m.pairsForward.add(math.Inf(1)) // q_rev(y|x) is not even defined
		} else if q[x].m != 0 {
			m.pairsForward.add(q[x].float() * relative(forward, joint.div(r[x])))
		}
		if joint.m != 0 {
			m.pairsReverse.add(r[x].float() * relative(joint.div(r[x]), forward))
		}
	}
	for x := range q {
		for _, e := range s.forward.Row(x) {
			if e.P > 0 {
				forward := scaled(e.P, 0)
				add(x, e.To, forward, s.backProbability(e.To, x, forward))
			}
		}
	}
	for _, e := range s.tinyForward {
		forward := wideExp(e.logP)
		add(e.from, e.to, forward, s.backProbability(e.to, e.from, forward))
	}
	for y := range rNext { // pairs that only the reverse chain makes
		if s.outside && s.here.on(y) {
			continue // there are none: its flows are the forward ones
		}
		for _, e := range s.backward.Row(y) {
			if e.P > 0 && probability(s.forward, s.tinyForward, e.To, y).m == 0 {
				add(e.To, y, wide{}, scaled(e.P, 0))
			}
		}
	}
}

// probability returns the entry from x to y of a matrix, tiny or not.
func probability(rows *Rows, tiny []tinyEntry, x, y int) wide {
	if p := rows.At(x, y); p > 0 {
		return scaled(p, 0)
	}
	for _, e := range tiny {
		if e.from == x && e.to == y {
			return wideExp(e.logP)
		}
	}
	return wide{}
}

// finish computes J by its definition, of the sampler's output q and the target p.
func (m *pushed) finish(q, p []wide) {
	var qp, pq sum
	for x := range q {
		qp.add(relative(q[x], p[x]))
		pq.add(relative(p[x], q[x]))
	}
	m.j = qp.value() + pq.value()
}
