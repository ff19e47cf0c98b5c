package certified_test

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/certified"
	"breadboard/grid"
)

func Example_certified() {
	line, _ := grid.New(5)
	path, _ := paths.NewGeometric(nil, []float64{2, 0, -3, 0, 1})
	a, _ := chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: line}, 20)
	s, _ := certified.Solve(context.Background(), a, certified.Bits, func(int) {})
	double, _ := exact.Solve(context.Background(), a, exact.Options{})
	fmt.Printf("J = %s\n", s.J.Number.Text('g', 50))
	fmt.Println("error below 1e-70:", s.J.Error < 1e-70)
	fmt.Println("the float64 J has 14 digits right:", s.J.Digits(double.J) > 14)
	// Output:
	// J = 0.12028939638680607055460325067776292740883497852004
	// error below 1e-70: true
	// the float64 J has 14 digits right: true
}
