package exacttest

import (
	"math"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/kernel"
)

// EachPath calls f once for every path that either chain can take, with its probability under the
// forward and under the reverse chain, its log weight and its last state. Time is O(n^T). A
// probability below the range of float64 is zero here: see EachWidePath.
func EachPath(t *rapid.T, a *chains.Annealing, f func(forward, reverse, logw float64, last int)) {
	EachWidePath(t, a, func(p Path) { f(p.Forward.Float(), p.Reverse.Float(), p.LogW, p.Last) })
}

// Path is one path of the chains of an annealing.
type Path struct {
	Forward, Reverse number.Wide // its probabilities under the forward and under the reverse chain
	LogW             float64
	First, Last      int // its ends, x_1 and x_T
}

// EachWidePath does what EachPath does, with probabilities of a wide range: a path of probability
// exp(-1400) may have the weight exp(-1000), and is then the largest term of E[w^-2].
//
// Log weights are those of the annealing as it is given. The rows are made from log f of its
// centred path, as the solver's are, since a kernel takes nothing but differences of log f. Log f
// of either path is rounded to 2^-53 of its size, and not in the same way. If two states differ by
// only d nats this changes Metropolis' probability of refusing the lower one, about d, by 2^-53
// |log f|/d of itself: with both paths, a sum over paths that stay at the higher one would have so
// few digits in common with the solver. From the same log f both have all of them.
func EachWidePath(t *rapid.T, a *chains.Annealing, f func(Path)) {
	n := a.States()
	T := a.Distributions()
	stages := make([]walkStage, T+1)
	for i := 1; i <= T; i++ {
		stages[i] = newWalkStage(t, a, i)
	}
	first, last := wideDistribution(stages[1].logf), wideDistribution(stages[T].logf)
	var walk func(i, origin, x int, forward, reverse number.Wide, logw float64)
	walk = func(i, origin, x int, forward, reverse number.Wide, logw float64) {
		if i == T {
			f(Path{forward, reverse.Mul(last[x]), logw, origin, x})
			return
		}
		step := stages[i+1].logf[x] - stages[i].logf[x]
		if math.IsNaN(step) {
			step = 0 // f is zero at both stages, which leaves the weight as it is
		}
		if math.IsInf(logw, 0) {
			step = 0
		}
		for y := range n {
			p := forward.Mul(stages[i+1].forward[x][y])
			r := reverse.Mul(stages[i+1].reverse[y][x])
			if p.M != 0 || r.M != 0 {
				walk(i+1, origin, y, p, r, logw+step)
			}
		}
	}
	for x := range n {
		walk(1, x, x, first[x], number.Wide{M: 1}, 0)
	}
}

// walkStage is what a walk over paths needs of a stage: log f_t as it is given, and the
// probabilities of all moves by T_t and by its time reversal.
type walkStage struct {
	logf             []float64
	forward, reverse [][]number.Wide
}

func newWalkStage(t *rapid.T, a *chains.Annealing, i int) walkStage {
	n := a.States()
	s := walkStage{logf: make([]float64, n)}
	a.LogF(s.logf, i)
	rows, logf := StageRows(t, a, i)
	reversed := rows
	if r, ok := a.Kernel().(chains.Reverser); ok {
		reversed = MustRows(t, r.Reversal(), logf)
	}
	s.forward, s.reverse = wideRows(rows, reversed, logf), wideRows(reversed, rows, logf)
	return s
}

// StageRows returns the rows of T_t under log f_t of the centred path, as the solver's are (see
// EachWidePath), and that log f_t.
func StageRows(t *rapid.T, a *chains.Annealing, stage int) (*kernel.Rows, []float64) {
	centred, _ := a.Centred()
	logf := make([]float64, a.States())
	centred.LogF(logf, stage)
	return MustRows(t, a.Kernel(), logf), logf
}

// TinyMoves reports whether some move of an annealing has a positive probability below 1e-290,
// which rows do not hold.
func TinyMoves(t *rapid.T, a *chains.Annealing) bool {
	for i := 2; i <= a.Distributions(); i++ {
		if s := newWalkStage(t, a, i); below(s.forward, kernel.Tiny) || below(s.reverse, kernel.Tiny) {
			return true
		}
	}
	return false
}

// below reports whether a matrix has a positive entry below v.
func below(matrix [][]number.Wide, v float64) bool {
	for _, row := range matrix {
		for _, p := range row {
			if p.M > 0 && p.Float() < v {
				return true
			}
		}
	}
	return false
}

// wideDistribution returns the distribution with the given log f.
func wideDistribution(logf []float64) []number.Wide {
	p := make([]number.Wide, len(logf))
	logZ := number.LogSumExp(logf)
	for x, v := range logf {
		p[x] = number.WideExp(v - logZ)
	}
	return p
}

// wideRows returns a transition matrix as numbers of a wide range. An entry that float64 loses, or
// of which it keeps only some digits, is computed from the way back by the time reversal: p(x)
// T(x,y) = p(y) T~(y,x).
func wideRows(rows, reversed *kernel.Rows, logf []float64) [][]number.Wide {
	matrix := make([][]number.Wide, len(logf))
	for x := range matrix {
		matrix[x] = make([]number.Wide, len(logf))
		for y := range matrix[x] {
			p := rows.EntryAt(x, y)
			back := reversed.EntryAt(y, x)
			matrix[x][y] = number.Scaled(p, 0)
			if p < 0x1p-1022 && back > 0 && !math.IsInf(logf[x], -1) && !math.IsInf(logf[y], -1) {
				matrix[x][y] = number.WideExp(number.Log(back) + logf[y] - logf[x])
			}
		}
	}
	return matrix
}
