// Package codes answers: which state of a distribution is meant by the output of an external
// program? States may be written as numbers, counted from 0 or from 1, as coordinates, as labels,
// as the values of variables by name, or in the program's own codes, which a map explains. An error
// names the file, the line and what to write instead.
//
// It never guesses: ambiguous output is an error. It never tests a distribution.
package codes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/chains/tables"
	"breadboard/experiments/draws"
	"breadboard/experiments/draws/files"
	"breadboard/toys"
	"breadboard/toys/models"
)

// Codes says how states are written.
type Codes struct {
	States   int
	Label    func(x int) string // the name of a state in messages
	Axes     []models.Axis      // of a grid, with their sides; nil elsewhere
	Sides    []int
	Observed []models.Axis     // variables that have one value, which is coordinate 0
	Base     int               // the number of the first state, and the first coordinate
	Map      map[string]string // the meanings of codes and of names of columns
	Roles    files.Roles       // of columns, if their names do not tell
	Shape    files.Shape       // of arrays
	Content  []byte            // see files.TableOptions

	labels map[string]int // the states by their labels; nil if they have none
	// the least label, if all labels are successive whole numbers and known by nothing else; else
	// -1
	first    int
	numeric  bool // whether a number is the number of a state rather than its label
	complete func(name string) (int, error)
	spins    Spins
}

// Spins reads axes of two values, which may be written as 0 and 1 or as spins, -1 and 1. If both 0
// and -1 occur the meaning is unknown.
type Spins struct{ zero, minus bool }

// Read returns the coordinate of a value, and whether it is known.
func (s *Spins) Read(v float64) (at int, known bool) {
	switch v {
	case -1:
		s.minus = true
	case 0:
		s.zero = true
	case 1:
		return 1, true
	default:
		return 0, false
	}
	return 0, !s.minus || !s.zero
}

// OfToy returns the codes of the states of a toy, which are counted from 0 unless Base is changed.
func OfToy(toy *toys.Toy) *Codes {
	c := &Codes{
		States:   toy.Space.States(),
		Label:    toy.State,
		Observed: toy.Observed,
		numeric:  true,
		first:    -1,
		complete: toy.FindState,
	}
	if l := toy.Lattice(); l != nil && !toy.ByLabel() {
		c.Axes, c.Sides = toy.Variables(), l.Sides()
		return c
	}
	c.labels = map[string]int{}
	for x := range c.States {
		c.labels[toy.Space.Label(x)] = x
	}
	return c
}

// OfLabels returns the codes of states with only labels, which are all different.
func OfLabels(labels []string) *Codes {
	c := &Codes{States: len(labels), Label: func(x int) string { return labels[x] }, labels: map[string]int{}}
	for x, label := range labels {
		c.labels[label] = x
	}
	for c.first = 1; c.first >= 0; c.first-- {
		if !slices.ContainsFunc(labels, func(label string) bool {
			n, err := strconv.Atoi(label)
			return err != nil || label != strconv.Itoa(n) || n < c.first || n >= c.first+len(labels)
		}) {
			break
		}
	}
	return c
}

// Counts reports whether states have numbers that Base shifts.
func (c *Codes) Counts() bool { return c.numeric || c.first >= 0 }

// numbered reports whether the labels of an axis are its coordinates, from 0, as programs write
// that have no names for values. With another Base they are no labels.
func numbered(axis models.Axis) bool {
	for at, label := range axis.Labels {
		if label != strconv.FormatFloat(axis.ValueAt(at), 'f', -1, 64) || len(axis.Values) > 1 {
			return false
		}
	}
	return axis.Labels != nil
}

// ReadMap reads the meanings of codes: a table with the columns name, a code, and state, the state,
// label or name of a variable that it means.
func ReadMap(ctx context.Context, path string) (map[string]string, error) {
	t, err := files.OpenTable(ctx, path, files.TableOptions{})
	if err != nil {
		return nil, err
	}
	defer t.Close()
	if !slices.Equal(t.Names(), []string{"name", "state"}) {
		return nil, t.WrongColumns("the columns "+selector.Listed(t.Names()),
			"write two, name,state: the text in the file, and the state, label or variable that it means")
	}
	codes := map[string]string{}
	for {
		cells, err := t.Next(ctx)
		switch {
		case errors.Is(err, io.EOF):
			return codes, nil
		case err != nil:
			return nil, err
		}
		name := string(cells[0].Text())
		if _, twice := codes[name]; twice {
			return nil, t.Wrong("", cells[0].Found()+" a second time", "write each name once")
		}
		codes[name] = string(cells[1].Text())
	}
}

// Meant returns the meaning of a text.
func (c *Codes) Meant(text string) string {
	if to, is := c.Map[text]; is {
		return to
	}
	return text
}

// State returns the state of a text: a number, a label, coordinates as in 3;4 or (3, 4), or the
// values of all variables by name.
func (c *Codes) State(text string) (int, error) {
	given := strings.TrimSpace(text)
	text = c.Meant(given)
	n, whole := wholeNumber(text)
	n -= float64(c.Base)
	if whole && c.first >= 0 && c.Base != 0 {
		text = strconv.FormatFloat(n+float64(c.first), 'f', -1, 64)
	}
	if x, is := c.labels[text]; is && (!c.numeric || !whole) {
		return x, nil
	}
	if x, is := c.labels[strconv.FormatFloat(n+float64(c.Base), 'f', -1, 64)]; is && whole && !c.numeric &&
		c.Base == 0 {
		// as 1.000e+00
		return x, nil
	}
	if _, truth := draws.ParseTruth(text); truth { // which languages write in their own cases
		for label, x := range c.labels {
			if strings.EqualFold(label, text) {
				return x, nil
			}
		}
	}
	switch {
	case whole && c.first == 0: // no label
		return 0, c.advice(given, c.wanted(), n, c.States)
	case whole && c.numeric:
		if n >= 0 && n < float64(c.States) {
			return int(n), nil
		}
		return 0, c.advice(given, c.wanted(), n, c.States)
	case c.Axes != nil && strings.Contains(text, "="):
		return c.complete(text)
	}
	parts := strings.FieldsFunc(
		strings.Trim(text, "()[]"),
		func(r rune) bool { return r == ';' || r == ',' || r == ' ' },
	)
	if c.Axes != nil && len(parts) == len(c.Axes) {
		return c.coordinates(parts)
	}
	if len(parts) > max(1, len(c.Axes)) {
		return 0, errs.New("write one draw a line")
	}
	return 0, c.advice(given, c.wanted(), math.NaN(), c.States)
}

// wholeNumber reads a whole number, also one that is written as 3.0.
func wholeNumber(text string) (float64, bool) {
	n, _, ok := draws.ParseNumber([]byte(text))
	return n, ok && n == math.Trunc(n)
}

// advice says what to write instead of a text. It may be a number of another base: n of that many,
// from which the base is subtracted.
func (c *Codes) advice(given, want string, n float64, most int) error {
	meant, mapped := c.Map[given]
	switch {
	case mapped:
		return errs.New("%s; {map} says that it means %q", want, meant)
	case len(c.Sides) > 1 && n >= float64(most) && n < float64(slices.Max(c.Sides)) && c.Base == 0:
		return errs.New(
			"%s; {map} translates other names; if columns are exchanged, {column} gives each the other's name, "+
				"as in {column} x0=x1; if states are counted from 1, as in R, give {base} 1",
			want,
		)
	case n == float64(most) && c.Base == 0:
		return errs.New(
			"%s; {map} translates other names; if states are counted from 1, as in R, give {base} 1",
			want,
		)
	case n == -1 && c.Base == 1:
		return errs.New(
			"%s; {map} translates other names; if states are counted from 0, as in Python, give {base} 0",
			want,
		)
	}
	return errs.New("%s; {map} translates other names", want)
}

// wanted says what may be written for a state.
func (c *Codes) wanted() string {
	var ways []string
	shifted := c.first == 0 && c.Base != 0
	if c.numeric || shifted {
		ways = append(ways, fmt.Sprintf("a number from %d to %d", c.Base, c.States-1+c.Base))
	}
	if c.labels != nil && !shifted {
		labels := slices.Sorted(maps.Keys(c.labels))
		const most = 6
		if more := len(labels) - most; more > 0 {
			labels = append(labels[:most], fmt.Sprintf("%d more", more))
		}
		ways = append(ways, "a label, of "+strings.Join(labels, ", ")+
			" (a label that must not occur has a row in the distribution with probability 0; a draw of it "+
			"is then a fault)")
	}
	if len(c.Axes) > 1 {
		ways = append(ways, fmt.Sprintf("its %d coordinates", len(c.Axes)))
	}
	return "write " + strings.Join(ways, ", or ")
}

// coordinates returns the state with these values on all axes.
func (c *Codes) coordinates(values []string) (x int, err error) {
	for k, v := range values {
		at, err := c.Coordinate(c.Axes[k], c.Sides[k], v)
		if err != nil {
			return 0, err
		}
		x = x*c.Sides[k] + at
	}
	return x, nil
}

// Coordinate returns the coordinate of a value on an axis: a label, a number, or the number of the
// coordinate if the axis has no numbers of its own.
func (c *Codes) Coordinate(axis models.Axis, side int, text string) (int, error) {
	given := strings.TrimSpace(text)
	text = c.Meant(given)
	counted := axis.Values == nil || axis.Labels != nil // else they are numbers of its own
	if c.Base != 0 && numbered(axis) {
		axis.Labels = nil
	}
	if at := slices.Index(axis.Labels, text); at >= 0 {
		return at, nil
	}
	if truth, is := draws.ParseTruth(text); is {
		if at := slices.IndexFunc(
			axis.Labels,
			func(label string) bool { return strings.EqualFold(label, text) },
		); at >= 0 {
			return at, nil
		}
		if side == 2 && axis.Values == nil && axis.Labels == nil {
			return int(truth), nil
		}
	}
	v, _, number := draws.ParseNumber([]byte(strings.Trim(text, "()[] ")))
	labelled := false // by numbers, which 1.0 writes as well as 1
	for at, label := range axis.Labels {
		l, _, is := draws.ParseNumber([]byte(label))
		labelled = labelled || is
		if is && number && l == v {
			return at, nil
		}
	}
	if counted {
		v -= float64(c.Base)
	}
	if number && side == 2 && axis.Values == nil && axis.Labels == nil && c.Base == 0 {
		at, known := c.spins.Read(v)
		if !known {
			return 0, c.advice(given, "write 0 or 1, or spins, which are -1 or 1, for "+axis.Name, v, side)
		}
		return at, nil
	}
	if at := axis.Written(v, text); number && !labelled && at >= 0 {
		return at, nil
	}
	if axis.Values == nil && number && !labelled && v >= 0 && v < float64(side) && v == math.Trunc(v) {
		return int(v), nil
	}
	return 0, c.wrongCoordinate(given, axis, side, v, counted, labelled)
}

// wrongCoordinate says what to write for an axis instead of a number. Where labels are numbers
// nothing else is.
func (c *Codes) wrongCoordinate(given string, axis models.Axis, side int, v float64,
	counted, labelled bool) error {
	var ways []string
	if axis.Labels != nil {
		const most = 20
		ways = append(ways, strings.Join(axis.Labels[:min(side, most)], ", "))
		if side > most {
			ways = append(ways, fmt.Sprintf("one of %d more", side-most))
		}
	}
	if first, last := axis.ValueAt(0), axis.ValueAt(side-1); !labelled {
		if counted {
			first, last = first+float64(c.Base), last+float64(c.Base)
		}
		ways = append(ways, fmt.Sprintf("a number from %v to %v", first, last))
	}
	if !counted || labelled && !numbered(axis) {
		side = -1
	}
	return c.advice(given, "write "+strings.Join(ways, " or ")+" for "+axis.Name, v, side)
}

// Same reports whether a column has the name of a variable. z1 also matches z[1], which other
// programs write for an element of an array.
func Same(name, column string) bool {
	root, index, is := strings.Cut(strings.TrimSuffix(column, "]"), "[")
	return name == column || is && strings.HasSuffix(column, "]") && name == root+index
}

// findVariable returns the variable of a column, and -1 if it is none.
func (c *Codes) findVariable(axes []models.Axis, column string) int {
	column = c.Meant(column)
	return slices.IndexFunc(axes, func(a models.Axis) bool { return Same(a.Name, column) })
}

// stateColumn is the name of a column of states.
const stateColumn = string(tables.State)

// isRow reports whether the cells of a first line are a row: a state, or its coordinates, and not
// names.
func (c *Codes) isRow(cells []string) bool {
	if len(cells) != 1 && len(cells) != len(c.Axes) {
		return false
	}
	known := tables.KnownRoles()
	for i, cell := range cells {
		if _, label := c.labels[cell]; !label && (c.own(cell) || known.Of(cell) != tables.Variable) {
			return false
		}
		_, err := c.State(cell)
		if err != nil && len(cells) == len(c.Axes) {
			_, err = c.Coordinate(c.Axes[i], c.Sides[i], cell)
		}
		if _, _, number := draws.ParseNumber([]byte(strings.Trim(cell, "()[] "))); err != nil && !number {
			return false
		}
	}
	return true
}
