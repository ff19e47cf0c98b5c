package exact_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"

	"breadboard/chains"
	"breadboard/exact"
	"breadboard/exact/internal/exacttest"
	"breadboard/grid/longtest"
	"breadboard/toys/forms"
)

// tolerance is the relative error of J, B and both KLs that is allowed here. The package promises
// 1e-12 anywhere; at these points it has been seen to keep to 1e-13, and a loss of digits is to be
// noticed.
const tolerance = 2e-13

// reference is one row of a table of values computed elsewhere, as decimal strings.
type reference struct {
	Toy      string
	T        int
	Path     string
	Schedule string
	Kernel   string
	J, B     string
	KLQP     string `json:"kl_q_p"`
	KLPQ     string `json:"kl_p_q"`
	Forward  string `json:"mean_log_w_forward"`
	Reverse  string `json:"mean_log_w_reverse"`
	LogZ     string `json:"log_z_ratio"`
}

func (r reference) String() string {
	return fmt.Sprintf("%s,T=%d,%s,%s,%s", r.Toy, r.T, r.Path, r.Schedule, r.Kernel)
}

func readReference(t *testing.T, path string) []reference {
	t.Helper()
	data := longtest.Must(os.ReadFile(path))(t)
	var rows []reference
	longtest.NoError(t, json.Unmarshal(data, &rows))
	return rows
}

func parse(t *testing.T, s string) float64 {
	t.Helper()
	return longtest.Must(strconv.ParseFloat(s, 64))(t)
}

func checkReference(t *testing.T, r reference, s *exact.Solution) {
	t.Helper()
	for _, q := range []struct {
		name string
		got  float64
		want string
		abs  bool // the promise is absolute: the number may pass through zero
	}{
		{"J", s.J, r.J, false}, {"B", s.B, r.B, false}, {"kl_q_p", s.KLQP, r.KLQP, false},
		{"kl_p_q", s.KLPQ, r.KLPQ, false},
		{"mean_log_w_forward", s.MeanLogWForward, r.Forward, true},
		{"mean_log_w_reverse", s.MeanLogWReverse, r.Reverse, true},
		{"log_z_ratio", s.LogZRatio, r.LogZ, true},
	} {
		want := parse(t, q.want)
		scale := math.Abs(want)
		if q.abs {
			scale = max(1, scale)
		}
		e := math.Abs(q.got-want) / scale
		limit := tolerance
		if r.Path != "geometric" { // the rounding of 1 - b, see paths.PowerMean
			limit += float64(r.T) * 0x1p-53
		}
		if !(e <= limit) {
			t.Errorf("%s (%s): %s = %v, want %s: error %.2g", r, s.Method, q.name, q.got, q.want, e)
		}
	}
}

// TestReference compares with testdata/tightness.json, values of the geometric path and the linear
// schedule by a program in 113 bits of which nothing is in this project, and with
// testdata/reference.json, which testdata/reference.c computed in 113 bits. Of their 25 digits the
// last few are rounding. With -long it leaves out most rows of many distributions: one of a hundred
// thousand stays for the specialised methods, and one of thirty thousand for the general one.
func TestReference(t *testing.T) {
	for file, general := range map[string]int{"tightness": 100_000, "reference": 30_000} {
		for _, r := range readReference(t, "testdata/"+file+".json") {
			kept := longtest.Enabled() && (r.Toy == "easy" && r.T == 100_000 && r.Path == "geometric" ||
				r.Toy == "hard" && r.T == 30_000 && r.Path == "q:0.5")
			if r.T > exacttest.Longest(300, 1000, 1_000_000) && !kept {
				continue
			}
			a := onPath(t, exacttest.Annealing(t, r.Toy, r.Schedule, r.Kernel, r.T), r.Path, r.Toy)
			s := exacttest.Solve(t, a)
			checkReference(t, r, s)
			if s.Method != exact.MethodGeneral && r.T <= exacttest.Longest(100, 1000, general) {
				checkReference(t, r, solveWith(t, a, exact.Options{General: true}))
			}
		}
	}
}

// onPath returns the annealing on another path, to the target of the toy from a uniform start.
func onPath(t longtest.Failer, a *chains.Annealing, path, toy string) *chains.Annealing {
	t.Helper()
	y := longtest.Must(forms.Targets().Parse(toy))(t)
	start := longtest.Must(forms.Targets().ParseInitial(context.Background(), "uniform", y))(t)
	p := longtest.Must(forms.Targets().ParsePath(path, start.Ends, y))(t)
	a = longtest.Must(chains.NewAnnealing(p, a.Schedule(), a.Kernel(), a.Distributions()))(t)
	return a
}

// solveWith returns the solution of an annealing with options, and fails the test if there is none.
func solveWith(t longtest.Failer, a *chains.Annealing, o exact.Options) *exact.Solution {
	t.Helper()
	return longtest.Must(exact.Solve(context.Background(), a, o))(t)
}
