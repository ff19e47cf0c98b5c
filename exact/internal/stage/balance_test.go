package stage

import (
	"context"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/kernel"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestBalanceTolerance: flows of a kernel that is said to be reversible may differ by 1e-9 of the larger, and no more.
func TestBalanceTolerance(t *testing.T) {
	path := longtest.Must(paths.NewGeometric(nil, []float64{0, 1, 0.5}))(t)
	a := longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(3)}, 3))(t)
	for off, wrong := range map[float64]bool{0: false, 0.9e-9: false, -0.9e-9: false, 1.1e-9: true, -1.1e-9: true} {
		s := NewStage(a)
		longtest.NoError(t, s.Load(context.Background(), 2))
		var back kernel.Rows // the reversal, with its entry from state 1 to state 0 off by a little
		longtest.NoError(t, back.Fill(context.Background(), s.Kernel, s.Logf))
		for i, e := range back.Row(1) {
			if e.To == 0 {
				back.Row(1)[i].P *= 1 + off
			}
		}
		rows := s.Moves[0].Forward.Rows
		returns := longtest.Must(rows.Returns(context.Background(), nil, &back))(t)
		if err := s.checkFlows(context.Background(), s.Kernel, rows, &back, returns); (err != nil) != wrong {
			t.Errorf("flows that differ by %v: %v", off, err)
		}
	}
}
