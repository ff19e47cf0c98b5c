package simulate

import (
	"math"
	"math/rand/v2"

	"breadboard/chains"
	"breadboard/chains/frames"
)

// The rows of a kernel that makes several moves, such as a scan over all axes, are products. They
// are dense even if each part has few entries in a row. Here chains move by one part after another
// instead, from the alias tables of the parts. The distribution of a chain is the same, but the
// random numbers differ: one for each move, and one for each choice of a part.

// part is a kernel of the library that moves chains.
type part interface {
	// load makes the tables of the kernel for a distribution. It only takes log f if its work has
	// no entries.
	load(v *frames.Values)
	// applyMove takes every chain to its next state. It fails with the error of the watch.
	applyMove(w *wyrand, states []int32) error
	// work returns the tables' entries, and about how many draws a chain makes.
	work() (entries, draws float64)
}

// parting makes the parts for a number of chains.
type parting struct {
	states, chains int
	most           float64 // the remaining budget of entries for the rows of all frames
	watch          func() error
}

// splitKernel returns a kernel as parts, and nil if a part has no frame and does not state the work
// of its moves.
func (m *parting) splitKernel(k chains.Kernel) (part, error) {
	parts, combined := chains.PartsOf(k)
	if !combined || chains.MovesOf(k) == 1 {
		return m.leaf(k)
	}
	all := make([]part, len(parts.Kernels))
	for i, k := range parts.Kernels {
		var err error
		all[i], err = m.splitKernel(k)
		if err != nil || all[i] == nil {
			return nil, err
		}
	}
	if parts.Sequential {
		return &inTurn{all, parts.Order, parts.Times, m.watch}, nil
	}
	return newOneOf(all, parts.Weights), nil
}

// leaf returns a kernel that makes one move, by a table or chain by chain, whichever takes less
// time.
func (m *parting) leaf(k chains.Kernel) (part, error) {
	single := singleMoves(k, m.watch)
	each := math.Inf(1)
	if single != nil {
		_, each = single.work()
	}
	entries, has := frames.Entries(k, m.states, m.most)
	has = has && entries <= m.most
	if single != nil && (!has || each*float64(m.chains)*drawNs < entries*cellNs+float64(m.chains)*drawNs) {
		return single, nil
	}
	if !has {
		return nil, nil
	}
	m.most -= entries
	return newLeaf(k, m.states, m.watch)
}

// leaf is a kernel that makes one move.
type leaf struct {
	frame *frames.Frame
	table *aliasTable
}

func newLeaf(k chains.Kernel, states int, watch func() error) (part, error) {
	frame, err := frames.New(k, states, watch)
	if err != nil {
		return nil, err
	}
	if p := newPairs(frame); p != nil {
		return p, nil
	}
	width := 0
	for x := range states {
		width = max(width, len(frame.Row(x)))
	}
	return &leaf{frame, newAliasTable(states, width)}, nil
}

func (l *leaf) load(v *frames.Values) {
	l.frame.Fill(v)
	for x := range v.LogF {
		l.table.fillRow(x, l.frame.Row(x))
	}
}

func (l *leaf) applyMove(w *wyrand, states []int32) error {
	l.table.moveAll(w, states)
	return nil
}

func (l *leaf) work() (entries, draws float64) { return float64(len(l.frame.Entries)), 1 }

// pairs is a kernel that leads from each state to at most one other state, like the heat bath of an
// axis of two values.
type pairs struct {
	frame *frames.Frame
	place []int32  // of the entry of the other state; -1 if there is none
	other []int32  // the other state, or the state itself
	limit []uint64 // a random number below it leads there
}

// newPairs returns the pairs of a frame, and nil if a state leads to more.
func newPairs(f *frames.Frame) *pairs {
	states := len(f.Start) - 1
	p := &pairs{f, make([]int32, states), make([]int32, states), make([]uint64, states)}
	for x := range states {
		p.place[x], p.other[x] = -1, int32(x)
		for i := f.Start[x]; i < f.Start[x+1]; i++ {
			switch y := f.Entries[i].To; {
			case y == x:
			case p.place[x] >= 0:
				return nil
			default:
				p.place[x], p.other[x] = int32(i), int32(y)
			}
		}
	}
	return p
}

func (p *pairs) load(v *frames.Values) {
	p.frame.Fill(v)
	for x, i := range p.place {
		switch {
		case i < 0:
		case p.frame.Entries[i].P >= 1:
			p.limit[x] = math.MaxUint64
		default:
			p.limit[x] = uint64(p.frame.Entries[i].P * 0x1p64)
		}
	}
}

func (p *pairs) applyMove(w *wyrand, states []int32) error {
	rng := *w
	limit := p.limit
	other := p.other
	for i, x := range states {
		var r uint64
		rng, r = rng.next()
		to := x
		y := other[x]
		if r < limit[x] {
			to = y
		}
		states[i] = to
	}
	*w = rng
	return nil
}

func (p *pairs) work() (entries, draws float64) { return float64(len(p.frame.Entries)) / 2, 1 }

// inTurn is parts that move one after another.
type inTurn struct {
	parts []part
	order []int
	times int
	watch func() error
}

func (s *inTurn) load(v *frames.Values) { loadAll(s.parts, v) }

func loadAll(parts []part, v *frames.Values) {
	for _, p := range parts {
		p.load(v)
	}
}

func (s *inTurn) applyMove(w *wyrand, states []int32) error {
	for range s.times {
		if err := s.watch(); err != nil {
			return err
		}
		for _, i := range s.order {
			if err := s.parts[i].applyMove(w, states); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *inTurn) work() (entries, draws float64) {
	each := make([]float64, len(s.parts))
	for i, p := range s.parts {
		var own float64
		own, each[i] = p.work()
		entries += own
	}
	for _, i := range s.order {
		draws += float64(s.times) * each[i]
	}
	return entries, draws
}

// oneOf is a mixture: every chain draws a part, and those that have drawn the same one move
// together.
type oneOf struct {
	parts   []part
	weights []float64
	which   *aliasTable
	chosen  [][]int32 // by part, the chains that have drawn it
	moved   [][]int32 // by part, their states
	drawn   []int32   // by chain
}

func newOneOf(parts []part, weights []float64) *oneOf {
	m := &oneOf{
		parts:   parts,
		weights: weights,
		which:   newAliasTable(1, len(parts)),
		chosen:  make([][]int32, len(parts)),
		moved:   make([][]int32, len(parts)),
	}
	m.which.fillRow(0, distributionRow(weights))
	return m
}

func (m *oneOf) load(v *frames.Values) { loadAll(m.parts, v) }

func (m *oneOf) applyMove(w *wyrand, states []int32) error {
	if len(m.drawn) < len(states) {
		m.drawn = make([]int32, len(states))
	}
	drawn := m.drawn[:len(states)]
	clear(drawn)
	m.which.moveAll(w, drawn)
	for i := range m.parts {
		m.chosen[i], m.moved[i] = m.chosen[i][:0], m.moved[i][:0]
	}
	for chain, i := range drawn {
		m.chosen[i], m.moved[i] = append(m.chosen[i], int32(chain)), append(m.moved[i], states[chain])
	}
	for i, p := range m.parts {
		if err := p.applyMove(w, m.moved[i]); err != nil {
			return err
		}
		for at, chain := range m.chosen[i] {
			states[chain] = m.moved[i][at]
		}
	}
	return nil
}

func (m *oneOf) work() (entries, draws float64) {
	const drawing = 3 // the work of drawing a part and sorting chains by part, in draws
	draws = drawing
	for i, p := range m.parts {
		own, each := p.work()
		entries += own
		draws += m.weights[i] * each
	}
	return entries, draws
}

// These times, in nanoseconds on one core, decide whether chains move by parts or by products. They
// are right to a factor of about two.
const (
	productNs = 1.5 // a product of two entries
	cellNs    = 8   // an entry in an alias table
	drawNs    = 1.5 // a draw from one
	entryNs   = 20  // an entry of a row that is made, and put into an alias table
	moveNs    = 50  // a choice that a kernel's Move makes
	// manyTimes is the factor by which moving chain by chain must be faster by these times, since
	// tables can go through several stages at once.
	manyTimes = 2
)

// Fastest does what Rows does, or what Run does if the tables of a stage would take too much
// memory. The generator of the moves is seeded from src.
func Fastest(a *chains.Annealing, d chains.Direction, src *rand.ChaCha8, k int,
	watch *Watch) (*Batch, error) {
	if TablesError(a, d) != nil {
		return Run(a, d, chains.NewSampler(src), k, watch)
	}
	return Rows(a, d, src, k, watch)
}

// partsFor returns the parts by which k chains are to move. It is nil if the kernel is not of the
// library or not the same at all stages, if the tables of its parts would take too much memory, and
// if the rows of the kernel itself take less time. The latter holds for a kernel that makes one
// move, unless there are many more states than chains, and for a kernel on few states that is
// repeated many times.
func partsFor(a *chains.Annealing, d chains.Direction, k int, watch *Watch) (part, error) {
	kernel := a.Kernel()
	if kernel == nil || !chains.OfLibrary(kernel) {
		return nil, nil
	}
	if d == chains.Reverse {
		kernel, _ = chains.ReversalOf(kernel) // those of the library are known
	}
	if chains.MovesOf(kernel) == 1 {
		return moveWithoutTables(kernel, a.States(), k, watch.callLook), nil
	}
	p, err := (&parting{a.States(), k, maxTables / tableBytes, watch.callLook}).splitKernel(kernel)
	if p == nil || err != nil {
		return nil, err
	}
	of := kernel.(chains.Rower)
	n := a.States()
	entries, draws := p.work()
	parts := entries*cellNs + float64(k)*draws*drawNs
	logf := make([]float64, n)
	a.LogF(logf, a.Distributions())
	product := float64(k) * drawNs
	for _, x := range []int{0, n / 2, n - 1} {
		w := chains.RowWorkOf(of, logf, x)
		product += float64(n) / 3 * (w.Products*productNs + w.Entries*cellNs)
	}
	if !(parts < product) {
		return nil, nil
	}
	return p, nil
}

// moveWithoutTables returns a kernel that makes one move, taken for one chain at a time, and nil if
// the rows do not take much longer.
func moveWithoutTables(k chains.Kernel, states, count int, watch func() error) part {
	p := singleMoves(k, watch)
	if p == nil {
		return nil
	}
	choices, _ := chains.Evaluations(k)
	most := manyTimes * float64(count) * (1 + choices) * moveNs / entryNs
	if entries, framed := frames.Entries(k, states, most); !framed || !(entries > most) {
		return nil
	}
	return p
}

// byParts takes all chains through all stages by parts.
func (s *sweep) byParts(p part, w *wyrand, states []int32, logw []float64) error {
	if p, alone := p.(*steps); alone {
		if done, err := s.byNeighbours(p, w, states, logw); done || err != nil {
			return err
		}
	}
	var v frames.Values
	entries, _ := p.work()
	for s.nextStage() {
		v.LogF = s.logf
		if entries > 0 {
			v.Load(s.logf)
		}
		p.load(&v)
		for first := 0; first < len(states); first += together {
			some := states[first:min(first+together, len(states))]
			weights := logw[first:]
			for i, x := range some {
				weights[i] += s.increment[x]
			}
			if err := p.applyMove(w, some); err != nil {
				return err
			}
		}
		s.watch.see(s.stageAfter(s.step), states)
		s.watch.countStage()
	}
	return s.err
}

// together is the number of chains that go through all parts of a stage at a time, so that their
// states stay in the nearest cache.
const together = 1 << 12
