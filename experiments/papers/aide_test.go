package papers

import "testing"

// TestStatisticalTests: an estimate is judged by five standard errors, to either side or to one.
func TestStatisticalTests(t *testing.T) {
	if !within(1.5, 0.1, 1) || !within(0.5, 0.1, 1) || within(1.51, 0.1, 1) || within(0.49, 0.1, 1) {
		t.Error("within is not five standard errors to either side")
	}
	if !below(1, 0.3, 3.6, 0.4) || below(1, 0.3, 3.5, 0.4) || below(3.6, 0.3, 1, 0.4) {
		t.Error("below is not five standard errors of the difference")
	}
	if !agree([]float64{5, -5, 0}) || agree([]float64{0, 5.1}) || agree([]float64{-5.1}) {
		t.Error("estimates agree with their means up to five standard errors, and no further")
	}
}

// TestReadingsOfAIDE: what the claims derive from tables of aide is what its columns say.
func TestReadingsOfAIDE(t *testing.T) {
	const falling = `[{"toy": "easy", "mean": 3, "J": 1, "kl_q_p_upper": 2, "kl_p_q_upper": 1}, {"toy": "easy", "mean": 2, "J": 1, "kl_q_p_upper": 1.5, "kl_p_q_upper": 0.5},
		{"toy": "hard", "mean": 2, "J": 1, "kl_q_p_upper": 0, "kl_p_q_upper": 0}, {"toy": "hard", "mean": 0.5, "J": 1, "kl_q_p_upper": 0, "kl_p_q_upper": 0},
		{"toy": "barrier", "mean": 2, "J": 1, "kl_q_p_upper": 0, "kl_p_q_upper": 0}, {"toy": "barrier", "mean": 2.5, "J": 1, "kl_q_p_upper": 0, "kl_p_q_upper": 0}]`
	a := answered(t, falling)
	if p := a.In(0); !bounds(p, "toy=easy") || bounds(p, "toy=hard") || bounds(p, "toy=barrier") {
		t.Error("means that fall to J and no further are taken for others")
	}
	if p := a.In(0); !near(halves(p, "toy=easy"), []float64{3, 2}) || near(halves(p, "toy=easy"), []float64{3, 2.1}) {
		t.Error("the averages are not summed")
	}
	const found = `[{"finding": "xi", "value": 1e-13}, {"finding": "xi", "value": 0}, {"finding": "mean", "value": 1e-13}, {"finding": "mean", "value": 1e-11}]`
	if p := answered(t, found).In(0); !holds(p, 2, "xi") || holds(p, 3, "xi") || holds(p, 2, "mean") || holds(p, 2, "xi", "mean") {
		t.Error("findings hold where each target has one that is off by rounding alone")
	}
	const step = `[{"log_z_ratio": 2, "mean_log_w_forward": 1.5, "mean_log_w_reverse": 2.25}]`
	if forward, backward := klAlong(answered(t, step).In(0)); forward != 0.5 || backward != 0.25 {
		t.Errorf("the divergences of a step are %v and %v", forward, backward)
	}
	if a.err != nil {
		t.Error(a.err)
	}
}
