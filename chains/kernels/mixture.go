package kernels

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"breadboard/chains"
	"breadboard/chains/selector"
)

// Mixture returns the kernel that applies part i with probability weights[i]; the weights are positive and are divided by their sum.
func Mixture(weights []float64, parts []chains.Kernel) (chains.Kernel, error) {
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

// mixtureForm is how Mixture is selected.
func mixtureForm() kernelForm {
	return kernelForm{
		Syntax: "mixture:W1*K1+W2*K2...", Doc: "one of the kernels, drawn with the weights", Example: "mixture:1*metropolis+2*barker", Missing: "weights and kernels", Reversible: true,
		Parse: parseMixture,
	}
}

func parseMixture(args selector.Args, on Env) (chains.Kernel, error) {
	var weights []float64
	parts, err := parseTerms(args.Text, on, func(term string) (kernel string, err error) {
		weight, kernel, found := strings.Cut(term, "*")
		w, err := selector.ParseNumber(weight)
		if !found || err != nil || !(w > 0) {
			return "", fmt.Errorf("%q has no weight; write a positive one in front, as in 0.5*metropolis", term)
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
