package toys

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/numpy"
	"breadboard/chains/selector"
	"breadboard/chains/tables"
	"breadboard/grid"
)

// Numbers says what the numbers in the file of a target stand for.
type Numbers struct {
	form  string // how such a file is selected
	doc   string // what it holds
	zero  string // how a zero of f is written
	logf  func(v float64) (float64, error)
	parse func(cell string) (float64, error)
}

// LogF are files of g = log f, where -inf is a zero of f.
func LogF() Numbers {
	return Numbers{
		form:  "file",
		doc:   "g = log f",
		zero:  "-inf",
		parse: parseLogF,
		logf: func(v float64) (float64, error) {
			if math.IsNaN(v) || math.IsInf(v, 1) {
				return 0, errs.New("%v; log f must be finite, or -inf for a zero of f", v)
			}
			return v, nil
		},
	}
}

// Probabilities are files of f itself, which need not sum to one.
func Probabilities() Numbers {
	n := Numbers{form: "prob", doc: "probabilities", zero: "0", logf: func(v float64) (float64, error) {
		if !(v >= 0) || math.IsInf(v, 1) {
			return 0, errs.New("%v; a probability is a finite number, 0 or more; logarithms are for file:PATH", v)
		}
		return number.Log(v), nil
	}}
	n.parse = func(cell string) (float64, error) {
		switch strings.ToLower(strings.TrimLeft(cell, "+-")) {
		case "nan", "inf", "infinity":
			return 0, errs.New("%s; a probability is a finite number, 0 or more; logarithms are for file:PATH", cell)
		}
		v, err := parseCell(cell, "0")
		if err != nil {
			return 0, err
		}
		return n.logf(v)
	}
	return n
}

// readToy reads a toy from a file of numbers, as g = log f: .npy or .npz (any number of dimensions,
// real numbers; PATH.npz#KEY if there are several arrays, unless these are of the values of the
// axes), or else a text: a table with a row for each state, and columns that are the axes of the
// grid and their values, or CSV with one row of the grid a line; one row alone is a grid of one
// axis. Axes of length one are dropped, and Doubt then says the shape that was read: a plane of n
// rows and one column is a line of n states. -inf is a zero of f; NaN and +Inf are errors, and so
// are more than the given number of states.
func (n Numbers) readToy(path string, states int) (*Toy, error) {
	c, err := n.readGrid(path, states)
	if err != nil {
		return nil, fmt.Errorf("toy file%w", err)
	}
	t := &Toy{
		Name:        n.form + ":" + path,
		Description: n.describe(path),
		Space:       c.space.Squeezed(),
		G:           c.g,
		Axes:        c.axes,
		Observed:    c.observed,
	}
	if c.about != "" {
		file, _ := cutColumn(path)
		t.Description = c.about + ", read from " + file
	}
	t.Doubt = joinNotes(
		c.note,
		joinNotes(Squeezed(path, c.space), n.ambiguity(path, c.g, Probabilities().form+":"+path)),
	)
	return t, nil
}

// Squeezed returns a sentence about axes of length one that are dropped from a shape (see
// grid.Lattice.Squeezed), where what names the thing that has the shape. It is empty if none is
// dropped.
func Squeezed(what string, shape *grid.Lattice) string {
	space := shape.Squeezed()
	if space.Dims() == shape.Dims() {
		return ""
	}
	as := space.String()
	if space.Dims() == 1 {
		as = "a line of " + as
	}
	return fmt.Sprintf("%s has the shape %v and is taken as %s, since axes of length one are dropped", what, shape, as)
}

// ambiguity says why numbers that were read from a file as such numbers may mean something else,
// and what to write instead. It is empty if nothing speaks for that.
func (n Numbers) ambiguity(path string, g []float64, instead string) string {
	if n.form != LogF().form || !LikeProbabilities(g) {
		return ""
	}
	return fmt.Sprintf(
		"the numbers in %s are from 0 to 1 and sum to 1, as probabilities do, and are taken as log f; if "+
			"they are probabilities, write %s",
		path,
		instead,
	)
}

// describe says in one line what a toy is.
func (n Numbers) describe(path string) string {
	as := "CSV"
	what := n.doc
	if numpy.Is(path) {
		as = selector.Ending(path)
	}
	if n.form == LogF().form {
		what = "g"
	}
	return what + " read from " + path + " as " + as
}

// LikeProbabilities reports whether values of log f look like probabilities given by mistake: they
// are from 0 to 1, not all of them whole numbers, and their sum is 1.
func LikeProbabilities(g []float64) bool {
	const rounding = 1e-6 // of a file that gives seven digits
	total := 0.0
	whole := true
	for _, v := range g {
		if !(v >= 0 && v <= 1) {
			return false
		}
		total += v
		whole = whole && v == math.Trunc(v)
	}
	return !whole && math.Abs(total-1) <= rounding
}

// readGrid reads the numbers of a file on a grid, of the shape that they have in the file. Its
// error begins with what stands between "file" and the reason.
func (n Numbers) readGrid(path string, states int) (*contents, error) {
	if path == "" {
		return nil, errs.New(": no path; write %s:PATH, as in %s:target.csv", n.form, n.form)
	}
	path, column := cutColumn(path)
	if err := selector.Unread(path); err != nil {
		return nil, fmt.Errorf(": %w", err)
	}
	c := &contents{}
	var err error
	switch {
	case column != "" && numpy.Is(path):
		return nil, errs.New(" %s: it has no columns; leave %s%s out", path, columnMark, column)
	case numpy.Is(path):
		c, err = n.readArrays(path, states)
	default:
		var data []byte
		data, err = selector.ReadFile(path, min(MaxText(4*states), 1<<29))
		if err != nil {
			return nil, fmt.Errorf(": %w", err)
		}
		c, err = n.ofText(data, column)
	}
	if err != nil {
		return nil, fmt.Errorf(" %s: %w", path, err)
	}
	if c.note != "" {
		c.note = path + ": " + c.note
	}
	return c, nil
}

// PathFile returns the file of a path to numbers, without the part that names an array in it.
func PathFile(path string) string {
	path, _ = cutColumn(path)
	return numpy.FileOf(path)
}

// Parse reads log f on a grid from the bytes of a file: .npy, .npz (or FILE.npz#KEY) or otherwise
// text, as Read does, but keeps the shape that the file has. Only the name of the file need be
// known. The note says what the axes are, and what a user should know. Errors name the line and
// column, or the index in the array, but not the file. The caller limits the number of bytes; an
// array of an archive is unpacked to at most grid.MaxStates numbers.
func (n Numbers) Parse(name string, data []byte) (space *grid.Lattice, g []float64, note string, err error) {
	if numpy.Is(name) {
		array, err := numpy.ParseFile(name, data, grid.MaxStates)
		if err == nil {
			space, g, err = n.ofArray(array)
		}
		return space, g, "", err
	}
	c, err := n.ofText(data, "")
	if err != nil {
		return nil, nil, "", err
	}
	if c.about != "" {
		note = "it has " + c.about
	}
	return c.space, c.g, joinNotes(note, c.note), nil
}

// MaxText returns the largest number of bytes that a text of that many numbers may have: 32
// characters for each.
func MaxText(numbers int) int64 { return 1<<16 + 32*int64(numbers) }

// fileForm is how a target in a file is selected, and probForm how one that is given by its
// probabilities.
func fileForm() toyForm {
	return LogF().toyForm(
		"g = log f from CSV with a row of the grid a line, a table with a row for each state (:lp=NAME " +
			"names its column), .npy or .npz#KEY",
	)
}
func probForm() toyForm {
	return Probabilities().toyForm("log f from a file of probabilities, which need not sum to 1")
}

func (n Numbers) toyForm(doc string) toyForm {
	return toyForm{
		Syntax: n.form + ":PATH", Doc: doc, Example: n.form + ":target.csv", File: PathFile,
		Parse: func(args selector.Args, _ Forms) (*Toy, error) {
			return n.readToy(args.Text, grid.MaxStates)
		},
	}
}

// ParseCSV reads g from CSV, one row of the grid a line, in the shape that it has there; one row
// alone is a grid of one axis. If there is no comma in the text, blanks and tabs separate the
// numbers. Errors name line and column.
func ParseCSV(data []byte) (*grid.Lattice, []float64, error) {
	space, g, _, err := LogF().Parse("", data)
	return space, g, err
}

// ParseNPY reads g from NumPy's .npy format, in C or Fortran order and in the shape of the array.
func ParseNPY(data []byte) (*grid.Lattice, []float64, error) {
	array, err := numpy.Parse(data)
	if err != nil {
		return nil, nil, err
	}
	return LogF().ofArray(array)
}

// maxCells is the largest number of cells of a text.
const maxCells = 1 << 25

// ofText reads a text: a row of the grid a line, or a table with names of its columns, which has a
// row for each state.
func (n Numbers) ofText(data []byte, column string) (*contents, error) {
	if err := decimalCommas(data); err != nil {
		return nil, err
	}
	t, err := tables.Parse(data, maxCells, tables.BySight)
	if err != nil {
		return nil, err
	}
	words := slices.ContainsFunc(t.Names, func(name string) bool { return !tables.IsNumber(name) })
	switch first := t.Rows[0][0]; {
	case words && len(t.Names) == 1 && t.Index != nil:
		return nil, errs.New("the first column has no name; write one, as in state,%s", t.Names[0])
	case words && column == "" && tables.Numbered(t.Names):
		return nil, errs.New("the columns are named %s, as R names those of a matrix; write it by write.table(x, "+
			"FILE, sep = \",\", row.names = FALSE, col.names = FALSE)", selector.Cut(strings.Join(t.Names, ", ")))
	case t.Index != nil && !tables.Numbered(t.Index), !words && !tables.Numbered(t.Names),
		t.Names == nil && first != "" && !tables.IsNumber(first) && !tables.BeginsAsNumber(first):
		return nil, errs.New(
			"its rows or columns are named, as by the values of an axis; write a row for each state below " +
				"the names of the axes and of the numbers, as in alpha,beta,prob, or delete the names",
		)
	case column != "" || words:
		return n.ofTable(t, column)
	}
	dims := []int{len(t.Rows), t.Width()}
	if below := dims[0] - 1; below > 1 && dims[1] == 1 && t.Rows[0][0] == strconv.Itoa(below) {
		return nil, errs.New(
			"the first line is %d, and %[1]d rows stand below it; delete the line if it counts them, or "+
				"write it as %[1]d.0",
			below,
		)
	}
	if err := checkRows(t); err != nil {
		return nil, err
	}
	if dims[0] == 1 {
		// states on a line: in a plane of one row half of the proposals would point off its edge
		dims = dims[1:]
	}
	c := &contents{note: strings.Join(t.Notes, "; ")}
	c.space, err = grid.New(dims...)
	if err != nil {
		return nil, err
	}
	for i, row := range t.Rows {
		for k, cell := range row {
			v, err := n.parse(cell)
			if err != nil {
				return nil, t.Wrong(i, k, err)
			}
			c.g = append(c.g, v)
		}
	}
	return c, n.checkMass(c.g)
}

// checkRows refuses a table without a line of names that has a row for each state rather than a row
// of the grid: three rows or more of which the first column has equal steps and the second has not,
// or whose columns but the last have the coordinates of a whole grid.
func checkRows(t *tables.Table) error {
	last := t.Width() - 1
	if len(t.Rows) < 3 || last < 1 || t.Names != nil {
		return nil
	}
	numbers := make([][]float64, last+1) // by column
	states := map[string]bool{}
	for _, row := range t.Rows {
		states[strings.Join(row[:last], ",")] = true
		for k, cell := range row {
			v, err := parseLogF(cell)
			if err != nil {
				return nil // the reader of the cell says more
			}
			numbers[k] = append(numbers[k], v)
		}
	}
	product := 1
	for _, column := range numbers[:last] {
		values := len(slices.Compact(slices.Sorted(slices.Values(column))))
		if values == 1 && last > 1 {
			return nil
		}
		product *= values
	}
	if last == 1 && (!hasEqualSteps(numbers[0]) || hasEqualSteps(numbers[1])) ||
		product != len(t.Rows) || len(states) != product {
		return nil
	}
	return errs.New("the table may have a row for each state, or a row of the grid on each line; write a first " +
		"line of names for states, as in x,lp, and save a grid as .npy")
}

// hasEqualSteps reports whether each number differs from the one before by the same, and not by 0.
func hasEqualSteps(numbers []float64) bool {
	step := numbers[1] - numbers[0]
	for i, v := range numbers[1:] {
		if !(math.Abs(v-numbers[i]-step) <= nearby*math.Abs(step)) {
			return false
		}
	}
	return step != 0 && step-step == 0
}

// decimalCommas refuses a text in which every line is a whole number, a comma and digits that look
// like decimals: some begin with a zero that no whole number has, or all of three lines or more
// have the same number of digits, of three or more.
func decimalCommas(data []byte) error {
	first := ""
	digits := 0
	lines := 0
	alike := true
	zero := false
	for read := range bytes.Lines(data) {
		line := strings.TrimSpace(string(read))
		if line == "" {
			continue
		}
		whole, decimals, is := strings.Cut(line, ",")
		if !is || decimals == "" || strings.Trim(decimals, "0123456789") != "" ||
			strings.Trim(strings.TrimPrefix(whole, "-"), "0123456789") != "" {
			return nil
		}
		lines++
		if lines == 1 {
			first = line
			digits = len(decimals)
		}
		alike = alike && len(decimals) == digits
		zero = zero || len(decimals) > 1 && decimals[0] == '0'
	}
	if !zero && !(alike && lines > 2 && digits > 2) {
		return nil
	}
	whole, decimals, _ := strings.Cut(first, ",")
	return errs.New("%q may be one number with a decimal comma, %s.%s, or two columns, %[2]s and %s; for decimals "+
		"write points, as by tr , . <FILE >NEW, and for columns separate them by blanks",
		selector.Cut(first), whole, decimals)
}

func parseLogF(cell string) (float64, error) {
	if v, named, err := namedLogF(cell); named {
		return v, err
	}
	return parseCell(cell, "-inf")
}

// namedLogF reads log f where it is written as a word, and reports whether it is: -inf is a zero of
// f, and the others are errors.
func namedLogF(cell string) (v float64, named bool, err error) {
	switch strings.ToLower(cell) {
	case "-inf", "-infinity":
		return math.Inf(-1), true, nil
	case "nan", "+nan", "-nan", "inf", "+inf", "infinity", "+infinity":
		return 0, true, errs.New("%s; log f must be finite, or -inf for a zero of f", cell)
	}
	return 0, false, nil
}

// parseCell reads a number, and says what to write if a cell is empty.
func parseCell(cell, zero string) (float64, error) {
	if cell == "" {
		return 0, errs.New("the cell is empty; give a number, or %s for a zero of f", zero)
	}
	return tables.Floats(cell)
}

// checkMass fails if f is zero everywhere.
func (n Numbers) checkMass(g []float64) error {
	for _, v := range g {
		if !math.IsInf(v, -1) {
			return nil
		}
	}
	return errs.New("every cell is %s; the target has no mass", n.zero)
}

// ofArray reads an array of NumPy's, whose shape is that of the grid.
func (n Numbers) ofArray(array *numpy.Array) (*grid.Lattice, []float64, error) {
	if len(array.Shape) == 0 {
		return nil, nil, errs.New("the array has no dimensions; save one with a row for each row of the grid")
	}
	space, err := grid.New(array.Shape...)
	if err != nil {
		return nil, nil, err
	}
	g, err := array.Floats()
	if err != nil {
		return nil, nil, err
	}
	for x, v := range g {
		g[x], err = n.logf(v)
		if err != nil {
			return nil, nil, fmt.Errorf("index %v: %w", space.Coords(x), err)
		}
	}
	return space, g, n.checkMass(g)
}
