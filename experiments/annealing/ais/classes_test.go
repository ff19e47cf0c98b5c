package ais_test

import (
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/exact"
	"breadboard/exact/weights"
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/internal/casetest"
	"breadboard/grid/longtest"
)

// TestSolvedOnClasses compares the exact side of a study on the classes of 4,096 states with the
// states themselves, for kernels that lump and from a uniform start and another one; a scan does
// not lump and is solved on the states.
func TestSolvedOnClasses(t *testing.T) {
	biases := 0
	for _, v := range []struct {
		kernel, initial string
		lumps           bool
	}{{"metropolis", "uniform", true}, {"heatbath", "tempered:0.3", true},
		{"lazy:0.2:barker", "uniform", true}, {"heatbath-scan", "uniform", false}} {
		if v.initial == "uniform" && !longtest.Enabled() {
			continue
		}
		s := casetest.Selection([]int{4}, "ising:3x4:0.6:0.1:torus")
		s.Kernel = v.kernel
		s.Initial = v.initial
		const n = 1000
		cases := casetest.MustCases(t, s)
		a := cases[0].Annealing()
		r := casetest.Rows(t, ais.Study(), cases, ais.Options{Chains: n, Seed: 1})[0]
		if lumped := r.Classes > 0 && r.Classes < a.States(); lumped != v.lumps {
			t.Fatalf("%s is solved on %d classes of %d states", v.kernel, r.Classes, a.States())
		}
		want := longtest.Must(exact.Solve(t.Context(), a, exact.Options{}))(t)
		same := func(what string, got, want float64) {
			if !(math.Abs(got-want) <= 1e-11*(1e-6+math.Abs(want))) {
				t.Errorf("%s, %s: %s is %.17g on classes and %.17g on states", v.kernel, v.initial,
					what, got, want)
			}
		}
		same("J", r.Exact.J, want.J)
		same("B", r.Exact.B, want.B)
		same("log Z", r.Exact.LogZRatio, want.LogZRatio)
		for x := range want.Output {
			same("the output", r.Exact.Output[x], want.Output[x])
			same("the target", r.Exact.Target[x], want.Target[x])
		}
		for d, name := range map[chains.Direction]string{
			chains.Forward: "mean_log_w_forward", chains.Reverse: "mean_log_w_reverse"} {
			k := longtest.Must(weights.CumulantsOf(t.Context(), a, d))(t)
			same("the error of "+name, r.Quantity(name).StandardError, math.Sqrt(k.Variance/n))
		}
		for i, name := range []string{"log_mean_w_forward", "log_mean_w_reverse"} {
			power := 1 - 2*float64(i)
			d := chains.Direction(i)
			k := longtest.Must(weights.CGF(t.Context(), a, d, []float64{power, 2 * power}))(t)
			if q := r.Quantity(name); !math.IsNaN(q.StandardError) {
				same("the bias of "+name, q.Bias, -power*math.Expm1(k[1]-2*k[0])/2/n)
				biases++
			}
		}
	}
	if biases == 0 {
		t.Errorf("%d biases are compared", biases)
	}
}
