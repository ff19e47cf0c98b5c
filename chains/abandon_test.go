package chains_test

import (
	"context"
	"errors"
	"testing"

	"breadboard/chains"
)

func TestUnless(t *testing.T) {
	done := false
	if err := chains.Unless(context.Background(), func() { done = true }); err != nil || !done {
		t.Errorf("work that ends: %v, done %v", err, done)
	}
	ctx, cancel := context.WithCancel(context.Background())
	never := make(chan struct{})
	defer close(never)
	if err := chains.Unless(ctx, func() { cancel(); <-never }); !errors.Is(err, context.Canceled) {
		t.Errorf("work that does not end: %v", err)
	}
	begun := false
	if err := chains.Unless(ctx, func() { begun = true }); !errors.Is(err, context.Canceled) || begun {
		t.Errorf("after the end: %v, begun %v", err, begun)
	}
	defer func() {
		if r := recover(); r != "broken" {
			t.Errorf("panicked with %v", r)
		}
	}()
	_ = chains.Unless(context.Background(), func() { panic("broken") })
}
