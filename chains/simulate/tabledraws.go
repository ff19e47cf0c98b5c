package simulate

import (
	"fmt"
	"math/rand/v2"

	"breadboard/chains"
)

// Rows does what Run does, for kernels with rows in closed form, some ten times faster: at each
// stage all chains draw from one alias table of the kernel's rows, with one 64-bit number and no
// branch a move. If the kernel makes several moves one after another, there is a table for each of
// its parts, unless their product takes less time. The generator of the moves is seeded from src. A
// row's probabilities are kept to 1e-16. Time is O(T (rows + k)), memory O(k). Watch counts the
// stages and can stop the run between rows; it may be nil.
//
// A chain at x with the random number r goes to the state that column r of the alias table of row x
// has for r (see aliasTable), and log w grows by log f_t(x) - log f_(t-1)(x).
func Rows(a *chains.Annealing, d chains.Direction, src *rand.ChaCha8, k int, watch *Watch) (*Batch, error) {
	s, err := newSweep(a, d, watch)
	if err != nil {
		return nil, err
	}
	rng := wyrand(src.Uint64())
	b := &Batch{First: make([]int32, k), Last: make([]int32, k), LogW: make([]float64, k)}
	start, end := b.First, b.Last
	if d == chains.Reverse {
		start, end = end, start
	}
	first := newAliasTable(1, a.States())
	first.fillRow(0, distributionRow(s.start))
	first.moveAll(&rng, start) // from row 0
	watch.see(s.stageAfter(0), start)
	copy(end, start)
	parts, err := partsFor(a, d, k, watch)
	if err != nil {
		return nil, err
	}
	if parts != nil {
		if err := s.byParts(parts, &rng, end, b.LogW); err != nil {
			return nil, err
		}
		s.addLastIncrement(end, b.LogW)
		return b, nil
	}
	f := newFlight(a.States(), watch)
	for s.nextStage() {
		if err := f.addStage(s); err != nil {
			return nil, err
		}
		if !f.full() && !s.atEnd() {
			continue
		}
		for range f.runStages(&rng, end, b.LogW) {
			watch.countStage()
		}
		watch.see(s.stageAfter(s.step), end)
	}
	if s.err != nil {
		return nil, s.err
	}
	s.addLastIncrement(end, b.LogW)
	return b, nil
}

func distributionRow(p []float64) []chains.Entry {
	row := make([]chains.Entry, len(p))
	for x, v := range p {
		row[x] = chains.Entry{To: x, P: v}
	}
	return row
}

// prepareRows prepares the rows of the current kernel, which call the watch.
func (s *sweep) prepareRows() { s.rows.Prepare(s.kernel.(chains.Rower), s.logf, s.watch.callLook) }

// appendRow appends the row of a state. A panic of the kernel, and a row that is not a
// distribution, become an error.
func (s *sweep) appendRow(dst []chains.Entry, x int) (row []chains.Entry, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = s.errorAt(int32(x), fmt.Errorf("AppendRow panicked: %v", r))
		}
	}()
	row, err = s.rows.AppendRow(dst, x)
	if err != nil {
		return nil, err
	}
	total := 0.0
	for _, e := range row[len(dst):] {
		if e.To < 0 || e.To >= len(s.logf) || !(e.P >= 0) {
			return nil, s.errorAt(int32(x), fmt.Errorf("its row goes to state %d with probability %v", e.To, e.P))
		}
		total += e.P
	}
	if !(total > 1-1e-9 && total < 1+1e-9) {
		return nil, s.errorAt(int32(x), fmt.Errorf("its row sums to %v", total))
	}
	return row, nil
}

// rowReader reads the rows of a kernel, stage after stage.
type rowReader struct {
	entries []chains.Entry // of all rows
	ends    []int          // where the entries of each row end
	width   int            // the most entries of a row that has ever been read
}

func (r *rowReader) clear() {
	r.entries = r.entries[:0]
	r.ends = r.ends[:0]
}

// readRows appends the rows of the stage at which a sweep is.
func (r *rowReader) readRows(s *sweep) error {
	s.prepareRows()
	for x := range s.logf {
		first := len(r.entries)
		var err error
		r.entries, err = s.appendRow(r.entries, x)
		if err != nil {
			return err
		}
		r.width = max(r.width, len(r.entries)-first)
		r.ends = append(r.ends, len(r.entries))
	}
	return nil
}
