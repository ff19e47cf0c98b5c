package exact

import (
	"context"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/grid/longtest"
)

// TestErrorOfOneStage adds up by hand what rounding may do to B in the one stage from three states alike to two, the
// third being zero at the end. Each term counts with its size, times one more for each eight nats of a logarithm.
func TestErrorOfOneStage(t *testing.T) {
	s := longtest.Must(Solve(context.Background(), annealingOf(t, []float64{0, 0, math.Inf(-1)}, kernels.Stay{}, 2), Options{General: true}))(t)
	before, here := 1./3, 0.5
	l := math.Log(before / here) // of the two states that stay, whose log f does not change
	roundings := 1 + math.Log(3)/8
	moved := -l * roundings
	// Forward: KL(p_1 || p_2) of the two, what is known of their ratio, and the mass of the third.
	forward := 2*(before*(math.Exp(-l)-1+l)*roundings+here*moved*-l) + before
	reverse := 2*(here*(math.Exp(l)-1-l)*roundings+here*moved*-l) + before
	const unit = 8 * 0x1p-53
	if want := (forward + reverse) * unit; !(math.Abs(s.ErrorB/want-1) < 1e-12) {
		t.Errorf("B is known to %v, by hand %v", s.ErrorB, want)
	}
	if want := max(forward, reverse) * unit; !(math.Abs(s.ErrorLogW/want-1) < 1e-12) {
		t.Errorf("the log weights are known to %v, by hand %v", s.ErrorLogW, want)
	}
	if !math.IsInf(s.B, 1) || len(s.Notes) == 0 {
		t.Errorf("B = %v, notes %q", s.B, s.Notes)
	}
}

// TestFarStates: a state whose probability changes by more than half a nat counts with the sizes of the terms that it has
// then.
func TestFarStates(t *testing.T) {
	const g = 1.0
	s := longtest.Must(Solve(context.Background(), annealingOf(t, []float64{0, g}, kernels.Stay{}, 2), Options{General: true}))(t)
	p := []float64{1 / (1 + math.Exp(g)), math.Exp(g) / (1 + math.Exp(g))}
	forward, reverse := 0.0, 0.0
	for x, here := range p {
		// The solver takes out the greatest log f, so that it is -1 and 0.
		size := []float64{g, 0}[x]
		l, before := math.Log(0.5/here), 0.5
		roundings := 1 + max(size, math.Ln2, -math.Log(here))/8
		if math.Abs(l) > 0.5 {
			forward += math.Abs(before*l+here-before) * roundings
			reverse += math.Abs(-here*l-(here-before)) * roundings
			continue
		}
		moved := (math.Abs(l) + size) * roundings
		forward += before*(math.Exp(-l)-1+l)*roundings + here*moved*math.Abs(l)
		reverse += here*(math.Exp(l)-1-l)*roundings + here*moved*math.Abs(l)
	}
	const unit = 8 * 0x1p-53
	if want := (forward + reverse) * unit; !(math.Abs(s.ErrorB/want-1) < 1e-12) {
		t.Errorf("B is known to %v, by hand %v", s.ErrorB, want)
	}
}

// annealingOf returns an annealing from uniform to g on a geometric path with a linear schedule.
func annealingOf(t longtest.Failer, g []float64, kernel chains.Kernel, T int) *chains.Annealing {
	t.Helper()
	path := longtest.Must(paths.NewGeometric(nil, g))(t)
	return longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, kernel, T))(t)
}
