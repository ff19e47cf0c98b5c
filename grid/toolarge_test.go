package grid_test

import (
	"errors"
	"testing"

	"breadboard/grid"
)

// TestTooLarge: spaces of too many states are refused as too large, with how many there are and may
// be, and those with other faults are not.
func TestTooLarge(t *testing.T) {
	_, lattice := grid.New(1<<13, 1<<13)
	_, negative := grid.New(3, -1)
	for err, states := range map[error]float64{lattice: 1 << 26, grid.FitsPower(2, 25): 1 << 25, grid.Fits("a graph", 1e8, 0): 1e8, negative: 0} {
		large, is := errors.AsType[grid.TooLarge](err)
		if is != (states > 0) || is && (large.Need != states || large.Limit != grid.MaxStates || large.What != "states" || large.Error() != large.Err.Error()) {
			t.Errorf("%v: %+v", err, large)
		}
	}
}
