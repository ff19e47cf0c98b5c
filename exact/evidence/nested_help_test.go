package evidence_test

import (
	"context"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/evidence"
	"breadboard/toys"
)

// nestedAnnealing returns the annealing of a toy from its default initial distribution.
func nestedAnnealing(t testing.TB, toy, kernel string) *chains.Annealing {
	t.Helper()
	y, err := toys.Parse(toy)
	if err != nil {
		t.Fatal(err)
	}
	initial, err := toys.ParseInitial(context.Background(), y.DefaultInitial(), y)
	if err != nil {
		t.Fatal(err)
	}
	k, err := kernels.Parse(kernel, y.Space)
	if err != nil {
		t.Fatal(err)
	}
	path, err := paths.GeometricBetween(initial.Ends)
	if err != nil {
		t.Fatal(err)
	}
	a, err := chains.NewAnnealing(path, schedules.Linear{}, k, 2)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func nestedTarget(t testing.TB, toy, kernel string) *evidence.Target {
	t.Helper()
	return evidence.NewTarget(nestedAnnealing(t, toy, kernel))
}
