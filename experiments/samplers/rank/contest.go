package rank

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/exact/averages"
	"breadboard/experiments"
	"breadboard/experiments/samplers"
	"breadboard/toys"
)

// Contest has the chains that compete at equal work, and says which kernels do not.
type Contest struct {
	Problems []samplers.Problem
	Left     []Left
}

// Left is a kernel that does not compete on some targets.
type Left struct {
	Kernel  string
	Targets []string
	Why     error // on the first of them
}

// NewContest builds the chains of a selection. A selection without functions gets the default one of each target. A kernel does not compete
// on a target whose space it cannot move on, nor where it does not say its work. It fails where no kernel competes, where one of others than
// the default ones competes nowhere, and where one does not leave its target invariant.
func NewContest(ctx context.Context, s samplers.Selection) (*Contest, error) {
	switch {
	case len(s.Kernels) == 0:
		return nil, chains.NewAdvice("no kernel is named; give some, as in {kernel} metropolis,heatbath")
	case len(s.Starts) == 0:
		return nil, chains.NewAdvice("no start is named; give one, as in {start} uniform")
	}
	targets, err := s.Targets(ctx)
	if err != nil {
		return nil, err
	}
	c := &Contest{}
	for _, toy := range targets {
		own := s
		if len(s.Functions) == 0 {
			own.Functions = []string{samplers.DefaultFunction(toy)}
		}
		for _, kernel := range s.Kernels {
			if err := c.enter(ctx, own, toy, strings.TrimSpace(kernel)); err != nil {
				return nil, err
			}
			if s.Progress != nil {
				s.Progress(1)
			}
		}
	}
	named := !slices.Equal(s.Kernels, DefaultKernels())
	for _, l := range c.Left {
		if len(l.Targets) == len(targets) && (named || len(c.Problems) == 0) {
			return nil, fmt.Errorf("kernel %s can compete nowhere: toy %s: %w", l.Kernel, l.Targets[0], l.Why)
		}
	}
	return c, nil
}

// enter adds the chain of a kernel on a target, or to those that do not compete.
func (c *Contest) enter(ctx context.Context, s samplers.Selection, toy *toys.Toy, kernel string) error {
	if _, err := experiments.ParseKernel(ctx, kernel, toy.Space, s.Programs); err != nil {
		if chains.IsFault(err) || ctx.Err() != nil {
			return err
		}
		c.leave(kernel, toy.Name, err)
		return nil
	}
	p, err := s.Problem(ctx, toy, kernel)
	if err != nil {
		return err
	}
	if !(p.Evaluations > 0) { // NaN where it does not say
		c.leave(kernel, toy.Name, uncounted(p))
		return nil
	}
	for i := range c.Problems {
		if c.Problems[i].Toy == toy && c.Problems[i].Kernel == p.Kernel {
			return fmt.Errorf("the kernel %s is named twice; name each once", p.Kernel)
		}
	}
	c.Problems = append(c.Problems, *p)
	return nil
}

// uncounted says why there is no equal work for a kernel.
func uncounted(p *samplers.Problem) error {
	if math.IsNaN(p.Evaluations) {
		return errors.New("it does not say how often a move asks for log f, so that there is no equal work")
	}
	return errors.New("its moves never ask for log f, so that every number of samples is within every budget")
}

// leave notes that a kernel does not compete on a target.
func (c *Contest) leave(kernel, target string, why error) {
	i := slices.IndexFunc(c.Left, func(l Left) bool { return l.Kernel == kernel })
	if i < 0 {
		c.Left = append(c.Left, Left{Kernel: kernel, Why: why})
		i = len(c.Left) - 1
	}
	c.Left[i].Targets = append(c.Left[i].Targets, target)
}

// check fails where the budget is none, does not pay for the start and one move of each chain, or pays for more samples than can be asked about.
func (c *Contest) check(budget float64) error {
	if !(budget >= 1) || math.IsInf(budget, 1) {
		return chains.NewAdvice("{budget} %v; give a number of evaluations of log f, 2 or more", budget)
	}
	for i := range c.Problems {
		p := &c.Problems[i]
		n := p.Samples(budget)
		if n < 2 {
			return chains.NewAdvice("{budget} %v: the start and one move of %s on %s ask for log f %v times; give at least as much, or leave the kernel out",
				budget, p.Kernel, p.Toy.Name, p.Work(2))
		}
		if n > averages.MaxRecursion {
			return chains.NewAdvice("{budget} %v pays for more than %d samples of %s on %s, the most for which warm-ups are tried; give a smaller one",
				budget, averages.MaxRecursion, p.Kernel, p.Toy.Name)
		}
		for _, f := range p.Functions {
			if _, err := p.Chain.Fastest(question(f.Parts[0], nil, []int64{n})); err != nil {
				return chains.NewAdvice("{budget} %v: toy %s, kernel %s, function %s: %w", budget, p.Toy.Name, p.Kernel, f.Name, err)
			}
		}
	}
	return nil
}

// question asks for all errors of a function.
func question(f *averages.Function, starts [][]float64, n []int64) averages.Question {
	return averages.Question{Function: f, Starts: starts, N: n, Variance: true, Distribution: true}
}

// DefaultKernels returns the kernels that compete where no others are named: local moves, moves that sometimes go anywhere, and draws of a
// coordinate given the others.
func DefaultKernels() []string {
	return []string{"metropolis", "barker", "moore", "jump:0.1", "heatbath", "heatbath-scan", "suwa-todo"}
}
