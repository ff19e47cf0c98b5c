package exact_test

import (
	"math"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/internal/exacttest"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// TestClassesOfWideRange: on classes the method without rows goes on up to 700 nats, as those of 2^1000 spins span, and agrees with the method of rows, for
// which no range is too wide.
func TestClassesOfWideRange(t *testing.T) {
	longtest.NotShort(t)
	for toy, method := range map[string]exact.Method{
		"curie-weiss:1000:0.5": exact.MethodApplied, "weight:1010:needle:3": exact.MethodApplied, "weight:1020:needle:3": exact.MethodGeneral,
	} {
		y := longtest.Must(toys.Parse(toy))(t)
		a := exacttest.Build(t, y.Members, y.G, schedules.Linear{}, longtest.Must(kernels.Parse("repeat:2:lazy:0.1:flip", y.Space))(t), 70)
		got, want := exacttest.Solve(t, a), exacttest.SolveWith(t, a, exact.Options{General: true})
		if got.Method != method {
			t.Errorf("%s: method %s, not %s", toy, got.Method, method)
		}
		for name, v := range map[string][2]float64{"J": {got.J, want.J}, "B": {got.B, want.B}, "kl_q_p": {got.KLQP, want.KLQP}, "kl_p_q": {got.KLPQ, want.KLPQ}} {
			if !(math.Abs(v[0]-v[1]) <= 1e-12*v[1]) {
				t.Errorf("%s: %s is %v, and %v by rows", toy, name, v[0], v[1])
			}
		}
		if failing := exacttest.Failing(t, a, got); len(failing) > 0 {
			t.Errorf("%s: %v do not hold", toy, failing)
		}
	}
}
