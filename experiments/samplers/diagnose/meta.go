package diagnose

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/experiments/samplers"
	"breadboard/experiments/study"
)

// MetaOptions say which question is asked.
type MetaOptions struct {
	N       []int // the numbers of samples
	Label   Label
	Chains  int    // K of the label ESSD, which is of so many simulated chains
	Repeats int    // how often targets are split into those to learn from and those held out
	Seed    uint64 // of the splits and of the simulated chains
}

// MaxRepeats is the largest number of splits.
const MaxRepeats = 10_000

// leastTargets is the least number of targets, of which a fifth is held out.
const leastTargets = 5

// Material is what all methods have learned from, and were scored on.
type Material struct {
	Points   int // the number of points that the regression has seen
	Targets  int // the number of their targets
	Held     int // how many of these are held out
	Repeats  int
	Omitted  []Omission
	Constant []string // the names of features that are the same at every point
}

// calibration returns the options of the study that finds the numbers of the regression.
func (o *MetaOptions) calibration() *CalibrateOptions {
	c := &CalibrateOptions{N: o.N, Seed: o.Seed, MeanOnly: true}
	if o.Label == ESSD {
		c.Chains = o.Chains
	}
	return c
}

// check fails where the question cannot be answered.
func (o *MetaOptions) check(problems []samplers.Problem) error {
	if !slices.Contains(Labels(), o.Label) {
		var choices []string
		for _, l := range Labels() {
			choices = append(choices, string(l))
		}
		return chains.NewAdvice("{label} %q; choices: %s", string(o.Label), strings.Join(choices, ", "))
	}
	if o.Repeats < 1 || o.Repeats > MaxRepeats {
		return chains.NewAdvice("{repeats} %d; give a number of splits from 1 to %d", o.Repeats, MaxRepeats)
	}
	if o.Label == ESSD && o.Chains < 1 {
		return chains.NewAdvice("{chains} %d; the label essd is of simulated chains, so give at least 2 of them", o.Chains)
	}
	var names []string
	for _, p := range problems {
		if p.Toy.Lattice() == nil {
			return fmt.Errorf("toy %s is on a graph, whose states have no coordinates, and the regression uses how many there are; leave it out", p.Toy.Name)
		}
		if len(names) == 0 || names[len(names)-1] != p.Toy.Name {
			names = append(names, p.Toy.Name)
		}
	}
	if len(names) < leastTargets {
		return chains.NewAdvice("%d targets (%s); a fifth of them is held out, so give at least %d, as {corpus} small has", len(names), strings.Join(names, ", "), leastTargets)
	}
	if settings := len(samplers.Settings(problems, o.N)); settings > maxPoints {
		return chains.NewAdvice("%d settings; Gaussian processes here learn from at most %d points, so give fewer targets, kernels, starts, functions or {N}", settings, maxPoints)
	}
	return nil
}

// metaPlan finds the diagnostics and the errors of every problem, and how well the former predict the latter.
func metaPlan(ctx context.Context, problems []samplers.Problem, o *MetaOptions) (p study.Plan[MetaRow], err error) {
	if err := o.check(problems); err != nil {
		return p, err
	}
	calibration, err := calibratePlan(ctx, problems, o.calibration())
	p.Steps = calibration.Steps + o.Repeats*len(methods())
	p.Run = func(ctx context.Context, h study.How) ([]MetaRow, error) {
		rows, err := calibration.Run(ctx, h)
		if err != nil {
			return nil, err
		}
		return regress(ctx, rows, o, h)
	}
	return p, err
}

// regress compares the methods on the rows of the calibration.
func regress(ctx context.Context, rows []CalibrateRow, o *MetaOptions, h study.How) ([]MetaRow, error) {
	all, omitted := points(rows, o.Label)
	names := targets(all)
	if len(names) < leastTargets {
		return nil, fmt.Errorf("after what had to be left out (%s) %d targets remain; a regression needs at least %d", omissions(omitted), len(names), leastTargets)
	}
	from := &Material{Points: len(all), Targets: len(names), Repeats: o.Repeats, Omitted: omitted}
	for _, held := range split(names, o.Seed, 0) {
		if held {
			from.Held++
		}
	}
	for d, f := range Features() {
		if constant(column(all, func(p point) float64 { return p.features[d] })) {
			from.Constant = append(from.Constant, f.Name)
		}
	}
	out, err := compare(ctx, all, o, h)
	for i := range out {
		out[i].From = from
	}
	return out, err
}

// omissions says what has been left out.
func omissions(list []Omission) string {
	var parts []string
	for _, o := range list {
		parts = append(parts, o.String())
	}
	return strings.Join(parts, ", ")
}

// String says what has been left out and why.
func (o Omission) String() string { return fmt.Sprintf("%d points where %s", o.Points, o.Reason) }
