package bench

import (
	"context"
	"sync"
	"testing"
	"time"
)

// TestWorkThatEndsIsAnswered holds that work which has ended is never taken for work that was given up, though its context ends behind it.
func TestWorkThatEndsIsAnswered(t *testing.T) {
	const clients, questions = 8, 5000
	l := newLane(clients, clients)
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for range questions {
				if err := l.inside(t.Context(), time.Minute, func(context.Context) error { return nil }); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
}
