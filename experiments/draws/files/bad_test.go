package files

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/experiments/draws"
	"breadboard/grid/longtest"
)

// grid7 is the space of the tests: a lattice of 7 times 7, and paths of three states.
func grid7() draws.Space { return draws.Space{States: 49, Sides: []int{7, 7}, Distributions: 3} }

// readAll reads a file to its end, in batches of two rows, and returns how many rows there were.
func readAll(path string, o Options) (int, error) {
	r, err := Open(context.Background(), path, o)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	rows := 0
	for {
		b, err := r.Next(context.Background(), 2)
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return rows, err
		}
		rows += b.Rows
	}
}

// write writes a file into a temporary folder and returns its path.
func write(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	longtest.NoError(t, os.WriteFile(path, []byte(content), 0o644))
	return path
}

// npyFile returns the bytes of a .npy file.
func npyFile(descr, fortran, shape string, data ...byte) string {
	header := "{'descr': " + descr + ", 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n"
	return "\x93NUMPY\x01\x00" + string(binary.LittleEndian.AppendUint16(nil, uint16(len(header)))) + header + string(data)
}

// doubles returns numbers as NumPy's <f8.
func doubles(values ...float64) (b []byte) {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

const (
	usable7    = "log_w, x_first, x_last, x_1 to x_3, increment_2 to increment_3, log_z, se, or beta, from and to together"
	aState     = "write a state from 0 to 48, or its coordinates as in 0;0"
	aNumber    = "write a number, -inf or inf"
	jsonObject = `write JSON Lines, an object on each line, as in {"log_w": -1.5, "x_first": 3, "x_last": 7}`
)

// TestBadInput: what is wrong, where, and what to write, for every kind of mistake.
func TestBadInput(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		name, content string
		columns       string // Options.Columns with blanks between them
		want          string // the message without the path
	}{
		// Text: as a whole.
		{"a.csv", "", "", ": found no data: it is empty; write at least one row of values"},
		{"a.csv", "\ufeff", "", ": found no rows; write at least one row of values"},
		{"a.dat", "log_w\n1\n", "",
			": found a name that ends in .dat; write text to .csv, .tsv or .txt, NumPy arrays to .npy, or JSON Lines to .jsonl, .ndjson or .json; for coda's files give the index, such as CODAindex.txt"},
		{"a", "log_w\n1\n", "",
			": found a name without an extension; write text to .csv, .tsv or .txt, NumPy arrays to .npy, or JSON Lines to .jsonl, .ndjson or .json; for coda's files give the index, such as CODAindex.txt"},
		{"a.csv", "\x93NUMPY\x01", "", ": found a NumPy .npy file; give it a name that ends in .npy"},
		{"a.csv", "PK\x03\x04 ", "", ": found a zip archive, such as .npz or .xlsx; write the columns to .csv, .npy or .jsonl"},
		{"a.csv", "\xff\xfel\x00o\x00g\x00", "", ": found a text in UTF-16; save it as UTF-8"},
		{"a.csv", "\x7fELF\x00\x01\xff\n", "",
			`, line 1: found bytes that are not UTF-8 text, "\x7fELF\x00\x01\xff"; write a line with the names of the columns, and then the rows`},
		{"a.csv", "log_w\r1\r2\r", "", ", line 1: found lines that end in a carriage return alone; end them with a line feed"},
		// Text: names.
		{"a.csv", strings.Repeat("1", 5000) + "\n", "", ", line 1: found only the column \"" + strings.Repeat("1", 40) +
			"\" and so on; name at least one of " + usable7},
		{"a.csv", "a,b\n1,2\n", "", ", line 1: found only the columns a, b; name at least one of " + usable7},
		{"a.csv", "log_w,log_w\n1,2\n", "", ", line 1: found two columns log_w; keep one of them"},
		{"a.csv", "x_first,x_1\n1,2\n", "", ", line 1: found the columns x_first and x_1; keep one of them: they mean the same state"},
		{"a.csv", "x_first_0\n1\n", "", ", line 1: found 1 of the 2 coordinates of x_first; write x_first_0 to x_first_1, slowest axis first"},
		{"a.csv", "x_first_1,x_first_2\n1,1\n", "",
			", line 1: found the column x_first_2; write the coordinates of the axes 0 to 1 of this space, slowest axis first"},
		{"a.csv", "LogW,x_last\n1,2\n", "", ", line 1: found the column LogW and no column log_w; if you mean this, name it log_w, or else give it another name"},
		{"a.csv", "log-w\n1\n", "", ", line 1: found the column log-w and no column log_w; if you mean this, name it log_w, or else give it another name"},
		{"a.csv", "x_last,w\n1,2\n", "",
			", line 1: found the column w and no column log_w; if you mean this, write its natural logarithm and name it log_w, or else give it another name"},
		{"a.csv", "x_0,x_1,x_2\n1,2,3\n", "", ", line 1: found the column x_0; name the states of a path x_1 to x_3, since T = 3"},
		{"a.csv", "x1,x2,x3\n1,2,3\n", "", ", line 1: found the column x1 and no column x_1; if you mean this, name it x_1, or else give it another name"},
		{"a.csv", "x_1,x_2\n1,2\n", "", ", line 1: found x_1 and no column x_3; write all of x_1 to x_3, or none of them"},
		{"a.csv", "increment_1,increment_2\n1,2\n", "",
			", line 1: found the column increment_1; name the increments by their stages, increment_2 to increment_3, since T = 3"},
		{"a.csv", "beta,from\n1,2\n", "", ", line 1: found no column to; write beta, from and to together, or none of them"},
		{"a.csv", "beta\n1\n", "", ", line 1: found no column from and none to; write beta, from and to together, or none of them"},
		{"a.csv", "1,2\n", "", ", line 1: found a row of values and no header; write a first line with the names of the columns, " + usable7 +
			", or give them separately"},
		{"a.csv", "1,2\n", "log_w", ", line 1 (row 0): found 2 cells; write 1 in every row, one for each of log_w"},
		{"a.csv", "log_w,x_last\n1,2\n", "log_w", ", line 1: found a header, log_w, x_last; leave out the names that are given separately, log_w"},
		// Text: rows.
		{"fwd.csv", "log_w,x_first\n" + strings.Repeat("1,2\n", 15) + "1,49\n", "",
			", line 17 (row 15), column x_first: found 49; write a state from 0 to 48; states are numbered from 0: do you count from 1?"},
		{"a.csv", "x_last,x_first\n0,49\n", "", ", line 2 (row 0), column x_first: found 49; write a state from 0 to 48"},
		{"a.csv", "x_first\n-1\n", "", ", line 2 (row 0), column x_first: found -1; write a state from 0 to 48; states are numbered from 0, so no state is negative"},
		{"a.csv", "x_first\n1\n2\n3.5\n", "", ", line 4 (row 2), column x_first: found 3.5; " + aState},
		{"a.csv", "x_first,log_w\n3;7,1\n", "",
			", line 2 (row 0), column x_first: found the coordinate 7 on axis 1; write a coordinate from 0 to 6 there; states are numbered from 0: do you count from 1?"},
		{"a.csv", "x_first,log_w\n3;4;5,1\n", "", ", line 2 (row 0), column x_first: found 3 coordinates; write 2 coordinates, or a state from 0 to 48"},
		{"a.csv", "x_first_0,x_first_1\n1,-2\n", "",
			", line 2 (row 0), column x_first_1: found -2; write a coordinate from 0 to 6; states are numbered from 0, so no state is negative"},
		{"a.csv", "x_first_0,x_first_1\n\"1 2\",0\n", "", ", line 2 (row 0), column x_first_0: found 2 numbers; write one number, a coordinate from 0 to 6"},
		{"a.csv", "x_first,log_w\n(3, 4),1\n", "",
			", line 2 (row 0): found 3 cells; write 2 in every row, one for each column, with coordinates in quotation marks or as in 3;4"},
		{"a.csv", "log_w\nnan\n", "", ", line 2 (row 0), column log_w: found nan; " + aNumber},
		{"a.csv", "log_w\n1e999\n", "", `, line 2 (row 0), column log_w: found "1e999"; ` + aNumber},
		{"a.csv", "x_last,log_w\n3,\n", "", ", line 2 (row 0), column log_w: found an empty cell; " + aNumber},
		{"a.csv", "log_w;x_last\n-1,5;3\n", "", `, line 2 (row 0), column log_w: found "-1,5"; write decimals with a point, and thousands without a comma`},
		{"a.csv", "beta,from,to\n1.5,3,4\n", "", ", line 2 (row 0), column beta: found 1.5; write an inverse temperature from 0 to 1"},
		{"a.csv", "log_w,x_last\n1,2\n\n\n1,2,3\n", "", ", line 3 (row 1): found an empty line between rows; leave it out"},
		{"a.csv", "log_w,x_last\n1,2\n1\n", "", ", line 3 (row 1): found 1 cell; write 2 in every row, one for each column"},
		{"a.csv", "log_w,x_last\n1,2\n1,2,3\n", "", ", line 3 (row 1): found 3 cells; write 2 in every row, one for each column"},
		{"a.csv", "log_w,x_last\n1,2\n# half\n", "", `, line 3 (row 1): found a comment between rows, "# half"; delete it, or put it above the header`},
		{"a.csv", "log_w,note\n1,\"a\"b\n", "",
			`, line 2 (row 0), column note: found a cell that continues after its closing quotation mark, "\"a\"b"; double quotation marks inside a cell`},
		{"a.csv", "log_w,note\n1,\"a\n", "", `, line 2 (row 0), column note: found a cell without its closing quotation mark, "\"a"; close it on the same line`},
		{"a.csv", "x_1,x_2,x_3,x_last\n1,2,3,4\n", "",
			", line 2 (row 0), column x_last: found 4, but x_3 is 3; write the same state in both, or delete one of the columns"},
		{"a.csv", "path,log_w\n1 2,2\n", "", ", line 2 (row 0), column path: found a path of 2 states; write 3, x_1 to x_3, since T = 3"},
		// JSON Lines.
		{"a.jsonl", "", "", ": found no data: it is empty; write at least one row of values"},
		{"a.json", "\n\n", "", ": found no rows; write at least one row of values"},
		{"a.json", `[{"log_w": 1}]`, "",
			", line 1 (row 0): found a JSON array; write JSON Lines: an object on each line, without brackets around them or commas between them"},
		{"a.json", "{\n", "", `, line 1 (row 0): found a JSON object that does not end on its line, "{"; ` + jsonObject},
		{"a.json", "log_w\n", "", `, line 1 (row 0): found a line that is not a JSON object, "log_w"; ` + jsonObject},
		{"a.json", `{"log_w": 1},` + "\n", "", `, line 1 (row 0): found a line that is not a JSON object from byte 13 on, ","; ` + jsonObject},
		{"a.json", `{}` + "\n", "", ", line 1 (row 0): found no columns; name at least one of " + usable7},
		{"a.json", `{"a": 1}` + "\n", "", ", line 1 (row 0): found only the column a; name at least one of " + usable7},
		{"a.json", `{"log_w": 1, "log_w": 2}` + "\n", "", ", line 1 (row 0), column log_w: found the name twice in an object; keep one of them"},
		{"a.json", `{"log_w": 1}` + "\n" + `{"w": 1}` + "\n", "", ", line 2 (row 1), column log_w: found an object without it; write the same names in every object"},
		{"a.json", `{"log_w": 1}` + "\n" + `{"log_w": 1, "x_last": 3}` + "\n", "",
			", line 2 (row 1), column x_last: found a name that is not in the first object; write the same names in every object"},
		{"a.json", `{"log_w": null}` + "\n", "", ", line 1 (row 0), column log_w: found null; " + aNumber},
		{"a.json", `{"log_w": "1.5"}` + "\n", "", `, line 1 (row 0), column log_w: found "1.5"; write the number without quotation marks`},
		{"a.json", `{"x_last": {"a": 1}}` + "\n", "", `, line 1 (row 0), column x_last: found "{\"a\": 1}"; ` + aState},
		{"a.json", `{"x_last": [1, null]}` + "\n", "", ", line 1 (row 0), column x_last: found the coordinate null; " + aState},
		{"a.json", `{"x_last": []}` + "\n", "", ", line 1 (row 0), column x_last: found an empty array; " + aState},
		{"a.json", `{"x_last": [6, 7]}` + "\n", "",
			", line 1 (row 0), column x_last: found the coordinate 7 on axis 1; write a coordinate from 0 to 6 there; states are numbered from 0: do you count from 1?"},
		{"a.json", `{"path": 3}` + "\n", "", `, line 1 (row 0), column path: found "3"; write an array of states`},
		{"a.json", `{"path": [3, 4]}` + "\n", "", ", line 1 (row 0), column path: found a path of 2 states; write 3, x_1 to x_3, since T = 3"},
		{"a.json", `{"log_w": 1}` + "\n\n" + `{"log_w": 1}` + "\n", "", ", line 2 (row 1): found an empty line between rows; leave it out"},
		// NumPy.
		{"a.npy", "", "", ": found nothing: it is empty; write it with numpy.save"},
		{"a.npy", "log_w\n1\n2\n", "", `: found no .npy file: it begins with "log_w\n1\n"; write it with numpy.save`},
		{"a.npy", "\x93NUMPY\x01\x00\xff\x00{'descr'", "", ": found a .npy header that is cut off; write the file again"},
		{"a.npy", "\x93NUMPY\x07\x00\x00\x00{'descr'", "", ": found version 7.0 of the .npy format; write version 1, 2 or 3"},
		{"a.npy", "\x93NUMPY\x02\x00\xff\xff\xff\xff{'descr'", "", ": found a header of 4294967295 bytes; write at most 1048576, with fewer columns"},
		{"a.npy", npyFile("<f8", "False", "(1,)"), "",
			": found a .npy header that is damaged: at byte 10 there should be a value; write the file again with numpy.save"},
		{"a.npy", npyFile("'<f8'", "0", "(1,)"), "", ": found a .npy header without valid descr, fortran_order and shape; write the file again with numpy.save"},
		{"a.npy", npyFile("'<f8'", "False", "(1000,)", doubles(1, 2, 3)...), "log_w",
			": found 3 of the 1000 rows that the header announces; write the file again: it is cut off"},
		{"a.npy", npyFile("'<f8'", "False", "(1099511627776, 2)", doubles(1, 2, 3)...), "log_w log_z",
			": found 1 of the 1099511627776 rows that the header announces; write the file again: it is cut off"},
		{"a.npy", npyFile("'<f8'", "False", "(1,)", doubles(1, 2, 3)...), "log_w",
			": found 16 bytes after the rows that the header announces; write one array to a file"},
		{"a.npy", npyFile("'<f8'", "False", "(0,)"), "log_w", ": found no rows; write at least one row of values"},
		{"a.npy", npyFile("'<f8'", "False", "(3,)", doubles(1, 2, 3)...), "",
			": found a plain array of shape (3,); its columns have no names; write a structured array with the fields " + usable7 + ", or give the names separately"},
		{"a.npy", npyFile("'<f8'", "False", "(1, 2, 3)", doubles(1, 2, 3, 4, 5, 6)...), "log_w",
			": found an array of shape (1, 2, 3); write one with a row for each row and a column for each column, or a structured array"},
		{"a.npy", npyFile("'<f8'", "False", "(2, 3)", doubles(1, 2, 3, 4, 5, 6)...), "log_w x_last",
			": found an array of shape (2, 3), of 3 columns; write 2 columns, one for each of log_w, x_last: transpose the array"},
		{"a.npy", npyFile("'|O'", "False", "(2,)", 1, 2), "log_w",
			": found Python objects, dtype |O; write float64, float32 or whole numbers of 8 to 64 bits, as astype(float) and astype(int) make them"},
		{"a.npy", npyFile("[('log_w', '|O')]", "False", "(2,)", 1, 2), "",
			", column log_w: found Python objects, dtype |O; write float64, float32 or whole numbers of 8 to 64 bits, as astype(float) and astype(int) make them"},
		{"a.npy", npyFile("[('log_w', '<c16')]", "False", "(1,)", doubles(1, 2)...), "",
			", column log_w: found complex numbers, dtype <c16; write float64, float32 or whole numbers of 8 to 64 bits, as astype(float) and astype(int) make them"},
		{"a.npy", npyFile("'<U2'", "False", "(1,)", doubles(1)...), "log_w",
			": found text, dtype <U2; write float64, float32 or whole numbers of 8 to 64 bits, as astype(float) and astype(int) make them"},
		{"a.npy", npyFile("'|b2'", "False", "(1,)", 1, 1), "x_last",
			": found truth values, dtype |b2; write float64, float32 or whole numbers of 8 to 64 bits, as astype(float) and astype(int) make them"},
		{"a.npy", npyFile("'<f3'", "False", "(1,)", 1, 2, 3), "log_w",
			": found floating-point numbers of an unsupported kind, dtype <f3; write float64, float32 or whole numbers of 8 to 64 bits, as astype(float) and astype(int) make them"},
		{"a.npy", npyFile("'<f'", "False", "(1,)", 1), "log_w", `: found the dtype "<f"; write numbers, or a structured array whose fields are numbers`},
		{"a.npy", npyFile("[('a', '<f8')]", "False", "(1,)", doubles(1)...), "", ": found only the column a; name at least one of " + usable7},
		{"a.npy", npyFile("[('log_w', '<f8')]", "False", "(1, 1)", doubles(1)...), "",
			": found a structured array of shape (1, 1); write one of one dimension, an element for each row"},
		{"a.npy", npyFile("[('log_w', '<f8', (2,))]", "False", "(1,)", doubles(1, 2)...), "",
			", column log_w: found an array of shape (2,) in every row; write one number"},
		{"a.npy", npyFile("[('x_last', '|i1', (3,))]", "False", "(1,)", 1, 2, 3), "",
			", column x_last: found an array of shape (3,) in every row; write one state, or an array of shape (2,) with its coordinates"},
		{"a.npy", npyFile("[('path', '|i1', (2,))]", "False", "(1,)", 1, 2), "",
			", column path: found an array of shape (2,) in every row; write one of shape (3,) or (3, 2), the states of the path or their coordinates"},
		{"a.npy", npyFile("'<f8'", "False", "(3,)", doubles(1, 2, math.NaN())...), "log_w", ", row 2, column log_w: found nan; " + aNumber},
		{"a.npy", npyFile("'<f8'", "False", "(3,)", doubles(1, 2, 3.5)...), "x_last", ", row 2, column x_last: found 3.5; " + aState},
		{"a.npy", npyFile("'|i1'", "False", "(3,)", 1, 2, 255), "x_last",
			", row 2, column x_last: found -1; write a state from 0 to 48; states are numbered from 0, so no state is negative"},
		{"a.npy", npyFile("'|u1'", "True", "(2, 2)", 3, 4, 5, 49), "x_first x_last",
			", row 1, column x_last: found 49; write a state from 0 to 48; states are numbered from 0: do you count from 1?"},
		{"a.npy", npyFile("[('path', '|u1', (3,)), ('x_last', '|u1')]", "False", "(1,)", 1, 2, 3, 4), "",
			", row 0, column x_last: found 4, but x_3 is 3; write the same state in both, or delete one of the columns"},
	} {
		path := write(t, c.name, c.content)
		o := Options{Space: grid7()}
		if c.columns != "" {
			o.Columns = strings.Fields(c.columns)
		}
		_, err := readAll(path, o)
		var typed *Error
		if !errors.As(err, &typed) {
			t.Errorf("%s %q: %v, which is no *Error", c.name, c.content, err)
			continue
		}
		if got := strings.TrimPrefix(err.Error(), path); got != c.want {
			t.Errorf("%s %q:\n got %s\nwant %s", c.name, c.content, got, c.want)
		}
	}
}

// TestNoFile: what is no regular file, or cannot be unpacked, is refused at once.
func TestNoFile(t *testing.T) {
	dir := t.TempDir()
	if _, err := readAll(dir, Options{Space: grid7()}); err == nil || err.Error() != dir+
		" is no regular file but a folder; give a file, or write to one first what it holds" {
		t.Errorf("a folder: %v", err)
	}
	for _, c := range []struct{ name, content string }{
		{"a.csv", "\x1f\x8b\x08\x00\x00"}, {"a.npy", "\x1f\x8b\x08\x00\x00"}, {"a.csv.gz", packed(t, strings.Repeat("log_w\n0.5\n", 99))[:40]},
		{"a.npy", packed(t, npyFile("'<f8'", "False", "(1,)", doubles(1)...))[:40]},
	} {
		path := write(t, c.name, c.content)
		_, err := readAll(path, Options{Space: grid7(), Alone: "log_w"})
		if _, is := errors.AsType[*Error](err); !is || err.Error() != path+": found a file that cannot be unpacked: unexpected EOF; is it cut off?" {
			t.Errorf("a file that gzip has compressed, cut off: %v", err)
		}
	}
	if _, err := readAll(filepath.Join(dir, "none.csv"), Options{Space: grid7()}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// TestGraphHasNoCoordinates: on a space without axes coordinates are refused in every form.
func TestGraphHasNoCoordinates(t *testing.T) {
	for content, want := range map[string]string{
		"x_last_0,x_last_1\n1,2\n": ", line 1: found the column x_last_0; write states as numbers from 0 to 9: the states of this space have no coordinates",
		"x_last,log_w\n1;2,3\n":    ", line 2 (row 0), column x_last: found 2 numbers; write one number, a state from 0 to 9",
		"x_1\n1\n":                 ", line 1: found the column x_1; delete it: this task has no paths",
	} {
		path := write(t, "a.csv", content)
		_, err := readAll(path, Options{Space: draws.Space{States: 10}})
		if err == nil || err.Error() != path+want {
			t.Errorf("%q:\n got %v\nwant %s", content, err, want)
		}
	}
}
