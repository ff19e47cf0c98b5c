package bench

import (
	"context"
	"errors"
	"fmt"
	"log"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// lane lets a few computations run at once, and a few more wait.
type lane struct {
	places  chan struct{}
	waiting atomic.Int64
	queue   int64
	log     *log.Logger // receives what went wrong inside when no request waited for it
}

func newLane(places, queue int, log *log.Logger) *lane {
	return &lane{places: make(chan struct{}, places), queue: int64(queue), log: log}
}

// waitForPlace waits for a place. It fails if too many wait already, and if the context ends.
func (l *lane) waitForPlace(ctx context.Context) error {
	select {
	case l.places <- struct{}{}:
		return nil
	default:
	}
	if l.waiting.Add(1) > l.queue {
		l.waiting.Add(-1)
		return failf(statusTooMany, "",
			"%d computations are under way and %d wait already; ask again in a second, or close other pages",
			cap(l.places), l.queue)
	}
	defer l.waiting.Add(-1)
	select {
	case l.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ended(ctx)
	}
}

func (l *lane) leave() { <-l.places }

// inside does work on a place of the lane, within a time. If the context ends first, inside
// returns, and the work keeps its place until it has seen that and ended. Where the work panics, so
// does inside.
func (l *lane) inside(ctx context.Context, limit time.Duration, work func(context.Context) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, tooLong{limit})
	if err := l.waitForPlace(ctx); err != nil {
		cancel()
		return err
	}
	done := make(chan error, 1)
	go func() {
		defer cancel()
		defer l.leave()
		defer func() {
			if p := recover(); p != nil {
				done <- panicked{p, string(debug.Stack())}
			}
		}()
		done <- work(ctx)
	}()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		select {
		case err = <-done: // the work has ended, and has ended its context behind it
		default:
			go l.lament(done)
			return ended(ctx)
		}
	}
	if p, is := err.(panicked); is {
		panic(p)
	}
	return orEnded(ctx, err)
}

// orEnded returns the failure for a context that has ended instead of an error that says just that,
// and other errors as they are.
func orEnded(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx))) {
		return ended(ctx)
	}
	return err
}

// lament logs a panic of work that no request waits for any more.
func (l *lane) lament(done <-chan error) {
	if p, is := (<-done).(panicked); is {
		l.log.Printf("work that was given up panicked: %v", p)
	}
}

// panicked is the error of work that has panicked.
type panicked struct {
	value any
	stack string
}

func (p panicked) Error() string { return fmt.Sprintf("%v\n%s", p.value, p.stack) }

// tooLong is the cause with which a context ends whose time is over.
type tooLong struct{ limit time.Duration }

func (t tooLong) Error() string {
	return fmt.Sprintf("this takes longer than %v, which is the limit here; take a smaller T or space, or a schedule "+
		"that is not placed step by step, as linear, or run the command in a terminal",
		t.limit)
}

// ended returns the failure for a context that has ended.
func ended(ctx context.Context) error {
	return failure{status: statusUnavailable, error: context.Cause(ctx)}
}
