// Package experiments answers: which study? Each study is a plain function from a configuration to a typed
// result. It never prints, draws or reads flags.
package experiments

import (
	"context"
	"fmt"
	"strings"

	"breadboard/chains"
	"breadboard/chains/abandon"
	"breadboard/exact"
	"breadboard/experiments/external"
	"breadboard/experiments/schedules"
	"breadboard/grid"
	"breadboard/toys"
)

// Selection names a family of annealings by the selectors of the command line: every toy with every number of
// distributions, along one path, schedule and kernel.
type Selection struct {
	Toys          []string           // for toys.Parse
	Distributions []int              // T; where empty, the length of a schedule from a file, or Default
	Default       []int              // where empty, PaperDistributions
	Path          string             // for toys.ParsePath
	Initial       string             // for toys.ParseInitial; where empty, uniform
	Schedule      string             // for schedules.Parse
	Kernel        string             // for external.ParseKernel
	Programs      *external.Programs // where kernels in other programs are started; nil refuses them
	Progress      func(cases int)    // called for each annealing that has been built; may be nil
}

// PaperDistributions are numbers of distributions that span the paper's Figure 3.
func PaperDistributions() []int {
	return []int{10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000}
}

// PaperToys are the selectors of the paper's toys.
func PaperToys() []string { return []string{"easy", "hard", "barrier"} }

// kernel returns the kernel on a space, where it is one that moves under every distribution of an annealing.
func (s Selection) kernel(ctx context.Context, space *grid.Lattice) (chains.Kernel, error) {
	k, err := ParseKernel(ctx, s.Kernel, space, s.Programs)
	if err != nil {
		return nil, err
	}
	switch k := k.(type) {
	case *external.Matrix:
		return nil, fmt.Errorf("kernel %v is for the target alone; give a file for each stage with {t} in the path, or use kernel check", k)
	case *external.Matrices:
		if k.Rounding() > external.ExactRounding {
			return nil, fmt.Errorf("kernel %v is rounded to %.1g; exact answers need all digits: write them, or .npy", k, 2*k.Rounding())
		}
	case *external.Program:
		if k.Samples() {
			return nil, fmt.Errorf("kernel %v makes its own choices; exact answers need the mode choose, and kernel check tests it", k)
		}
	}
	return k, nil
}

// ParseToy is toys.Parse, which reads files and draws millions of numbers, and fails where the context ends.
func ParseToy(ctx context.Context, selector string) (*toys.Toy, error) {
	var toy *toys.Toy
	var err error
	if ended := abandon.Unless(ctx, func() { toy, err = toys.Parse(selector) }); ended != nil {
		return nil, ended
	}
	return toy, err
}

// ParseKernel is external.ParseKernel, which reads files, and fails where the context ends.
func ParseKernel(ctx context.Context, selector string, space *grid.Lattice, programs *external.Programs) (chains.Kernel, error) {
	var k chains.Kernel
	var err error
	if ended := abandon.Unless(ctx, func() { k, err = external.ParseKernel(selector, space, programs) }); ended != nil {
		return nil, ended
	}
	return k, err
}

// path returns the path from the initial distribution to a toy, and the canonical name of that distribution. Both may be
// in files; reading them is abandoned where the context ends.
func (s Selection) path(ctx context.Context, toy *toys.Toy) (_ chains.Path, initial string, err error) {
	selector := s.Initial
	if selector == "" {
		selector = uniform
	}
	var start toys.Initial
	var found chains.Path // the work may still write to it when path has returned
	var wrong error
	ended := abandon.Unless(ctx, func() {
		if start, wrong = toys.ParseInitial(ctx, selector, toy); wrong == nil {
			found, wrong = toys.ParsePath(s.Path, start.Ends, toy)
		}
	})
	if ended != nil {
		return nil, "", ended
	}
	return found, start.Name, wrong
}

// kernelName returns the selector that a kernel names itself by: lazy:.5 and lazy:0.5 are one.
func kernelName(k chains.Kernel, selector string) string {
	if k, ok := k.(fmt.Stringer); ok {
		return k.String()
	}
	return selector
}

// Cases builds and validates every annealing of a selection, toy by toy. It fails where the context ends, which may be
// while a schedule that looks at the path is placed.
func (s Selection) Cases(ctx context.Context) ([]Case, error) {
	family, err := schedules.Parse(s.Schedule)
	if err != nil {
		return nil, err
	}
	if len(s.Toys) == 0 {
		return nil, chains.NewAdvice("no toy is named; give one, as in {toy} barrier")
	}
	var cases []Case
	for _, selector := range s.Toys {
		toy, err := ParseToy(ctx, strings.TrimSpace(selector))
		if err != nil {
			return nil, err
		}
		path, initial, err := s.path(ctx, toy)
		if err != nil {
			return nil, err
		}
		kernel, err := s.kernel(ctx, toy.Space)
		if err != nil {
			return nil, err
		}
		placement, err := family.On(ctx, path, kernel)
		if err != nil {
			return nil, fmt.Errorf("toy %s: %w", toy.Name, err)
		}
		for _, T := range s.lengths(family) {
			schedule, err := placement.Place(ctx, T)
			if err != nil {
				return nil, err
			}
			if points, ok := schedule.(*chains.Points); ok {
				T = points.Len()
			}
			a, err := chains.NewAnnealing(path, schedule, kernel, T)
			if err != nil {
				return nil, err
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err := exact.Validate(a); err != nil {
				return nil, fmt.Errorf("toy %s: %w", toy.Name, err)
			}
			setting := Setting{path.String(), initial, family.Name, kernelName(kernel, s.Kernel), T}
			cases = append(cases, Case{toy, a, setting.Params()})
			if s.Progress != nil {
				s.Progress(1)
			}
		}
	}
	return cases, nil
}

// lengths returns the numbers of distributions to place; 0 asks a schedule for its own.
func (s Selection) lengths(family schedules.Family) []int {
	switch {
	case len(s.Distributions) > 0:
		return s.Distributions
	case family.OwnLength:
		return []int{0}
	case len(s.Default) > 0:
		return s.Default
	}
	return PaperDistributions()
}

// Uneven returns the same toys and kernel in annealings of which no two stages are alike: under the linear schedule of
// a geometric path all increments are, and what belongs to one stage could be used at another unseen.
func (s Selection) Uneven() Selection {
	s.Distributions, s.Path, s.Initial, s.Schedule = []int{5}, "q:0.5", "", "power:2"
	return s
}

// Beside returns the cases of Uneven, which are run beside those of the selection. There are none where the kernel is
// staged: it has rows for the stages of its own schedule only.
func (s Selection) Beside(ctx context.Context, cases []Case) ([]Case, error) {
	if _, staged := cases[0].Annealing().Kernel().(chains.Staged); staged {
		return nil, nil
	}
	return s.Uneven().Cases(ctx)
}
