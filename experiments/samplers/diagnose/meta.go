package diagnose

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/experiments/samplers"
)

// MetaOptions say which question is asked.
type MetaOptions struct {
	N        []int // the numbers of samples
	Label    Label
	Chains   int            // K of the label ESSD, which is of so many simulated chains
	Repeats  int            // how often targets are split into those to learn from and those held out
	Seed     uint64         // of the splits and of the simulated chains
	Workers  int            // the number of computations at once; 0 is one for each processor
	Progress func(jobs int) // called from several goroutines at once; the calls add up to Steps; may be nil
}

// MaxRepeats is the largest number of splits.
const MaxRepeats = 10_000

// leastTargets is the least number of targets, of which a fifth is held out.
const leastTargets = 5

// Result is the answer of the study.
type Result struct {
	Rows     []MetaRow
	Points   int // the number of points that the regression has seen
	Targets  int // the number of their targets
	Held     int // how many of these are held out
	Repeats  int
	Omitted  []Omission
	Constant []string // the names of features that are the same at every point
}

// calibration returns the options of the study that finds the numbers of the regression.
func (o MetaOptions) calibration() CalibrateOptions {
	c := CalibrateOptions{N: o.N, Seed: o.Seed, Workers: o.Workers, Progress: o.Progress, MeanOnly: true}
	if o.Label == ESSD {
		c.Chains = o.Chains
	}
	return c
}

// Validate returns an error that says why Run would refuse the study, and nil where it would not.
func (o MetaOptions) Validate(problems []samplers.Problem) error {
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
	if settings := o.calibration().Steps(problems); settings > maxPoints {
		return chains.NewAdvice("%d settings; Gaussian processes here learn from at most %d points, so give fewer targets, kernels, starts, functions or {N}", settings, maxPoints)
	}
	return o.calibration().Validate(problems)
}

// Steps returns the number of jobs that Run reports to Progress.
func (o MetaOptions) Steps(problems []samplers.Problem) int {
	return o.calibration().Steps(problems) + o.Repeats*len(methods())
}

// RunMeta finds the diagnostics and the errors of every problem, and how well the former foretell the latter.
func RunMeta(ctx context.Context, problems []samplers.Problem, o MetaOptions) (*Result, error) {
	if err := o.Validate(problems); err != nil {
		return nil, err
	}
	rows, err := RunCalibrate(ctx, problems, o.calibration())
	if err != nil {
		return nil, err
	}
	return regress(ctx, rows, o)
}

// regress compares the methods on the rows of the calibration.
func regress(ctx context.Context, rows []CalibrateRow, o MetaOptions) (*Result, error) {
	all, omitted := points(rows, o.Label)
	names := targets(all)
	if len(names) < leastTargets {
		return nil, fmt.Errorf("after what had to be left out (%s) %d targets remain; a regression needs at least %d", omissions(omitted), len(names), leastTargets)
	}
	out := &Result{Points: len(all), Targets: len(names), Repeats: o.Repeats, Omitted: omitted}
	for _, held := range split(names, o.Seed, 0) {
		if held {
			out.Held++
		}
	}
	for d, f := range Features() {
		if constant(column(all, func(p point) float64 { return p.features[d] })) {
			out.Constant = append(out.Constant, f.Name)
		}
	}
	var err error
	out.Rows, err = compare(ctx, all, o)
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
