// Package chains defines Markov kernels, paths, schedules, and the Annealing that joins them. It
// also defines the random choices of an algorithm (Chooser), and the form in which an algorithm is
// written once (Process). Every source of randomness is passed in.
//
// Begin with [Kernel], its [Chooser], [Mover] and [Tabulate] for states of your own, and
// [NewAnnealing]; kernels.Parse and kernels.Metropolis; paths.NewGeometric; schedules.Linear and
// schedules.NewPoints.
//
// The packages in its directory implement these: kernels, paths, schedules, the simulation of
// chains (simulate), and their selection by a short text (selector). Package
// experiments/checks/kerneltest tests your own kernel.
package chains

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
)

// Kernel is one Markov transition that leaves the distribution proportional to exp(logf) invariant.
//
// A kernel need not be reversible, and need not state its time reversal. Package exact examines the
// flows between the states at every stage, refuses a kernel that does not leave the distribution
// invariant, and computes the reversal of other kernels from their rows. The kernels of package
// kernels know their reversals (see OfLibrary).
type Kernel interface {
	// Move returns the state after one transition from state x, 0 <= x < len(logf), with every
	// random choice made by c. It must not change logf, and logf[x] may be -Inf (a state of zero
	// probability).
	Move(c Chooser, logf []float64, x int) int
}

// Entry is one entry of a row of a transition matrix.
type Entry struct {
	To int     // the state that the row goes to
	P  float64 // the probability of going there
}

// Rower is a Kernel that also has its transition probabilities in closed form.
type Rower interface {
	Kernel
	// AppendRow appends the row of state x to dst: states that cannot be reached may be left out,
	// and a state may stand more than once.
	AppendRow(dst []Entry, logf []float64, x int) []Entry
}

// Reverser is a Kernel that states its time reversal R, with p(x) T(x,y) = p(y) R(y,x) for p
// proportional to exp(logf). Those kernels of package kernels that are not reversible are
// Reversers. The reversal stated by any other kernel is examined by kernel.Diagnose. Package
// simulate moves reverse chains by it unless WithReversals gives one from the kernel's rows. Exact
// answers rest on the kernel's rows, never on the stated reversal.
type Reverser interface {
	Kernel
	Reversal() Kernel
}

// Foreseer is a Kernel that makes its moves faster if it knows the distributions under which it
// will be enumerated, such as a program that is connected by pipes. The results of Move do not
// depend on it.
type Foreseer interface {
	Kernel
	// Foresee is given log f of the distributions to come, the next one first, in memory that is
	// overwritten. It takes as many as it wants.
	Foresee(next iter.Seq[[]float64])
}

// NameOf returns the selector of a kernel, or its type if it has none.
func NameOf(k Kernel) string {
	if s, ok := k.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("%T", k)
}

// evaluated is a kernel that states the cost of its moves.
type evaluated interface {
	// Evaluations returns the mean number of evaluations of log f in one move, given the value at
	// the state that it starts from. A proposal outside the space counts as an evaluation.
	Evaluations() float64
}

// Evaluations returns the mean number of evaluations of log f, as a black box, in one move of a
// kernel, on average over its parts. It returns false if the kernel, or one of its parts, does not
// state it. The value at the current state is kept from the move before.
func Evaluations(k Kernel) (count float64, said bool) {
	parts, combined := PartsOf(k)
	if !combined {
		if e, says := k.(evaluated); says {
			return e.Evaluations(), true
		}
		return 0, false
	}
	each := make([]float64, len(parts.Kernels))
	for i, part := range parts.Kernels {
		each[i], said = Evaluations(part)
		if !said {
			return 0, false
		}
	}
	if !parts.Sequential {
		count = each[0]
		for i, w := range parts.Weights {
			// weights add up to one but for rounding, which costs nothing if all parts take as much
			count += w * (each[i] - each[0])
		}
		return count, true
	}
	for _, i := range parts.Order {
		count += each[i]
	}
	return count * float64(parts.Times), true
}

// ReversalOf returns the time reversal that a kernel states: the kernels of the library know
// theirs, combinations reverse each of their parts, and any other kernel may implement Reverser. It
// returns false if the kernel, or a part of it, states none; package exact then computes the
// reversal from the kernel's rows (exact.WithReversal).
func ReversalOf(k Kernel) (reversal Kernel, said bool) {
	if parts, combined := PartsOf(k); combined {
		for _, part := range parts.Kernels {
			if _, said := ReversalOf(part); !said {
				return nil, false
			}
		}
		return k.(combination).Reversed(), true
	}
	if r, reverser := k.(Reverser); reverser {
		return r.Reversal(), true
	}
	if OfLibrary(k) {
		return k, true
	}
	return nil, false
}

// MovesOf returns the largest number of moves that a kernel makes one after another. It is more
// than one if the kernel is a sequence of the library, or has one among its parts.
func MovesOf(k Kernel) int {
	parts, combined := PartsOf(k)
	switch {
	case !combined:
		return 1
	case parts.Sequential:
		total := 0
		for _, part := range parts.Order {
			total += MovesOf(parts.Kernels[part])
		}
		return total * parts.Times
	}
	most := 0
	for _, part := range parts.Kernels {
		most = max(most, MovesOf(part))
	}
	return most
}

// isLibrarys reports whether the type of a kernel is one of package kernels, all of which leave
// their distribution invariant by construction, have their rows in closed form, and are reversible
// unless they are Reversers. A type of another package that embeds one may have replaced its
// methods.
func isLibrarys(k Kernel) bool {
	return k != nil && reflect.TypeOf(k).PkgPath() == reflect.TypeFor[Parts]().PkgPath()+"/kernels"
}

// combination is a kernel of the library that is made of other kernels: a sequence or a mixture.
// The parts need not be of the library. A type from elsewhere is never a combination, not even if
// it embeds one.
type combination interface {
	Kernel
	// MadeOf returns the parts of the combination.
	MadeOf() Parts
	// Reversed returns the same combination of the time reversals of its parts, the last one first.
	// A part that states no reversal is left as it is.
	Reversed() Kernel
}

// Parts are what a kernel of the library is made of: kernels that are applied one after another, or
// of which one is drawn.
type Parts struct {
	Kernels    []Kernel // the parts, each of them once
	Sequential bool     // whether the parts are applied one after another
	// if Sequential: the indices in Kernels as they are applied; one may stand more than once
	Order   []int
	Times   int       // if Sequential: how often the order is gone through
	Weights []float64 // if not Sequential: the probability with which each part is drawn
}

// OfLibrary reports whether a kernel is one of this module's library, or made only of such kernels
// by the combinations Compose, Palindrome, Repeat, Mixture and Lazy of package kernels. Such a
// kernel leaves its distribution invariant by construction, and its time reversal is known. A type
// from elsewhere is not of the library. This includes types that embed a kernel of the library,
// since they may have replaced some of its methods.
func OfLibrary(k Kernel) bool {
	// a combination that its constructor made of kernels with rows has rows
	if _, rows := k.(Rower); !rows || !isLibrarys(k) {
		return false
	}
	parts, _ := PartsOf(k)
	for _, part := range parts.Kernels {
		if !OfLibrary(part) {
			return false
		}
	}
	return true
}

// PartsOf returns the parts of a combination of the library, and false for any other kernel.
func PartsOf(k Kernel) (parts Parts, combined bool) {
	c, is := k.(combination)
	if !is || !isLibrarys(k) {
		return Parts{}, false
	}
	return c.MadeOf(), true
}

// mostFlat is the largest number of moves of a sequence that Sequence takes apart.
const maxFlatMoves = 1 << 20

// Sequence returns what a sequence of the library applies: the kernels, and their indices in the
// order in which they move. Sequences among the parts are expanded. It returns false for every
// other kernel, and for one that makes more than a million moves.
func Sequence(k Kernel) (kernels []Kernel, order []int, ok bool) {
	parts, combined := PartsOf(k)
	if !combined || !parts.Sequential || MovesOf(k) > maxFlatMoves {
		return nil, nil, false
	}
	kernels, order = flatten(nil, parts)
	return kernels, order, true
}

// flatten appends the kernels of a sequence to those that are known, and returns them and the order
// of the sequence.
func flatten(kernels []Kernel, s Parts) (all []Kernel, order []int) {
	orders := make([][]int, len(s.Kernels))
	for i, k := range s.Kernels {
		if parts, combined := PartsOf(k); combined && parts.Sequential {
			kernels, orders[i] = flatten(kernels, parts)
			continue
		}
		at := slices.IndexFunc(kernels, func(l Kernel) bool { return Same(k, l) })
		if at < 0 {
			at = len(kernels)
			kernels = append(kernels, k)
		}
		orders[i] = []int{at}
	}
	for range s.Times {
		for _, part := range s.Order {
			order = append(order, orders[part]...)
		}
	}
	return kernels, order
}

// Same reports whether two kernels are equal. It returns false for values that Go cannot compare,
// such as those with slices.
func Same(k, l Kernel) bool {
	return reflect.TypeOf(k) == reflect.TypeOf(l) && reflect.ValueOf(k).Comparable() &&
		reflect.ValueOf(l).Comparable() && k == l
}
