// Package columns answers: what is a column of the results of a study? A column is declared once, where the study is: what it is called,
// what its numbers mean and in which unit they are, what stands in it, and which of its numbers a sweep keeps. Tables, schemas, figures,
// help and the files of sweeps derive from that.
//
// It never writes a table: package breadboard/reports/table does.
package columns

import (
	"fmt"
	"math"
	"slices"
)

// Type is what the cells of a column are for machines. A cell of any type may be empty, that is nil.
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

// Column describes a column of a table, apart from its cells.
type Column struct {
	Name    string `json:"name"`              // the name in the formats for machines; empty for a column that only people see
	Type    Type   `json:"type"`              // what its cells are for machines; a column with a name has one
	Unit    string `json:"unit,omitempty"`    // the unit of the numbers, such as nats; people see it behind the title
	Meaning string `json:"meaning,omitempty"` // what a cell says, in one sentence, for the documentation of the formats for machines
	Title   string `json:"-"`                 // the heading in the formats for people; empty for a column that only machines read
	Bare    bool   `json:"-"`                 // people see the title without the unit, which stands in the cells or in the title itself
	Narrow  bool   `json:"-"`                 // tables of text, which have the width of a terminal, leave out the unit behind the title
	Digits  int    `json:"-"`                 // the significant digits of a float64 for people; 0 is 6
	// Spare ranks columns for omission where a table is too wide: the largest goes first, among equals the rightmost; Keep is never omitted.
	Spare int `json:"-"`
	// Labels names a column of numbers that the cells of this column label, as in a table of (name, value). A condition such as mean<1 then
	// applies to value in the rows labelled mean.
	Labels string `json:"-"`
	Prose  bool   `json:"-"` // the cells are sentences, which may be broken into several lines between words
	// Optional columns are there on demand: CSV and JSON leave them out where all cells are empty.
	Optional bool `json:"-"`
}

// Keep as Spare means: never omit this column.
const Keep = -1

// Heading returns the heading of the column for people: its title, with the unit where there is one and the column is not Bare.
func (c Column) Heading() string {
	if c.Title == "" || c.Unit == "" || c.Bare {
		return c.Title
	}
	return c.Title + " (" + c.Unit + ")"
}

// Both is a cell in which people see something other than machines: a number that is written in words, for example.
type Both struct {
	Machine any // the cell in the formats for machines
	People  any // the cell in the formats for people
}

// Field is a column together with the function Of, which returns the cell of a row in this column. A list of fields is all
// that a table needs to know about a type of rows, and each column is one line of this list.
type Field[R any] struct {
	Column
	Of   func(*R) any
	Kept *Kept // how a sweep keeps the number; nil where it does not
}

// Kept says how a sweep keeps the number of a column, and which numbers it can be.
type Kept struct {
	Low, High float64
	Missing   bool // there may be no such number: the cell is then empty, and what is kept is NaN
	// Clock marks elapsed time, which differs from run to run and is ignored when two results of a case are compared.
	Clock   bool
	Shown   bool // the tables of sweeps for people have it too
	Derived bool // it follows from the numbers of other columns, and is not stored itself
}

// Number returns the field of a number that sweeps keep.
func Number[R any](c Column, k Kept, of func(*R) float64) Field[R] {
	c.Type = Float
	return Field[R]{Column: c, Kept: &k, Of: func(r *R) any { return of(r) }}
}

// LeftOut returns what no number of a row has, since the states of its toy are classes whose members differ (see toys.Toy.LeftOut): it is empty where
// there is nothing to say. A row says so by a method of that name, which those have that contain a case or a problem.
func LeftOut[R any](r *R) string {
	if s, says := any(r).(interface{ LeftOut() string }); says {
		return s.LeftOut()
	}
	return ""
}

// Noted returns the fields of a table, where the column note also says what LeftOut does. Rows that can have something left out, and no such
// column, get one that is there on demand. It is the one place where a table learns of that, so that no study can forget it.
func Noted[R any](fields []Field[R]) []Field[R] {
	if _, can := any((*R)(nil)).(interface{ LeftOut() string }); !can {
		return fields
	}
	fields = slices.Clone(fields)
	at := slices.IndexFunc(fields, func(f Field[R]) bool { return f.Name == "note" })
	if at < 0 {
		at = len(fields)
		fields = append(fields, Field[R]{Column: Column{Name: "note", Type: String, Meaning: MeansNote, Optional: true}, Of: func(*R) any { return nil }})
	}
	of := fields[at].Of
	fields[at].Of = func(r *R) any {
		note, left := of(r), LeftOut(r)
		switch {
		case left == "":
			return note
		case note == nil || note == "":
			return left
		}
		return fmt.Sprint(note, "; ", left)
	}
	return fields
}

// OrEmpty returns the number, or nil, which makes an empty cell, for NaN.
func OrEmpty(v float64) any {
	if math.IsNaN(v) {
		return nil
	}
	return v
}

// Lift turns fields of a part into fields of rows that contain such a part. The cells are nil where part returns nil, since
// the row then has no such part.
func Lift[R, P any](fields []Field[P], part func(*R) *P) []Field[R] {
	out := make([]Field[R], len(fields))
	for i, f := range fields {
		out[i] = Field[R]{Column: f.Column, Kept: f.Kept, Of: func(r *R) any {
			p := part(r)
			if p == nil {
				return nil
			}
			return f.Of(p)
		}}
	}
	return out
}

// Positive returns n if n > 0, and otherwise nil, an empty cell.
func Positive(n int) any {
	if n <= 0 {
		return nil
	}
	return n
}

// Natural returns n if n >= 0, and otherwise nil, an empty cell.
func Natural(n int) any {
	if n < 0 {
		return nil
	}
	return n
}

// These are the meanings of columns that several studies have.
const (
	MeansJ         = "the Jeffreys divergence of the sampler's output q from the target p, which is kl_q_p + kl_p_q"
	MeansB         = "the bound on J, which is mean_log_w_reverse - mean_log_w_forward"
	MeansKLQP      = "KL(q || p), of the sampler's output q from the target p"
	MeansKLPQ      = "KL(p || q), of the target p from the sampler's output q"
	MeansLogZRatio = "log(Z_T/Z_1), the log of the ratio of the normalising constants of the target and of the first distribution"
	MeansNote      = "what the numbers of the row cannot say, such as why one is not finite or has lost digits"
	MeansRows      = "the model or target, as on the command line in canonical form"
	MeansKernel    = "the Markov kernel, as on the command line in canonical form"
	MeansVerdict   = "pass, or fault where the test has found one"
	MeansTolerance = "the largest value that is no fault, and where the value is an e-value the one from which on it is a fault; empty where nothing was compared"
	MeansFinding   = "what was looked at"
	MeansWhere     = "where the value was found, such as a state or a stage; empty where that says nothing"
	MeansDirection = "the direction of the chains, forward or reverse"
	MeansZ         = "by how many of its standard errors the estimate is off the exact value"
	MeansStates    = "the number of states of the space"
)
