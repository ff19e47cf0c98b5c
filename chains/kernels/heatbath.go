package kernels

import (
	"breadboard/chains"
	"breadboard/chains/selector"
)

// heatBathForm is how the mixture of HeatBathAxis over all axes is selected.
func heatBathForm() kernelForm {
	return kernelForm{
		Syntax: "heatbath", Doc: "one coordinate, chosen at random, drawn given the others; needs a grid", Example: "heatbath", Others: []string{"gibbs", "gibbs-sampler", "glauber", "random-scan", "random-scan-gibbs"}, Reversible: true,
		Parse: func(args selector.Args, on Env) (chains.Kernel, error) {
			space, err := on.lattice("draws a coordinate given the others")
			if err != nil {
				return nil, args.Wrap(err)
			}
			return anyAxis("heatbath", space, func(axis int) chains.Kernel { return HeatBathAxis{space, axis} }), nil
		},
	}
}
