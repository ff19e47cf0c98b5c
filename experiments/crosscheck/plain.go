package crosscheck

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"breadboard/chains"
	"breadboard/grid"
)

// plain is annealed importance sampling written down step by step, from a uniform start, with a place for each
// bug.
type plain struct {
	kernel      chains.Kernel
	stage       func(d chains.Direction, t int) int // whose distribution the kernel of stage t uses
	weighed     func(t int) int                     // whose increment stage t adds
	missing     int                                 // states at the end where no forward chain starts
	drawn       func(x int) int                     // what becomes of an exact draw
	burnIn      int                                 // moves from a uniform state in place of an exact draw
	pool        int                                 // exact draws that all reverse chains share; 0 is one each
	weighAfter  bool                                // forward: by the state after the move
	weighBefore bool                                // reverse: by the state before the move
	lastDropped bool
	lastMoveOut bool
	seed        func(b Block, d chains.Direction) (one, two uint64)
	number      func(i, k int) int // whose random numbers chain i of k has
	mirrored    func(i int) bool   // whether it has their opposites
	shared      bool               // one generator for all chains
	spoil       func(b *chains.Batch, d chains.Direction)
}

// newPlain returns the implementation without a bug.
func newPlain(k chains.Kernel) *plain {
	return &plain{
		kernel: k, drawn: func(x int) int { return x }, stage: func(_ chains.Direction, t int) int { return t }, weighed: func(t int) int { return t },
		seed:   func(b Block, d chains.Direction) (uint64, uint64) { return twoWords(b.Stream(d)) },
		number: func(i, _ int) int { return i }, mirrored: func(int) bool { return false },
		spoil: func(*chains.Batch, chains.Direction) {},
	}
}

func twoWords(src *rand.ChaCha8) (one, two uint64) { return src.Uint64(), src.Uint64() }

// mirror is a generator whose numbers can be turned into their opposites.
type mirror struct {
	*rand.PCG
	flip uint64
}

func (m *mirror) Uint64() uint64 { return m.PCG.Uint64() ^ m.flip }

func (p *plain) run(ctx context.Context, a *chains.Annealing, d chains.Direction, block Block, k int) (*chains.Batch, error) {
	b := &chains.Batch{First: make([]int32, k), Last: make([]int32, k), LogW: make([]float64, k)}
	r := &plainRun{plain: p, logf: logFOfStages(a), T: a.Distributions()}
	r.setTarget(block, d)
	src := &mirror{PCG: rand.NewPCG(0, 0)}
	c := chains.NewSampler(src)
	one, two := p.seed(block, d)
	src.Seed(one, two)
	for i := range k {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !p.shared {
			src.Seed(one+uint64(p.number(i, k)), two)
		}
		if src.flip = 0; p.mirrored(i) {
			src.flip = math.MaxUint64
		}
		if d == chains.Forward {
			b.First[i], b.Last[i], b.LogW[i] = r.forward(c)
		} else {
			b.First[i], b.Last[i], b.LogW[i] = r.reverse(c)
		}
	}
	p.spoil(b, d)
	return b, nil
}

// logFOfStages returns log f_t for every t.
func logFOfStages(a *chains.Annealing) [][]float64 {
	logf := make([][]float64, a.Distributions()+1)
	for t := 1; t < len(logf); t++ {
		logf[t] = make([]float64, a.States())
		a.LogF(logf[t], t)
	}
	return logf
}

// plainRun is one call.
type plainRun struct {
	*plain
	logf   [][]float64
	T      int
	target []float64 // p_T
	pooled []int     // exact draws
}

func (r *plainRun) setTarget(b Block, d chains.Direction) {
	r.target = append([]float64(nil), r.logf[r.T]...)
	top, z := slices.Max(r.target), 0.0
	for x, v := range r.target {
		r.target[x] = math.Exp(v - top)
		z += r.target[x]
	}
	for x := range r.target {
		r.target[x] /= z
	}
	if r.pool > 0 && d == chains.Reverse {
		c := chains.NewSampler(Block{b.Seed, "pool", 0}.Stream(d))
		for range r.pool {
			r.pooled = append(r.pooled, c.Choose(r.target))
		}
	}
}

func (r *plainRun) increment(t, x int) float64 {
	t = r.weighed(t)
	return r.logf[t][x] - r.logf[t-1][x]
}

func (r *plainRun) forward(c chains.Chooser) (first, last int32, logw float64) {
	x := c.Uniform(len(r.target) - r.missing)
	first = int32(x)
	for t := 2; t <= r.T; t++ {
		y := x
		if !(r.lastMoveOut && t == r.T) {
			y = r.kernel.Move(c, r.logf[r.stage(chains.Forward, t)], x)
		}
		switch {
		case r.lastDropped && t == r.T:
		case r.weighAfter:
			logw += r.increment(t, y)
		default:
			logw += r.increment(t, x)
		}
		x = y
	}
	return first, int32(x), logw
}

func (r *plainRun) reverse(c chains.Chooser) (first, last int32, logw float64) {
	x := r.exactDraw(c)
	last = int32(x)
	for t := r.T; t >= 2; t-- {
		y := r.kernel.Move(c, r.logf[r.stage(chains.Reverse, t)], x)
		if r.weighBefore {
			logw += r.increment(t, x)
		} else {
			logw += r.increment(t, y)
		}
		x = y
	}
	return int32(x), last, logw
}

func (r *plainRun) exactDraw(c chains.Chooser) int {
	switch {
	case r.pool > 0:
		return r.pooled[c.Uniform(r.pool)]
	case r.burnIn == 0:
		return r.drawn(c.Choose(r.target))
	}
	x := c.Uniform(len(r.target))
	for range r.burnIn {
		x = r.kernel.Move(c, r.logf[r.T], x)
	}
	return x
}

// What becomes of the chains of a call after they were run.

func spoilWeights(change func(float64) float64) func(*plain) {
	return func(p *plain) {
		p.spoil = func(b *chains.Batch, _ chains.Direction) {
			for i, v := range b.LogW {
				b.LogW[i] = change(v)
			}
		}
	}
}

func rotateWeights(b *chains.Batch, _ chains.Direction) {
	b.LogW = append(b.LogW[1:], b.LogW[0])
}

func rotateLast(b *chains.Batch, _ chains.Direction) {
	b.Last = append(b.Last[1:], b.Last[0])
}

func exchangeEnds(b *chains.Batch, d chains.Direction) {
	if d == chains.Reverse {
		b.First, b.Last = b.Last, b.First
	}
}

func backwards(b *chains.Batch, _ chains.Direction) {
	slices.Reverse(b.First)
	slices.Reverse(b.Last)
	slices.Reverse(b.LogW)
}

// ring returns the space with its edges joined.
func ring(space *grid.Lattice) *grid.Lattice {
	wrap := make([]bool, space.Dims())
	for k := range wrap {
		wrap[k] = space.Side(k) >= 3
	}
	l, err := grid.NewWrapped(space.Sides(), wrap)
	if err != nil {
		panic(err) // the space itself was made
	}
	return l
}
