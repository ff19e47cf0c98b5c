package particles_test

import (
	"context"
	"math"
	"testing"

	"breadboard/chains/particle"
	"breadboard/experiments"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/particles"
)

// TestSwept: a sweep keeps every exact number under its name, also where zeros of f let all particles die.
func TestSwept(t *testing.T) {
	s, swept := casetest.Selection([]int{4}, "file:../sweep/testdata/holes.csv"), particles.Study().Sweep()
	r := &run(t, s, settings([]int{2}, []float64{1}, particle.Multinomial{}))[0]
	o, err := swept.Row(context.Background(), append(r.Parts(),
		experiments.Param{Name: "particles", Value: "2"}, experiments.Param{Name: "resample", Value: "multinomial"}, experiments.Param{Name: "threshold", Value: "1"}))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{
		"J": r.J, "kl_q_p": r.KLQP, "kl_p_q": r.KLPQ, "mean_log_z_forward": r.MeanLogZForward, "mean_log_z_conditional": r.MeanLogZConditional, "B": r.B,
		"log_z_ratio": r.LogZRatio, "relative_variance": r.RelativeVariance, "limit_P_relative_variance": r.Limits.P, "limit_P2_J": r.Limits.P2J, "extinct": r.Extinct,
	}
	for name, want := range want {
		if got := swept.Value(name, o.Numbers); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s is %v in a sweep, want %v", name, got, want)
		}
	}
	if len(o.Numbers) != len(want) || !(r.Extinct > 0) || !(r.RelativeVariance > 0) {
		t.Errorf("%d numbers, want %d: %+v", len(o.Numbers), len(want), r)
	}
}
