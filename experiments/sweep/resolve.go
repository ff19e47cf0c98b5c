package sweep

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/schedules"
	"breadboard/experiments/placement"
	"breadboard/grid"
)

// Sweep builds the cells: it fills in what was left out, finds the canonical form of every selector, reads and
// hashes the files that they name, and refuses a cell that is there twice. A selector that can be used in no cell, or
// in none of the first ten thousand, is an error with its place; a combination that cannot be is a cell, which will
// fail and say why.
//
// It takes about ten microseconds for each distinct toy of 49 states, and half a microsecond a cell.
func (s *Spec) Sweep() (*Sweep, error) {
	r := resolver{spec: s, families: map[string]string{}, names: map[named]string{}, failures: map[named]error{}, spaces: map[string]grid.Graph{}}
	if err := r.expand(); err != nil {
		return nil, err
	}
	if err := r.canonize(); err != nil {
		return nil, err
	}
	out := &Sweep{grid: r.canonicalGrid(), spaces: r.spaces, files: map[string]string{}}
	for _, c := range r.cases {
		out.cases = append(out.cases, r.canonical(c))
	}
	if err := out.hashFiles(); err != nil {
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	out.id = out.manifest().key()
	return out, r.refuseDuplicates(out)
}

// named is a value of the parameter with a number.
type named struct {
	parameter int
	text      string
}

// resolver is the work of Spec.Sweep.
type resolver struct {
	spec     *Spec
	axes     [][]string        // of the grid, as written
	cases    []Cell            // as written
	families map[string]string // the canonical form of each schedule
	names    map[named]string
	failures map[named]error // why a value could not be used, where it was tried
	spaces   map[string]grid.Graph
}

// expand lists the values of every axis and case, with the defaults of what was left out.
func (r *resolver) expand() error {
	for _, b := range r.blocks() {
		for _, v := range b.values["kernel"] {
			if strings.HasPrefix(v.text, "exec:") {
				return fmt.Errorf("%s: kernel %s: what a program answers cannot be hashed, so that results of another program would pass for its own; save its matrices (matrix:PATH), or use breadboard tightness", v.place, v.text)
			}
		}
	}
	if b := r.spec.grid; b != nil {
		for _, p := range parameters() {
			values, err := b.axis(p)
			if err != nil {
				return err
			}
			r.axes = append(r.axes, values)
		}
	}
	if n := gridSize(r.axes) + len(r.spec.cases); n > MaxCells {
		return fmt.Errorf("%s has more than %d cells (%s); make several sweeps of it", r.spec.name, MaxCells, r.product())
	}
	for i := range r.spec.cases {
		b := &r.spec.cases[i]
		var c Cell
		for _, p := range parameters() {
			values, err := b.axis(p)
			if err != nil {
				return err
			}
			if len(values) > 1 {
				return fmt.Errorf("%s: the case does not say its %s", b.place, p.name)
			}
			c = append(c, values[0])
		}
		r.cases = append(r.cases, c)
	}
	return nil
}

// product says how a grid comes to its size.
func (r *resolver) product() string {
	var parts []string
	for k, p := range parameters() {
		if len(r.axes[k]) > 1 {
			parts = append(parts, fmt.Sprintf("%d values of %s", len(r.axes[k]), p.name))
		}
	}
	return strings.Join(parts, " times ")
}

func (r *resolver) blocks() []block {
	blocks := slices.Clone(r.spec.cases)
	if r.spec.grid != nil {
		blocks = append([]block{*r.spec.grid}, blocks...)
	}
	return blocks
}

// axis returns the values of one parameter. A T that is left out beside schedules from files is their length.
func (b *block) axis(p parameter) ([]string, error) {
	var texts []string
	for _, v := range b.values[p.name] {
		texts = append(texts, v.text)
	}
	if len(texts) > 0 {
		return texts, nil
	}
	if p.name != lengths {
		return p.defaults(), nil
	}
	found := map[string]bool{}
	for _, v := range b.values["schedule"] {
		if !strings.HasPrefix(v.text, "file:") {
			found[""] = true
			continue
		}
		schedule, err := schedules.Parse(v.text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.place, err)
		}
		if points, ok := schedule.(*schedules.Points); ok {
			texts = []string{strconv.Itoa(points.Len())}
			found[texts[0]] = true
		}
	}
	switch {
	case len(texts) == 0:
		return p.defaults(), nil
	case len(found) > 1:
		return nil, fmt.Errorf("%s: T is left out and the schedules do not agree on one; give T, or a [[case]] for each schedule from a file", b.place)
	}
	return texts, nil
}

// cell returns a cell as written.
func (r *resolver) cell(i int) Cell {
	if n := gridSize(r.axes); i >= n {
		return r.cases[i-n]
	}
	return gridCell(r.axes, i)
}

// maxTries is how many cells with a value may fail before it is given up.
const maxTries = 10_000

// canonize finds the canonical form of every value. Of a schedule its selector says it, and a T has one form; of the
// rest, and of what must agree with a T, it is found by building a cell.
func (r *resolver) canonize() error {
	if err := r.canonizeSchedules(); err != nil {
		return err
	}
	open := r.distinct()
	tries := map[named]int{}
	for i := 0; i < gridSize(r.axes)+len(r.cases) && len(open) > 0; i++ {
		c := r.cell(i)
		if !slices.ContainsFunc(c.values(), func(v named) bool { return open[v] }) {
			continue
		}
		cases, err := c.trial().annealings(context.Background())
		for k, v := range c.values() {
			switch {
			case !open[v]:
			case err == nil:
				r.names[v] = parameters()[k].of(&cases[0])
				delete(open, v)
			case tries[v] == maxTries:
				return r.useless(map[named]bool{v: true})
			default:
				tries[v]++
				r.failures[v] = err
			}
		}
		if err == nil {
			r.spaces[cases[0].Toy.Name] = cases[0].Toy.Space
		}
	}
	return r.useless(open)
}

// canonizeSchedules finds the canonical form of every schedule, and refuses those that no cell can have.
func (r *resolver) canonizeSchedules() error {
	for _, b := range r.blocks() {
		for _, v := range b.values["schedule"] {
			family, err := placement.Parse(v.text)
			switch {
			case err != nil:
				return fmt.Errorf("%s: %w", v.place, err)
			case family.OwnLength && !isFile(v.text):
				return fmt.Errorf("%s: schedule %s finds its own T, and a cell has the T that it is given; write cess, or use breadboard tightness", v.place, v.text)
			}
			r.families[v.text] = family.Name
		}
	}
	return nil
}

// isFile reports whether a schedule is read from a file, which fixes its T.
func isFile(schedule string) bool { return strings.HasPrefix(schedule, "file:") }

// trial returns a cell in which the other values are those of c and the schedule and T, where nothing has to agree with
// them, cost nothing: schedules that look at the path take seconds to be placed, or hours.
func (c Cell) trial() Cell {
	out := slices.Clone(c)
	for k, p := range parameters() {
		switch {
		case p.name == "schedule" && !isFile(c[k]):
			out[k] = "linear"
		case p.name == lengths && !c.fixesT():
			out[k] = "2"
		}
	}
	return out
}

// fixesT reports whether the schedule or the kernel of a cell, as written, is made for one T.
func (c Cell) fixesT() bool {
	return isFile(c.Get("schedule")) || strings.Contains(c.Get("kernel"), stageMark)
}

// values returns the values of a cell as written.
func (c Cell) values() []named {
	out := make([]named, len(c))
	for k, text := range c {
		out[k] = named{k, text}
	}
	return out
}

// distinct returns the values, as written, whose form is open: of schedules those in files only, and of T those that
// stand beside what is made for one T only. It names the others.
func (r *resolver) distinct() map[named]bool {
	out := map[named]bool{}
	add := func(v named, free bool) {
		switch name := parameters()[v.parameter].name; {
		case name == "schedule" && !isFile(v.text):
			r.names[v] = r.families[v.text]
			if r.names[v] == "" {
				r.names[v] = v.text // the default
			}
		case name == lengths && free:
			r.names[v] = v.text
			delete(out, v)
		case r.names[v] == "":
			out[v] = true
		}
	}
	for k, values := range r.axes {
		for _, text := range values {
			add(named{k, text}, r.freeGrid())
		}
	}
	for _, c := range r.cases {
		for _, v := range c.values() {
			add(v, !c.fixesT())
		}
	}
	return out
}

// freeGrid reports whether any cell of the grid can have any T.
func (r *resolver) freeGrid() bool {
	free := true
	for k, p := range parameters() {
		switch p.name {
		case "schedule":
			free = free && slices.ContainsFunc(r.axes[k], func(v string) bool { return !isFile(v) })
		case "kernel":
			free = free && slices.ContainsFunc(r.axes[k], func(v string) bool { return !strings.Contains(v, stageMark) })
		}
	}
	return free
}

// useless is the error for the first value, as the specification goes, that no cell could use.
func (r *resolver) useless(open map[named]bool) error {
	if len(open) == 0 {
		return nil
	}
	for _, b := range r.blocks() {
		for k, p := range parameters() {
			for _, v := range b.values[p.name] {
				at := named{k, v.text}
				// A good value that stands in bad company only is not the one to name.
				if open[at] && strings.Contains(r.failures[at].Error(), strings.TrimSpace(v.text)) {
					return fmt.Errorf("%s: %w", v.place, r.failures[at])
				}
			}
		}
	}
	for _, b := range r.blocks() {
		for k, p := range parameters() {
			for _, v := range b.values[p.name] {
				if at := (named{k, v.text}); open[at] {
					return fmt.Errorf("%s: no cell can have %s %s: %w", v.place, p.name, v.text, r.failures[at])
				}
			}
		}
	}
	for at := range open {
		return fmt.Errorf("%s: no cell can have %s %s: %w", r.spec.name, parameters()[at.parameter].name, at.text, r.failures[at])
	}
	return nil
}

func (r *resolver) canonical(c Cell) Cell {
	out := make(Cell, len(c))
	for k, v := range c.values() {
		out[k] = r.names[v]
	}
	return out
}

func (r *resolver) canonicalGrid() [][]string {
	var out [][]string
	for k, values := range r.axes {
		var names []string
		for _, text := range values {
			names = append(names, r.names[named{k, text}])
		}
		out = append(out, names)
	}
	return out
}

// refuseDuplicates fails where two cells are one. Where the values of the grid are distinct, so are its cells.
func (r *resolver) refuseDuplicates(s *Sweep) error {
	for k, p := range parameters() {
		seen := map[string]int{}
		for i, name := range s.axis(k) {
			if first, ok := seen[name]; ok {
				return fmt.Errorf("%s: %s %s is there twice; take one out", r.gridPlace(p.name, i), p.name, r.twice(k, first, i))
			}
			seen[name] = i
		}
	}
	seen := map[string]string{}
	for i, c := range s.cases {
		place := r.spec.cases[i].place
		if s.inGrid(c) {
			return fmt.Errorf("%s: the case %s is in the grid already; take it out", place, c)
		}
		if first, ok := seen[c.String()]; ok {
			return fmt.Errorf("%s: the case %s is there twice, the first time at %s; take one out", place, c, first)
		}
		seen[c.String()] = place
	}
	return nil
}

// twice names a value of the grid, with both ways of writing it where they differ.
func (r *resolver) twice(k, first, second int) string {
	if a, b := r.axes[k][first], r.axes[k][second]; a != b {
		return fmt.Sprintf("%s (as %s)", a, b)
	}
	return r.axes[k][first]
}

// gridPlace returns where value i of a parameter stands; defaults stand nowhere and have no duplicates.
func (r *resolver) gridPlace(name string, i int) string { return r.spec.grid.values[name][i].place }

func (s *Sweep) inGrid(c Cell) bool {
	if s.grid == nil {
		return false
	}
	for k, v := range c {
		if !slices.Contains(s.grid[k], v) {
			return false
		}
	}
	return true
}

// hashFiles hashes every file that a selector names.
func (s *Sweep) hashFiles() error {
	for _, p := range parameters() {
		for _, v := range s.Values(p.name) {
			for _, path := range (Cell{v}).files(fileExists) {
				if s.known(path) {
					continue
				}
				sum, err := hashFile(path)
				if err != nil {
					return err
				}
				s.files[path] = sum
			}
		}
	}
	return nil
}
