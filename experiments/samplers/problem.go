package samplers

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/exact/averages"
	"breadboard/toys"
)

// Problem is a kernel on a target, with the starts and the functions for which a study asks about its chains.
type Problem struct {
	Toy    *toys.Toy
	Kernel string        // the selector of the kernel in canonical form
	Moves  chains.Kernel // the kernel itself, of which others may be made
	Chain  *averages.Chain
	// Evaluations is how often one move asks for log f on average; NaN where the kernel does not say (see chains.Evaluations).
	Evaluations float64
	Warmup      int // the number of moves that are made before the first sample
	Starts      []Start
	Functions   []Function
}

// newProblem builds the problem of a kernel on a toy, without starts and functions.
func newProblem(ctx context.Context, toy *toys.Toy, k chains.Kernel, name string) (*Problem, error) {
	p := &Problem{Toy: toy, Kernel: name, Moves: k, Evaluations: math.NaN()}
	if each, says := chains.Evaluations(k); says {
		p.Evaluations = each
	}
	var err error
	if p.Chain, err = averages.New(ctx, k, toy.G); err != nil {
		return nil, fmt.Errorf("toy %s: %w", toy.Name, toy.Explain(err))
	}
	return p, nil
}

// Form builds the problem of a kernel that is made of that of this one, of the library or not. Its name begins with a prefix. It has the
// same functions, and no starts.
func (p *Problem) Form(ctx context.Context, prefix string, of func(chains.Kernel) chains.Kernel) (*Problem, error) {
	form, err := newProblem(ctx, p.Toy, of(p.Moves), prefix+p.Kernel)
	if err != nil {
		return nil, err
	}
	form.Functions = p.Functions
	return form, nil
}

// Name names the target and the kernel in an error or a note.
func (p *Problem) Name() string { return fmt.Sprintf("toy %s, kernel %s", p.Toy.Name, p.Kernel) }

// Start is the law of the first sample.
type Start struct {
	Name string    // its selector
	Law  []float64 // a probability for each state, after the moves of the warm-up
}

// Function is a function of the state, or a vector of several.
type Function struct {
	Name  string // its selector
	Parts []*averages.Function
}

// Whole reports whether the function is a single one, and not a vector.
func (f Function) Whole() bool { return len(f.Parts) == 1 }

// Work returns how often a chain asks for log f until it has N samples: once for the state where it begins, and then as its moves do,
// those of the warm-up among them. It is NaN where the kernel does not say.
func (p *Problem) Work(n int64) float64 { return 1 + (float64(p.Warmup)+float64(n-1))*p.Evaluations }

// Samples returns the largest number of samples whose work is within a budget, and zero where there is none. It is -1 where the kernel
// does not say what a move costs.
func (p *Problem) Samples(budget float64) int64 {
	if math.IsNaN(p.Evaluations) {
		return -1
	}
	moves := math.Inf(1) // of a kernel that never asks for log f
	if p.Evaluations > 0 {
		moves = math.Floor((budget - 1) / p.Evaluations)
	}
	if budget < 1 || moves < float64(p.Warmup) {
		return 0
	}
	return int64(min(moves-float64(p.Warmup)+1, averages.MaxSquaring))
}

// Setting says of which chains, which function and how many samples a row is.
type Setting struct {
	*Problem
	Start    Start
	Function Function
	N        int64
}

// Settings returns the settings of every problem, start, function and number of samples, ordered by these.
func Settings[I int | int64](problems []Problem, samples []I) (all []Setting) {
	for i := range problems {
		for _, start := range problems[i].Starts {
			for _, f := range problems[i].Functions {
				for _, n := range samples {
					all = append(all, Setting{Problem: &problems[i], Start: start, Function: f, N: int64(n)})
				}
			}
		}
	}
	return all
}

// String names the setting in an error or a note.
func (s *Setting) String() string {
	return fmt.Sprintf("%s, start %s, function %s, N = %d", s.Name(), s.Start.Name, s.Function.Name, s.N)
}
