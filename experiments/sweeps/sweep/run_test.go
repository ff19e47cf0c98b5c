package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/experiments/annealing/tightness"
	"breadboard/experiments/forms"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// TestAnyShardsAndWorkers: the merged rows do not depend on how the work was shared out, nor on the
// folders, and are those that are solved in memory.
func TestAnyShardsAndWorkers(t *testing.T) {
	longtest.Only(t)
	s := mustSweep(t, small)
	want := reference(t, s)
	var solved atomic.Int64
	inMemory, err := Solve(t.Context(), s, 2, func() { solved.Add(1) })
	if err != nil || inMemory.lines() != want || int(solved.Load()) != s.Len() {
		t.Errorf("in memory %d cells are solved, %v:\n%s\nwant\n%s", solved.Load(), err, inMemory.lines(), want)
	}
	rapid.Check(t, func(t *rapid.T) {
		m := newMemory(1)
		dirs := []string{"a", "b"}
		count := rapid.IntRange(1, 12).Draw(t, "count")
		for _, i := range rapid.Permutation(indices(count)).Draw(t, "order") {
			o := Options{
				files:   m,
				Shard:   Shard{i + 1, count},
				Workers: rapid.IntRange(1, 3).Draw(t, "workers"),
			}
			longtest.Must(Run(context.Background(), s, dirs[rapid.IntRange(0, 1).Draw(t, "dir")], o))(t)
		}
		for _, dir := range dirs { // each must have a manifest
			if _, err := m.ReadFile(filepath.Join(dir, manifestName), maxManifest); err != nil {
				dirs = []string{map[string]string{"a": "b", "b": "a"}[dir]}
			}
		}
		merged, err := mergeIn(sweptStudies(), m, dirs)
		if err != nil || merged.lines() != want {
			t.Fatalf("%v\n%s", err, merged.lines())
		}
	})
}

func indices(n int) []int {
	out := number.Range(n)
	return out
}

// TestFailures: a cell that fails is a row that says why, is not solved again, and the others go
// on.
func TestFailures(t *testing.T) {
	s := mustSweep(t, small)
	dir := t.TempDir()
	first, err := Run(context.Background(), s, dir, Options{})
	if err != nil || first != (Account{Cells: s.Len(), Solved: s.Len(), Failed: 1}) {
		t.Fatalf("%+v, %v", first, err)
	}
	again, err := Run(context.Background(), s, dir, Options{})
	if err != nil || again != (Account{Cells: s.Len(), Finished: s.Len(), FailedBefore: 1}) {
		t.Errorf("again: %+v, %v", again, err)
	}
	status, err := ReadStatus(sweptStudies(), dir)
	if err != nil || status.Done != s.Len() || status.Failed != 1 || status.Missing() != 0 {
		t.Fatalf("%+v, %v", status, err)
	}
	if f := status.Failures[0]; !strings.Contains(f.Error, "axis") ||
		f.Cell.Get("kernel") != "heatbath-axis:1" {
		t.Errorf("%+v", f)
	}
}

// TestRefusals: another writer, another sweep, results of another sweep, and damage.
func TestRefusals(t *testing.T) {
	longtest.Only(t)
	s := mustSweep(t, small)
	dir := t.TempDir()
	st := longtest.Must(openStore(context.Background(), disk{}, dir, s, Shard{1, 2}, 5))(t)
	refused := func(want string, s *Sweep, o Options) {
		t.Helper()
		_, err := Run(context.Background(), s, dir, o)
		if _, ok := errors.AsType[Refusal](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	refused(fmt.Sprintf("shard 1/2 of %s is being written by process %d on ", dir, os.Getpid()),
		s, Options{Shard: Shard{1, 2}})
	if status, err := ReadStatus(sweptStudies(), dir); err != nil || status.Shards[0].State != Running ||
		!strings.Contains(status.Shards[0].Process, fmt.Sprint("process ", os.Getpid())) {
		t.Errorf("%+v, %v", status, err)
	}
	longtest.Must(Run(context.Background(), s, dir, Options{Shard: Shard{2, 2}}))(t)
	longtest.NoError(t, st.close())
	refused("in its grid T was 2,3,4 and is 2,3,6",
		mustSweep(t, strings.Replace(small, "2, 3, 4", "2, 3, 6", 1)), Options{})
	refused("it had 3 cases beside the grid and has 3, or different ones",
		mustSweep(t, strings.Replace(small, "T = 5", "T = 6", 1)), Options{})
	other := t.TempDir()
	mustRun(t, mustSweep(t, "[grid]\ntoy=['easy']\nT=[2]"), other, Options{})
	longtest.Refuses(Merge(sweptStudies(), dir, other))(t,
		"hold different sweeps: from the first to the second, in its grid toy was",
		"two sweeps merge",
	)
	longtest.Refuses(Merge(sweptStudies(), t.TempDir()))(t, "holds no sweep", "an empty folder merges")
	foreign := longtest.Must(os.ReadFile(filepath.Join(other, "shard-1-of-1.jsonl")))(t)
	longtest.NoError(t, os.WriteFile(filepath.Join(dir, "shard-7-of-9.jsonl"), foreign, 0o644))
	longtest.Refuses(Run(context.Background(), s, dir, Options{}))(t,
		"shard-7-of-9.jsonl holds results of another sweep",
		"results of another sweep",
	)
}

// TestInterrupt: what has been solved is kept, and the error is that of the context.
func TestInterrupt(t *testing.T) {
	s := mustSweep(t, small)
	for workers := 1; workers <= 3; workers++ {
		m := newMemory(1)
		ctx, cancel := context.WithCancel(context.Background())
		account, err := Run(
			ctx,
			s,
			"dir",
			Options{files: m, group: -1, Workers: workers, Acknowledged: func(p Progress) {
				if p.Done > 0 {
					cancel()
				}
			}},
		)
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		merged, mergeErr := mergeOf(m)
		if mergeErr != nil || len(merged.Rows) != account.Solved || account.Solved == 0 ||
			(err == nil) != (account.Solved == s.Len()) {
			t.Errorf("%d workers: %+v, %v, %d rows, %v", workers, account, err, len(merged.Rows), mergeErr)
		}
		finishes(t, s, m, reference(t, s))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if account, err := Run(ctx, s, t.TempDir(), Options{}); !errors.Is(err, context.Canceled) ||
		account.Solved != 0 {
		t.Errorf("interrupted before it began: %+v, %v", account, err)
	}
}

// TestGone: a run whose file of results is removed, replaced, moved or changed while it runs fails,
// at the next sync or at the end, and names what it has solved and not written. One that is
// interrupted then fails, too.
func TestGone(t *testing.T) {
	s := mustSweep(t, small)
	var dir, file string
	deeds := map[string]func() error{
		"folder removed": func() error { return os.RemoveAll(dir) },
		"folder moved":   func() error { return os.Rename(dir, dir+"-moved") },
		"file removed":   func() error { return os.Remove(file) },
		"file replaced": func() error {
			return errors.Join(os.Rename(file, file+".old"), os.WriteFile(file, nil, 0o666))
		},
		"link instead": func() error {
			return errors.Join(os.Rename(file, file+".old"), os.Symlink(file+".old", file))
		},
		"file emptied": func() error { return os.Truncate(file, 0) },
		"file cut":     func() error { return os.Truncate(file, 300) },
		"file longer":  func() error { return os.Truncate(file, 1<<20) },
	}
	for name, deed := range deeds {
		if name != "folder moved" && name != "file cut" && !longtest.Enabled() {
			continue // each writes to the disk
		}
		for _, at := range []int{0, 3, s.Len()} {
			for _, interrupted := range []bool{false, true} {
				if interrupted && at != 3 && !longtest.Enabled() {
					continue
				}
				dir = filepath.Join(t.TempDir(), "sweep")
				file = filepath.Join(dir, "shard-1-of-1.jsonl")
				ctx, cancel := context.WithCancel(context.Background())
				account, err := Run(ctx, s, dir, Options{Workers: 1, group: -1, Acknowledged: func(p Progress) {
					if p.Done != at {
						return
					}
					longtest.NoError(t, deed())
					if interrupted {
						cancel()
					}
				}})
				cancel()
				left := at < s.Len() && !interrupted
				if err == nil || !strings.Contains(err.Error(), "results are lost") ||
					left && !strings.Contains(err.Error(), "not stored: toy random:") {
					t.Errorf("%s after %d results: %v", name, at, err)
				}
				if account.Solved != at {
					t.Errorf("%s after %d results: %d are said to be solved", name, at, account.Solved)
				}
			}
		}
	}
}

// TestChangedFile: a file that changes while a sweep runs stops it.
func TestChangedFile(t *testing.T) {
	path := longtest.File(t, "toy.csv", "0,1\n")
	s := mustSweep(t, fmt.Sprintf("[grid]\ntoy=['file:%s']\nT=[2,3]", path))
	longtest.NoError(t, os.WriteFile(path, []byte("0,2\n"), 0o644))
	dir := t.TempDir()
	if account, err := Run(context.Background(), s, dir, Options{}); err == nil ||
		!strings.Contains(err.Error(), "has changed since") || account.Solved != 0 {
		t.Errorf("%+v, %v", account, err)
	}
	longtest.NoError(t, os.Remove(path))
	longtest.Refuses(Run(context.Background(), s, dir, Options{}))(t, "cannot be read any more")
	// If the results are, the files are not needed.
	if merged, err := Merge(sweptStudies(), dir); err != nil || merged.Missing != 2 ||
		merged.First.distributions() != 2 {
		t.Errorf("%+v, %v", merged, err)
	}
}

// explosive is a kernel that panics in the middle of a solution, not while it is looked at before.
type explosive struct {
	kernels.Metropolis
	rows *int
}

func (k explosive) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	*k.rows++
	if *k.rows > 500 {
		panic("boom")
	}
	return k.Metropolis.AppendRow(dst, logf, x)
}

// TestPanic: a cell that panics is a cell that fails, also if it does so deep in the solving.
func TestPanic(t *testing.T) {
	study := tightness.Study().Declaration.Sweep()
	params := subject.Params(cellFrom("easy", "geometric", "uniform", "linear", "metropolis", "50"))
	_, err := study.RowOf(context.Background(), params, func(ctx context.Context) ([]subject.Case, error) {
		cases, err := forms.Reader().SelectionOf(params).Cases(ctx)
		if err != nil {
			return nil, err
		}
		a := cases[0].Annealing()
		cases[0].Algorithm, err = chains.NewAnnealing(
			a.Path(),
			a.Schedule(),
			explosive{kernels.Metropolis{Space: cases[0].Toy.Space}, new(int)},
			50,
		)
		return cases, err
	})
	if err == nil || err.Error() != "panic: boom" {
		t.Errorf("a kernel that panics: %v", err)
	}
	longtest.Refuses(study.SolveRow(context.Background(), forms.Reader(), params.With("T", "ten")))(t, "panic: ")
}
