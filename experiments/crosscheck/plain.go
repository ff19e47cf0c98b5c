package crosscheck

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/grid"
)

// plain is annealed importance sampling written down step by step, from a uniform start, with a place for each
// bug. It is a chains.Process (see plainProcess) that shares nothing with the one of an annealing: no centring, no rows,
// and increments that are differences of log f.
type plain struct {
	kernel      chains.Kernel
	stage       func(d chains.Direction, t int) int // the stage whose distribution the kernel uses at stage t
	weighed     func(t int) int                     // the stage whose increment is added at stage t
	missing     int                                 // the number of last states at which no forward chain starts
	drawn       func(x int) int                     // changes the state of an exact draw
	burnIn      int                                 // the number of moves from a uniform state in place of an exact draw
	pool        int                                 // the number of exact draws that all reverse chains share; 0 is one each
	weighAfter  bool                                // whether forward increments use the state after the move
	weighBefore bool                                // whether reverse increments use the state before the move
	shift       int                                 // the number of states by which the increments are off
	lastDropped bool
	lastMoveOut bool
	seed        func(b Block, d chains.Direction) (one, two uint64)
	number      func(i, k int) int // the number of the random stream that chain i of k uses
	mirrored    func(i int) bool   // whether chain i uses the opposites of the numbers of its stream
	shared      bool               // whether all chains use one generator
	spoil       func(b *simulate.Batch, d chains.Direction)
}

// newPlain returns the implementation without a bug.
func newPlain(k chains.Kernel) *plain {
	return &plain{
		kernel: k, drawn: func(x int) int { return x }, stage: func(_ chains.Direction, t int) int { return t }, weighed: func(t int) int { return t },
		seed:   func(b Block, d chains.Direction) (uint64, uint64) { return twoWords(b.Stream(d)) },
		number: func(i, _ int) int { return i }, mirrored: func(int) bool { return false },
		spoil: func(*simulate.Batch, chains.Direction) {},
	}
}

func twoWords(src *rand.ChaCha8) (one, two uint64) { return src.Uint64(), src.Uint64() }

// mirror is a generator whose numbers can be turned into their opposites.
type mirror struct {
	*rand.PCG
	flip uint64
}

func (m *mirror) Uint64() uint64 { return m.PCG.Uint64() ^ m.flip }

func (p *plain) run(ctx context.Context, a *chains.Annealing, d chains.Direction, block Block, k int) (*simulate.Batch, error) {
	b := &simulate.Batch{First: make([]int32, k), Last: make([]int32, k), LogW: make([]float64, k)}
	r := newPlainProcess(p, a, d)
	if d == chains.Reverse {
		r.drawPool(block)
	}
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
		first, last, logw := chains.Run(r, c)
		b.First[i], b.Last[i], b.LogW[i] = int32(first), int32(last), logw
	}
	if d == chains.Reverse { // the first state of a Batch is x_1, at which a reverse chain ends
		b.First, b.Last = b.Last, b.First
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

// plainProcess is the process of a plain implementation, of which every step is one stage.
type plainProcess struct {
	*plain
	direction chains.Direction
	logf      [][]float64 // log f_t of each state, by stage t
	target    []float64   // p_T
	pooled    []int       // the exact draws that all reverse chains share
}

func newPlainProcess(p *plain, a *chains.Annealing, d chains.Direction) *plainProcess {
	r := &plainProcess{plain: p, direction: d, logf: logFOfStages(a)}
	r.target = append([]float64(nil), r.logf[a.Distributions()]...)
	top, z := slices.Max(r.target), 0.0
	for x, v := range r.target {
		r.target[x] = math.Exp(v - top)
		z += r.target[x]
	}
	for x := range r.target {
		r.target[x] /= z
	}
	return r
}

// drawPool draws the states that the reverse chains share, where pool says that they share any.
func (r *plainProcess) drawPool(b Block) {
	c := chains.NewSampler(Block{b.Seed, "pool", 0}.Stream(chains.Reverse))
	for range r.pool {
		r.pooled = append(r.pooled, c.Choose(r.target))
	}
}

// last returns T, the last stage.
func (r *plainProcess) last() int { return len(r.logf) - 1 }

// at returns the stage of a step.
func (r *plainProcess) at(step int) int {
	if r.direction == chains.Reverse {
		return r.last() + 1 - step
	}
	return step + 1
}

// increment returns the increment of the log weight that stage t adds at state x.
func (r *plainProcess) increment(t, x int) float64 {
	t = r.weighed(t)
	if x += r.shift; x >= len(r.target) {
		x -= len(r.target)
	}
	return r.logf[t][x] - r.logf[t-1][x]
}

// Steps returns T - 1.
func (r *plainProcess) Steps() int { return r.last() - 1 }

// Start draws the first state.
func (r *plainProcess) Start(c chains.Chooser) int {
	if r.direction == chains.Forward {
		return c.Uniform(len(r.target) - r.missing)
	}
	return r.exactDraw(c)
}

// Step takes one stage.
func (r *plainProcess) Step(c chains.Chooser, step, x int) (y int, increment float64) {
	t, forward := r.at(step), r.direction == chains.Forward
	final := forward && t == r.last()
	if y = x; !(r.lastMoveOut && final) {
		y = r.kernel.Move(c, r.logf[r.stage(r.direction, t)], x)
	}
	switch before := forward && !r.weighAfter || !forward && r.weighBefore; {
	case r.lastDropped && final:
	case before:
		increment = r.increment(t, x)
	default:
		increment = r.increment(t, y)
	}
	return y, increment
}

func (r *plainProcess) exactDraw(c chains.Chooser) int {
	switch {
	case r.pool > 0:
		return r.pooled[c.Uniform(r.pool)]
	case r.burnIn == 0:
		return r.drawn(c.Choose(r.target))
	}
	x := c.Uniform(len(r.target))
	for range r.burnIn {
		x = r.kernel.Move(c, r.logf[r.last()], x)
	}
	return x
}

// The following functions spoil the chains of a call after they have been run.

func spoilWeights(change func(float64) float64) func(*plain) {
	return func(p *plain) {
		p.spoil = func(b *simulate.Batch, _ chains.Direction) {
			for i, v := range b.LogW {
				b.LogW[i] = change(v)
			}
		}
	}
}

func rotateWeights(b *simulate.Batch, _ chains.Direction) {
	b.LogW = append(b.LogW[1:], b.LogW[0])
}

func rotateLast(b *simulate.Batch, _ chains.Direction) {
	b.Last = append(b.Last[1:], b.Last[0])
}

func exchangeEnds(b *simulate.Batch, d chains.Direction) {
	if d == chains.Reverse {
		b.First, b.Last = b.Last, b.First
	}
}

func backwards(b *simulate.Batch, _ chains.Direction) {
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
		panic(err) // the mutants need sides of at least 3, for which there is a ring
	}
	return l
}
