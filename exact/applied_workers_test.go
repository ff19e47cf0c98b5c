package exact_test

import (
	"context"
	"math"
	"reflect"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/gradient"
	"breadboard/exact/internal/exacttest"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestWorkersOfApplied: any number of workers gives the same bytes, of solutions and of gradients, on a space that is large
// enough to be shared.
func TestWorkersOfApplied(t *testing.T) {
	longtest.NotShort(t)
	l := grid.MustNew(64, 65)
	g := make([]float64, l.States())
	for x := range g {
		g[x] = 3 * math.Sin(float64(7*x))
	}
	for _, selector := range []string{"barker", "heatbath-scan", "compose:suwa-todo-axis:0+jump:0.1", "mixture:1*moore+1*repeat:2:heatbath"} {
		k := longtest.Must(kernels.Parse(selector, l))(t)
		a := exacttest.Build(t, nil, g, schedules.Power{P: 1.5}, k, 6)
		want := exacttest.Solve(t, a)
		if want.Method != exact.MethodApplied {
			t.Fatalf("%s is solved by the %s", selector, want.Method)
		}
		for workers := 2; workers <= 3; workers++ {
			if got := exacttest.SolveWith(t, a, exact.Options{Workers: workers}); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: B is %v with %d workers, and %v with one", selector, got.B, workers, want.B)
			}
		}
		if selector == "compose:suwa-todo-axis:0+jump:0.1" {
			continue // its gradient is by rows
		}
		one := longtest.Must(gradient.Differentiate(context.Background(), a, gradient.ObjectiveB, gradient.Options{}))(t)
		two := longtest.Must(gradient.Differentiate(context.Background(), a, gradient.ObjectiveB, gradient.Options{Workers: 2}))(t)
		if !reflect.DeepEqual(one, two) {
			t.Errorf("%s: the gradient is %v with two workers, and %v with one", selector, two.ByBeta, one.ByBeta)
		}
	}
}
