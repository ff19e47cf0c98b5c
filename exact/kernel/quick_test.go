package kernel_test

import (
	"context"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/kernel"
	"breadboard/grid/longtest"
)

// TestDiagnoseQuickly compares the gaps of the quick diagnosis with those from all eigenvalues, below and above QuickStates, and for a
// kernel that is not reversible. Zeros of f may leave less states than there are.
func TestDiagnoseQuickly(t *testing.T) {
	longtest.NotShort(t)
	ctx := context.Background()
	for _, c := range []struct {
		toy, kernel string
		proven      bool
	}{
		{"random:2:1:5x5", "metropolis", true},
		{"random:2:1:13x13", "metropolis", false},
		{"random:2:1:13x13", "barker", false},
		{"random:2:1:12x12", "heatbath-scan", true},
		{"barrier", "metropolis", true},
	} {
		a := exacttest.Annealing(t, c.toy, "linear", c.kernel, 5)
		logf := make([]float64, a.States())
		for _, beta := range []float64{0.1, 0.3, 1} {
			a.Path().LogF(logf, chains.At(beta))
			want := longtest.Must(kernel.Diagnose(ctx, a.Kernel(), logf))(t)
			got := longtest.Must(kernel.DiagnoseQuickly(ctx, a.Kernel(), logf))(t)
			off := math.Abs(got.SpectralGap - want.SpectralGap)
			if math.IsNaN(want.GapError) { // no bound is known, but both are one computation
				if off != 0 {
					t.Errorf("%+v at %v: gap %v, want %v", c, beta, got.SpectralGap, want.SpectralGap)
				}
				continue
			}
			if !(off <= got.GapError+want.GapError && got.GapFloor <= want.SpectralGap+want.GapError) || got.Proven() != c.proven {
				t.Errorf("%+v at %v: gap %v +/- %v, at least %v, proven %v; want %v +/- %v", c, beta, got.SpectralGap, got.GapError, got.GapFloor, got.Proven(), want.SpectralGap, want.GapError)
			}
			if got.Invariance != want.Invariance || got.Classes != want.Classes || got.Period != want.Period {
				t.Errorf("%+v at %v: what is no spectrum differs", c, beta)
			}
		}
	}
}
