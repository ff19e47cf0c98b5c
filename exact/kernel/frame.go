package kernel

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/frames"
	"breadboard/chains/work"
	"breadboard/grid"
)

// MaxBytes is the most memory that the matrices of a kernel, or the kept stages of an annealing,
// may take.
const MaxBytes = 4e9

// CheckBytes returns an error with the size and with advice if a computation takes more than
// MaxBytes. Call it before taking the memory.
func CheckBytes(what string, bytes float64, helps string) error {
	if bytes <= MaxBytes {
		return nil
	}
	return grid.TooLarge{
		What: "bytes", Need: bytes, Limit: MaxBytes,
		Err: errs.New("%s would take %s, and the limit is %.2g GB; %s", what, errs.Memory(bytes), MaxBytes/1e9, helps),
	}
}

// MaxEntries is the largest number of entries that the rows of one stage may have: 4 GB of them.
const MaxEntries = MaxBytes / entryBytes

// entryBytes is the memory of an entry and the data kept with it: a state, a probability, its fixed
// part, and the place of the reverse entry.
const entryBytes = 32

// edgeBytes is the memory of an edge, which is a pair of entries: the probability of a proposal and
// the flow, and temporary memory while edges are found.
const edgeBytes = 32

// CheckEntries returns an error if rows with the given number of entries, of a kernel on the given
// number of states, take too much memory. Call it before taking the memory.
func CheckEntries(k chains.Kernel, states int, entries float64) error {
	return checkSize(k, states, size{"rows", "entries", entries, entryBytes, MaxBytes})
}

// CheckEdges is CheckEntries for the edges of a kernel that is applied without its rows.
func CheckEdges(k chains.Kernel, states int, edges float64) error {
	return checkSize(k, states, size{"moves", "edges", edges, edgeBytes, MaxBytes})
}

// size is the memory of a part of a kernel: a number of elements, the bytes of each, and the limit
// in bytes.
type size struct {
	what, parts        string
	count, bytes, most float64
}

// checkSize returns an error if a part of a kernel takes too much memory.
func checkSize(k chains.Kernel, states int, s size) error {
	if s.count*s.bytes <= s.most {
		return nil
	}
	err := errs.New(
		"the %s of kernel %s on %d states have about %.3g %s and would take %s, and the limit is %.3g %s "+
			"(%.2g GB); take a smaller space, or a kernel that reaches fewer states in a move",
		s.what,
		chains.NameOf(k),
		states,
		s.count,
		s.parts,
		errs.Memory(s.count*s.bytes),
		s.most/s.bytes,
		s.parts,
		s.most/1e9,
	)
	return grid.TooLarge{What: s.parts, Need: s.count, Limit: s.most / s.bytes, Err: err}
}

// FrameOf returns the frame of a kernel on the given number of states, and nil if it has none. It
// fails if CheckEntries does, and if the context ends.
func FrameOf(ctx context.Context, k chains.Kernel, states int) (*frames.Frame, error) {
	entries, has := frames.Entries(k, states, MaxEntries)
	if !has {
		return nil, nil
	}
	if err := CheckEntries(k, states, entries); err != nil {
		return nil, err
	}
	return frames.New(k, states, ctx.Err)
}

// framePortion is about the number of entries between two checks of the context.
const framePortion = 1 << 14

// portion checks a context now and then during a loop over entries.
type portion struct {
	looked int // the number of entries at the last check
}

// checkContext returns the error of the context if enough entries have been processed since the
// last check, given their total number.
func (p *portion) checkContext(ctx context.Context, entries int) error {
	if entries-p.looked <= framePortion {
		return nil
	}
	p.looked = entries
	return ctx.Err()
}

// FillFrame makes r the matrix of k in its frame, under a distribution. The entries of r are those
// of the frame, zeros included. It checks only that the probabilities of each row sum to one: a
// frame has been validated.
func (r *Rows) FillFrame(ctx context.Context, k chains.Kernel, f *frames.Frame, v *frames.Values) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f.Fill(v)
	return r.setRows(ctx, k, f.Start, f.Entries)
}

// setRows makes r the matrix with the rows of k that are given, without a copy.
func (r *Rows) setRows(ctx context.Context, k chains.Kernel, start []int, entries []chains.Entry) error {
	r.start = start
	r.Entries = entries
	r.framed = true
	var watch portion
	r.least = 1
	for x := range r.States() {
		if err := watch.checkContext(ctx, r.start[x]); err != nil {
			return err
		}
		total := 0.0
		for _, e := range r.Row(x) {
			total += e.P
			if e.P < r.least && e.P > 0 {
				r.least = e.P
			}
		}
		if !(math.Abs(total-1) <= max(r.tolerance, RowTolerance)) {
			return chains.NewFault(
				work.AtStates(fmt.Errorf("kernel %s at state %d: the probabilities sum to %v, not to 1",
					chains.NameOf(k), x, total), x),
			)
		}
	}
	return nil
}

// Least returns the least positive entry. Time is O(entries), unless FillFrame has made the rows.
func (r *Rows) Least() float64 {
	if r.framed {
		return r.least
	}
	least := 1.0
	for _, e := range r.Entries {
		if e.P < least && e.P > 0 {
			least = e.P
		}
	}
	return least
}

// Returns writes to dst, for every entry of r from x to y, the index in other.Entries of the entry
// from y to x, or -1 if there is none. Both have the same number of states. It fails if the context
// ends. Time is O(entries).
func (r *Rows) Returns(ctx context.Context, dst []int32, other *Rows) ([]int32, error) {
	n := r.States()
	if cap(dst) < len(r.Entries) {
		dst = make([]int32, len(r.Entries))
	}
	dst = dst[:len(r.Entries)]
	// The entries of r that lead to y are listed under y, each with its row.
	first := make([]int32, n+1)
	var watch portion
	for x := range n {
		if err := watch.checkContext(ctx, r.start[x]); err != nil {
			return nil, err
		}
		for _, e := range r.Row(x) {
			first[e.To+1]++
		}
	}
	for y := range n {
		first[y+1] += first[y]
	}
	from := make([]int32, len(r.Entries))
	at := make([]int32, len(r.Entries))
	next := append([]int32(nil), first[:n]...)
	watch.looked = 0
	for x := range n {
		if err := watch.checkContext(ctx, r.start[x]); err != nil {
			return nil, err
		}
		for i := r.start[x]; i < r.start[x+1]; i++ {
			y := r.Entries[i].To
			from[next[y]], at[next[y]] = int32(x), int32(i)
			next[y]++
		}
	}
	place := make([]int32, n) // one more than the place in the row of y of the other matrix
	watch.looked = 0
	for y := range n {
		if err := watch.checkContext(ctx, other.start[y]+int(first[y])); err != nil {
			return nil, err
		}
		row := other.Row(y)
		for i, e := range row {
			place[e.To] = int32(other.start[y] + i + 1)
		}
		for j := first[y]; j < first[y+1]; j++ {
			dst[at[j]] = place[from[j]] - 1
		}
		for _, e := range row {
			place[e.To] = 0
		}
	}
	return dst, nil
}
