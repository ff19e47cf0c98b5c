package kernel

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/exact/kernel"
	"breadboard/experiments/checks/planted"
	"breadboard/experiments/programs"
	"breadboard/reports/check"
)

// mistake is a usual way to get a kernel wrong. A kernel that is found wrong is called by the
// mistakes whose rows it has at every beta.
type mistake struct {
	planted.Named
	off float64 // the largest difference of a probability so far
}

// suspect leaves of the mistakes those whose rows a kernel has at one more beta, at the states of
// positive probability. What a kernel does at the others changes nothing, and a ratio to zero is
// not defined. Most are out at the first row.
func (k *Row) suspect(ctx context.Context, d *kernel.Diagnosis, candidate chains.Kernel,
	logf []float64) error {
	if d.OfLibrary || d.States > kernel.DenseStates {
		k.suspects = nil
		return nil
	}
	tolerance := rowTolerance + d.Remainder
	if m, is := candidate.(*programs.Matrix); is {
		tolerance += m.Rounding
	}
	left := k.suspects[:0]
	for _, m := range k.suspects {
		rows := kernel.RowsOf(ctx, m.Kernel, logf)
		for x := range logf {
			if math.IsInf(logf[x], -1) {
				continue
			}
			row, err := rows(x)
			if err != nil {
				return err
			}
			m.off = max(m.off, largestDifference(row, d.Row(x)))
			if m.off > tolerance {
				break
			}
		}
		if m.off <= tolerance {
			left = append(left, m)
		}
	}
	k.suspects = left
	return nil
}

// largestDifference returns the largest difference of two rows.
func largestDifference(a, b []chains.Entry) (worst float64) {
	difference := map[int]float64{}
	for _, e := range a {
		difference[e.To] += e.P
	}
	for _, e := range b {
		difference[e.To] -= e.P
	}
	for _, v := range difference {
		worst = max(worst, math.Abs(v))
	}
	return worst
}

// mistakeName says which mistake it is.
func (m *mistake) mistakeName() string { return "the rows are those of " + m.Of }

// Cause returns the explanation of a wrong kernel: a known mistake, or the distribution that it
// leaves invariant. It is empty if there is none.
func (k *Row) Cause() string {
	switch {
	case !k.Wrong():
	case len(k.suspects) > 0:
		return k.suspects[0].mistakeName()
	case k.Other != nil && k.Other.explains != "":
		return fmt.Sprintf("at beta %v it leaves another distribution invariant, %s", k.Other.Beta, k.Other.explains)
	}
	return ""
}

// nameMistake adds a finding with the mistake that explains a wrong kernel, if one does. On targets
// such as a flat one several have the same rows.
func (k *Row) nameMistake() {
	if len(k.suspects) == 0 || !k.Wrong() {
		return
	}
	first := k.suspects[0]
	where := first.mistakeName() + "; " + first.Cure
	for _, m := range k.suspects[1:] {
		where += "; on this target they are also those of " + m.Of
	}
	k.under(math.NaN()).addExact("mistake", math.NaN(), math.NaN(), check.Fault, where)
}
