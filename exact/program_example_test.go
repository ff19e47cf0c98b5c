package exact_test

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/exact/program"
)

// The die of Knuth and Yao (1976) makes use of what a rejection leaves over: of 6 and 7 it is one
// fair bit. It needs 11/3 flips in the mean, the fewest that any die from a fair coin can do with.
func Example_knuthYao() {
	type roll struct{ face, flips int }
	die := func(c chains.Chooser) (r roll) {
		for n, size := 0, 1; ; { // n is uniform on 0..size-1
			n, size = 2*n, 2*size
			r.flips++
			if c.Flip(0.5) {
				n++
			}
			if size >= 6 {
				if n < 6 {
					r.face = n + 1
					return r
				}
				n, size = n-6, size-6
			}
		}
	}
	law, _ := program.Enumerate(context.Background(), die, program.Options{})
	for face := 1; face <= 6; face++ {
		fmt.Printf("%d: %.15f\n", face, law.Mean(func(r roll) float64 {
			if r.face == face {
				return 1
			}
			return 0
		}))
	}
	fmt.Printf("flips in the mean: %.13f\n", law.Mean(func(r roll) float64 { return float64(r.flips) }))
	// Output:
	// 1: 0.166666666666667
	// 2: 0.166666666666667
	// 3: 0.166666666666667
	// 4: 0.166666666666667
	// 5: 0.166666666666667
	// 6: 0.166666666666667
	// flips in the mean: 3.6666666666667
}

// coupled is two walks on a cycle of six states, until they meet. At each step both go up or both
// down, or only one of them moves: each by itself is a lazy random walk.
type coupled struct{ steps int }

// pair is where the walks are; once they have met they go on as one.
type pair struct{ x, y int }

func (w coupled) Steps() int                { return w.steps }
func (w coupled) Start(chains.Chooser) pair { return pair{0, 3} }

func (w coupled) Step(c chains.Chooser, _ int, s pair) (pair, float64) {
	if s.x == s.y {
		return s, 0
	}
	up := 5
	if c.Flip(0.5) {
		up = 1
	}
	if c.Flip(0.5) {
		s.x = (s.x + up) % 6
	} else {
		s.y = (s.y + up) % 6
	}
	return s, 1
}

// The time at which two coupled walks meet. The state is the pair of them, each step adds one until
// they have met, and Points carries the distribution of the total.
func Example_coupling() {
	r, _ := program.Propagate(context.Background(), coupled{200}, program.NewPoints(0), program.Options{})
	met, mean := 0.0, 0.0
	for x := range 6 {
		at := r.At(pair{x, x})
		for i, time := range at.Values() {
			met += at.P()[i]
			mean += time * at.P()[i]
			if x == 0 && time < 8 {
				fmt.Printf("they meet at state 0 at time %v with probability %.4f\n", time, at.P()[i])
			}
		}
	}
	fmt.Printf("they have met with probability %.9f, in the mean at time %.6f\n", met, mean)
	// Output:
	// they meet at state 0 at time 3 with probability 0.0312
	// they meet at state 0 at time 5 with probability 0.0293
	// they meet at state 0 at time 7 with probability 0.0231
	// they have met with probability 1.000000000, in the mean at time 9.000000
}
