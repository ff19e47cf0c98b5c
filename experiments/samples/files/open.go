package files

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"breadboard/chains/selector"
	"breadboard/experiments/samples"
)

// Options says how to read a source.
type Options struct {
	Space   samples.Space
	Columns []string // the names of the columns in their order, for what does not name them; nil for what does
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
	batch samples.Batch
	end   error
}

// decoder reads rows of one format.
type decoder interface {
	// decode reads up to limit rows into a table that has room for them and returns how many there are. It returns io.EOF
	// where there is none left.
	decode(ctx context.Context, t *table, limit int) (int, error)
}

// Open opens a file of samples. The ending of its name says what it is: .csv, .tsv and .txt are text with a row a line, .npy
// is NumPy's format, .parquet is Parquet, and .jsonl, .ndjson and .json are JSON with an object a line. A name that ends in index.txt
// or .ind is that of an index of coda's files, whose chains are read one after another. What is wrong with the content is an *Error.
// The caller closes the reader.
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
	ending := strings.ToLower(filepath.Ext(path))
	if isCodaIndex(path) {
		ending = codaEnding
	}
	switch ending {
	case codaEnding:
		rows, l, err = openCoda(ctx, path, o)
	case ".csv", ".tsv", ".txt":
		rows, l, err = openCSV(ctx, path, &lines{in: file}, o)
	case ".npy":
		rows, l, err = openNPY(path, file, o)
	case ".parquet":
		rows, l, err = openParquet(path, file, o)
	case ".jsonl", ".ndjson", ".json":
		rows, l, err = openJSON(ctx, path, &lines{in: file}, o)
	default:
		err = wrongEnding(path)
	}
	if err != nil {
		return nil, err
	}
	return newReader(path, rows, l, o), nil
}

// wrongEnding returns the error of a file whose name does not say what it is.
func wrongEnding(path string) error {
	found := "a name without an ending"
	if ending := filepath.Ext(path); ending != "" {
		found = "a name that ends in " + ending
	}
	want := "write text to .csv, .tsv or .txt, NumPy's arrays to .npy, Parquet to .parquet, or JSON Lines to .jsonl, .ndjson or .json; of coda's files give the index, as CODAindex.txt"
	return (&fault{found: found, want: want}).at(path, -1, 0)
}

// NewStream returns a source that reads a stream, which may be endless: text as in .csv files, or JSON Lines where it begins
// with a brace. The name is for messages. A batch ends where the stream makes its reader wait. When the context of a call is
// done the call returns at once; bytes that arrive later are not lost.
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

// firstByte returns the first byte of a text that is no blank, after the mark with which some programs begin one, and 0 where
// there is none among those that are read at once. It passes over nothing.
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

// Name returns the path of the file or the name of the stream.
func (r *Reader) Name() string { return r.name }

// Columns says what the batches hold.
func (r *Reader) Columns() samples.Columns { return r.table.layout.columns }

// Ignored returns the names of the columns that the reader passes over since it does not know them.
func (r *Reader) Ignored() []string { return slices.Clone(r.table.layout.ignored) }

// Notes say what was left out of the file, and whether the run that wrote it was aborted, as far as it has been read.
func (r *Reader) Notes() (notes []string) {
	text, is := r.rows.(*csvRows)
	if !is {
		return nil
	}
	for _, note := range text.stan.notes() {
		notes = append(notes, r.name+": "+note)
	}
	return notes
}

// Precision says how exactly the log weights are given, or the estimates where there are these, judged by the rows that were
// read so far.
func (r *Reader) Precision() samples.Precision {
	if r.Columns().LogZ {
		return r.table.precisionOf(logZ)
	}
	return r.table.precisionOf(logW)
}

// IncrementPrecision says how exactly the increments are given, judged by the rows that were read so far.
func (r *Reader) IncrementPrecision() samples.Precision { return r.table.precisionOf(increment) }

// Close closes the file. It does not close the input of a stream.
func (r *Reader) Close() error { return r.close() }

// Next returns the next rows, at most so many of them, and io.EOF after the last. What is wrong with a row is an *Error, and
// ends the source; the rows before it in the same batch are not returned. Where the context is done Next returns its error
// and may be called again. One call takes memory for some million values at most, however many rows are asked for.
func (r *Reader) Next(ctx context.Context, rows int) (*samples.Batch, error) {
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
	if err == io.EOF && r.read == 0 {
		err = noRows().at(r.name, -1, 0)
	}
	if err != nil && !(ctx.Err() != nil && errors.Is(err, ctx.Err())) {
		r.end = err
	}
	if err != nil {
		return nil, err
	}
	r.table.batch(&r.batch, r.read, n)
	r.read += n
	return &r.batch, nil
}
