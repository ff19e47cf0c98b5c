package exact_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/stages"
	"breadboard/exact/weights"
	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/models"
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
		if r.Path != "geometric" { // the rounding of 1 - b, see paths.PowerMean
			limit += float64(r.T) * 0x1p-53
		}
		if !(e <= limit) {
			t.Errorf("%s (%s): %s = %v, want %s: error %.2g", r, s.Method, q.name, q.got, q.want, e)
		} else if testing.Verbose() {
			t.Logf("%s (%s): %s error %.2g", r, s.Method, q.name, e)
		}
	}
}

// TestOtherReference compares with testdata/tightness.json: values of the geometric path and the
// linear schedule, by a program in 113 bits of which nothing is in this project. Of their 25 digits
// the last few are rounding.
func TestOtherReference(t *testing.T) {
	for _, r := range readReference(t, "testdata/tightness.json") {
		if r.T > exacttest.Longest(1000, 10_000, 10_000) {
			continue
		}
		a := exacttest.Annealing(t, r.Toy, r.Schedule, r.Kernel, r.T)
		checkReference(t, r, exacttest.Solve(t, a))
		if r.T <= exacttest.Longest(100, 1000, 100_000) {
			checkReference(t, r, exacttest.SolveWith(t, a, exact.Options{General: true}))
		}
	}
}

// TestReference compares with testdata/reference.json, which testdata/reference.c computed in 113
// bits. Without -long it leaves out most rows of many distributions: one of a hundred thousand
// stays for the specialised methods, and one of thirty thousand for the general one.
func TestReference(t *testing.T) {
	longtest.Only(t)
	for _, r := range readReference(t, "testdata/reference.json") {
		kept := longtest.Enabled() && (r.Toy == "easy" && r.T == 100_000 && r.Path == "geometric" || r.Toy == "hard" && r.T == 30_000 && r.Path == "q:0.5")
		if r.T > exacttest.Longest(300, 1000, 1_000_000) && !kept {
			continue
		}
		a := exacttest.OnPath(t, exacttest.Annealing(t, r.Toy, r.Schedule, r.Kernel, r.T), r.Path, r.Toy)
		s := exacttest.Solve(t, a)
		checkReference(t, r, s)
		if s.Method != exact.MethodGeneral && r.T <= exacttest.Longest(300, 1000, 30_000) {
			checkReference(t, r, exacttest.SolveWith(t, a, exact.Options{General: true}))
		}
	}
}

// TestScanIsLinear: what is computed of an annealing whose kernel goes from axis to axis takes
// memory in proportion to the states times the axes, and by its estimate time too. From 2^8 to 2^10
// states and from 8 to 10 axes both grow to the fivefold, and may by nothing to more than the
// sixfold. The rows of the whole scan would have sixteen times the entries.
func TestScanIsLinear(t *testing.T) {
	longtest.Only(t)
	ctx := context.Background()
	small, large := scanOf(t, binary(4), 16), scanOf(t, binary(5), 16)
	for name, run := range map[string]func(a *chains.Annealing) error{
		"Solve": func(a *chains.Annealing) error { return second(exact.Solve(ctx, a, exact.Options{Workers: 1})) },
		"Solve by the general method": func(a *chains.Annealing) error {
			return second(exact.Solve(ctx, a, exact.Options{General: true, Workers: 1}))
		},
		"NewSubjective": func(a *chains.Annealing) error { return second(exact.NewSubjective(ctx, a, nil)) },
		"GapByStage":    func(a *chains.Annealing) error { return second(stages.GapByStage(ctx, a, nil)) },
		"CumulantsOf":   func(a *chains.Annealing) error { return second(weights.CumulantsOf(ctx, a, chains.Forward)) },
		"CGF":           func(a *chains.Annealing) error { return second(weights.CGF(ctx, a, chains.Forward, []float64{0.5})) },
	} {
		few, many := allocated(t, small, run), allocated(t, large, run)
		t.Logf("%s: %.3g and %.3g MB", name, few/1e6, many/1e6)
		if !(many <= 6*few) {
			t.Errorf("%s takes %.3g bytes on 2^8 states and %.3g on 2^10, which is more than six times as many", name, few, many)
		}
	}
	if s := exacttest.SolveWith(t, large, exact.Options{}); s.Method != exact.MethodApplied {
		t.Errorf("a scan is solved by the method %s", s.Method)
	}
	for name, estimate := range map[string]func(m models.Model) exact.Work{
		"WorkOf":        func(m models.Model) exact.Work { return exact.WorkOf(scanKernel(t, m), m.Space()) },
		"GeneralWorkOf": func(m models.Model) exact.Work { return exact.GeneralWorkOf(scanKernel(t, m), m.Space()) },
	} {
		if few, many := estimate(binary(4)).Seconds, estimate(binary(5)).Seconds; !(many <= 6*few) {
			t.Errorf("%s estimates %.3g seconds on 2^8 states and %.3g on 2^10", name, few, many)
		}
	}
}

// second returns the error of a function that has a result too.
func second[R any](_ R, err error) error { return err }

// allocated returns the bytes that a computation allocates: the least of two runs, since another
// goroutine may allocate too.
func allocated(t *testing.T, a *chains.Annealing, run func(a *chains.Annealing) error) float64 {
	t.Helper()
	least := math.Inf(1)
	for range 2 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		longtest.NoError(t, run(a))
		runtime.ReadMemStats(&after)
		least = min(least, float64(after.TotalAlloc-before.TotalAlloc))
	}
	return least
}

// scanKernel returns heatbath-scan on the space of a model.
func scanKernel(t testing.TB, m models.Model) chains.Kernel {
	t.Helper()
	return longtest.Must(kernels.Parse("heatbath-scan", m.Space()))(t)
}

// scanOf returns an annealing from the prior of a model to its posterior, whose kernel goes from
// axis to axis.
func scanOf(t testing.TB, m models.Model, T int) *chains.Annealing {
	t.Helper()
	prior := m.LogPrior()
	joint := m.LogLikelihood(1)
	for x, p := range prior {
		joint[x] += p
	}
	return exacttest.Build(t, prior, joint, schedules.Sigmoid{Delta: 4}, scanKernel(t, m), T)
}

// binary returns a model of that many data with two attributes, on 4^data states.
func binary(data int) *models.Binary {
	m := models.Bin4()
	m.Y = append(m.Y, []float64{0.4, -1.1, 0.9}, []float64{-0.6, 0.2, 1.7})[:data]
	return m
}

// binaryScans returns the annealing of a model of n data with two binary attributes from its prior,
// with scans of Gibbs moves.
func binaryScans(tb testing.TB, n int, path string, T int) *chains.Annealing {
	tb.Helper()
	m := models.Bin4()
	for i := range n {
		if i >= len(m.Y) {
			m.Y = append(m.Y, []float64{float64(i) / 8, -0.5, 1 - float64(i)/4})
		}
	}
	toy := toys.OfModel("binary", "binary attributes", m)
	start := longtest.Must(toys.ParseInitial(context.Background(), toy.DefaultInitial(), toy))(tb)
	p := longtest.Must(paths.Forms().Parse(path, paths.Env{Ends: start.Ends}))(tb)
	k := longtest.Must(kernels.Parse("heatbath-scan", toy.Space))(tb)
	return longtest.Must(chains.NewAnnealing(p, schedules.Linear{}, k, T))(tb)
}

// TestScansOfModels: the distribution of scans is propagated axis by axis, without forming the rows
// of a whole scan, which would have an entry for every two states.
func TestScansOfModels(t *testing.T) {
	for path, method := range map[string]string{"geometric": "applied", "tempered": "general"} {
		s := longtest.Must(exact.Solve(context.Background(), binaryScans(t, 4, path, 5), exact.Options{}))(t)
		if fmt.Sprint(s.Method) != method {
			t.Errorf("on the path %s the method is %v, want %s", path, s.Method, method)
		}
	}
}
