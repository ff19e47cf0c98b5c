package evidence

import (
	"context"
	"strings"

	"breadboard/experiments"
	"breadboard/toys"
)

// The defaults of a selection: the targets, the schedule of annealing, and the kernels on a grid and elsewhere.
const (
	DefaultSchedule = "sigmoid:4"
	gridKernel      = "heatbath-scan"
	graphKernel     = "metropolis"
)

// DefaultToys are the selectors of a model and of a toy without one.
func DefaultToys() []string { return []string{"clu8", "easy"} }

// Cases returns the annealings of a selection, one for each toy. Where the selection names no kernel it is heatbath-scan on a grid, which
// draws one axis after another, and else metropolis. The numbers of distributions come from the work, and not from the selection.
func Cases(ctx context.Context, s experiments.Selection) ([]experiments.Case, error) {
	s.Distributions, s.Default = nil, []int{2}
	if s.Kernel != "" || len(s.Toys) == 0 {
		return s.Cases(ctx)
	}
	var cases []experiments.Case
	var found []*toys.Toy
	for _, selector := range s.Toys {
		toy, err := experiments.ParseToy(ctx, strings.TrimSpace(selector))
		if err != nil {
			return nil, err
		}
		found = append(found, toy)
		if err := toys.CheckNames(found); err != nil {
			return nil, err
		}
		one := s
		one.Toys, one.Kernel = []string{selector}, graphKernel
		if toy.Lattice() != nil {
			one.Kernel = gridKernel
		}
		its, err := one.Cases(ctx)
		if err != nil {
			return nil, err
		}
		cases = append(cases, its...)
	}
	return cases, nil
}
