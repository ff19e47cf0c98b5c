package chains_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/kernel"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// swaps is Metropolis on orders of four items, written on the order itself: it proposes to exchange
// two adjacent ones.
type swaps struct{}

func (swaps) Move(c chains.Chooser, logf func([4]int) float64, x [4]int) [4]int {
	y := x
	place := c.Uniform(3)
	y[place], y[place+1] = y[place+1], y[place]
	if c.Flip(math.Exp(min(0, logf(y)-logf(x)))) {
		return y
	}
	return x
}

func (swaps) String() string { return "swaps" }

// leaver goes from 2 to a state that is not listed, or asks for its density.
type leaver struct{ ask bool }

func (m leaver) Move(_ chains.Chooser, logf func(int) float64, x int) int {
	if x != 2 {
		return x
	}
	if m.ask {
		logf(7)
	}
	return 7
}

func TestTabulateRefuses(t *testing.T) {
	for _, c := range []struct {
		states []int
		want   string
	}{{nil, "empty"}, {[]int{1, 2, 1}, "state 1 is on the list twice, as states 0 and 2"}} {
		longtest.Refuses(chains.Tabulate(leaver{}, c.states))(t, c.want)
	}
	longtest.Refuses(chains.Tabulate(nothing{}, []float64{1, math.NaN()}))(t, "does not equal itself")
	list := []float64{1, 2}
	k := longtest.Sure(chains.Tabulate(nothing{}, list))
	list[1] = 5
	if k.Label(1) != "2" {
		t.Errorf("state 1 is %s after the caller has changed the list", k.Label(1))
	}
	longtest.Refuses(chains.Tabulate(still{}, []any{1, []int{2}}))(t,
		"state 1 of the list is [2], a []int, which cannot be compared")
	for ask, want := range map[bool]string{false: "from 2 the mover moves to 7, which is not on the list",
		true: "from 2 the mover asks for the density of 7"} {
		k := longtest.Sure(chains.Tabulate(leaver{ask}, []int{1, 2}))
		_, err := kernel.NewRows(context.Background(), k, []float64{0, 0})
		if _, fault := errors.AsType[chains.Fault](err); !fault || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want a fault with %q", err, want)
		}
	}
}

// still moves nothing, on states of any type.
type still struct{}

func (still) Move(_ chains.Chooser, _ func(any) float64, x any) any { return x }

type nothing struct{}

func (nothing) Move(_ chains.Chooser, _ func(float64) float64, x float64) float64 { return x }

// A sampler of orders, written on arrays, gets its exact distribution: the distance from the target
// that annealing with it leaves, and the bound on it.
func ExampleTabulate() {
	g, _ := grid.NewPermutations(4)
	var orders [][4]int
	target := make([]float64, g.States()) // log f of each order: how many items are in their places
	for x := range target {
		orders = append(orders, [4]int(g.Order(x)))
		for place, item := range orders[x] {
			if item == place {
				target[x]++
			}
		}
	}
	sampler, err := chains.Tabulate(swaps{}, orders)
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := kernel.Diagnose(context.Background(), sampler, target)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v leaves the target invariant to %.0e; spectral gap %.4f\n", sampler,
		max(d.Invariance, 1e-15), d.SpectralGap)
	path, _ := paths.NewGeometric(nil, target)
	a, _ := chains.NewAnnealing(path, schedules.Linear{}, sampler, 10)
	s, err := exact.Solve(context.Background(), a, exact.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("J = %.6f, B = %.6f\n", s.J, s.B)
	// Output:
	// swaps leaves the target invariant to 1e-15; spectral gap 0.0468
	// J = 0.358578, B = 0.753568
}
