package smc

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/experiments"
)

// Laws are the exact laws of a task: of what it says, and of every known way to get it wrong. They are computed once, for many
// implementations.
type Laws struct {
	Task  *Task
	sides [2]*sideLaws
}

// sideLaws are the laws of one direction.
type sideLaws struct {
	values []value  // every value of log Zhat under any of the laws, rising
	names  []string // of the laws; the first is the specification
	means  []string // what a way to get it wrong does
	atoms  [][]atom // by law
}

// NewLaws enumerates the laws of a task. progress is called with 1 for every law, of which there are Count; it may be nil.
func NewLaws(ctx context.Context, t *Task, workers int, progress func(int)) (*Laws, error) {
	if err := t.checkThreshold(ctx); err != nil {
		return nil, err
	}
	l := &Laws{Task: t}
	type job struct {
		d  chains.Direction
		at int
		of way
	}
	var jobs []job
	for d := range l.sides {
		s := &sideLaws{names: []string{Specification}, means: []string{"what the task says"}}
		jobs = append(jobs, job{chains.Direction(d), 0, way{}})
		for _, w := range ways() {
			if w.in == nil || w.in(t, chains.Direction(d)) {
				jobs = append(jobs, job{chains.Direction(d), len(s.names), w})
				s.names, s.means = append(s.names, w.name), append(s.means, w.meaning)
			}
		}
		s.atoms = make([][]atom, len(s.names))
		l.sides[d] = s
	}
	err := experiments.Parallel(ctx, len(jobs), workers, func(ctx context.Context, i int) error {
		program := t.program()
		if bug := jobs[i].of.bug; bug != nil {
			bug(program)
		}
		atoms, err := t.law(ctx, program, jobs[i].d)
		l.sides[jobs[i].d].atoms[jobs[i].at] = atoms
		if progress != nil {
			progress(1)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, s := range l.sides {
		s.collectValues()
	}
	return l, nil
}

// near is how far two values of log Zhat may be from each other, as a part of their size or of one, to be the same but for
// rounding, also that of programs that compute in float32. Values of the laws that are nearer than four times that are one.
const near = 1e-6

// reach returns how far a value may be from another one to be the same.
func reach(v float64) float64 { return near * (1 + math.Abs(v)) }

// value is a value of log Zhat, or several that are too near each other to be told apart.
type value struct{ low, high float64 }

// collectValues collects the values of log Zhat under all laws.
func (s *sideLaws) collectValues() {
	var all []float64
	for _, atoms := range s.atoms {
		for _, a := range atoms {
			all = append(all, a.logZ)
		}
	}
	slices.Sort(all)
	for _, v := range all {
		if n := len(s.values); n > 0 && v-s.values[n-1].high <= 4*reach(v) {
			s.values[n-1].high = v
		} else {
			s.values = append(s.values, value{v, v})
		}
	}
}

// unknown is the place of a value that log Zhat has under none of the laws.
const unknown = -1

// place returns the place among the values of the one that v is but for rounding, and unknown where it is none.
func (s *sideLaws) place(v float64) int {
	if i := s.nearest(v); s.off(v, i) <= reach(v) {
		return i
	}
	return unknown
}

// nearest returns the place of the value that is nearest to v.
func (s *sideLaws) nearest(v float64) int {
	i, _ := slices.BinarySearchFunc(s.values, v, func(of value, v float64) int { return cmp.Compare(of.high, v) })
	if i == len(s.values) || i > 0 && s.off(v, i-1) < s.off(v, i) {
		i--
	}
	return i
}

// off returns how far v is from a value.
func (s *sideLaws) off(v float64, at int) float64 {
	return max(0, s.values[at].low-v, v-s.values[at].high)
}

// part is what a test looks at: some columns of whole numbers, and log Zhat or not.
type part struct {
	name  string
	whole []int // the places of the columns
	logZ  bool
}

// parts returns what is tested where these groups are there: each group by itself, the parents of each stage, and all together.
func (t *Task) parts(groups map[Group]bool) []part {
	columns := t.columns()
	var list []part
	add := func(name string, logZ bool, of func(c column) bool) {
		p := part{name: name, logZ: logZ}
		for i, c := range columns {
			if of(c) {
				p.whole = append(p.whole, i)
			}
		}
		list = append(list, p)
	}
	if groups[LogZ] {
		add("log Zhat", true, func(column) bool { return false })
	}
	if groups[Output] {
		add("output", false, func(c column) bool { return c.group == Output })
	}
	if groups[Last] {
		add("last states", false, func(c column) bool { return c.group == Last })
	}
	for stage := 2; groups[Ancestors] && stage <= t.T(); stage++ {
		add(fmt.Sprintf("parents at t = %d", stage), false, func(c column) bool { return c.group == Ancestors && c.stage == stage })
	}
	if len(list) > 1 {
		add("all columns together", groups[LogZ], func(c column) bool { return groups[c.group] })
	}
	return list
}

// of returns the cell of a record: its numbers in the columns of the part.
func (p *part) of(whole string, place int) string {
	text := make([]byte, 0, len(p.whole)+4)
	for _, i := range p.whole {
		text = append(text, whole[i])
	}
	if p.logZ {
		text = append(text, byte(place), byte(place>>8), byte(place>>16), byte(place>>24))
	}
	return string(text)
}

// law returns the probabilities of the cells of a part under a law.
func (s *sideLaws) law(p *part, h int) map[string]float64 {
	cells := map[string]float64{}
	for _, a := range s.atoms[h] {
		cells[p.of(a.whole, s.place(a.logZ))] += a.p
	}
	return cells
}
