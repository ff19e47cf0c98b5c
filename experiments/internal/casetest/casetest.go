// Package casetest has helpers for the tests of several studies: cases, selections, runs whose
// progress is checked, files, and kernels with a fault. Only tests import it.
package casetest

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"breadboard/chains"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/experiments/forms"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/reports/check"
	"breadboard/reports/columns"
)

// Selection selects annealings of toys with the path, schedule and kernel of Grosse et al. (2016).
func Selection(lengths []int, toys ...string) subject.Selection {
	return subject.Selection{
		Reader:        forms.Reader(),
		Toys:          toys,
		Distributions: lengths,
		Path:          "geometric",
		Schedule:      "linear",
		Kernel:        "metropolis",
	}
}

// MustCases returns the cases of a selection.
func MustCases(t testing.TB, s subject.Selection) []subject.Case {
	t.Helper()
	return longtest.Must(s.Cases(context.Background()))(t)
}

// Rows is RowsBy with the default How.
func Rows[On, O, R any](t testing.TB, s *study.Study[On, O, R], on []On, o O) []R {
	t.Helper()
	return RowsBy(t, s, on, o, study.How{})
}

// RowsBy runs a study on subjects with its own progress. The test fails if the reported steps do
// not add up to those of its plan, unless their number is not known.
func RowsBy[On, O, R any](t testing.TB, s *study.Study[On, O, R], on []On, o O, h study.How) []R {
	t.Helper()
	plan := longtest.Must(s.Plan(context.Background(), on, &o))(t)
	var steps atomic.Int64
	h.Progress = func(n int) { steps.Add(int64(n)) }
	rows := longtest.Must(plan.Run(context.Background(), h))(t)
	if plan.Steps >= 0 && int(steps.Load()) != plan.Steps {
		t.Errorf("%s: progress adds up to %d steps of %d", s.Declaration.Name, steps.Load(), plan.Steps)
	}
	return rows
}

// SameForAnyWorkers runs a study with one worker, with two and with five. The test fails if say
// returns different texts for the rows of two of these runs.
func SameForAnyWorkers[On, O, R any](t testing.TB, s *study.Study[On, O, R], on []On, o O,
	say func(r *R) string) {
	t.Helper()
	var one []R
	for _, workers := range []int{1, 2, 5} {
		rows := RowsBy(t, s, on, o, study.How{Workers: workers})
		if one == nil {
			one = rows
		}
		if len(rows) != len(one) {
			t.Fatalf("%s: %d rows with %d workers, and %d with one", s.Declaration.Name, len(rows),
				workers, len(one))
		}
		for i := range rows {
			if got, want := say(&rows[i]), say(&one[i]); got != want {
				t.Errorf("%s: row %d with %d workers is\n%s\nand with one\n%s", s.Declaration.Name,
					i, workers, got, want)
			}
		}
	}
}

// SameAlone runs a study with all columns, and for each column with that alone. The test fails if a
// cell of the column changes, to the last bit.
func SameAlone[On, O, R any](t testing.TB, s *study.Study[On, O, R], on []On, o O) {
	t.Helper()
	all := Rows(t, s, on, o)
	for _, f := range s.Declaration.Columns {
		rows := RowsBy(t, s, on, o, study.How{Columns: columns.Wanted{f.Name}})
		if len(rows) != len(all) {
			t.Fatalf("%s: %d rows of %s alone, and %d of all columns", s.Declaration.Name, len(rows),
				f.Name, len(all))
		}
		for i := range rows {
			if got, want := fmt.Sprint(f.Of(&rows[i])), fmt.Sprint(f.Of(&all[i])); got != want {
				t.Errorf("%s, row %d: %s is %s alone, and %s with all columns", s.Declaration.Name,
					i, f.Name, got, want)
			}
		}
	}
}

// Refuses fails unless a study rejects options or subjects with an error that contains a text.
func Refuses[On, O, R any](t testing.TB, s *study.Study[On, O, R], on []On, o O, want string) {
	t.Helper()
	longtest.Refuses(study.Run(context.Background(), s, on, o, study.How{}))(t, want, s.Declaration.Name, o)
}

// Ends fails if a study continues after the end of its context.
func Ends[On, O, R any](t testing.TB, s *study.Study[On, O, R], on []On, o O) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := study.Run(ctx, s, on, o, study.How{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%s after the end of its context: %v", s.Declaration.Name, err)
	}
}

// Linear returns the annealing to log f from the uniform distribution, on the geometric path with
// the linear schedule.
func Linear(t testing.TB, g []float64, kernel chains.Kernel, T int) *chains.Annealing {
	t.Helper()
	path := longtest.Must(paths.NewGeometric(nil, g))(t)
	return longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, kernel, T))(t)
}

// MovedBy returns an annealing that differs from another one in its kernel.
func MovedBy(t testing.TB, a *chains.Annealing, kernel chains.Kernel) *chains.Annealing {
	t.Helper()
	return longtest.Must(chains.NewAnnealing(a.Path(), a.Schedule(), kernel, a.Distributions()))(t)
}

// Stuck is a kernel that leaves the space.
type Stuck struct{}

func (Stuck) Move(chains.Chooser, []float64, int) int { return -1 }

// pythons is where a Python is that can import some modules, by their names; empty if there is
// none. To ask takes a while.
var pythons sync.Map

// Python returns a Python that can import these modules. It skips the test if there is none, and in
// the fast lane.
func Python(t *testing.T, modules ...string) string {
	t.Helper()
	longtest.Only(t)
	names := strings.Join(modules, " ")
	known, is := pythons.Load(names)
	if !is {
		known = searchPython(modules)
		pythons.Store(names, known)
	}
	if known == "" {
		t.Skipf("no python3 with %v", modules)
	}
	return known.(string)
}

// searchPython returns a Python that can import some modules; empty if there is none.
func searchPython(modules []string) string {
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		// What stands in the path may be a script that takes longer to find Python than Python
		// takes to start.
		const where = "; assert sys.version_info >= (3, 8); print(sys.executable)"
		if out, err := exec.Command(name, "-c",
			"import sys, "+strings.Join(append(modules, "json"), ", ")+where).Output(); err == nil {
			return strings.TrimSpace(string(out))
		}
	}
	return ""
}

// Absolute returns the absolute path of a file, given from the folder of the tests.
func Absolute(t *testing.T, path string) string {
	t.Helper()
	return longtest.Must(filepath.Abs(path))(t)
}

// Mutant is a program with a planted bug, in a setting in which the bug shows, or a harmless one.
type Mutant[R check.Result] struct {
	Name     string
	Harmless bool
	Examine  func(ctx context.Context) ([]R, error)
}

// Planted fails unless a check has found a fault in what has a planted bug, and none in what is
// harmless; a first finding that is open decides nothing. It logs the largest fault and returns its
// value, which has no meaning if there is none.
func Planted[R check.Result](t testing.TB, what string, harmless bool, results []R) float64 {
	t.Helper()
	worst := results[0].Found()
	for _, r := range results {
		if f := r.Found(); f.Verdict == check.Fault &&
			(worst.Verdict != check.Fault || !(f.Value <= worst.Value)) {
			worst = f
		}
	}
	t.Logf("%s: %s: %s %.3g %s", what, worst.Verdict, worst.Name, worst.Value, worst.Where)
	if (worst.Verdict == check.Fault) == harmless && worst.Verdict != check.Open {
		t.Errorf("%s: %s, although a fault is expected: %v", what, worst.Verdict, !harmless)
	}
	return worst.Value
}
