package certified

import (
	"context"
	"errors"
	"testing"
)

// TestCancelAtTheEnd: a context that ends with the last step ends the computation before its solution.
func TestCancelAtTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	const T = 34
	total := 0
	_, err := Solve(ctx, annealing(t, "easy", "linear", "metropolis", T), 80, func(n int) {
		if total += n; total >= T-2 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v after %d steps", err, total)
	}
}
