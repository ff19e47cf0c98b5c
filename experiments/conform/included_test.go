package conform

import (
	"math"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/grid/longtest"
)

// TestIncludedBugs: what is done to log weights that hold log Z_1 is named, and so is that they do not hold it.
func TestIncludedBugs(t *testing.T) {
	longtest.NotShort(t)
	l := smallLaws(t)
	for name, written := range map[string]func(logw float64) float64{
		"log w in base 10":                 func(v float64) float64 { return (v + l.task.LogZ1) / math.Ln10 },
		"log w in base 2":                  func(v float64) float64 { return (v + l.task.LogZ1) / math.Ln2 },
		"log w with the other sign":        func(v float64) float64 { return -(v + l.task.LogZ1) },
		"the weight and not its logarithm": func(v float64) float64 { return math.Exp(v + l.task.LogZ1) },
		"log w rounded to 0.01":            func(v float64) float64 { return math.Round((v+l.task.LogZ1)*100) / 100 },
		"log Z_1 taken from log w":         func(v float64) float64 { return v },
		"log Z_1 added to log w":           func(v float64) float64 { return v + 2*l.task.LogZ1 },
	} {
		for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
			b := drawn(t, l.task, d, 2000, 3)
			for i, v := range b.LogW {
				b.LogW[i] = written(v)
			}
			out := checked(t, l, input(d, source(b, short)), Options{LogZIncluded: true})
			if s := out.Sides[0]; !s.Fault || !slices.Contains(s.Named, name) {
				t.Errorf("%v, %s: fault: %v, named %q", d, name, s.Fault, s.Named)
			}
		}
	}
}
