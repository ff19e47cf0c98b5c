// Package library answers: is a kernel one of this module's own? Package exact takes the word of such a kernel, that it
// leaves its distribution invariant and what its time reversal is, and examines every other one; so nobody else's kernel
// may pass for one of them. It holds what the module's kernels say that word with. Being internal, it can be named by no
// package outside of chains, and so no type declared elsewhere can have a method that returns a Word of its own making.
// It never knows what a kernel is.
package library

import "reflect"

// Word is what a kernel of the library gives for itself. The zero Word is nobody's.
type Word struct{ of reflect.Type }

// For returns the word of a kernel, for its own type and no other.
func For(kernel any) Word { return Word{reflect.TypeOf(kernel)} }

// Is reports whether the word was given for a kernel of this very type. A type of anybody else that embeds a kernel of
// the library has its methods, and so its word, but is another type: what it does is up to the methods that it has
// replaced.
func (w Word) Is(kernel any) bool { return w.of != nil && w.of == reflect.TypeOf(kernel) }
