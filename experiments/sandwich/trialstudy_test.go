package sandwich

import (
	"math"
	"slices"
	"testing"

	"breadboard/experiments"
)

// TestTrialStudy: a sweep stores what a trial comes to, in an order that files go on having, and it is read back as the same estimate.
func TestTrialStudy(t *testing.T) {
	s := TrialStudy().Sweep()
	want := []string{"log_z", "log_z_symmetric", "log_z_unbiased", "log_z_early", "log_z_unbiased_early", "steps", "steps_early", "work", "seconds"}
	if names := s.ValueNames(); !slices.Equal(names, want) || s.Name != "sandwich" || s.Former != "" || s.MainValue() != "log_z" {
		t.Fatalf("%s has %v", s.Name, names)
	}
	for estimator, knob := range map[string]string{"ns": "2", "vb": "1", "shme": "1"} {
		params := experiments.Params{
			{Name: ParamModel, Value: "clustering:2"}, {Name: ParamRows, Value: "5"}, {Name: ParamColumns, Value: "3"}, {Name: ParamSeed, Value: "4"},
			{Name: ParamData, Value: "2"}, {Name: ParamEstimator, Value: estimator}, {Name: ParamKnob, Value: knob}, {Name: ParamTrial, Value: "3"},
		}
		o, err := s.Row(t.Context(), params)
		if err != nil || s.Validate(params, o) != nil {
			t.Fatalf("%s: %v, %v", estimator, err, s.Validate(params, o))
		}
		m := mustModel(t, "clustering:2")
		set := Set{m, 5, 3, 2, 4}
		data := mustDraw(t, set)
		by := mustChoice(t, estimator)
		e := mustEstimate(t, set, data, by, params.Int(ParamKnob), 3)
		got := EstimateOf(o.Numbers)
		for i, pair := range [][2]float64{
			{got.LogZ, e.LogZ}, {got.LogZSymmetric, e.LogZSymmetric}, {got.LogZUnbiased, e.LogZUnbiased}, {got.LogZEarly, e.LogZEarly},
			{got.LogZUnbiasedEarly, e.LogZUnbiasedEarly}, {got.Steps, e.Steps}, {got.StepsEarly, e.StepsEarly}, {got.Work, e.Work},
		} {
			if math.Float64bits(pair[0]) != math.Float64bits(pair[1]) && !(math.IsNaN(pair[0]) && math.IsNaN(pair[1])) {
				t.Errorf("%s: %s is %v, and of the trial itself %v", estimator, want[i], pair[0], pair[1])
			}
			if stored := s.Value(want[i], o.Numbers); stored != pair[0] && !math.IsNaN(pair[0]) {
				t.Errorf("%s: %s is stored as %v, and read as %v", estimator, want[i], stored, pair[0])
			}
		}
	}
}
