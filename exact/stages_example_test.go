package exact_test

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/stages"
	"breadboard/grid"
)

func Example_gapByStage() {
	g, _ := stages.GapByStage(context.Background(), exacttest.TwoModes(), nil)
	for _, s := range []stages.StageGap{g.Stages[0], g.Stages[9], g.Stages[18]} {
		fmt.Printf("t = %2d, beta %.3f: %.6f and %.6f\n", s.Stage, s.Beta, s.Forward, s.Reverse)
	}
	forward, reverse := g.Sums()
	fmt.Printf("J = %.6f, B = %.6f\n", g.KLQP+g.KLPQ, forward+reverse)
	// Output:
	// t =  2, beta 0.053: 0.003104 and 0.003120
	// t = 11, beta 0.526: 0.004172 and 0.004491
	// t = 20, beta 1.000: 0.002252 and 0.002418
	// J = 0.120289, B = 0.275455
}

// A chain is at the left end at t = 10: where was it at the start, and if is it at the end?
func Example_follow() {
	f, _ := stages.Follow(context.Background(), exacttest.TwoModes(), chains.Forward, 10, 0, []int{1, 10, 20})
	for _, s := range f {
		fmt.Printf("t = %2d %.3f\n", s.Stage, s.Law)
	}
	// Output:
	// t =  1 [0.311 0.271 0.199 0.128 0.090]
	// t = 10 [1.000 0.000 0.000 0.000 0.000]
	// t = 20 [0.838 0.121 0.004 0.013 0.025]
}

// What a step along a path costs where mixing is perfect (Fisher information), and with a kernel
// that mixes slowly (friction).
func Example_friction() {
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
