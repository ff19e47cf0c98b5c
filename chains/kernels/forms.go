// Package kernels has the Markov kernels of the library, one a file, each with its selector. All
// leave their distribution invariant. Package chains defines what a kernel is; package exact/kernel
// examines kernels.
//
// Kernels that propose a neighbour, such as Metropolis and Barker, run on any grid.Graph: each
// direction of a state is proposed with equal probability, and one that leads nowhere, such as into
// a wall, is a rejection. Every state of a graph has the same number of directions: the largest
// number of neighbours of any state.
//
// # Add a kernel
//
//  1. Write NAME.go, like stay.go, or use the file of its relatives, like heatbath.go: the type
//     with its source; Move, written against the Chooser; AppendRow, the same in closed form;
//     States, if it belongs to one space; String, the selector, which must parse back; Library,
//     only if the kernel leaves its distribution invariant by construction; Reversal, only if it
//     is not reversible; and NAMEForm, which parses the selector. A kernel made of others is a
//     form alone, like the scans in heatbath.go.
//  2. Add the form to the list in forms.go. Help, errors, completion and the tests of forms
//     follow.
//  3. Test a row worked out by hand in NAME_test.go, and add a selector to the lists of
//     experiments/kerneltest_library_test.go and exact/library_test.go. Then run
//     breadboard kernel check NAME.
//
// If there is a usual mistake in implementing it, add a bug to experiments/checks/planted and a
// line to experiments/checks/kernel/mistakes.go; kernel check then names it.
//
// Three faster forms are optional. Each is tested against the plainer one, and
// TestEveryFormIsTested reports a missing kernel:
//
//   - RowsUnder returns AppendRow for a fixed log f, so that all rows of a stage share work.
//     AppendRow calls it.
//   - AppendFrame and FillFrame, in frames.go, are for kernels whose rows have their entries at
//     the same places under all distributions. A kernel that accepts like Metropolis or Barker
//     takes one line for each. Add a selector to frames_test.go.
//   - An operator in exact/internal/operator applies the kernel to a function on the states
//     without making rows. It computes J, B and gradients on geometric paths. Derived is for
//     kernels with a known derivative along the path. Add a selector to operator_test.go.
//
// A kernel outside this library needs Move alone, and kerneltest.Run(t, kernel, space) in a test.
package kernels

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// Forms returns the forms of the selectors that Parse reads, in the order in which they are listed.
func Forms() selector.Set[Env, chains.Kernel] {
	return selector.NewSet("kernel",
		lumping(metropolisForm),
		lumping(mooreForm),
		lumping(flipForm),
		lumping(barkerForm),
		lumping(jumpForm),
		lumping(independenceForm),
		lumping(exactForm),
		lumping(heatBathForm),
		lumping(heatBathAxisForm),
		lumping(heatBathScanForm),
		lumping(heatBathZigzagForm),
		lumping(blockForm),
		lumping(suwaTodoForm),
		lumping(suwaTodoAxisForm),
		classed(swendsenWangForm, lumpsOrbits),
		classed(wolffForm, lumpsOrbits),
		lumping(balancedForm),
		lumping(gradientForm),
		lumping(tabuForm),
		lumping(delayedForm),
		stayForm,
		lazyForm,
		repeatForm,
		lumping(composeForm),
		palindromeForm,
		mixtureForm,
	)
}

type kernelForm = selector.Form[Env, chains.Kernel]

// Env is the context in which a kernel's selector is parsed.
type Env struct {
	Space grid.Graph                       // the space that the kernel moves on
	Forms selector.Set[Env, chains.Kernel] // in which kernels within the kernel are found
	depth int                              // the number of kernels around this one, each the argument of the next
}

// Parse returns the kernel of a selector on a space. The independence kernel proposes uniformly.
func Parse(text string, space grid.Graph) (chains.Kernel, error) {
	forms := Forms()
	return forms.Parse(text, Env{Space: space, Forms: forms})
}

// maxNested bounds how deep kernels are nested.
const maxNested = 16

// nested parses the argument kernel of another kernel, at most maxNested deep. A kernel without
// arguments may stand one level deeper. The reason: a kernel at the deepest level may omit its
// inner kernel, which is then metropolis, and its full name, which includes metropolis, must still
// parse.
func (on Env) nested(text string) (chains.Kernel, error) {
	on.depth++
	if on.depth > maxNested && !on.Forms.Listing.Bare(text) {
		return nil, fmt.Errorf("kernel %q is nested more than %d deep", text, maxNested)
	}
	return on.Forms.Parse(text, on)
}

// inner parses the argument kernel of another kernel, as nested does, and returns metropolis if it
// is omitted.
func (on Env) inner(text string) (chains.Kernel, error) {
	if text == "" {
		text = Metropolis{}.String()
	}
	return on.nested(text)
}

// parseParts parses K1+K2...
func parseParts(args selector.Args, on Env) ([]chains.Kernel, error) {
	parts, err := parseTerms(args.Text, on, func(term string) (string, error) { return term, nil })
	return parts, args.Wrap(err)
}

// parseTerms parses two or more terms joined by +. The function kernel returns the selector of the
// kernel in a term.
func parseTerms(text string, on Env, kernel func(term string) (string, error)) ([]chains.Kernel, error) {
	var parts []chains.Kernel
	for _, term := range terms(text) {
		inner, err := kernel(term)
		if err != nil {
			return nil, err
		}
		k, err := on.nested(inner)
		if err != nil {
			return nil, err
		}
		parts = append(parts, k)
	}
	if len(parts) < 2 {
		return nil, errors.New("it takes at least two kernels joined by +")
	}
	return parts, nil
}

// terms splits a text at every + that is not part of an exponent. Large weights of a mixture have
// an exponent, as in 1e+06, when its name is written.
func terms(text string) []string {
	var list []string
	first := 0
	for i := range len(text) {
		if text[i] == '+' && !endsInExponent(text[first:i]) {
			list = append(list, text[first:i])
			first = i + 1
		}
	}
	return append(list, text[first:])
}

// endsInExponent reports whether a text ends in a digit or a point and an e.
func endsInExponent(text string) bool {
	n := len(text)
	return n > 1 && (text[n-1] == 'e' || text[n-1] == 'E') && strings.IndexByte(".0123456789", text[n-2]) >= 0
}

// axes returns one kernel for each axis of a space, and the share of each in a random scan. Axes of
// length one, along which there is no move, have one kernel together.
func axes(space *grid.Lattice,
	kernel func(axis int) chains.Kernel) (parts []chains.Kernel, shares []float64) {
	each := 1 / float64(space.Dims())
	still := -1
	for axis := range space.Dims() {
		if space.Side(axis) == 1 {
			if still >= 0 {
				shares[still] += each
				continue
			}
			still = len(parts)
		}
		parts, shares = append(parts, kernel(axis)), append(shares, each)
	}
	return parts, shares
}

// anyAxis returns the random scan: a mixture that draws one axis, each with equal probability, and
// applies its kernel.
func anyAxis(name string, space *grid.Lattice, kernel func(axis int) chains.Kernel) chains.Kernel {
	parts, shares := axes(space, kernel)
	return mix(name, shares, parts)
}

// evenMix returns the mixture that draws one of the kernels, each with equal probability.
func evenMix(name string, parts []chains.Kernel) chains.Kernel {
	return mix(name, slices.Repeat([]float64{1 / float64(len(parts))}, len(parts)), parts)
}

// onGrid returns the Parse of a kernel that needs a grid because of what it does.
func onGrid(does string,
	kernel func(space *grid.Lattice) chains.Kernel) func(selector.Args, Env) (chains.Kernel, error) {
	return func(args selector.Args, on Env) (chains.Kernel, error) {
		space, err := on.lattice(does)
		if err != nil {
			return nil, args.Wrap(err)
		}
		return kernel(space), nil
	}
}

// onAxis is onGrid for a kernel of one axis, whose number is the argument.
func onAxis(does string, kernel func(space *grid.Lattice, axis int) chains.Kernel) func(selector.Args,
	Env) (chains.Kernel, error) {
	return func(args selector.Args, on Env) (chains.Kernel, error) {
		space, err := on.lattice(does)
		if err != nil {
			return nil, args.Wrap(err)
		}
		axis, err := strconv.Atoi(args.Text)
		if err != nil || axis < 0 || axis >= space.Dims() {
			return nil, args.Errorf("%q is not an axis of %s; they are numbered from 0 to %d",
				args.Text, space, space.Dims()-1)
		}
		return kernel(space, axis), nil
	}
}

// lattice returns the space as a grid, for a kernel that needs one because of what it does. It
// fails if the space is another graph.
func (on Env) lattice(does string) (*grid.Lattice, error) {
	if l, is := on.Space.(*grid.Lattice); is {
		return l, nil
	}
	return nil,
		errs.New("it %s, so it needs a grid, and the space %s is not one; on a graph metropolis and barker "+
			"propose a neighbour, jump:EPS and independence any state",
			does, on.Space)
}
