package ais

import (
	"math"
	"testing"

	"breadboard/exact"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// TestSolvedOnClasses compares the exact side of a study on the classes of 4,096 states with the
// states themselves, for kernels that lump and from a uniform start and another one; a scan does
// not lump and is solved on the states.
func TestSolvedOnClasses(t *testing.T) {
	for _, v := range []struct {
		kernel, initial string
		lumps           bool
	}{{"metropolis", "uniform", true}, {"heatbath", "tempered:0.3", true}, {"lazy:0.2:barker", "uniform", true}, {"heatbath-scan", "uniform", false}} {
		s := subject.Selection{Toys: []string{"ising:3x4:0.6:0.1:torus"}, Kernel: v.kernel, Initial: v.initial, Schedule: "linear", Path: "geometric",
			Distributions: []int{4}}
		cases := longtest.Must(s.Cases(t.Context()))(t)
		on := longtest.Must(newSampling(t.Context(), &cases[0], Options{Chains: 10, Seed: 1}, study.How{}))(t)
		if lumped := on.solved != on.a && on.solved.States() < on.a.States(); lumped != v.lumps {
			t.Fatalf("%s is solved on %d of %d states", v.kernel, on.solved.States(), on.a.States())
		}
		r := Row{Case: cases[0]}
		longtest.NoError(t, r.run(t.Context(), TraceOptions{Options: Options{Chains: 10, Seed: 1}}, study.How{}, nil))
		if lumped := r.Classes == on.solved.States(); lumped != v.lumps {
			t.Errorf("%s says that it is solved on %d classes, and there are %d", v.kernel, r.Classes, on.solved.States())
		}
		want := longtest.Must(exact.Solve(t.Context(), on.a, exact.Options{}))(t)
		same := func(what string, got, want float64) {
			if !(math.Abs(got-want) <= 1e-11*(1e-6+math.Abs(want))) {
				t.Errorf("%s, %s: %s is %.17g on classes and %.17g on states", v.kernel, v.initial, what, got, want)
			}
		}
		same("J", on.exact.J, want.J)
		same("B", on.exact.B, want.B)
		same("log Z", on.exact.LogZRatio, want.LogZRatio)
		for x := range want.Output {
			same("the output", on.exact.Output[x], want.Output[x])
			same("the target", on.exact.Target[x], want.Target[x])
		}
		var a, b weightLaw
		for i, job := range a.jobs(on.solved) {
			longtest.NoError(t, job(t.Context()))
			longtest.NoError(t, b.jobs(on.a)[i](t.Context()))
		}
		same("the variance of log w", a.forward.Variance, b.forward.Variance)
		same("the variance of log w in reverse", a.reverse.Variance, b.reverse.Variance)
		same("the relative variance of w", a.forward.Relative, b.forward.Relative)
		same("that of 1/w", a.reverse.Relative, b.reverse.Relative)
	}
}
