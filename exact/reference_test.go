package exact_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"strconv"
	"testing"

	"breadboard/chains"
	"breadboard/exact"
	"breadboard/toys"
)

// tolerance is the relative error of J, B and both KLs that is allowed here. The package promises 1e-12 anywhere;
// at these points it has been seen to keep to 1e-13, and a loss of digits is to be noticed.
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
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no %s here", path)
	}
	if err != nil {
		t.Fatal(err)
	}
	var rows []reference
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

// annealing builds the annealing of selectors, or fails the test.
func annealing(t testing.TB, toy, schedule, kernel string, T int) *chains.Annealing {
	t.Helper()
	y, err := toys.Parse(toy)
	if err != nil {
		t.Fatal(err)
	}
	path, err := chains.NewGeometric(nil, y.G)
	if err != nil {
		t.Fatal(err)
	}
	s, err := chains.ParseSchedule(schedule)
	if err != nil {
		t.Fatal(err)
	}
	k, err := chains.ParseKernel(kernel, y.Space)
	if err != nil {
		t.Fatal(err)
	}
	a, err := chains.NewAnnealing(path, s, k, T)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// onPath returns the annealing on another path.
func onPath(t testing.TB, a *chains.Annealing, path, toy string) *chains.Annealing {
	t.Helper()
	y, err := toys.Parse(toy)
	if err != nil {
		t.Fatal(err)
	}
	start, err := toys.ParseInitial(context.Background(), "uniform", y)
	if err != nil {
		t.Fatal(err)
	}
	p, err := toys.ParsePath(path, start.Ends, y)
	if err != nil {
		t.Fatal(err)
	}
	if a, err = chains.NewAnnealing(p, a.Schedule(), a.Kernel(), a.Distributions()); err != nil {
		t.Fatal(err)
	}
	return a
}

func solve(t testing.TB, a *chains.Annealing, opts ...exact.Option) *exact.Solution {
	t.Helper()
	s, err := exact.Solve(context.Background(), a, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func parse(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func checkReference(t *testing.T, r reference, s *exact.Solution) {
	t.Helper()
	for _, q := range []struct {
		name string
		got  float64
		want string
		abs  bool // the promise is absolute: the number may pass through zero
	}{
		{"J", s.J, r.J, false}, {"B", s.B, r.B, false}, {"kl_q_p", s.KLQP, r.KLQP, false}, {"kl_p_q", s.KLPQ, r.KLPQ, false},
		{"mean_log_w_forward", s.MeanLogWForward, r.Forward, true}, {"mean_log_w_reverse", s.MeanLogWReverse, r.Reverse, true},
		{"log_z_ratio", s.LogZRatio, r.LogZ, true},
	} {
		want := parse(t, q.want)
		scale := math.Abs(want)
		if q.abs {
			scale = max(1, scale)
		}
		e := math.Abs(q.got-want) / scale
		limit := tolerance
		if r.Path != "geometric" { // the rounding of 1 - b, see chains.PowerMean
			limit += float64(r.T) * 0x1p-53
		}
		if !(e <= limit) {
			t.Errorf("%s (%s): %s = %v, want %s: error %.2g", r, s.Method, q.name, q.got, q.want, e)
		} else if testing.Verbose() {
			t.Logf("%s (%s): %s error %.2g", r, s.Method, q.name, e)
		}
	}
}

func TestSharedReference(t *testing.T) {
	for _, r := range readReference(t, "../../shared/reference/tightness.json") {
		a := annealing(t, r.Toy, r.Schedule, r.Kernel, r.T)
		checkReference(t, r, solve(t, a))
		if r.T <= longest(1000, 100_000) {
			checkReference(t, r, solve(t, a, exact.WithGeneral()))
		}
	}
}

// longest returns how many distributions a case may have in short tests, and in full ones.
func longest(short, full int) int {
	if testing.Short() {
		return short
	}
	return full
}

// TestReference compares with testdata/reference.json, which testdata/reference.c computed in 113 bits.
func TestReference(t *testing.T) {
	for _, r := range readReference(t, "testdata/reference.json") {
		if r.T > longest(3000, 1_000_000) {
			continue
		}
		a := onPath(t, annealing(t, r.Toy, r.Schedule, r.Kernel, r.T), r.Path, r.Toy)
		s := solve(t, a)
		checkReference(t, r, s)
		if s.Method != exact.MethodGeneral && r.T <= longest(1000, 30_000) {
			checkReference(t, r, solve(t, a, exact.WithGeneral()))
		}
	}
}
