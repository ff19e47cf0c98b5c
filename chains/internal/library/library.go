// Package library answers: is a kernel one of this module's own? Package exact trusts such a kernel: it believes that the
// kernel leaves its distribution invariant, and what the kernel says its time reversal is. It examines every other
// kernel, so nobody else's kernel may pass for one of the module's own. The proof is a Word, which the module's kernels
// return. Because this package is internal, no package outside of chains can import it, and so no type declared elsewhere
// can have a method that returns a Word of its own making. The package never knows what a kernel is.
package library

import "reflect"

// Word is the proof, made for one type of kernel, that this type belongs to the library. The zero Word proves nothing.
type Word struct{ of reflect.Type }

// For returns the Word of a kernel, which holds for the kernel's own type and for no other.
func For(kernel any) Word { return Word{reflect.TypeOf(kernel)} }

// Is reports whether the Word was made for a kernel of this very type. Somebody else's type that embeds a kernel of the library inherits
// the method that returns the Word, but it is another type and may have replaced other methods, so the Word does not hold for it.
func (w Word) Is(kernel any) bool { return w.of != nil && w.of == reflect.TypeOf(kernel) }
