package crosscheck

import (
	"context"
	"fmt"
	"math/rand/v2"

	"breadboard/chains"
)

// Simulation is an implementation of annealed importance sampling under test.
type Simulation struct {
	Name string
	// Kernel is whose Move is tested by itself; nil where there is none.
	Kernel chains.Kernel
	// Chains runs k chains one by one; Totals, where Chains is nil, gives only what they come to as a whole.
	// Both stop with the context's error when that ends.
	Chains func(ctx context.Context, d chains.Direction, src *rand.ChaCha8, k int) (*chains.Batch, error)
	Totals func(ctx context.Context, d chains.Direction, src *rand.ChaCha8, k int) (*chains.Occupation, error)
}

// Simulations returns the project's own implementations for an annealing: through Move, and where the kernel
// has rows in closed form through alias tables and by occupation counts.
func Simulations(a *chains.Annealing) []Simulation {
	list := []Simulation{{
		Name:   "move",
		Kernel: a.Kernel(),
		Chains: func(ctx context.Context, d chains.Direction, src *rand.ChaCha8, k int) (*chains.Batch, error) {
			return chains.Simulate(a, d, chains.NewSampler(src), k, ctx.Err)
		},
	}}
	if !a.HasRows(chains.Forward) || !a.HasRows(chains.Reverse) {
		return list
	}
	return append(list,
		Simulation{Name: "rows", Chains: func(ctx context.Context, d chains.Direction, src *rand.ChaCha8, k int) (*chains.Batch, error) {
			return chains.SimulateRows(a, d, src, k, ctx.Err)
		}},
		Simulation{Name: "counts", Totals: func(ctx context.Context, d chains.Direction, src *rand.ChaCha8, k int) (*chains.Occupation, error) {
			return chains.SimulateCounts(a, d, src, k, ctx.Err)
		}})
}

// move is the kernel's Move at stage t, with a panic or a state outside the space turned into an error.
func move(k chains.Kernel, c chains.Chooser, logf []float64, t, x int) (y int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("stage t = %d, state %d: Move panicked: %v", t, x, r)
		}
	}()
	if y = k.Move(c, logf, x); y < 0 || y >= len(logf) {
		return 0, fmt.Errorf("stage t = %d, state %d: Move went to state %d, outside 0..%d", t, x, y, len(logf)-1)
	}
	return y, nil
}
