package toys

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/work"
	"breadboard/grid"
	"breadboard/toys/models"
)

// Lattice returns the toy's space if it is a grid, and otherwise nil.
func (t *Toy) Lattice() *grid.Lattice {
	l, _ := t.Space.(*grid.Lattice)
	return l
}

// Plane returns the toy's space if it is a grid of two axes, and otherwise nil.
func (t *Toy) Plane() *grid.Lattice {
	if l := t.Lattice(); l != nil && l.Dims() == 2 {
		return l
	}
	return nil
}

// ByLabel reports whether messages, tables and figures name the toy's states by their labels, as
// they do on a graph. On a grid they are named by number and coordinates.
func (t *Toy) ByLabel() bool { return t.Graph || t.Lattice() == nil }

// SameTarget reports whether two toys are one target under different names: log f is the same in
// every state of the same space. It does not compare the dominant mode or the prior. Time is
// O(states).
func (t *Toy) SameTarget(other *Toy) bool {
	return t.ByLabel() == other.ByLabel() && slices.Equal(t.G, other.G) && sameSpace(t.Space, other.Space)
}

// Labelled reports whether the values of the toy's axes have names, as those of the variables of a
// network do, or are those of a table. Messages, tables and figures then name states and cells by
// these.
func (t *Toy) Labelled() bool {
	return t.Lattice() != nil && slices.ContainsFunc(t.Axes, models.Axis.InWords)
}

// Variables returns the axes of the toy's grid with their names, which are x0, x1, ... if the toy
// gives them none. It is nil if the space is not a grid.
func (t *Toy) Variables() []models.Axis {
	space := t.Lattice()
	if space == nil || len(t.Axes) > 0 {
		return t.Axes
	}
	axes := make([]models.Axis, space.Dims())
	for k := range axes {
		axes[k].Name = "x" + strconv.Itoa(k)
	}
	return axes
}

// Label returns the name of a state in words. If axes have labels, it is the value of each axis, as
// tub=no,smoke=yes, without the name if the only axis is called state. Otherwise it is the label of
// the space, which on a grid is the coordinates.
func (t *Toy) Label(x int) string {
	if !t.Labelled() {
		return t.Space.Label(x)
	}
	if t.isState() {
		return t.Axes[0].WriteValue(x)
	}
	parts := make([]string, len(t.Axes))
	for k, axis := range t.Axes {
		parts[k] = axis.Name + "=" + axis.WriteValue(t.Lattice().Coord(x, k))
	}
	return strings.Join(parts, ",")
}

// Word is the values of all axes without their names, as 0.5,yes, if axes have labels, and else
// Label.
func (t *Toy) Word(x int) string {
	if !t.Labelled() {
		return t.Label(x)
	}
	values := make([]string, len(t.Axes))
	for k, axis := range t.Axes {
		values[k] = axis.WriteValue(t.Lattice().Coord(x, k))
	}
	return strings.Join(values, ",")
}

// isState reports whether the only axis has labels and is called state.
func (t *Toy) isState() bool { return len(t.Axes) == 1 && t.Axes[0].Name == "state" && t.Labelled() }

// InWords reports whether messages name states by their Label, rather than by their number and
// coordinates.
func (t *Toy) InWords() bool { return t.ByLabel() || t.Labelled() }

// State returns the name of a state for messages and tables: its label, or on a grid without labels
// its number.
func (t *Toy) State(x int) string {
	if t.InWords() {
		return t.Label(x)
	}
	return strconv.Itoa(x)
}

// FindState returns the state with a name: one that State returns, or on any grid its number or the
// values of all its axes, in any order, as x0=3,x1=2. If there is none, the error says what to
// write.
func (t *Toy) FindState(name string) (x int, err error) {
	if t.ByLabel() {
		if x, found := grid.Find(t.Space, name); found {
			return x, nil
		}
		return 0, errs.New("no state of %s has that label; breadboard toys show %s lists them", t.Space, t.Selector())
	}
	if t.isState() && slices.Contains(t.Axes[0].Labels, name) {
		name = t.Axes[0].Name + "=" + name
	}
	if strings.Contains(name, "=") {
		return t.findAssignment(name)
	}
	x, err = strconv.Atoi(name)
	if err != nil || x < 0 || x >= t.Space.States() {
		return 0, fmt.Errorf("the states are numbered from 0 to %d%s", t.Space.States()-1, t.alsoInWords())
	}
	return x, nil
}

// alsoInWords says how else a state is named, if axes have labels.
func (t *Toy) alsoInWords() string {
	if !t.Labelled() {
		return ""
	}
	return ", or named as in " + t.Label(0)
}

// findAssignment returns the state of a list AXIS=VALUE,AXIS=VALUE, one for each axis. A value may
// have a comma in it.
func (t *Toy) findAssignment(list string) (x int, err error) {
	axes := t.Variables()
	space := t.Lattice()
	seen := make([]bool, len(axes))
	for parts := strings.Split(list, ","); len(parts) > 0; {
		axis, at, used, err := t.firstAssignment(parts)
		parts = parts[used:]
		if err != nil {
			return 0, err
		}
		if seen[axis] {
			return 0, errs.New("%s has two values; give one", axes[axis].Name)
		}
		seen[axis] = true
		x += at * space.Stride(axis)
	}
	var missing []string
	for k, given := range seen {
		if !given {
			missing = append(missing, axes[k].Name)
		}
	}
	if len(missing) > 0 {
		return 0, errs.New("a state has a value on each axis; give also that of %s", strings.Join(missing, ", "))
	}
	return x, nil
}

// firstAssignment returns the axis and the coordinate that the first parts of a list give, and how
// many parts these are: more than one if the value has a comma in it. If there are none, the error
// is about the first part.
func (t *Toy) firstAssignment(parts []string) (axis, at, used int, err error) {
	for used = range parts {
		axis, at, wrong := t.Assignment(strings.Join(parts[:used+1], ","))
		if wrong == nil {
			return axis, at, used + 1, nil
		}
		err = cmp.Or(err, wrong)
	}
	return 0, 0, 0, err
}

// Assignment returns the axis and the coordinate of a text AXIS=VALUE, as lung=yes. If there are
// none, the error lists them.
func (t *Toy) Assignment(text string) (axis, coordinate int, err error) {
	axes := t.Variables()
	space := t.Lattice()
	if space == nil {
		return 0, 0, errs.New("the space of toy %s, %v, has no axes; grids and models have", t.Name, t.Space)
	}
	axis, value, err := models.Assigned(text, axes)
	if err != nil {
		return 0, 0, err
	}
	coordinate, err = axes[axis].FindCoordinate(value, space.Side(axis))
	return axis, coordinate, err
}

// Explain adds the labels of the states that an error is about, if the toy names its states by
// label.
func (t *Toy) Explain(err error) error {
	if !t.InWords() {
		return err
	}
	return work.NameStates(err, t.Label)
}
