package files

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"breadboard/experiments/draws"
)

// absent is the index of a column that is not there.
const absent = -1

// field says what happens with a column of the source.
type field struct {
	name   string
	target target
	used   bool
	number int // the index among the columns of numbers that it fills, or absent
	state  int // the index among the columns of states that it fills, of its first one for a whole path, or absent
}

// layout says which columns of a source go where.
type layout struct {
	fields          []field
	columns         draws.Columns
	ignored         []string
	numbers, states int             // how many columns there are of each
	first           [quantities]int // the index of a quantity's first column among those of numbers or of states, or absent; a whole path is at pathState
}

// newLayout finds out from the names of a source's columns what they hold.
func newLayout(names []string, s draws.Space) (*layout, *fault) {
	l := &layout{}
	for q := range l.first {
		l.first[q] = absent
	}
	for _, name := range names {
		name = strings.TrimSpace(name)
		f := field{name: name, number: absent, state: absent}
		f.target, f.used = parseName(name)
		if f.used {
			if wrong := f.target.checkName(name, s); wrong != nil {
				return nil, wrong
			}
		}
		l.fields = append(l.fields, f)
	}
	for _, check := range []func(draws.Space) *fault{l.checkTwice, l.aliases, l.checkNearMisses, l.checkUsable, l.checkComplete} {
		if wrong := check(s); wrong != nil {
			return nil, wrong
		}
	}
	l.assign(s)
	return l, nil
}

// namedLayout is the layout of a source that names its columns. Where the options name others, the
// fault begins with what the names are found in.
func namedLayout(found string, names []string, o Options) (*layout, *fault) {
	if bad := namedTwice(found+listed(names), names, o); bad != nil {
		return nil, bad
	}
	return newLayout(names, o.Space)
}

// checkTwice refuses two columns that fill the same.
func (l *layout) checkTwice(draws.Space) *fault {
	seen := map[target]string{}
	for _, f := range l.fields {
		switch {
		case !f.used:
		case seen[f.target] != "":
			return &fault{found: "two columns " + f.name, want: "keep one of them"}
		default:
			seen[f.target] = f.name
		}
	}
	for _, f := range l.fields {
		if other := seen[target{f.target.quantity, f.target.stage, whole}]; f.used && f.target.axis != whole && other != "" {
			return &fault{found: fmt.Sprintf("the columns %s and %s", other, f.name), want: "keep one of them: they mean the same state"}
		}
	}
	return nil
}

// aliases takes x_1 and x_T, where the rest of the path is not there, for x_first and x_last.
func (l *layout) aliases(s draws.Space) *fault {
	stages := l.stages(pathState)
	if len(stages) == 0 || len(stages) == s.Distributions {
		return nil
	}
	for stage := range stages {
		if stage != 1 && stage != s.Distributions {
			return nil
		}
	}
	for i := range l.fields {
		f := &l.fields[i]
		if !f.used || f.target.quantity != pathState {
			continue
		}
		end, name := xFirst, "x_first"
		if f.target.stage == s.Distributions {
			end, name = xLast, "x_last"
		}
		if l.has(end) && !l.isAlias(end) {
			return &fault{found: fmt.Sprintf("the columns %s and %s", name, f.name), want: "keep one of them: they mean the same state"}
		}
		f.target.quantity = end // the stage stays, and tells an alias from x_first and x_last
	}
	return nil
}

// isAlias reports whether a quantity comes from a column that is named by its stage.
func (l *layout) isAlias(q quantity) bool {
	return slices.ContainsFunc(l.fields, func(f field) bool { return f.used && f.target.quantity == q && f.target.stage != 0 })
}

func (l *layout) has(q quantity) bool {
	return slices.ContainsFunc(l.fields, func(f field) bool { return f.used && f.target.quantity == q })
}

// stages returns the stages of which a quantity is there.
func (l *layout) stages(q quantity) map[int]bool {
	stages := map[int]bool{}
	for _, f := range l.fields {
		if f.used && f.target.quantity == q {
			stages[f.target.stage] = true
		}
	}
	return stages
}

// checkNearMisses refuses names that are passed over although they were probably meant for a
// quantity that is not there.
func (l *layout) checkNearMisses(s draws.Space) *fault {
	for _, f := range l.fields {
		meant, ok := nearMiss(f.name)
		if f.used || !ok {
			continue
		}
		at, _ := parseName(meant)
		if wrong := at.checkName(f.name, s); wrong != nil {
			return wrong
		}
		if at.stage == 0 && l.has(at.quantity) || at.stage != 0 && l.stages(at.quantity)[at.stage] {
			continue
		}
		want := fmt.Sprintf("if you mean this, name it %s", meant)
		if b := bare(f.name); b == "w" || b == "weight" || b == "weights" || b == "zhat" {
			want = fmt.Sprintf("if you mean this, write its natural logarithm and name it %s", meant)
		}
		return &fault{found: fmt.Sprintf("the column %s and no column %s", f.name, meant), want: want + ", or else give it another name"}
	}
	return nil
}

// checkUsable lists what is not used, and refuses a source of which nothing is.
func (l *layout) checkUsable(s draws.Space) *fault {
	var names []string
	anything, known := false, map[string]bool{}
	for _, f := range l.fields {
		anything = anything || f.used
		names = append(names, f.name)
		if !f.used && !known[f.name] {
			known[f.name] = true
			l.ignored = append(l.ignored, f.name)
		}
	}
	if anything {
		return nil
	}
	found := "only " + theColumns(names)
	if len(names) == 0 {
		found = "no columns"
	}
	return &fault{found: found, want: "name at least one of " + usable(s)}
}

// checkComplete refuses columns that are of use only together, where one of them is not there.
func (l *layout) checkComplete(s draws.Space) *fault {
	if missing := missingOf(l.has, map[quantity]string{beta: "beta", from: "from", to: "to"}); len(missing) == 1 || len(missing) == 2 {
		return &fault{found: "no column " + strings.Join(missing, " and none "), want: "write beta, from and to together, or none of them"}
	}
	if l.has(pathState) && l.has(wholePath) {
		return &fault{found: "the path twice, as path and as columns of its states", want: "keep one of them"}
	}
	for _, q := range []quantity{pathState, increment} {
		first, name := 1, "x_"
		if q == increment {
			first, name = 2, "increment_"
		}
		there := l.stages(q)
		for stage := first; len(there) > 0 && stage <= s.Distributions; stage++ {
			if !there[stage] {
				return &fault{found: fmt.Sprintf("%s%d and no column %s%d", name, slices.Min(slices.Collect(maps.Keys(there))), name, stage),
					want: fmt.Sprintf("write all of %s%d to %s%d, or none of them", name, first, name, s.Distributions)}
			}
		}
	}
	return l.checkAxes(s)
}

// missingOf returns the names, in alphabetical order, of the quantities that are not there.
func missingOf(has func(quantity) bool, names map[quantity]string) (missing []string) {
	for q, name := range names {
		if !has(q) {
			missing = append(missing, name)
		}
	}
	sort.Strings(missing)
	return missing
}

// checkAxes refuses states of which a coordinate is not there.
func (l *layout) checkAxes(s draws.Space) *fault {
	axes := map[target]int{}
	for _, f := range l.fields {
		if f.used && f.target.axis != whole {
			axes[target{f.target.quantity, f.target.stage, whole}]++
		}
	}
	for _, f := range l.fields {
		if n := axes[target{f.target.quantity, f.target.stage, whole}]; f.used && n > 0 && n < len(s.Sides) {
			name := f.name[:strings.LastIndexByte(f.name, '_')]
			return &fault{found: fmt.Sprintf("%d of the %d coordinates of %s", n, len(s.Sides), name),
				want: fmt.Sprintf("write %s_0 to %s_%d, slowest axis first", name, name, len(s.Sides)-1)}
		}
	}
	return nil
}

// assign gives every quantity its columns.
func (l *layout) assign(s draws.Space) {
	for i := range l.fields {
		f := &l.fields[i]
		if !f.used {
			continue
		}
		q, offset, width := f.target.quantity, 0, 1
		switch q {
		case pathState, wholePath:
			q, offset, width = pathState, max(1, f.target.stage)-1, s.Distributions
		case increment:
			offset, width = f.target.stage-2, s.Distributions-1
		}
		index, count := &f.number, &l.numbers
		if q.isState() {
			index, count = &f.state, &l.states
		}
		if l.first[q] == absent {
			l.first[q] = *count
			*count += width
		}
		*index = l.first[q] + offset
	}
	there := func(q quantity) bool { return l.first[q] != absent }
	l.columns = draws.Columns{
		LogW: there(logW), XFirst: there(xFirst) || there(pathState), XLast: there(xLast) || there(pathState), Path: there(pathState),
		Increments: there(increment), Transitions: there(from), LogZ: there(logZ), SE: there(standardError),
	}
}
