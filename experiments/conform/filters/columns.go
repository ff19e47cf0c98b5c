package filters

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/experiments/conform/records"
	"breadboard/experiments/planted"
)

// The groups of columns, in the order in which they are listed.
const (
	LogZ      = "log_z"    // log Zhat, in nats
	Output    = "output"   // the state that is drawn from the particles by their weights in the end
	Last      = "last"     // the states of all slots in the end
	Ancestors = "ancestor" // the parents of all slots at each resampling
)

// Groups returns all groups, with what their columns hold.
func Groups() []records.Group {
	return []records.Group{
		{Name: LogZ, Meaning: "log Zhat, in nats, with all digits: the logarithm of the product of the mean weights"},
		{Name: Output, Meaning: "the output: the state of one slot, drawn by the weights in the end; of a conditional run the last state of its path"},
		{Name: Last, Meaning: "last_i is the state of slot i after the last move, i = 0..P-1"},
		{Name: Ancestors, Meaning: "ancestor_t_i is the slot whose state slot i gets by the resampling of stage t = 2..T, and -1 in all slots where the particles are not resampled"},
	}
}

// Unresampled stands for the parents of a slot where the particles are not resampled.
const Unresampled = -1

// Kinds returns the two kinds of records, runs and conditional runs, with all laws that mean something for the task.
func (t *Task) Kinds() []records.Kind {
	kinds := make([]records.Kind, 2)
	for d := range kinds {
		d := chains.Direction(d)
		k := records.Kind{Name: what(d), Groups: Groups(), Reals: []records.Column{{Name: LogZ, Group: LogZ, Test: "log Zhat"}}, Wholes: t.wholes()}
		for _, w := range append([]way{{name: records.Specification, meaning: "what the task says"}}, ways()...) {
			if w.in != nil && !w.in(t, d) {
				continue
			}
			k.Ways = append(k.Ways, records.Way{Name: w.name, Meaning: w.meaning, Law: func(ctx context.Context) ([]records.Atom, error) {
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

// Laws enumerates the laws of the task. progress is called with 1 for every law; it may be nil.
func (t *Task) Laws(ctx context.Context, workers int, progress func(int)) (*records.Laws, error) {
	if err := t.checkThreshold(ctx); err != nil {
		return nil, err
	}
	return records.New(ctx, t.Kinds(), workers, progress)
}

// wholes returns the columns of whole numbers.
func (t *Task) wholes() []records.Column {
	list := []records.Column{{Name: "output", Group: Output, Test: "output", Most: t.States() - 1}}
	for i := range t.Particles {
		list = append(list, records.Column{Name: fmt.Sprintf("last_%d", i), Group: Last, Test: "last states", Most: t.States() - 1})
	}
	for stage := 2; stage <= t.T(); stage++ {
		for i := range t.Particles {
			list = append(list, records.Column{
				Name: fmt.Sprintf("ancestor_%d_%d", stage, i), Group: Ancestors, Test: fmt.Sprintf("parents at t = %d", stage), Least: Unresampled, Most: t.Particles - 1,
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
	for _, x := range r.Last {
		record.Whole = append(record.Whole, int8(x))
	}
	for _, parents := range r.Parents {
		for i := range t.Particles {
			parent := Unresampled
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
