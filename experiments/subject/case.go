package subject

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/chains/selector"
	"breadboard/reports/columns"
	"breadboard/toys"
	"breadboard/toys/networks"
)

// Case is one algorithm on one toy, with the parameters that identify it. The key and with it the
// random numbers, the columns of tables, and the cells of a sweep derive from the parameters.
// Selection.Cases makes cases of annealing, whose parameters are in canonical form (see Params).
//
// A case of a study without state spaces, such as of data of any size, has no toy: only its
// parameters identify it.
type Case struct {
	Toy       *toys.Toy // nil if there is none
	Algorithm any       // a *chains.Annealing, a *Factored, or nil if a case has only parameters
	Params    Params    // of the algorithm, in the order of Parameters, without the toy
	Reader    Reader    // that made the case
}

// String names the case for an error.
func (c *Case) String() string {
	if c.Toy == nil {
		var parts []string
		for _, p := range c.Params {
			parts = append(parts, p.Name+" "+p.Value)
		}
		return strings.Join(parts, ", ")
	}
	return fmt.Sprintf("toy %s, T = %d", c.Toy.Title(), c.Distributions())
}

// Wrong adds the name of the case, and the labels of the states concerned, to an error; nil stays
// nil.
func (c *Case) Wrong(err error) error {
	if err == nil {
		return nil
	}
	if c.Toy != nil {
		err = c.Toy.Explain(err)
	}
	return NewFailure(c.Parts(), fmt.Errorf("%s: %w", c, err))
}

// TheCase returns the case, for lists of columns of rows that embed it.
func (c *Case) TheCase() *Case { return c }

// LeftOut says what all numbers about the case omit, since the states of its toy are classes; see
// toys.Toy.LeftOut. columns.Noted uses it.
func (c *Case) LeftOut() string {
	if c.Toy == nil {
		return ""
	}
	return c.Toy.LeftOut()
}

// Annealing returns the algorithm if it is annealing, and else nil.
func (c *Case) Annealing() *chains.Annealing {
	a, _ := c.Algorithm.(*chains.Annealing)
	return a
}

// Factored returns the algorithm if it is annealing on factors, and else nil.
func (c *Case) Factored() *Factored {
	f, _ := c.Algorithm.(*Factored)
	return f
}

// Listed reports whether all cases are on listed states, so that every number is exact.
func Listed(cases []Case) bool {
	return !slices.ContainsFunc(cases, func(c Case) bool { return c.Factored() != nil })
}

// Distributions returns T, both ends included, and 0 for a case without this parameter.
func (c *Case) Distributions() int {
	T, err := strconv.Atoi(c.Params.Get("T"))
	if err != nil {
		return 0
	}
	return T
}

// OfLength returns a case of annealing, on states or on factors, with T distributions. It fails if
// the schedule cannot have T.
func (c Case) OfLength(T int) (_ Case, err error) {
	if f := c.Factored(); f != nil {
		c.Algorithm, err = f.ofLength(T)
	} else if a := c.Annealing(); a.Distributions() != T {
		c.Algorithm, err = chains.NewAnnealingBy(a.Path(), a.Schedule(), a.Transitions(), T)
	}
	c.Params = slices.Clone(c.Params)
	for i := range c.Params {
		if c.Params[i].Name == "T" {
			c.Params[i].Value = strconv.Itoa(T)
		}
	}
	return c, err
}

// Param returns what people call the value of a parameter, which may be the toy: the name that a
// user has given it, or the value. It is "" for a parameter that the case does not have.
func (c *Case) Param(name string) string {
	if name == "toy" && c.Toy != nil {
		return c.Toy.Name
	}
	if TakesNames(name) {
		return selector.Called(c.Params.Get(name))
	}
	return c.Params.Get(name)
}

// Parts returns everything that identifies the case: the toy, if there is one, and the parameters
// in their order.
func (c *Case) Parts() Params {
	if c.Toy == nil {
		return c.Params
	}
	return append(Params{{"toy", c.Toy.Name}}, c.Params...)
}

// Selector returns the text that names the target, with the user's name for it if there is one;
// empty without a target.
func (c *Case) Selector() string {
	if f := c.Factored(); f != nil {
		if name := c.Param("toy"); name != f.Target {
			return selector.WithName(name, f.Target)
		}
	}
	if c.Toy != nil {
		return c.Toy.Selector()
	}
	return c.target()
}

// Work returns the number of steps of the case times the states of its space, to compare costs. The
// case must have a toy.
func (c *Case) Work() int { return c.Distributions() * c.Toy.Space.States() }

// Setting has the names of the parts of an annealing, in canonical form if Selection.Cases has made
// it.
type Setting struct {
	Path     string
	Initial  string // empty is uniform
	Schedule string
	Kernel   string
	T        int // the number of distributions
}

// Params returns the parameters of a case of annealing, in the order of Parameters.
func (s Setting) Params() Params {
	var out Params
	for _, p := range Parameters() {
		if p.of != nil {
			out = append(out, Param{p.Name, p.of(s)})
		}
	}
	return out
}

// ColumnOrder sorts names of parameters for tables: toy and T first, and then the others in their
// order.
func ColumnOrder(names []string) (order []string) {
	first := []string{"toy", "T"}
	for _, name := range first {
		if slices.Contains(names, name) {
			order = append(order, name)
		}
	}
	for _, name := range names {
		if !slices.Contains(first, name) {
			order = append(order, name)
		}
	}
	return order
}

// TypeOf returns the type of the cells that CellOf returns.
func TypeOf(p Parameter) columns.Type {
	switch {
	case p.Number == nil:
		return columns.String
	case p.Number.Real:
		return columns.Float
	}
	return columns.Int
}

// CellOf returns the cell of a value of a parameter: a number if the parameter is one, and else the
// name that a user has given the value, or the text, of which people see only the beginning if it
// is long.
func (f Forms) CellOf(p Parameter, value string) any {
	if TakesNames(p.Name) {
		value = selector.Called(value)
	}
	if p.Number == nil {
		if title := f.Title(value); title != value {
			return columns.Both{Machine: value, People: title}
		}
		return value
	}
	if !p.Number.Real {
		if n, err := strconv.Atoi(value); err == nil {
			return n
		}
	} else if v, err := strconv.ParseFloat(value, 64); err == nil {
		return v
	}
	return nil // a case that has no such parameter
}

// CaseColumns returns the fields of the named parameters of a case, in their order: they identify
// the case of a row. People see toy and T; the others are for machines, unless a table shows them
// by name.
func CaseColumns[Row any](of func(Row) *Case, names ...string) columns.List {
	return columns.Lift(namedCaseColumns(names), of)
}

func namedCaseColumns(names []string) columns.List {
	fields := make(columns.List, len(names))
	for i, p := range Common(names...) {
		fields[i] = columns.Any(p.Name, "", TypeOf(p), p.Doc, func(c *Case) any {
			return c.Reader.Forms.CellOf(p, c.Param(p.Name))
		})
		if p.Name == "toy" || p.Name == "T" {
			fields[i] = fields[i].Titled(p.Name)
		}
	}
	return fields
}

// WholeCase returns the fields of all parameters that cases of annealing have.
func WholeCase[Row any](of func(Row) *Case) columns.List {
	return CaseColumns(of, ColumnOrder(Names(Parameters()))...)
}

// ShortCase returns the fields toy and T. Some tables begin with these and end with the rest of the
// case (RestOfCase).
func ShortCase[Row any](of func(Row) *Case) columns.List { return CaseColumns(of, "toy", "T") }

// RestOfCase returns the fields of WholeCase without those of ShortCase.
func RestOfCase[Row any](of func(Row) *Case) columns.List {
	return CaseColumns(of, ColumnOrder(Names(Parameters()))[2:]...)
}

// HMM returns the hidden Markov model whose paths of hidden states are the states of the target,
// and nil if there is none.
func (c *Case) HMM() *particle.HMM {
	if f := c.Factored(); f != nil {
		return f.Query.WholeHMM()
	}
	if m, is := c.Toy.Model.(*networks.Hidden); is {
		return m.HMM()
	}
	return nil
}

// ByCase splits rows into runs of consecutive rows that belong to one annealing.
func ByCase[R any](rows []R, of func(*R) *Case) (runs [][]R) {
	for i := range rows {
		if i == 0 || of(&rows[i]).Algorithm != of(&rows[i-1]).Algorithm {
			runs = append(runs, nil)
		}
		runs[len(runs)-1] = append(runs[len(runs)-1], rows[i])
	}
	return runs
}
