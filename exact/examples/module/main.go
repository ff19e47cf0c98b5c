// Command mine is a module of its own that uses the packages of breadboard: it prints the exact J
// and B of annealing to a target and by a kernel that are defined here. Copy this folder anywhere.
// There
//
//	rm -f go.work && go work init . PATH_OF_THE_CLONE && go run .
//
// runs it, and so do
//
//	go mod edit -require=breadboard@v0.0.0 -replace=breadboard=PATH_OF_THE_CLONE && go mod tidy
//	GOWORK=off go run .
package main

import (
	"context"
	"fmt"
	"math"
	"os"

	"breadboard/chains"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
)

// twoSteps is a kernel on a ring: it proposes one of the states up to two steps away, and accepts
// as Barker does.
type twoSteps struct{}

func (twoSteps) Move(c chains.Chooser, logf []float64, x int) int {
	n := len(logf)
	step := []int{-2, -1, 1, 2}[c.Uniform(4)]
	y := (x + step + n) % n
	if math.IsInf(logf[y], -1) {
		return x // f(y) is zero; if f(x) is too the difference would be NaN
	}
	if c.Flip(barker(logf[y] - logf[x])) {
		return y
	}
	return x
}

func run(ctx context.Context) error {
	target := []float64{0, 1, 3, 1, 0, -2, 0, 2} // log f of eight states, up to a constant
	path, err := paths.NewGeometric(nil, target) // from the uniform distribution
	if err != nil {
		return err
	}
	for _, T := range []int{10, 100, 1000} {
		a, err := chains.NewAnnealing(path, schedules.Linear{}, twoSteps{}, T)
		if err != nil {
			return err
		}
		s, err := exact.Solve(ctx, a, exact.Options{})
		if err != nil {
			return err
		}
		fmt.Printf("T = %4d: J = %.6f, B = %.6f nats\n", T, s.J, s.B)
	}
	return nil
}

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
