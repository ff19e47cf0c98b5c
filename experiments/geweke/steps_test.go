package geweke_test

import (
	"sync/atomic"
	"testing"

	"breadboard/experiments/geweke"
)

// TestSteps: right models make as many chains as the progress is told beforehand.
func TestSteps(t *testing.T) {
	var made atomic.Int64
	o := geweke.Options{
		Toys: []string{geweke.DefaultToy}, Kernel: geweke.DefaultKernel, Models: []string{"clustering"}, Rounds: 1, Draws: 512, Seed: 1, Alpha: 1e-6,
		Progress: func(chains int) { made.Add(int64(chains)) },
	}
	o.Size.Rows, o.Size.Columns = 3, 2
	if _, err := geweke.Run(t.Context(), o); err != nil || int(made.Load()) != o.Steps() {
		t.Errorf("%v: %d chains, %d were announced", err, made.Load(), o.Steps())
	}
}
