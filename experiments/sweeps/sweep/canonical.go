package sweep

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/experiments/placement"
	"breadboard/experiments/subject"
)

// canonize finds the canonical form of every value, which is the key to resolver.names. There are
// three kinds of values. Numbers, and those that the study's own parameters know the form of, need
// nothing but themselves. A schedule is parsed. The form of all others shows when a case is built
// with them, and so does whether a file or a T fits the rest of a cell: these values are called
// open, and cells are built one after the other until no value is open any more.
func (r *resolver) canonize() error {
	if err := r.checkNames(); err != nil {
		return err
	}
	if err := r.canonizeOwn(); err != nil {
		return err
	}
	if err := r.canonizeSchedules(); err != nil {
		return err
	}
	if err := r.canonizePrograms(); err != nil {
		return err
	}
	open := r.openValues()
	tries := map[asWritten]int{}
	in := subject.Reader{Forms: r.spec.studies.Forms, Doubt: func(doubt string) { r.doubt("%s", doubt) }}
	for i := 0; i < r.size() && len(open) > 0; i++ {
		c := r.cell(i)
		if !slices.ContainsFunc(writtenValues(c), func(v asWritten) bool { return open[v] }) {
			continue
		}
		cases, err := r.spec.study.Cases(context.Background(), in, subject.Params(trial(c)))
		for k, v := range writtenValues(c) {
			switch {
			case !open[v]:
			case err == nil:
				r.names[v] = cases[0].Params.Get(r.parameters[k].Name)
				if r.parameters[k].Name == "toy" {
					r.names[v] = cases[0].Selector()
				}
				delete(open, v)
			case tries[v] == maxTries:
				return r.useless(map[asWritten]bool{v: true})
			default:
				tries[v]++
				r.failures[v] = err
			}
		}
		if err != nil {
			continue
		}
		if f := cases[0].Factored(); f != nil {
			r.sites[cases[0].Selector()] = f.Free()
		} else {
			r.spaces[cases[0].Selector()] = cases[0].Toy.Space
		}
	}
	return r.useless(open)
}

// checkNames fails if a user has given one name to two values of a parameter.
func (r *resolver) checkNames() error {
	for _, p := range r.parameters {
		var list []string
		for _, v := range r.written(p.Name) {
			list = append(list, v.text)
			if err := selector.CheckNames(list); err != nil && subject.TakesNames(p.Name) {
				return fmt.Errorf("%s: %w", v.place, err)
			}
		}
	}
	return nil
}

// maxTries is the number of cells with a value that may fail before the value is given up.
const maxTries = 10_000

// canonizeOwn finds the canonical form of the values of the study's own parameters, and refuses
// what can be no value.
func (r *resolver) canonizeOwn() error {
	for k, p := range r.parameters {
		if p.Built() {
			continue
		}
		for _, text := range p.Defaults() {
			r.names[asWritten{k, text}] = text
		}
		for _, v := range r.written(p.Name) {
			name := v.text
			err := error(nil)
			if p.Canonical != nil {
				name, err = p.Canonical(v.text)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", v.place, err)
			}
			r.names[asWritten{k, v.text}] = name
		}
	}
	return nil
}

// canonizeSchedules finds the canonical form of every schedule that is not read from a file, and
// refuses those that no cell can have.
func (r *resolver) canonizeSchedules() error {
	k := r.parameterIndex("schedule")
	for _, v := range r.written("schedule") {
		family, err := placement.Parse(v.text, r.spec.studies.Forms.Schedules)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", v.place, err)
		case isFile(v.text):
		case family.OwnLength:
			return errs.New(
				"%s: schedule %s finds its own T, but a cell needs a given T; write cess, or use breadboard tightness",
				v.place,
				v.text,
			)
		default:
			r.names[asWritten{k, v.text}] = family.Name
		}
	}
	return nil
}

// parameterIndex returns the number of a parameter in the list of the study, and -1 if the study
// does not have it.
func (r *resolver) parameterIndex(name string) int {
	return slices.IndexFunc(r.parameters, func(p subject.Parameter) bool { return p.Name == name })
}

// trial returns a cell that is built only to learn the canonical form of its values. Its schedule
// and its T are replaced by some that cost nothing: schedules that look at the path take seconds to
// be placed, or hours. A schedule from a file stays, and so does a T that has to agree with one or
// with files of matrices for each stage. A program is replaced too, since none is started before
// its cell is solved.
func trial(c Cell) Cell {
	out := slices.Clone(c)
	for k, p := range c {
		switch {
		case p.Name == "schedule" && !isFile(p.Value):
			out[k].Value = subject.Default("schedule")
		case p.Name == kernelName && c.program():
			out[k].Value = subject.Default(kernelName)
		case p.Name == lengths && !fixesT(c):
			out[k].Value = "2"
		}
	}
	return out
}

// fixesT reports whether the schedule or the kernel of a cell, as they were written, are made for
// one T.
func fixesT(c Cell) bool {
	return isFile(c.Get("schedule")) || strings.Contains(c.Get("kernel"), stageMark)
}

// openValues returns the values whose canonical form shows only when a case is built with them. Of
// schedules these are the ones from files, and of T those in cells where something else is made for
// one T. It gives the others their form.
func (r *resolver) openValues() map[asWritten]bool {
	open := map[asWritten]bool{}
	add := func(v asWritten, anyT bool) {
		switch p := r.parameters[v.parameter]; {
		case r.names[v] != "": // known already
		case p.Name == "schedule" && !isFile(v.text):
			r.names[v] = v.text // the default, which stands nowhere and was not parsed
		case p.Name == lengths && anyT:
			r.names[v] = v.text
			delete(open, v)
		default:
			open[v] = true
		}
	}
	for k, list := range r.grid.values {
		for _, text := range list {
			add(asWritten{k, text}, r.anyT())
		}
	}
	for _, c := range r.cases {
		for _, v := range writtenValues(c) {
			add(v, !fixesT(c))
		}
	}
	return open
}

// anyT reports whether some cell of the grid can have any T: one whose schedule and kernel are made
// for no T.
func (r *resolver) anyT() bool {
	free := func(name string, bound func(value string) bool) bool {
		k := r.parameterIndex(name)
		return k < 0 || slices.ContainsFunc(r.grid.valuesOf(k), func(v string) bool { return !bound(v) })
	}
	return free("schedule", isFile) &&
		free("kernel", func(v string) bool { return strings.Contains(v, stageMark) })
}

// useless is the error for the first value, in the order of the specification, that no cell could
// use. A value that the error of its cells speaks of comes before one that may be good and only
// stood beside bad ones.
func (r *resolver) useless(open map[asWritten]bool) error {
	if len(open) == 0 {
		return nil
	}
	if v, at, found := r.firstFit(open, func(v value, at asWritten) bool {
		return strings.Contains(r.failures[at].Error(), strings.TrimSpace(v.text))
	}); found {
		return fmt.Errorf("%s: %w", v.place, r.failures[at])
	}
	if v, at, found := r.firstFit(open, func(value, asWritten) bool { return true }); found {
		return fmt.Errorf("%s: no cell can have %s %s: %w", v.place, r.parameters[at.parameter].Name, v.text,
			r.failures[at])
	}
	for at := range open { // a default, which stands nowhere
		return fmt.Errorf("%s: no cell can have %s %s: %w", r.spec.name, r.parameters[at.parameter].Name,
			at.text, r.failures[at])
	}
	return nil
}

// firstFit returns the first value of the specification that is open and fits, and false if there
// is none.
func (r *resolver) firstFit(open map[asWritten]bool,
	fits func(v value, at asWritten) bool) (value, asWritten, bool) {
	for _, b := range r.blocks() {
		for k, p := range r.parameters {
			for _, v := range b.values[p.Name] {
				if at := (asWritten{k, v.text}); open[at] && fits(v, at) {
					return v, at, true
				}
			}
		}
	}
	return value{}, asWritten{}, false
}

// canonical returns a cell with its values in canonical form.
func (r *resolver) canonical(c Cell) Cell {
	out := slices.Clone(c)
	for k, v := range writtenValues(c) {
		out[k].Value = r.names[v]
	}
	return out
}

// canonicalGrid returns the values of the grid in canonical form, by parameter.
func (r *resolver) canonicalGrid() [][]string {
	var out [][]string
	for k, list := range r.grid.values {
		var names []string
		for _, text := range list {
			names = append(names, r.names[asWritten{k, text}])
		}
		out = append(out, names)
	}
	return out
}
