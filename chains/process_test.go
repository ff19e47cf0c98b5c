package chains_test

import (
	"fmt"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/simulate"
)

// TestRunWithoutSteps: the first state is the last.
func TestRunWithoutSteps(t *testing.T) {
	if first, last, total := chains.Run(walk{0}, nil); first != 7 || last != 7 || total != 0 {
		t.Errorf("ran from %d to %d with %v", first, last, total)
	}
}

// walk goes up or down from 7, so many times, and adds up where it has been.
type walk struct{ steps int }

func (w walk) Steps() int { return w.steps }

func (w walk) Start(chains.Chooser) int { return 7 }

func (w walk) Step(c chains.Chooser, t, x int) (int, float64) {
	if c.Flip(1 / float64(t+1)) {
		return x + 1, float64(x)
	}
	return x - 1, float64(x)
}

func ExampleRun() {
	c := chains.NewRecorder(chains.NewSampler(simulate.NewStream(1, "example", 0)))
	_, last, total := chains.Run(walk{5}, c)
	fmt.Println("ends at", last, "with a total of", total)
	_, logP, err := chains.Score(func(c chains.Chooser) int {
		_, last, _ := chains.Run(walk{5}, c)
		return last
	}, c.Outcomes())
	fmt.Printf("choices %v have probability %.4f, error %v\n", c.Outcomes(), math.Exp(logP), err)
	// Output:
	// ends at 2 with a total of 25
	// choices [0 0 0 0 0] have probability 0.1667, error <nil>
}
