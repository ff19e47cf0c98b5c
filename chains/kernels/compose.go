package kernels

import (
	"breadboard/chains"
	"breadboard/chains/selector"
)

// Compose returns the kernel that applies k, then l and so on.
func Compose(k ...chains.Kernel) chains.Kernel {
	return sequence(Sequence{Parts: k, Times: 1, order: inOrder(len(k)), name: "compose:" + names(k)})
}

// composeForm is how Compose is selected.
func composeForm() kernelForm {
	return kernelForm{
		Syntax: "compose:K1+K2...", Doc: "one kernel after another", Example: "compose:metropolis+barker", Missing: "two kernels or more",
		Parse: func(args selector.Args, on Env) (chains.Kernel, error) {
			parts, err := parseParts(args, on)
			if err != nil {
				return nil, err
			}
			return Compose(parts...), nil
		},
	}
}
