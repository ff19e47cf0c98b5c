package conform

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/exact/kernel"
	"breadboard/experiments/samples"
)

// sameBeta is how far a beta may be from that of a stage to be taken for it: it may have been written with few digits.
const sameBeta = 1e-9

// maxBetas is the largest number of different betas of single moves.
const maxBetas = 1000

// moves tests single moves of the kernel, each at a beta of its own.
type moves struct {
	a     *chains.Annealing
	state func(x int) string
	at    []*movesAt
	place map[float64]*movesAt // by beta
	rows  int
	// added is called with each new test, for the betas are known only when they are read.
	added func(*test)
}

// movesAt are the moves at one beta.
type movesAt struct {
	*transitions
	beta  float64
	moved int
}

func newMoves(a *chains.Annealing, state func(int) string, added func(*test)) *moves {
	return &moves{a: a, state: state, place: map[float64]*movesAt{}, added: added}
}

// add takes the next moves.
func (m *moves) add(ctx context.Context, b *samples.Batch) error {
	for i, beta := range b.Beta {
		at := m.place[beta]
		if at == nil {
			var err error
			if at, err = m.open(ctx, beta); err != nil {
				return fmt.Errorf("row %d: %w", b.First+i, err)
			}
		}
		at.transitions.add(b.First+i, b.From[i:i+1], b.To[i:i+1])
		at.moved++
	}
	m.rows += b.Rows
	return nil
}

// open begins the test of the moves at a beta.
func (m *moves) open(ctx context.Context, beta float64) (*movesAt, error) {
	if !(beta >= 0 && beta <= 1) {
		return nil, fmt.Errorf("beta is %v; write an inverse temperature from 0 to 1", beta)
	}
	if len(m.place) == maxBetas {
		return nil, fmt.Errorf("there are more than %d different betas; test fewer at a time", maxBetas)
	}
	k, logf, exact, err := m.kernel(beta)
	if err != nil {
		return nil, err
	}
	for _, old := range m.at {
		if old.beta == exact { // the same stage, written in another way
			m.place[beta] = old
			return old, nil
		}
	}
	if n := float64(len(logf)); n*n*float64(len(m.at)+1) > maxPathCells {
		return nil, fmt.Errorf("the moves between %d states at %s have more than %d cells; test fewer betas at a time, or a smaller toy", len(logf), selector.Count(len(m.at)+1, "beta"), maxPathCells)
	}
	rows, err := kernel.NewRows(ctx, k, logf)
	if err != nil {
		return nil, err
	}
	at := &movesAt{transitions: newTransitions(rows, m.state), beta: exact}
	m.at = append(m.at, at)
	m.place[beta] = at
	name := "moves at beta = " + strconv.FormatFloat(exact, 'g', -1, 64)
	m.added(&test{Result: Result{Test: name}, draws: func() int { return at.moved }, value: at.value, row: at.first})
	return at, nil
}

// kernel returns the kernel and log f at a beta: those of a stage whose beta it is, and else those of the path there, where
// all stages have the same kernel.
func (m *moves) kernel(beta float64) (chains.Kernel, []float64, float64, error) {
	logf := make([]float64, m.a.States())
	for t := 2; t <= m.a.Distributions(); t++ {
		if b := m.a.Beta(t); math.Abs(b-beta) <= sameBeta {
			m.a.LogF(logf, t)
			return m.a.KernelAt(t), logf, b, nil
		}
	}
	if m.a.Kernel() == nil {
		return nil, nil, 0, fmt.Errorf("beta is %v, at which no stage is, and the kernel is known at stages only; write one of the betas of task.json", beta)
	}
	m.a.Path().LogF(logf, chains.At(beta))
	return m.a.Kernel(), logf, beta, nil
}
