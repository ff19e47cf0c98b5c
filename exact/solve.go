package exact

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/lanes"
	"breadboard/exact/internal/stage"
)

// Options say how Solve works, and never change what it answers. The zero value is the default.
type Options struct {
	// Progress is called now and then with the number of steps taken since the last call. The calls add up to T - 1 for
	// each sweep over t; steps that a second method repeats are not counted twice. It may be nil.
	Progress func(steps int)
	// General makes Solve use the general method even where a specialised one applies, so that they can be compared.
	General bool
	// Workers is the number of goroutines that may share one solve, the caller's among them. On a space of many thousands of
	// states the stencil takes as many as find work. So does the method applied from 65,536 states on, one for 4096 states at most, where
	// the kernel is local or made of local ones alone; with any other kernel two of them move, one for each direction, and all share only
	// what is done for each state before that. All else takes one. Zero is one. The answer is the same to the last bit.
	Workers int
}

// MaxLogRange is the largest range of log f, in nats, that Validate accepts. Beyond it the rounding of log f
// itself is larger than the promised error.
const MaxLogRange = 10_000

// Validate returns the error with which Solve would refuse an annealing, nil if it would not: the log f of a
// distribution spans more than MaxLogRange. It looks at both ends of the path, at the stages next to them, because a
// path of power means close to the geometric one may be far from its ends there, and at the bends of the path.
func Validate(a *chains.Annealing) error {
	T := a.Distributions()
	type stop struct {
		what string
		at   chains.Place
	}
	stops := []stop{
		{"initial distribution", chains.At(0)}, {"target", chains.At(1)},
		{"distribution at t = 2", a.Place(2)}, {fmt.Sprintf("distribution at t = %d", T-1), a.Place(T - 1)},
	}
	for _, beta := range a.Path().Kinks() {
		stops = append(stops, stop{fmt.Sprintf("distribution at beta %v", beta), chains.At(beta)})
	}
	logf := make([]float64, a.States())
	for _, s := range stops {
		a.Path().LogF(logf, s.at)
		if low, high := number.Bounds(logf); high-low > MaxLogRange {
			return fmt.Errorf("log f of the %s spans %.6g nats; beyond %d its own rounding spoils the digits: raise its lowest values, or make them -inf", s.what, high-low, MaxLogRange)
		}
	}
	return nil
}

// Solve returns the exact J and B of an annealing, and all else that a Solution holds, by the first of its methods that
// applies (see the documentation of the package, which also says what a step takes). Time is proportional to T, and memory does
// not depend on it. Solve fails where Validate does, where the kernel does not do what it says (see package kernel and
// chains.Kernel), where the rows that the general method would form take more than 4 GB, where the context ends, and where
// rounding has left the total mass of the output more than 1e-12 away from one.
func Solve(ctx context.Context, a *chains.Annealing, o Options) (*Solution, error) {
	if err := Validate(a); err != nil {
		return nil, err
	}
	p := stage.NewProblem(a, o.Progress)
	sol, err := solve(ctx, p, o)
	if err != nil {
		return nil, err
	}
	p.Flush()
	sol.shift(p.Offset)
	return sol, nil
}

// Vectors names the instructions that Solve computes with: "AVX-512" or "AVX2" on a processor of amd64 that has them, else
// "portable", as in every program that was built with the tag noasm. The bytes of its results are the same with all of them.
func Vectors() string { return lanes.Widest().String() }

// solve tries the specialised methods where they apply, and uses the general one where they cannot keep the digits.
func solve(ctx context.Context, p *stage.Problem, o Options) (*Solution, error) {
	if !o.General {
		for _, special := range []func(context.Context, *stage.Problem, Options) (*Solution, bool, error){solveStencil, solveApplied} {
			sol, ok, err := special(ctx, p, o)
			if ok || err != nil {
				return sol, err
			}
			p.Restart()
		}
	}
	return solveGeneral(ctx, p)
}
