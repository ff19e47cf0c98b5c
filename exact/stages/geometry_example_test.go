package stages_test

import (
	"context"
	"fmt"

	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/exact/stages"
	"breadboard/grid"
)

// What a step along a path costs where mixing is perfect (Fisher information), and with a kernel that mixes slowly (friction).
func ExampleFriction() {
	path, _ := paths.NewGeometric(nil, []float64{2, 0, -3, 0, 1})
	line, _ := grid.New(5)
	for _, beta := range []float64{0, 0.5, 1} {
		f, err := stages.Friction(context.Background(), path, kernels.Metropolis{Space: line}, beta)
		fmt.Printf("beta %.1f: Fisher information %.4f, friction %.4f, %v\n", beta, stages.FisherInformation(path, beta), f, err)
	}
	// Output:
	// beta 0.0: Fisher information 2.8000, friction 5.2000, <nil>
	// beta 0.5: Fisher information 1.2570, friction 14.7988, <nil>
	// beta 1.0: Fisher information 0.6556, friction 102.0271, <nil>
}
