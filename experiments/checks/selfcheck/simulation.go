package selfcheck

import (
	"context"
	"fmt"
	"math/rand/v2"

	"breadboard/chains"
	"breadboard/chains/simulate"
)

// Simulation is an implementation of annealed importance sampling under test. It is run on the
// annealing of the case, and on short ones with the same kernel (see probes).
type Simulation struct {
	Name string
	// Moves are the kernels whose Move is tested by itself; nil if there are none.
	Moves *chains.Transitions
	// Chains runs k chains and returns each of them. Totals, used where Chains is nil, returns only
	// their counts and the sum of their log weights. Both make their random numbers from the block,
	// and return the context's error when that ends.
	Chains func(ctx context.Context, a *chains.Annealing, d chains.Direction, b Block, k int) (*simulate.Batch, error)
	Totals func(ctx context.Context, a *chains.Annealing, d chains.Direction, b Block, k int) (*simulate.Occupation, error)
}

// batch runs k chains, and fails if what comes back is not k chains on the states of the annealing.
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

// Block says which random numbers a call of a simulation uses. Making a stream of it is part of
// what is tested: the two directions of a block, and any two blocks, must be independent.
type Block struct {
	Seed    uint64
	Purpose string
	Number  int
}

// stream returns the random stream of one direction of the block, made in the same way as the
// streams of the studies.
func (b Block) stream(d chains.Direction) *rand.ChaCha8 {
	return simulate.ChainStream(b.Seed, b.Purpose, d, b.Number)
}

// simulations returns the project's own implementations for the kernel of an annealing. One moves
// chains by Move; where the kernel has rows in closed form there are two more, by alias tables and
// by occupation counts. Where the tables would take too much memory it has Move alone.
func simulations(a *chains.Annealing) []Simulation {
	list := []Simulation{{
		Name:  "move",
		Moves: a.Transitions(),
		Chains: func(ctx context.Context, a *chains.Annealing, d chains.Direction, b Block, k int) (*simulate.Batch, error) {
			return simulate.Run(a, d, chains.NewSampler(b.stream(d)), k, &simulate.Watch{Look: ctx.Err})
		},
	}}
	if !simulate.HasTables(a) {
		return list
	}
	return append(list,
		Simulation{Name: "rows", Chains: func(ctx context.Context, a *chains.Annealing, d chains.Direction, b Block, k int) (*simulate.Batch, error) {
			return simulate.Rows(a, d, b.stream(d), k, &simulate.Watch{Look: ctx.Err})
		}},
		Simulation{Name: "counts", Totals: func(ctx context.Context, a *chains.Annealing, d chains.Direction, b Block, k int) (*simulate.Occupation, error) {
			return simulate.Counts(a, d, b.stream(d), k, &simulate.Watch{Look: ctx.Err})
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
