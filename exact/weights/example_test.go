package weights_test

import (
	"context"
	"fmt"
	"math"

	"breadboard/exact"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/weights"
)

// The whole distribution of the log weight: how often does the estimate of a single pair of chains
// fall below J, though its expectation is B >= J?
func ExampleLawsOf() {
	a := exacttest.TwoModes()
	s, _ := exact.Solve(context.Background(), a, exact.Options{})
	w, _ := weights.LawsOf(context.Background(), a, weights.Options{})
	fmt.Printf("J = %.4f, B = %.4f, P(B-hat < J) = %.4f by %s\n", s.J, s.B, w.DifferenceBelow(s.J).Value, w.Method)
	fmt.Printf("median of log w: %.4f forward, %.4f reverse\n", w.Forward.Quantile(0.5).Value,
		w.Reverse.Quantile(0.5).Value)
	fmt.Printf("P(log w > log R + 1) = %.6f < %.4f\n", w.Forward.Above(w.LogZRatio+1).Value, math.Exp(-1))
	// Output:
	// J = 0.1203, B = 0.2755, P(B-hat < J) = 0.4207 by lattice
	// median of log w: 0.6842 forward, 1.0526 reverse
	// P(log w > log R + 1) = 0.012570 < 0.3679
}

func ExampleMultiSampleBounds() {
	bounds, _ := weights.MultiSampleBounds(
		context.Background(),
		exacttest.TwoModes(),
		[]int{1, 10, 100},
		weights.SampleOptions{},
	)
	for _, b := range bounds {
		fmt.Printf("K = %3d: %.5f <= log Z_T/Z_1 <= %.5f, mixed %.5f\n", b.K, b.Forward, b.Reverse, b.Mixed)
	}
	// Output:
	// K =   1: 0.75157 <= log Z_T/Z_1 <= 1.02702, mixed 1.02702
	// K =  10: 0.87304 <= log Z_T/Z_1 <= 0.90347, mixed 0.90382
	// K = 100: 0.88693 <= log Z_T/Z_1 <= 0.88998, mixed 0.89002
}
