package models_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"breadboard/toys/models/modeltest"
)

// pair is the state of two correlated numbers x and y with the density exp(-x^2/2 - (y - x)^2/2).
type pair struct{ x, y float64 }

func logPair(s pair) float64 { return -s.x*s.x/2 - (s.y-s.x)*(s.y-s.x)/2 }

// normalLog is the log density of a normal number with some mean and variance.
func normalLog(x, mean, variance float64) float64 {
	return -(x-mean)*(x-mean)/(2*variance) - math.Log(2*math.Pi*variance)/2
}

// pairBlocks returns the two variables, the first of them with a variance that should be 1/2 and a mean that should be half the second number.
func pairBlocks(variance, share float64) []modeltest.Block[pair] {
	return []modeltest.Block[pair]{
		{
			Name: "x",
			Conditional: func(u pair) func(pair) float64 {
				return func(s pair) float64 { return normalLog(s.x, share*u.y, variance) }
			},
			Replace: func(u, s pair) pair { return pair{s.x, u.y} },
		},
		{
			Name:        "y",
			Conditional: func(u pair) func(pair) float64 { return func(s pair) float64 { return normalLog(s.y, u.x, 1) } },
			Replace:     func(u, s pair) pair { return pair{u.x, s.y} },
		},
	}
}

// someStates are states close by and far apart.
func someStates() []pair { return []pair{{0, 0}, {1, 2}, {-3, 0.5}, {0.001, 0}, {40, -20}} }

func TestRatios(t *testing.T) { modeltest.RunRatios(t, logPair, pairBlocks(0.5, 0.5), someStates()) }

// TestRatiosFindBugs: a variance that is 1e-10 too large and a mean that is as much off are found, in the block where they are.
func TestRatiosFindBugs(t *testing.T) {
	for name, blocks := range map[string][]modeltest.Block[pair]{
		"variance": pairBlocks(0.5*(1+1e-10), 0.5),
		"mean":     pairBlocks(0.5, 0.5*(1+1e-10)),
		"the old value in its own mean": func() []modeltest.Block[pair] {
			b := pairBlocks(0.5, 0.5)
			b[0].Conditional = func(u pair) func(pair) float64 {
				return func(s pair) float64 { return normalLog(s.x, 0.5*u.y+1e-9*u.x, 0.5) }
			}
			return b
		}(),
		"NaN": pairBlocks(math.NaN(), 0.5),
	} {
		errs := modeltest.CheckRatios(logPair, blocks, someStates())
		if len(errs) != 1 || !strings.HasPrefix(errs[0].Error(), "x given the others: the variables of state ") {
			t.Errorf("%s: %v", name, errs)
		}
	}
}

// TestRatiosWithoutMass: a value that has no mass must have none by either way, and one that has some must have some.
func TestRatiosWithoutMass(t *testing.T) {
	joint := func(x int) float64 { return []float64{0, math.Inf(-1), math.Inf(-1), math.Log(3)}[x] }
	block := func(law ...float64) []modeltest.Block[int] {
		return []modeltest.Block[int]{{
			Name:        "number",
			Conditional: func(int) func(int) float64 { return func(x int) float64 { return math.Log(law[x]) } },
			Replace:     func(_, x int) int { return x },
		}}
	}
	states := []int{0, 1, 2, 3}
	modeltest.RunRatios(t, joint, block(0.25, 0, 0, 0.75), states)
	for _, law := range [][]float64{{0.25, 1e-9, 0, 0.75}, {0.25, 0, 0, 0}, {0, 0, 0, 1}, {0.25, 0, 0, 0.7500001}} {
		if errs := modeltest.CheckRatios(joint, block(law...), states); len(errs) != 1 {
			t.Errorf("%v: %v", law, errs)
		}
	}
	if errs := modeltest.CheckRatios(joint, block(0.25, 0, 0, 0.75), states[:1]); len(errs) != 1 || !strings.Contains(errs[0].Error(), "1 states") {
		t.Errorf("%v", errs)
	}
}

// The conditional of a real number is checked on some states; its mistake is a mean that forgets the other number.
func ExampleCheckRatios() {
	states := []pair{{0, 0}, {1, 2}}
	fmt.Println("right:", modeltest.CheckRatios(logPair, pairBlocks(0.5, 0.5), states))
	fmt.Println("wrong:", modeltest.CheckRatios(logPair, pairBlocks(0.5, 0), states)[0])
	// Output:
	// right: []
	// wrong: x given the others: the variables of state 1 with the values of state 0: log p(x|u)/p(x'|u) = -1, and log p(x,u)/p(x',u) = 1
}
