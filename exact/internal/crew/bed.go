package crew

import (
	"runtime"
	"sync/atomic"
)

// bed is where a goroutine waits: awake at first, since the next loop mostly begins within microseconds, and then asleep. A goroutine that
// stayed awake would keep a core from the others where there are fewer cores than goroutines that are busy, be they of another
// program: they would wait for those who wait for them.
type bed struct {
	asleep *atomic.Bool
	bell   chan struct{} // of one, so that nobody waits for a sleeper to wake
}

func newBed() bed { return bed{new(atomic.Bool), make(chan struct{}, 1)} }

const (
	spins  = 2000 // how often a goroutine looks before it lets others run: some microseconds
	yields = 100  // how often it lets others run before it sleeps
)

// waitFor returns when what it waits for has come. Who brings that about calls wake afterwards.
func (b *bed) waitFor(come func() bool) {
	for tries := 0; !come(); tries++ {
		switch {
		case tries < spins:
		case tries < spins+yields:
			runtime.Gosched()
		default:
			b.asleep.Store(true)
			if come() && b.asleep.CompareAndSwap(true, false) {
				return // nobody will ring
			}
			<-b.bell
		}
	}
}

// wake wakes the goroutine if it sleeps.
func (b *bed) wake() {
	if b.asleep.Load() && b.asleep.CompareAndSwap(true, false) {
		b.bell <- struct{}{}
	}
}
