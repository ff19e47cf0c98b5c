// Package couplings moves two chains of one kernel together so that they meet. A coupling moves a
// pair of states such that each of the two by itself moves by the kernel. It is written against a
// chains.Chooser: sampled it is a Monte Carlo method, and enumerated it is a row of the transition
// matrix of pairs (package exact/meeting).
//
// Every coupling here is faithful: chains that have met stay together. From two equal states both
// go to the same state, drawn by the kernel. How long chains take to meet is computed by
// exact/meeting. The kernel itself is not examined.
//
// Sources: Johnson 1996; Lindvall 1992; Thorisson 2000; Jacob, O'Leary and Atchade 2020.
package couplings

import (
	"errors"
	"fmt"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

// Coupling moves two chains of one kernel together.
type Coupling interface {
	// Couple returns the states after one transition from the states x and y, 0 <= x, y <
	// len(logf), with every random choice made by c. It must not change logf.
	Couple(c chains.Chooser, logf []float64, x, y int) (x2, y2 int)
}

// form is one way to couple any kernel, or any of some kind.
type form struct {
	name, doc string
	couple    func(k chains.Kernel) (Coupling, error)
}

func forms() []form {
	return []form{
		{"rows",
			"a maximal coupling of the two rows; otherwise two independent moves",
			ofRows(independentResiduals)},
		{"rows-comonotone",
			"a maximal coupling of the two rows; otherwise one uniform number draws from the residuals of " +
				"both, in the order of the states",
			ofRows(comonotoneResiduals)},
		{"quantile", "one uniform number draws from both rows, in the order of the states",
			ofRows(comonotoneRows)},
		{"common",
			"common random numbers: the i-th choices of both moves share a uniform number", tied},
		{"proposals",
			"a maximal coupling of the proposals, one uniform number for both acceptances; for kernels " +
				"that propose a neighbour",
			ofProposals},
		{"independent", "two independent moves, until the chains meet", independently},
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

// Doc returns a phrase that describes the named coupling.
func Doc(name string) string {
	for _, f := range forms() {
		if f.name == name {
			return f.doc
		}
	}
	return ""
}

// New returns the named coupling for a kernel. It fails if the name is unknown, and if the kernel
// does not support the coupling.
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

// Refused reports whether an error of New says that the kernel does not support the coupling.
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

// Func is a function used as a Coupling.
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

// errNoRows says why a kernel has no coupling that needs its rows.
var errNoRows = errs.New(
	"it has no rows in closed form (AppendRow); take common or independent, which only need its moves",
)
