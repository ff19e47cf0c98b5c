package ground

import (
	"context"
	"fmt"
	"iter"
	"math"
	"math/bits"
	"sync"
)

const (
	// MostVariables is the largest number of variables of Enumerate: 2^36 states take two minutes
	// on a core.
	MostVariables = 36
	// low is how many of the last variables make a block, whose states are looked at one after the
	// other.
	low = 8
	// middle is how many variables before them are turned over in the order of a Gray code, in one
	// chunk.
	middle = 12
	// mostBins is the largest number of values of which the states are counted.
	mostBins = 1 << 22
)

// Chunks returns how many parts Enumerate reports as progress.
func Chunks(variables int) int { return 1 << max(0, variables-low-middle) }

// Enumerate computes the value of every state, in whole multiples of a unit, and counts the states
// of each value if there are few values. A state takes an addition and a comparison: the states of
// the last variables follow from one another by doubling, and those of the others in the order of a
// Gray code. Values that differ only by rounding are equal. The result is the same for any number
// of workers; zero workers means one for each processor. Progress, which may be nil, is called for
// each chunk.
//
// Source: the Gray code is that of Gray 1953, as in Knuth, The Art of Computer Programming 4A,
// 7.2.1.1.
func (p *Problem) Enumerate(ctx context.Context, workers int, progress func(int)) (*Found, error) {
	n := len(p.Fields)
	if n > MostVariables {
		return nil, fmt.Errorf("%d variables have 2^%d states, and at most 2^%d are looked at", n, n, MostVariables)
	}
	q, err := p.integers()
	if err != nil {
		return nil, err
	}
	all := &walker{integral: q, variables: n, best: math.MaxInt64}
	var mu sync.Mutex
	err = share(ctx, Chunks(n), workers, progress, func(chunks iter.Seq[int]) {
		w := newWalker(q, n)
		for chunk := range chunks {
			w.searchChunk(uint64(chunk))
		}
		mu.Lock()
		defer mu.Unlock()
		all.merge(w)
	})
	if err != nil {
		return nil, err
	}
	return all.bestFound(), nil
}

// walker looks at states. The number of a state has the first variable in its highest bit.
type walker struct {
	*integral
	variables int
	block     int   // how many of the last variables make a block
	bottom    int64 // no value is below it
	// the pairs within a block: at 1<<b + x those of its variable b with its variables of x, the
	// last of all being 0
	between []int64
	values  []int64   // of the states of a block, less bottom
	weights [][]int64 // of all pairs, as a matrix
	ends    []int64   // of each variable, what it adds at the state of the others

	best  int64 // less bottom
	first uint64
	count uint64
	bins  []uint64 // nil if there are too many values
}

func newWalker(q *integral, n int) *walker {
	w := &walker{integral: q, variables: n, block: min(n, low), best: math.MaxInt64, ends: make([]int64, n)}
	size := 1 << w.block
	w.between = make([]int64, size)
	w.values = make([]int64, size)
	w.weights = make([][]int64, n)
	for i := range w.weights {
		w.weights[i] = make([]int64, n)
		w.bottom += min(0, q.fields[i])
		for _, l := range q.pairs[i] {
			w.weights[i][l.to] = l.weight
			if l.to < i {
				w.bottom += min(0, l.weight)
			}
		}
	}
	for b := range w.block {
		for x := range 1 << b {
			for other := range b {
				if x>>other&1 == 1 {
					w.between[1<<b+x] += w.weights[n-1-b][n-1-other]
				}
			}
		}
	}
	if q.slack == 0 && q.size < mostBins {
		w.bins = make([]uint64, q.size+1)
	}
	return w
}

// searchChunk looks at the states of a chunk, whose number has the values of the first variables.
func (w *walker) searchChunk(chunk uint64) {
	turning := min(middle, w.variables-w.block)
	state := chunk << (turning + w.block)
	value := -w.bottom
	copy(w.ends, w.fields)
	turn := func(v int) {
		bit := uint64(1) << (w.variables - 1 - v)
		sign := int64(1)
		if state&bit != 0 {
			sign = -1
		}
		state ^= bit
		value += sign * w.ends[v]
		for i, weight := range w.weights[v] {
			w.ends[i] += sign * weight
		}
	}
	given := state
	state = 0
	for v := range w.variables {
		if given>>(w.variables-1-v)&1 == 1 {
			turn(v)
		}
	}
	for k := uint64(1); ; k++ {
		w.scanBlock(state, value)
		if k == 1<<turning {
			return
		}
		turn(w.variables - 1 - w.block - bits.TrailingZeros64(k))
	}
}

// scanBlock looks at the states of a block, whose variables are zero in the state that is given
// with its value.
func (w *walker) scanBlock(state uint64, value int64) {
	values := w.values
	values[0] = value
	for b := range w.block {
		more := w.ends[w.variables-1-b]
		below := values[:1<<b]
		from := w.between[1<<b:][:1<<b]
		to := values[1<<b:][:1<<b]
		for x, v := range below {
			to[x] = v + more + from[x]
		}
	}
	least := value
	if bins := w.bins; bins != nil {
		for _, v := range values {
			bins[v]++
			least = min(least, v)
		}
	} else {
		for _, v := range values {
			least = min(least, v)
		}
	}
	if least-w.slack <= w.best {
		w.noteBest(state, min(least, w.best))
	}
}

// noteBest notes the states of a block that are no worse than the best.
func (w *walker) noteBest(state uint64, least int64) {
	for x, v := range w.values {
		if v > least+w.slack {
			continue
		}
		w.recordStates(v, state|uint64(x), 1)
	}
}

// recordStates notes states of a value, and the first of them.
func (w *walker) recordStates(value int64, first, states uint64) {
	switch {
	case value < w.best-w.slack:
		w.best = value
		w.first = first
		w.count = states
	case value <= w.best+w.slack:
		w.best = min(w.best, value)
		w.first = min(w.first, first)
		w.count += states
	}
}

// merge notes what another walker has found.
func (w *walker) merge(other *walker) {
	w.recordStates(other.best, other.first, other.count)
	if w.bins == nil {
		w.bins = other.bins
		return
	}
	for k, n := range other.bins {
		w.bins[k] += n
	}
}

func (w *walker) bestFound() *Found {
	f := &Found{States: float64(w.count), unit: w.unit, State: make([]uint8, w.variables)}
	for v := range f.State {
		f.State[v] = uint8(w.first >> (w.variables - 1 - v) & 1)
	}
	if w.bins != nil {
		f.above = w.bins[w.best:]
		f.States = float64(f.above[0])
	}
	return f
}
