package weights

import "sync/atomic"

// portions returns a function to call from any goroutine with the number of pieces of work that have been done. It
// reports all pieces together as LawProgress steps.
func (p *problem) portions(pieces int) func(int) {
	var done atomic.Int64
	return func(n int) {
		now := done.Add(int64(n))
		before := now - int64(n)
		if steps := LawProgress*now/int64(pieces) - LawProgress*before/int64(pieces); steps > 0 {
			p.Progress(int(steps))
		}
	}
}
