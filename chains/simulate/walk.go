package simulate

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"breadboard/chains"
	"breadboard/chains/errs"
)

// Walk runs Markov chains that always move by the same transition matrix, from alias tables of its
// rows. Several goroutines may use it at once.
//
//	P(x_1, ..., x_n) = start(x_1) T(x_1, x_2) ... T(x_(n-1), x_n)
//
// A move takes one random number and two reads of memory, whatever the length of the row.
type Walk struct {
	states int
	start  *aliasTable // of one row
	moves  *aliasTable
}

const (
	// maxTableBytes is the memory that the tables of a walk may take.
	maxTableBytes = 4 << 30
	// cellBytes is the most memory that an entry of the widest row of an alias table takes: two
	// words, for up to two columns.
	cellBytes = 32
	// lawTolerance is how far the probabilities of a distribution may be from summing to one.
	lawTolerance = 1e-9
)

// NewWalk returns the chains that start from a distribution, one probability for each state, and
// move by rows. It fails if the distribution or a row is not a probability distribution over the
// states, and if the tables, 32 bytes for each state and place of the widest row, would take more
// than 4 GiB. Probabilities are kept to 1e-16. Time is O(states + entries).
func NewWalk(start []float64, row func(x int) []chains.Entry) (*Walk, error) {
	w := &Walk{states: len(start), start: newAliasTable(1, len(start))}
	law := distributionRow(start)
	if err := w.checkEntries(law); err != nil {
		return nil, fmt.Errorf("start: %w", err)
	}
	w.start.fillRow(0, law)
	width := 0
	for x := range start {
		width = max(width, len(row(x)))
	}
	if places := maxTableBytes / cellBytes / len(start); width > places {
		return nil, errs.New(
			"the tables of %d states with rows of up to %d entries take more than %.2g GB; simulate a "+
				"kernel with shorter rows",
			len(start),
			width,
			float64(maxTableBytes)/1e9,
		)
	}
	w.moves = newAliasTable(len(start), width)
	for x := range start {
		if err := w.checkEntries(row(x)); err != nil {
			return nil, fmt.Errorf("the row of state %d: %w", x, err)
		}
		w.moves.fillRow(x, row(x))
	}
	return w, nil
}

// checkEntries fails if entries are not a probability distribution over the states.
func (w *Walk) checkEntries(entries []chains.Entry) error {
	total := 0.0
	for _, e := range entries {
		if e.To < 0 || e.To >= w.states || !(e.P >= 0) {
			return fmt.Errorf("it goes to state %d of %d with probability %v", e.To, w.states, e.P)
		}
		total += e.P
	}
	if !(math.Abs(total-1) <= lawTolerance) {
		return fmt.Errorf("its probabilities sum to %v, not to 1", total)
	}
	return nil
}

// Run returns the states of the given number of independent chains of n samples, the start among
// them: one row for each chain. All chains make a move before any makes the next, which is faster
// than one after another. The generator is seeded from src. It checks the context every few
// thousand moves. Time and memory are O(chains n).
func (w *Walk) Run(ctx context.Context, src *rand.ChaCha8, chains, n int) ([][]int32, error) {
	if chains < 0 || n < 0 {
		return nil, errs.New("%d chains of %d samples; give numbers from 0 on", chains, n)
	}
	paths := make([][]int32, chains)
	at := make([]int32, chains)
	for k := range paths {
		paths[k] = make([]int32, n)
	}
	rng := wyrand(src.Uint64())
	for i := range n {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if i == 0 {
			w.start.moveAll(&rng, at)
		} else {
			w.moves.moveAll(&rng, at)
		}
		for k, x := range at {
			paths[k][i] = x
		}
	}
	return paths, nil
}
