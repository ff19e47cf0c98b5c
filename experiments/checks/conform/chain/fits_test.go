package chain

import (
	"strings"
	"testing"

	"breadboard/chains/kernels"
)

// TestMovesBetween: the number of moves between two draws is named if the kernel cannot make such
// moves too, and also instead of the one that is given.
func TestMovesBetween(t *testing.T) {
	toy, k := parsed(t, "random:1:3:3x3", "metropolis")
	states := moverOf(t, k, toy.G, 66).states(0, 60_000)
	var third []int
	for i := 0; i < len(states); i += 3 {
		third = append(third, states[i])
	}
	if out := checked(t, toy, k, third); !strings.HasPrefix(out.Fault, "a move from state ") ||
		!strings.HasSuffix(out.Fault, "; it is as if 3 moves of the kernel were between two draws") {
		t.Error(out.Fault)
	}
	if out := checked(t, toy, kernels.Repeat(2, k), states); !strings.Contains(out.Fault, "none of the known mistakes explains it") {
		t.Error(out.Fault) // half of a move is no number of moves
	}
	m := moverOf(t, kernels.Repeat(1000, k), toy.G, 67)
	if out := checked(t, toy, k, m.states(0, 20_000)); !strings.Contains(out.Fault, " moves or more of the kernel were between two draws") {
		t.Error(out.Fault)
	}
}
