package chains

import (
	"breadboard/chains/selector"
)

// heatBathScanForm is how HeatBathAxis over all axes, one after another, is selected.
func heatBathScanForm() kernelForm {
	return kernelForm{
		Syntax: "heatbath-scan", Doc: "every coordinate in turn drawn given the others", Example: "heatbath-scan",
		Parse: func(_ selector.Args, on KernelEnv) (Kernel, error) {
			parts := axes(on.Space, func(axis int) Kernel { return HeatBathAxis{on.Space, axis} })
			return sequence(Sequence{Parts: parts, Times: 1, order: inOrder(len(parts)), name: "heatbath-scan"}), nil
		},
	}
}
