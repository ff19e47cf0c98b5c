package bench

import (
	"sync"
	"time"
)

// pulseEvery is the time between two reports of how far work is.
const pulseEvery = 100 * time.Millisecond

// pulse sums steps that are reported from several goroutines, and says now and then how many there are.
type pulse struct {
	mu    sync.Mutex
	steps int
	last  time.Time
	say   func(steps int) error
}

func newPulse(say func(steps int) error) *pulse { return &pulse{say: say} }

// add adds steps. That nobody hears of them any more, the context of the work says.
func (p *pulse) add(steps int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.steps += steps
	if now := time.Now(); now.Sub(p.last) >= pulseEvery {
		p.last = now
		_ = p.say(p.steps)
	}
}
