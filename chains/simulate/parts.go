package simulate

import (
	"math/rand/v2"

	"breadboard/chains"
)

// A kernel that makes several moves, as a scan over all axes does, has rows that are products: dense where each of its parts has a few entries in
// a row. Here chains move by one part after another instead, from the alias tables of the parts. So the law of a chain is the same, and it takes
// other random numbers: one for each move, and one for each choice of a part.

// part is a kernel of the library that chains are moved by.
type part interface {
	// load makes the tables of the kernel for a distribution.
	load(v *chains.Values)
	// move takes every chain to its next state. It fails with the error of the watch.
	move(w *wyrand, states []int32) error
	// work returns the tables' entries, and about how many draws a chain makes.
	work() (entries, draws float64)
}

// newPart returns a kernel as parts, and nil where a part has no frame. The rows of all frames together have at most the given number of entries.
func newPart(k chains.Kernel, states int, most float64, watch func() error) (part, error) {
	parts, combined := chains.PartsOf(k)
	if !combined || chains.MovesOf(k) == 1 {
		entries, has := chains.FrameEntries(k, states, most)
		if !has || entries > most {
			return nil, nil
		}
		return newLeaf(k, states, watch)
	}
	all := make([]part, len(parts.Kernels))
	for i, k := range parts.Kernels {
		var err error
		if all[i], err = newPart(k, states, most, watch); err != nil || all[i] == nil {
			return nil, err
		}
		entries, _ := all[i].work()
		most -= entries
	}
	if parts.Sequential {
		return &inTurn{all, parts.Order, parts.Times, watch}, nil
	}
	m := &oneOf{parts: all, weights: parts.Weights, which: newAliasTable(1, len(all)), chosen: make([][]int32, len(all)), moved: make([][]int32, len(all))}
	m.which.fill(0, distributionRow(parts.Weights))
	return m, nil
}

// leaf is a kernel that makes one move.
type leaf struct {
	frame *chains.Frame
	table *aliasTable
}

func newLeaf(k chains.Kernel, states int, watch func() error) (part, error) {
	frame, err := chains.NewFrame(k, states, watch)
	if err != nil {
		return nil, err
	}
	width := 0
	for x := range states {
		width = max(width, len(frame.Row(x)))
	}
	return &leaf{frame, newAliasTable(states, width)}, nil
}

func (l *leaf) load(v *chains.Values) {
	l.frame.Fill(v)
	for x := range v.LogF {
		l.table.fill(x, l.frame.Row(x))
	}
}

func (l *leaf) move(w *wyrand, states []int32) error {
	l.table.moveAll(w, states)
	return nil
}

func (l *leaf) work() (entries, draws float64) { return float64(len(l.frame.Entries)), 1 }

// inTurn is parts that move one after another.
type inTurn struct {
	parts []part
	order []int
	times int
	watch func() error
}

func (s *inTurn) load(v *chains.Values) { loadAll(s.parts, v) }

func loadAll(parts []part, v *chains.Values) {
	for _, p := range parts {
		p.load(v)
	}
}

func (s *inTurn) move(w *wyrand, states []int32) error {
	for range s.times {
		if err := s.watch(); err != nil {
			return err
		}
		for _, i := range s.order {
			if err := s.parts[i].move(w, states); err != nil {
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

// oneOf is a mixture: every chain draws a part, and those that have drawn the same one move together.
type oneOf struct {
	parts   []part
	weights []float64
	which   *aliasTable
	chosen  [][]int32 // by part, the chains that have drawn it
	moved   [][]int32 // by part, their states
	drawn   []int32   // by chain
}

func (m *oneOf) load(v *chains.Values) { loadAll(m.parts, v) }

func (m *oneOf) move(w *wyrand, states []int32) error {
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
		if err := p.move(w, m.moved[i]); err != nil {
			return err
		}
		for at, chain := range m.chosen[i] {
			states[chain] = m.moved[i][at]
		}
	}
	return nil
}

func (m *oneOf) work() (entries, draws float64) {
	const drawing = 3 // drawing a part and going to it and back, in draws
	draws = drawing
	for i, p := range m.parts {
		own, each := p.work()
		entries, draws = entries+own, draws+m.weights[i]*each
	}
	return entries, draws
}

// These times tell whether chains move by parts or by products, in nanoseconds on one core. They are right to a factor of about two.
const (
	productNs = 1.5 // a product of two entries
	cellNs    = 8   // an entry in an alias table
	drawNs    = 1.5 // a draw from one
	entryNs   = 20  // an entry of a row that is made, and put into an alias table
	moveNs    = 50  // a choice that a kernel's Move makes
	// manyTimes is by how much a way must be the faster one by these times where the other was taken before there was a choice.
	manyTimes = 2
)

// Fastest does what Rows does, and what Run does with a fast generator, whichever takes less time: tables for many states are dear where there are
// few chains to draw from them. Kernels that are not of the library, whose Move may take any time, move by rows where they have them, and by Run
// where these would take too much memory. The generator of the moves is seeded from src.
func Fastest(a *chains.Annealing, d chains.Direction, src *rand.ChaCha8, k int, watch *Watch) (*Batch, error) {
	switch {
	case TablesError(a, d) != nil:
		return Run(a, d, chains.NewSampler(src), k, watch)
	case movesAlone(a, k):
		return Run(a, d, chains.NewSampler(NewGenerator(src)), k, watch)
	}
	return Rows(a, d, src, k, watch)
}

// movesAlone reports whether k chains that move one by one take much less time than the rows of a kernel that makes one move.
func movesAlone(a *chains.Annealing, k int) bool {
	of, n := a.Kernel(), a.States()
	if of == nil || !chains.OfLibrary(of) || chains.MovesOf(of) > 1 {
		return false
	}
	choices, said := chains.Evaluations(of)
	entries, framed := chains.FrameEntries(of, n, float64(n)*(2+float64(k)/float64(n))*moveNs)
	return said && framed && entries*entryNs > manyTimes*float64(k)*(1+choices)*moveNs
}

// partsOf returns the parts of the kernel of an annealing in a direction, and the kernel. The parts are nil where it makes one move, is not of the
// library or not the same at all stages, and where their tables would take too much memory.
func partsOf(a *chains.Annealing, d chains.Direction, watch *Watch) (p part, k chains.Rower, err error) {
	of := a.Kernel()
	if of == nil || !chains.OfLibrary(of) || chains.MovesOf(of) == 1 {
		return nil, nil, nil
	}
	if d == chains.Reverse {
		of, _ = chains.ReversalOf(of) // those of the library are known
	}
	p, err = newPart(of, a.States(), maxTables/tableBytes, watch.look)
	return p, of.(chains.Rower), err
}

// partsFor returns the parts by which k chains are to move, and nil where there are none, or where their product takes less time: that of a kernel
// of few states which is repeated many times.
func partsFor(a *chains.Annealing, d chains.Direction, k int, watch *Watch) (part, error) {
	p, of, err := partsOf(a, d, watch)
	if p == nil || err != nil {
		return nil, err
	}
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

// byParts takes all chains through all stages by parts.
func (s *sweep) byParts(p part, w *wyrand, states []int32, logw []float64) error {
	var v chains.Values
	for s.next() {
		v.Load(s.logf)
		p.load(&v)
		for first := 0; first < len(states); first += together {
			some, weights := states[first:min(first+together, len(states))], logw[first:]
			for i, x := range some {
				weights[i] += s.increment[x]
			}
			if err := p.move(w, some); err != nil {
				return err
			}
		}
		s.watch.see(s.stageAfter(s.step), states)
		s.watch.stage()
	}
	return s.err
}

// together is the number of chains that go through all parts of a stage before the next ones do: their states stay in the nearest cache.
const together = 1 << 12
