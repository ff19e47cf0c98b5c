// Package library marks the kernels of this module. Package exact trusts such a kernel to leave its
// distribution invariant, and trusts the time reversal that it states. It examines every other
// kernel, so a kernel from elsewhere must not pass as one of the module's. The mark is a Word,
// which the module's kernels return. As this package is internal, a package outside of chains
// cannot import it, so no type declared elsewhere can have a method that returns a new Word.
package library

import "reflect"

// Word is a token that only kernels of the library can hold. It is made for one type of kernel. The
// zero Word marks nothing.
type Word struct{ of reflect.Type }

// For returns the Word of a kernel. It is valid for the kernel's own type only.
func For(kernel any) Word { return Word{reflect.TypeOf(kernel)} }

// Is reports whether the Word was made for a kernel of exactly this type. A type from elsewhere
// that embeds a kernel of the library inherits the method that returns the Word. It is another type
// and may have replaced other methods, so the Word is not valid for it.
func (w Word) Is(kernel any) bool { return w.of != nil && w.of == reflect.TypeOf(kernel) }
