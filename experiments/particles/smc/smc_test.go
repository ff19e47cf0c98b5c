package smc_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"breadboard/chains/particle"
	"breadboard/exact/smc"
	"breadboard/experiments/annealing/tightness"
	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	particles "breadboard/experiments/particles/smc"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// settings returns the options of numbers of particles with schemes and thresholds.
func settings(numbers []int, thresholds []float64, schemes ...particle.Scheme) particles.Options {
	o := particles.Options{Particles: numbers, Thresholds: thresholds}
	for _, s := range schemes {
		o.Resample = append(o.Resample, s.String())
	}
	return o
}

// withSimulated returns options by which systems are simulated as well.
func withSimulated(o particles.Options, chains int, seed uint64) particles.Options {
	o.Chains = chains
	o.Seed = seed
	return o
}

func smcRun(t *testing.T, s subject.Selection, o particles.Options) []particles.Row {
	t.Helper()
	return casetest.Rows(t, particles.Study(), casetest.MustCases(t, s), o)
}

// smcNear holds a number to a reference value, to a relative error.
func smcNear(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
		t.Errorf("%s is %.17g, want %.17g", what, got, want)
	}
}

// TestReferenceValues: numbers that were computed in many digits by programs that share nothing
// with this one.
func TestReferenceValues(t *testing.T) {
	for _, c := range []struct {
		toy                                    string
		of                                     smc.Setting
		j, klqp, klpq, forward, conditional, b float64
	}{
		{"easy", smc.Setting{Particles: 2, Scheme: particle.Multinomial{}, Threshold: 1},
			0.118894172193608954, 0.0676351432755513391,
			0.0512590289180576146, 2.01900300824110482, 2.44431113207687176, 0.425308123835766938},
		{"easy", smc.Setting{Particles: 2, Scheme: particle.Systematic{}, Threshold: 1},
			0.0359141813653682655, 0.0190456606356584333,
			0.0168685207297098322, 2.12062155582180544, 2.3737783097122302, 0.253156753890424753},
		{"barrier", smc.Setting{Particles: 2, Scheme: particle.Multinomial{}, Threshold: 1},
			1.61288603901089708, 0.882449331806968594,
			0.730436707203928491, 0.514314726774345835, 2.24189290852699466, 1.72757818175264882},
		{"barrier", smc.Setting{Particles: 2, Scheme: particle.Systematic{}, Threshold: 1},
			0.974157627180574391, 0.5471271223587279, 0.427030504821846491,
			0.747100331569711155, 2.02406956961556473, 1.27696923804585357},
		{"barrier", smc.Setting{Particles: 2, Scheme: particle.Multinomial{}, Threshold: 0},
			0.844013955581927082, 0.475250655475432353,
			0.368763300106494729, 0.802206457248173969, 1.95012606829871939, 1.14791961105054542},
		{"barrier", smc.Setting{Particles: 10, Scheme: particle.Multinomial{}, Threshold: 0},
			0.0318722290642971398, 0.0168099251061215532,
			0.0150623039581755866, 1.31511959659669294, 1.55533947701873018, 0.240219880422037239},
	} {
		if !longtest.Enabled() && c.toy != "easy" {
			continue
		}
		r := &smcRun(t, casetest.Selection([]int{100}, c.toy),
			settings([]int{c.of.Particles}, []float64{c.of.Threshold}, c.of.Scheme))[0]
		if !r.Known() {
			t.Errorf("%s, %d particles, %s: %v", &r.Case, r.Particles, r.Resample(), r.Notes)
			continue
		}
		smcNear(t, "J of "+c.toy, r.J, c.j, 1e-10)
		smcNear(t, "kl_q_p of "+c.toy, r.KLQP, c.klqp, 1e-10)
		smcNear(t, "kl_p_q of "+c.toy, r.KLPQ, c.klpq, 1e-10)
		smcNear(t, "mean_log_z_forward of "+c.toy, r.MeanLogZForward, c.forward, 1e-11)
		smcNear(t, "mean_log_z_conditional of "+c.toy, r.MeanLogZConditional, c.conditional, 1e-11)
		smcNear(t, "B of "+c.toy, r.B, c.b, 1e-10)
	}
}

// TestMoreParticlesCanBeWorse: the example of two states, whose J rises up to ten particles and
// falls after.
func TestMoreParticlesCanBeWorse(t *testing.T) {
	s := casetest.Selection([]int{3}, "file:examples/two.csv")
	s.Path = "via:0.5:examples/way.csv"
	s.Kernel = "independence"
	rows := smcRun(t, s, settings([]int{1, 2, 10, 30, 100}, []float64{1}, particle.Multinomial{}))
	j := []float64{2.0434540106271162, 2.25266221268795626, 2.80307065454781803, 2.52524596959713338,
		1.74694333472130121}
	forward := []float64{-5.86325053211441581, -5.5949941141422892, -6.32285705103417054,
		-5.73856965523901853, -4.32110366869905964}
	for i := range rows {
		smcNear(t, "J", rows[i].J, j[i], 1e-11)
		smcNear(t, "mean_log_z_forward", rows[i].MeanLogZForward, forward[i], 1e-11)
		smcNear(t, "limit_P2_J", rows[i].Limits.P2J.Value, 36.8536937993748231, 1e-10)
	}
}

// TestOneParticleIsAnnealing: with one particle every setting is annealed importance sampling, on
// kernels that are not reversible too.
func TestOneParticleIsAnnealing(t *testing.T) {
	for _, kernel := range []string{"metropolis", "heatbath-scan"} {
		s := casetest.Selection([]int{2, 20}, "easy", "barrier:3x3")
		s.Kernel = kernel
		want := casetest.Rows(t, tightness.Study(), casetest.MustCases(t, s), tightness.Options{})
		of := settings([]int{1}, []float64{1, 0.5, 0}, particle.Multinomial{}, particle.Residual{})
		rows := smcRun(t, s, of)
		for i, r := range rows {
			if w := want[i*len(want)/len(rows)]; math.Abs(r.J-w.J) > 1e-12*(1+w.J) ||
				math.Abs(r.B-w.B) > 1e-12*(1+w.B) || r.Distributions() != w.Distributions() {
				t.Errorf("%s, %s: J %v and B %v, of annealing %v and %v", &r.Case, r.Resample(),
					r.J, r.B, w.J, w.B)
			}
		}
	}
}

// TestSmcEstimates: simulation agrees with the exact numbers. Each of the 40 comparisons fails by
// chance with a probability of about 6e-7 (five standard errors), and the seed is fixed.
func TestSmcEstimates(t *testing.T) {
	longtest.Only(t)
	chains := longtest.Times(5000, 20_000)
	s := casetest.Selection([]int{6}, "random:1:0:3x2", "barrier:3x3")
	of := settings([]int{1, 2}, []float64{1, 0}, particle.Multinomial{}, particle.Systematic{})
	of = withSimulated(of, chains, 3)
	rows := smcRun(t, s, of)
	again := casetest.RowsBy(t, particles.Study(), casetest.MustCases(t, s), of, study.How{Workers: 3})
	for i, r := range rows {
		if *again[i].Estimates != *r.Estimates {
			t.Errorf("three workers: %+v, want %+v", again[i].Estimates, r.Estimates)
		}
		e := r.Estimates
		for what, c := range map[string]struct{ exact, estimate, se float64 }{
			"mean_log_z_forward": {
				r.MeanLogZForward, e.MeanLogZForward.Value, e.MeanLogZForward.StandardError},
			"mean_log_z_conditional": {
				r.MeanLogZConditional, e.MeanLogZConditional.Value, e.MeanLogZConditional.StandardError},
			"B": {r.B, e.B.Value, e.B.StandardError},
			"relative_variance": {
				r.RelativeVariance, e.RelativeVariance.Value, e.RelativeVariance.StandardError},
			"extinct": {r.Extinct, e.Extinct.Value, e.Extinct.StandardError},
		} {
			if math.IsNaN(c.exact) { // the relative variance of some schemes
				continue
			}
			if math.Abs(c.exact-c.estimate) > 5*c.se {
				t.Errorf("%s, %d particles, %s: %s is estimated as %v +- %v and is %v", &r.Case, r.Particles,
					r.Resample(), what, c.estimate, c.se, c.exact)
			}
		}
		if other := rows[(i+1)%len(rows)].Estimates; other.MeanLogZForward == e.MeanLogZForward {
			t.Errorf("rows %d and %d have the same random numbers", i, i+1)
		}
	}
}

// TestEstimatesOfZeros: if f has zeros, runs may be extinct, and the mean of log Zhat is -Inf.
func TestEstimatesOfZeros(t *testing.T) {
	s := casetest.Selection([]int{4}, "file:../../sweeps/sweep/testdata/holes.csv")
	rows := smcRun(t, s, withSimulated(settings([]int{1, 2}, []float64{1}, particle.Multinomial{}), 4000, 1))
	for _, r := range rows {
		e := r.Estimates
		if !(r.Extinct > 0) || !math.IsInf(e.MeanLogZForward.Value, -1) ||
			!math.IsInf(r.MeanLogZForward, -1) || !math.IsNaN(e.MeanLogZForward.StandardError) {
			t.Errorf("%d particles: extinct %v, estimates %+v", r.Particles, r.Extinct, e)
		}
		if math.Abs(e.Extinct.Value-r.Extinct) > 5*e.Extinct.StandardError {
			t.Errorf("%d particles: extinct %v, estimated %+v", r.Particles, r.Extinct, e.Extinct)
		}
	}
}

// TestSettings: rows have each number of particles, by scheme and by threshold, and never
// resampling has one row; what is out of range is refused.
func TestSettings(t *testing.T) {
	rows := smcRun(t, casetest.Selection([]int{2}, "random:1:0:2"),
		settings([]int{1, 3}, []float64{0, 0.5, 1}, particle.Multinomial{}, particle.Residual{}))
	if len(rows) != 2+4+4 ||
		rows[2].Setting != (smc.Setting{Particles: 1, Scheme: particle.Multinomial{}, Threshold: 0.5}) ||
		rows[9].Setting != (smc.Setting{Particles: 3, Scheme: particle.Residual{}, Threshold: 1}) {
		t.Errorf("%v", rows)
	}
	for want, o := range map[string]particles.Options{
		"particles 0; give whole numbers from 1": settings([]int{0}, []float64{1}, particle.Residual{}),
		"from 1 to 1e9":                          settings([]int{2e9}, []float64{1}, particle.Residual{}),
		"threshold -0.1; give a number from 0":   settings([]int{1}, []float64{-0.1}, particle.Residual{}),
		"threshold 1.5":                          settings([]int{1}, []float64{1.5}, particle.Residual{}),
		"threshold NaN":                          settings([]int{1}, []float64{math.NaN()}, particle.Residual{}),
		"give a value for particles":             settings([]int{1}, []float64{1}),
		"unknown resampling scheme": {
			Particles:  []int{1},
			Resample:   []string{"none"},
			Thresholds: []float64{1},
		},
		"chains 1;":  withSimulated(settings([]int{1e9}, []float64{1}, particle.Residual{}), 1, 1),
		"need about": withSimulated(settings([]int{1e9}, []float64{1}, particle.Residual{}), 2, 1),
	} {
		casetest.Refuses(t, particles.Study(), nil, o, want)
	}
}

// TestUnfinished: if the context ends while the systems of the second row are simulated, the first
// row is returned, with its estimates.
func TestUnfinished(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	cases := casetest.MustCases(t, casetest.Selection([]int{5}, "barrier:3x3"))
	o := withSimulated(settings([]int{1, 2, 3}, []float64{1}, particle.Multinomial{}), 100, 1)
	left := longtest.Must(particles.Study().Plan(ctx, cases, &o))(t).Steps
	h := study.How{Workers: 1, Progress: func(steps int) {
		left -= steps
		if left < 2*100*(2+3)*4 {
			// those of the second row and the third, each with that many particles in both
			// directions, for four stages
			cancel()
		}
	}}
	rows, err := study.Run(ctx, particles.Study(), cases, o, h)
	var unfinished subject.Unfinished
	if !errors.As(err, &unfinished) || unfinished.Finished != 1 || unfinished.Jobs != 3 || len(rows) != 1 ||
		rows[0].Estimates == nil {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

// TestSmcProgress: the steps add up, and no sweep over all stages reports its own at once: neither
// those of the distributions, nor those of the relative variances and of the limits.
func TestSmcProgress(t *testing.T) {
	cases := casetest.MustCases(t, casetest.Selection([]int{41}, "barrier"))
	o := settings([]int{1, 2}, []float64{1}, particle.Multinomial{})
	plan := longtest.Must(particles.Study().Plan(context.Background(), cases, &o))(t)
	made := 0
	most := 0
	_, err := plan.Run(context.Background(), study.How{Workers: 1, Progress: func(n int) {
		made = made + n
		most = max(most, n)
	}})
	if err != nil || made != plan.Steps || made != 3*40 || most > 20 {
		t.Errorf("%d of %d steps, %d of them at once; %v", made, plan.Steps, most, err)
	}
}

// TestSmcWideTargets: if log f spans more than probabilities hold, the distribution is unknown, and
// a note says so. That is no fault.
func TestSmcWideTargets(t *testing.T) {
	path := longtest.File(t, "wide.csv", "0,1000\n-1000,3\n")
	for _, r := range smcRun(t, casetest.Selection([]int{3}, "file:"+path),
		settings([]int{2, 3}, []float64{1, 0}, particle.Multinomial{})) {
		if !math.IsNaN(r.J) || len(r.Notes) == 0 {
			t.Errorf("%d particles, %s: J is %v, notes %v", r.Particles, r.Resample(), r.J, r.Notes)
		}
	}
}

// TestOneParticleThatDies: J of one particle is that of the runs that survive, and no note says
// that it is infinite.
func TestOneParticleThatDies(t *testing.T) {
	path := longtest.File(t, "zero.csv", "0,-Inf\n1,2\n")
	r := smcRun(t, casetest.Selection([]int{3}, "file:"+path),
		settings([]int{1}, []float64{1}, particle.Multinomial{}))[0]
	if !(r.J > 0) || math.IsInf(r.J, 0) || r.Extinct != 0.25 {
		t.Errorf("J is %v and extinct %v", r.J, r.Extinct)
	}
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "B is +Inf") ||
		!strings.Contains(r.Notes[0], "J is that of the runs that survive") {
		t.Errorf("notes %q", r.Notes)
	}
}

// Two particles on BARRIER, resampled at every stage and never.
func Example_smcStudy() {
	ctx := context.Background()
	cases, _ := subject.Selection{
		Reader:        forms.Reader(),
		Toys:          []string{"barrier"},
		Distributions: []int{100},
		Path:          "geometric",
		Schedule:      "linear",
		Kernel:        "metropolis",
	}.Cases(ctx)
	options := particles.Options{
		Particles:  []int{2},
		Resample:   []string{"multinomial", "systematic"},
		Thresholds: []float64{1, 0},
	}
	rows, err := study.Run(ctx, particles.Study(), cases, options, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rows {
		fmt.Printf("%-11s J = %.6f, B = %.6f nats (%s)\n", r.Resample(), r.J, r.B, r.Method)
	}
	// Output:
	// multinomial J = 1.612886, B = 1.727578 nats (pairs)
	// systematic  J = 0.974158, B = 1.276969 nats (pairs)
	// never       J = 0.844014, B = 1.147920 nats (integral)
}

// TestSwept: a sweep keeps every exact number under its name, also if zeros of f let all particles
// die.
func TestSwept(t *testing.T) {
	s := casetest.Selection([]int{4}, "file:../../sweeps/sweep/testdata/holes.csv")
	swept := particles.Study().Declaration.Sweep()
	r := &smcRun(t, s, settings([]int{2}, []float64{1}, particle.Multinomial{}))[0]
	o := longtest.Must(swept.SolveRow(context.Background(), forms.Reader(), append(r.Parts(),
		subject.Param{Name: "particles", Value: "2"}, subject.Param{Name: "resample", Value: "multinomial"},
		subject.Param{Name: "threshold", Value: "1"})))(t)
	want := map[string]float64{
		"J": r.J, "kl_q_p": r.KLQP, "kl_p_q": r.KLPQ, "mean_log_z_forward": r.MeanLogZForward,
		"mean_log_z_conditional": r.MeanLogZConditional, "B": r.B,
		"log_z_ratio": r.LogZRatio, "relative_variance": r.RelativeVariance,
		"limit_P_relative_variance": r.Limits.P, "limit_P2_J": r.Limits.P2J.Value,
		"extinct": r.Extinct,
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

// TestFalls: if particles are never resampled, B and the relative variance fall as they become
// more. Elsewhere J rises in TestMoreParticlesCanBeWorse.
//
// The mean of P weights of independent particles is, given them all, the expectation of that of P -
// 1 of them, so that the mean of a convex function of it falls. The relative variance is that of
// the square, and B over Z that of (m - 1) log m under the distribution of runs.
//
// Source: Burda, Grosse and Salakhutdinov 2016, Theorem 1, of the logarithm.
func TestFalls(t *testing.T) {
	rows := smcRun(t, casetest.Selection([]int{3}, "random:1:1:3", "random:10:2:3"),
		settings([]int{1, 2, 3, 4, 5}, []float64{0}, particle.Multinomial{}))
	for i := 1; i < len(rows); i++ {
		r := &rows[i]
		q := &rows[i-1]
		if r.Particles == q.Particles+1 &&
			(r.B > q.B*(1+1e-9) || r.RelativeVariance > q.RelativeVariance*(1+1e-9)) || len(rows) != 10 {
			t.Errorf("%s: from %d particles on B goes from %v to %v, and the relative variance from %v to %v",
				&r.Case, q.Particles, q.B, r.B,
				q.RelativeVariance, r.RelativeVariance)
		}
		smcNear(t, "limit_P_relative_variance", r.Limits.P, rows[i/5*5].RelativeVariance, 1e-9)
	}
}
