package toys

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/numpy"
	"breadboard/chains/paths"
	"breadboard/chains/selector"
)

// Target returns the selector of the target in canonical form, without the name that a user has
// given to the toy.
func (t *Toy) Target() string {
	if t.Named != "" {
		return t.Named
	}
	return t.Name
}

// Selector returns the text that Forms.Parse turns into this toy, with its name if a user has given
// one.
func (t *Toy) Selector() string {
	if t.Named != "" {
		return selector.WithName(t.Name, t.Named)
	}
	return t.Name
}

// Title returns the name of the toy as tables and sentences for people print it: Name, which is
// shortened if it is long (see selector.Short) unless it ends in the path of a file.
func (t *Toy) Title() string { return t.forms.Title(t.Name) }

// Source returns the source of the toy's kind of target, and "" if it needs none.
func (t *Toy) Source() string {
	kind, _, _ := strings.Cut(t.Target(), ":")
	for _, form := range t.forms.Targets.Listing.All() {
		if form.Name() == kind {
			return form.Source
		}
	}
	return ""
}

// Factored is Forms.Factored for the toy.
func (t *Toy) Factored() (Product, error) { return t.forms.Factored(t.Target(), "", "") }

// Files returns the files that the name of the toy names; see Forms.FilesOf.
func (t *Toy) Files() []string { return t.forms.FilesOf(t.Name) }

// Title is Toy.Title for the name of a toy, an initial distribution, a path, a schedule or a
// kernel.
func (f Forms) Title(name string) string {
	short := selector.Short(name)
	if short == name || f.FileOf(name) != "" {
		return name
	}
	return short
}

// Painted returns a short name, as "painted 5x5" or "painted 30" for a line, for a target that is
// written cell by cell in a long selector. Other names are returned as they are. Two targets may
// have the same short name.
func Painted(name string) string {
	cells, is := strings.CutPrefix(name, cellsName+":")
	if !is || len(name) <= longestCells {
		return name
	}
	rows := strings.Split(cells, "/")
	size := strconv.Itoa(strings.Count(rows[0], ":") + 1)
	if len(rows) > 1 {
		size = fmt.Sprintf("%dx%s", len(rows), size)
	}
	return "painted " + size
}

// longestCells is the number of characters up to which the selector of cells is short enough for a
// figure.
const longestCells = 20

// ParsePath returns the path of a selector between the ends that ParseInitial has made for a toy:
// "geometric", "arithmetic" (the mixture), "q:Q" (power means), "via:PATH" and "via:BETA:PATH",
// through the distribution whose log f is in a file, at beta 0.5 if that is left out, "file:PATH",
// through all stages in a file, or "tempered", from the prior of a model. A name of the user's own
// may stand in front.
func (f Forms) ParsePath(text string, ends *paths.Ends, toy *Toy) (chains.Path, error) {
	read := func(file string) ([]float64, error) { return f.ReadOn(file, toy) }
	_, text, err := f.Paths.Listing.CutName(text)
	if err != nil {
		return nil, err
	}
	return f.Paths.Parse(text, paths.Env{Ends: ends, Read: read, ReadRows: toy.readRows})
}

// readRows reads an array of which each row has a number for each state, in one dimension or in the
// shape of the grid.
func (t *Toy) readRows(file string) ([][]float64, error) {
	n, sides := t.Space.States(), t.sides()
	s, values, err := readArray(file, maxStages*n)
	if err != nil {
		return nil, err
	}
	if len(s) < 2 || s[0]*n != len(values) || !slices.Equal(s[1:], sides) && s[1] != n {
		return nil, errs.New("the array has the shape %s; give T stages of %s states, as (T, %d) or (T, *shape)",
			numpy.ShapeText(s), numpy.ShapeText(sides), n)
	}
	return slices.Collect(slices.Chunk(values, n)), nil
}

// ReadValues reads an array of NumPy with a finite number for each state, in one dimension or in
// the shape of the grid.
func (t *Toy) ReadValues(file string) ([]float64, error) {
	n, sides := t.Space.States(), t.sides()
	s, values, err := readArray(file, n)
	if err != nil {
		return nil, err
	}
	if len(values) != n || !slices.Equal(s, sides) && len(s) != 1 {
		return nil, errs.New("the array has the shape %s; give a number for each state, as (%d) or %s",
			numpy.ShapeText(s), n, numpy.ShapeText(sides))
	}
	for x, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, errs.New("the number of state %d is %v; give finite numbers", x, v)
		}
	}
	return values, nil
}

// sides returns the sides of the grid, and without one the number of states.
func (t *Toy) sides() []int {
	if l := t.Lattice(); l != nil {
		return l.Sides()
	}
	return []int{t.Space.States()}
}

// readArray reads an array of NumPy of at most so many numbers, and returns its shape.
func readArray(file string, most int) (shape []int, values []float64, err error) {
	if !numpy.Is(file) {
		return nil, nil, errs.New("%s is not an array of NumPy; write numpy.save(PATH.npy, array)", file)
	}
	array, err := numpy.ReadFile(file, most)
	if err != nil {
		return nil, nil, err
	}
	values, err = array.Floats()
	return array.Shape, values, err
}

// maxStages is the largest number of stages of a path in a file.
const maxStages = 10_000

// FileOf returns the file that a selector of a toy, an initial distribution or a path names, and ""
// where it names none.
func (f Forms) FileOf(text string) string {
	for _, listing := range f.listings() {
		if file := listing.File(text); file != "" {
			return file
		}
	}
	return ""
}

func (f Forms) listings() []*selector.Listing {
	return []*selector.Listing{f.Targets.Listing, f.Initials.Listing, f.Paths.Listing}
}
