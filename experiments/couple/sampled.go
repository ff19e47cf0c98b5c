package couple

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"breadboard/chains"
	"breadboard/chains/couplings"
	"breadboard/chains/number"
	"breadboard/experiments/eprocess"
	"breadboard/experiments/external"
	"breadboard/experiments/study/check"
)

// These bound how often a coupling that makes its own choices is asked for a move of each pair.
const (
	MinMoves     = 64
	DefaultMoves = 1 << 10
	MaxMoves     = 1 << 15
)

// Mover moves two chains together a number of times, each time from the states x and y, and says how many moves ended where.
type Mover func(logf []float64, x, y, moves int, rng *rand.Rand) ([]external.Ends, error)

// Sampling makes a Mover of a coupling that cannot be enumerated.
func Sampling(c couplings.Coupling) Mover {
	return func(logf []float64, x, y, moves int, rng *rand.Rand) (ends []external.Ends, err error) {
		chooser := chains.NewSampler(rng)
		for range moves {
			x2, y2 := c.Couple(chooser, logf, x, y)
			ends = append(ends, external.Ends{X: x2, Y: y2, Moves: 1})
		}
		return ends, nil
	}
}

// Sampled tests moves of every pair. Those of each chain alone are held to the kernel by e-values, one for each chain, the average over
// all pairs: a right coupling reaches 1/alpha on either with a probability of at most 2 alpha. Chains that have met must not part in any move.
func (e *Examination) Sampled(ctx context.Context, move Mover, moves int, rng *rand.Rand, alpha float64) ([]check.Finding, error) {
	n := e.Chain.States()
	b := &behaviour{Examination: e, rows: make([][]chains.Entry, n*n), moves: moves}
	var tests [2]pairTest
	counts, p := make([]int, n), make([]float64, n)
	for pair := range b.rows {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		x, y := pair/n, pair%n
		ends, err := move(e.Chain.LogF, x, y, moves, rng)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			return []check.Finding{failed(err.Error())}, nil
		}
		sums := map[int]float64{}
		for _, end := range ends {
			sums[end.X*n+end.Y] += float64(end.Moves) / float64(moves)
		}
		b.rows[pair] = sorted(sums)
		for second := range tests {
			clear(counts)
			for _, end := range ends {
				counts[[2]int{end.X, end.Y}[second]] += end.Moves
			}
			row(p, e.Chain, [2]int{x, y}[second])
			tests[second].add(pair, counts, p)
		}
		e.Pair()
	}
	power := e.power(moves, alpha)
	var out []check.Finding
	for second, name := range [2]string{firstMarginal, secondMarginal} {
		t := &tests[second]
		chain := [2]string{"first", "second"}[second]
		looked := fmt.Sprintf("%d moves of each of %d pairs; %s", moves, n*n, power)
		f := check.EValue(name, number.LogMean(t.logE), -math.Log(alpha), looked, func() string {
			return fmt.Sprintf("the %s chain alone does not move by the kernel: from states %s and %s it goes to %s", chain, e.Name(t.worst/n), e.Name(t.worst%n),
				eprocess.WorstCell(t.counts, t.p, func(z int) string { return "state " + e.Name(z) }))
		})
		out = append(out, f)
	}
	together := b.faithful()
	if together.Verdict == check.Pass {
		together.Where = fmt.Sprintf("in %d moves of each state; chains that part in more than %.2g of the moves from one would have been seen with probability %v", moves, 1-math.Pow(1-eprocess.Found, 1/float64(moves)), eprocess.Found)
	}
	return append(out, together, b.reaches()), nil
}

// pairTest is the test of the moves of one chain alone from every pair.
type pairTest struct {
	logE   []float64 // by pair
	worst  int       // the pair with the largest
	counts []int     // where its moves ended
	p      []float64 // the row of the kernel there
}

// add takes the moves of a pair.
func (t *pairTest) add(pair int, counts []int, p []float64) {
	logE := number.LogMean([]float64{eprocess.CountsLogE(counts, p), eprocess.CellsLogE(counts, p)})
	t.logE = append(t.logE, logE)
	if logE > t.logE[t.worst] || t.counts == nil {
		t.worst, t.counts, t.p = pair, append([]int(nil), counts...), append([]float64(nil), p...)
	}
}

// power says what so many moves of each pair would have found of a chain.
func (e *Examination) power(moves int, alpha float64) string {
	n, most := e.Chain.States(), 0.0
	p := make([]float64, n)
	for x := range n {
		row(p, e.Chain, x)
		most = math.Max(most, eprocess.SpreadDivergence(p, moves, math.Log(float64(2*n*n)/alpha))) // NaN where one is
	}
	if math.IsNaN(most) {
		return "too few to say what would have been found"
	}
	return fmt.Sprintf("a row of any pair that is more than %.2g nats (KL) from the kernel's would have been found with probability %v, if it changes every probability by a small factor", most, eprocess.Found)
}
