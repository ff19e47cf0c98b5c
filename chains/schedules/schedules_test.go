package schedules_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/schedules"
	"breadboard/grid/longtest"
)

// drawSchedule draws a schedule and a T that it can have.
func drawSchedule(t *rapid.T) (chains.Schedule, int) {
	T := rapid.IntRange(2, 3000).Draw(t, "T")
	switch rapid.IntRange(0, 5).Draw(t, "kind") {
	case 0:
		return schedules.Linear{}, T
	case 1:
		return schedules.Sigmoid{Delta: rapid.Float64Range(0.01, 60).Draw(t, "delta")}, T
	case 2:
		return schedules.Power{P: rapid.Float64Range(0.1, 6).Draw(t, "power")}, T
	case 3:
		return schedules.Spaced{First: rapid.Float64Range(1e-6, 0.9).Draw(t, "first")}, T
	}
	betas := []float64{0, 1}
	for range rapid.IntRange(0, 20).Draw(t, "inner") {
		betas = append(betas, rapid.Float64Range(0, 1).Draw(t, "beta"))
	}
	slices.Sort(betas)
	if rapid.Bool().Draw(t, "curve") {
		c := longtest.Must(schedules.NewCurve(betas))(t)
		return c, T
	}
	p := longtest.Must(schedules.NewPoints("test", betas))(t)
	return p, p.Len()
}

func TestSchedulesRiseFromZeroToOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, T := drawSchedule(t)
		longtest.NoError(t, s.Validate(T))
		if b := s.Beta(1, T); b != 0 {
			t.Fatalf("%s: b_1 = %v", s, b)
		}
		if b := s.Beta(T, T); b != 1 {
			t.Fatalf("%s: b_T = %v", s, b)
		}
		// Beta is a quotient or power that rounds a few times; of a sigmoid, the rounding of a_t,
		// of size Delta, becomes a relative error.
		tolerance := 2e-15
		if s, ok := s.(schedules.Sigmoid); ok {
			tolerance *= 1 + s.Delta/4
		}
		total := 0.0
		for i := 2; i <= T; i++ {
			step := s.Step(i, T)
			difference := s.Beta(i, T) - s.Beta(i-1, T)
			if b := s.Beta(i, T); !(b >= 0 && b <= 1) {
				t.Fatalf("%s, T = %d: b_%d = %v", s, T, i, b)
			}
			if step < 0 {
				t.Fatalf("%s, T = %d: step %d is %v", s, T, i, step)
			}
			if math.Abs(step-difference) > tolerance {
				t.Fatalf("%s, T = %d: step %d is %v, the difference %v", s, T, i, step, difference)
			}
			total += step
		}
		if math.Abs(total-1) > 1e-12 {
			t.Fatalf("%s, T = %d: the steps sum to %v", s, T, total)
		}
	})
}

func TestScheduleErrors(t *testing.T) {
	for want, betas := range map[string][]float64{
		"needs at least 2": {0}, "starts with b_1 = 0.1": {0.1, 1}, "ends with b_2 = 0.9": {0, 0.9},
		"from b_2 = 0.5 to b_3 = 0.4": {0, 0.5, 0.4, 1},
		"b_2 = NaN":                   {0, math.NaN(), 1},
	} {
		longtest.Refuses(schedules.NewPoints("x", betas))(t, want)
		longtest.Refuses(schedules.NewCurve(betas))(t, want)
	}
	betas := append(make([]float64, schedules.MaxCurve-1), 1)
	if c := curve(t, betas...); c.Points() != schedules.MaxCurve || c.Beta(2, 2) != 1 ||
		c.Validate(2) != nil {
		t.Error("the longest curve")
	}
	longtest.Refuses(schedules.NewCurve(append(betas, 1)))(t, "4097 points; a curve has at most 4096")
	for _, s := range []chains.Schedule{
		schedules.Linear{}, schedules.Sigmoid{Delta: 4}, schedules.Power{P: 2}, curve(t, 0, 1)} {
		longtest.Refused(t, s.Validate(1), "1 distributions")
	}
	for _, delta := range []float64{0, -1, math.NaN(), 1e9} {
		longtest.Refused(t, schedules.Sigmoid{Delta: delta}.Validate(10), fmt.Sprintf("%v", delta))
	}
	for _, p := range []float64{0, math.Inf(1), -2} {
		longtest.Refused(t, schedules.Power{P: p}.Validate(10), fmt.Sprintf("%v", p))
	}
}
