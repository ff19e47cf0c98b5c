package exact

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/stage"
	"breadboard/exact/kernel"
)

// Check computes everything a second time, by definition: with the distributions q and r of x_{t-1}
// in the forward and the reverse chain,
//
//	E_fwd[log w] = sum over t and x of q(x) log(f_t(x)/f_{t-1}(x)),    E_rev[log w] the same with r,
//
// and E_fwd[w] and E_rev[1/w] by propagating masses that the weights multiply. Time is O(T
// entries), and memory O(sqrt(T) states).
//
// Source: Grosse, Ancha and Roy 2016, Eqs. 21 to 23.

// pushed holds the numbers of an annealing that pushBoth computes for Check.
type pushed struct {
	meanForward, meanReverse   number.Sum  // E_fwd[log w], E_rev[log w]
	tiltForward, tiltReverse   number.Wide // E_fwd[w], E_rev[1/w]
	pairsForward, pairsReverse number.Sum  // KL(path_fwd || path_rev) and KL(path_rev || path_fwd), by Eq. 23
	j                          float64     // J by its definition
	massForward, massReverse   float64     // total mass of each chain after its last move
}

// pushBoth propagates probabilities, not deviations, in both directions. Eq. 23 needs the
// distributions of both chains at each stage. The reverse chain visits the stages in the opposite
// order, so its distributions are recomputed from checkpoints (see sweep.Checkpoints).
func pushBoth(ctx context.Context, p *stage.Problem) (*pushed, error) {
	T := p.Annealing.Distributions()
	s := stage.NewStage(p.Annealing)
	m := &pushed{}
	kept, err := m.pushReverse(ctx, p, s)
	if err != nil {
		return nil, err
	}
	if err := s.Load(ctx, 2); err != nil {
		return nil, err
	}
	q := s.Before.Masses()
	tilt := s.Before.Masses()
	r := make([][]number.Wide, kept.Stride+1) // r[i] is the distribution of x_{high-i}
	for stretch, law := range kept.Stretches() {
		high := T + 1 - stretch.First
		low := T - stretch.Last
		r[0] = law
		for t := high; t > low; t-- {
			if err := p.Load(ctx, s, t); err != nil {
				return nil, err
			}
			r[high-t+1] = s.PushBack(r[high-t])
		}
		if low == 1 {
			m.firstPair(q, r[high-1])
		}
		for t := low + 1; t <= high; t++ {
			if err := p.Load(ctx, s, t); err != nil {
				return nil, err
			}
			m.addMeans(s, q, r[high-t+1])
			if err := m.addPairs(ctx, s, q, r[high-t+1], r[high-t]); err != nil {
				return nil, err
			}
			for x := range tilt {
				tilt[x] = tilt[x].Mul(s.Weight(x, 1))
			}
			q, tilt = s.Push(q), s.Push(tilt)
		}
	}
	m.tiltForward = stage.Total(tilt)
	m.massForward = stage.Total(q).Float()
	m.computeJ(q, s.Here.Masses())
	return m, nil
}

// wideBytes is the memory of the probability of a state.
const wideBytes = 16

// pushReverse propagates the reverse chain from the distribution p_T of x_T to the distribution of
// x_1, and keeps checkpoints. Its step i is the move of stage T + 1 - i.
func (m *pushed) pushReverse(ctx context.Context, p *stage.Problem,
	s *stage.Stage) (*stage.Checkpoints[[]number.Wide], error) {
	T := p.Annealing.Distributions()
	kept := stage.NewCheckpoints[[]number.Wide](T - 1)
	if err := kept.CheckMemory(p.Annealing.States(), wideBytes); err != nil {
		return nil, err
	}
	var r, tilt []number.Wide
	for i := 1; i < T; i++ {
		if err := p.Load(ctx, s, T+1-i); err != nil {
			return nil, err
		}
		if i == 1 {
			r, tilt = s.Here.Masses(), s.Here.Masses()
		}
		if kept.Begins(i) {
			kept.Keep(r)
		}
		r, tilt = s.PushBack(r), s.PushBack(tilt)
		for x := range tilt {
			tilt[x] = tilt[x].Mul(s.Weight(x, -1))
		}
	}
	m.tiltReverse = stage.Total(tilt)
	m.massReverse = stage.Total(r).Float()
	return kept, nil
}

// addMeans adds the term of stage t to the expected log weights, given the distributions q and r of
// x_{t-1} in the forward and the reverse chain.
func (m *pushed) addMeans(s *stage.Stage, q, r []number.Wide) {
	for x, d := range s.Delta {
		switch {
		case s.Both(x):
			m.meanForward.Add(q[x].Float() * d)
			m.meanReverse.Add(r[x].Float() * d)
		case s.Before.On(x) && q[x].M != 0:
			m.meanForward.Add(math.Inf(-1))
		case s.Here.On(x) && r[x].M != 0:
			m.meanReverse.Add(math.Inf(1))
		}
	}
}

// relative returns a log(a/b), the term of KL(a || b) for one state.
func relative(a, b number.Wide) float64 {
	if a.M == 0 {
		return 0
	}
	if b.M == 0 {
		return math.Inf(1)
	}
	return a.Float() * a.Div(b).Log()
}

// firstPair adds the first term of Eq. 23, the divergence between the distributions of x_1.
func (m *pushed) firstPair(q, r []number.Wide) {
	for x := range q {
		m.pairsForward.Add(relative(q[x], r[x]))
		m.pairsReverse.Add(relative(r[x], q[x]))
	}
}

// addPairs adds the terms of Eq. 23 for the states before and after each move of stage t, given the
// distributions of x_{t-1} in the forward (q) and the reverse chain (r) and of x_t in the reverse
// chain (rNext). It fails if the context ends.
func (m *pushed) addPairs(ctx context.Context, s *stage.Stage, q, r, rNext []number.Wide) error {
	// laws[i] is the distribution of the reverse chain before move i of the forward one
	laws := make([][]number.Wide, len(s.Moves)+1)
	laws[0], laws[len(s.Moves)] = r, rNext
	for i := len(s.Moves) - 1; i > 0; i-- {
		laws[i] = s.PushBackBy(s.Moves[i], laws[i+1])
	}
	for i, move := range s.Moves {
		if err := m.addPairsOf(ctx, s, move, q, laws[i:]); err != nil {
			return err
		}
		if i < len(s.Moves)-1 {
			q = move.Forward.Push(q)
		}
	}
	return nil
}

// addPairsOf adds the term of Eq. 23 for the pair x, y of the states before and after a move: the
// expectation of the log ratio of q_fwd(y|x) = T(x,y) and q_rev(y|x) = r_next(y) R(y,x) / r(x),
// with R the time reversal of T, and r and r_next the first two of laws.
func (m *pushed) addPairsOf(ctx context.Context, s *stage.Stage, move *stage.Move, q []number.Wide,
	laws [][]number.Wide) error {
	r, rNext := laws[0], laws[1]
	back, err := move.Returns(ctx, chains.Forward)
	if err != nil {
		return err
	}
	there, err := move.Returns(ctx, chains.Reverse)
	if err != nil {
		return err
	}
	add := func(x, y int, forward, backward number.Wide) {
		if (forward.M == 0) != (backward.M == 0) && max(forward.Float(), backward.Float()) < kernel.Tiny {
			return // the smaller of the two is not zero but has underflowed
		}
		joint := rNext[y].Mul(backward)
		if r[x].M == 0 {
			if q[x].M != 0 {
				m.pairsForward.Add(math.Inf(1)) // q_rev(y|x) is not even defined
			}
			return
		}
		reverse := joint.Div(r[x])
		if forward.M != 0 && reverse.M != 0 {
			l := forward.Div(reverse).Log()
			m.pairsForward.Add(q[x].Float() * (forward.Float() * l))
			m.pairsReverse.Add(r[x].Float() * (reverse.Float() * -l))
			return
		}
		if forward.M != 0 && q[x].M != 0 || reverse.M != 0 {
			toward := &m.pairsForward
			if forward.M == 0 {
				toward = &m.pairsReverse
			}
			toward.Add(math.Inf(1))
		}
	}
	i := -1
	for x := range q {
		for _, e := range move.Forward.Row(x) {
			i++
			if e.P > 0 {
				forward := number.Scaled(e.P, 0)
				add(x, e.To, forward, s.Back(move, back[i], e.To, x, forward))
			}
		}
	}
	for _, e := range move.Forward.Tiny {
		forward := number.WideExp(e.LogP)
		add(e.From, e.To, forward, s.Back(move, -1, e.To, e.From, forward))
	}
	i = -1
	for y := range rNext { // pairs that the reverse chain can make and the forward chain cannot
		for _, e := range move.Backward.Row(y) {
			i++
			if s.Outside && s.Here.On(y) {
				continue // there are no such pairs: the reversal is made from the forward flows
			}
			if e.P > 0 && !move.Reaches(there[i], e.To, y) {
				add(e.To, y, number.Wide{}, number.Scaled(e.P, 0))
			}
		}
	}
	return nil
}

// computeJ computes J by its definition from the sampler's output q and the target p.
func (m *pushed) computeJ(q, p []number.Wide) {
	var qp, pq number.Sum
	for x := range q {
		qp.Add(relative(q[x], p[x]))
		pq.Add(relative(p[x], q[x]))
	}
	m.j = qp.Value() + pq.Value()
}
