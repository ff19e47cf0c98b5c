package couplings

import (
	"errors"
	"fmt"

	"breadboard/chains"
	"breadboard/chains/selector"
)

// Coupling moves two chains of one kernel together.
type Coupling interface {
	// Couple returns the states after one transition from the states x and y, 0 <= x, y < len(logf), with every random choice made by c. It
	// must not change logf.
	Couple(c chains.Chooser, logf []float64, x, y int) (x2, y2 int)
}

// form is one way to couple any kernel, or any of some kind.
type form struct {
	name, doc string
	couple    func(k chains.Kernel) (Coupling, error)
}

// forms lists the couplings.
func forms() []form {
	return []form{
		{"rows", "a maximal coupling of the two rows: the chains meet in one move with the largest probability that there is; what remains is independent", ofRows(independentResiduals)},
		{"rows-comonotone", "the same, and what remains of both rows is drawn by one uniform number, in the order of the states", ofRows(comonotoneResiduals)},
		{"quantile", "both rows are drawn by one uniform number, in the order of the states", ofRows(comonotoneRows)},
		{"common", "common random numbers: the i-th choice of both moves is made by the same uniform number", tied},
		{"proposals", "a maximal coupling of the two proposals, and one uniform number for both acceptances; of kernels that propose a neighbour", ofProposals},
		{"independent", "two moves that have nothing to do with each other until the chains meet", independently},
	}
}

// Names returns the names of all couplings.
func Names() []string {
	var names []string
	for _, f := range forms() {
		names = append(names, f.name)
	}
	return names
}

// Doc returns what the coupling of a name does, in one phrase.
func Doc(name string) string {
	for _, f := range forms() {
		if f.name == name {
			return f.doc
		}
	}
	return ""
}

// New returns the coupling of a name for a kernel. It fails where there is none of this name, and where the kernel cannot be coupled so.
func New(name string, k chains.Kernel) (Coupling, error) {
	for _, f := range forms() {
		if f.name != name {
			continue
		}
		c, err := f.couple(k)
		if err != nil {
			return nil, &refused{fmt.Errorf("coupling %s of kernel %s: %w", name, chains.NameOf(k), err)}
		}
		return faithful{k, c}, nil
	}
	return nil, selector.UnknownError("coupling", name, Names())
}

// refused is why a kernel has no coupling of some name.
type refused struct{ error }

// Refused reports whether New has refused a coupling because the kernel has none of that kind.
func Refused(err error) bool {
	_, is := errors.AsType[*refused](err)
	return is
}

// faithful moves chains that have met together, by one move of the kernel.
type faithful struct {
	kernel chains.Kernel
	apart  Coupling // how chains move that have not met
}

// Couple implements Coupling.
func (f faithful) Couple(c chains.Chooser, logf []float64, x, y int) (x2, y2 int) {
	if x == y {
		x2 = f.kernel.Move(c, logf, x)
		return x2, x2
	}
	return f.apart.Couple(c, logf, x, y)
}

// Func makes a coupling of a function.
type Func func(c chains.Chooser, logf []float64, x, y int) (x2, y2 int)

// Couple implements Coupling.
func (f Func) Couple(c chains.Chooser, logf []float64, x, y int) (x2, y2 int) {
	return f(c, logf, x, y)
}

// independently moves the two chains one after the other.
func independently(k chains.Kernel) (Coupling, error) {
	return Func(func(c chains.Chooser, logf []float64, x, y int) (x2, y2 int) {
		x2 = k.Move(c, logf, x)
		return x2, k.Move(c, logf, y)
	}), nil
}
