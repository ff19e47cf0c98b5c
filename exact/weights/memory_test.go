package weights

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/grid"
)

// TestManyTransformsAreRefused: transforms whose values would take too much memory are refused with the size, before any is computed.
func TestManyTransformsAreRefused(t *testing.T) {
	a := annealingOf(t, []float64{0, 1, 2}, kernels.Metropolis{Space: grid.MustNew(3)}, 3)
	_, err := EndTransforms(context.Background(), a, []Vertical{{Points: 1e8}, {Points: 1}}, 1, nil)
	const want = "the transforms of log weights at 100000001 points for each of 3 states would take about 4.8 GB; the limit is 4 GB"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestProgressOfTransforms: the steps that are reported add up.
func TestProgressOfTransforms(t *testing.T) {
	a := annealingOf(t, []float64{0, 1, 2}, kernels.Metropolis{Space: grid.MustNew(3)}, 3)
	var steps atomic.Int64
	if _, err := EndTransforms(context.Background(), a, []Vertical{{Step: 0.1, Points: 700}, {Points: 1}}, 2, func(n int) { steps.Add(int64(n)) }); err != nil || steps.Load() != LawProgress {
		t.Errorf("%d steps, want %d; %v", steps.Load(), LawProgress, err)
	}
}
