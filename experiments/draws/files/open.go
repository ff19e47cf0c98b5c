// Package files reads the output of external programs: chains, kernel transitions and estimates
// from CSV, CmdStan's CSV, coda's files, NumPy's .npy and JSON Lines, in batches and in bounded
// memory. It checks every value: a state must be one of the space, and a log weight must be a
// number or an infinity. An Error has the source, the row and the column, what was found there and
// what to write.
//
// It never tests a distribution, never corrects its input and never guesses: ambiguous input is an
// error.
//
// # Columns
//
// The names of the columns are log_w (nats), x_first, x_last, all of x_1 to x_T or the same as path
// in one cell, all of increment_2 to increment_T (nats, by the stage that adds them), beta with
// from and to, log_z (nats), and se, the standard errors of log_z (nats). At least one is required.
// x_1 and x_T without the rest of the path are x_first and x_last. Other columns are ignored and
// listed; a name that looks like one of these, misspelt, is an error.
//
// A state is its number, counted from 0, or its coordinates on a lattice, slowest axis first and
// counted from 0: in one cell, as in 3;4 or (3, 4) or an array, or in one column an axis, as in
// x_first_0 and x_first_1.
//
// # Formats
//
// Text has its columns separated by commas, tabs, semicolons or blanks, whichever the header has.
// The header is the first line that is not a comment, or the last comment before the rows, as
// numpy.savetxt writes it. R's write.table puts a name before each row and none into the header;
// such names are ignored. Files of CmdStan have comments between rows too, which mark the end of
// the warm-up: its draws are omitted. For coda's files the index is opened, and the chains are in
// the same folder. Arrays of .npy are structured, or plain with names given by the caller. JSON
// Lines have an object a line.
//
// Rows gives the rows of any text unchanged, for package codes. Series reads plain numbers without
// names: one quantity along several chains. ReadDraws reads the variables of any model, in files of
// CmdStan or coda, tables and arrays.
//
// # Add a file format
//
//  1. Write FORMAT.go, like csv.go: a decoder that fills a table, and a function that opens it and
//     makes the layout of its names. Errors say what was found, and what to write.
//  2. Add the endings of its names to openFile in open.go, and to the text of wrongEnding there.
//  3. Test it in TestRoundTrip, each mistake in bad_test.go, and a case of FuzzReaders in
//     cell_test.go.
//  4. Say what to write in experiments/checks/conform/folder/readme.tmpl and in the help of conform
//     check.
package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments/draws"
)

// Options are the options of Open and NewStream.
type Options struct {
	Space   draws.Space
	Columns []string // the names of the columns in their order, if the source does not name them; else nil
	Alone   string   // the name of a single column without a name; empty if it must have one
}

// maxFile is the largest file that is read, in bytes.
const maxFile = 1e12

// Reader is a source that reads a file or a stream.
type Reader struct {
	name  string
	rows  decoder
	table *table
	close func() error
	read  int
	batch draws.Batch
	end   error
	began int       // the number of rows that were read before the file that is being read
	left  []*Reader // of the files that are read after it
	done  []*Reader // of those before it
}

// decoder reads rows of one format.
type decoder interface {
	// decode reads up to limit rows into a table that has room for them and returns how many there
	// are. It returns io.EOF if there is none left.
	decode(ctx context.Context, t *table, limit int) (int, error)
}

// Open opens a file of samples, by the ending of its name: .csv, .tsv and .txt are text with a row
// a line, .npy is NumPy's format, and .jsonl, .ndjson and .json are JSON with an object a line. A
// name that ends in index.txt or .ind is an index of coda files, whose chains are read one after
// another. Errors in the content are an *Error. The caller closes the reader.
func Open(ctx context.Context, path string, o Options) (*Reader, error) {
	file, err := selector.OpenFile(path, maxFile)
	if err != nil {
		return nil, err
	}
	r, err := openFile(ctx, path, file, o)
	if err != nil {
		file.Close()
		return nil, err
	}
	r.close = file.Close
	return r, nil
}

// codaEnding stands for the endings of an index of coda's files.
const codaEnding = ".ind"

// openFile reads the beginning of an open file.
func openFile(ctx context.Context, path string, file *selector.File, o Options) (*Reader, error) {
	var rows decoder
	var l *layout
	var err error
	ending := selector.Ending(path)
	if isCodaIndex(path) {
		ending = codaEnding
	}
	switch ending {
	case codaEnding:
		rows, l, err = openCoda(ctx, path, o)
	case ".csv", ".tsv", ".txt":
		rows, l, err = openCSV(ctx, path, linesOf(path, file), o)
	case ".npy":
		var in selector.Places
		if in, err = file.Places(maxUnpacked); err != nil {
			return nil, unpacking(path, err)
		}
		rows, l, err = openNPY(path, in, o)
	case ".jsonl", ".ndjson", ".json":
		rows, l, err = openJSON(ctx, path, linesOf(path, file), o)
	default:
		err = wrongEnding(path,
			"write text to .csv, .tsv or .txt, NumPy arrays to .npy, or JSON Lines to .jsonl, .ndjson or .json; for coda's files give the index, such as CODAindex.txt")
	}
	if err != nil {
		return nil, err
	}
	return newReader(path, rows, l, o), nil
}

// maxUnpacked is the largest file that is unpacked in memory, in bytes.
const maxUnpacked = 1 << 30

// packedText reads a file from its beginning, unpacked if gzip has compressed it. What cannot be
// unpacked is an *Error.
type packedText struct {
	path string
	file *selector.File
	in   io.Reader // nil until the first bytes are asked for
}

func (p *packedText) Read(to []byte) (n int, err error) {
	if p.in == nil {
		p.in, err = p.file.Text()
	}
	if err == nil {
		n, err = p.in.Read(to)
	}
	return n, unpacking(p.path, err)
}

// linesOf returns the lines of a file.
func linesOf(path string, file *selector.File) *lines {
	return &lines{in: &packedText{path: path, file: file}}
}

// unpacking returns the error of a file, as an *Error if the file cannot be unpacked.
func unpacking(path string, err error) error {
	if bad, is := errors.AsType[*selector.PackedError](err); is {
		return (&fault{found: "a file that " + bad.What, want: bad.Cure}).at(path, -1, 0)
	}
	return err
}

// wrongEnding returns the error of a file whose name does not say what it is, and what is wanted in
// its place.
func wrongEnding(path, want string) error {
	if found, cure := unread(path); found != "" {
		return (&fault{found: found, want: cure}).at(path, -1, 0)
	}
	found := "a name without an extension"
	if ending := filepath.Ext(path); ending != "" {
		found = "a name that ends in " + ending
	}
	return (&fault{found: found, want: want}).at(path, -1, 0)
}

// unread returns what a file is whose format is known by its ending and not read, and how to
// convert it; empty for others.
func unread(path string) (found, cure string) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".parquet":
		return "a Parquet file, which cannot be read", selector.ParquetAdvice(path)
	case ".nc", ".nc4", ".netcdf":
		return "a netCDF file, as ArviZ writes InferenceData, which cannot be read",
			`diagnose it in Python: import arviz, breadboard; breadboard.diagnose(arviz.from_netcdf("FILE.nc"))`
	case ".h5", ".hdf5":
		return "an HDF5 file, as emcee's backend writes one, which cannot be read",
			`diagnose its draws in Python: import emcee, breadboard; breadboard.diagnose(emcee.backends.HDFBackend("FILE.h5").get_chain().swapaxes(0, 1))`
	case ".rds", ".rda", ".rdata":
		return "a file of R's own, which cannot be read",
			`have R write it as text: write.csv(posterior::as_draws_df(readRDS("FILE.rds")), "FILE.csv", row.names = FALSE)`
	case ".pkl", ".pickle":
		return "a pickled Python object, which can run any code and is not read", "save its arrays with numpy.savez"
	}
	return "", ""
}

// NewStream returns a source that reads a stream, which may be endless: text like .csv files, or
// JSON Lines if it begins with a brace. The name is for messages. A batch ends when the stream
// makes its reader wait. A call returns at once when its context ends; bytes that arrive later are
// not lost.
func NewStream(ctx context.Context, name string, in io.Reader, o Options) (*Reader, error) {
	text := &lines{waiting: &waiting{in: in}}
	first, err := firstByte(ctx, text)
	if err != nil {
		return nil, err
	}
	var rows decoder
	var l *layout
	if first == '{' || first == '[' {
		rows, l, err = openJSON(ctx, name, text, o)
	} else {
		rows, l, err = openCSV(ctx, name, text, o)
	}
	if err != nil {
		return nil, err
	}
	return newReader(name, rows, l, o), nil
}

// firstByte returns the first byte of a text that is no blank, after the mark with which some
// programs begin one, and 0 where there is none among those that are read at once. It passes over
// nothing.
func firstByte(ctx context.Context, text *lines) (byte, error) {
	for n := 1; n < chunk; n++ {
		start, err := text.start(ctx, n)
		if err != nil {
			return 0, err
		}
		if len(start) < n {
			return 0, nil
		}
		if c := start[n-1]; strings.IndexByte(" \t\r\n\ufeff", c) < 0 {
			return c, nil
		}
	}
	return 0, nil
}

// newReader returns a reader of rows that are laid out so.
func newReader(name string, rows decoder, l *layout, o Options) *Reader {
	return &Reader{name: name, rows: rows, table: newTable(l, o.Space), close: func() error { return nil }}
}

// Name returns the path of the file or the name of the stream; for several files, the paths
// separated by commas.
func (r *Reader) Name() string {
	var names []string
	for _, file := range r.files() {
		names = append(names, file.name)
	}
	return strings.Join(names, ", ")
}

// Columns returns the columns of the batches.
func (r *Reader) Columns() draws.Columns { return r.table.layout.columns }

// Ignored returns the names of unknown columns, which the reader ignores.
func (r *Reader) Ignored() []string { return slices.Clone(r.table.layout.ignored) }

// Notes say what was omitted from the files so far, ignored columns too, and which runs were
// aborted.
func (r *Reader) Notes() (notes []string) {
	names := slices.DeleteFunc(r.Ignored(), func(name string) bool { return name == "" }) // pandas and R number the rows so
	if len(names) > 0 {
		notes = append(notes, r.name+": nothing uses "+theColumns(names))
	}
	for _, file := range append(slices.Clone(r.done), r) {
		if text, is := file.rows.(*csvRows); is {
			for _, note := range text.stan.notes() {
				notes = append(notes, file.name+": "+note)
			}
		}
	}
	return notes
}

// Precision returns the precision of the log weights, or of the estimates if there are any, in the
// rows so far.
func (r *Reader) Precision() draws.Precision {
	if r.Columns().LogZ {
		return r.table.precisionOf(logZ)
	}
	return r.table.precisionOf(logW)
}

// IncrementPrecision returns the precision of the increments in the rows so far.
func (r *Reader) IncrementPrecision() draws.Precision { return r.table.precisionOf(increment) }

// Close closes the files. It does not close the input of a stream.
func (r *Reader) Close() (err error) {
	for _, file := range r.files() {
		err = errors.Join(err, file.close())
	}
	return err
}

// Next returns at most the given number of next rows, and io.EOF after the last. An *Error in a row
// ends the source; earlier rows of the same batch are not returned. If the context is done Next
// returns its error and may be called again. One call takes memory for some million values at most,
// for any number of rows.
func (r *Reader) Next(ctx context.Context, rows int) (*draws.Batch, error) {
	if r.end != nil {
		return nil, r.end
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if rows < 1 {
		panic("files: a batch needs room for a row")
	}
	n, err := r.rows.decode(ctx, r.table, r.table.room(rows))
	if err == io.EOF && r.read == r.began {
		err = noRows().at(r.name, -1, 0)
	}
	if err == io.EOF && len(r.left) > 0 {
		r.turn()
		return r.Next(ctx, rows)
	}
	if err != nil && !chains.Ended(ctx, err) {
		r.end = err
	}
	if err != nil {
		return nil, err
	}
	r.table.batch(&r.batch, r.read, n)
	r.read += n
	return &r.batch, nil
}

// Error is an error in a source, with its place and what to write instead.
type Error struct {
	Source string
	Row    int    // the number of the row, counted from 0 and without the header; -1 if the fault is not in a single row
	Line   int    // the line of a text, counted from 1; 0 if there is none
	Column string // the name of the column; empty if the fault is not in a single column
	Found  string // what is there
	Want   string // what to write, as a request

	options error // Want as Advice, if it names options; else nil
}

// Unwrap returns Want as a chains.Advice if it names options, so that a command can name its flags.
func (e *Error) Unwrap() error { return e.options }

// Error returns a sentence such as "fwd.csv, line 17 (row 15), column x_first: found 49; write a
// state from 0 to 48".
func (e *Error) Error() string {
	place := e.place()
	if e.Column != "" {
		place += ", column " + e.Column
	}
	return place + ": found " + e.Found + "; " + e.Want
}

// place names the source, the line and the row.
func (e *Error) place() string {
	switch {
	case e.Line > 0 && e.Row >= 0:
		return fmt.Sprintf("%s, line %d (row %d)", e.Source, e.Line, e.Row)
	case e.Line > 0:
		return fmt.Sprintf("%s, line %d", e.Source, e.Line)
	case e.Row >= 0:
		return fmt.Sprintf("%s, row %d", e.Source, e.Row)
	}
	return e.Source
}

// fault is an Error whose place is not known yet.
type fault struct {
	column, found, want string
	options             error // want as Advice, where it names options; else nil
}

func (f *fault) Error() string { return f.found + "; " + f.want }

// asError returns the fault as an error, which is nil if there is no fault.
func (f *fault) asError() error {
	if f == nil {
		return nil
	}
	return f
}

// advised is a fault whose remedy names options.
func advised(found string, want chains.Advice) *fault {
	return &fault{found: found, want: want.Error(), options: want}
}

// namedTwice is the fault of a source that gives its columns names other than those of the options,
// and nil if it does not.
func namedTwice(found string, names []string, o Options) *fault {
	if o.Columns == nil || sameNames(names, o.Columns) {
		return nil
	}
	return advised(found, chains.NewAdvice("leave out {input-columns|the names that are given separately}, %s", listed(o.Columns)))
}

// at returns the fault as an Error with its place. A row of -1 and a line of 0 say that it has
// none.
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

// quoted returns a text as it stands in a message: in quotation marks, with what cannot be printed
// escaped, and cut where it is long.
func quoted(text []byte) string {
	const most = 40
	if len(text) > most {
		return fmt.Sprintf("%q and so on", text[:most])
	}
	return fmt.Sprintf("%q", text)
}

// theColumns names columns in a sentence.
func theColumns(names []string) string {
	return selector.Plural(len(names), "the column ", "the columns ") + listed(names)
}

// longName is the number of bytes from which on a name is quoted, and cut, in messages.
const longName = 40

// listed returns names as an enumeration, of which the end is left out if there are many.
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
