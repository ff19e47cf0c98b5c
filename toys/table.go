package toys

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/numpy"
	"breadboard/chains/selector"
	"breadboard/chains/tables"
	"breadboard/grid"
	"breadboard/toys/models"
)

// contents are log f on a grid, as a file has it.
type contents struct {
	space    *grid.Lattice
	g        []float64
	axes     []models.Axis // nil if the file does not name them
	observed []models.Axis // the columns of one value, which are no axes
	about    string        // says what the axes are; empty if they have no names
	note     string        // what a user should know
}

// columnMark is what stands between the path of a table and the name of the column of log f.
const columnMark = ":lp="

// cutColumn splits a path with the name of a column behind it.
func cutColumn(path string) (file, column string) {
	if at := strings.LastIndex(path, columnMark); at >= 0 {
		return path[:at], path[at+len(columnMark):]
	}
	return path, ""
}

// nearby is the relative difference up to which two values of an axis are one value that was
// computed in two ways.
const nearby = 1e-9

// ofTable reads a table with a row for each state: one column has log f or f, and the others are
// the axes. Numbers stand in their order, and words in that of the file. States without a row are
// zeros of f.
func (n Numbers) ofTable(t *tables.Table, column string) (*contents, error) {
	at, left, n, note, err := n.column(t, column)
	if err != nil {
		return nil, err
	}
	c := &contents{note: note}
	var names []string
	var all [][]int // the coordinates of the rows on each axis
	var sides []int
	for k, name := range t.Names {
		if k == at || k == left {
			continue
		}
		role := tables.RoleOf(name)
		axis, coordinates, err := axisOf(t, k)
		side := 1 + slices.Max(append(coordinates, 0))
		switch {
		case err != nil:
			return nil, err
		case role == tables.Chain, side == len(t.Rows) && len(t.Names) > 2 &&
			(role == tables.Iteration || role == tables.Draw || role == tables.State || strings.EqualFold(name, "index")):
			return nil, errs.New("a column %s counts draws, which samplers diagnose reads, or rows; delete it from a target, "+
				"which has a row for each state, as in pandas by to_records(index=False)", name)
		case side == 1:
			axis.Labels = []string{axis.WriteValue(0)}
			c.observed = append(c.observed, axis)
			continue
		}
		names, all = append(names, name), append(all, coordinates)
		c.axes, sides = append(c.axes, axis), append(sides, side)
	}
	if len(sides) == 0 {
		return nil, errs.New("no column beside %s has two values or more; write a first column that names the states, "+
			"as in state,%[1]s", t.Names[at])
	}
	c.space, err = grid.New(sides...)
	if err != nil {
		return nil, fmt.Errorf("a row for each state, with the axes %s: %w", strings.Join(names, ", "), err)
	}
	c.about = fmt.Sprintf("%s (%s) at values of %s", n.doc, t.Names[at], strings.Join(names, ", "))
	return c, n.setLogF(c, t, at, all)
}

// setLogF sets log f of the states that have a row.
func (n Numbers) setLogF(c *contents, t *tables.Table, column int, coordinates [][]int) error {
	rows := make([]int, c.space.States()) // which is that of a state, from 1 on
	c.g = slices.Repeat([]float64{math.Inf(-1)}, len(rows))
	for i, row := range t.Rows {
		x := 0
		for k, on := range coordinates {
			x += on[i] * c.space.Stride(k)
		}
		if first := rows[x]; first > 0 {
			label := (&Toy{Space: c.space, Axes: c.axes}).Label(x)
			return t.Wrong(i, column, errs.New(
				"the state %s has a row in line %d already; a target has one row for each state, and "+
					"draws are for samplers diagnose",
				label,
				t.Line(first-1),
			))
		}
		rows[x] = i + 1
		var err error
		c.g[x], err = n.parse(row[column])
		if err != nil {
			return t.Wrong(i, column, err)
		}
	}
	if missing := len(rows) - len(t.Rows); missing > 0 {
		c.note = joinNotes(c.note, fmt.Sprintf("%d of %d states have no row and are zeros of f", missing, len(rows)))
	}
	for _, axis := range c.observed {
		c.note = joinNotes(c.note, axis.Name+" is "+axis.Labels[0]+" in every row and no axis")
	}
	return n.checkMass(c.g)
}

// column finds the column of log f or f, and says what it is taken for if that was not asked for,
// and which column says the same, which is -1 if none does.
func (n Numbers) column(t *tables.Table, named string) (at, left int, form Numbers, note string, err error) {
	if named != "" {
		if at := slices.Index(t.Names, named); at >= 0 {
			return at, -1, n, "", nil
		}
		return 0, -1, n, "", selector.UnknownError("column", named, t.Names)
	}
	var list []int
	var forms []Numbers // of each of the list
	known := tables.KnownRoles()
	for k, name := range t.Names {
		switch known.Of(name) {
		case tables.LogDensity:
			list, forms = append(list, k), append(forms, LogF())
		case tables.Density, tables.Count:
			list, forms = append(list, k), append(forms, Probabilities())
		}
	}
	if len(list) == 2 && forms[0].form == n.form && forms[1].form != n.form {
		slices.Reverse(list)
		slices.Reverse(forms)
	}
	last := len(list) - 1
	switch {
	case last < 0:
		return 0, -1, n, "", n.unknownColumn(t)
	case last == 1 && forms[0].form != forms[1].form && same(t, forms, list):
		return list[1], list[0], n, fmt.Sprintf("%s is left out, since %s says the same",
			t.Names[list[0]], t.Names[list[1]]), nil
	case last > 0:
		return 0, -1, n, "", errs.New(
			"%s and %s may both be the column of f; name it, as in %s:PATH%s%[1]s or %[5]s:PATH%[4]s%[2]s",
			t.Names[list[0]],
			t.Names[list[1]],
			forms[0].form,
			columnMark,
			forms[1].form,
		)
	case forms[0].form != n.form:
		note = fmt.Sprintf("%s is taken as %s", t.Names[list[0]], forms[0].doc)
	}
	return list[0], -1, forms[0], note, nil
}

// misnamed are names of numbers that are log f only with another sign or base.
var misnamed = regexp.MustCompile(`(?i)energy|chi|cost|loss|nll|neg|deviance|misfit|log_?10|log_?2|^e$|[ab]ic$`)

// unknownColumn returns the error of a table in which no name says which column has log f or f. It
// says what the last column may be.
func (n Numbers) unknownColumn(t *tables.Table) error {
	const none = "no column is called lp, logp, prob or alike; "
	last := len(t.Names) - 1
	name := selector.Cut(t.Names[last])
	if misnamed.MatchString(name) {
		return errs.New(none+"log f is a natural logarithm that is larger for likelier states: write a column lp, "+
			"of -%s for an energy, of -%[1]s/2 for chi2 or a deviance, or of %[1]s*2.302585092994046 for a log10", name)
	}
	cures := []string{fmt.Sprintf("that of %s, as in %s:PATH%s%s", n.doc, n.form, columnMark, name)}
	if !slices.ContainsFunc(t.Rows, func(row []string) bool {
		v, err := tables.Floats(row[last])
		return err != nil || v < 0
	}) {
		cures = append([]string{"that of counts or probabilities, as in prob:PATH" + columnMark + name},
			fmt.Sprintf("that of g = log f, as in file:PATH%s%s", columnMark, name))
	}
	return errs.New(none+"name %s; all others are axes", strings.Join(cures, ", or "))
}

// same reports whether two columns of these forms are log f and f of it, up to a factor.
func same(t *tables.Table, forms []Numbers, columns []int) bool {
	low, high := math.Inf(1), math.Inf(-1)
	for _, row := range t.Rows {
		v, bad := forms[0].parse(row[columns[0]])
		w, wrong := forms[1].parse(row[columns[1]])
		if bad != nil || wrong != nil {
			return false
		}
		if d := v - w; !math.IsNaN(d) {
			low, high = min(low, d), max(high, d)
		}
	}
	const rounding = 0.01 // of probabilities with three digits
	return high-low < rounding
}

// axisOf returns the axis of a column, and the coordinate of each row on it.
func axisOf(t *tables.Table, column int) (axis models.Axis, coordinates []int, err error) {
	axis.Name = t.Names[column]
	axis.Given = true
	var numbers []float64
	for i, row := range t.Rows {
		v, err := tables.Floats(row[column])
		word := err != nil && strings.Trim(row[column][:min(1, len(row[column]))], "+-.0123456789") != "" &&
			!tables.IsNumber(row[column])
		switch {
		case err != nil && !word:
			return axis, nil, t.Wrong(i, column, errs.New(
				"%q is not a value of an axis; write finite numbers, or words that begin with letters",
				selector.Cut(row[column]),
			))
		case word && len(numbers) > 0 || !word && len(numbers) < i:
			return axis, nil, t.Wrong(i, column, errs.New("%q stands among %s; write numbers alone or words alone",
				selector.Cut(row[column]), map[bool]string{true: "numbers", false: "words"}[word]))
		case !word:
			numbers = append(numbers, v)
		}
	}
	if len(numbers) == 0 {
		axis.Labels, coordinates = wordsOf(t, column)
		return axis, coordinates, nil
	}
	axis.Values = slices.Compact(slices.Sorted(slices.Values(numbers)))
	for i, v := range axis.Values[1:] {
		if u := axis.Values[i]; v-u <= nearby*max(math.Abs(u), math.Abs(v)) {
			return axis, nil, t.Wrong(slices.Index(numbers, v), column,
				errs.New("%v differs from %v by a rounding; write one of them, or leave out a column "+
					"that is not an axis", v, u))
		}
	}
	for _, v := range numbers {
		at, _ := slices.BinarySearch(axis.Values, v)
		coordinates = append(coordinates, at)
	}
	return axis, coordinates, nil
}

// wordsOf returns the words of a column in the order in which they first stand, and which of them
// each row has; true and false are 1 and 0.
func wordsOf(t *tables.Table, column int) (words []string, coordinates []int) {
	known := map[string]int{}
	for _, row := range t.Rows {
		if _, is := known[row[column]]; !is {
			known[row[column]] = len(words)
			words = append(words, row[column])
		}
	}
	if len(words) == 2 && strings.EqualFold(words[0], "true") && strings.EqualFold(words[1], "false") {
		slices.Reverse(words)
		known[words[0]], known[words[1]] = 0, 1
	}
	for _, row := range t.Rows {
		coordinates = append(coordinates, known[row[column]])
	}
	return words, coordinates
}

// readArrays reads an array of NumPy's, or an archive of which no key is chosen with log f or f and
// the values of each of its axes, in their order.
func (n Numbers) readArrays(path string, states int) (*contents, error) {
	main, axes, err := labelled(path, states)
	if err != nil {
		return nil, err
	}
	array, err := numpy.ReadFile(main, states)
	if err != nil {
		return nil, err
	}
	c := &contents{}
	if role := tables.RoleOf(numpy.KeyOf(main)); axes != nil && role != tables.Variable {
		n = map[bool]Numbers{true: LogF(), false: Probabilities()}[role == tables.LogDensity]
	}
	c.space, c.g, err = n.ofArray(array)
	if err != nil || axes == nil {
		return c, err
	}
	var names []string
	for k, axis := range axes {
		texts := axis.Labels
		infinite := false
		for _, v := range axis.Values {
			texts = append(texts, fmt.Sprint(v))
			infinite = infinite || v-v != 0
		}
		side := c.space.Side(k)
		if infinite || len(texts) != side ||
			len(slices.Compact(slices.Sorted(slices.Values(texts)))) != side {
			return nil, errs.New(
				"%s is the array of axis %d and has %d values; write %d that are finite and differ, and "+
					"the arrays of the axes in their order, or name one array, as in %s",
				axis.Name,
				k,
				len(texts),
				side,
				main,
			)
		}
		names = append(names, axis.Name)
		if side > 1 {
			c.axes = append(c.axes, axis)
		}
	}
	c.about = fmt.Sprintf("%s (%s) at values of %s", n.doc, numpy.KeyOf(main), strings.Join(names, ", "))
	return c, nil
}

// labelled finds the array of an archive that has an axis for each of the others, with these as its
// axes. Of two arrays it is that whose name says so. If there is none it returns the path.
func labelled(path string, states int) (main string, axes []models.Axis, err error) {
	if numpy.KeyOf(path) != "" || selector.Ending(path) != ".npz" {
		return path, nil, nil
	}
	keys, err := numpy.Keys(path)
	if err != nil || len(keys) < 2 || len(keys) > grid.MaxAxes+1 {
		return path, nil, err
	}
	found := 0
	numeric := []tables.Role{tables.LogDensity, tables.Density, tables.Count}
	for _, key := range keys {
		array, err := numpy.ReadFile(path+"#"+key, states)
		switch {
		case err != nil:
			return path, nil, err
		case len(array.Shape) == len(keys)-1 &&
			(len(keys) > 2 || slices.Contains(numeric, tables.RoleOf(key))):
			main = path + "#" + key
			found++
		case len(array.Shape) == 1:
			axis := models.Axis{Name: key, Given: true, Labels: array.Texts()}
			if axis.Labels == nil {
				axis.Values, err = array.Floats()
			}
			if err != nil {
				return path, nil, fmt.Errorf("array %s: %w", key, err)
			}
			axes = append(axes, axis)
		}
	}
	if found != 1 || len(axes) != len(keys)-1 {
		return path, nil, nil
	}
	return main, axes, nil
}

// reorderFor returns the contents on the states of a toy, which has the same axes in any order and
// other values, of which states are zeros of f.
func (c *contents) reorderFor(toy *Toy) (*contents, error) {
	space := toy.Lattice()
	on := &contents{space: space, g: slices.Repeat([]float64{math.Inf(-1)}, space.States()), note: c.note}
	given := slices.Concat(c.axes, c.observed)
	strides := make([][]int, len(given)) // what each value of each axis adds to the number of the state
	for k, axis := range given {
		side := 1
		if k < len(c.axes) {
			side = c.space.Side(k)
		}
		to := slices.IndexFunc(toy.Axes, func(a models.Axis) bool { return a.Name == axis.Name })
		if to < 0 {
			return nil, errs.New(": %s is not an axis of the target; give axes the same names, those of coordinates without names "+
				"are x0, x1, ..., and that of words is state", axis.Name)
		}
		for at := range side {
			found, err := toy.Axes[to].FindCoordinate(axis.WriteValue(at), space.Side(to))
			if err != nil {
				return nil, fmt.Errorf(": %w", err)
			}
			strides[k] = append(strides[k], found*space.Stride(to))
		}
	}
	if len(given) != len(toy.Axes) {
		return nil, fmt.Errorf(": it has %d of the %d axes of the target", len(given), len(toy.Axes))
	}
	for x, v := range c.g {
		to := 0
		for k := range given {
			at := 0
			if k < len(c.axes) {
				at = c.space.Coord(x, k)
			}
			to += strides[k][at]
		}
		on.g[to] = v
	}
	return on, nil
}
