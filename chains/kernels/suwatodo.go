package kernels

import (
	"breadboard/chains"
	"breadboard/chains/selector"
)

// suwaTodoForm is how the mixture of SuwaTodoAxis over all axes is selected.
func suwaTodoForm() kernelForm {
	return kernelForm{
		Syntax: "suwa-todo", Doc: "one coordinate, chosen at random, moved with the fewest rejections; needs a grid", Example: "suwa-todo",
		Parse: func(args selector.Args, on Env) (chains.Kernel, error) {
			space, err := on.lattice("moves along an axis")
			if err != nil {
				return nil, args.Wrap(err)
			}
			return anyAxis("suwa-todo", space, func(axis int) chains.Kernel { return SuwaTodoAxis{space, axis, false} }), nil
		},
	}
}
