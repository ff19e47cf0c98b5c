package particles

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/experiments/checks/conform/records"
	"breadboard/experiments/checks/planted"
)

// The groups of columns, in the order in which they are listed.
const (
	logZ      = "log_z"    // log Zhat, in nats
	output    = "output"   // the state that is drawn from the particles by their weights in the end
	last      = "last"     // the states of all slots in the end
	ancestors = "ancestor" // the parents of all slots at each resampling
	states    = "state"    // the states of all particles at each stage, in any order
)

// groups returns all groups, with what their columns hold.
func (t *Task) groups() []records.Group {
	conditional := "; of a conditional run the last state of its path"
	if t.byCounts() {
		conditional = ""
	}
	list := []records.Group{
		{Name: logZ, Meaning: "log Zhat, in nats, with all digits: the logarithm of the product of the mean weights"},
		{Name: output, Meaning: "the output: the state of one slot, drawn by the weights in the end" + conditional},
	}
	if t.Unordered {
		return append(list, records.Group{Name: states,
			Meaning: "state_t_i, i = 0..P-1, are the states of all particles at t = 1..T, in any order: those of the start, and for t = 2..T those after the move of stage t, before they are weighed and resampled"})
	}
	return append(list, []records.Group{
		{Name: last, Meaning: "last_i is the state of slot i after the last move, i = 0..P-1"},
		{Name: ancestors,
			Meaning: "ancestor_t_i is the slot whose state slot i gets by the resampling of stage t = 2..T, and -1 in all slots if the particles are not resampled"},
	}...)
}

// unresampled stands for the parents of a slot if the particles are not resampled.
const unresampled = -1

// Kinds returns the two kinds of records, runs and conditional runs, with all distributions that
// have a meaning for the task.
func (t *Task) Kinds() []records.Kind {
	if t.byCounts() {
		return []records.Kind{t.countedKind()}
	}
	kinds := make([]records.Kind, 2)
	for d := range kinds {
		d := chains.Direction(d)
		k := records.Kind{Name: what(d), Groups: t.groups(), Reals: []records.Column{{Name: logZ, Group: logZ, Test: "log Zhat"}}, Wholes: t.wholes()}
		for _, w := range append([]way{{Name: records.Specification, Meaning: "what the task says"}}, ways()...) {
			if w.in != nil && !w.in(t, d) {
				continue
			}
			k.Ways = append(k.Ways, records.Way{Name: w.Name, Meaning: w.Meaning, Law: func(ctx context.Context) ([]records.Atom, error) {
				program := t.program()
				if w.bug != nil {
					w.bug(program)
				}
				return t.law(ctx, program, d)
			}})
		}
		kinds[d] = k
	}
	return kinds
}

// Laws enumerates the distributions of the task. progress is called with 1 for every distribution;
// it may be nil.
func (t *Task) Laws(ctx context.Context, workers int, progress func(int)) (*records.Laws, error) {
	if t.byCounts() {
		if err := t.checkWork(); err != nil {
			return nil, err
		}
		return records.New(ctx, t.Kinds(), workers, progress)
	}
	if err := t.checkBranches(ctx); err != nil {
		return nil, err
	}
	if err := t.checkThreshold(ctx); err != nil {
		return nil, err
	}
	return records.New(ctx, t.Kinds(), workers, progress)
}

// wholes returns the columns of whole numbers.
func (t *Task) wholes() []records.Column {
	list := []records.Column{{Name: "output", Group: output, Test: "output", Most: t.States() - 1}}
	for stage := 1; t.Unordered && stage <= t.T(); stage++ {
		for i := range t.Particles {
			list = append(list, records.Column{Name: fmt.Sprintf("state_%d_%d", stage, i), Group: states, Test: fmt.Sprintf("states at t = %d", stage),
				Most: t.States() - 1, Unordered: true})
		}
	}
	if t.Unordered {
		return list
	}
	for i := range t.Particles {
		list = append(list, records.Column{Name: fmt.Sprintf("last_%d", i), Group: last, Test: "last states", Most: t.States() - 1})
	}
	for stage := 2; stage <= t.T(); stage++ {
		for i := range t.Particles {
			list = append(list, records.Column{
				Name: fmt.Sprintf("ancestor_%d_%d", stage, i), Group: ancestors, Test: fmt.Sprintf("parents at t = %d", stage), Least: unresampled, Most: t.Particles - 1,
			})
		}
	}
	return list
}

// Columns returns the names of all columns.
func (t *Task) Columns() []string { return t.Kinds()[0].Columns() }

// recordOf returns the record of a run of the program.
func (t *Task) recordOf(r planted.Record) records.Record {
	record := records.Record{Reals: []float64{r.LogZ}, Whole: []int8{int8(r.Output)}}
	if t.Unordered {
		for _, row := range r.States {
			row = slices.Clone(row)
			slices.SortStableFunc(row, cmp.Compare[int])
			for _, x := range row {
				record.Whole = append(record.Whole, int8(x))
			}
		}
		return record
	}
	for _, x := range r.Last {
		record.Whole = append(record.Whole, int8(x))
	}
	for _, parents := range r.Parents {
		for i := range t.Particles {
			parent := unresampled
			if parents != nil {
				parent = parents[i]
			}
			record.Whole = append(record.Whole, int8(parent))
		}
	}
	return record
}

// what names the runs of a direction.
func what(d chains.Direction) string {
	if d == chains.Reverse {
		return "conditional runs"
	}
	return "runs"
}

// way is a known way to get sequential Monte Carlo wrong.
type way struct {
	Name, Meaning string // what the README says of it
	bug           func(*planted.Particles)
	// in reports whether the mistake is possible in a task and direction; nil if it always is.
	in func(t *Task, d chains.Direction) bool
}

// ways returns all known ways to get sequential Monte Carlo wrong.
func ways() []way {
	runs := func(_ *Task, d chains.Direction) bool { return d == chains.Forward }
	conditional := func(_ *Task, d chains.Direction) bool { return d == chains.Reverse }
	sometimes := func(t *Task, _ chains.Direction) bool { return t.Threshold < 1 }
	model := func(t *Task, _ chains.Direction) bool { return t.HMM != nil }
	list := []way{
		{"initial distribution ignored", "the first states are drawn uniformly, not by pi", changed(uniformFirst), model},
		{"moved before weighed", "particles move before the first observation is used, so every observation is used one move late", changed(movedFirst), model},
		{"A transposed", "a particle at x moves to z in proportion to A[z][x], not A[x][z]", changed(transposed),
			func(t *Task, _ chains.Direction) bool { return t.HMM != nil && t.transposable() }},
		{"weights of the next observation", "particles are weighed at time t by y_(t+1), and the last time by y_T", changed(nextWeights), model},
		{"last weights left out of Zhat", "the weights after the last move do not count in Zhat", planted.LastOut,
			func(t *Task, _ chains.Direction) bool { return t.HMM != nil || t.Threshold < 1 }},
		{"resampled before weighed", "at every stage the particles are resampled by their weights before it, and are weighed afterwards", planted.Late, runs},
		{"the last slot repeats the first", "at every resampling the last slot gets the parent of the first one", planted.LastRepeatsFirst, nil},
		{"parents drawn uniformly", "the parents are drawn by the scheme of the task as if all weights were equal", planted.UniformParents, nil},
		{"weights kept after resampling", "the weights do not start again at one after the particles are resampled", planted.NotReset, nil},
		{"weights carried on after resampling", "after resampling every particle starts with the weight of its parent, not with one", planted.Inherited, nil},
		{"normalised weights carried on after resampling",
			"after resampling every particle starts with the weight of its parent, and the weights are normalised", planted.InheritedShares, nil},
		{"normalised weights not reset", "the normalised weights stay in their slots when the particles are resampled, and do not become 1/P",
			planted.KeptShares, nil},
		{"weights normalised before their mean", "Zhat multiplies the means of normalised weights, which are 1/P", planted.MeanOfShares, nil},
		{"weights normalised before their sum", "Zhat multiplies the sums of normalised weights, which are one", planted.SumOfShares, nil},
		{"weights not carried on", "the weights start again at one also if the particles are not resampled", planted.NotCarried, sometimes},
		{"steps without resampling left out of Zhat", "stages at which the particles are not resampled do not count in Zhat", planted.StepsOut, sometimes},
		{"weights of the old state", "after resampling a particle is weighed by the previous state of its slot", planted.OldParent, nil},
		{"output drawn uniformly", "the output is the state of a slot that is drawn uniformly, not by the weights", planted.UniformOutput, runs},
		{"sum of the weights in Zhat", "Zhat multiplies the sums of the weights, not their means", planted.SumForMean, nil},
		{"mean of the log weights in Zhat", "log Zhat adds the means of the log weights, not the logs of the mean weights", planted.MeanOfLogWeights, nil},
		{"residual of W - floor(P W)", "the residual draws use the remainders W - floor(P W), not P W - floor(P W)", planted.ResidualOfWeights,
			func(t *Task, d chains.Direction) bool { return d == chains.Forward && t.Scheme == particle.Residual{} }},
		{"whole shares rounded down",
			"floor(P W) of residual resampling is one too small if P W is whole, by a rounding error as in floor(0.9999999999999999)", planted.WholeRoundedDown,
			func(t *Task, d chains.Direction) bool { return d == chains.Forward && t.Scheme == particle.Residual{} }},
		{"resampled at every stage", "the particles are resampled even if their effective sample size is high", resampledWhere(true), sometimes},
		{"never resampled", "the particles are never resampled", resampledWhere(false), func(t *Task, _ chains.Direction) bool { return t.Threshold > 0 }},
		{"path in the first slot", "the path of a conditional run stays in the first slot, and the others are resampled as if it were not there",
			planted.PathFirst, conditional},
		{"parent of the path forgotten", "the parent of the path of a conditional run is drawn as that of any other slot", planted.PathForgotten, conditional},
		{"not size-biased", "the parents of a conditional run are drawn given that the path has offspring, and not in proportion to their number",
			planted.NotSizeBiased,
			func(t *Task, d chains.Direction) bool {
				return d == chains.Reverse && t.Scheme == particle.Systematic{}
			}},
		{"path drawn by the kernels", "the path of a conditional run is drawn by the kernels, not by their time reversals", planted.ForwardPath, conditional},
		{"path drawn in the order of a run", "the path of a conditional run is drawn by the time reversals in the order of a run, the first stage first",
			planted.PathInOrder, conditional},
		{"path left out of Zhat", "the weight of the path does not count in the Zhat of a conditional run", planted.PathOut, conditional},
	}
	for _, scheme := range []particle.Scheme{particle.Multinomial{}, particle.Stratified{}, particle.Systematic{}, particle.Residual{}} {
		list = append(list, way{fmt.Sprintf("%v resampling", scheme), fmt.Sprintf("the particles are resampled by the %v scheme", scheme),
			func(s *planted.Particles) { s.By(scheme) }, func(t *Task, _ chains.Direction) bool { return t.Scheme != scheme }})
	}
	return list
}

func resampledWhere(always bool) func(*planted.Particles) {
	return func(s *planted.Particles) { s.Due = func([]float64) bool { return always } }
}
