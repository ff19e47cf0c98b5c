package chains

import (
	"breadboard/chains/selector"
)

// heatBathForm is how the mixture of HeatBathAxis over all axes is selected.
func heatBathForm() kernelForm {
	return kernelForm{
		Syntax: "heatbath", Doc: "one coordinate, chosen at random, drawn given the others", Example: "heatbath", Reversible: true,
		Parse: func(_ selector.Args, on KernelEnv) (Kernel, error) {
			return anyAxis("heatbath", on.Space, func(axis int) Kernel { return HeatBathAxis{on.Space, axis} }), nil
		},
	}
}
