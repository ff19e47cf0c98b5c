package particles

import (
	"breadboard/chains"
	"breadboard/chains/number"
)

// flow is a particle.Flow on tables. A move is one choice, so that few branches are to be
// enumerated.
type flow struct {
	first   []float64     // the distribution of the first state
	weights [][]float64   // weights[t-1][x] is what stage t = 1..T adds to the log weight of a particle at state x
	moves   [][][]float64 // moves[t-1][x][y] is the probability of a move from x to y after stage t = 1..T-1
	back    [][][]float64 // back[t-1][y][x] is that of x before the move, given y after it, on the path of a conditional run
	last    []float64     // the distribution of the end of that path
	logZ    float64       // what Zhat estimates
}

// flow returns what the particles of the task go through.
func (t *Task) flow() *flow {
	if t.HMM != nil {
		return flowOf(t.HMM)
	}
	f := &flow{first: normalised(t.LogF[0]), moves: t.Kernels, last: normalised(t.LogF[t.T()-1]), logZ: t.LogZRatio()}
	for i, forward := range t.Kernels {
		step := make([]float64, t.States())
		for x := range step {
			step[x] = t.LogF[i+1][x] - t.LogF[i][x]
		}
		f.weights = append(f.weights, step)
		f.back = append(f.back, reversed(normalised(t.LogF[i+1]), forward))
	}
	f.weights = append(f.weights, make([]float64, t.States())) // after the last move
	return f
}

// reversed returns the time reversal of a move from states of the distribution p: row y has the
// probabilities of the states before. A row of a state to which nothing moves is zero.
func reversed(p []float64, forward [][]float64) [][]float64 {
	back := make([][]float64, len(p))
	for y := range back {
		back[y] = make([]float64, len(p))
		sum := 0.0
		for x := range forward {
			back[y][x] = p[x] * forward[x][y]
			sum += back[y][x]
		}
		for x := range back[y] {
			if sum > 0 {
				back[y][x] /= sum
			}
		}
	}
	return back
}

func (f *flow) Stages() int                         { return len(f.moves) }
func (f *flow) Outputs() int                        { return len(f.first) }
func (f *flow) Start(c chains.Chooser) int          { return c.Choose(f.first) }
func (f *flow) Move(c chains.Chooser, t, x int) int { return c.Choose(f.moves[t-1][x]) }
func (f *flow) Back(c chains.Chooser, t, x int) int { return c.Choose(f.back[t-1][x]) }
func (f *flow) LogTarget(x int) float64             { return f.logZ + number.Log(f.last[x]) }
func (f *flow) LogWeight(t, x int) float64          { return f.weights[t-1][x] }
