package evidence_test

import (
	"math"
	"testing"

	"breadboard/experiments/marginal/evidence"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
)

// TestFilter holds a bootstrap filter of ten particles to the moments that an independent program
// finds for it, and to its runs; and names and settings to each other.
func TestFilter(t *testing.T) {
	path := longtest.File(t, "three.toml", `pi = [0.6, 0.3, 0.1]
A = [[0.7, 0.2, 0.1], [0.15, 0.7, 0.15], [0.1, 0.3, 0.6]]
E = [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.05, 0.25, 0.7]]
y = [0, 2, 1, 2, 2, 0]
`)
	cases := selected(t, "hmm:"+path)
	r := run(t, cases, evidence.Options{
		Estimators: []string{"pf:10"},
		Work:       []float64{1},
		Trials:     []int{1},
		Runs:       4000,
		Seed:       1,
	}, study.How{})[0]
	if math.Abs(r.LogZRatio - -6.97780152482757) > 1e-13 || math.Abs(r.Bias - -0.14579903228) > 1e-10 ||
		r.Estimator != "pf" || r.Settings != "P=10" ||
		r.Work != 10 || r.Bound != evidence.Lower {
		t.Errorf("%+v", r)
	}
	if z := (r.Sample.Mean - r.Mean) / r.Sample.StandardError; !(math.Abs(z) < 5) ||
		math.Abs(r.SD*r.SD/4000/r.Sample.StandardError/r.Sample.StandardError-1) > 0.3 {
		t.Errorf("the runs have the mean %v +- %v, and the law %v +- %v", r.Sample.Mean,
			r.Sample.StandardError, r.Mean, r.SD/math.Sqrt(4000))
	}
	optimal := one(t, cases, "pf:optimal", 13)
	if optimal.Settings != "P=4" || !(optimal.Bias > one(t, cases, "pf", 4).Bias) {
		t.Errorf("%+v", optimal)
	}
	if r.Emissions != 60 || optimal.Emissions != 72 {
		t.Errorf("%v and %v emissions", r.Emissions, optimal.Emissions)
	}
	few := run(t, cases, evidence.Options{
		Estimators: []string{"pf:4:systematic", "pf:2:optimal:residual:0.5", "pf:10:0.5"},
		Work:       []float64{1},
		Trials:     []int{1},
		Runs:       4000,
		Seed:       1,
	}, study.How{})
	for i, r := range few[:2] {
		if r.Method != []string{"slots", "transform"}[i] || !(math.Abs(r.Sample.Z) < 5) ||
			math.Abs(r.Mean-r.LogZRatio-r.Bias) > 1e-12 {
			t.Errorf("%+v", r)
		}
	}
	if few[2].Method != "runs" || few[2].Estimator != "pf:multinomial:0.5" {
		t.Errorf("%+v", few[2])
	}
	for _, text := range []string{
		"pf:0", "pf:1.5", "pf:10:best", "pf:optimal:10", "pf:K=10", "pf:5:systematic:2", "pf:5:"} {
		if c, err := evidence.Parse(text); err == nil {
			t.Errorf("%s is %+v", text, c.Name)
		}
	}
}

// TestFilterThatDies: a run whose particles all die estimates zero, so that the mean of log Z-hat
// is -Inf.
func TestFilterThatDies(t *testing.T) {
	path := longtest.File(t, "dies.json",
		`{"initial": [0.5, 0.5], "transition": [[0.5, 0.5], [0.5, 0.5]], "emission": [[1, 0], [0, `+
			`1]], "observations": [0, 1, 1]}`)
	r := run(t, selected(t, "hmm:"+path), evidence.Options{
		Estimators: []string{"pf:3"},
		Work:       []float64{1},
		Trials:     []int{1},
		Runs:       200,
		Seed:       1,
	}, study.How{})[0]
	if !math.IsInf(r.Mean, -1) || !math.IsNaN(r.SD) || math.Abs(r.LogMeanZ-3*math.Log(0.5)) > 1e-14 ||
		!math.IsInf(r.Sample.Mean, -1) {
		t.Errorf("%+v", r)
	}
}
