package chains

import (
	"breadboard/chains/selector"
)

// suwaTodoForm is how the mixture of SuwaTodoAxis over all axes is selected.
func suwaTodoForm() kernelForm {
	return kernelForm{
		Syntax: "suwa-todo", Doc: "one coordinate, chosen at random, moved with the fewest rejections", Example: "suwa-todo",
		Parse: func(_ selector.Args, on KernelEnv) (Kernel, error) {
			return anyAxis("suwa-todo", on.Space, func(axis int) Kernel { return SuwaTodoAxis{on.Space, axis, false} }), nil
		},
	}
}
