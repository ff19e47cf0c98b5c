package exact_test

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/internal/exacttest"
	"breadboard/grid"
)

func ExampleSolve() {
	s, _ := exact.Solve(context.Background(), exacttest.TwoModes(), exact.Options{})
	fmt.Printf("J = %.6f, B = %.6f nats\n", s.J, s.B)
	fmt.Printf("%.4f <= log Z_T/Z_1 = %.4f <= %.4f\n", s.MeanLogWForward, s.LogZRatio, s.MeanLogWReverse)
	fmt.Printf("output %.3f, target %.3f\n", s.Output, s.Target)
	// Output:
	// J = 0.120289, B = 0.275455 nats
	// 0.7516 <= log Z_T/Z_1 = 0.8885 <= 1.0270
	// output [0.453 0.069 0.005 0.129 0.343], target [0.608 0.082 0.004 0.082 0.224]
}

// Reverse chains that start from the uniform distribution, moved towards the target a number of
// times.
func ExampleSubjective() {
	s, _ := exact.NewSubjective(context.Background(), exacttest.TwoModes(), nil)
	points, boundFrom, err := s.From(context.Background(), []float64{0.2, 0.2, 0.2, 0.2, 0.2}, []int{0, 10, 100})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range points {
		fmt.Printf("S = %3d: %.6f, KL %.6f\n", p.Moves, p.Value, p.KL)
	}
	fmt.Printf("J = %.6f, B = %.6f; a bound from S = %d on\n", s.Solution.J, s.Solution.B, boundFrom)
	// Output:
	// S =   0: 0.085927, KL 0.888478
	// S =  10: 0.131649, KL 0.075014
	// S = 100: 0.181129, KL 0.032951
	// J = 0.120289, B = 0.275455; a bound from S = 3 on
}

func ExampleCheck() {
	a := exacttest.TwoModes()
	s, _ := exact.Solve(context.Background(), a, exact.Options{})
	ids, _ := exact.Check(context.Background(), a, s, nil)
	for _, i := range ids {
		fmt.Println(i.OK, i.Name)
	}
	// Output:
	// true log E_fwd[w] = log(Z_T/Z_1)
	// true -log E_rev[1/w] = log(Z_T/Z_1)
	// true E_fwd[log w], pushed
	// true E_rev[log w], pushed
	// true B = E_rev[log w] - E_fwd[log w], pushed
	// true B by Eq. 23
	// true J by definition
	// true J <= B
	// true total mass, forward
	// true total mass, reverse
}

// Workers share one solve on a lattice of many states, and change no bit of the answer.
func ExampleOptions() {
	plane := grid.MustNew(128, 128)
	path, _ := paths.NewGeometric(nil, patternLogF(plane.States()))
	a, _ := chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: plane}, 20)
	one, _ := exact.Solve(context.Background(), a, exact.Options{})
	two, _ := exact.Solve(context.Background(), a, exact.Options{Workers: 2})
	fmt.Printf("J = %.9f by the %s\n", two.J, two.Method)
	fmt.Println("the same to the last bit:", one.J == two.J && one.B == two.B)
	// Output:
	// J = 0.013948184 by the stencil
	// the same to the last bit: true
}

// patternLogF returns log f of n states, in nats: a fixed pattern between -2 and 2 without any
// smoothness, on which programs are timed.
func patternLogF(n int) []float64 {
	g := make([]float64, n)
	for x := range g {
		g[x] = 2 * math.Sin(1+12.9898*float64(x))
	}
	return g
}
