package meeting

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/couplings"
	"breadboard/chains/errs"
	"breadboard/exact/averages"
	"breadboard/exact/program"
	"breadboard/grid"
)

const (
	// MaxStates is the largest number of states of which Pairs are made: 65,536 pairs.
	MaxStates = 256
	// MaxSolved is the largest number of pairs for which systems are solved by elimination, of
	// which there are half as many if the coupling treats both chains alike: 49 states have 1,176.
	MaxSolved = 2400
	// Tolerance is the largest distance of the marginals of a coupling from the rows of the kernel,
	// in probability.
	Tolerance = 1e-12
	// MaxEntries is the largest number of entries that the rows of all pairs may have: they take up
	// to 1 GiB, including derived data.
	MaxEntries = 1 << 25
	// maxBranches is the largest number of branches of the move of a pair.
	maxBranches = 1 << 20
)

// Pairs is the chain of unequal pairs of states under a coupling.
type Pairs struct {
	Chain *averages.Chain
	// the same with one number for (x, y) and (y, x), if the coupling treats both chains alike;
	// else nil
	folded *Pairs
	// whether one of the chains by itself does not move by the kernel, so that this is not a
	// coupling
	skewed bool
	number []int32 // of the pair (x, y) at x n + y; -1 of equal states
	states [][2]int32
	start  []int32 // of the entries of each pair in to and p
	to     []int32
	p      []float64
	exit   []float64        // the probability of meeting in one move
	met    [][]chains.Entry // of each pair, where it meets in one move
}

// Audit measures how far a function of pairs is from a coupling of a kernel, in probabilities.
type Audit struct {
	// Marginal is the largest distance of an entry of the marginal row of one of the two chains
	// from that of the kernel.
	Marginal   float64
	MarginalAt [2]int // the pair where it is
	Second     bool   // whether it is in the row of the second chain
	// Leak is the largest probability with which chains that have met part again. A coupling that
	// parts them is not faithful: estimators that stop when chains first meet are valid with it,
	// but bounds from the probability of being apart at a time are not.
	Leak   float64
	LeakAt int // the state where it is
}

// Err returns the reason why this is not a faithful coupling within Tolerance; nil if it is one.
func (a *Audit) Err() error {
	chain := "first"
	if a.Second {
		chain = "second"
	}
	switch {
	case !(a.Marginal <= Tolerance):
		return errs.New(
			"this is not a coupling: from the states %d and %d the %s chain does not move by the kernel: "+
				"a probability is off by %.3g; "+
				"each chain alone must have the rows of the kernel",
			a.MarginalAt[0],
			a.MarginalAt[1],
			chain,
			a.Marginal,
		)
	case !(a.Leak <= Tolerance):
		return errs.New(
			"this coupling is not faithful: chains that are both at state %d part with probability %.3g; "+
				"chains that have met must stay together",
			a.LeakAt,
			a.Leak,
		)
	}
	return nil
}

// New enumerates a faithful coupling of a chain. It fails with Audit.Err for any other function.
func New(ctx context.Context, c couplings.Coupling, chain *averages.Chain) (*Pairs, error) {
	p, audit, err := Enumerate(ctx, c, chain)
	if err == nil {
		err = audit.Err()
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Enumerate enumerates a function that may be a coupling of a chain at every pair of states, and
// audits it. The pairs describe it exactly, whether or not it is a valid coupling. It checks the
// context before each pair. Time is O(n^2) times the branches of the move of a pair, memory 20
// bytes for each entry. With more than MaxEntries entries it fails before it takes the memory.
func Enumerate(ctx context.Context, c couplings.Coupling, chain *averages.Chain) (*Pairs, *Audit, error) {
	n := chain.States()
	if n > MaxStates {
		return nil, nil, grid.TooLarge{
			What: "states", Need: float64(n), Limit: MaxStates,
			Err: fmt.Errorf("%d states have %d pairs, and at most %d (of %d states) can be enumerated",
				n, n*n, MaxStates*MaxStates, MaxStates),
		}
	}
	w := &walk{
		coupling: c,
		chain:    chain,
		sums:     make([]float64, n*n),
		first:    make([]float64, n),
		second:   make([]float64, n),
	}
	entries, err := w.estimateEntries(ctx)
	if err != nil {
		return nil, nil, err
	}
	w.audit = Audit{}
	p, err := newPairs(
		chain,
		false,
		entries,
		func(x, y int) ([]chains.Entry, error) { return w.enumeratePair(ctx, x, y) },
	)
	if err != nil {
		return nil, nil, err
	}
	p.skewed = !(w.audit.Marginal <= Tolerance)
	if exchangeable(p) {
		p.folded, _ = newPairs(
			chain,
			true,
			len(p.to)/2,
			func(x, y int) ([]chains.Entry, error) { return p.RowOf(x, y), nil },
		)
	}
	return p, &w.audit, nil
}

// estimateEntries estimates the number of entries of all rows from those of some of the pairs, and
// fails if there are more than MaxEntries. It is 0 for few states.
func (w *walk) estimateEntries(ctx context.Context) (int, error) {
	const some = 64
	n := w.chain.States()
	entries := 0
	if n <= some { // 16 million entries at the most
		return 0, nil
	}
	for i := range some {
		row, err := w.enumeratePair(ctx, i*n/some, i*37%n)
		if err != nil {
			return 0, err
		}
		entries += len(row)
	}
	total := float64(entries) / some * float64(n*n)
	if total > MaxEntries {
		err := errs.New(
			"the %d pairs of %d states have about %.3g entries in their rows, which take %s, and at "+
				"most %d are kept; take fewer states, or another coupling, "+
				"of which common and rows-comonotone have the fewest",
			n*n,
			n,
			total,
			errs.Memory(total*20),
			MaxEntries,
		)
		return 0, grid.TooLarge{What: "entries", Need: total, Limit: MaxEntries, Err: err}
	}
	return int(total * 1.1), nil
}

// RowOf returns the distribution of a pair of states after one move, with the pair (x2, y2) at x2 n
// + y2. Equal states stay equal and move by the kernel.
func (p *Pairs) RowOf(x, y int) (row []chains.Entry) {
	n := p.Chain.States()
	if x == y {
		for _, e := range p.Chain.Rows.Row(x) {
			row = append(row, chains.Entry{To: e.To*n + e.To, P: e.P})
		}
		return row
	}
	at := p.number[x*n+y]
	for k := p.start[at]; k < p.start[at+1]; k++ {
		to := p.states[p.to[k]]
		row = append(row, chains.Entry{To: int(to[0])*n + int(to[1]), P: p.p[k]})
	}
	for _, e := range p.met[at] {
		row = append(row, chains.Entry{To: e.To*n + e.To, P: e.P})
	}
	return row
}

// walk enumerates the moves of pairs.
type walk struct {
	coupling      couplings.Coupling
	chain         *averages.Chain
	branches      program.Branches
	sums          []float64 // by pair, zero between calls
	reached       []int
	first, second []float64 // the marginals, zero between calls
	audit         Audit
}

// enumeratePair enumerates and examines the moves of one pair.
func (w *walk) enumeratePair(ctx context.Context, x, y int) ([]chains.Entry, error) {
	n := w.chain.States()
	x2 := 0
	y2 := 0
	w.reached = w.reached[:0]
	move := couplings.At(w.coupling, w.chain.LogF, x, y)
	_, err := w.branches.Walk(
		ctx,
		program.Limits{Cut: program.DefaultCut, Choices: 2 * chains.MaxChoices, Branches: maxBranches},
		func(c chains.Chooser) { x2, y2 = move(c) },
		func(p float64) error {
			if x2 < 0 || x2 >= n || y2 < 0 || y2 >= n {
				return fmt.Errorf("the coupling goes from states %d and %d to %d and %d, outside 0..%d",
					x, y, x2, y2, n-1)
			}
			at := x2*n + y2
			if w.sums[at] == 0 {
				w.reached = append(w.reached, at)
			}
			w.sums[at] += p
			return nil
		},
	)
	if err != nil {
		return nil, err
	}
	row := make([]chains.Entry, len(w.reached))
	for i, at := range w.reached {
		row[i] = chains.Entry{To: at, P: w.sums[at]}
		w.sums[at] = 0
	}
	w.examine(x, y, row)
	return row, nil
}

// examine adds what is wrong at a pair.
func (w *walk) examine(x, y int, row []chains.Entry) {
	n := w.chain.States()
	apart := 0.0
	for _, e := range row {
		w.first[e.To/n] += e.P
		w.second[e.To%n] += e.P
		if e.To/n != e.To%n {
			apart += e.P
		}
	}
	for second, marginal := range [][]float64{w.first, w.second} {
		if off := w.off(marginal, [2]int{x, y}[second]); off > w.audit.Marginal {
			w.audit.Marginal = off
			w.audit.MarginalAt = [2]int{x, y}
			w.audit.Second = second == 1
		}
	}
	if x == y && apart > w.audit.Leak {
		w.audit.Leak = apart
		w.audit.LeakAt = x
	}
}

// off returns the distance of a marginal from the row of a state, and resets it to zero.
func (w *walk) off(marginal []float64, x int) (most float64) {
	for _, e := range w.chain.Rows.Row(x) {
		marginal[e.To] -= e.P
	}
	for at, v := range marginal {
		most = max(most, math.Abs(v))
		marginal[at] = 0
	}
	return most
}

// newPairs numbers the pairs, with one number for (x, y) and (y, x) if they are alike, and adds up
// where each goes, by its row. It uses the rows of equal states too. Memory is taken at once for
// about the number of entries that is expected.
func newPairs(chain *averages.Chain, alike bool, entries int,
	row func(x, y int) ([]chains.Entry, error)) (*Pairs, error) {
	n := chain.States()
	p := &Pairs{
		Chain:  chain,
		number: make([]int32, n*n),
		start:  []int32{0},
		to:     make([]int32, 0, entries),
		p:      make([]float64, 0, entries),
	}
	for x := range n {
		for y := range n {
			switch {
			case x == y:
				p.number[x*n+y] = -1
			case alike && y > x: // its number is that of (y, x), which comes later
			default:
				p.number[x*n+y] = int32(len(p.states))
				p.states = append(p.states, [2]int32{int32(x), int32(y)})
			}
		}
	}
	for x := range n {
		for y := x + 1; alike && y < n; y++ {
			p.number[x*n+y] = p.number[y*n+x]
		}
	}
	sums := make([]float64, len(p.states))
	reached := []int32(nil)
	for pair := range n * n {
		x, y := pair/n, pair%n
		if alike && y > x {
			continue
		}
		ends, err := row(x, y)
		if err != nil {
			return nil, err
		}
		if x == y {
			continue
		}
		exit := 0.0
		met := []chains.Entry(nil)
		reached = reached[:0]
		for _, e := range ends {
			to := p.number[e.To]
			if to < 0 {
				exit += e.P
				met = append(met, chains.Entry{To: e.To / n, P: e.P})
				continue
			}
			if sums[to] == 0 {
				reached = append(reached, to)
			}
			sums[to] += e.P
		}
		for _, to := range reached {
			p.to, p.p = append(p.to, to), append(p.p, sums[to])
			sums[to] = 0
		}
		p.start, p.exit, p.met = append(p.start, int32(len(p.to))), append(p.exit, exit), append(p.met, met)
	}
	return p, nil
}

// exchangeable reports whether every pair of unequal states moves as the exchanged pair does, up to
// rounding.
func exchangeable(p *Pairs) bool {
	n := p.Chain.States()
	sums := make([]float64, n*n)
	for _, xy := range p.states {
		row := p.RowOf(int(xy[0]), int(xy[1]))
		back := p.RowOf(int(xy[1]), int(xy[0]))
		for _, e := range row {
			sums[e.To] += e.P
		}
		for _, e := range back {
			sums[e.To%n*n+e.To/n] -= e.P
		}
		alike := true
		for _, e := range row {
			alike = alike && math.Abs(sums[e.To]) <= 1e-15
			sums[e.To] = 0
		}
		for _, e := range back {
			at := e.To%n*n + e.To/n
			alike = alike && math.Abs(sums[at]) <= 1e-15
			sums[at] = 0
		}
		if !alike {
			return false
		}
	}
	return true
}

// independentPairs returns the probability of each pair of unequal states if the two are
// independent.
func (p *Pairs) independentPairs(first, second []float64) []float64 {
	n := len(first)
	a := make([]float64, len(p.states))
	for x, px := range first {
		for y, py := range second {
			if at := p.number[x*n+y]; at >= 0 {
				a[at] += px * py
			}
		}
	}
	return a
}

// push sets dst to a Q.
func (p *Pairs) push(dst, a []float64) {
	clear(dst)
	for at, mass := range a {
		if mass == 0 {
			continue
		}
		for k := p.start[at]; k < p.start[at+1]; k++ {
			dst[p.to[k]] += mass * p.p[k]
		}
	}
}

// pull returns Q v.
func (p *Pairs) pull(v []float64) []float64 {
	out := make([]float64, len(v))
	for at := range out {
		for k := p.start[at]; k < p.start[at+1]; k++ {
			out[at] += p.p[k] * v[p.to[k]]
		}
	}
	return out
}
