package files

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/chains/tables"
	"breadboard/experiments/draws"
)

// ChainColumn is the name of the column of chains, as in R's package posterior.
const ChainColumn = ".chain"

// Roles are the given roles of columns, by name. The roles of other columns follow from
// tables.RoleOf.
type Roles map[string]tables.Role

// ParseRole reads a column and its role, as in run=chain.
func ParseRole(text string) (name string, role tables.Role, err error) {
	at := strings.LastIndexByte(text, '=')
	if at < 1 {
		return "", "", fmt.Errorf("%q gives no column a role; write NAME=ROLE, as in run=chain", text)
	}
	role = tables.Role(text[at+1:])
	var known []string
	for _, r := range tables.Roles() {
		known = append(known, string(r))
	}
	if !slices.Contains(known, string(role)) {
		return "", "", selector.UnknownError("role", string(role), known)
	}
	return text[:at], role, nil
}

// Columns has the columns of a text by their roles.
type Columns struct {
	Chain, Iteration, Warmup, Name, Value int // -1 if there is none
	Roles                                 []tables.Role
}

// Counts reports whether a column has neither values of a variable nor weights.
func (c *Columns) Counts(i int) bool {
	return !slices.Contains([]tables.Role{tables.Variable, tables.Weight, tables.LogWeight, tables.Index, tables.Name, tables.Value}, c.Roles[i])
}

// Alone makes the only column one of values, even if its name has another role.
func (c *Columns) Alone() {
	*c = Columns{Chain: absent, Iteration: absent, Warmup: absent, Name: absent, Value: absent, Roles: []tables.Role{tables.Variable}}
}

// ColumnsOf returns the roles of the columns: the given ones, and for others those of their names.
// A column for which own is true has values, unless a role is given.
func (r *Rows) ColumnsOf(given Roles, own func(name string) bool) (*Columns, error) {
	c := &Columns{}
	c.Alone()
	r.of = c
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if r.names == nil || !slices.Contains(r.names, name) {
			return c, r.WrongColumns("no column "+name, chains.NewAdvice("{column} names one in the first line, as in %s=%s", listed(r.names[:min(1, len(r.names))]), given[name]))
		}
	}
	known := tables.KnownRoles()
	c.Roles = make([]tables.Role, max(len(r.names), len(r.columns)))
	for i, name := range r.names {
		role, is := given[name]
		if !is {
			role = r.role(i, known.Of(name), own(name))
		}
		c.Roles[i] = role
	}
	if slices.Contains(c.Roles, tables.Name) != slices.Contains(c.Roles, tables.Value) { // which are so only beside each other
		for i, role := range c.Roles {
			if role == tables.Name || role == tables.Value {
				c.Roles[i] = tables.Variable
			}
		}
	}
	places := map[tables.Role]*int{tables.Chain: &c.Chain, tables.Iteration: &c.Iteration, tables.Warmup: &c.Warmup, tables.Name: &c.Name, tables.Value: &c.Value}
	for i, role := range c.Roles {
		to := places[role]
		switch {
		case to == nil:
		case *to != absent:
			return c, r.WrongColumns(fmt.Sprintf("two columns of the role %s, %s and %s", role, r.names[*to], r.names[i]),
				chains.NewAdvice("keep one, or leave one out, as in {column} %s=none", r.names[i]))
		default:
			*to = i
		}
	}
	if c.Iteration == absent { // rows that are counted through all chains
		c.Iteration = slices.Index(c.Roles, tables.Draw)
		if c.Iteration >= 0 && (r.names[c.Iteration] == "" || strings.HasPrefix(r.names[c.Iteration], "Unnamed")) {
			c.Iteration = absent
		}
	}
	return c, nil
}

// role returns the role of a column, that of its name unless its cells are against it.
func (r *Rows) role(i int, role tables.Role, own bool) tables.Role {
	name := r.names[i]
	plain := !strings.HasPrefix(name, ".") && !strings.HasSuffix(name, "__")
	switch {
	case own || plain && r.stan.commented: // Stan's models may have such variables
		return tables.Variable
	case slices.Contains([]tables.Role{tables.LogDensity, tables.Density, tables.Weight, tables.LogWeight}, role):
		return tables.Variable
	case role == tables.Warmup && !r.allOf(i, func(_, now string) bool { _, is := warm(now); return is }):
		return tables.Variable
	case (role == tables.Iteration || role == tables.Draw) && name != "" && r.denied(i):
		return tables.Variable
	case role == tables.Iteration && plain && !strings.HasPrefix(strings.ToLower(name), "iter") &&
		(i > 0 || len(r.names) == 1 || !r.allOf(i, rising)): // which others have as a variable
		return tables.Variable
	}
	return role
}

// isWarm reports whether a row is of the warm-up. It fails if a column must say so and does not.
func (r *Rows) isWarm() (bool, error) {
	c := r.of
	if c.Warmup == absent {
		return false, nil
	}
	of, known := warm(string(r.cells[c.Warmup]))
	if name := r.names[c.Warmup]; !known {
		return false, r.Wrong(name, Found(r.cells[c.Warmup]),
			chains.NewAdvice("say of every row whether it is of the warm-up, as 0 or 1, or give {column} %s=variable", name))
	}
	chain := ""
	if c.Chain != absent {
		chain = string(r.cells[c.Chain])
	}
	switch {
	case of && r.drawn[chain]:
		return false, r.Wrong(r.names[c.Warmup], "a row of the warm-up behind draws",
			chains.NewAdvice("is the column a variable? give {column} %s=variable", r.names[c.Warmup]))
	case of:
		r.warm++
	default:
		if r.drawn == nil {
			r.drawn = map[string]bool{}
		}
		r.drawn[chain] = true
	}
	return of, nil
}

// rising reports whether a count goes on, or begins again.
func rising(before, now string) bool {
	a, _, first := draws.ParseNumber([]byte(before))
	b, _, second := draws.ParseNumber([]byte(now))
	return second && b == float64(int64(b)) && (!first || b >= a)
}

// denied reports whether a cell that is at hand is no whole number, and so counts nothing.
func (r *Rows) denied(column int) bool {
	whole := func(_, now string) bool {
		v, _, ok := draws.ParseNumber([]byte(now))
		return ok && v == math.Trunc(v)
	}
	return !r.allOf(column, whole) && r.allOf(column, func(string, string) bool { return true })
}

// allOf reports whether a test holds of the cells of a column in the rows that are at hand, and of
// one at least. Of a stream none is.
func (r *Rows) allOf(column int, test func(before, now string) bool) bool {
	before, seen := "", 0
	for line := range strings.Lines(string(r.in.ahead(1 << 12))) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		cells, bad := (&csvRows{separator: r.separator}).cells([]byte(line))
		if len(cells) == len(r.columns)+1 { // the first is the name of the row
			cells = cells[1:]
		}
		if bad != nil || column >= len(cells) {
			break
		}
		if !test(before, cells[column]) {
			return false
		}
		before = cells[column]
		seen++
	}
	return seen > 0
}

// warm reads whether a row is of the warm-up, and reports whether a text says so.
func warm(text string) (of, known bool) {
	switch strings.ToLower(text) {
	case "warmup", "warm-up", "burnin", "burn-in", "tune", "adapt":
		return true, true
	case "sampling", "sample", "draw", "main":
		return false, true
	}
	if v, is := draws.ParseTruth(text); is {
		return v == 1, true
	}
	n, err := strconv.Atoi(text)
	return n == 1, err == nil && (n == 0 || n == 1)
}
