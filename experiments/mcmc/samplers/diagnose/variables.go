package diagnose

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/diagnostics"
	"breadboard/chains/errs"
	"breadboard/chains/kernels"
	"breadboard/chains/selector"
	"breadboard/exact/averages"
	"breadboard/experiments/draws/files"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/reports/columns"
	"breadboard/toys/models"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Variable has the diagnostics of a variable along chains of an external program, and exact values
// if a target has the variable as a function. A number that does not exist is NaN.
type Variable struct {
	Draws     string // the files
	Name      string
	Chains, N int // of chains, and of draws in each
	Mean, SD  float64
	MCSEMean  float64 // the Monte Carlo standard error of the mean
	MCSESD    float64 // and of the standard deviation
	Diagnostics
	Truth   *Truth      // nil if it is not known
	Notes   []Note      // including those of the run
	still   bool        // whether a chain never moved
	weights [][]float64 // of the draws, if they are not a chain; else nil
}

// Truth has the exact values of a function of the target's states, and the errors of draws.
type Truth struct {
	Toy, Function    string
	Mean, SD         float64
	RESSChains, ESSD float64 // of the mean of these chains (Turner and Neal 2017, Eqs. 4 and 8)
}

// MeanError returns the error of the mean of the draws in units of MCSEMean.
func (v *Variable) MeanError() float64 { return (v.Mean - v.Truth.Mean) / v.MCSEMean }

// MeanErrorSD returns the error of the mean in exact standard deviations, which exists even if the
// draws never moved.
func (v *Variable) MeanErrorSD() float64 { return (v.Mean - v.Truth.Mean) / v.Truth.SD }

// SDError returns the error of the standard deviation in units of MCSESD.
func (v *Variable) SDError() float64 { return (v.SD - v.Truth.SD) / v.MCSESD }

// Variables diagnoses the draws of one run: every variable of the files, and the requested
// functions of the target, computed from the states. Columns whose names end in two underscores are
// diagnostics of Stan's sampler; of these lp__ is a variable, and divergent__ may give a note. The
// target may be nil. It fails if chains have fewer than four draws, if a function needs states that
// are missing, and if the context ends; progress is called for each variable.
func Variables(ctx context.Context, d *files.Draws, target *Target, wanted columns.Wanted,
	progress func(int)) ([]Variable, error) {
	if n := len(d.Values[0][0]); n < diagnostics.MinDraws {
		return nil, errs.New("%s: found %s in a chain; give at least %d", d.Sources[0],
			selector.Count(n, "draw"), diagnostics.MinDraws)
	}
	whole := *d
	whole.Values = slices.Clone(d.Values)
	run := &drawn{Draws: &whole, target: target}
	run.notes = countOnce(&whole)
	if err := run.findStates(); err != nil {
		return nil, err
	}
	var all []Variable
	for i, name := range whole.Names {
		if target != nil && d.NotFinite[i] == "" {
			if doubt, is := target.fromOne(name, whole.Values[i]); is {
				run.notes = append(run.notes, Note{Advice: doubt, Input: true})
			}
		}
		if strings.HasSuffix(name, "__") && name != "lp__" || target != nil && target.isState(name) {
			continue
		}
		v := run.variable(name)
		f := run.know(&v)
		err := error(nil)
		if d.NotFinite[i] != "" {
			v.Notes = append(v.Notes,
				noteOf("draws are missing or not finite, so nothing can be diagnosed: %s", d.NotFinite[i]))
		} else {
			err = v.diagnoseDraws(ctx, whole.Values[i], f, wanted)
		}
		if err != nil {
			return nil, err
		}
		progress(1)
		all = append(all, v)
	}
	if known := func(v Variable) bool {
		return v.Truth != nil
	}; target != nil && len(run.functions) == 0 && !slices.ContainsFunc(all, known) {
		return nil, errs.New(
			"%s: no variable of %s is a function of %s; write a column %s, or name the columns %s; {map} "+
				"translates other names",
			d.Sources[0],
			strings.Join(names(all), ", "),
			target.Toy.Name,
			stateColumn,
			strings.Join(target.names(), ", "),
		)
	}
	for _, f := range run.functions {
		if slices.ContainsFunc(all, func(v Variable) bool { return v.Name == f.Name }) {
			// a variable of the files
			continue
		}
		v := run.variable(f.Name)
		run.truth(&v, f.Parts[0], f.Name)
		if err := v.diagnoseDraws(ctx, run.valuesAlong(f.Parts[0]), f.Parts[0], wanted); err != nil {
			return nil, err
		}
		progress(1)
		all = append(all, v)
	}
	if len(all) == 0 {
		return nil, errs.New("%s: found no variable to diagnose, only %s; write a column for one",
			d.Sources[0], strings.Join(d.Names, ", "))
	}
	if slices.ContainsFunc(all, func(v Variable) bool { return v.Truth != nil && v.still }) {
		if err := run.lookAtClasses(ctx); err != nil {
			return nil, err
		}
	}
	for i := range all {
		all[i].Notes = append(slices.Clone(run.notes), all[i].Notes...)
	}
	return all, nil
}

func names(all []Variable) (names []string) {
	for i := range all {
		names = append(names, all[i].Name)
	}
	return names
}

// Steps returns the largest number of variables that Variables diagnoses.
func Steps(d *files.Draws, target *Target) int {
	if target == nil {
		return len(d.Names)
	}
	return len(d.Names) + len(target.functions)
}

// drawn are draws that are being diagnosed.
type drawn struct {
	*files.Draws
	target    *Target
	states    [][]int32
	functions []samplers.Function // that are computed from the states
	notes     []Note              // about the run
}

// findStates finds the states of the draws, and the notes on the run as a whole.
func (r *drawn) findStates() error {
	for _, text := range r.Draws.Notes {
		r.notes = append(r.notes, noteOf("%s", text))
	}
	if at := slices.Index(r.Names, "divergent__"); at >= 0 && r.NotFinite[at] == "" {
		diverged := 0.0
		total := 0
		for _, x := range r.Values[at] {
			total += len(x)
			for _, v := range x {
				diverged += v
			}
		}
		if diverged > 0 {
			r.notes = append(r.notes, noteOf(
				"%v of %d transitions diverged, so the draws may miss a part of the target",
				diverged,
				total,
			))
		}
	}
	if chains, n := len(r.Sources), len(r.Values[0][0]); chains > n {
		r.notes = append(r.notes, noteOf(
			"there are more chains (%d) than draws in each (%d); transpose the draws if this is a mistake",
			chains,
			n,
		))
		r.notes[len(r.notes)-1].Input = true
	}
	if r.target == nil {
		return nil
	}
	return r.lookAtStates()
}

// lookAtStates finds the states, and notes how many have probability zero.
func (r *drawn) lookAtStates() error {
	states, missing := r.target.states(r.Draws)
	r.functions = r.target.functions
	if len(r.functions) > 0 && states == nil {
		return errs.New("{function} %s needs the states of %s, but the files do not determine them: %s",
			r.functions[0].Name, r.target.Toy.Name, missing)
	}
	r.states = states
	if states != nil && len(r.functions) == 0 && slices.ContainsFunc(r.Names, r.target.isState) {
		r.functions = r.target.standard()
	}
	impossible := 0
	first := -1
	for _, x := range states {
		for _, state := range x {
			if r.target.chain.Target[state] > 0 {
				continue
			}
			impossible++
			if first < 0 {
				first = int(state)
			}
		}
	}
	if impossible > 0 {
		r.notes = append(r.notes, noteOf("draws at states that have %s under %s: %d, the first at state %s",
			r.target.chain.Vanishing(first), r.target.Toy.Name, impossible,
			r.target.Toy.State(first)))
	}
	return nil
}

// mostClassStates is the largest number of states of which the classes are looked at.
const mostClassStates = 1 << 20

// lookAtClasses notes where a sampler that draws one variable at a time cannot get about in the
// target, as a reason why a variable never moved.
func (r *drawn) lookAtClasses(ctx context.Context) error {
	toy := r.target.Toy
	if toy.Lattice() == nil || toy.Space.States() > mostClassStates {
		return nil
	}
	k, err := kernels.Parse("heatbath", toy.Space)
	if err != nil {
		return nil // there are axes that no kernel draws
	}
	chain, err := averages.New(ctx, k, toy.G)
	if err != nil {
		return err
	}
	classes, err := samplers.Classes(ctx, toy, chain)
	if classes != "" {
		r.notes = append(r.notes,
			noteOf("a sampler that draws one variable of %s at a time, such as a Gibbs sampler, never "+
				"leaves the class of its first state; %s",
				toy.Name, classes))
	}
	return err
}

// variable returns a variable of the run, of which nothing is known yet.
func (r *drawn) variable(name string) Variable {
	nan := math.NaN()
	files := slices.Clone(r.Sources)
	for i, source := range files {
		files[i], _, _ = strings.Cut(source, ", chain ")
	}
	return Variable{
		Draws:       strings.Join(slices.Compact(files), " "),
		Name:        name,
		Chains:      len(r.Sources),
		N:           len(r.Values[0][0]),
		Mean:        nan,
		SD:          nan,
		MCSEMean:    nan,
		MCSESD:      nan,
		Diagnostics: unknown(),
		weights:     r.Weights,
	}
}

// know adds what the target says of a variable, and returns the function that it is; nil if it is
// none.
func (r *drawn) know(v *Variable) *averages.Function {
	if r.target == nil {
		return nil
	}
	f, selector, note := r.target.function(v.Name)
	if note != "" {
		v.Notes = append(v.Notes, noteOf("%s", note))
	}
	if f != nil {
		r.truth(v, f, selector)
	}
	return f
}

// truth adds the exact mean and standard deviation.
func (r *drawn) truth(v *Variable, f *averages.Function, selector string) {
	v.Truth = &Truth{
		Toy:        r.target.Toy.Name,
		Function:   selector,
		Mean:       f.Mean,
		SD:         f.SD,
		RESSChains: math.NaN(),
		ESSD:       math.NaN(),
	}
}

// valuesAlong returns the values of a function along the chains.
func (r *drawn) valuesAlong(f *averages.Function) diagnostics.Draws {
	draws := make(diagnostics.Draws, len(r.states))
	for k, x := range r.states {
		draws[k] = make([]float64, len(x))
		for i, state := range x {
			draws[k][i] = f.Raw[state]
		}
	}
	return draws
}

// diagnoseDraws diagnoses the draws of a variable, which is a function of the target or nil. Of
// draws that are all equal there is nothing but their mean.
func (v *Variable) diagnoseDraws(ctx context.Context, draws diagnostics.Draws, f *averages.Function,
	wanted columns.Wanted) (err error) {
	if bad := draws.Validate(); bad != nil {
		// of values of a function, such as log f
		v.Notes = append(v.Notes, noteOf("nothing can be diagnosed: %w", bad))
		return nil
	}
	v.Mean, v.SD, err = diagnostics.Moments(draws)
	if err != nil {
		return err
	}
	if v.weights != nil {
		v.weightedMoments(draws)
		return nil
	}
	v.still = slices.ContainsFunc(draws, func(x []float64) bool { return diagnostics.Draws{x}.Constant() })
	if draws.Constant() {
		what := fmt.Sprintf("all draws are %v: the variable never changes, so it cannot be diagnosed", draws[0][0])
		if f != nil {
			v.Truth.RESSChains, _ = scored(f, draws, math.NaN())
			what = fmt.Sprintf(
				"all draws are %v: the variable never changes, and its mean is off by %.4g exact standard deviations",
				draws[0][0],
				math.Abs(v.MeanErrorSD()),
			)
		}
		v.Notes = append(v.Notes, noteOf("%s", what))
		return nil
	}
	if err := findAll(ctx, wanted,
		[]finding{{"mcse_sd sd_error", setNumber(&v.MCSESD, draws, diagnostics.MCSESD)}}); err != nil {
		return err
	}
	row := Row{}
	if err := row.diagnose(ctx, draws, wanted); err != nil {
		return err
	}
	v.Diagnostics, v.Notes = row.Diagnostics, append(v.Notes, row.Notes...)
	v.MCSEMean = v.SD / math.Sqrt(v.ESSMean) // as diagnostics.MCSEMean has it
	if f != nil {
		v.Truth.RESSChains, v.Truth.ESSD = scored(f, draws, v.ESSChain)
		v.noteForeignValues(f, draws)
	}
	return nil
}

// weightedMoments finds the mean and the standard deviation of draws with weights, which are no
// Markov chain.
func (v *Variable) weightedMoments(draws diagnostics.Draws) {
	values := slices.Concat(draws...)
	weights := slices.Concat(v.weights...)
	v.Mean, v.SD = stat.PopMeanStdDev(values, weights)
	sum := floats.Sum(weights)
	squares := floats.Dot(weights, weights)
	v.Notes = append(v.Notes, noteOf(
		"the draws are weighted, as those of nested and importance sampling, and are no Markov chain: "+
			"mean and sd are weighted, R-hat, ESS and MCSE are left out; the effective number of draws is %.4g of %d",
		sum*sum/squares,
		len(values),
	))
}

// noteForeignValues notes how many draws are not among the values that the function has under the
// target, as those of a continuous variable beside a grid.
func (v *Variable) noteForeignValues(f *averages.Function, draws diagnostics.Draws) {
	values := f.Taken()
	off := 0
	n := len(values)
	near := models.Rounding * max(math.Abs(values[0]), math.Abs(values[n-1]))
	for _, x := range draws {
		for _, value := range x {
			above, _ := slices.BinarySearch(values, value)
			if (above == n || values[above]-value > near) && (above == 0 || value-values[above-1] > near) {
				off++
			}
		}
	}
	if off > 0 {
		v.Notes = append(v.Notes, noteOf(
			"%d of %d draws are not among the %d values of %s under %s, from %.4g to %.4g; the exact mean "+
				"is that of these values",
			off,
			v.Chains*v.N,
			n,
			v.Truth.Function,
			v.Truth.Toy,
			values[0],
			values[n-1],
		))
	}
}
