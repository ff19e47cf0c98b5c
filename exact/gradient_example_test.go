package exact_test

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/gradient"
	"breadboard/grid"
)

func Example_differentiate() {
	line, _ := grid.New(5)
	path, _ := paths.NewGeometric(nil, []float64{2, 0, -3, 0, 1})
	a, _ := chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: line}, 5)
	g, _ := gradient.Differentiate(context.Background(), a, gradient.ObjectiveB, gradient.Options{})
	fmt.Printf("B = %.6f, its derivative by b_2, b_3, b_4: %.4f\n", g.Value, g.ByBeta[1:4])
	// Output: B = 0.682739, its derivative by b_2, b_3, b_4: [0.0312 0.1663 0.2214]
}
