package sandwich

import (
	"context"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/simulate"
	"breadboard/grid/longtest"
)

// TestSettingsOfThePaper: what estimators cost, by hand, says with which settings they run: 100 scans find z*, data are proposed from their
// posterior, and nested sampling has two particles. The data have six rows, so that a scan weighs the other cluster of each.
func TestSettingsOfThePaper(t *testing.T) {
	_, data := drawn(t, "clustering:2")
	p := data.problem()
	work := func(e Estimator, err error) float64 {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return e.Work().Evaluations
	}
	for name, got := range map[string][2]float64{
		"100 scans, and four moves and transitions":              {work(p.murraySalakhutdinov(4, estimators.StartUniform)), 1 + (100+4+4)*6},
		"both clusters of each row":                              {work(p.sequential(0, chains.Forward)), 6 * 2},
		"the state, and of each row the drop and other clusters": {work(p.sequential(0, chains.Reverse)), 1 + 5*(1+1) + 1},
	} {
		if got[0] != got[1] {
			t.Errorf("%s: %v evaluations, and by hand %v", name, got[0], got[1])
		}
	}
	climb := longtest.Must(p.nested(fewestParticles, 3))(t)
	if got := climb.Work(estimators.NestedEnd{}).Evaluations; got != 2 {
		t.Errorf("nested sampling begins with %v evaluations, and has two particles", got)
	}
}

// TestCombinations: trials are combined as the estimators that make them say; of bounds the largest is taken, and nested sampling has a mean
// of logarithms.
func TestCombinations(t *testing.T) {
	_, data := drawn(t, "clustering:2")
	p := data.problem()
	combination := func(e Estimator, err error) estimators.Combination {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return e.Combination()
	}
	want := map[string]estimators.Combination{
		"lw": combination(p.weighting(2)), "hme": combination(p.harmonic(2)), "ais": combination(p.annealed(Schedule(), 2, chains.Forward)), "rais": combination(p.annealed(Schedule(), 2, chains.Reverse)),
		"smc": combination(p.sequential(1, chains.Forward)), "shme": combination(p.sequential(1, chains.Reverse)), "cms": combination(p.murraySalakhutdinov(2, estimators.StartUniform)),
		"cms:first": combination(p.murraySalakhutdinov(2, estimators.StartFirst)), "ns": estimators.MeanOfLogs, "vb": estimators.Maximum, "bic": estimators.Maximum,
	}
	for _, c := range Choices() {
		if own, known := want[c.Name]; !known || own != c.Combination {
			t.Errorf("%s is combined by %v, and should be by %v", c.Name, c.Combination, own)
		}
	}
}

// TestSchedule: all annealing is along the schedule of the paper.
func TestSchedule(t *testing.T) {
	if name := Schedule().String(); name != "sigmoid:4" {
		t.Errorf("the schedule is %s", name)
	}
}

// TestDataSetsDiffer: data sets of different numbers, seeds and models have no number in common.
func TestDataSetsDiffer(t *testing.T) {
	seen := map[float64]string{}
	for _, name := range []string{"clustering:2", "clustering:3", "lowrank:2", "binary:2"} {
		m := mustModel(t, name)
		for _, set := range []Set{{m, 6, 4, 1, 1}, {m, 6, 4, 2, 1}, {m, 6, 4, 1, 2}, {m, 6, 5, 1, 1}} {
			data := mustDraw(t, set)
			v := data.Rows[2][1]
			if other, twice := seen[v]; twice {
				t.Errorf("%+v and %s have the number %v at one place", set, other, v)
			}
			seen[v] = name
		}
	}
}

// TestFitsHaveTheModelsNumbers: where variational Bayes is exact, its bound is the weight of annealing, whatever the variances are: with one
// cluster, with an attribute that every row has, and with factors that are nearly zero.
func TestFitsHaveTheModelsNumbers(t *testing.T) {
	for _, name := range []string{"clustering:1:3:0.5", "binary:1:0.999999999999999:3:0.5", "lowrank:1:1e-6:1e-7:0.5"} {
		set, data := drawn(t, name)
		var logs []float64
		for _, by := range []string{"vb", "ais"} {
			c := mustChoice(t, by)
			e := mustEstimate(t, set, data, c, 2, 1)
			logs = append(logs, e.LogZ)
		}
		if !(math.Abs(logs[0]-logs[1]) < 1e-5) {
			t.Errorf("%s: the bound of variational Bayes is %v, and the weight of annealing %v", name, logs[0], logs[1])
		}
	}
}

// uniforms counts the uniform draws of places.
type uniforms struct {
	chains.RealChooser
	n int
}

func (u *uniforms) Uniform(n int) int {
	u.n++
	return u.RealChooser.Uniform(n)
}

// TestStartsOfCMS: one of the two estimators draws the place of its chain at which it starts, and the other one starts at the first.
func TestStartsOfCMS(t *testing.T) {
	_, data := drawn(t, "clustering:2")
	for name, want := range map[string]int{"cms": 1, "cms:first": 0} {
		c := mustChoice(t, name)
		run := longtest.Must(c.make(data.problem(), 5))(t)
		u := &uniforms{RealChooser: chains.NewSampler(simulate.NewStream(1, "starts", 1))}
		longtest.Must(run(trial{context.Background(), u}))(t)
		if u.n != want {
			t.Errorf("%s draws %d places", name, u.n)
		}
	}
}
