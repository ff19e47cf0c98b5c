package chains

import (
	"breadboard/chains/internal/library"
)

// ofLibrary is a kernel that says that it is one of the library. Only the library's own types can say it of themselves:
// nobody else can make a Word, and one that a type has from an embedded kernel is not for that type (see Word.Is).
type ofLibrary interface {
	Kernel
	// Library gives the word of a kernel that leaves its distribution invariant by construction, has its rows in closed
	// form, and is reversible unless it is a Reverser.
	Library() library.Word
}

// combination is a kernel of the library that is made of others, whosever they are: a sequence or a mixture. Nobody else's
// type can be one, and what embeds one is none (see Word.Is).
type combination interface {
	Kernel
	// MadeOf says how it is made.
	MadeOf() (Parts, library.Word)
	// Reversed returns the same combination of the time reversals of its parts, the last one first. A part that does not
	// say what its reversal is stands for itself.
	Reversed() Kernel
}

// Parts are what a kernel of the library is made of: kernels that are applied one after another, or of which one is drawn.
type Parts struct {
	Kernels    []Kernel  // each of them once
	Sequential bool      // whether they are applied one after another
	Order      []int     // then: which one when, by number; one may come again
	Times      int       // then: how often the order is gone through
	Weights    []float64 // else: the probability with which each is drawn
}

// OfLibrary reports whether a kernel is one of the library of this module, or made of nothing else by the Compose,
// Palindrome, Repeat, Mixture and Lazy of package kernels. Such a kernel leaves its distribution invariant by construction, and its time reversal is
// known. A type of anybody else is not of the library, not even one that embeds a kernel of the library: what it does is
// up to the methods that it has replaced.
func OfLibrary(k Kernel) bool {
	if l, says := k.(ofLibrary); says && l.Library().Is(k) {
		return true
	}
	parts, combined := partsOf(k)
	if _, rows := k.(Rower); !combined || !rows { // what the constructors make of kernels that have rows has rows too
		return false
	}
	for _, part := range parts.Kernels {
		if !OfLibrary(part) {
			return false
		}
	}
	return true
}

// partsOf returns what a kernel is made of, where it is a combination of the library.
func partsOf(k Kernel) (parts Parts, combined bool) {
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
