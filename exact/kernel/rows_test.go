package kernel_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/kernel"
	"breadboard/grid/longtest"
)

// TestEnumeratedRowsAreTheClosedForms runs Move over every choice and compares with AppendRow.
func TestEnumeratedRowsAreTheClosedForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := exacttest.SmallLattice(t, 30)
		logf := exacttest.DrawLogF(t, "log f", l.States(), true)
		for _, k := range []chains.Rower{kernels.Metropolis{Space: l}, kernels.Barker{Space: l}} {
			closed := longtest.Must(kernel.NewRows(context.Background(), k, logf))(t)
			walked := longtest.Must(kernel.NewRows(context.Background(), exacttest.MoveOnly{Kernel: k}, logf))(t)
			for x := range logf {
				for y := range logf {
					if a, b := closed.At(x, y), walked.At(x, y); math.Abs(a-b) > 1e-15 {
						t.Fatalf("%v: T(%d,%d) = %v in closed form, %v enumerated", k, x, y, a, b)
					}
				}
			}
		}
	})
}

// TestInvariance checks p T = p for kernels of the library and for one that is not reversible.
func TestInvariance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := exacttest.SmallLattice(t, 24)
		logf := exacttest.DrawLogF(t, "log f", l.States(), true)
		for _, k := range []chains.Kernel{kernels.Metropolis{Space: l}, kernels.Barker{Space: l}, exacttest.Scan{Space: l}, exacttest.Scan{Space: l, Backward: true}} {
			rows := longtest.Must(kernel.NewRows(context.Background(), k, logf))(t)
			moved := make([]float64, len(logf))
			for x, v := range logf {
				for _, e := range rows.Row(x) {
					moved[e.To] += math.Exp(v) * e.P
				}
			}
			for y, v := range logf {
				if !exacttest.Same(moved[y], math.Exp(v), 1e-12, 1000) {
					t.Fatalf("%T: state %d has mass %v, after a move %v", k, y, math.Exp(v), moved[y])
				}
			}
		}
	})
}

// TestEndlessLoopsAreCut: the enumeration of a loop that ends with probability 1/2 each time is cut. The probability
// that it has left out is known, and below 1e-15.
func TestEndlessLoopsAreCut(t *testing.T) {
	k := exacttest.MoveFunc(func(c chains.Chooser, _ []float64, x int) int {
		for c.Flip(0.5) {
		}
		return x
	})
	row, remainder, err := kernel.Row(context.Background(), k, []float64{0, 0}, 1)
	if err != nil || len(row) != 1 || row[0].To != 1 || math.Abs(row[0].P+remainder-1) > 1e-15 || !(remainder > 0 && remainder < 1e-15) {
		t.Errorf("row %v, remainder %v, %v", row, remainder, err)
	}
}

// TestEveryChoiceIsWalked enumerates an algorithm with every kind of choice, nested, and checks its law.
func TestEveryChoiceIsWalked(t *testing.T) {
	k := exacttest.MoveFunc(func(c chains.Chooser, _ []float64, x int) int {
		switch c.Choose([]float64{0.5, 0, 0.25, 0.25}) {
		case 0:
			return c.Uniform(3)
		case 2:
			if c.Flip(0.2) {
				return 3
			}
			return 4
		case 3:
			if c.Flip(0) || !c.Flip(1) {
				panic("an impossible branch was taken")
			}
			return 3
		}
		panic("an impossible branch was taken")
	})
	row, _, err := kernel.Row(context.Background(), k, make([]float64, 5), 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{0.5 / 3, 0.5 / 3, 0.5 / 3, 0.05 + 0.25, 0.2}
	total := 0.0
	for _, e := range row {
		total += e.P
		if math.Abs(e.P-want[e.To]) > 1e-16 {
			t.Errorf("state %d has probability %v, want %v", e.To, e.P, want[e.To])
		}
	}
	if len(row) != 5 || math.Abs(total-1) > 1e-15 {
		t.Errorf("row %v", row)
	}
}
