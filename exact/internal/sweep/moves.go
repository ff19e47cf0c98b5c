package sweep

import (
	"context"
	"fmt"
	"iter"
	"math"
	"reflect"
	"sort"

	"breadboard/chains"
	"breadboard/exact/internal/number"
	"breadboard/exact/kernel"
)

// A stage whose kernel is a sequence K_1, K_2, ... of the library is taken as its parts: the chain moves by K_1, then by K_2
// and so on, all of them under p_t, and the reverse chain by their reversals in the opposite order. Between the moves the log
// weight does not change. The annealing is the same, and so is all that is computed of it; only the product of the matrices
// is never formed, which would be dense.
//
// Rounding aside, this holds of every number. The laws of x_t and of log w, tilted masses and moments are what the product
// of the matrices makes of those at t-1, and a product may be applied factor by factor. With the states between the moves a
// path is longer, and the ratio of its probabilities in both directions is still exp(log w) up to a constant, because each
// part has p_t for its invariant distribution; so the divergences between the paths, and with them B by Eq. 23, are the same.

// Move is one move of a stage: by its kernel or, for a sequence, by one of the parts.
type Move struct {
	Kernel   chains.Kernel
	Forward  Operator // the transition matrix
	Backward Operator // its time reversal, with the rows of Forward themselves where the kernel is reversible

	// frame and reverse are the frames of the kernel and of its reversal; nil where they have none.
	frame, reverse *chains.Frame
	separate       *kernel.Rows // memory for the time reversal of a kernel of the library that is not reversible
	// returns say where the entry of the way back stands in the rows of the other direction, for each entry of Forward and
	// of Backward. They hold for all stages where there are frames, else until the next load.
	returns [2][]int32
	known   [2]bool
}

// productAbove is how many times more entries than a dense matrix the parts of a sequence must have together to be
// multiplied out. To apply them takes one operation for each entry, to multiply them out as many for each state of the
// space. So the parts are cheaper unless one matrix is applied more often than there are states, as for the laws of log
// weights, and unless the parts have many more entries than the product, as has a kernel that is repeated a thousand times
// on a small space. Rows of such a product also come to an end early, where no further repeat changes a bit of them.
const productAbove = 32

// prepare makes the moves of a stage for its kernel, unless they are made already. It fails where rows would take too much
// memory, before it takes any.
func (s *Stage) prepare() error {
	s.Kernel = s.Annealing.KernelAt(s.t)
	if s.Moves != nil && (s.Annealing.Kernel() != nil || sameKernel(s.prepared, s.Kernel)) {
		return nil
	}
	s.Outside = !chains.OfLibrary(s.Kernel)
	kernels, order, err := s.apart()
	if err != nil {
		return err
	}
	moves := make([]*Move, len(kernels))
	for i, k := range kernels {
		if moves[i], err = s.newMove(k); err != nil {
			return err
		}
	}
	s.distinct, s.Moves, s.prepared = moves, make([]*Move, len(order)), s.Kernel
	for i, part := range order {
		s.Moves[i] = moves[part]
	}
	return nil
}

// sameKernel reports whether two kernels are known to be equal.
func sameKernel(k, l chains.Kernel) bool {
	a, b := reflect.ValueOf(k), reflect.ValueOf(l)
	return a.IsValid() && b.IsValid() && a.Type() == b.Type() && a.Comparable() && b.Comparable() && k == l
}

// apart returns the kernels that the moves of a stage are made by, and their order: the parts of a sequence where applying
// them is cheaper than their product (see productAbove), else the kernel itself. It fails where their rows together would
// take too much memory.
func (s *Stage) apart() (kernels []chains.Kernel, order []int, err error) {
	whole, first := []chains.Kernel{s.Kernel}, []int{0}
	kernels, order, sequence := chains.Sequence(s.Kernel)
	if !sequence {
		return whole, first, nil
	}
	n := float64(s.Annealing.States())
	counts, kept, applied := make([]float64, len(kernels)), 0.0, 0.0
	for i, k := range kernels {
		entries, framed := chains.FrameEntries(k, s.Annealing.States(), kernel.MaxEntries)
		if !framed {
			entries = n * n // a mixture with a sequence in it, or a kernel that does not say
		}
		counts[i] = entries
		if _, reverses := k.(chains.Reverser); reverses {
			entries *= 2
		}
		kept += entries
	}
	for _, part := range order {
		applied += counts[part]
	}
	if applied > productAbove*n*n {
		return whole, first, nil
	}
	return kernels, order, kernel.CheckEntries(s.Kernel, s.Annealing.States(), kept)
}

// newMove returns a move by a kernel, without probabilities.
func (s *Stage) newMove(k chains.Kernel) (*Move, error) {
	m := &Move{Kernel: k, Forward: Operator{Rows: &kernel.Rows{}}}
	m.Backward = m.Forward
	if s.Outside {
		return m, nil
	}
	var err error
	if m.frame, err = kernel.FrameOf(k, s.Annealing.States()); err != nil {
		return nil, err
	}
	if _, ok := k.(chains.Reverser); ok {
		m.separate = &kernel.Rows{}
		reversal, _ := chains.ReversalOf(k)
		if m.reverse, err = kernel.FrameOf(reversal, s.Annealing.States()); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// Along yields the moves of the stage in the order in which a chain of the given direction makes them.
func (s *Stage) Along(d chains.Direction) iter.Seq[*Move] { return along(s.Moves, d) }

func along(moves []*Move, d chains.Direction) iter.Seq[*Move] {
	return func(yield func(*Move) bool) {
		for i := range moves {
			if d == chains.Reverse {
				i = len(moves) - 1 - i
			}
			if !yield(moves[i]) {
				return
			}
		}
	}
}

// Along returns the matrix by which a chain of the given direction makes the move.
func (m *Move) Along(d chains.Direction) Operator {
	if d == chains.Forward {
		return m.Forward
	}
	return m.Backward
}

// Reversed reports whether the time reversal has rows of its own: the kernel is then not reversible.
func (m *Move) Reversed() bool { return m.Backward.Rows != m.Forward.Rows }

// loadRows loads the rows of T_t and of its time reversal, and moves their tiny entries to the lists. It checks detailed
// balance at some of the stages (see kernel.BalanceChecks).
func (s *Stage) loadRows(ctx context.Context) error {
	if err := s.prepare(); err != nil {
		return s.Wrap(err)
	}
	low, high := number.Bounds(s.Here.Log)
	every := 1 + s.Annealing.Distributions()/kernel.BalanceChecks
	check := !s.Outside && (s.t == 2 || s.t == s.Annealing.Distributions() || s.t%every == 0)
	for _, m := range s.distinct {
		if err := s.loadMove(ctx, m); err != nil {
			return s.Wrap(err)
		}
		if high-low >= kernel.Narrow {
			s.takeTiny(m)
		}
		m.Forward.weigh()
		m.Backward.plain = m.Forward.plain
		if m.Reversed() {
			m.Backward.weigh()
		}
		if check {
			if err := s.checkBalance(ctx, m); err != nil {
				return s.Wrap(err)
			}
		}
	}
	return nil
}

// loadMove loads the rows of a move. The time reversal of a kernel of the library is known; for any other kernel it is made
// from the rows.
func (s *Stage) loadMove(ctx context.Context, m *Move) error {
	fill := func(r *kernel.Rows, k chains.Kernel, f *chains.Frame) error {
		if f != nil {
			return r.FillFrame(ctx, k, f, &s.values)
		}
		m.known = [2]bool{}
		return r.Fill(ctx, k, s.Logf)
	}
	m.Forward.Tiny, m.Backward.Tiny = m.Forward.Tiny[:0], m.Backward.Tiny[:0]
	m.Backward.Rows = m.Forward.Rows
	if err := fill(m.Forward.Rows, m.Kernel, m.frame); err != nil {
		return err
	}
	switch {
	case s.Outside:
		var err error
		m.Backward.Rows, err = s.flows.Turn(ctx, m.Kernel, m.Forward.Rows, s.Logf)
		return err
	case m.separate != nil:
		m.Backward.Rows = m.separate
		reversal, _ := chains.ReversalOf(m.Kernel)
		return fill(m.Backward.Rows, reversal, m.reverse)
	}
	return nil
}

// Returns says where the entry of the way back stands, for each entry of the matrix of a direction: its place in the
// entries of the matrix of the other direction, -1 where there is none.
func (m *Move) Returns(d chains.Direction) []int32 {
	if !m.Reversed() {
		d = chains.Forward
	}
	if !m.known[d] {
		m.returns[d] = m.Along(d).Rows.Returns(m.returns[d], m.Along(1-d).Rows)
		m.known[d] = true
	}
	return m.returns[d]
}

// takeTiny moves the entries that are too small for float64 to lists of logarithms.
func (s *Stage) takeTiny(m *Move) {
	m.Backward.Tiny = s.appendTiny(m.Backward.Tiny, m, chains.Reverse)
	if m.Reversed() {
		m.Forward.Tiny = s.appendTiny(nil, m, chains.Forward)
		return
	}
	m.Forward.Tiny = m.Backward.Tiny
}

// appendTiny moves the entries of the rows of a direction that are too small for float64 to a list of logarithms, which it
// appends to dst in the order of the states that they lead to. It finds them from the entries of the other direction,
// through p(y) rows(y,x) = p(x) reversal(x,y).
func (s *Stage) appendTiny(dst []TinyEntry, m *Move, d chains.Direction) []TinyEntry {
	rows, reversal := m.Along(d).Rows, m.Along(1-d).Rows
	returns, i := m.Returns(1-d), -1
	for x := range s.Logf {
		for _, e := range reversal.Row(x) {
			i++
			y, at := e.To, returns[i]
			if y == x || e.P < kernel.Tiny || !s.Here.On(x) || !s.Here.On(y) || at >= 0 && rows.Entries[at].P >= kernel.Tiny {
				continue
			}
			if at >= 0 {
				rows.Entries[at].P = 0
			}
			dst = append(dst, TinyEntry{y, x, math.Log(e.P) + s.Logf[x] - s.Logf[y]})
		}
	}
	return dst
}

// checkBalance returns an error unless p(x) T(x,y) = p(y) R(y,x) for the kernel T of a move and its time reversal R, and
// unless no state of positive probability leads to one of zero.
func (s *Stage) checkBalance(ctx context.Context, m *Move) error {
	for d := chains.Forward; d <= chains.Reverse; d++ {
		if d == chains.Reverse && !m.Reversed() {
			break
		}
		if err := s.checkFlows(ctx, m.Kernel, m.Along(d).Rows, m.Along(1-d).Rows, m.Returns(d)); err != nil {
			return err
		}
	}
	return nil
}

// lookEvery is about the number of entries between two looks at the context.
const lookEvery = 1 << 14

// checkFlows checks the flows along rows against those of the time reversal.
func (s *Stage) checkFlows(ctx context.Context, k chains.Kernel, rows, reversal *kernel.Rows, returns []int32) error {
	i := -1
	for x := range s.Logf {
		for _, e := range rows.Row(x) {
			if i++; i%lookEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if e.P == 0 || !s.Here.On(x) {
				continue
			}
			if !s.Here.On(e.To) {
				return kernel.ErrToZero(k, x, e.To)
			}
			there, back := s.Here.P[x]*e.P, 0.0
			if at := returns[i]; at >= 0 {
				back = s.Here.P[e.To] * reversal.Entries[at].P
			}
			if there > 1e-280 && math.Abs(there-back) > kernel.BalanceTolerance*max(there, back) {
				err := fmt.Errorf("kernel %s is not reversible: the flow from state %d to state %d is %v and the flow back is %v; either the kernel is wrong, or the time reversal that it gives", chains.NameOf(k), x, e.To, there, back)
				return chains.NewFault(chains.AtStates(err, x, e.To))
			}
		}
	}
	return nil
}

// MoveForward replaces the law of a chain at t-1 by that at t, as ratios to p_t in both.
func (s *Stage) MoveForward(r *Ratios) {
	for m := range s.Along(chains.Forward) {
		r.Move(&s.Here, m.Forward, m.Backward)
	}
}

// MoveBack replaces the law of x_t in the reverse chain by that of x_{t-1}, as ratios to p_{t-1}.
func (s *Stage) MoveBack(r *Ratios) {
	for m := range s.Along(chains.Reverse) {
		r.Move(&s.Here, m.Backward, m.Forward)
	}
	s.RebaseBack(r)
}

// RebaseBack changes the reference of the law of x_{t-1} in the reverse chain from p_t to p_{t-1}.
func (s *Stage) RebaseBack(r *Ratios) {
	back := make([]float64, len(s.Lambda))
	for x, l := range s.Lambda {
		back[x] = -l
	}
	r.Rebase(&s.Here, &s.Before, back)
}

// Average replaces v by E[v(x_{t-1}) | x_t] in the reverse chain: it is averaged over the rows of the reversals. scratch is
// memory of the same length.
func (s *Stage) Average(v, scratch []float64) {
	for m := range s.Along(chains.Forward) { // the last move of the reverse chain is averaged over first
		copy(scratch, v)
		for x := range v {
			total := 0.0
			for _, e := range m.Backward.Row(x) {
				total += e.P * scratch[e.To]
			}
			v[x] = total
		}
	}
}

// Spread replaces marked states by those from which the moves of the reverse chain may lead to a marked one.
func (s *Stage) Spread(marked []bool) {
	next := make([]bool, len(marked))
	for m := range s.Along(chains.Forward) {
		for x := range next {
			next[x] = false
			for _, e := range m.Backward.Row(x) {
				next[x] = next[x] || (e.P > 0 && marked[e.To])
			}
		}
		for _, e := range m.Backward.Tiny {
			next[e.From] = next[e.From] || marked[e.To]
		}
		copy(marked, next)
	}
}

// Push returns the law q of the forward chain after the moves of the stage.
func (s *Stage) Push(q []number.Wide) []number.Wide {
	for m := range s.Along(chains.Forward) {
		q = m.Forward.Push(q)
	}
	return q
}

// PushBack returns the law r of the reverse chain after the moves of the stage.
func (s *Stage) PushBack(r []number.Wide) []number.Wide {
	for m := range s.Along(chains.Reverse) {
		r = s.PushBackBy(m, r)
	}
	return r
}

// Staying writes to dst the probability that the stage leaves a chain where it is, which is the same in both directions, for
// states of positive probability. For one move that is an entry of its matrix. For more, the chain goes forward from x
// through the first half of the moves, and a reverse chain from x through the other half; p(x)/p(z) makes the probability
// of the latter that of going from the state z to x.
func (s *Stage) Staying(dst []float64) {
	if len(s.Moves) == 1 {
		for x := range dst {
			dst[x] = s.Moves[0].Forward.At(x, x)
		}
		return
	}
	n := len(dst)
	there, back := newSparse(n), newSparse(n)
	for x := range dst {
		if dst[x] = 0; !s.Here.On(x) {
			continue
		}
		half := len(s.Moves) / 2
		there.through(x, along(s.Moves[:half], chains.Forward), chains.Forward)
		back.through(x, along(s.Moves[half:], chains.Reverse), chains.Reverse)
		for _, z := range there.reached {
			if there.mass[z] > 0 && back.mass[z] > 0 {
				dst[x] += there.mass[z] * back.mass[z] * math.Exp(s.Here.Log[x]-s.Here.Log[z])
			}
		}
	}
}

// sparse is a law on few of the states.
type sparse struct {
	mass, next     []float64 // by state, zero where the law has not been
	reached, other []int
}

func newSparse(n int) *sparse { return &sparse{mass: make([]float64, n), next: make([]float64, n)} }

// through makes the law that of a chain which has started at x and made the moves.
func (l *sparse) through(x int, moves iter.Seq[*Move], d chains.Direction) {
	l.forget()
	l.mass[x], l.reached = 1, append(l.reached, x)
	for m := range moves {
		for _, y := range l.reached {
			for _, e := range m.Along(d).Row(y) {
				if p := l.mass[y] * e.P; p > 0 {
					if l.next[e.To] == 0 {
						l.other = append(l.other, e.To)
					}
					l.next[e.To] += p
				}
			}
		}
		l.forget()
		l.mass, l.next, l.reached, l.other = l.next, l.mass, l.other, l.reached
	}
}

// forget makes the law empty.
func (l *sparse) forget() {
	for _, y := range l.reached {
		l.mass[y] = 0
	}
	l.reached = l.reached[:0]
}

// Back returns the probability R(y,x) of the time reversal to go from y to x, where forward is T(x,y) and i is the place of
// its entry in the rows of T, or -1 for a tiny one.
func (s *Stage) Back(m *Move, i int, y, x int, forward number.Wide) number.Wide {
	if s.Outside && s.Here.On(y) {
		if !s.Here.On(x) {
			return number.Wide{}
		}
		return forward.Mul(number.WideExp(s.Here.Log[x] - s.Here.Log[y]))
	}
	if i < 0 {
		return m.Backward.Probability(y, x)
	}
	return m.Backward.at(m.Returns(chains.Forward)[i], y, x)
}

// Reaches reports whether the forward chain can make the move from x to y that is the way back of entry i of the reversal.
func (m *Move) Reaches(i, x, y int) bool {
	return m.Forward.at(m.Returns(chains.Reverse)[i], x, y).M != 0
}

// at returns the probability to go from x to y, given the place of its entry, or -1.
func (o Operator) at(place int32, x, y int) number.Wide {
	if place >= 0 {
		if p := o.Entries[place].P; p > 0 {
			return number.Scaled(p, 0)
		}
	}
	return o.tiny(x, y)
}

// tiny returns the probability of a tiny entry, zero where there is none. They are in the order of the states that they
// lead to.
func (o Operator) tiny(x, y int) number.Wide {
	for _, e := range o.Tiny[sort.Search(len(o.Tiny), func(i int) bool { return o.Tiny[i].To >= y }):] {
		if e.To != y {
			break
		}
		if e.From == x {
			return number.WideExp(e.LogP)
		}
	}
	return number.Wide{}
}
