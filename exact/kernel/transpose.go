package kernel

import (
	"context"
	"math"

	"breadboard/chains"
)

// columns holds the entries of a matrix by the state that they lead to.
type columns struct {
	start   []int
	entries []chains.Entry // for column y: the state x that the entry comes from, and T(x,y)
}

// transpose returns the columns of rows. Time and memory are O(entries).
func transpose(ctx context.Context, rows *Rows) (*columns, error) {
	n := rows.States()
	c := &columns{start: make([]int, n+1), entries: make([]chains.Entry, len(rows.Entries))}
	for _, e := range rows.Entries {
		c.start[e.To+1]++
	}
	for y := range n {
		c.start[y+1] += c.start[y]
	}
	place := append([]int(nil), c.start[:n]...)
	for x := range n {
		if x%looks == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, e := range rows.Row(x) {
			c.entries[place[e.To]] = chains.Entry{To: x, P: e.P}
			place[e.To]++
		}
	}
	return c, nil
}

// column returns the entries that lead to y.
func (c *columns) column(y int) []chains.Entry { return c.entries[c.start[y]:c.start[y+1]] }

// scatter writes T(x,y) for the given y to dense[x], for every x, and clear makes these numbers zero again.
func (c *columns) scatter(dense []float64, y int) {
	for _, e := range c.column(y) {
		dense[e.To] = e.P
	}
}

func (c *columns) clear(dense []float64, y int) {
	for _, e := range c.column(y) {
		dense[e.To] = 0
	}
}

// reversibleTolerance is the largest relative difference of a flow and the flow back of a kernel whose eigenvalues are
// taken to be real. An absolute tolerance would let any kernel on a sharply peaked distribution pass as reversible.
const reversibleTolerance = 1e-9

// imbalanceOf returns the largest absolute difference of the logarithms of a flow and the flow back between two states
// of a list, and whether the kernel is reversible, which is that no difference is above reversibleTolerance. An entry
// without an entry back counts as reversible only where the entry back is below Tiny, so that float64 may not hold it.
func imbalanceOf(ctx context.Context, rows *Rows, into *columns, logf []float64, on []int) (largest float64, reversible bool, err error) {
	back := make([]float64, len(logf))
	for i, x := range on {
		if i%looks == 0 && ctx.Err() != nil {
			return 0, false, ctx.Err()
		}
		into.scatter(back, x)
		for _, e := range rows.Row(x) {
			if e.To == x || e.P == 0 {
				continue
			}
			there := back[e.To]
			if there == 0 {
				if math.Log(e.P)+logf[x]-logf[e.To] >= math.Log(Tiny) {
					return math.Inf(1), false, nil
				}
				continue
			}
			off := math.Abs(math.Log(e.P/there) + logf[x] - logf[e.To])
			if !(off <= reversibleTolerance) {
				return off, false, nil
			}
			largest = max(largest, off)
		}
		into.clear(back, x)
	}
	return largest, true, nil
}

// Reversible reports whether rows are reversible under the distribution of logf: whether every flow p(x) T(x,y) equals the flow back to a
// relative difference of 1e-9. Flows that float64 cannot hold count as balanced. Time is O(entries).
func Reversible(ctx context.Context, rows *Rows, logf []float64) (bool, error) {
	into, err := transpose(ctx, rows)
	if err != nil {
		return false, err
	}
	var on []int
	for x, v := range logf {
		if !math.IsInf(v, -1) {
			on = append(on, x)
		}
	}
	_, reversible, err := imbalanceOf(ctx, rows, into, logf, on)
	return reversible, err
}
