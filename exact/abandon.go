package exact

import "context"

// abandonable does work that cannot be interrupted, and returns as soon as it is done or the context ends. In the
// latter case the work goes on in a goroutine of its own, and nothing that it writes to may be used any more. A panic
// of the work is one of the caller.
func abandonable(ctx context.Context, work func()) error {
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
