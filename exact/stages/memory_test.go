package stages_test

import (
	"context"
	"strings"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/stages"
	"breadboard/grid"
)

// TestTooManyLawsAreRefused: where the laws that are kept on the way would take too much memory, the gap is refused with the size, before
// any is computed.
func TestTooManyLawsAreRefused(t *testing.T) {
	space := grid.MustNew(1 << 16)
	a := exacttest.Build(t, nil, make([]float64, space.States()), schedules.Linear{}, kernels.Metropolis{Space: space}, 1_000_000)
	_, err := stages.GapByStage(context.Background(), a, nil)
	const want = "the laws that are kept of 1000000 stages on 65536 states would take about 6.29 GB; the limit is 4 GB: give fewer distributions, or a smaller space"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}
