package smc_test

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/particle"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/smc"
	"breadboard/grid"
)

// Two particles on three states in a line: the identities of their meta-inference, and AIDE with
// exact draws as the gold standard.
func ExampleEnumerateSMC() {
	space, _ := grid.New(3)
	path, _ := paths.NewGeometric(nil, []float64{0, 1, -0.7})
	a, _ := chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: space}, 3)
	ctx := context.Background()
	j, _ := smc.EnumerateSMC(ctx, a, smc.Setting{Particles: 2, Scheme: particle.Multinomial{}, Threshold: 1},
		smc.EnumerateOptions{})
	for _, f := range j.Violations()[:3] {
		fmt.Printf("%s: %t\n", f.Says, f.Value < 1e-12)
	}
	list, _ := smc.AIDE(ctx, j, smc.NewExact(3), j.Target(), []int{1, 10, 100}, []int{1})
	for _, e := range list {
		fmt.Printf("M = %3d: J %.6f, AIDE %.6f with a standard deviation of %.4f\n", e.Meta, e.J, e.Mean, e.SD())
	}
	// Output:
	// the mean of xi in meta-inference is Z q(x): true
	// xi is Z q(u, x)/r(u; x) on every trace: true
	// xi of a run has the distribution of xi in meta-inference, size-biased: true
	// M =   1: J 0.003347, AIDE 0.120517 with a standard deviation of 0.4914
	// M =  10: J 0.003347, AIDE 0.016468 with a standard deviation of 0.1816
	// M = 100: J 0.003347, AIDE 0.004677 with a standard deviation of 0.0968
}

// biased draws a coin at random and throws it: its trace is the coin, its output 1 for heads.
type biased struct {
	heads []float64 // the probability of heads of each coin
	wrong bool      // meta-inference takes every output for heads
}

func (b biased) Outputs() int { return 2 }

// likelihood returns P(x | coin).
func (b biased) likelihood(coin, x int) float64 {
	if x == 1 {
		return b.heads[coin]
	}
	return 1 - b.heads[coin]
}

func (b biased) result(coin, x, taken int) particle.Result {
	return particle.Result{
		Output: x,
		Trace:  particle.Trace(fmt.Sprint(coin)),
		LogXi:  math.Log(b.likelihood(coin, taken)),
	}
}

func (b biased) Run(c chains.Chooser) particle.Result {
	coin := c.Uniform(len(b.heads))
	x := 0
	if c.Flip(b.heads[coin]) {
		x = 1
	}
	return b.result(coin, x, x)
}

// Meta draws a coin at random, so that q(u, x)/r(u; x) is the probability of x with this coin.
func (b biased) Meta(c chains.Chooser, x int) particle.Result {
	coin := c.Uniform(len(b.heads))
	if b.wrong {
		return b.result(coin, x, 1)
	}
	return b.result(coin, x, x)
}

// An algorithm of your own, first right, then with a bug: each finding says how far an identity is
// from holding, and for which output. The target is uniform on the two outputs, and here Z = 1.
func ExampleEnumerate() {
	logTarget := []float64{math.Log(0.5), math.Log(0.5)}
	for _, wrong := range []bool{false, true} {
		j, _ := smc.Enumerate(
			context.Background(),
			biased{[]float64{0.2, 0.5, 0.9}, wrong},
			logTarget,
			smc.EnumerateOptions{},
		)
		right := true
		for _, f := range j.Violations() {
			if f.Name == "mean_xi" || f.Name == "xi_of_traces" {
				right = right && f.Value < 1e-12
				if f.Value >= 1e-12 {
					fmt.Printf("%s does not hold at output %d\n", f.Name, f.Output)
				}
			}
		}
		fmt.Println("right:", right)
	}
	// Output:
	// right: true
	// mean_xi does not hold at output 0
	// xi_of_traces does not hold at output 0
	// right: false
}
