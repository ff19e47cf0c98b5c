package weights

import (
	"context"
	"fmt"
	"math"
	"math/cmplx"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/crew"
	"breadboard/exact/kernel"
)

// Vertical is a number of points on a vertical line of the complex plane: Power + i k Step, k = 0..Points-1.
type Vertical struct {
	Power, Step float64
	Points      int
}

// EndTransform holds E[(w Z_1/Z_T)^s; 0 < w < Inf, x_T = x] of forward chains at the points s of a vertical line: exp(LogScale[x])
// times Values[x][k] for the state x and the k-th point.
type EndTransform struct {
	// LogScale is the logarithm of the transform at Power, by state. It is -Inf where no chain of finite and positive weight
	// ends, and +Inf where it is not known, because transitions that float64 cannot hold matter there.
	LogScale []float64
	Values   [][]complex128 // by state; none is larger than one
	Rounding float64        // bounds the error of the values
}

// EndTransforms returns the joint transforms of the weight and of the last state for each line, by complex tilted propagation:
// what EndCGF is at real powers. It takes one sweep of O(T entries points) time. Memory does not depend on T. Zero workers
// stand for one for each processor. Progress is as in Options, and may be nil. It fails where the transforms take more memory than
// kernel.MaxBytes, before it takes any.
func EndTransforms(ctx context.Context, a *chains.Annealing, lines []Vertical, workers int, progress func(steps int)) ([]EndTransform, error) {
	p := newProblem(a, Options{Workers: workers, Progress: progress})
	points := 0
	for _, l := range lines {
		points += l.Points
	}
	if err := checkTransforms(points, a.States()); err != nil {
		return nil, err
	}
	logZRatio, n := p.logZRatio(), a.States()
	powers := make([]float64, len(lines))
	out := make([]EndTransform, len(lines))
	type piece struct {
		line, at int
		band     band
	}
	var pieces []piece
	for i, l := range lines {
		powers[i] = l.Power
		out[i] = EndTransform{make([]float64, n), make([][]complex128, n), 0}
		for x := range n {
			out[i].Values[x] = make([]complex128, l.Points)
		}
		for k, b := range bands(l.Power, 0, l.Step, l.Points, n) {
			pieces = append(pieces, piece{i, k * bandOf(n), b})
		}
	}
	want, err := EndCGF(ctx, p.Annealing, chains.Forward, powers)
	if err != nil {
		return nil, err
	}
	done := p.portions(len(pieces))
	err = crew.Jobs(ctx, len(pieces), p.Workers, func(ctx context.Context, i int) error {
		defer done(1)
		q := pieces[i]
		f := newTilted(q.band, n)
		f.byState = true
		if err := p.propagate(ctx, chains.Forward, f, contextError); err != nil {
			return err
		}
		o := &out[q.line]
		f.byEnd(o.Values, q.at, logZRatio)
		if q.at > 0 {
			return nil
		}
		for x := range n {
			o.LogScale[x] = f.endScale(x)
			if !(math.Abs(o.LogScale[x]-want[q.line][x]) <= 1e-9*(1+math.Abs(want[q.line][x]))) && o.LogScale[x] != want[q.line][x] {
				o.LogScale[x] = math.Inf(1) // transitions that are too small for float64 matter here
			}
			o.LogScale[x] -= q.band.power * logZRatio
		}
		highest := float64(lines[q.line].Points) * lines[q.line].Step
		o.Rounding = transformRounding(n, f.moves) + f.defect + highest*number.Finite(logZRatio)*0x1p-53
		return nil
	})
	return out, err
}

// checkTransforms fails where the values at so many points, one for each of so many states, take too much memory.
func checkTransforms(points, states int) error {
	const value = 16
	what := fmt.Sprintf("the transforms of log weights at %d points for each of %d states", points, states)
	return kernel.CheckBytes(what, value*float64(points)*float64(states), "take a smaller space, or a target of a smaller range")
}

// byEnd writes the values of a band by state, from a place on, relative to the power alone. They are turned as dividing the
// weight by exp(logR) does.
func (f *tilted) byEnd(values [][]complex128, at int, logR float64) {
	for x := range f.delta {
		row := f.row(f.cur, x)
		scale := row[0]
		if scale == 0 {
			continue
		}
		for j := range f.size {
			y := f.first + float64(j)*f.spacing
			values[x][at+j] = complex(row[1+2*j]/scale, row[2+2*j]/scale) * cmplx.Rect(1, -y*logR)
		}
	}
}

// endScale returns the logarithm of the power alone at a state.
func (f *tilted) endScale(x int) float64 { return f.logScale.Value() + math.Log(f.cur[x*f.width]) }
