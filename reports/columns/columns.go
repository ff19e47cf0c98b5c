// Package columns defines the columns of the results of a study. A study declares each column once:
// its name, the meaning and unit of its numbers, its cells, and whether a sweep keeps it. Tables,
// schemas, figures, help and the files of sweeps derive from the declaration.
//
// It never writes a table: package breadboard/reports/table does.
//
// # Add a column
//
// A study declares each column in one line, beside its rows:
//
//	columns.Of("states", "states", "the number of states of the space", func(r *Row) int { return r.Toy.Space.States() })
//
// The name is for CSV and JSON, the title for people, with its unit, like "J (nats)". If you leave
// one out, its readers do not see the column. The meaning appears in breadboard help reference and
// in schemas. Methods of Field set other properties: Answer marks a column for which people read
// the table, and every table of a study has one; OrEmpty, Positive and Natural leave cells empty.
// Use Any for cells that are nil for another reason or a Both, ForPeople for a column without a
// name, Note for notes. With Within a sweep stores the number and checks its range on reading. A
// column that only a view can make, such as a percentage, belongs to the view.
//
// A slow column is computed only if a reader asks for it: test How.Columns.Any("tau", "note"), of
// package study. All other columns must stay the same to the last bit, which casetest.SameAlone
// tests. In sweeps, Shown decides what people see. A stored column is part of the format of sweep
// files: put its name at the end of Stored if the study lists it, and use Derived with the study's
// Restore if it follows from others. Rewrite the golden files, and the Examples that show the
// table.
package columns

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/number"
)

// Type is the type of the cells of a column for machines. A cell of any type may be empty (nil).
type Type string

// The types of columns.
const (
	Float  Type = "float"  // float64, also one that is not finite
	Int    Type = "int"    // int
	Uint   Type = "uint"   // uint64, such as a seed
	String Type = "string" // string
	Bool   Type = "bool"   // bool
)

// Known reports whether the type is one of those above.
func (t Type) Known() bool {
	switch t {
	case Float, Int, Uint, String, Bool:
		return true
	}
	return false
}

// Holds reports whether a text in a file may be a cell of this type.
func (t Type) Holds(text string) bool {
	var err error
	switch t {
	case Float, Int, Uint:
		_, err = strconv.ParseFloat(text, 64)
	case Bool:
		_, err = strconv.ParseBool(text)
	}
	return text == "" || err == nil
}

// Column describes a column of a table, apart from its cells.
type Column struct {
	// the name in the formats for machines; empty for a column that only people see
	Name string `json:"name"`
	// the type of its cells for machines; a column with a name has one
	Type Type `json:"type"`
	// the unit of the numbers, such as nats; people see it after the title
	Unit string `json:"unit,omitempty"`
	// the meaning of a cell, in one sentence, for the documentation of the formats for machines
	Meaning string `json:"meaning,omitempty"`
	// the heading in the formats for people; empty for a column that only machines read
	Title  string `json:"-"`
	Digits int    `json:"-"` // the significant digits of a float64 for people; 0 is 6
	// Answer marks a column for which people read the table: it is kept at any width. The columns
	// left of the first answer identify the row. The others are omitted from a table that is too
	// wide, from the right.
	Answer bool `json:"-"`
	Named  bool `json:"-"` // the sentence about the table names it, so that it is kept at any width too
	// Labels names a column of numbers that the cells of this column label, as in a table of (name,
	// value). A condition such as mean<1 then applies to value in the rows labelled mean.
	Labels string `json:"-"`
	// Names are all cells that such a column may have, known before anything is computed; one that
	// ends in * stands for all that begin like it. Without any, they depend on the input.
	Names []string `json:"-"`
	Prose bool     `json:"-"` // the cells are sentences, which may be broken into several lines between words
	// With is the flag without which the column is empty, and a table that begins with the column
	// is omitted; empty if no flag is needed.
	With string `json:"-"`
}

// Heading returns the heading of the column for people: its title, with the unit if there is one.
func (c Column) Heading() string {
	if c.Title == "" || c.Unit == "" {
		return c.Title
	}
	return c.Title + " (" + c.Unit + ")"
}

// Both is a cell that differs between people and machines, such as a number written in words.
type Both struct {
	Machine any // the cell in the formats for machines
	People  any // the cell in the formats for people
	// Range is a number that has lost digits, with the bound on its error; zero for other cells.
	Range number.Bounded
}

// Field is a column together with the function Of, which returns the cell of a row in this column.
// A table needs only a list of fields to show rows, and each column is one line of this list. A
// field has no type parameter, so that code on fields is compiled once; Of and Lift have pointer
// types, for all of which Go compiles one version. A table panics for columns of other rows than
// its own. Copies of a field share their Column, so that code with many of them stays small:
// methods change a copy, never the shared Column.
type Field struct {
	*Column
	Of   func(row any) any // of a pointer to a row
	Kept *Kept             // how a sweep keeps the number; nil if it does not
	// bounded returns the number of a row with the bound on its error; nil for a column whose
	// numbers have all their digits.
	bounded func(row any) number.Bounded
	free    bool // whether numbers in nats may have no bound; see Estimated
	row     any  // a nil pointer to a row
}

// List is the columns of a table, in their order.
type List = []Field

// Wanted are the names of the columns to show. If it is nil all are wanted.
type Wanted []string

// Any reports whether one of these columns is wanted, so that its cells must be computed.
func (w Wanted) Any(names ...string) bool {
	return w == nil || slices.ContainsFunc(names, func(name string) bool { return slices.Contains(w, name) })
}

// Begins reports whether one of the given texts is a prefix of the name of a wanted column.
func (w Wanted) Begins(with ...string) bool {
	return w == nil || slices.ContainsFunc(w, func(name string) bool {
		return slices.ContainsFunc(with, func(beginning string) bool { return strings.HasPrefix(name, beginning) })
	})
}

// Within reports whether all wanted columns are among these.
func (w Wanted) Within(names []string) bool {
	return w != nil &&
		!slices.ContainsFunc(w, func(name string) bool { return !slices.Contains(names, name) })
}

// WantedOf returns these names as wanted columns of a list, and of other columns. If one of them is
// not the name of any of these, but for example a title for people, all are wanted.
func WantedOf(list List, names []string, others ...string) Wanted {
	for _, name := range names {
		if !slices.Contains(others, name) &&
			!slices.ContainsFunc(list, func(f Field) bool { return f.Name == name && name != "" }) {
			return nil
		}
	}
	return names
}

// Kept says how a sweep keeps the number of a column, and its range.
type Kept struct {
	Low, High float64
	Missing   bool // the number may not exist: the cell is then empty, and the sweep keeps NaN
	// Clock marks elapsed time, which differs from run to run and is ignored when two results of a
	// case are compared.
	Clock   bool
	Shown   bool // the tables of sweeps for people show it too
	Derived bool // the number follows from those of other columns, and is not stored
}

// Of returns the field of a column whose cells are never empty, except for a number.Bounded that
// has lost its digits (see bounded.go). The title is the heading for people, followed by the unit,
// as in "J (nats)"; a unit alone, as in "(nats)", is for a column that only machines read. Methods
// of Field set other properties. Here and in the functions below, Row is a pointer to a row.
//
// A number in nats is a number.Bounded, or has a constructor below that says why it has no bound:
// all others panic for this unit.
func Of[Row any, V float64 | int | uint64 | string | bool | number.Bounded](name, title, meaning string,
	of func(Row) V) Field {
	f := field(name, title, TypeOf(*new(V)), meaning, *new(Row), func(row any) any { return of(row.(Row)) })
	if _, is := any(*new(V)).(number.Bounded); is {
		return f.boundedCells()
	}
	return f.checked()
}

// Estimated returns the field of numbers that are simulated, fitted, or approximated from a few
// moments: their digits are those of their standard errors, or of the approximation.
func Estimated[Row any](name, title, meaning string, of func(Row) float64) Field {
	return Stated(name, title, meaning, of)
}

// Stated returns the field of numbers that no computation rounds: inputs, such as log f of a state,
// and bounds.
func Stated[Row any](name, title, meaning string, of func(Row) float64) Field {
	f := field(name, title, Float, meaning, *new(Row), func(row any) any { return of(row.(Row)) })
	f.free = true
	return f
}

// checked panics for numbers in nats whose digits nothing bounds.
func (f Field) checked() Field {
	if f.Unit == "nats" && f.bounded == nil && !f.free {
		panic("columns: " + f.label() + " is in nats: use number.Bounded, Estimated or Stated")
	}
	return f
}

// Rounded returns the field of numbers with a bound on their absolute errors.
func Rounded[Row any](name, title, meaning string, of, err func(Row) float64) Field {
	return Of(name, title, meaning, func(r Row) number.Bounded { return number.UpTo(of(r), err(r)) })
}

// CanLose reports whether the column has numbers with bounds on their errors.
func (f Field) CanLose() bool { return f.bounded != nil }

// Note returns the field of the caveats of a row.
func Note[Row any](of func(Row) string) Field { return Of("note", "", MeansNote, of) }

// Any returns a column whose cells may be nil, which prints as an empty cell, or a Both.
func Any[Row any](name, title string, t Type, meaning string, of func(Row) any) Field {
	return field(name, title, t, meaning, *new(Row), Cells(of)).checked()
}

// Cells converts a function of rows to the type of Field.Of.
func Cells[Row any](of func(Row) any) func(row any) any {
	return func(row any) any { return of(row.(Row)) }
}

// ForPeople returns the field of a column that machines do not read.
func ForPeople[Row any](title string, of func(Row) any) Field { return Any("", title, "", "", of) }

func field(name, title string, t Type, meaning string, row any, of func(any) any) Field {
	c := &Column{Name: name, Type: t, Title: title, Meaning: meaning}
	if text, is := strings.CutSuffix(title, ")"); is {
		if at := strings.LastIndex(" "+text, " ("); at >= 0 {
			c.Title = strings.TrimSuffix(text[:at], " ")
			c.Unit = text[at+1:]
		}
	}
	return Field{Column: c, Of: of, row: row}
}

// TypeOf returns the type of a cell for machines, and "" if no column may hold it.
func TypeOf(cell any) Type {
	switch cell.(type) {
	case float64, number.Bounded:
		return Float
	case int:
		return Int
	case uint64:
		return Uint
	case string:
		return String
	case bool:
		return Bool
	}
	return ""
}

// withColumn changes a copy of what the field says of the column.
func (f Field) withColumn(change func(c *Column)) Field {
	c := *f.Column
	change(&c)
	f.Column = &c
	return f
}

// Titled gives the column another title; with an empty title only machines read it.
func (f Field) Titled(title string) Field { return f.withColumn(func(c *Column) { c.Title = title }) }

// In gives the numbers a unit.
func (f Field) In(unit string) Field {
	return f.withColumn(func(c *Column) { c.Unit = unit }).checked()
}

// Digits sets the significant digits for people.
func (f Field) Digits(n int) Field { return f.withColumn(func(c *Column) { c.Digits = n }) }

// Answer marks a column for which people read the table; tables of any width show it.
func (f Field) Answer() Field { return f.withColumn(func(c *Column) { c.Answer = true }) }

// Answers marks the fields with these names (or titles, if they have no names) as answers.
func Answers(fields List, names ...string) List {
	for i, f := range fields {
		if slices.Contains(names, f.label()) {
			fields[i] = f.Answer()
		}
	}
	return fields
}

// Prose says that the cells are sentences.
func (f Field) Prose() Field { return f.withColumn(func(c *Column) { c.Prose = true }) }

// With says that the column is empty without a flag; see Column.With.
func (f Field) With(flag string) Field { return f.withColumn(func(c *Column) { c.With = flag }) }

// Labels says that the cells are names of the numbers in another column; see Column.Labels and
// Column.Names.
func (f Field) Labels(column string, names ...string) Field {
	return f.withColumn(func(c *Column) {
		c.Labels = column
		c.Names = names
	})
}

// OrEmpty leaves cells empty instead of NaN or an empty text.
func (f Field) OrEmpty() Field {
	return f.emptyAt(func(cell any) bool {
		v, is := cell.(float64)
		return cell == "" || is && math.IsNaN(v)
	})
}

// Positive leaves cells empty instead of a whole number below 1.
func (f Field) Positive() Field { return f.emptyAt(func(cell any) bool { return cell.(int) < 1 }) }

// Natural leaves cells empty instead of a whole number below 0.
func (f Field) Natural() Field { return f.emptyAt(func(cell any) bool { return cell.(int) < 0 }) }

func (f Field) emptyAt(empty func(cell any) bool) Field {
	of := f.Of
	f.Of = func(row any) any {
		cell := of(row)
		if cell == nil || empty(cell) {
			return nil
		}
		return cell
	}
	return f
}

// Keep makes sweeps keep the number.
func (f Field) Keep(k Kept) Field { f.Kept = &k; return f }

// Within makes sweeps keep the number, which is from low to high.
func (f Field) Within(low, high float64) Field { return f.Keep(Kept{Low: low, High: high}) }

// Derived makes sweeps compute the number from others that they keep.
func (f Field) Derived() Field { return f.Keep(Kept{Derived: true}) }

// Missing says that a number kept by sweeps may not exist; see Kept.Missing.
func (f Field) Missing() Field { k := *f.Kept; k.Missing = true; return f.Keep(k) }

// Shown shows a number kept by sweeps in their tables for people.
func (f Field) Shown() Field { k := *f.Kept; k.Shown = true; return f.Keep(k) }

// LeftOut returns what all numbers of a row omit, because the states of its toy are classes whose
// members differ (see toys.Toy.LeftOut), and "" if nothing. Rows have a method of that name if they
// contain a case or a problem.
func LeftOut(row any) string {
	if s, says := row.(interface{ LeftOut() string }); says {
		return s.LeftOut()
	}
	return ""
}

// Noted returns the fields of a table, with the texts of LostNote and LeftOut added to the column
// note. If rows may need it and have no such column, they get one. All tables get these
// texts here, so that no study can forget them. It panics for fields of different rows.
func Noted(fields List) List {
	if len(fields) == 0 {
		return nil
	}
	row := fields[0].row
	for _, f := range fields {
		if f.row != row {
			panic(fmt.Sprintf("columns: %s is about a %T, and other columns of its table are about a %T",
				f.Name, f.row, row))
		}
	}
	_, can := row.(interface{ LeftOut() string })
	bounded := slices.ContainsFunc(fields, func(f Field) bool { return f.bounded != nil })
	if !can && !bounded {
		return fields
	}
	fields = slices.Clone(fields)
	at := slices.IndexFunc(fields, func(f Field) bool { return f.Name == "note" })
	if at < 0 {
		at = len(fields)
		fields = append(fields, field("note", "", String, MeansNote, row, func(any) any { return nil }))
	}
	of := fields[at].Of
	numbers := slices.Clone(fields)
	fields[at].Of = func(r any) any {
		var notes []string
		note := of(r)
		if text, is := note.(string); is && text != "" {
			notes = append(notes, text)
		}
		for _, more := range []string{LostNote(numbers, r), LeftOut(r)} {
			if more != "" {
				notes = append(notes, more)
			}
		}
		if len(notes) == 0 {
			return note
		}
		return strings.Join(notes, "; ")
	}
	return fields
}

// Rows returns the length of a slice of any type, and a function that returns a pointer to each
// element. It has no type parameter, so that it is compiled once.
func Rows(slice any) (n int, row func(i int) any) {
	if slice == nil {
		return 0, nil
	}
	v := reflect.ValueOf(slice)
	return v.Len(), func(i int) any { return v.Index(i).Addr().Interface() }
}

// Lift turns fields of a part into fields of rows that contain such a part. The cells are nil if
// part returns nil.
func Lift[Row any, Part comparable](fields List, part func(Row) Part) List {
	return LiftAny(fields, *new(Row), func(row any) any {
		if p := part(row.(Row)); p != *new(Part) {
			return p
		}
		return nil
	})
}

// LiftAny is Lift for a nil pointer to a row and a function of such pointers.
func LiftAny(fields List, row any, part func(any) any) List {
	fields = slices.Clone(fields)
	for i, f := range fields {
		fields[i].row = row
		fields[i].Of = func(r any) any {
			p := part(r)
			if p == nil {
				return nil
			}
			return f.Of(p)
		}
		if f.bounded != nil {
			fields[i].bounded = func(r any) number.Bounded {
				if p := part(r); p != nil {
					return f.bounded(p)
				}
				return number.Exactly(math.NaN())
			}
		}
	}
	return fields
}

// OrEmpty returns the number, or nil (an empty cell) for NaN.
func OrEmpty(v float64) any {
	if math.IsNaN(v) {
		return nil
	}
	return v
}

// AtLeast returns the number, or nil (an empty cell) if it is NaN or below least.
func AtLeast(least, v float64) any {
	if v >= least {
		return v
	}
	return nil
}

// Meanings of columns that several studies have.
const (
	MeansJ         = "the Jeffreys divergence of the output q from the target p: kl_q_p + kl_p_q"
	MeansB         = "the bound on J: mean_log_w_reverse - mean_log_w_forward"
	MeansKLQP      = "KL(q || p), of the sampler's output q from the target p"
	MeansKLPQ      = "KL(p || q), of the target p from the sampler's output q"
	MeansLogZ      = "the log of the sum of f over all states"
	MeansLogZRatio = "log(Z_T/Z_1), for the target and the first distribution"
	MeansNote      = "remarks on the row, such as why a number is not finite or has lost digits"
	MeansRows      = "the target"
	MeansKernel    = "the Markov kernel"
	MeansTolerance = "the largest value that is not a fault; if the value is an e-value, the least that is a " +
		"fault; empty if nothing was compared"
	MeansFinding   = "the quantity that is checked"
	MeansWhere     = "the place of the value, such as a state or a stage"
	MeansDirection = "the direction of the chains, forward or reverse"
	MeansZ         = "the difference of the estimate from the exact value, in standard errors"
	MeansStates    = "the number of states of the space"
)
