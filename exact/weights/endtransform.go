package weights

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/cmplx"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/crew"
	"breadboard/exact/kernel"
)

// Vertical is a number of points on a vertical line of the complex plane: Power + i k Step, k =
// 0..Points-1.
type Vertical struct {
	Power, Step float64
	Points      int
}

// EndTransform holds E[(w Z_1/Z_T)^s; 0 < w < Inf, x_T = x] of forward chains at the points s of a
// vertical line: exp(LogScale[x]) times Values[x][k] for the state x and the k-th point.
type EndTransform struct {
	// LogScale is the logarithm of the transform at Power, by state. It is -Inf if no chain of
	// finite and positive weight ends, and +Inf if it is not known, because transitions that
	// float64 cannot hold matter there.
	LogScale []float64
	Values   [][]complex128 // by state; none is larger than one
	Rounding float64        // bounds the error of the values
}

// EndTransforms returns the joint transforms of the weight and of the last state for each line, by
// complex tilted propagation: EndCGF at complex powers. It takes one sweep of O(T entries points)
// time. Memory does not depend on T. Zero workers means one for each processor. Progress is as in
// Options, and may be nil. It fails if the transforms take more memory than kernel.MaxBytes, before
// it takes any.
//
//	u_1(x) = p_1(x), u_t(y) = sum over x of u_(t-1)(x) (f_t(x)/f_(t-1)(x) over Z_t/Z_(t-1))^s T_t(x, y)
//
// for each s, and the result is u_T.
func EndTransforms(ctx context.Context, a *chains.Annealing, lines []Vertical, workers int,
	progress func(steps int)) ([]EndTransform, error) {
	p := newProblem(a, Options{Workers: workers, Progress: progress})
	points := 0
	for _, l := range lines {
		points += l.Points
	}
	if err := checkTransforms(points, a.States()); err != nil {
		return nil, err
	}
	logZRatio := p.logZRatio()
	n := a.States()
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
			o.LogScale[x] = f.logScale.Value() + number.Log(f.cur[x*f.width])
			if !(math.Abs(o.LogScale[x]-want[q.line][x]) <= 1e-9*(1+math.Abs(want[q.line][x]))) &&
				o.LogScale[x] != want[q.line][x] {
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

// checkTransforms fails if the values at the given points, for each of the given number of states,
// take too much memory.
func checkTransforms(points, states int) error {
	const value = 16
	what := fmt.Sprintf("the transforms of log weights at %d points for each of %d states", points, states)
	return kernel.CheckBytes(
		what,
		value*float64(points)*float64(states),
		"take a smaller space, or a target of a smaller range",
	)
}

// byEnd writes the values of a band by state, from a place on, relative to the power alone. They
// are turned as dividing the weight by exp(logR) does.
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

// mostStayers is the largest number of stayers whose atoms are removed from the distributions.
const mostStayers = 64

// stayer is a state x together with the chains that hold it for the whole time in which the log
// weight is made, so that x_1 = x_2 = ... = x_{T-1} = x. The log weight does not depend on x_T. All
// chains of a stayer share one log weight, which is the same in both directions, often with a large
// probability. It is therefore an atom of both distributions, and no bounds by inversion could be
// narrower than the atom. So the atom is removed before inversion and added back as a step.
type stayer struct {
	value float64    // the shared log weight
	p     [2]float64 // the probability of these chains, by direction
}

// stayers returns the likeliest stayers with a log weight from low to high, at most mostStayers,
// ordered by the larger of the probabilities of both directions. The forward chain is at x_1 = x
// with probability p_1(x). The reverse chain is at x_{T-1} = x with probability p_T(x), because its
// first move leaves p_T invariant. A kernel and its time reversal stay at x with the same
// probability. It takes one sweep over t.
func (p *problem) stayers(ctx context.Context, low, high float64) ([]stayer, error) {
	s := p.newStage()
	defer p.stages.Put(s)
	s.LoadDensity(&s.Here, 1)
	T := p.Annealing.Distributions()
	first := append([]float64(nil), s.Here.P...)
	values := make([]number.Sum, len(first))
	stay := make([]float64, len(first))
	once := make([]float64, len(first))
	for x := range stay {
		stay[x] = 1
	}
	for t := 2; t <= T; t++ {
		if t%p.Pulse == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := s.Load(ctx, t); err != nil {
			return nil, err
		}
		if t < T {
			s.Staying(once)
		}
		for x := range stay {
			if !s.Both(x) {
				stay[x] = 0
			}
			values[x].Add(s.Delta[x])
			if t < T {
				stay[x] *= once[x]
			}
		}
	}
	var out []stayer
	var logs []float64
	for x, v := range stay {
		if l := values[x].Value(); v > 0 && l >= low && l <= high {
			out, logs = append(out, stayer{l, [2]float64{v * first[x], v * s.Here.P[x]}}),
				append(logs, l+p.Offset)
		}
	}
	levels := number.LevelsOf(logs)
	shared := map[int]float64{}
	for i, l := range logs {
		// log weights that are one but for rounding become one, so that their difference is zero
		at, _ := levels.Find(l)
		if _, known := shared[at]; !known {
			shared[at] = out[i].value
		}
		out[i].value = shared[at]
	}
	slices.SortStableFunc(out, func(a, b stayer) int { return cmp.Compare(max(b.p[0], b.p[1]), max(a.p[0], a.p[1])) })
	return out[:min(len(out), mostStayers)], nil
}

// weighted is a value with its probability.
type weighted struct{ value, p float64 }

// atomsOf returns the atoms that the stayers have in the distribution of one direction.
func atomsOf(stayers []stayer, d chains.Direction) []weighted {
	out := make([]weighted, len(stayers))
	for i, s := range stayers {
		out[i] = weighted{s.value, s.p[d]}
	}
	return out
}

// atomsOfDifference returns the atoms that the stayers have in the distribution of a reverse minus
// a forward log weight.
func atomsOfDifference(stayers []stayer) []weighted {
	var out []weighted
	for _, r := range stayers {
		for _, f := range stayers {
			out = append(out, weighted{r.value - f.value, r.p[chains.Reverse] * f.p[chains.Forward]})
		}
	}
	return out
}

// transformAtoms returns the sum over the atoms of p exp(i k step value), for k = 1..n.
func transformAtoms(atoms []weighted, step float64, n int) []complex128 {
	out := make([]complex128, n)
	for _, a := range atoms {
		if a.p < diedOut {
			continue
		}
		turn := cmplx.Rect(1, step*a.value)
		z := complex(0, 0)
		for k := range out {
			if k%factorAnchor == 0 {
				z = cmplx.Rect(a.p, math.Mod(float64(k+1)*step*a.value, 2*math.Pi))
			}
			out[k] += z
			z *= turn
		}
	}
	return out
}
