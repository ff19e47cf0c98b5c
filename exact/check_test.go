package exact_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/exact"
)

func failing(t testing.TB, a *chains.Annealing, s *exact.Solution) []string {
	t.Helper()
	ids, err := exact.Check(context.Background(), a, s)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, i := range ids {
		if !i.OK {
			names = append(names, i.Name)
		}
	}
	return names
}

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
		a := annealing(t, c.toy, c.schedule, c.kernel, min(c.T, longest(300, c.T)))
		if bad := failing(t, a, solve(t, a)); bad != nil {
			t.Errorf("%v: %v do not hold", c, bad)
		}
	}
}

func TestIdentitiesHoldAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := problem(t, 24, 30)
		s, err := exact.Solve(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		ids, err := exact.Check(context.Background(), a, s)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range ids {
			if !i.OK {
				t.Fatalf("%s: %.17g and %.17g", i.Name, i.Got, i.Want)
			}
		}
	})
}

// TestChecksCanFail gives Check solutions that are wrong in the tenth digit.
func TestChecksCanFail(t *testing.T) {
	a := annealing(t, "easy", "linear", "metropolis", 50)
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
		s := solve(t, a)
		spoil(s)
		found := false
		for _, bad := range failing(t, a, s) {
			found = found || bad == name
		}
		if !found {
			t.Errorf("%q holds of a solution that was spoiled", name)
		}
	}
}

// TestMarginalsBruteForce compares the marginals of both chains at every stage with plain matrix products.
func TestMarginalsBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := problem(t, 12, 8)
		n, T := a.States(), a.Distributions()
		all := make([]int, T)
		for i := range all {
			all[i] = T - i
		}
		got, err := exact.Marginals(context.Background(), a, all)
		if err != nil {
			t.Fatal(err)
		}
		logf := make([]float64, n)
		rows := func(k chains.Kernel, i int) *exact.Rows {
			a.LogF(logf, i)
			r, err := exact.NewRows(context.Background(), k, logf)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		reversal := a.Kernel()
		if r, ok := reversal.(chains.Reverser); ok {
			reversal = r.Reversal()
		}
		push := func(q []float64, r *exact.Rows) []float64 {
			next := make([]float64, n)
			for x, mass := range q {
				for _, e := range r.Row(x) {
					next[e.To] += mass * e.P
				}
			}
			return next
		}
		q := exact.Distribution(a.Path(), 0)
		for i := 1; i <= T; i++ {
			if i > 1 {
				q = push(q, rows(a.Kernel(), i))
			}
			equal(t, "forward", i, got[T-i].Forward, q)
			equal(t, "p", i, got[T-i].P, exact.Distribution(a.Path(), a.Beta(i)))
		}
		q = exact.Distribution(a.Path(), 1)
		for i := T; i >= 1; i-- {
			equal(t, "reverse", i, got[T-i].Reverse, q)
			if i > 1 {
				q = push(q, rows(reversal, i))
			}
		}
	})
}

func equal(t *rapid.T, what string, stage int, got, want []float64) {
	for x := range want {
		if math.Abs(got[x]-want[x]) > 1e-13 {
			t.Fatalf("%s, stage %d: state %d has %v, want %v", what, stage, x, got[x], want[x])
		}
	}
}

func TestMarginalsErrors(t *testing.T) {
	a := annealing(t, "easy", "linear", "metropolis", 10)
	for _, stage := range []int{0, 11, -1} {
		if _, err := exact.Marginals(context.Background(), a, []int{stage}); err == nil {
			t.Errorf("stage %d is accepted", stage)
		}
	}
}
