package kernels

import (
	"breadboard/chains"
	"breadboard/chains/selector"
)

// heatBathScanForm is how HeatBathAxis over all axes, one after another, is selected.
func heatBathScanForm() kernelForm {
	return kernelForm{
		Syntax: "heatbath-scan", Doc: "every coordinate in turn drawn given the others; needs a grid", Example: "heatbath-scan", Others: []string{"gibbs", "gibbs-sampler", "systematic-scan", "systematic-scan-gibbs"},
		Parse: func(args selector.Args, on Env) (chains.Kernel, error) {
			space, err := on.lattice("draws a coordinate given the others")
			if err != nil {
				return nil, args.Wrap(err)
			}
			parts := axes(space, func(axis int) chains.Kernel { return HeatBathAxis{space, axis} })
			return sequence(Sequence{Parts: parts, Times: 1, order: inOrder(len(parts)), name: "heatbath-scan"}), nil
		},
	}
}
