package weights

import (
	"context"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/exacttest"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

func annealingOf(t longtest.Failer, g []float64, kernel chains.Kernel, T int) *chains.Annealing {
	t.Helper()
	return exacttest.Build(t, nil, g, schedules.Linear{}, kernel, T)
}

// TestCrooksByInversion: the transforms of both sides of Crooks' relation agree to all digits, and do not where the
// normalising constants are not those of the two ends.
func TestCrooksByInversion(t *testing.T) {
	g := []float64{0, 1, math.Sqrt2, 0.3, -0.7, 2}
	a := annealingOf(t, g, kernels.Metropolis{Space: grid.MustNew(2, 3)}, 20)
	w, err := LawsOf(context.Background(), a, Options{Inversion: true, Frequencies: 256})
	if err != nil || !(w.Crooks < 1e-12 && w.Crooks > 0) {
		t.Fatalf("Crooks' relation is violated by %v, %v", w.Crooks, err)
	}
	p := newProblem(a, Options{Frequencies: 256})
	phi := longtest.Must(p.characteristic(context.Background(), 0.1, bothDirections()))(t)
	for off, want := range map[float64]float64{0: 0, 1e-3: 1e-3} {
		v := &Laws{LogZRatio: p.logZRatio() + off}
		if err := v.checkCrooks(context.Background(), p, phi[chains.Reverse], 2*math.Pi/0.1); err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(v.Crooks-want) <= 1e-5*off+1e-12) && !(off > 0 && math.Abs(v.Crooks/off-1) < 0.01) {
			t.Errorf("log(Z_T/Z_1) off by %v: violated by %v", off, v.Crooks)
		}
	}
}

// TestTransformRounding is what it says: in units in the last place, T times 32 and one for each state.
func TestTransformRounding(t *testing.T) {
	a := annealingOf(t, make([]float64, 6), kernels.Metropolis{Space: grid.MustNew(2, 3)}, 50)
	if got, want := transformRounding(a.States(), a.Distributions()-1), 50*(32+6)*0x1p-53; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}
