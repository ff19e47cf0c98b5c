package sweep

import (
	"testing"

	"breadboard/chains"
	"breadboard/grid"
)

// TestPlannedMemory: a plan counts the rows of parts, those of every state, and the rows of a time reversal.
func TestPlannedMemory(t *testing.T) {
	space := grid.MustNew(20, 20)
	bytes := func(kernel string) (perState float64) {
		k, err := chains.ParseKernel(kernel, space)
		if err != nil {
			t.Fatal(err)
		}
		c := costOf(k.(chains.Rower), space)
		return c.bytes()
	}
	metropolis, heat := bytes("metropolis"), bytes("heatbath")
	// Two moves to one of 4 neighbours each reach 13 states, of which the middle can be left in all directions.
	if got, want := bytes("repeat:2:metropolis"), entryBytes*13+0.9*metropolis; got < want {
		t.Errorf("repeat:2:metropolis: %v bytes a state, and its rows and those of its part take %v", got, want)
	}
	if got, want := bytes("repeat:30:heatbath"), entryBytes*400+0.9*heat; got < want {
		t.Errorf("repeat:30:heatbath: %v bytes a state, and its rows and those of its part take %v", got, want)
	}
	// The scan reaches all 400 states through rows of 20 in each of two parts, and so does its reversal.
	if got, want := bytes("heatbath-scan"), 2*entryBytes*(400+20+20.0); got != want {
		t.Errorf("heatbath-scan: %v bytes a state, and its rows, those of its parts and of its reversal take %v", got, want)
	}
}
