package files

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"io"
	"math"
	"os"
	"path/filepath"
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
	return "\x93NUMPY\x01\x00" + string(binary.LittleEndian.AppendUint16(nil, uint16(len(header)))) + header +
		string(data)
}

// doubles returns numbers as NumPy's <f8.
func doubles(values ...float64) (b []byte) {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// packed returns a text that gzip has compressed.
func packed(t interface{ Fatalf(string, ...any) }, text string) string {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write([]byte(text))
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatalf("%v", err)
	}
	return out.String()
}
