package toys

import (
	"slices"
	"strconv"

	"breadboard/chains"
	"breadboard/grid"
)

// Lattice returns the toy's space where it is a grid, and nil where it is none.
func (t *Toy) Lattice() *grid.Lattice {
	l, _ := t.Space.(*grid.Lattice)
	return l
}

// Plane returns the toy's space where it is a grid of two axes, and nil where it is none.
func (t *Toy) Plane() *grid.Lattice {
	if l := t.Lattice(); l != nil && l.Dims() == 2 {
		return l
	}
	return nil
}

// ByLabel reports whether messages, tables and figures name the toy's states by their labels, as they do on a graph. On a
// grid they are named by number and coordinates.
func (t *Toy) ByLabel() bool { return t.Graph || t.Lattice() == nil }

// SameTarget reports whether two toys are one target under different names: log f is the same in every state of the same space. What a
// toy names besides, as its dominant mode, has no part in it. Time is O(states), and less where a state early on tells them apart.
func (t *Toy) SameTarget(other *Toy) bool {
	return t.ByLabel() == other.ByLabel() && slices.Equal(t.G, other.G) && sameSpace(t.Space, other.Space)
}

// State returns the name of a state for messages and tables: its label, or on a grid its number.
func (t *Toy) State(x int) string {
	if t.ByLabel() {
		return t.Space.Label(x)
	}
	return strconv.Itoa(x)
}

// FindState returns the state for which State returns the given name, and false where there is none.
func (t *Toy) FindState(name string) (x int, found bool) {
	if t.ByLabel() {
		return grid.Find(t.Space, name)
	}
	x, err := strconv.Atoi(name)
	return x, err == nil && x >= 0 && x < t.Space.States()
}

// Explain adds the labels of the states that an error is about, where the toy names its states by label.
func (t *Toy) Explain(err error) error {
	if !t.ByLabel() {
		return err
	}
	return chains.NameStates(err, t.Space.Label)
}
