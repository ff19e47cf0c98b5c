package certified

import (
	"context"
	"errors"
	"testing"

	"breadboard/exact/internal/exacttest"
	"breadboard/grid/longtest"
)

// TestCancelAtTheEnd: a context that ends with the last step ends the computation before its solution.
func TestCancelAtTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	const T = 33
	total := 0
	_, err := Solve(ctx, exacttest.Annealing(t, "easy", "linear", "metropolis", T), 80, func(n int) {
		if total += n; total >= T-1 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v after %d steps", err, total)
	}
}

// TestCancelWithinTheSolution: an end of the context is seen within the solution as well, which takes long on a large
// space.
func TestCancelWithinTheSolution(t *testing.T) {
	s := longtest.Must(newSweep(context.Background(), exacttest.Annealing(t, "easy", "linear", "metropolis", 3), 80))(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.solution(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
