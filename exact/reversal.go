package exact

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/exact/internal/stage"
)

// maxReversals is the memory, in bytes, that WithReversal takes at most for the entries of all stages. The memory of a
// stage is counted before it is allocated.
const maxReversals = 2e9

// WithReversal returns an annealing whose reverse chains move by the time reversal of every stage's kernel. A kernel of
// the library knows its time reversal, and an annealing with such a kernel is returned unchanged. For any other kernel
// the reversal is made from the rows of each stage and kept as a table, unless the rows are their own reversal. A table
// takes 16 bytes for each entry that is not zero and 4 bytes for each state. WithReversal fails as Solve does where a
// kernel does not do what it says, and where the entries of all tables together, zeros included, would take more than 2
// GB.
func WithReversal(ctx context.Context, a *chains.Annealing) (*chains.Annealing, error) {
	return withReversal(ctx, a, maxReversals)
}

// withReversal is WithReversal with a limit, in bytes, on the memory of the entries of all tables.
func withReversal(ctx context.Context, a *chains.Annealing, limit float64) (*chains.Annealing, error) {
	if a.Kernel() != nil && chains.OfLibrary(a.Kernel()) {
		return a, nil
	}
	p := stage.NewProblem(a, nil)
	s := stage.NewStage(p.Annealing)
	var reversals []chains.Kernel
	bytes := 0.0
	for t := 2; t <= a.Distributions(); t++ {
		if err := p.Step(ctx); err != nil {
			return nil, err
		}
		if err := s.Load(ctx, t); err != nil {
			return nil, err
		}
		k := s.Kernel
		switch {
		case !s.Outside:
			k, _ = chains.ReversalOf(k)
		case s.Moves[0].Reversed():
			if bytes += 16 * float64(len(s.Moves[0].Backward.Entries)); bytes > limit {
				return nil, s.Wrap(fmt.Errorf("kernel %s: the tables of its time reversal would take more than %.2g GB for all stages; give fewer distributions", chains.NameOf(k), limit/1e9))
			}
			k = chains.NewTabulated(chains.NameOf(k)+" reversed", a.States(), s.Moves[0].Backward.Row)
		}
		reversals = append(reversals, k)
	}
	p.Flush()
	return a.WithReversals(reversals)
}
