package stage

import (
	"context"
	"iter"
	"math"

	"breadboard/chains"
	"breadboard/chains/frames"
	"breadboard/chains/number"
	"breadboard/exact/kernel"
)

// A stage whose kernel is a sequence K_1, K_2, ... of the library is taken part by part: the chain
// moves by K_1, then by K_2 and so on, all of them under p_t, and the reverse chain by their
// reversals in the opposite order. Between the moves the log weight does not change. The annealing
// and its numbers are the same, but the product of the matrices, which would be dense, is not
// formed.
//
// Up to rounding, this holds for every number. The distributions of x_t and of log w, tilted masses
// and moments are the product of the matrices applied to those at t-1, and a product may be applied
// factor by factor. With the states between the moves a path is longer, and the ratio of its
// probabilities in both directions is still exp(log w) up to a constant, because each part has p_t
// for its invariant distribution; so the divergences between the paths, and with them B by Eq. 23,
// are the same.

// Move is one move of a stage: by its kernel or, for a sequence, by one of the parts.
type Move struct {
	Kernel   chains.Kernel
	Forward  Matrix // the transition matrix
	Backward Matrix // its time reversal, with the rows of Forward themselves if the kernel is reversible

	// frame and reverse are the frames of the kernel and of its reversal; nil if they have none.
	frame, reverse *frames.Frame
	// memory for the time reversal of a kernel of the library that is not reversible
	separate *kernel.Rows
	// returns are the places of the reverse entries in the rows of the other direction, for each
	// entry of Forward and of Backward; known says whether they have been found. With frames they
	// hold for all stages, else until the next load.
	returns [2][]int32
	known   [2]bool
}

// productAbove is the factor by which the parts of a sequence must have more entries than a dense
// matrix to be multiplied out. Applying the parts takes one operation for each entry; multiplying
// them out takes that many for each state of the space. So the parts are cheaper, with two
// exceptions: one matrix is applied more often than there are states, as for the distributions of
// log weights, or the parts have many more entries than the product, such as a kernel repeated a
// thousand times on a small space. Rows of such a product can also stop early, when further repeats
// do not change them.
const productAbove = 32

// prepare makes the moves of a stage for its kernel, unless they are made already. It fails if rows
// would take too much memory, before it takes any.
func (s *Stage) prepare(ctx context.Context) error {
	s.Kernel = s.Annealing.KernelAt(s.t)
	if s.Moves != nil && (s.Annealing.Kernel() != nil || chains.Same(s.prepared, s.Kernel)) {
		return nil
	}
	s.Outside = !chains.OfLibrary(s.Kernel)
	kernels, order, err := s.separateKernels()
	if err != nil {
		return err
	}
	moves := make([]*Move, len(kernels))
	for i, k := range kernels {
		moves[i], err = s.newMove(ctx, k)
		if err != nil {
			return err
		}
	}
	s.distinct, s.Moves, s.prepared = moves, make([]*Move, len(order)), s.Kernel
	for i, part := range order {
		s.Moves[i] = moves[part]
	}
	return nil
}

// Fits fails if all rows of the kernel of an annealing take more memory than a stage may take. It
// takes no memory, and counts the rows only where the first of them leave it open.
func Fits(a *chains.Annealing) error {
	k := a.Kernel()
	n := a.States()
	if k == nil {
		return nil
	}
	const first = 1e5
	entries := countEntries(k, n, first)
	switch {
	case entries < kernel.MaxEntries/2:
		return nil
	case entries < 2*kernel.MaxEntries:
		entries = countEntries(k, n, kernel.MaxEntries)
	}
	return kernel.CheckEntries(k, n, entries)
}

// countEntries returns the number of entries that a stage keeps of a kernel, estimated if it is
// more than most.
func countEntries(k chains.Kernel, states int, most float64) float64 {
	if p, apart := PartsOf(k, states, most); apart {
		return p.Kept
	}
	entries, _ := frames.Entries(k, states, most)
	return entries
}

// separateKernels returns the kernels of the moves of a stage, and their order: the parts of a
// sequence if applying them is cheaper than their product (see productAbove), else the kernel
// itself. It fails if their rows together would take too much memory.
func (s *Stage) separateKernels() (kernels []chains.Kernel, order []int, err error) {
	p, apart := PartsOf(s.Kernel, s.Annealing.States(), kernel.MaxEntries)
	if !apart {
		return []chains.Kernel{s.Kernel}, []int{0}, nil
	}
	return p.Kernels, p.Order, kernel.CheckEntries(s.Kernel, s.Annealing.States(), p.Kept)
}

// Parts are the parts of a sequence that is applied part by part.
type Parts struct {
	Kernels []chains.Kernel
	Order   []int   // the places in Kernels of the moves, one after another
	Kept    float64 // the entries of the rows of all parts, and of their time reversals
	Applied float64 // the total number of entries of all moves
	// the products that take as long as a row of each part does beyond its entries
	Products float64
}

// PartsOf returns the parts of a kernel, and false if it is not a sequence of the library, or if
// multiplying out is cheaper (see productAbove). Rows with more entries than most are estimated, as
// frames.Entries does.
func PartsOf(k chains.Kernel, states int, most float64) (p Parts, apart bool) {
	p.Kernels, p.Order, apart = chains.Sequence(k)
	if !apart || !chains.OfLibrary(k) {
		return Parts{}, false
	}
	n := float64(states)
	counts := make([]float64, len(p.Kernels))
	for i, k := range p.Kernels {
		entries, framed := frames.Entries(k, states, most)
		if !framed {
			entries = n * n // a mixture with a sequence in it, or a kernel that does not say
		}
		counts[i] = entries
		if _, reverses := k.(chains.Reverser); reverses {
			entries *= 2
		}
		p.Kept += entries
		p.Products += chains.RowProducts(k)
	}
	for _, part := range p.Order {
		p.Applied += counts[part]
	}
	return p, p.Applied <= productAbove*n*n
}

// newMove returns a move by a kernel, without probabilities.
func (s *Stage) newMove(ctx context.Context, k chains.Kernel) (*Move, error) {
	m := &Move{Kernel: k, Forward: Matrix{Rows: &kernel.Rows{}}}
	m.Backward = m.Forward
	if s.Outside {
		return m, nil
	}
	var err error
	m.frame, err = kernel.FrameOf(ctx, k, s.Annealing.States())
	if err != nil {
		return nil, err
	}
	if _, ok := k.(chains.Reverser); ok {
		m.separate = &kernel.Rows{}
		reversal, _ := chains.ReversalOf(k)
		m.reverse, err = kernel.FrameOf(ctx, reversal, s.Annealing.States())
		if err != nil {
			return nil, err
		}
	}
	return m, nil
}

// Along yields the moves of the stage in the order in which a chain of the given direction makes
// them.
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
func (m *Move) Along(d chains.Direction) Matrix {
	if d == chains.Forward {
		return m.Forward
	}
	return m.Backward
}

// Reversed reports whether the time reversal has rows of its own: the kernel is then not
// reversible.
func (m *Move) Reversed() bool { return m.Backward.Rows != m.Forward.Rows }

// loadRows loads the rows of T_t and of its time reversal, and moves their tiny entries to the
// lists. It checks detailed balance at some of the stages (see kernel.BalanceChecks).
func (s *Stage) loadRows(ctx context.Context) error {
	if err := s.prepare(ctx); err != nil {
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
			if err := s.takeTiny(ctx, m); err != nil {
				return s.Wrap(err)
			}
		}
		m.Forward.checkPlain()
		m.Backward.plain = m.Forward.plain
		// enumeration may leave a remainder out of a row
		m.Forward.whole, m.Backward.whole = !s.Outside, !s.Outside
		if m.Reversed() {
			m.Backward.checkPlain()
		}
		if check {
			if err := s.checkBalance(ctx, m); err != nil {
				return s.Wrap(err)
			}
		}
	}
	return nil
}

// loadMove loads the rows of a move. The time reversal of a kernel of the library is known; for any
// other kernel it is made from the rows.
func (s *Stage) loadMove(ctx context.Context, m *Move) error {
	fill := func(r *kernel.Rows, k chains.Kernel, f *frames.Frame) error {
		if f != nil {
			return r.FillFrame(ctx, k, f, &s.values)
		}
		m.known = [2]bool{}
		return r.Fill(ctx, k, s.Logf)
	}
	m.Forward.Tiny, m.Backward.Tiny = m.Forward.Tiny[:0], m.Backward.Tiny[:0]
	m.Backward.Rows = m.Forward.Rows
	if f, foresees := m.Kernel.(chains.Foreseer); foresees && s.Annealing.Kernel() != nil {
		f.Foresee(s.toCome())
	}
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

// toCome yields log f of the stage and of those that are loaded after it: the stages before it if
// stages are loaded from the last to the first.
func (s *Stage) toCome() iter.Seq[[]float64] {
	step := 1
	if s.t == s.loaded-1 || s.t == s.Annealing.Distributions() {
		step = -1
	}
	s.loaded = s.t
	return func(yield func([]float64) bool) {
		logf := make([]float64, len(s.Logf))
		for t := s.t; t >= 2 && t <= s.Annealing.Distributions(); t += step {
			s.Annealing.LogF(logf, t)
			if !yield(logf) {
				return
			}
		}
	}
}

// Staying writes to dst the probability that a chain does not move in the stage, which is the same
// in both directions, for states of positive probability. For one move that is an entry of its
// matrix. For more, it is the sum over the states z in the middle of the probability to go from x
// to z by the first half of the moves, times that to go from z to x by the others. The latter is
// p(x)/p(z) times the probability of a reverse chain to go from x to z, so that both distributions
// start at x and stay on few states.
func (s *Stage) Staying(dst []float64) {
	if len(s.Moves) == 1 {
		for x := range dst {
			dst[x] = s.Moves[0].Forward.EntryAt(x, x)
		}
		return
	}
	n := len(dst)
	there := newSparse(n)
	back := newSparse(n)
	for x := range dst {
		dst[x] = 0
		if !s.Here.On(x) {
			continue
		}
		half := len(s.Moves) / 2
		there.setAfterMoves(x, along(s.Moves[:half], chains.Forward), chains.Forward)
		back.setAfterMoves(x, along(s.Moves[half:], chains.Reverse), chains.Reverse)
		for _, z := range there.reached {
			if there.mass[z] > 0 && back.mass[z] > 0 {
				dst[x] += there.mass[z] * back.mass[z] * math.Exp(s.Here.Log[x]-s.Here.Log[z])
			}
		}
	}
}

// sparse is a distribution on few of the states.
type sparse struct {
	mass, next     []float64 // by state, zero if the distribution has not been
	reached, other []int
}

func newSparse(n int) *sparse { return &sparse{mass: make([]float64, n), next: make([]float64, n)} }

// setAfterMoves sets the distribution to that of a chain that starts at x and makes the moves.
func (l *sparse) setAfterMoves(x int, moves iter.Seq[*Move], d chains.Direction) {
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

// forget makes the distribution empty.
func (l *sparse) forget() {
	for _, y := range l.reached {
		l.mass[y] = 0
	}
	l.reached = l.reached[:0]
}
