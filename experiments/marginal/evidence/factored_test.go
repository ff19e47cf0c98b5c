package evidence_test

import (
	"context"
	"math"
	"testing"

	"breadboard/experiments/forms"
	"breadboard/experiments/marginal/evidence"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// TestOnFactors: if the states can be listed too, what runs on factors say is within five standard
// errors of the exact distributions, for the same settings and works, of one estimate and of three
// combined; other estimators have a row that says why not, and are left out if all were asked for.
func TestOnFactors(t *testing.T) {
	longtest.Only(t)
	const toy = "ising:3x3:0.4"
	s := subject.Selection{
		Reader:   forms.Reader(),
		Toys:     []string{toy},
		Default:  []int{2},
		Path:     "geometric",
		Schedule: "linear",
		Kernel:   "heatbath-scan",
	}
	o := evidence.Options{
		Estimators: []string{"ais", "rais", "ais:T=5", "lw"},
		Work:       []float64{40, 100},
		Trials:     []int{1, 3},
		Above:      []float64{0.1},
		Seed:       1,
	}
	listed := longtest.Must(study.Run(context.Background(), evidence.Study(),
		longtest.Must(s.Cases(context.Background()))(t), o, study.How{}))(t)
	o.Runs = 5000
	got := longtest.Must(study.Run(context.Background(), evidence.Study(),
		longtest.Must(s.OnFactors(context.Background(), toy))(t), o, study.How{}))(t)
	want := map[[4]string]evidence.Row{}
	of := func(r *evidence.Row) [4]string { return [4]string{r.Estimator, r.Settings, r.Combined(), ""} }
	for _, r := range listed {
		want[of(&r)] = r
	}
	compared := 0
	for _, r := range got {
		if r.Estimator == "lw" {
			if r.Error == "" {
				t.Errorf("%+v", r)
			}
			continue
		}
		w, is := want[of(&r)]
		if !is || r.Work != w.Work || r.Bound != w.Bound || math.Abs(r.LogZRatio-w.LogZRatio) > 1e-12 ||
			r.NeedsExactDraw != w.NeedsExactDraw {
			t.Fatalf("%v: work %v, log Z %v; exactly %+v", of(&r), r.Work, r.LogZRatio, w)
		}
		compared++
		se := r.Sample.StandardError
		if math.Abs(r.Mean-w.Mean) > 5*se || math.Abs(r.SD/w.SD-1) > 0.2 ||
			math.Abs(r.LogMeanZ-w.LogMeanZ) > 8*se || !math.IsNaN(w.PAbove1) &&
			math.Abs(r.PAbove1-w.PAbove1) > 0.04 {
			t.Errorf("%v: mean %v +- %v, sd %v, log mean %v, above %v; exactly %v, %v, %v, %v", of(&r),
				r.Mean, se, r.SD, r.LogMeanZ, r.PAbove1, w.Mean, w.SD,
				w.LogMeanZ, w.PAbove1)
		}
	}
	if compared != 10 {
		t.Errorf("%d rows are compared", compared)
	}
	o.Estimators = []string{evidence.All}
	o.Trials = []int{1}
	all := longtest.Must(study.Run(context.Background(), evidence.Study(),
		longtest.Must(s.OnFactors(context.Background(), toy))(t), o, study.How{}))(t)
	if len(all) != 4 || len(all[0].Shared.Omitted) < 10 {
		t.Errorf("%d rows, %v left out", len(all), all[0].Shared.Omitted)
	}
}
