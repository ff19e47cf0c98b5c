package files

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/chains/tables"
)

// Roles say what columns are read as, by name: a role, or another name that is documented. The
// roles of other columns follow from their names.
type Roles map[string]string

// ParseRole reads a column and its role, as in run=chain.
func ParseRole(text string) (name, role string, err error) {
	at := strings.LastIndexByte(text, '=')
	if at < 1 || at == len(text)-1 {
		return "", "", errs.New("%q gives no column a role; write NAME=ROLE, as in run=chain", text)
	}
	return text[:at], text[at+1:], nil
}

// Reading says which columns a reader takes.
type Reading struct {
	Given Roles
	// reports whether a column is a variable of the reader, whatever its name may mean elsewhere
	Own   func(name string) bool
	Names []string // examples of such names, for messages
	Takes []tables.Role
	// Others is the role of columns with a name that is not documented. If it is empty they are an
	// error.
	Others tables.Role
	// Used notes which of the given roles are of a column, if several files need not have all of
	// them; else nil.
	Used map[string]bool
}

// Columns has the roles of the columns of a table.
type Columns struct {
	Names         []string // what the columns are read as
	Roles         []tables.Role
	Chain, Number int // the columns that tell chains apart and count draws; -1 if there is none
	Weight        int // the column of weights or of their logarithms; -1 if there is none
	warmup        int
	last          map[string]float64 // by chain, the last number of a draw
}

// Find returns the first column with a role, and -1 if there is none.
func (c *Columns) Find(role tables.Role) int { return slices.Index(c.Roles, role) }

// Columns returns the roles of the columns. It fails for a column that the reading does not know,
// for a role that it does not take, and for two columns of one role.
func (t *Table) Columns(r Reading) (*Columns, error) {
	c := &Columns{last: map[string]float64{}}
	t.columns = c
	for _, name := range slices.Sorted(maps.Keys(r.Given)) {
		switch {
		case r.Used != nil:
			r.Used[name] = r.Used[name] || slices.Contains(t.names, name)
		case !slices.Contains(t.names, name) && !r.Given.omits(name):
			return nil, t.WrongColumns("no column "+name, "{column} names one of %s", listed(t.names))
		}
	}
	known := tables.KnownRoles()
	var unknown, left []string
	for i, name := range t.names {
		documented := known
		if t.isStan() && !strings.HasSuffix(name, "__") { // Stan's models may have variables of such names
			documented = tables.Known{"state": tables.State}
		}
		as, role := r.role(documented, name)
		if i > 0 && role == tables.Omitted && r.Given[name] == "" { // only the first can name the rows
			if name == "" {
				return nil, t.WrongColumns(fmt.Sprintf("no name of column %d", i+1),
					"write it in the first line, or take the column away")
			}
			role = ""
		}
		if role == "" && (known.Of(as) == tables.LogDensity || t.isStan()) && r.Given[name] == "" {
			left = append(left, name)
			role = tables.Omitted
		}
		if role == "" {
			unknown = append(unknown, name)
			if as != name {
				return nil, t.WrongColumns("the role "+as+" of the column "+name,
					"write a ROLE that is %s, or none, which leaves the column out", r.choices())
			}
		}
		c.Names = append(c.Names, as)
		c.Roles = append(c.Roles, role)
	}
	if len(unknown) > 0 {
		return nil, t.WrongColumns(theColumns(unknown)+", of which nothing says what it is",
			"give {column} %s=ROLE, where ROLE is %s, or none, which leaves it out", listed(unknown[:1]),
			r.choices())
	}
	if len(left) > 0 {
		t.notes = append(t.notes, "left out "+listed(left))
	}
	for i, role := range c.Roles {
		if first := c.Find(role); first < i && role != tables.Variable && role != tables.Omitted {
			cure := "keep one, or leave one out, as in {column} %s=none"
			if role == tables.Chain {
				cure = "keep the one that tells all chains apart, or write such a column, and leave the " +
					"other out, as in {column} %s=none"
			}
			return nil, t.WrongColumns(fmt.Sprintf("two columns of the role %s, %s and %s",
				role, t.names[first], t.names[i]), cure, t.names[i])
		}
	}
	if w, logs := c.Find(tables.Weight), c.Find(tables.LogWeight); w >= 0 && logs >= 0 {
		return nil, t.WrongColumns(fmt.Sprintf("two columns of weights, %s and %s", t.names[w],
			t.names[logs]), "give one, as by {column} %s=none", t.names[w])
	}
	c.Weight = max(c.Find(tables.Weight), c.Find(tables.LogWeight))
	c.Chain = c.Find(tables.Chain)
	c.warmup = c.Find(tables.Warmup)
	c.Number = c.Find(tables.Iteration)
	if c.Number < 0 {
		c.Number = c.Find(tables.Draw)
	}
	return c, nil
}

// role returns what a column is read as, and its role, which is empty if it has none.
func (r *Reading) role(known tables.Known, name string) (as string, role tables.Role) {
	as = name
	if given, is := r.Given[name]; is {
		role = tables.Role(given)
		if role == tables.Omitted || slices.Contains(r.Takes, role) {
			return name, role
		}
		as = given
	}
	if r.Own != nil && r.Own(as) {
		return as, tables.Variable
	}
	role = known.Of(as)
	if role != tables.Variable && (role == tables.Omitted || slices.Contains(r.Takes, role)) {
		return as, role
	}
	if as != name || role == tables.Count { // which would repeat rows
		return as, ""
	}
	return as, r.Others
}

// choices lists what a column may be read as.
func (r *Reading) choices() string {
	names := slices.Clone(r.Names)
	for _, role := range r.Takes {
		names = append(names, string(role))
	}
	return selector.Listed(names)
}

// isStan reports whether CmdStan has written the file, whose columns are all variables.
func (t *Table) isStan() bool {
	text, is := t.rows.(*textRows)
	return is && text.stan.known
}

// CheckNumber fails if the number of a draw does not rise within its chain, as where several rows
// are one draw, or several chains stand one under another.
func (t *Table) CheckNumber(cells []Cell, chain string) error {
	c := t.columns
	if c.Number < 0 {
		return nil
	}
	v, ok := cells[c.Number].Number()
	before, seen := c.last[chain]
	if !ok || seen && v <= before {
		return t.wrongNumber(cells, before)
	}
	c.last[chain] = v
	return nil
}

func (t *Table) wrongNumber(cells []Cell, before float64) error {
	name := t.names[t.columns.Number]
	return t.Wrong(name, fmt.Sprintf("%s, and %v before it", cells[t.columns.Number].Found(), before),
		"sort the rows so that the numbers of the draws of each chain rise, one row a draw, with a "+
			"column that tells chains apart, as in {column} NAME=chain; if rows stand as they were drawn, "+
			"{column} %s=none leaves the numbers out",
		name)
}

// theColumns names columns in a sentence.
func theColumns(names []string) string {
	return selector.Plural(len(names), "the column ", "the columns ") + listed(names)
}
