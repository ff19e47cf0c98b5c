package kernels

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

// Mix applies one of its parts, drawn with the given weights. It leaves a distribution invariant if
// all parts do, and is reversible if they are.
//
//	T = sum over i of w_i T_i, and its time reversal is the sum over i of w_i R_i.
//
// A row takes the time of the rows of all parts.
type Mix struct {
	Parts   []chains.Kernel
	Weights []float64 // probabilities
	name    string
}

// mix returns a Mix. The result has AppendRow if all parts have rows in closed form, and Reversal
// if a part is not reversible and states its time reversal.
func mix(name string, p []float64, parts []chains.Kernel) chains.Kernel {
	m := Mix{parts, p, name}
	reversible := true
	for _, k := range parts {
		_, r := k.(chains.Reverser)
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
func (m Mix) Move(c chains.Chooser, logf []float64, x int) int {
	return m.Parts[c.Choose(m.Weights)].Move(c, logf, x)
}

// String returns the selector.
func (m Mix) String() string { return m.name }

// MadeOf returns the parts of the kernel.
func (m Mix) MadeOf() chains.Parts { return chains.Parts{Kernels: m.Parts, Weights: m.Weights} }

// Reversed returns the mixture of the reversals.
func (m Mix) Reversed() chains.Kernel {
	parts := make([]chains.Kernel, len(m.Parts))
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
func (m mixRows) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	for i, k := range m.Parts {
		first := len(dst)
		dst = k.(chains.Rower).AppendRow(dst, logf, x)
		for j := first; j < len(dst); j++ {
			dst[j].P *= m.Weights[i]
		}
	}
	return dst
}

// Reversal returns the mixture of the reversals.
func (m mixReverser) Reversal() chains.Kernel { return m.Reversed() }

// Reversal returns the mixture of the reversals.
func (m mixRowsReverser) Reversal() chains.Kernel { return m.Reversed() }

// Mixture returns the kernel that applies part i with probability weights[i]; the weights are
// positive and are divided by their sum.
func Mixture(weights []float64, parts []chains.Kernel) (chains.Kernel, error) {
	if len(weights) != len(parts) || len(parts) == 0 {
		return nil, fmt.Errorf("a mixture of %d kernels with %d weights", len(parts), len(weights))
	}
	total := 0.0
	terms := make([]string, len(parts))
	for i, w := range weights {
		if !(w > 0) {
			return nil, errs.New("weight %v in a mixture; weights are positive", w)
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

func mixtureForm() kernelForm {
	return kernelForm{
		Syntax:     "mixture:W1*K1+W2*K2...",
		Doc:        "one of the kernels, drawn with probabilities proportional to the weights",
		Example:    "mixture:1*metropolis+2*barker",
		Missing:    "weights and kernels",
		Reversible: true,
		Parse:      parseMixture,
	}
}

func parseMixture(args selector.Args, on Env) (chains.Kernel, error) {
	var weights []float64
	parts, err := parseTerms(args.Text, on, func(term string) (kernel string, err error) {
		weight, kernel, found := strings.Cut(term, "*")
		w, err := selector.ParseNumber(weight)
		if !found || err != nil || !(w > 0) {
			return "", errs.New("%q has no weight; write a positive one in front, as in 0.5*metropolis", term)
		}
		weights = append(weights, w)
		return kernel, nil
	})
	if err != nil {
		return nil, args.Wrap(err)
	}
	k, err := Mixture(weights, parts)
	return k, args.Wrap(err)
}

// Lazy returns the kernel that stays with probability p, and else moves like k; 0 <= p < 1.
func Lazy(p float64, k chains.Kernel) chains.Kernel {
	if p == 0 {
		return k
	}
	return mix(fmt.Sprintf("lazy:%v:%v", p, k), []float64{p, 1 - p}, []chains.Kernel{Stay{}, k})
}

func lazyForm() kernelForm {
	return kernelForm{
		Syntax:     "lazy:P[:KERNEL]",
		Doc:        "stays with probability P, else moves as KERNEL (metropolis)",
		Example:    "lazy:0.5:barker",
		Missing:    "the probability to stay",
		Reversible: true,
		Parse:      parseLazy,
	}
}

func parseLazy(args selector.Args, on Env) (chains.Kernel, error) {
	p, inner := args.Cut()
	stay, err := selector.ParseProbability(p)
	if err != nil {
		return nil, args.Wrap(err)
	}
	if stay == 1 {
		return nil, args.Errorf("it would never move; write a probability below 1, or stay")
	}
	k, err := on.inner(inner)
	if err != nil {
		return nil, args.Wrap(err)
	}
	return Lazy(stay, k), nil
}
