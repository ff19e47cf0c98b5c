package bench

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"sync"
	"testing"
	"time"

	"breadboard/grid/longtest"
)

// TestWorkThatEndsIsAnswered holds that work which has ended is never taken for work that was given up, though its context ends behind it.
func TestWorkThatEndsIsAnswered(t *testing.T) {
	longtest.NotShort(t)
	const clients, questions = 8, 5000
	l := newLane(clients, clients, log.New(io.Discard, "", 0))
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for range questions {
				if err := l.inside(t.Context(), longtest.Patience, func(context.Context) error { return nil }); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
}

// TestNumbersWaitForNothing: J and B and the target are answered while all places of other answers are taken.
func TestNumbersWaitForNothing(t *testing.T) {
	s := New(Options{Workers: 1})
	done := make(chan struct{})
	var all sync.WaitGroup
	for _, l := range []*lane{s.quick, s.slow, s.streams} {
		begun := make(chan struct{})
		all.Go(func() {
			_ = l.inside(t.Context(), longtest.Patience, func(context.Context) error { close(begun); <-done; return nil }) // nobody asks how it ends
		})
		<-begun
	}
	for _, path := range []string{"/api/solve?T=2", "/api/target"} {
		if w := answerOf(t, s, path); w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	close(done)
	all.Wait()
}

// TestGivenUpEitherWay: work that ends with its context is refused as given up, whether it returns the context's error or its cause.
func TestGivenUpEitherWay(t *testing.T) {
	ctx, cancel := context.WithTimeoutCause(t.Context(), 0, tooLong{time.Second})
	defer cancel()
	<-ctx.Done()
	for _, err := range []error{ctx.Err(), context.Cause(ctx)} {
		if f, is := errors.AsType[failure](orEnded(ctx, err)); !is || f.status != http.StatusServiceUnavailable {
			t.Errorf("%v is no refusal", err)
		}
	}
	if other := errors.New("another error"); orEnded(ctx, other) != other {
		t.Error("another error is taken for the end of the context")
	}
}
