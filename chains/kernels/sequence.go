package kernels

import (
	"fmt"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/selector"
)

// Sequence applies kernels one after another, in an order that is repeated once or more. It leaves
// a distribution invariant if each of the kernels does. It is not reversible unless the order is a
// palindrome. Its time reversal applies the reversals of its kernels in reverse order.
//
//	T = (T_1 T_2 ... T_k)^Times, R = (R_k ... R_2 R_1)^Times
//
// with T_i and R_i the kernels and their reversals in the order of the moves.
type Sequence struct {
	Parts []chains.Kernel // the kernels, each of them once
	Times int             // how often the order is gone through
	// the indices in Parts in the order in which they are applied; one may stand more than once
	order []int
	name  string
}

// inOrder returns 0..n-1.
func inOrder(n int) []int {
	order := number.Range(n)
	return order
}

// sequence returns a Sequence, with rows in closed form if all parts have them.
func sequence(s Sequence) chains.Kernel {
	if allRowers(s.Parts) {
		return sequenceRows{s}
	}
	return s
}

func allRowers(parts []chains.Kernel) bool {
	for _, k := range parts {
		if _, ok := k.(chains.Rower); !ok {
			return false
		}
	}
	return true
}

func names(k []chains.Kernel) string {
	list := make([]string, len(k))
	for i := range k {
		list[i] = fmt.Sprint(k[i])
	}
	return strings.Join(list, "+")
}

// Move applies every part.
func (s Sequence) Move(c chains.Chooser, logf []float64, x int) int {
	for range s.Times {
		for _, part := range s.order {
			x = s.Parts[part].Move(c, logf, x)
		}
	}
	return x
}

// MadeOf returns the parts of the kernel.
func (s Sequence) MadeOf() chains.Parts {
	return chains.Parts{Kernels: s.Parts, Sequential: true, Order: s.order, Times: s.Times}
}

// Reversed returns the sequence of reversals in reverse order.
func (s Sequence) Reversed() chains.Kernel { return s.Reversal() }

// Reversal returns the sequence of reversals in reverse order.
func (s Sequence) Reversal() chains.Kernel {
	r := Sequence{
		Parts: make([]chains.Kernel, len(s.Parts)),
		Times: s.Times,
		order: slices.Clone(s.order),
		name:  s.name + " reversed",
	}
	for i, k := range s.Parts {
		r.Parts[i] = reversal(k)
	}
	slices.Reverse(r.order)
	return sequence(r)
}

// reversal returns the time reversal of a kernel: itself if it is reversible.
func reversal(k chains.Kernel) chains.Kernel {
	if r, ok := k.(chains.Reverser); ok {
		return r.Reversal()
	}
	return k
}

// String returns the selector.
func (s Sequence) String() string { return s.name }

// sequenceRows is a Sequence of kernels with rows in closed form.
type sequenceRows struct{ Sequence }

// AppendRow multiplies the row by the matrices of the parts one after another, and computes only
// those rows of the parts that this needs. For many rows PreparedRows is faster, since it computes
// each row of a part once.
func (s sequenceRows) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	var rows chains.PreparedRows
	rows.Prepare(s, logf, nil)
	dst, err := rows.AppendRow(dst, x)
	if err != nil {
		panic(err) // only a watch can return an error, and there is none
	}
	return dst
}

// Compose returns the kernel that applies k, then l and so on.
func Compose(k ...chains.Kernel) chains.Kernel {
	return sequence(Sequence{Parts: k, Times: 1, order: inOrder(len(k)), name: "compose:" + names(k)})
}

func composeForm() kernelForm {
	return kernelForm{
		Syntax:  "compose:K1+K2...",
		Doc:     "the kernels one after another",
		Example: "compose:metropolis+barker",
		Missing: "two kernels or more",
		Parse: func(args selector.Args, on Env) (chains.Kernel, error) {
			parts, err := parseParts(args, on)
			if err != nil {
				return nil, err
			}
			return Compose(parts...), nil
		},
	}
}

// Palindrome returns the kernel that applies its parts in order and then back again, the last one
// only once: k, l, k for the parts k and l. It is reversible if its parts are.
func Palindrome(k ...chains.Kernel) chains.Kernel {
	order := inOrder(len(k))
	for i := len(k) - 2; i >= 0; i-- {
		order = append(order, i)
	}
	return sequence(Sequence{Parts: k, Times: 1, order: order, name: "palindrome:" + names(k)})
}

func palindromeForm() kernelForm {
	return kernelForm{
		Syntax:     "palindrome:K1+K2...",
		Doc:        "the kernels one after another, forward and back: K1, K2, K1",
		Example:    "palindrome:metropolis+barker",
		Missing:    "two kernels or more",
		Reversible: true,
		Parse: func(args selector.Args, on Env) (chains.Kernel, error) {
			parts, err := parseParts(args, on)
			if err != nil {
				return nil, err
			}
			return Palindrome(parts...), nil
		},
	}
}

// maxRepeat bounds how often a kernel is repeated in one move.
const maxRepeat = 10_000

// Repeat returns the kernel that applies k n times; n is at least 1.
func Repeat(n int, k chains.Kernel) chains.Kernel {
	return sequence(Sequence{
		Parts: []chains.Kernel{k},
		Times: n,
		order: []int{0},
		name:  fmt.Sprintf("repeat:%d:%v", n, k),
	})
}

func repeatForm() kernelForm {
	return kernelForm{
		Syntax:     "repeat:N[:KERNEL]",
		Doc:        "KERNEL (metropolis) N times",
		Example:    "repeat:3:barker",
		Missing:    "the number of repeats",
		Reversible: true,
		Parse:      parseRepeat,
	}
}

func parseRepeat(args selector.Args, on Env) (chains.Kernel, error) {
	times, inner := args.Cut()
	n, err := selector.ParseWhole(times, 1, maxRepeat)
	if err != nil {
		return nil, args.Wrap(err)
	}
	if strings.Contains(inner, "repeat:") {
		return nil, args.Errorf("a repeat of a repeat; multiply the numbers")
	}
	k, err := on.inner(inner)
	if err != nil {
		return nil, args.Wrap(err)
	}
	return Repeat(n, k), nil
}
