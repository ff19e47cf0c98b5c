package kernel

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
)

// MaxEntries is the largest number of entries that the rows of one stage may have: 4 GB of them.
const MaxEntries = 4e9 / entryBytes

// entryBytes is the memory of an entry and of what is kept with it: a state, a probability, what never changes of it, and
// where the entry of the way back stands.
const entryBytes = 32

// CheckEntries returns an error where rows with so many entries, of a kernel on so many states, take too much memory. It is
// called before that memory is taken.
func CheckEntries(k chains.Kernel, states int, entries float64) error {
	return checkEntries(k, states, entries, MaxEntries, entryBytes)
}

// checkEntries is CheckEntries for a limit on the number of entries, each of which takes so many bytes.
func checkEntries(k chains.Kernel, states int, entries, most, bytes float64) error {
	if entries <= most {
		return nil
	}
	return fmt.Errorf("the rows of kernel %s on %d states have about %.3g entries and would take %.3g GB; the limit is %.3g entries (%.2g GB): take a smaller space, or a kernel that reaches fewer states in a move",
		chains.NameOf(k), states, entries, entries*bytes/1e9, most, most*bytes/1e9)
}

// FrameOf returns the frame of a kernel on so many states, and nil where it has none. It fails where CheckEntries does, and
// where the context ends.
func FrameOf(ctx context.Context, k chains.Kernel, states int) (*chains.Frame, error) {
	entries, has := chains.FrameEntries(k, states, MaxEntries)
	if !has {
		return nil, nil
	}
	if err := CheckEntries(k, states, entries); err != nil {
		return nil, err
	}
	return chains.NewFrame(k, states, ctx.Err)
}

// framePortion is about the number of entries between two looks at the context.
const framePortion = 1 << 14

// FillFrame makes r the matrix of k in its frame, under a distribution. The entries of r are those of the frame, zeros
// included. Of each row it checks that the probabilities sum to one, and nothing else: a frame has been validated.
func (r *Rows) FillFrame(ctx context.Context, k chains.Kernel, f *chains.Frame, v *chains.Values) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f.Fill(v)
	r.start, r.Entries, r.framed = f.Start, f.Entries, true
	looked := 0
	r.least = 1
	for x := range v.LogF {
		total := 0.0
		for _, e := range r.Row(x) {
			total += e.P
			if e.P < r.least && e.P > 0 {
				r.least = e.P
			}
		}
		if !(math.Abs(total-1) <= RowTolerance) {
			return chains.NewFault(chains.AtStates(fmt.Errorf("kernel %s at state %d: the probabilities sum to %v, not to 1", chains.NameOf(k), x, total), x))
		}
		if r.start[x]-looked > framePortion {
			if looked = r.start[x]; ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	return nil
}

// Least returns the least positive entry of rows that FillFrame has filled; of others it searches it.
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

// Returns writes to dst, for every entry of r from x to y, where the entry of the other matrix from y to x stands in its
// Entries, -1 where there is none. Both have the same number of states. Time is O(entries).
func (r *Rows) Returns(dst []int32, other *Rows) []int32 {
	n := r.States()
	if cap(dst) < len(r.Entries) {
		dst = make([]int32, len(r.Entries))
	}
	dst = dst[:len(r.Entries)]
	// The entries of r that lead to y are listed under y, each with its row.
	first := make([]int32, n+1)
	for _, e := range r.Entries {
		first[e.To+1]++
	}
	for y := range n {
		first[y+1] += first[y]
	}
	from, at := make([]int32, len(r.Entries)), make([]int32, len(r.Entries))
	next := append([]int32(nil), first[:n]...)
	for x := range n {
		for i := r.start[x]; i < r.start[x+1]; i++ {
			y := r.Entries[i].To
			from[next[y]], at[next[y]] = int32(x), int32(i)
			next[y]++
		}
	}
	place := make([]int32, n) // one more than the place in the row of y of the other matrix
	for y := range n {
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
	return dst
}
