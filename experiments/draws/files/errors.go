package files

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/numpy"
	"breadboard/chains/selector"
)

// Error is an error in a source, with its place and what to write instead.
type Error struct {
	Source string
	// the number of the row, counted from 0 without the header, and shown from 1; -1 if the fault
	// is not in a single row
	Row    int
	Line   int    // the line of a text, counted from 1; 0 if there is none
	Column string // the name of the column; empty if the fault is not in a single column
	Found  string // what is there
	Want   error  // what to write, as a request; an errs.Advice if it names options
}

// Unwrap returns Want, so that a command can name its flags.
func (e *Error) Unwrap() error { return e.Want }

// Parts returns what is wrong, such as "fwd.csv, line 17 (row 16), column x_first: found 49", and
// as the hint what to write, such as "write a state from 0 to 48".
func (e *Error) Parts(errs.Words) (what, hint string) {
	what = e.describePlace()
	if e.Column != "" {
		what += ", column " + e.Column
	}
	return what + ": found " + e.Found, e.Want.Error() // which is unwrapped for its options
}

// Error returns both parts.
func (e *Error) Error() string { return errs.Join(e.Parts(nil)) }

// describePlace names the source, the line and the row.
func (e *Error) describePlace() string {
	switch {
	case e.Line > 0 && e.Row >= 0:
		return fmt.Sprintf("%s, line %d (row %d)", e.Source, e.Line, e.Row+1)
	case e.Line > 0:
		return fmt.Sprintf("%s, line %d", e.Source, e.Line)
	case e.Row >= 0:
		return fmt.Sprintf("%s, row %d", e.Source, e.Row+1)
	}
	return e.Source
}

// fault is an Error whose place is not known yet.
type fault struct {
	column, found string
	want          error
}

func (f *fault) Error() string { return f.found + "; " + f.want.Error() }

// withPlace returns the fault as an Error with its place. A row of -1 and a line of 0 say that it
// has none.
func (f *fault) withPlace(source string, row, line int) *Error {
	return &Error{Source: source, Row: row, Line: line, Column: f.column, Found: f.found, Want: f.want}
}

// in returns the fault with the name of its column.
func (f *fault) in(column string) *fault {
	f.column = column
	return f
}

// wrong returns a fault: what was found, and what to write, formatted by errs.New.
func wrong(found, want string, args ...any) *fault {
	return &fault{found: found, want: errs.New(want, args...)}
}

// noRows is the fault of a source that names its columns and then ends.
func noRows() *fault { return wrong("no rows", "write at least one row of values") }

// tooMany is the fault of a source of more numbers than are taken.
func tooMany(most int) *fault {
	return wrong(fmt.Sprintf("more than %d numbers", most),
		"write fewer, such as every second draw, or each chain by itself")
}

// packedFault returns the given error of a file, as an Error with a cure if the file cannot be
// unpacked.
func packedFault(path string, err error) error {
	if bad, is := err.(*selector.PackedError); is {
		return wrong("a file that "+bad.What, "%s", bad.Cure).withPlace(path, -1, 0)
	}
	return err
}

// arrayFault returns the mistake in an array as a fault.
func arrayFault(m *numpy.Mistake) *fault { return wrong(m.Found, "%s", m.Want).in(m.Field) }

// refuseFormat returns the error of a file whose ending names a format that is not read, with the
// way to convert it, and nil for any other file.
func refuseFormat(path string) error {
	title, cure := selector.Foreign(path, nil, true)
	if title == "" {
		return nil
	}
	return wrong("the format "+title+", which is not read", "%s", cure).withPlace(path, -1, 0)
}

// Quoted returns a text as it stands in a message: in quotation marks, with what cannot be printed
// escaped, and cut where it is long.
func Quoted(text []byte) string {
	const most = 40
	if len(text) > most {
		return fmt.Sprintf("%q and so on", text[:most])
	}
	return fmt.Sprintf("%q", text)
}

// listed returns names as an enumeration, of which the end is left out if there are many.
func listed(names []string) string {
	const most = 20
	const longName = 40
	shown := make([]string, 0, most)
	for _, n := range names[:min(len(names), most)] {
		if n == "" || len(n) > longName || strings.ContainsAny(n, " ,\t") {
			n = Quoted([]byte(n))
		}
		shown = append(shown, n)
	}
	list := strings.Join(shown, ", ")
	if len(names) > most {
		list += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return list
}

// missing reports whether a cell says that there is no value, as NA does in R.
func missing(text []byte) bool {
	return slices.ContainsFunc([]string{"na", "<na>", "nan", "+nan", "-nan"},
		func(name string) bool { return strings.EqualFold(string(text), name) })
}

// quoteCell returns a text of a cell for a message.
func quoteCell(text []byte) string {
	switch {
	case len(text) == 0:
		return "an empty cell"
	case bytes.EqualFold(bytes.TrimLeft(text, "+-"), []byte("nan")):
		return "nan"
	case missing(text):
		return string(text) + ", a missing value"
	case bytes.ContainsRune(text, '\u2212'):
		return Quoted(text) + ", with the minus of print, where numbers have the hyphen -"
	}
	return Quoted(text)
}

// notNumber is the fault of a text that is no number, or none of those that are wanted.
func notNumber(text []byte, want string) *fault {
	if bytes.IndexByte(text, ',') >= 0 {
		want = "write decimals with a point, and thousands without a comma"
	}
	return wrong(quoteCell(text), "%s", want)
}
