package exact_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/exact"
	"breadboard/exact/internal/exacttest"
)

func TestIdentitiesHold(t *testing.T) {
	for _, c := range []struct {
		toy, schedule, kernel string
		T                     int
	}{
		{"easy", "linear", "metropolis", 20_000},
		{"hard", "sigmoid", "metropolis", 3000},
		{"barrier", "linear", "barker", 3000},
		{"random:300:0", "linear", "metropolis", 500},
		{"file:testdata/corners.csv", "linear", "metropolis", 500},
		{"file:testdata/corners.csv", "power:2", "barker", 500},
		{"easy", "linear", "metropolis", 2},
		{"easy", "linear", "metropolis", 3},
	} {
		a := exacttest.Annealing(t, c.toy, c.schedule, c.kernel, min(c.T, exacttest.Longest(300, 3000, c.T)))
		if bad := exacttest.Failing(t, a, exacttest.Solve(t, a)); bad != nil {
			t.Errorf("%v: %v do not hold", c, bad)
		}
	}
}

func TestIdentitiesHoldAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := exacttest.Problem(t, 24, 30)
		if bad := exacttest.Failing(t, a, exacttest.Solve(t, a)); bad != nil {
			t.Fatalf("%v do not hold", bad)
		}
	})
}

// TestChecksCanFail gives Check solutions that are wrong in the tenth digit.
func TestChecksCanFail(t *testing.T) {
	a := exacttest.Annealing(t, "easy", "linear", "metropolis", 50)
	for name, spoil := range map[string]func(*exact.Solution){
		"J by definition": func(s *exact.Solution) { s.J *= 1 + 1e-10 },
		"B by Eq. 23":     func(s *exact.Solution) { s.B *= 1 + 1e-10 },
		"B = E_rev[log w] - E_fwd[log w], pushed": func(s *exact.Solution) { s.B *= 1 - 1e-10 },
		"E_fwd[log w], pushed":                    func(s *exact.Solution) { s.MeanLogWForward += 1e-10 },
		"E_rev[log w], pushed":                    func(s *exact.Solution) { s.MeanLogWReverse += 1e-10 },
		"log E_fwd[w] = log(Z_T/Z_1)":             func(s *exact.Solution) { s.LogZRatio += 1e-10 },
		"-log E_rev[1/w] = log(Z_T/Z_1)":          func(s *exact.Solution) { s.LogZRatio -= 1e-10 },
		"J <= B":                                  func(s *exact.Solution) { s.J = s.B + 1e-10 },
	} {
		s := exacttest.Solve(t, a)
		spoil(s)
		if !slices.Contains(exacttest.Failing(t, a, s), name) {
			t.Errorf("%q holds of a solution that was spoiled", name)
		}
	}
}
