package smc

import (
	"fmt"
	"strings"

	"breadboard/chains"
	"breadboard/experiments/planted"
)

// Group is what a record may have, in one column or in several that are all there or none.
type Group string

// The groups, in the order in which their columns are listed.
const (
	LogZ      Group = "log_z"    // log Zhat, in nats
	Output    Group = "output"   // the state that is drawn from the particles by their weights in the end
	Last      Group = "last"     // the states of all slots in the end
	Ancestors Group = "ancestor" // the parents of all slots at each resampling
)

// Groups returns all groups.
func Groups() []Group { return []Group{LogZ, Output, Last, Ancestors} }

// Meaning says in a sentence what the columns of a group hold.
func (g Group) Meaning() string {
	return map[Group]string{
		LogZ:      "log Zhat, in nats, with all digits: the logarithm of the product of the mean weights",
		Output:    "the output: the state of one slot, drawn by the weights in the end; of a conditional run the last state of its path",
		Last:      "last_i is the state of slot i after the last move, i = 0..P-1",
		Ancestors: "ancestor_t_i is the slot whose state slot i gets by the resampling of stage t = 2..T, and -1 in all slots where the particles are not resampled",
	}[g]
}

// Unresampled stands for the parents of a slot where the particles are not resampled.
const Unresampled = -1

// Run is a record: log Zhat, and the whole numbers of all other columns in the order of Task.Columns.
type Run struct {
	LogZ     float64
	Rounding float64 // how far log Zhat may be from what was computed since few digits of it are written; 0 where all are
	Whole    []int8
}

// column is a column of whole numbers.
type column struct {
	name  string
	group Group
	stage int // of parents, from 2
	least int
	most  int
}

// columns returns the columns of whole numbers.
func (t *Task) columns() []column {
	list := []column{{"output", Output, 0, 0, t.States() - 1}}
	for i := range t.Particles {
		list = append(list, column{fmt.Sprintf("last_%d", i), Last, 0, 0, t.States() - 1})
	}
	for stage := 2; stage <= t.T(); stage++ {
		for i := range t.Particles {
			list = append(list, column{fmt.Sprintf("ancestor_%d_%d", stage, i), Ancestors, stage, Unresampled, t.Particles - 1})
		}
	}
	return list
}

// Columns returns the names of all columns.
func (t *Task) Columns() []string {
	names := []string{string(LogZ)}
	for _, c := range t.columns() {
		names = append(names, c.name)
	}
	return names
}

// grouped returns the groups that columns of these names are. It fails for a name that is no column or stands twice, and where a
// group lacks a column.
func (t *Task) grouped(names []string) (map[Group]bool, error) {
	there := map[string]bool{}
	for _, name := range names {
		if there[name] {
			return nil, fmt.Errorf("the column %q stands twice", name)
		}
		there[name] = true
	}
	groups, known := map[Group]bool{}, 0
	if there[string(LogZ)] {
		groups[LogZ], known = true, 1
	}
	for _, c := range t.columns() {
		if there[c.name] {
			groups[c.group] = true
			known++
		}
	}
	for _, c := range t.columns() {
		if groups[c.group] && !there[c.name] {
			return nil, fmt.Errorf("there is no column %q beside the others of its kind; write all of them or none", c.name)
		}
	}
	if known < len(names) || known == 0 {
		return nil, fmt.Errorf("the columns are %q; those of this task are %s", strings.Join(names, ","), strings.Join(t.Columns(), ","))
	}
	return groups, nil
}

// runOf returns the record of a run of the program.
func (t *Task) runOf(r planted.Record) Run {
	run := Run{LogZ: r.LogZ, Whole: []int8{int8(r.Output)}}
	for _, x := range r.Last {
		run.Whole = append(run.Whole, int8(x))
	}
	for _, parents := range r.Parents {
		for i := range t.Particles {
			parent := Unresampled
			if parents != nil {
				parent = parents[i]
			}
			run.Whole = append(run.Whole, int8(parent))
		}
	}
	return run
}

// key returns whole numbers as text, which can be compared.
func key(whole []int8) string {
	text := make([]byte, len(whole))
	for i, v := range whole {
		text[i] = byte(v)
	}
	return string(text)
}

// what names the runs of a direction.
func what(d chains.Direction) string {
	if d == chains.Reverse {
		return "conditional runs"
	}
	return "runs"
}
