package evidence

import (
	"context"
	"math"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
)

// TestBounds: what is said to be a bound is one on every target here, for one estimate and for several.
func TestBounds(t *testing.T) {
	longtest.NotShort(t)
	cases, err := Cases(t.Context(), experiments.Selection{Toys: []string{"clu4", "random:1:0:2x2", "random:3:2:2x3"}, Path: "geometric", Schedule: DefaultSchedule})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := Study().Run(context.Background(), cases, Options{Estimators: []string{All, "ns:3:label:unbiased"}, Work: []float64{4, 20}, Trials: []int{1, 3}}, study.How{})
	if err != nil {
		t.Fatal(err)
	}
	const rounding = 1e-11
	draws := map[string]bool{}
	for i := range rows {
		r := &rows[i]
		if r.Bound == Lower && r.Bias > rounding || r.Bound == Upper && r.Bias < -rounding {
			t.Errorf("%s: %s %s %s: bias %v of a bound that is %s", r.Toy.Name, r.Estimator, r.Settings, r.Combined(), r.Bias, r.Bound)
		}
		if r.Bound == Lower && r.LogMeanZ > r.LogZRatio+rounding {
			t.Errorf("%s: %s %s %s: E Z-hat is above Z", r.Toy.Name, r.Estimator, r.Settings, r.Combined())
		}
		draws[r.Estimator] = r.NeedsExactDraw
	}
	for name, want := range map[string]Bound{
		"lw": Lower, "hme": Upper, "hme:chain": Upper, "ais": Lower, "rais": Upper, "smc": Lower, "shme": Upper, "chib": Upper,
		"chib:chain": NoBound, "cms": Lower, "cms:first": NoBound, "ns": NoBound, "ns:3:label:unbiased": NoBound, "mf": Lower, "mf:sym": Lower, "vb": Lower, "vb:sym": NoBound, "bic": NoBound,
	} {
		found := false
		for i := range rows {
			if r := &rows[i]; r.Estimator == name {
				if found = true; r.Bound != want {
					t.Errorf("%s is %s, want %s", name, r.Bound, want)
				}
			}
		}
		if !found {
			t.Errorf("no row of %s", name)
		}
	}
	for name, want := range map[string]bool{"lw": false, "ais": false, "chib:chain": false, "cms": false, "vb": false, "hme": true, "rais": true, "chib": true, "ns": true} {
		if draws[name] != want {
			t.Errorf("%s: exact draws %v", name, draws[name])
		}
	}
}

// TestUsable: rows are ordered target by target, and the best is one that real data allow at the work.
func TestUsable(t *testing.T) {
	cases, err := Cases(t.Context(), experiments.Selection{Toys: []string{"random:1:0:2x2", "clu4"}, Path: "geometric", Schedule: DefaultSchedule})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := Study().Run(context.Background(), cases, Options{Estimators: []string{"hme", "lw", "ais", "mf"}, Work: []float64{4, 20}, Trials: []int{1}, Sort: ByRMSE}, study.How{})
	if err != nil {
		t.Fatal(err)
	}
	lists := ByTarget(rows)
	if len(lists) != 2 || rows[0].Shared.Work != 20 {
		t.Fatalf("%d targets, work %v", len(lists), rows[0].Shared.Work)
	}
	for _, list := range lists {
		for i := range list {
			if i > 0 && list[i].RMSE < list[i-1].RMSE || list[i].Toy.Name != list[0].Toy.Name {
				t.Errorf("row %d is %s %s with %v", i, list[i].Toy.Name, list[i].Estimator, list[i].RMSE)
			}
		}
		best := Usable(list, 20)
		if best == nil || best.NeedsExactDraw || best.Work > 20 {
			t.Fatalf("best %+v", best)
		}
		for _, r := range list {
			if !r.NeedsExactDraw && r.Work <= 20 && r.RMSE < best.RMSE {
				t.Errorf("%s %s has less than %s", r.Estimator, r.Settings, best.Estimator)
			}
		}
	}
	if Usable([]Row{{Work: 30, Numbers: Numbers{RMSE: 1}}, {Work: 1, Numbers: Numbers{RMSE: math.NaN()}}, {Work: 1, NeedsExactDraw: true}}, 20) != nil {
		t.Error("a row that real data do not allow, that costs too much or of which nothing is known is usable")
	}
}
