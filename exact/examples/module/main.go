package main

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/program"
)

// hop is a kernel: it proposes any state, and accepts as Metropolis does.
type hop struct{}

func (hop) Move(c chains.Chooser, logf []float64, x int) int {
	y := c.Uniform(len(logf))
	if math.IsInf(logf[y], -1) {
		return x // f(y) is zero, and if that of x is too the difference would be NaN
	}
	if c.Flip(math.Exp(min(0, logf[y]-logf[x]))) {
		return y
	}
	return x
}

// swap is a sampler on a type of your own, the orders of three items. It exchanges two adjacent
// items.
type swap struct{}

func (swap) Move(c chains.Chooser, logf func(string) float64, x string) string {
	i := 1 + c.Uniform(2)
	y := x[:i-1] + x[i:i+1] + x[i-1:i] + x[i+1:]
	if c.Flip(math.Exp(min(0, logf(y)-logf(x)))) {
		return y
	}
	return x
}

// die is any algorithm that makes random choices: a die from a fair coin, by rejection.
func die(c chains.Chooser) int {
	for {
		if n := 4*c.Uniform(2) + 2*c.Uniform(2) + c.Uniform(2); n < 6 {
			return n + 1
		}
	}
}

func main() {
	ctx := context.Background()
	orders := []string{"abc", "acb", "bac", "bca", "cab", "cba"}
	sampler, _ := chains.Tabulate(swap{}, orders) // a kernel on the list of its states

	path, _ := paths.NewGeometric(nil, []float64{2, 0, -3, 0, 1, 1}) // from uniform to log f of six states
	for _, k := range []chains.Kernel{hop{}, sampler} {
		a, _ := chains.NewAnnealing(path, schedules.Linear{}, k, 20)
		s, err := exact.Solve(ctx, a, exact.Options{})
		fmt.Printf("J = %.6f, B = %.6f nats, %v\n", s.J, s.B, err)
	}

	law, err := program.Enumerate(ctx, die, program.Options{Cut: 1e-9})
	fmt.Printf("P(6) = %.9f, given up: %.1g, %v\n", law.P(6), law.Remainder(), err)
}
