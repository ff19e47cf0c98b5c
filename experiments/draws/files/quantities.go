package files

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/selector"
	"breadboard/chains/tables"
	"breadboard/experiments/draws"
)

// quantity is what a column holds.
type quantity int

// The quantities that a reader knows. The states of a path and the increments have a stage besides.
const (
	logW quantity = iota
	xFirst
	xLast
	pathState
	wholePath // all states of a path in one cell, as an array
	increment
	beta
	from
	to
	logZ
	standardError
	quantities // how many there are
)

// known lists the names of quantities without a stage.
func known() map[string]quantity {
	return map[string]quantity{
		"log_w": logW, "x_first": xFirst, "x_last": xLast, "path": wholePath, "beta": beta, "from": from,
		"to": to, "log_z": logZ, "se": standardError,
	}
}

// isState reports whether the quantity is a state, or several.
func (q quantity) isState() bool {
	return q == xFirst || q == xLast || q == pathState || q == wholePath || q == from || q == to
}

const (
	absent = -1 // the index of a column that is not there
	whole  = -1 // the axis of a target that is a state in one cell, and not one of its coordinates
)

// target is what a column of a source fills.
type target struct {
	quantity quantity
	stage    int // t of the state or of the increment; 0 of other quantities
	axis     int // of a coordinate, slowest axis first, from 0; whole otherwise
}

// field says what happens with a column of the source.
type field struct {
	name   string
	target target
	used   bool
	index  int // among the columns of numbers or of states that it fills, of its first one for a whole path
}

// layout gives every column what it fills.
func (r *Reader) layout(o Options) error {
	t := r.table
	s := r.space
	if t.names == nil && t.width > 0 {
		return wrong(selector.Count(t.width, "column")+" without names",
			"name them %s, as by numpy.savez(PATH, log_w=...), or in a first line", usable(s))
	}
	own := func(name string) bool { _, is := parseName(name); return is }
	c, err := t.Columns(Reading{
		Given: o.Roles,
		Own:   own,
		Names: []string{usable(s)},
		Takes: []tables.Role{tables.Chain, tables.Iteration, tables.Draw},
	})
	if err != nil {
		return err
	}
	for q := range r.first {
		r.first[q] = absent
	}
	for i, name := range c.Names {
		f := field{name: name, used: c.Roles[i] == tables.Variable}
		if f.used {
			f.target, _ = parseName(name)
			if bad := f.target.checkName(name, s); bad != nil {
				return bad
			}
		}
		r.fields = append(r.fields, f)
	}
	if !slices.ContainsFunc(r.fields, func(f field) bool { return f.used }) {
		return wrong("no column of samples among "+Quoted([]byte(strings.Join(t.names, ", "))),
			"name at least one of %s", usable(s))
	}
	if bad := r.checkTwice(); bad != nil {
		return bad
	}
	if bad := r.checkComplete(); bad != nil {
		return bad
	}
	r.assign()
	return nil
}

// parseName returns what a column of this name holds. It does not look whether there is such a
// stage or axis.
func parseName(name string) (target, bool) {
	for of, q := range known() {
		if tables.PlainName(of) == tables.PlainName(name) {
			return target{quantity: q, axis: whole}, true
		}
	}
	for prefix, q := range map[string]quantity{"increment_": increment, "x_": pathState} {
		if digits, ok := strings.CutPrefix(name, prefix); ok {
			if stage, ok := number(digits); ok {
				return target{quantity: q, stage: stage, axis: whole}, true
			}
		}
	}
	cut := max(0, strings.LastIndexByte(name, '_'))
	axis, isAxis := number(strings.TrimPrefix(name[cut:], "_"))
	if cut == 0 || !isAxis {
		return target{}, false
	}
	at, ok := parseName(name[:cut])
	if !ok || !at.quantity.isState() || at.quantity == wholePath || at.axis != whole {
		return target{}, false
	}
	at.axis = axis
	return at, true
}

// number returns a whole number that is written without a sign and without leading zeros.
func number(digits string) (int, bool) {
	n, err := strconv.Atoi(digits)
	return n, err == nil && strconv.Itoa(n) == digits && n >= 0
}

// usable describes the columns that a reader can use, for messages.
func usable(s draws.Space) string {
	names := []string{"log_w", "x_first", "x_last"}
	if s.Distributions >= 2 {
		names = append(names, fmt.Sprintf("x_1 to x_%d", s.Distributions),
			fmt.Sprintf("increment_2 to increment_%d", s.Distributions))
	}
	return strings.Join(names, ", ") + ", log_z, se, or beta, from and to together"
}

// checkName returns the fault of a target that the space does not have.
func (at target) checkName(name string, s draws.Space) *fault {
	T := s.Distributions
	found := "the column " + name
	switch {
	case at.axis != whole && len(s.Sides) == 0:
		return wrong(found,
			"write states as numbers from 0 to %d: the states of this space have no coordinates", s.States-1)
	case at.axis != whole && at.axis >= len(s.Sides):
		return wrong(found, "write the coordinates of the axes 0 to %d of this space, slowest axis first",
			len(s.Sides)-1)
	case T < 2 && (at.quantity == pathState || at.quantity == wholePath || at.quantity == increment):
		return wrong(found, "delete it: this task has no paths")
	case at.quantity == pathState && (at.stage < 1 || at.stage > T):
		return wrong(found, "name the states of a path x_1 to x_%d, since T = %[1]d", T)
	case at.quantity == increment && (at.stage < 2 || at.stage > T):
		return wrong(found, "name the increments by their stages, increment_2 to increment_%d, since T = %[1]d", T)
	}
	return nil
}

// checkTwice refuses two columns that fill the same.
func (r *Reader) checkTwice() *fault {
	seen := map[target]string{}
	for _, f := range r.fields {
		if f.used && seen[f.target] != "" {
			return wrong("two columns "+f.name, "keep one of them")
		}
		if f.used {
			seen[f.target] = f.name
		}
	}
	for _, f := range r.fields {
		if other := seen[target{f.target.quantity, f.target.stage, whole}]; f.used &&
			f.target.axis != whole && other != "" {
			return wrong(fmt.Sprintf("the columns %s and %s", other, f.name),
				"keep one of them: they mean the same state")
		}
	}
	return nil
}

// stages returns the stages of which a quantity is there; that of others than states and increments
// is 0.
func (r *Reader) stages(q quantity) map[int]bool {
	stages := map[int]bool{}
	for _, f := range r.fields {
		if f.used && f.target.quantity == q {
			stages[f.target.stage] = true
		}
	}
	return stages
}

// checkComplete refuses columns that are of use only together, if one of them is missing.
func (r *Reader) checkComplete() *fault {
	var missing []string
	for _, name := range []string{"beta", "from", "to"} {
		if len(r.stages(known()[name])) == 0 {
			missing = append(missing, name)
		}
	}
	if len(missing) == 1 || len(missing) == 2 {
		return wrong("no column "+strings.Join(missing, " and none "),
			"write beta, from and to together, or none of them")
	}
	if len(r.stages(pathState)) > 0 && len(r.stages(wholePath)) > 0 {
		return wrong("the path twice, as path and as columns of its states", "keep one of them")
	}
	T := r.space.Distributions
	for name, of := range map[string]struct {
		quantity quantity
		first    int
	}{"x_": {pathState, 1}, "increment_": {increment, 2}} {
		there := r.stages(of.quantity)
		for stage := of.first; len(there) > 0 && stage <= T; stage++ {
			if !there[stage] {
				some := slices.Min(slices.Collect(maps.Keys(there)))
				return wrong(fmt.Sprintf("%s%d and no column %[1]s%[3]d", name, some, stage),
					"write all of %s%d to %[1]s%[3]d, or none of them", name, of.first, T)
			}
		}
	}
	axes := map[target]int{}
	for _, f := range r.fields {
		if f.used && f.target.axis != whole {
			axes[target{f.target.quantity, f.target.stage, whole}]++
		}
	}
	for _, f := range r.fields {
		if n, sides := axes[target{f.target.quantity, f.target.stage, whole}], len(r.space.Sides); f.used &&
			n > 0 && n < sides {
			name := f.name[:strings.LastIndexByte(f.name, '_')]
			return wrong(fmt.Sprintf("%d of the %d coordinates of %s", n, sides, name),
				"write %s_0 to %[1]s_%d, slowest axis first", name, sides-1)
		}
	}
	return nil
}

// assign gives every quantity its columns.
func (r *Reader) assign() {
	T := r.space.Distributions
	numbers := 0
	states := 0
	for i := range r.fields {
		f := &r.fields[i]
		if !f.used {
			continue
		}
		q := f.target.quantity
		offset := 0
		width := 1
		switch q {
		case pathState, wholePath:
			q = pathState
			offset = max(1, f.target.stage) - 1
			width = T
		case increment:
			offset = f.target.stage - 2
			width = T - 1
		}
		count := &numbers
		if q.isState() {
			count = &states
		}
		if r.first[q] == absent {
			r.first[q] = *count
			*count += width
		}
		f.index = r.first[q] + offset
	}
	r.numbers = make([][]float64, numbers)
	r.states = make([][]int32, states)
	there := func(q quantity) bool { return r.first[q] != absent }
	r.columns = draws.Columns{
		LogW:        there(logW),
		XFirst:      there(xFirst) || there(pathState),
		XLast:       there(xLast) || there(pathState),
		Path:        there(pathState),
		Increments:  there(increment),
		Transitions: there(from),
		LogZ:        there(logZ),
	}
}
