package tightness_test

import (
	"math"
	"strings"
	"testing"

	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/tightness"
)

// TestNotesOfClasses: what the kernel never moves between, what J tends to, and which axis tells the classes apart, stand beside J.
func TestNotesOfClasses(t *testing.T) {
	const asia = "bif:../../toys/networks/testdata/asia.bif:evidence=xray=yes+dysp=yes"
	for _, c := range []struct {
		toy, kernel string
		floor       float64
		notes       []string
	}{
		{asia, "heatbath-scan", 2.42797569932672, []string{"J tends to 2.42797569933 as T grows", "either says in which class a state is, and hide=either sums it out"}},
		{"my=" + asia, "flip", 2.42797569932672, []string{"J tends to 2.42797569933 as T grows", "either says in which class a state is, and hide=either sums it out"}},
		{asia, "jump:0.1", 0, nil},
		{asia + ":hide=either", "heatbath-scan", 0, nil},
		{"barrier", "heatbath-axis:1", math.NaN(), []string{"7 classes", "axis 0 says in which class a state is"}},
		{"cells:0:-inf/-inf:1", "metropolis", math.NaN(), []string{"J and B are +Inf", "2 classes", "axis 0 says"}},
		{"cells:0:-inf:0/0:-inf:-inf/0:0:0", "metropolis", math.NaN(), []string{"J and B are +Inf", "2 classes"}},
	} {
		s := casetest.Selection([]int{100}, c.toy)
		s.Kernel = c.kernel
		r := casetest.Rows(t, tightness.Study(), casetest.MustCases(t, s), tightness.Options{})[0]
		if len(r.Notes) != len(c.notes) {
			t.Errorf("%s, %s: %q", c.toy, c.kernel, r.Notes)
			continue
		}
		for i, want := range c.notes {
			if !strings.Contains(r.Notes[i], want) {
				t.Errorf("%s, %s: %q, without %q", c.toy, c.kernel, r.Notes[i], want)
			}
		}
		if c.floor > 0 && !(math.Abs(r.Reach.Floor-c.floor) < 1e-10) {
			t.Errorf("%s, %s: J tends to %v", c.toy, c.kernel, r.Reach.Floor)
		}
	}
}

// TestEnergies: annealings of energies in files have the reference's J, B and both divergences.
//
// Source: another program, in 113 bits.
func TestEnergies(t *testing.T) {
	for _, want := range []struct {
		toy, kernel     string
		J, B, qp, logZ  float64
		forward, digits float64
	}{
		{"rudy:FILES/torus3x4.rud:1", "heatbath-scan", 0.0060309474045568303844, 0.26788979736039168593, 0.0030501159868452508119, 8.899198124148523241, 8.765030886350791485, 14},
		{"qubo:FILES/gaps6.qubo:3", "heatbath", 0.0036704137536239964167, 1.4315843691464562313, 0.0018643954899673872421, 14.811983388218750662, 13.995417874143774414, 15},
	} {
		s := casetest.Selection([]int{100}, strings.Replace(want.toy, "FILES", "../../toys/energies/testdata", 1))
		s.Kernel = want.kernel
		got := casetest.Rows(t, tightness.Study(), casetest.MustCases(t, s), tightness.Options{})[0]
		for name, v := range map[string][2]float64{
			"J": {got.J, want.J}, "B": {got.B, want.B}, "KL(q|p)": {got.KLQP, want.qp}, "log Z ratio": {got.LogZRatio, want.logZ}, "mean log w": {got.MeanLogWForward, want.forward},
		} {
			if !(math.Abs(v[0]/v[1]-1) <= 4*math.Pow(10, -want.digits)) {
				t.Errorf("%s: %s is %.17g, and should be %.17g", want.toy, name, v[0], v[1])
			}
		}
	}
}
