package kernel_test

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/exact/kernel"
	kernelcheck "breadboard/experiments/checks/kernel"
	"breadboard/grid"
	"breadboard/toys"
)

// adapting is Metropolis on positions 0..6 that proposes jumps of a scale which it adapts. Its
// state is a position and a scale, so that it is a Markov chain: on a 7x3 grid, row x and column k
// are position x and scale k + 1.
type adapting struct {
	space *grid.Lattice
	// naive lengthens the jumps after one is accepted and shortens them after one is rejected.
	// Otherwise the scale is drawn anew, whatever happened to the jump.
	naive bool
}

func (a adapting) Move(c chains.Chooser, logf []float64, state int) int {
	x := a.space.Coord(state, 0)
	k := a.space.Coord(state, 1)
	scales := a.space.Side(1)
	to := x + (k+1)*(2*c.Uniform(2)-1)
	accepted := to >= 0 && to < a.space.Side(0) && c.Flip(math.Exp(min(0, logf[to*scales+k]-logf[state])))
	if accepted {
		x = to
	}
	switch {
	case !a.naive:
		k = c.Uniform(scales)
	case accepted:
		k = min(k+1, scales-1)
	default:
		k = max(k-1, 0)
	}
	return x*scales + k
}

// onScales returns a target on positions as one on positions and scales, if every scale is as
// likely as the others, whatever the position.
func onScales(g []float64, scales int) *toys.Toy {
	toy := &toys.Toy{Name: "positions and scales", Space: grid.MustNew(len(g), scales)}
	for _, v := range g {
		for range scales {
			toy.G = append(toy.G, v)
		}
	}
	return toy
}

// positions returns the distribution of the position after many moves, and that of the target.
func positions(k chains.Kernel, toy *toys.Toy) (law, target []float64, err error) {
	rows, err := kernel.NewRows(context.Background(), k, toy.G)
	if err != nil {
		return nil, nil, err
	}
	n := len(toy.G)
	scales := toy.Lattice().Side(1)
	now := make([]float64, n)
	now[0] = 1
	for range 2000 {
		next := make([]float64, n)
		for s := range n {
			for _, e := range rows.Row(s) {
				next[e.To] += now[s] * e.P
			}
		}
		now = next
	}
	law = make([]float64, n/scales)
	target = make([]float64, n/scales)
	total := 0.0
	for s, p := range now {
		law[s/scales] += p
		total += math.Exp(toy.G[s])
	}
	for s := range now {
		target[s/scales] += math.Exp(toy.G[s]) / total
	}
	return law, target, nil
}

// A kernel that adapts is a Markov chain once its parameter is part of the state. Metropolis that
// lengthens its jumps where they are accepted and shortens them if they are not is wrong: how
// soon it leaves a position then depends on how it came there, and the distribution of the position
// is no longer the target, whatever one takes the distribution of the scale to be. The scale may
// change in any way that leaves the joint distribution of position and scale invariant: drawn anew,
// for one.
func Example_kernelRowExamineadapting() {
	toy := onScales([]float64{0, -1, -3, 0, 1, -1, 0.5}, 3)
	for _, naive := range []bool{true, false} {
		k := adapting{toy.Lattice(), naive}
		check := kernelcheck.Row{Kernel: "adapting", Toy: toy, Betas: []float64{1}}
		if err := check.Examine(context.Background(), k, 5); err != nil {
			fmt.Println(err)
			return
		}
		law, target, err := positions(k, toy)
		if err != nil {
			fmt.Println(err)
			return
		}
		kl := 0.0
		for x := range law {
			kl += law[x] * math.Log(law[x]/target[x])
		}
		fmt.Printf("naive %v: wrong %v, KL(distribution of the position || target) = %.6f nats\n", naive,
			check.Wrong(), math.Abs(math.Round(kl*1e12)/1e12))
		for x := range law {
			fmt.Printf(" %.4f", law[x])
		}
		fmt.Println()
	}
	// Output:
	// naive true: wrong true, KL(distribution of the position || target) = 0.096401 nats
	//  0.2513 0.0747 0.0054 0.1218 0.2052 0.0580 0.2838
	// naive false: wrong false, KL(distribution of the position || target) = 0.000000 nats
	//  0.1398 0.0514 0.0070 0.1398 0.3800 0.0514 0.2305
}
