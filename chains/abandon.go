package chains

import "context"

// Unless does the work and returns nil when it is done, or the context's error as soon as the context ends. In the
// latter case the work is not ended: it goes on in a goroutine of its own, and the caller may no longer use anything that
// the work writes to. A panic of the work becomes a panic of the caller.
func Unless(ctx context.Context, work func()) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	ended := make(chan any, 1) // what the work panicked with, or nil
	go func() {
		defer func() { ended <- recover() }()
		work()
	}()
	select {
	case panicked := <-ended:
		if panicked != nil {
			panic(panicked)
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
