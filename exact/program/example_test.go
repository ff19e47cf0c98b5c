package program_test

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/exact/program"
)

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
	met := 0.0
	mean := 0.0
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
