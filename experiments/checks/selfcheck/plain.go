package selfcheck

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/experiments/checks/planted"
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

// Simulation is an implementation of annealed importance sampling under test. It is run on the annealing of the case,
// and on short ones with the same kernel (see probes).
type Simulation struct {
	Name string
	// Moves are the kernels whose Move is tested by itself; nil where there are none.
	Moves *chains.Transitions
	// Chains runs k chains and returns each of them. Totals, used where Chains is nil, returns only their counts and the sum of their log weights.
	// Both make their random numbers from the block, and return the context's error when that ends.
	Chains func(ctx context.Context, a *chains.Annealing, d chains.Direction, b Block, k int) (*simulate.Batch, error)
	Totals func(ctx context.Context, a *chains.Annealing, d chains.Direction, b Block, k int) (*simulate.Occupation, error)
}

// batch runs k chains, and fails where what comes back is not k chains on the states of the annealing.
func (s Simulation) batch(ctx context.Context, a *chains.Annealing, d chains.Direction, block Block, k int) (*simulate.Batch, error) {
	b, err := s.Chains(ctx, a, d, block, k)
	if err == nil {
		err = checkBatch(b, k, a.States())
	}
	return b, err
}

// occupation does the same for counts.
func (s Simulation) occupation(ctx context.Context, a *chains.Annealing, d chains.Direction, block Block, k int) (*simulate.Occupation, error) {
	o, err := s.Totals(ctx, a, d, block, k)
	if err == nil {
		err = checkTotals(o, k, a.States())
	}
	return o, err
}

// Block says which random numbers a call of a simulation uses. Making a stream of it is part of what is tested: the
// two directions of a block, and any two blocks, must be independent.
type Block struct {
	Seed    uint64
	Purpose string
	Number  int
}

// Stream returns the random stream of one direction of the block, made in the same way as the streams of the studies.
func (b Block) Stream(d chains.Direction) *rand.ChaCha8 {
	return simulate.ChainStream(b.Seed, b.Purpose, d, b.Number)
}

// Simulations returns the project's own implementations for the kernel of an annealing. One moves chains by Move; where the
// kernel has rows in closed form there are two more, by alias tables and by occupation counts. Where the tables would take too much memory it has Move alone.
func Simulations(a *chains.Annealing) []Simulation {
	list := []Simulation{{
		Name:  "move",
		Moves: a.Transitions(),
		Chains: func(ctx context.Context, a *chains.Annealing, d chains.Direction, b Block, k int) (*simulate.Batch, error) {
			return simulate.Run(a, d, chains.NewSampler(b.Stream(d)), k, &simulate.Watch{Look: ctx.Err})
		},
	}}
	if !simulate.HasTables(a) {
		return list
	}
	return append(list,
		Simulation{Name: "rows", Chains: func(ctx context.Context, a *chains.Annealing, d chains.Direction, b Block, k int) (*simulate.Batch, error) {
			return simulate.Rows(a, d, b.Stream(d), k, &simulate.Watch{Look: ctx.Err})
		}},
		Simulation{Name: "counts", Totals: func(ctx context.Context, a *chains.Annealing, d chains.Direction, b Block, k int) (*simulate.Occupation, error) {
			return simulate.Counts(a, d, b.Stream(d), k, &simulate.Watch{Look: ctx.Err})
		}})
}

// move calls the kernel's Move at stage t. A panic, or a state outside the space, becomes an error.
func move(k chains.Kernel, c chains.Chooser, logf []float64, t, x int) (y int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("stage t = %d, state %d: %w", t, x, chains.MovePanic(r))
		}
	}()
	if y = k.Move(c, logf, x); y < 0 || y >= len(logf) {
		return 0, fmt.Errorf("stage t = %d, state %d: Move went to state %d, outside 0..%d", t, x, y, len(logf)-1)
	}
	return y, nil
}

// totals counts the chains of one direction of a simulation that returns counts and sums alone.
type totals struct {
	first, last []int
	sumLogW     float64
	chains      int
}

func newTotals(states int) *totals {
	return &totals{first: make([]int, states), last: make([]int, states)}
}

func (t *totals) add(o *simulate.Occupation, k int) {
	for x := range t.first {
		t.first[x] += o.First[x]
		t.last[x] += o.Last[x]
	}
	t.sumLogW += o.SumLogW
	t.chains += k
}

// tests returns the tests of the totals. Their one sum of log weights does not show how many of them are finite, so that it is
// tested only where all are.
func (t *totals) tests(l *ChainLaws, d chains.Direction) []NamedTest {
	tests := []NamedTest{{d.String() + " x_1", l.endValue(t.first, l.first[d])}, {d.String() + " x_T", l.endValue(t.last, l.last[d])}}
	if l.alive[d] == 1 {
		tests = append(tests, NamedTest{d.String() + " log w", func() (float64, func() string) {
			return l.meanValue(d, t.sumLogW, t.chains)
		}})
	}
	return tests
}
