package chains_test

import (
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/internal/chainstest"
	"breadboard/chains/kernels"
	"breadboard/grid"
)

// TestTransitions: one kernel for every stage is of any length; kernels by stage are of one, have no common kernel, and
// are each held to the size of the space.
func TestTransitions(t *testing.T) {
	space := grid.MustNew(2, 2)
	k := kernels.Metropolis{Space: space}
	always := chains.Always(k)
	if always.Kernel() != chains.Kernel(k) || always.At(7) != chains.Kernel(k) || always.Distributions() != 0 || always.String() != "metropolis" {
		t.Errorf("%+v", always)
	}
	stages := []chains.Kernel{k, kernels.Barker{Space: space}}
	moves := chains.ByStage("both", stages)
	stages[0] = nil // the list is the caller's
	if moves.Kernel() != nil || moves.At(2) != chains.Kernel(k) || moves.At(3) != chains.Kernel(kernels.Barker{Space: space}) || moves.Distributions() != 3 || moves.String() != "both" {
		t.Errorf("%+v", moves)
	}
	a := chainstest.Small(t, func(*grid.Lattice) chains.Kernel { return k }, 3)
	b, err := chains.NewAnnealingBy(a.Path(), a.Schedule(), moves, 3)
	if err != nil || b.Kernel() != nil || b.KernelAt(3) != moves.At(3) || b.Transitions() != moves {
		t.Errorf("%v, %v", b, err)
	}
	if _, err := chains.NewAnnealingBy(a.Path(), a.Schedule(), moves, 4); err == nil || !strings.Contains(err.Error(), "kernel both is for 3 distributions and 4 were asked for") {
		t.Error(err)
	}
	wrong := chains.ByStage("wrong", []chains.Kernel{k, kernels.Barker{Space: grid.MustNew(3)}})
	if _, err := chains.NewAnnealingBy(a.Path(), a.Schedule(), wrong, 3); err == nil || !strings.Contains(err.Error(), "kernel barker is for 3 states and the path has 4") {
		t.Error(err)
	}
}
