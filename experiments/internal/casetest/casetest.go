// Package casetest has what the tests of several studies share: cases, selections, runs whose progress is checked, files, and kernels with a
// fault. Nothing but tests imports it.
package casetest

import (
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"breadboard/chains"
	"breadboard/experiments"
	"breadboard/experiments/study"
)

// Selection selects annealings of toys with the paper's path, schedule and kernel.
func Selection(lengths []int, toys ...string) experiments.Selection {
	return experiments.Selection{Toys: toys, Distributions: lengths, Path: "geometric", Schedule: "linear", Kernel: "metropolis"}
}

// MustCases returns the cases of a selection.
func MustCases(t testing.TB, s experiments.Selection) []experiments.Case {
	t.Helper()
	cases, err := s.Cases(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// Rows runs a study on subjects, as RowsBy does.
func Rows[On, O, R any](t testing.TB, s *study.Study[On, O, R], on []On, o O) []R {
	t.Helper()
	return RowsBy(t, s, on, o, study.How{})
}

// RowsBy runs a study on subjects in a given way, with a progress of its own. The test fails where the steps that the study reports do not add
// up to those of its plan, unless nobody knows how many there will be.
func RowsBy[On, O, R any](t testing.TB, s *study.Study[On, O, R], on []On, o O, h study.How) []R {
	t.Helper()
	plan, err := s.Plan(context.Background(), on, &o)
	if err != nil {
		t.Fatal(err)
	}
	var steps atomic.Int64
	h.Progress = func(n int) { steps.Add(int64(n)) }
	rows, err := plan.Run(context.Background(), h)
	if err != nil {
		t.Fatal(err)
	}
	if plan.Steps >= 0 && int(steps.Load()) != plan.Steps {
		t.Errorf("%s: progress adds up to %d steps of %d", s.Name, steps.Load(), plan.Steps)
	}
	return rows
}

// File writes a text to a file of that name in a folder of its own, and returns its path.
func File(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Stuck is a kernel that leaves the space.
type Stuck struct{}

func (Stuck) Move(chains.Chooser, []float64, int) int { return -1 }
