package chains

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Sequence applies kernels one after another, in an order that is gone through once or more. It leaves invariant what
// each of them does; it is not reversible unless it reads the same both ways, and so says what its time reversal is:
// the reversals in reverse order.
type Sequence struct {
	Parts []Kernel // each of them once
	Times int      // how often the order is gone through
	order []int    // of the parts, by number; a part may come again
	name  string
}

// Compose returns the kernel that applies k, then l and so on.
func Compose(k ...Kernel) Kernel {
	return sequence(Sequence{Parts: k, Times: 1, order: inOrder(len(k)), name: "compose:" + names(k)})
}

// Palindrome returns the kernel that applies its parts forth and back, the last one once: k, l, k. It is
// reversible where its parts are.
func Palindrome(k ...Kernel) Kernel {
	order := inOrder(len(k))
	for i := len(k) - 2; i >= 0; i-- {
		order = append(order, i)
	}
	return sequence(Sequence{Parts: k, Times: 1, order: order, name: "palindrome:" + names(k)})
}

// Repeat returns the kernel that applies k n times; n is at least 1.
func Repeat(n int, k Kernel) Kernel {
	return sequence(Sequence{Parts: []Kernel{k}, Times: n, order: []int{0}, name: fmt.Sprintf("repeat:%d:%v", n, k)})
}

// inOrder returns 0..n-1.
func inOrder(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// sequence returns a Sequence, with rows in closed form where all parts have them.
func sequence(s Sequence) Kernel {
	if allRowers(s.Parts) {
		return sequenceRows{s}
	}
	return s
}

func allRowers(parts []Kernel) bool {
	for _, k := range parts {
		if _, ok := k.(Rower); !ok {
			return false
		}
	}
	return true
}

func names(k []Kernel) string {
	list := make([]string, len(k))
	for i := range k {
		list[i] = fmt.Sprint(k[i])
	}
	return strings.Join(list, "+")
}

// Move applies every part.
func (s Sequence) Move(c Chooser, logf []float64, x int) int {
	for range s.Times {
		for _, part := range s.order {
			x = s.Parts[part].Move(c, logf, x)
		}
	}
	return x
}

// Reversal returns the sequence of reversals in reverse order.
func (s Sequence) Reversal() Kernel {
	r := Sequence{Parts: make([]Kernel, len(s.Parts)), Times: s.Times, order: slices.Clone(s.order), name: s.name + " reversed"}
	for i, k := range s.Parts {
		r.Parts[i] = reversal(k)
	}
	slices.Reverse(r.order)
	return sequence(r)
}

// reversal returns the time reversal of a kernel: itself where it is reversible.
func reversal(k Kernel) Kernel {
	if r, ok := k.(Reverser); ok {
		return r.Reversal()
	}
	return k
}

// String returns the selector.
func (s Sequence) String() string { return s.name }

// sequenceRows is a Sequence of kernels with rows in closed form.
type sequenceRows struct{ Sequence }

// AppendRow takes the row through the rows of the parts, of which it makes those that it meets. Who wants many rows
// has them from PreparedRows in less time.
func (s sequenceRows) AppendRow(dst []Entry, logf []float64, x int) []Entry {
	var rows PreparedRows
	rows.Prepare(s, logf, nil)
	dst, err := rows.AppendRow(dst, x)
	if err != nil {
		panic(err) // without a watch nothing fails
	}
	return dst
}

// Mix applies one of its parts, drawn with the given weights. It leaves invariant what each of them does, and is
// reversible where they are.
type Mix struct {
	Parts   []Kernel
	Weights []float64 // probabilities
	name    string
}

// Mixture returns the kernel that applies part i with probability weights[i]; the weights are positive and are
// divided by their sum.
func Mixture(weights []float64, parts []Kernel) (Kernel, error) {
	if len(weights) != len(parts) || len(parts) == 0 {
		return nil, fmt.Errorf("a mixture of %d kernels with %d weights", len(parts), len(weights))
	}
	total := 0.0
	terms := make([]string, len(parts))
	for i, w := range weights {
		if !(w > 0) {
			return nil, fmt.Errorf("weight %v in a mixture; weights are positive", w)
		}
		total += w
		terms[i] = fmt.Sprintf("%v*%v", w, parts[i])
	}
	if math.IsInf(total, 1) {
		return nil, errors.New("the weights of a mixture add up to more than floating point holds")
	}
	p := make([]float64, len(weights))
	for i, w := range weights {
		p[i] = w / total
	}
	return mix("mixture:"+strings.Join(terms, "+"), p, parts), nil
}

// mix returns a Mix, with the methods that its parts allow.
func mix(name string, p []float64, parts []Kernel) Kernel {
	m := Mix{parts, p, name}
	reversible := true
	for _, k := range parts {
		_, r := k.(Reverser)
		reversible = reversible && !r
	}
	switch rows := allRowers(parts); {
	case rows && reversible:
		return mixRows{m}
	case rows:
		return mixRowsReverser{mixRows{m}}
	case reversible:
		return m
	}
	return mixReverser{m}
}

// Move draws a part and applies it.
func (m Mix) Move(c Chooser, logf []float64, x int) int {
	return m.Parts[c.Choose(m.Weights)].Move(c, logf, x)
}

// String returns the selector.
func (m Mix) String() string { return m.name }

func (m Mix) reversed() Kernel {
	parts := make([]Kernel, len(m.Parts))
	for i, k := range m.Parts {
		parts[i] = reversal(k)
	}
	return mix(m.name+" reversed", m.Weights, parts)
}

type (
	mixRows         struct{ Mix }
	mixReverser     struct{ Mix }
	mixRowsReverser struct{ mixRows }
)

// AppendRow adds up the rows of the parts.
func (m mixRows) AppendRow(dst []Entry, logf []float64, x int) []Entry {
	for i, k := range m.Parts {
		first := len(dst)
		dst = k.(Rower).AppendRow(dst, logf, x)
		for j := first; j < len(dst); j++ {
			dst[j].P *= m.Weights[i]
		}
	}
	return dst
}

// Reversal returns the mixture of the reversals.
func (m mixReverser) Reversal() Kernel { return m.reversed() }

// Reversal returns the mixture of the reversals.
func (m mixRowsReverser) Reversal() Kernel { return m.reversed() }

// Lazy returns the kernel that stays where it is with probability p, and else moves as k does; 0 <= p < 1.
func Lazy(p float64, k Kernel) Kernel {
	if p == 0 {
		return k
	}
	return mix(fmt.Sprintf("lazy:%v:%v", p, k), []float64{p, 1 - p}, []Kernel{Stay{}, k})
}

// Stay is the kernel that never moves.
type Stay struct{}

// Move returns x.
func (Stay) Move(_ Chooser, _ []float64, x int) int { return x }

// AppendRow appends the one entry.
func (Stay) AppendRow(dst []Entry, _ []float64, x int) []Entry { return append(dst, Entry{x, 1}) }

// String returns the selector "stay".
func (Stay) String() string { return "stay" }
