package files

import (
	"fmt"
	"strings"

	"breadboard/chains"
)

// Error says what is wrong with a source, where, and what to write instead.
type Error struct {
	Source string
	Row    int    // the number of the row, counted from 0 and without the header; -1 where the fault is in no single row
	Line   int    // the line of a text, counted from 1; 0 where there is none
	Column string // the name of the column; empty where the fault is in no single column
	Found  string // what is there
	Want   string // what to write, as a request

	options error // Want as Advice, where it names options; else nil
}

// Unwrap returns what to write as a chains.Advice where that names options, so that a command can name its flags.
func (e *Error) Unwrap() error { return e.options }

// Error returns a sentence such as "fwd.csv, line 17 (row 15), column x_first: found 49; write a state from 0 to 48".
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Source)
	switch {
	case e.Line > 0 && e.Row >= 0:
		fmt.Fprintf(&b, ", line %d (row %d)", e.Line, e.Row)
	case e.Line > 0:
		fmt.Fprintf(&b, ", line %d", e.Line)
	case e.Row >= 0:
		fmt.Fprintf(&b, ", row %d", e.Row)
	}
	if e.Column != "" {
		b.WriteString(", column " + e.Column)
	}
	return b.String() + ": found " + e.Found + "; " + e.Want
}

// fault is an Error whose place is not known yet.
type fault struct {
	column, found, want string
	options             error // want as Advice, where it names options; else nil
}

// advised is a fault whose remedy names options.
func advised(found string, want chains.Advice) *fault {
	return &fault{found: found, want: want.Error(), options: want}
}

// namedTwice is the fault of a source that names its columns, and not as the options name them.
func namedTwice(found string, o Options) *fault {
	return advised(found, chains.NewAdvice("leave out {input-columns|the names that are given besides}, %s", listed(o.Columns)))
}

// at returns the fault as an Error with its place. A row of -1 and a line of 0 say that it has none.
func (f *fault) at(source string, row, line int) *Error {
	return &Error{Source: source, Row: row, Line: line, Column: f.column, Found: f.found, Want: f.want, options: f.options}
}

// in returns the fault with the name of its column.
func (f *fault) in(column string) *fault {
	f.column = column
	return f
}

// noRows is the fault of a source that names its columns and then ends.
func noRows() *fault { return &fault{found: "no rows", want: "write at least one row of values"} }

// quoted returns a text as it stands in a message: in quotation marks, with what cannot be printed escaped, and cut where it
// is long.
func quoted(text []byte) string {
	const most = 40
	if len(text) > most {
		return fmt.Sprintf("%q and so on", text[:most])
	}
	return fmt.Sprintf("%q", text)
}

// longName is the number of bytes from which on a name is quoted, and cut, in messages.
const longName = 40

// listed returns names as an enumeration, of which the end is left out where there are many.
func listed(names []string) string {
	const most = 20
	shown := make([]string, 0, most)
	for _, n := range names[:min(len(names), most)] {
		if n == "" || len(n) > longName || strings.ContainsAny(n, " ,\t") {
			n = quoted([]byte(n))
		}
		shown = append(shown, n)
	}
	list := strings.Join(shown, ", ")
	if len(names) > most {
		list += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return list
}
