package chains

import (
	"reflect"
	"slices"

	"breadboard/chains/internal/library"
)

// ofLibrary is a kernel that says that it is one of the library. Only the library's own types can say so: nobody else can
// make a Word, and a Word that a type inherits from an embedded kernel is not made for that type (see Word.Is).
type ofLibrary interface {
	Kernel
	// Library returns the Word of the library for the kernel's type, which says that the kernel leaves its distribution
	// invariant by construction, has its rows in closed form, and is reversible unless it is a Reverser.
	Library() library.Word
}

// combination is a kernel of the library that is made of other kernels, which anybody may have written: a sequence or a
// mixture. A type of somebody else is never a combination, not even where it embeds one (see Word.Is).
type combination interface {
	Kernel
	// MadeOf returns the parts of the combination, and the Word of the library for its type.
	MadeOf() (Parts, library.Word)
	// Reversed returns the same combination of the time reversals of its parts, the last one first. A part that does not
	// say what its reversal is stands for itself.
	Reversed() Kernel
}

// Parts are what a kernel of the library is made of: kernels that are applied one after another, or of which one is drawn.
type Parts struct {
	Kernels    []Kernel  // the parts, each of them once
	Sequential bool      // whether the parts are applied one after another
	Order      []int     // if Sequential: the indices in Kernels as they are applied; one may stand more than once
	Times      int       // if Sequential: how often the order is gone through
	Weights    []float64 // if not Sequential: the probability with which each part is drawn
}

// OfLibrary reports whether a kernel is one of the library of this module, or made of nothing else by the combinations
// Compose, Palindrome, Repeat, Mixture and Lazy of package kernels. Such a kernel leaves its distribution invariant by construction, and its time reversal is
// known. A type of anybody else is not of the library, not even one that embeds a kernel of the library, since it may have
// replaced some of the kernel's methods.
func OfLibrary(k Kernel) bool {
	if l, says := k.(ofLibrary); says && l.Library().Is(k) {
		return true
	}
	parts, combined := PartsOf(k)
	if _, rows := k.(Rower); !combined || !rows { // a combination that its constructor made of kernels with rows has rows
		return false
	}
	for _, part := range parts.Kernels {
		if !OfLibrary(part) {
			return false
		}
	}
	return true
}

// PartsOf returns what a kernel is made of, where it is a combination of the library, and false for any other kernel.
func PartsOf(k Kernel) (parts Parts, combined bool) {
	c, is := k.(combination)
	if !is {
		return Parts{}, false
	}
	parts, word := c.MadeOf()
	if !word.Is(k) {
		return Parts{}, false
	}
	return parts, true
}

// mostFlat is the largest number of moves of a sequence that Sequence takes apart.
const mostFlat = 1 << 20

// Sequence returns what a sequence of the library applies, where all its parts are of the library too: the kernels, and
// their places in that list in the order in which they move. Sequences among the parts are taken apart as well, so that no
// kernel of the list is one. It returns false for every other kernel, and for one that makes more than a million moves.
func Sequence(k Kernel) (kernels []Kernel, order []int, ok bool) {
	parts, combined := PartsOf(k)
	if !combined || !parts.Sequential || !OfLibrary(k) || MovesOf(k) > mostFlat {
		return nil, nil, false
	}
	kernels, order = flatten(nil, parts)
	return kernels, order, true
}

// flatten appends the kernels of a sequence to those that are known, and returns them and the order of the sequence.
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

// Same reports whether two kernels are equal, as far as Go can tell: it cannot compare values with lists in them.
func Same(k, l Kernel) bool {
	return reflect.TypeOf(k) == reflect.TypeOf(l) && reflect.ValueOf(k).Comparable() && reflect.ValueOf(l).Comparable() && k == l
}
