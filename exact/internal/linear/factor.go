package linear

import (
	"cmp"
	"slices"
)

// Factor holds the factors of the matrix A = D - S of a reversible chain with killing: S(x,y) =
// sqrt(T(x,y) T(y,x)) for two states x and y, and D(x,x) is the sum over y of S(x,y) psi(y)/psi(x),
// which is the probability to leave x, plus the rate of killing at x. Without killing A psi = 0,
// and A is solved for right-hand sides that are orthogonal to psi, by solutions that are zero at
// the state of largest psi. (If solutions were zero at another state, they would contain a large
// multiple of psi.)
type Factor struct {
	ground int // the state at which solutions are zero; -1 if there is killing
	order  []int32
	width  int
	// s holds, for the state at place k, the entries of S with the states at the places k+1 ..
	// k+width, when the states before k are eliminated; pivot is the rate at which the chain leaves
	// that state, for those and by killing.
	s, pivot []float64
	work     []float64
}

const (
	// mostNumbers is the largest number of entries of S that a factor holds, and mostWork that of
	// the products that make it.
	mostNumbers = 3 << 23
	mostWork    = 3 << 31
	// leastPsi is the smallest psi for which ratios of psi are in range.
	leastPsi = 1e-140
)

// Fits reports whether a chain on the given number of states, in an order of the given bandwidth,
// is factored in some seconds and some hundred megabytes.
func Fits(states, width int) bool {
	n := float64(states)
	w := float64(width)
	return n*(w+1) <= mostNumbers && n*w*w <= mostWork
}

// NewBanded factors A, for a graph with the entries of S beside its neighbours, in the order of
// Order. It eliminates one state after another. Eliminating a state replaces the chain by the chain
// watched only at the other states. This adds to their entries and to their killing, without
// subtractions. It returns nil if psi is too small somewhere for its ratios. The function watch is
// called for every state, and an error that it returns ends the work. Time is O(states width^2).
//
// Source: Grassmann, Taksar and Heyman 1985; O'Cinneide 1993.
func NewBanded(g Graph, s, psi, killing []float64, order []int32, width int,
	watch func() error) (*Factor, error) {
	n := len(order)
	f := &Factor{
		ground: -1,
		order:  order,
		width:  width,
		s:      make([]float64, n*width),
		pivot:  make([]float64, n),
		work:   make([]float64, n),
	}
	place := make([]int32, n)
	weight := make([]float64, n)
	killed := make([]float64, n)
	for k, x := range order {
		if psi[x] < leastPsi {
			return nil, nil
		}
		place[x], weight[k] = int32(k), psi[x]
		if killing != nil {
			killed[k] = killing[x]
		}
	}
	if killing == nil {
		for x, v := range psi {
			if f.ground < 0 || v > psi[f.ground] {
				f.ground = x
			}
		}
	}
	for k, x := range order {
		for i := g.Start[x]; i < g.Start[x+1]; i++ {
			y := int(g.To[i])
			switch j := int(place[y]); {
			case int(x) == f.ground:
			case y == f.ground: // where solutions are zero, a chain is killed
				killed[k] += s[i] * (psi[y] / psi[x])
			case j > k:
				f.s[k*width+j-k-1] += s[i]
			}
		}
	}
	for k := range n {
		if err := watch(); err != nil {
			return nil, err
		}
		if int(order[k]) == f.ground {
			f.pivot[k] = 1
			continue
		}
		f.eliminate(k, weight, killed)
	}
	return f, nil
}

// entriesOf returns the entries of S with the states after place k.
func (f *Factor) entriesOf(k int) []float64 {
	return f.s[k*f.width : k*f.width+min(f.width, len(f.pivot)-1-k)]
}

func (f *Factor) eliminate(k int, psi, killed []float64) {
	row := f.entriesOf(k)
	pivot := killed[k]
	for i, v := range row {
		if v != 0 {
			pivot += v * (psi[k+1+i] / psi[k])
		}
	}
	f.pivot[k] = pivot
	for i, v := range row {
		if v == 0 {
			continue
		}
		part := v / pivot
		killed[k+1+i] += part * (psi[k] / psi[k+1+i]) * killed[k]
		rest := row[i+1:]
		to := f.s[(k+1+i)*f.width:]
		to = to[:len(rest)]
		for j, w := range rest {
			to[j] += part * w
		}
	}
}

// Solve writes a solution h of A h = c to dst, which may be c. Time is O(states width).
func (f *Factor) Solve(dst, c []float64) {
	h := f.work
	for k, x := range f.order {
		h[k] = c[x]
		if int(x) == f.ground {
			h[k] = 0
		}
	}
	for k := range h {
		part := h[k] / f.pivot[k]
		row := f.entriesOf(k)
		to := h[k+1 : k+1+len(row)]
		for i, v := range row {
			to[i] += float64(v * part)
		}
	}
	for k := len(h) - 1; k >= 0; k-- {
		total := h[k]
		row := f.entriesOf(k)
		from := h[k+1 : k+1+len(row)]
		for i, v := range row {
			total += float64(v * from[i])
		}
		h[k] = total / f.pivot[k]
	}
	for k, x := range f.order {
		dst[x] = h[k]
	}
}

// Graph is an undirected graph: the neighbours of x are To[Start[x]:Start[x+1]].
type Graph struct {
	Start []int
	To    []int32
}

func (g Graph) states() int                { return len(g.Start) - 1 }
func (g Graph) neighbours(x int32) []int32 { return g.To[g.Start[x]:g.Start[x+1]] }
func (g Graph) degree(x int32) int         { return len(g.neighbours(x)) }

// Order returns the states of a connected graph in an order that keeps neighbours close together,
// and the bandwidth: the largest difference of the places of two neighbours. Time is O(edges), and
// sorting.
//
// Source: Cuthill and McKee 1969, reversed as George 1971 proposed; the first state is found as by
// Gibbs, Poole and Stockmeyer 1976.
func Order(g Graph) (order []int32, width int) {
	levels := make([]int32, g.states())
	order = g.from(0, levels, nil)
	for depth := int32(-1); levels[order[len(order)-1]] > depth; {
		// move to the far end while that increases the distance
		depth = levels[order[len(order)-1]]
		order = g.from(order[len(order)-1], levels, order)
	}
	slices.Reverse(order)
	place := levels
	for i, x := range order {
		place[x] = int32(i)
	}
	for x := range int32(len(order)) {
		for _, y := range g.neighbours(x) {
			width = max(width, int(place[y]-place[x]))
		}
	}
	return order, width
}

// from returns the states in the order of a search from the given one, which takes the neighbours
// of a state with few neighbours of their own first, and writes the distance of each to levels.
func (g Graph) from(first int32, levels, order []int32) []int32 {
	for x := range levels {
		levels[x] = -1
	}
	levels[first] = 0
	order = append(order[:0], first)
	for at := 0; at < len(order); at++ {
		x := order[at]
		began := len(order)
		for _, y := range g.neighbours(x) {
			if levels[y] < 0 {
				levels[y] = levels[x] + 1
				order = append(order, y)
			}
		}
		slices.SortStableFunc(order[began:], func(a, b int32) int { return cmp.Compare(g.degree(a), g.degree(b)) })
	}
	return order
}

// Colours returns 1 and -1 for the states of a connected graph so that neighbours differ, and
// whether there are such colours.
func Colours(g Graph) ([]float64, bool) {
	levels := make([]int32, g.states())
	g.from(0, levels, nil)
	colours := make([]float64, g.states())
	for x, l := range levels {
		colours[x] = float64(1 - 2*(l%2))
	}
	for x := range int32(g.states()) {
		for _, y := range g.neighbours(x) {
			if colours[x] == colours[y] {
				return nil, false
			}
		}
	}
	return colours, true
}
