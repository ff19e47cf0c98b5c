package kernels

import (
	"fmt"

	"breadboard/chains"
	"breadboard/chains/selector"
)

// Lazy returns the kernel that stays where it is with probability p, and else moves as k does; 0 <= p < 1.
func Lazy(p float64, k chains.Kernel) chains.Kernel {
	if p == 0 {
		return k
	}
	return mix(fmt.Sprintf("lazy:%v:%v", p, k), []float64{p, 1 - p}, []chains.Kernel{Stay{}, k})
}

// lazyForm is how Lazy is selected.
func lazyForm() kernelForm {
	return kernelForm{
		Syntax: "lazy:P[:KERNEL]", Doc: "stays with probability P, else moves as KERNEL (metropolis)", Example: "lazy:0.5:barker", Missing: "the probability to stay", Reversible: true,
		Parse: parseLazy,
	}
}

func parseLazy(args selector.Args, on Env) (chains.Kernel, error) {
	p, inner := args.Cut()
	stay, err := selector.ParseProbability(p)
	if err != nil {
		return nil, args.Wrap(err)
	}
	if stay == 1 {
		return nil, args.Errorf("it would never move")
	}
	k, err := on.inner(inner)
	if err != nil {
		return nil, args.Wrap(err)
	}
	return Lazy(stay, k), nil
}
