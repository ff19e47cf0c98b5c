package toys

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/sbinet/npyio/npy"

	"breadboard/chains/selector"
	"breadboard/grid"
)

// MaxFile returns the largest number of bytes that a file of the given number of numbers may have: 32 characters for each,
// or eight bytes for each in .npy, and room for a header.
func MaxFile(path string, numbers int) int64 {
	const header = 1 << 16
	if isNPY(path) {
		return header + 8*int64(numbers)
	}
	return header + 32*int64(numbers)
}

// isNPY reports whether a file is read as NumPy's format, and not as CSV.
func isNPY(path string) bool { return strings.EqualFold(filepath.Ext(path), ".npy") }

// Read returns the toy in a file of g = log f: .npy (any number of dimensions, real numbers), or else CSV with
// one row of the grid a line. -inf is a zero of f; NaN and +Inf are errors.
func Read(path string) (*Toy, error) { return readUpTo(path, grid.MaxStates) }

// readUpTo reads a toy as Read does, from a file that may have at most the given number of states.
func readUpTo(path string, states int) (*Toy, error) {
	if path == "" {
		return nil, errors.New("toy file: no path; write file:PATH, as in file:target.csv")
	}
	data, err := selector.ReadFile(path, MaxFile(path, states))
	if err != nil {
		return nil, fmt.Errorf("toy file: %w", err)
	}
	parse := ParseCSV
	if isNPY(path) {
		parse = ParseNPY
	}
	space, g, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("toy file %s: %w", path, err)
	}
	return &Toy{Name: "file:" + path, Description: "g read from " + path, Space: space, G: g}, nil
}

// fileForm is how a target in a file is selected.
func fileForm() toyForm {
	return toyForm{
		Syntax: "file:PATH", Doc: "g = log f from CSV, one row of the grid a line, or .npy", Example: "file:target.csv", File: selector.WholeArgument,
		Parse: func(args selector.Args, _ selector.Nothing) (*Toy, error) { return Read(args.Text) },
	}
}

// ParseCSV reads g from CSV, one row of the grid a line. Errors name line and column.
func ParseCSV(data []byte) (*grid.Lattice, []float64, error) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	r.FieldsPerRecord = -1
	r.ReuseRecord = true
	var g []float64
	rows, cols := 0, 0
	for ; ; rows++ {
		record, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, nil, err // encoding/csv names line and column
		}
		if rows == 0 {
			cols = len(record)
		}
		if line, _ := r.FieldPos(0); len(record) != cols {
			return nil, nil, fmt.Errorf("line %d has %d columns, the first row has %d; give every row as many", line, len(record), cols)
		}
		for i, field := range record {
			v, err := parseLogF(strings.TrimSpace(field))
			if err != nil {
				line, _ := r.FieldPos(i)
				return nil, nil, fmt.Errorf("line %d, column %d: %w", line, i+1, err)
			}
			g = append(g, v)
		}
	}
	if rows == 0 {
		return nil, nil, errors.New("the file is empty; give one row of the grid a line, numbers separated by commas")
	}
	space, err := grid.New(rows, cols)
	if err != nil {
		return nil, nil, err
	}
	return space, g, checkMass(g)
}

func parseLogF(field string) (float64, error) {
	switch strings.ToLower(field) {
	case "-inf", "-infinity":
		return math.Inf(-1), nil
	case "nan", "inf", "+inf", "infinity", "+infinity":
		return 0, fmt.Errorf("%s; log f must be finite, or -inf for a zero of f", field)
	case "":
		return 0, errors.New("the cell is empty; give a number, or -inf for a zero of f")
	}
	if strings.ContainsRune(field, ';') {
		return 0, fmt.Errorf("%q has a semicolon; separate numbers by commas and write decimals with a point", field)
	}
	return selector.ParseNumber(field)
}

func checkMass(g []float64) error {
	for _, v := range g {
		if !math.IsInf(v, -1) {
			return nil
		}
	}
	return errors.New("every cell is -inf; the target has no mass")
}

// ParseNPY reads g from NumPy's .npy format, in C or Fortran order.
func ParseNPY(data []byte) (space *grid.Lattice, g []float64, err error) {
	defer func() { // the library panics on some malformed headers
		if recover() != nil {
			space, g, err = nil, nil, errors.New("malformed .npy header, or one that is cut off")
		}
	}()
	// A version 2 header states its own length in 32 bits. One that is longer than the file is refused here, before the
	// library allocates memory for it.
	if len(data) >= 12 && data[6] == 2 && int64(binary.LittleEndian.Uint32(data[8:])) > int64(len(data)) {
		return nil, nil, errors.New("malformed .npy header (longer than the file)")
	}
	body := bytes.NewReader(data)
	r, err := npy.NewReader(body)
	if err != nil {
		return nil, nil, fmt.Errorf("this is no .npy file, or one that is cut off (%w)", err)
	}
	shape := r.Header.Descr.Shape
	if len(shape) == 0 {
		return nil, nil, errors.New("the array has no dimensions; save one with a row for each row of the grid")
	}
	if space, err = grid.New(shape...); err != nil {
		return nil, nil, err
	}
	if g, err = readNumbers(r, body.Len(), space.States()); err != nil {
		return nil, nil, err
	}
	if r.Header.Descr.Fortran {
		g = fromFortran(space, g)
	}
	for x, v := range g {
		if math.IsNaN(v) || math.IsInf(v, 1) {
			return nil, nil, fmt.Errorf("index %v: %v; log f must be finite, or -inf for a zero of f", space.Coords(x), v)
		}
	}
	return space, g, checkMass(g)
}

// readNumbers reads the n numbers that follow the header, in the given number of bytes. It converts numbers to float64,
// because the library reads each type only as itself, and checks the size, because the library reads missing numbers as
// zeros.
func readNumbers(r *npy.Reader, bytes, n int) ([]float64, error) {
	kind := strings.TrimLeft(r.Header.Descr.Type, "<>|=")
	read, known := map[string]func(*npy.Reader) ([]float64, error){
		"f8": readAs[float64], "f4": readAs[float32], "i8": readAs[int64], "i4": readAs[int32],
	}[kind]
	if !known {
		return nil, fmt.Errorf("numbers of type %q; save as float64 (numpy.asarray(g, float))", r.Header.Descr.Type)
	}
	if want := n * int(kind[1]-'0'); bytes != want {
		return nil, fmt.Errorf("the header promises %d numbers in %d bytes, and the file has %d", n, want, bytes)
	}
	return read(r)
}

func readAs[N float64 | float32 | int64 | int32](r *npy.Reader) ([]float64, error) {
	var raw []N
	if err := r.Read(&raw); err != nil {
		return nil, fmt.Errorf("numbers: %w", err)
	}
	g := make([]float64, len(raw))
	for i, v := range raw {
		g[i] = float64(v)
	}
	return g, nil
}

// fromFortran reorders numbers whose first index moves fastest.
func fromFortran(space *grid.Lattice, g []float64) []float64 {
	out := make([]float64, len(g))
	for x := range out {
		i := 0
		for k := space.Dims() - 1; k >= 0; k-- {
			i = i*space.Side(k) + space.Coord(x, k)
		}
		out[x] = g[i]
	}
	return out
}
