package crosscheck

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/experiments/planted"
	"breadboard/grid"
)

// plain runs annealed importance sampling that is written down step by step (see planted.Annealer), from a uniform start,
// with places for the bugs of streams and results.
type plain struct {
	kernel   chains.Kernel
	change   func(r *planted.Annealer, d chains.Direction)
	drawn    func(x int) int // changes the state of an exact draw
	burnIn   int             // the number of moves from a uniform state in place of an exact draw
	pool     int             // the number of exact draws that all reverse chains share; 0 is one each
	seed     func(b Block, d chains.Direction) (one, two uint64)
	number   func(i, k int) int // the number of the random stream that chain i of k uses
	mirrored func(i int) bool   // whether chain i uses the opposites of the numbers of its stream
	shared   bool               // whether all chains use one generator
	spoil    func(b *simulate.Batch, d chains.Direction)
}

// newPlain returns the implementation without a bug.
func newPlain(k chains.Kernel) *plain {
	return &plain{
		kernel: k, change: func(*planted.Annealer, chains.Direction) {}, drawn: func(x int) int { return x },
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
	r := p.annealer(a, d, block)
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

// annealer returns the process that a call runs.
func (p *plain) annealer(a *chains.Annealing, d chains.Direction, block Block) *planted.Annealer {
	r := planted.New(a, p.kernel, d)
	if d == chains.Reverse {
		r.Begin = p.exactDraw(r, block)
	}
	p.change(r, d)
	return r
}

// exactDraw returns the function that draws the state at which a reverse chain starts.
func (p *plain) exactDraw(r *planted.Annealer, block Block) func(c chains.Chooser) int {
	target := r.Target()
	switch {
	case p.pool > 0:
		c := chains.NewSampler(Block{block.Seed, "pool", 0}.Stream(chains.Reverse))
		var pooled []int
		for range p.pool {
			pooled = append(pooled, c.Choose(target))
		}
		return func(c chains.Chooser) int { return pooled[c.Uniform(p.pool)] }
	case p.burnIn == 0:
		return func(c chains.Chooser) int { return p.drawn(c.Choose(target)) }
	}
	return func(c chains.Chooser) int {
		x := c.Uniform(len(target))
		for range p.burnIn {
			x = p.kernel.Move(c, r.LogF[r.Last()], x)
		}
		return x
	}
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

func rotateWeights(b *simulate.Batch, _ chains.Direction) { b.LogW = append(b.LogW[1:], b.LogW[0]) }

func rotateLast(b *simulate.Batch, _ chains.Direction) { b.Last = append(b.Last[1:], b.Last[0]) }

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
