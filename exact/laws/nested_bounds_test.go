package laws

import (
	"context"
	"testing"

	"breadboard/chains/estimators"
	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/exacttest"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestNestedBoundsNest: bounds for which many thresholds are taken together hold the bounds for which few are, and are wider.
func TestNestedBoundsNest(t *testing.T) {
	longtest.NotShort(t)
	logL := exacttest.PatternLogF(12)
	a := exacttest.Build(t, nil, logL, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(12)}, 2)
	on := NewTarget(a)
	ctx := context.Background()
	exact := must(NewNestedExact(on, 5, estimators.TiesStrict, estimators.VolumePaper))
	moves := must(NewNestedMoves(ctx, on, 2, estimators.VolumePaper, 1))
	for what, bounds := range map[string]func(at float64, work int) (low, high float64){
		"exact draws": func(at float64, work int) (float64, float64) {
			low := must(exact.above(ctx, at-exact.top, 1, work))
			high := must(exact.above(ctx, at-exact.top, -1, work))
			return low, high
		},
		"moves": func(at float64, work int) (float64, float64) {
			low, high, err := moves.pairs.above(ctx, at-moves.pairs.top, work)
			if err != nil {
				t.Fatal(err)
			}
			return low, high
		},
	} {
		wider := 0
		for i := range 20 {
			at := on.LogZ - 0.5 + float64(i)/20
			low, high := bounds(at, thresholdWork)
			outerLow, outerHigh := bounds(at, 1)
			if outerLow > low+1e-14 || low > high+1e-14 || high > outerHigh+1e-14 || high-low > 0.01 {
				t.Errorf("%s: P(log Z-hat > %v) is from %v to %v, and by few thresholds from %v to %v", what, at, low, high, outerLow, outerHigh)
			}
			if outerHigh-outerLow > high-low+1e-6 {
				wider++
			}
		}
		if wider == 0 {
			t.Errorf("%s: no thresholds were taken together, so that nothing has been tested", what)
		}
	}
}
