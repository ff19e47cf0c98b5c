package certified_test

import (
	"context"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/certified"
	"breadboard/exact/internal/exacttest"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/grid/quotients"
	"breadboard/toys"
	"breadboard/toys/forms"
)

// annealedOfCertified returns the annealing of a toy with a kernel on its classes.
func annealedOfCertified(t *testing.T, toy *toys.Toy, kernel string, T int) *chains.Annealing {
	t.Helper()
	return exacttest.Build(
		t,
		toy.Members,
		toy.G,
		schedules.Linear{},
		longtest.Must(kernels.Parse(kernel, toy.Space))(t),
		T,
	)
}

// TestClassesAreCertified: on classes J, B and both divergences are those of the larger space with
// the same g, to more digits than float64 has.
func TestClassesAreCertified(t *testing.T) {
	longtest.Only(t)
	cube := longtest.Must(grid.NewHypercube(6))(t)
	for _, c := range []struct {
		toy, kernel string
		space       grid.Graph // nil is the larger space itself
		larger      string
	}{
		{"curie-weiss:6:1.2:-0.1", "metropolis", nil, "metropolis"},
		{"curie-weiss:6:1.2:-0.1", "barker", nil, "barker"},
		{"weight:6:modes:0.2:0.9:0.5", "flip", cube, "metropolis"},
		{"weight:6:needle:3", "heatbath", cube, "barker"},
		{"coins:2:3:2:0.5", "metropolis", nil, "metropolis"},
		{"potts-complete:3:3:3:0.1", "barker", nil, "barker"},
		{"cycles:4:2:3", "metropolis", nil, "metropolis"},
	} {
		toy := longtest.Must(forms.Targets().Parse(c.toy))(t)
		a := annealedOfCertified(t, toy, c.kernel, 20)
		larger := longtest.Must(toy.Space.(quotients.Listed).Larger())(t)
		g := make([]float64, larger.Space.States())
		d := a.Path().(*paths.Geometric).Difference()
		for x, class := range larger.Class {
			g[x] = d[class]
		}
		if c.space == nil {
			c.space = larger.Space
		}
		whole := exacttest.Build(t, nil, g, schedules.Linear{}, longtest.Must(kernels.Parse(c.larger, c.space))(t), 20)
		got, want := certify(t, a), certify(t, whole)
		double := exacttest.Solve(t, a)
		for name, v := range map[string][2]certified.Value{
			"J": {got.J, want.J}, "B": {got.B, want.B}, "kl_q_p": {got.KLQP, want.KLQP},
			"kl_p_q": {got.KLPQ, want.KLPQ}} {
			if !v[0].Overlaps(v[1]) || v[0].Error > 1e-60 {
				t.Errorf("%s, %s: %s is %s on classes (to %.2g), and %s state by state", c.toy, c.kernel,
					name, v[0].Text(), v[0].Error, v[1].Text())
			}
		}
		if digits := got.J.Digits(double.J); digits < 12 {
			t.Errorf("%s, %s: %v digits of J are right", c.toy, c.kernel, digits)
		}
	}
}

func certify(t *testing.T, a *chains.Annealing) *certified.Solution {
	t.Helper()
	return longtest.Must(certified.Solve(context.Background(), a, certified.Bits, func(int) {}))(t)
}

// TestClassesNotCertified: lines of three states, and paths that do not start at the uniform
// distribution of the larger space.
func TestClassesNotCertified(t *testing.T) {
	potts := longtest.Must(forms.Targets().Parse("potts-complete:3:4:3"))(t)
	longtest.Refused(t, certified.Supported(annealedOfCertified(t, potts, "heatbath", 5)), "exactly known")
	flip := longtest.Must(kernels.Parse("flip", potts.Space))(t)
	for _, initial := range [][]float64{nil, make([]float64, len(potts.G)), potts.MemberG()} {
		longtest.Refused(t, certified.Supported(
			exacttest.Build(t, initial, potts.G, schedules.Linear{}, flip, 5),
		), "not uniform")
	}
	longtest.Refused(t, certified.Supported(annealedOfCertified(t, potts, "lazy:0.5:flip", 5)), "cannot be certified")
}
