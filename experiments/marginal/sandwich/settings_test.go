package sandwich

import (
	"math"
	"slices"
	"testing"

	"breadboard/chains/estimators"
	"breadboard/experiments/forms"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// TestSettingsOfThePaper: what estimators cost, by hand, says with which settings they run: 100
// scans find z*, data are proposed from their posterior, and nested sampling has two particles. The
// data have six rows, so that a scan weighs the other cluster of each.
func TestSettingsOfThePaper(t *testing.T) {
	_, data := drawn(t, "clustering:2")
	p := data.problem()
	work := func(e Estimator, err error) float64 {
		t.Helper()
		longtest.NoError(t, err)
		return e.Work().Evaluations
	}
	for name, got := range map[string][2]float64{
		"100 scans, and four moves and transitions": {
			work(p.estimator("cms", 4)), 1 + (100+4+4)*6},
		"both clusters of each row": {work(p.estimator("smc", 0)), 6 * 2},
		"the state, and of each row the drop and other clusters": {
			work(p.estimator("shme", 0)), 1 + 5*(1+1) + 1},
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

// TestCombinations: trials are combined as the estimators that make them say; of bounds the largest
// is taken, and nested sampling has a mean of logarithms.
func TestCombinations(t *testing.T) {
	_, data := drawn(t, "clustering:2")
	p := data.problem()
	others := map[string]estimators.Combination{
		"ns": estimators.MeanOfLogs, "vb": estimators.Maximum, "bic": estimators.Maximum}
	for _, c := range Choices() {
		want, known := others[c.Name]
		if !known {
			want = longtest.Must(p.estimator(c.Name, c.Least))(t).Combination()
		}
		if want != c.Combination {
			t.Errorf("%s is combined by %v, and should be by %v", c.Name, c.Combination, want)
		}
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

// TestFitsHaveTheModelsNumbers: if variational Bayes is exact, its bound is the weight of
// annealing, whatever the variances are: with one cluster, with an attribute that every row has,
// and with factors that are nearly zero.
func TestFitsHaveTheModelsNumbers(t *testing.T) {
	for _, name := range []string{
		"clustering:1:3:0.5", "binary:1:0.999999999999999:3:0.5", "lowrank:1:1e-6:1e-7:0.5"} {
		set, data := drawn(t, name)
		var logs []float64
		for _, by := range []string{"vb", "ais"} {
			c := mustChoice(t, by)
			e := mustEstimate(t, set, data, c, 2, 1)
			logs = append(logs, e.LogZ)
		}
		if !(math.Abs(logs[0]-logs[1]) < 1e-5) {
			t.Errorf("%s: the bound of variational Bayes is %v, and the weight of annealing %v",
				name, logs[0], logs[1])
		}
	}
}

// TestSignal: if rounding of the data decides how likely they are, a model is refused. At the
// largest ratio of signal and noise that is taken, two ways to p(y) still agree: with one cluster
// every chain has the weight p(y), row by row along the data and all at once where it is annealed.
func TestSignal(t *testing.T) {
	for _, text := range []string{"clustering:3:1e10:1e-11", "lowrank:2:1e5:1e6:1e-10"} {
		longtest.Refuses(ParseModel(text))(t, "their ratio must be at most 1e+20", text)
	}
	m := mustModel(t, "clustering:1:1e10:1e-10")
	set := Set{m, DefaultRows, DefaultColumns, 1, 1}
	data := mustDraw(t, set)
	var ends []float64
	for name, knob := range map[string]int{"smc": 0, "ais": 2} {
		c := mustChoice(t, name)
		e := mustEstimate(t, set, data, c, knob, 1)
		ends = append(ends, e.LogZ)
	}
	if d := math.Abs(ends[0] - ends[1]); !(d < 1e-3) {
		t.Errorf("log p(y) is %v by one way and %v by another", ends[0], ends[1])
	}
}

// TestInferRefuses: what the models themselves refuse, and a model of another kind.
func TestInferRefuses(t *testing.T) {
	m := mustModel(t, "lowrank:3")
	longtest.Refuses(m.Infer([][]float64{{1, 2, 3}, {4, 5, 6}}))(t, "3 components")
	longtest.Refuses((Model{Name: "tree:3", Kind: "tree"}).Infer(nil))(t, "tree:3")
}

// TestTrialStudy: a sweep stores what a trial comes to, in an order that files go on having, and it
// is read back as the same estimate.
func TestTrialStudy(t *testing.T) {
	s := TrialStudy().Declaration.Sweep()
	want := []string{"log_z", "log_z_symmetric", "log_z_unbiased", "log_z_early", "log_z_unbiased_early",
		"steps", "steps_early", "work", "seconds"}
	if !slices.EqualFunc(s.Values, want, func(v subject.Value, name string) bool { return v.Name == name }) ||
		s.Name != "sandwich" {
		t.Fatalf("%s has %v", s.Name, s.Values)
	}
	for estimator, knob := range map[string]string{"ns": "2", "vb": "1", "shme": "1"} {
		params := subject.Params{
			{Name: ParamModel, Value: "clustering:2"}, {Name: ParamRows, Value: "5"},
			{Name: ParamColumns, Value: "3"}, {Name: ParamSeed, Value: "4"},
			{Name: ParamData, Value: "2"}, {Name: ParamEstimator, Value: estimator},
			{Name: ParamKnob, Value: knob}, {Name: ParamTrial, Value: "3"},
		}
		o, err := s.SolveRow(t.Context(), forms.Reader(), params)
		if err != nil || s.Validate(o) != nil {
			t.Fatalf("%s: %v, %v", estimator, err, s.Validate(o))
		}
		m := mustModel(t, "clustering:2")
		set := Set{m, 5, 3, 2, 4}
		data := mustDraw(t, set)
		by := mustChoice(t, estimator)
		e := mustEstimate(t, set, data, by, params.Int(ParamKnob), 3)
		got := EstimateOf(o.Numbers)
		for i, pair := range [][2]float64{
			{got.LogZ, e.LogZ}, {got.LogZSymmetric, e.LogZSymmetric}, {got.LogZUnbiased, e.LogZUnbiased},
			{got.LogZEarly, e.LogZEarly},
			{got.LogZUnbiasedEarly, e.LogZUnbiasedEarly}, {got.Steps, e.Steps},
			{got.StepsEarly, e.StepsEarly}, {got.Work, e.Work},
		} {
			if math.Float64bits(pair[0]) != math.Float64bits(pair[1]) &&
				!(math.IsNaN(pair[0]) && math.IsNaN(pair[1])) {
				t.Errorf("%s: %s is %v, and of the trial itself %v", estimator, want[i], pair[0], pair[1])
			}
			if stored := s.Value(want[i], o.Numbers); stored != pair[0] && !math.IsNaN(pair[0]) {
				t.Errorf("%s: %s is stored as %v, and read as %v", estimator, want[i], stored, pair[0])
			}
		}
	}
}
