package samplers

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"breadboard/chains/errs"
	"breadboard/exact/averages"
	"breadboard/grid"
	"breadboard/grid/quotients"
	"breadboard/toys"
	"breadboard/toys/models"
)

// all is the selector of the vector of all coordinates.
const all = "all"

// functionSyntaxes list the selectors of functions, for help and errors.
func functionSyntaxes() []string {
	return []string{
		"x0", "x1", "...", "AXIS", "sum", "g", "mode", "x0<=3", "AXIS=VALUE", "AXIS*log(AXIS)", all, "file:PATH.npy"}
}

// ParseFunction returns the function of a selector on a toy: the coordinate of an axis, such as x0;
// the value of an axis that the toy names (see AxisFunctions); the sum of the coordinates; m, absm
// or largest (see observables); g, which is log f; mode, one on the states of the dominant mode and
// else zero; whether an axis has a value, such as lung=yes; an expression over these, such as
// x0*log(x1) or x0<=3; the values in a file, file:PATH.npy; or all, the vector of all coordinates
// (Turner and Neal 2017, Eq. 5).
func ParseFunction(text string, toy *toys.Toy, c *averages.Chain) (Function, error) {
	text = canonical(text)
	raw, err := onClasses(text, toy)
	if err != nil {
		return Function{}, fmt.Errorf("function %q: %w", text, err)
	}
	f := Function{Name: text}
	for i, g := range raw {
		part, err := c.Standardise(g)
		if err != nil {
			if text == all {
				return Function{}, fmt.Errorf("function %q: coordinate x%d of %s: %w",
					text, i, toy.Name, toy.Explain(err))
			}
			return Function{}, fmt.Errorf("function %q on %s: %w", text, toy.Name, toy.Explain(err))
		}
		f.Parts = append(f.Parts, part)
	}
	return f, nil
}

// FunctionParts returns the number of components of a function by its selector. It fails if the
// selector does not fit the toy, but does not check whether the function varies under the target.
func FunctionParts(text string, toy *toys.Toy) (int, error) {
	raw, err := onClasses(canonical(text), toy)
	if err != nil {
		return 0, fmt.Errorf("function %q: %w", text, err)
	}
	return len(raw), nil
}

// FunctionValues returns the values of a scalar function, one for each state, whether or not it
// varies under the target.
func FunctionValues(text string, toy *toys.Toy) ([]float64, error) {
	raw, err := onClasses(canonical(text), toy)
	if err == nil && len(raw) != 1 {
		err = errs.New("it is a vector; give a single number")
	}
	if err != nil {
		return nil, fmt.Errorf("function %q: %w", text, err)
	}
	return raw[0], nil
}

// onClasses is parseRaw for a toy whose states may be classes that were found on those of another
// one: a function is then one of these, and must be the same for all members of a class. Members
// whose log f differs by a tolerance have that of their class.
func onClasses(text string, toy *toys.Toy) ([][]float64, error) {
	whole := toy.States()
	if name, _, _ := strings.Cut(text, "<="); whole == nil || name == "g" {
		return parseRaw(text, toy)
	}
	all, err := parseRaw(text, whole)
	for i := 0; i < len(all) && err == nil; i++ {
		all[i], err = toy.OnClasses(all[i])
		if err != nil {
			err = errs.New("%w; give the toy of the states themselves", err)
		}
	}
	return all, err
}

// parseRaw returns the values of the functions that a selector names, one for each state.
func parseRaw(text string, toy *toys.Toy) ([][]float64, error) {
	if file, is := strings.CutPrefix(text, "file:"); is {
		g, err := toy.ReadValues(file)
		return [][]float64{g}, err
	}
	if text == all {
		if toy.Lattice() == nil {
			return nil, noCoordinates(toy)
		}
		all := make([][]float64, toy.Lattice().Dims())
		for axis := range all {
			all[axis] = coordinate(toy, axis)
		}
		return all, nil
	}
	if axis, value, err := toy.Assignment(text); err == nil { // AXIS=VALUE
		return [][]float64{
			valuesAt(toy, axis, func(coordinate int) float64 { return asNumber(coordinate == value) })}, nil
	}
	g, err := parseNamed(text, toy)
	_, compared, is := strings.Cut(text, "=")
	is = is && !strings.HasPrefix(compared, "=") && !strings.ContainsAny(text, "<>!")
	if err != nil && !is && strings.ContainsFunc(text, notOfName) {
		g, err = parseExpression(text, toy)
	}
	return [][]float64{g}, err
}

// notOfName reports whether a character is part of no name, so that a text with it may be an
// expression.
func notOfName(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }

// likely returns the values of a function at the states whose probability does not underflow, given
// log f.
func likely(g, logf []float64) (values []float64) {
	largest := slices.Max(logf)
	for x, v := range g {
		if math.Exp(logf[x]-largest) > 0 {
			values = append(values, v)
		}
	}
	return values
}

// asNumber is one if a condition holds, and else zero.
func asNumber(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

// parseNamed returns the values of one function that is selected by a name.
func parseNamed(name string, toy *toys.Toy) ([]float64, error) {
	if name == "g" {
		return toy.MemberG(), nil
	}
	for _, f := range listAxisFunctions(toy) {
		if f.name == name {
			return valuesAt(toy, f.axis, f.at), nil
		}
	}
	switch name {
	case "mode":
		if len(toy.Mode) == 0 {
			return nil, errors.New("the toy " + toy.Name + " has no dominant mode; barrier has one")
		}
		return valuesOf(toy, func(x int) float64 { return asNumber(slices.Contains(toy.Mode, x)) }), nil
	case "sum":
		if toy.Lattice() == nil {
			return nil, noCoordinates(toy)
		}
		return valuesOf(toy, func(x int) (sum float64) {
			for _, c := range toy.Lattice().Coords(x) {
				sum += float64(c)
			}
			return sum
		}), nil
	}
	for _, o := range observables(toy) {
		if o.name == name {
			return valuesOf(toy, o.at), nil
		}
	}
	axis, is := numbered(name)
	// The variables of some networks are called x0, x1, ... themselves, and those that have been
	// observed are no axes.
	if others := func(a models.Axis) bool {
		_, is := numbered(a.Name)
		return is
	}; !is || slices.ContainsFunc(toy.Axes, others) {
		return nil, unknownFunction(name, toy)
	}
	if toy.Lattice() == nil {
		return nil, noCoordinates(toy)
	}
	if dims := toy.Lattice().Dims(); axis >= dims {
		return nil, fmt.Errorf("%s has the axes x0 to x%d", toy.Name, dims-1)
	}
	return coordinate(toy, axis), nil
}

// numbered returns the number of the axis that a name such as x3 has.
func numbered(name string) (axis int, is bool) {
	axis, err := strconv.Atoi(strings.TrimPrefix(name, "x"))
	return axis, err == nil && axis >= 0 && name == "x"+strconv.Itoa(axis)
}

func noCoordinates(toy *toys.Toy) error {
	if toy.Members == nil {
		return errs.New("%s is on a graph, and its states have no coordinates; use the function g", toy.Name)
	}
	return errs.New(
		"the states of %s are classes, and a function must be the same for all members; the functions are %s",
		toy.Name,
		strings.Join(append([]string{"g"}, observableNames(toy)...), ", "),
	)
}

// valuesOf returns the values of a function, one for each state.
func valuesOf(toy *toys.Toy, at func(x int) float64) []float64 {
	out := make([]float64, toy.Space.States())
	for x := range out {
		out[x] = at(x)
	}
	return out
}

// valuesAt returns the values of a function of the coordinate on an axis, one for each state.
func valuesAt(toy *toys.Toy, axis int, at func(coordinate int) float64) []float64 {
	return valuesOf(toy, func(x int) float64 { return at(toy.Lattice().Coord(x, axis)) })
}

func coordinate(toy *toys.Toy, axis int) []float64 {
	return valuesAt(toy, axis, func(coordinate int) float64 { return float64(coordinate) })
}

// DefaultFunction returns the selector of the default function: the first coordinate, by the name
// of the axis if its values have labels; and log f on a graph, whose states have no coordinates.
func DefaultFunction(toy *toys.Toy) string {
	switch {
	case toy.Lattice() == nil:
		return "g"
	case toy.Labelled():
		return toy.Axes[0].Name
	}
	return "x0"
}

// logPrefix begins the name of an axis whose values are the logarithms of a variable.
const logPrefix = "log_"

// axisFunction is the value of an axis of a space, if a model gives it a name.
type axisFunction struct {
	name string
	axis int
	at   func(coordinate int) float64
}

// AxisFunctions returns the names of the functions that a toy has from its axes, in their order:
// the value of each axis, which on a grid need not be the number of the cell, and for an axis
// log_NAME also NAME, with the value exp(log_NAME). It is empty if the axes have no names.
func AxisFunctions(toy *toys.Toy) (names []string) {
	for _, f := range listAxisFunctions(toy) {
		names = append(names, f.name)
	}
	return names
}

func listAxisFunctions(toy *toys.Toy) (all []axisFunction) {
	if toy.Lattice() == nil {
		return nil
	}
	for i, axis := range toy.Axes {
		all = append(all, axisFunction{axis.Name, i, axis.ValueAt})
		if variable, isLog := strings.CutPrefix(axis.Name, logPrefix); isLog && axis.Labels == nil {
			all = append(all, axisFunction{
				variable, i, func(coordinate int) float64 { return math.Exp(axis.ValueAt(coordinate)) }})
		}
	}
	return all
}

// unknownFunction is the error for a text that names no function of a toy.
func unknownFunction(name string, toy *toys.Toy) error {
	if strings.Contains(name, "=") {
		_, _, err := toy.Assignment(name)
		return err
	}
	axes := "the axes of " + toy.Name + " have no names"
	if names := AxisFunctions(toy); len(names) > 0 {
		axes = "AXIS on " + toy.Name + " is " + strings.Join(names, ", ")
	}
	return errs.New("it is unknown; choices: %s; %s",
		strings.Join(append(functionSyntaxes(), observableNames(toy)...), ", "), axes)
}

// observable is a function that states have for what they are, beside those of all spaces.
type observable struct {
	name string
	at   func(x int) float64
}

// observables returns m and absm for strings of bits and for classes of these by their number of
// ones: the mean of spins of -1 or 1, and its absolute value, which alone is there where turning
// all spins over leads to the same class. For more than two axes of three values or more, and for
// classes of these, it returns largest: the share of the axes that have the commonest value.
func observables(toy *toys.Toy) []observable {
	switch q := toy.Space.(type) {
	case *quotients.Counts:
		if len(q.CountsOf(0)) == 1 {
			return meanSpin(q.States()-1, func(x int) int { return x })
		}
	case *quotients.Compositions:
		return largest(q.CountsOf)
	case *quotients.Partitions:
		return largest(q.CountsOf)
	case *quotients.Classes:
		if toy.States() == nil {
			// orbits, of which every member has as many ones as the first, or as many zeros
			return meanSpin(
				q.Proposals(quotients.Value),
				func(c int) int { return bits.OnesCount(uint(q.First(c))) },
			)[1:]
		}
	case *grid.Lattice:
		side := q.Side(0)
		counts := func(x int) []int {
			of := make([]int, side)
			for _, v := range q.Coords(x) {
				of[v]++
			}
			return of
		}
		switch sides := slices.Compact(q.Sides()); {
		case len(sides) == 1 && side == 2:
			return meanSpin(q.Dims(), func(x int) int { return counts(x)[1] })
		case len(sides) == 1 && side > 2 && q.Dims() > 2:
			return largest(counts)
		}
	}
	return nil
}

// meanSpin returns m and absm of n spins, given how many are up in a state.
func meanSpin(n int, up func(x int) int) []observable {
	m := func(x int) float64 { return float64(2*up(x)-n) / float64(n) }
	return []observable{{"m", m}, {"absm", func(x int) float64 { return math.Abs(m(x)) }}}
}

// largest returns the share of the commonest value, given how many axes have each value in a state.
func largest(counts func(x int) []int) []observable {
	return []observable{{"largest", func(x int) float64 {
		axes := 0
		most := 0
		for _, n := range counts(x) {
			axes += n
			most = max(most, n)
		}
		return float64(most) / float64(axes)
	}}}
}

func observableNames(toy *toys.Toy) (names []string) {
	for _, o := range observables(toy) {
		names = append(names, o.name)
	}
	return names
}
