package subject

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/selector"
	"breadboard/exact"
	"breadboard/grid"
	"breadboard/grid/quotients"
	"breadboard/toys"
)

// OnClasses returns the selectors of toys on the classes of states that all of the kernels treat
// alike. The quotient is "auto", or "auto:TOL" for classes whose log f differs by up to TOL nats.
func OnClasses(quotient string, on, with []string) ([]string, error) {
	method, tolerance, given := strings.Cut(quotient, ":")
	nats, err := selector.ParseNumber(tolerance)
	if method != "auto" || given && !(err == nil && nats >= 0) {
		return nil, errs.New("%s; write auto, or auto:TOL with a tolerance in nats, as in auto:1e-12", quotient)
	}
	classes := "quotient:neighbours:"
	if slices.ContainsFunc(with, lumpsByValues) {
		classes = "quotient:values:"
	}
	if given {
		classes += tolerance + ":"
	}
	list := make([]string, len(on))
	for i, text := range on {
		name, toy := selector.SplitName(strings.TrimSpace(text))
		list[i] = selector.WithName(name, classes+toy)
	}
	return list, nil
}

// lumpsByValues is needsValues of the kernel of a selector.
func lumpsByValues(kernel string) bool {
	_, kernel = selector.SplitName(strings.TrimSpace(kernel))
	k, err := kernels.Parse(kernel, grid.MustNew(3, 3))
	return err == nil && needsValues(k)
}

// needsValues reports whether a kernel, or a part of it, lumps where axes change their values, and
// not where states go to neighbours.
func needsValues(k chains.Kernel) bool {
	switch k.(type) {
	case kernels.Flip, kernels.HeatBathAxis:
		return true
	}
	parts, _ := chains.PartsOf(k)
	for _, part := range parts.Kernels {
		if needsValues(part) {
			return true
		}
	}
	return false
}

// Lumping bounds what LumpedAnnealing is tried for, and what it is used for.
const (
	leastLumped = 1 << 12 // states
	leastMerged = 4       // states for each class
)

// LumpedAnnealing returns the toy of the classes that the kernel of an annealing treats alike, and
// the annealing on them, which has the same J, B, log(Z_T/Z_1) and distribution of log weights. It
// returns false for few states, if it would save little, if the path is not geometric, if its ends
// differ within a class, and if the kernel does not lump.
func LumpedAnnealing(toy *toys.Toy,
	a *chains.Annealing) (classes *toys.Toy, lumped *chains.Annealing, is bool) {
	_, geometric := a.Path().(*paths.Geometric)
	k := a.Kernel()
	if !geometric || a.States() < leastLumped || toy.Members != nil || k == nil || !chains.OfLibrary(k) {
		return nil, nil, false
	}
	values := map[float64]bool{} // classes are no fewer
	for _, v := range toy.G {
		values[v] = true
		if leastMerged*len(values) > a.States() {
			return nil, nil, false
		}
	}
	proposal := quotients.Neighbour
	if needsValues(k) {
		proposal = quotients.Value
	}
	classes, err := toys.Quotient(toy, proposal, 0)
	if err != nil || leastMerged*classes.Space.States() > a.States() {
		return nil, nil, false
	}
	onClasses, err := kernels.Parse(chains.NameOf(k), classes.Space)
	if err != nil {
		return nil, nil, false
	}
	var ends [2][]float64
	logf := make([]float64, a.States())
	for i, t := range []int{1, a.Distributions()} {
		a.LogF(logf, t)
		ends[i], err = classes.OnClasses(logf)
		if err != nil {
			return nil, nil, false
		}
		for c, m := range classes.Members {
			ends[i][c] += m
		}
	}
	path, err := paths.NewGeometric(ends[0], ends[1])
	if err != nil {
		return nil, nil, false
	}
	lumped, err = chains.NewAnnealing(path, a.Schedule(), onClasses, a.Distributions())
	return classes, lumped, err == nil
}

// RefusedOnClasses adds advice to an error about a kernel on classes.
func RefusedOnClasses(err error, toy *toys.Toy) error {
	if err == nil || toy.WholeSelector() == "" {
		return err
	}
	return errs.New("%w; as {toy} %s it moves on the states themselves", err, toy.WholeSelector())
}

// OnStates calls use with the case on the states themselves, for a case on classes that a selector
// has made (see toys.Quotient).
func OnStates(ctx context.Context, c *Case, use func(whole *Case) error) error {
	s := c.Reader.SelectionOf(c.Params)
	s.Check = nil
	s.Most = 0
	s.Toys = []string{c.Toy.WholeSelector()}
	cases, err := s.Cases(ctx)
	if err != nil {
		return fmt.Errorf("on the states themselves: %w", err)
	}
	return use(&cases[0])
}

// WithLeftOut appends the text of toys.Toy.LeftOut or columns.LostNote to the note of a result.
// Either may be empty.
func WithLeftOut(note, left string) string {
	if note == "" || left == "" {
		return note + left
	}
	return note + "; " + left
}

// NeedsStates returns an error with advice if the states of a toy are classes, for a question about
// single states; what names it, as in "the task".
func NeedsStates(toy *toys.Toy, what string) error {
	switch {
	case toy.Members == nil:
		return nil
	case toy.WholeSelector() == "":
		return errs.New("%s needs single states, but those of %s are classes; give a toy that lists its states", what,
			toy.Title())
	}
	return errs.New("%s needs single states, but those of %s are classes; give {toy} %s",
		what, toy.Title(), toy.WholeSelector())
}

// NoteOfClasses names the axis of a toy's grid that distinguishes the classes of a solution (see
// exact.Reach), which shows what the kernel never changes. It is empty if there is no such axis,
// and if the solution has no classes.
func NoteOfClasses(toy *toys.Toy, r *exact.Reach) string {
	if r == nil || toy.Lattice() == nil {
		return ""
	}
	for axis := range toy.Lattice().Dims() {
		if !tellsApart(toy, r, axis) {
			continue
		}
		name := fmt.Sprintf("axis %d", axis)
		if toy.Axes != nil {
			name = toy.Axes[axis].Name
		}
		text := name + " says in which class a state is"
		if toy.Network {
			text += ", and hide=" + name + " sums it out"
		}
		return text
	}
	return ""
}

// tellsApart reports whether all states with the same coordinate on an axis are in one class.
func tellsApart(toy *toys.Toy, r *exact.Reach, axis int) bool {
	l := toy.Lattice()
	classOf := make([]int32, l.Side(axis))
	for i := range classOf {
		classOf[i] = -1
	}
	for x, class := range r.Of {
		at := &classOf[l.Coord(x, axis)]
		if class >= 0 && *at >= 0 && *at != class {
			return false
		}
		*at = max(*at, class)
	}
	return true
}
