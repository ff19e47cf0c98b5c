package bench

import (
	"sync"
	"time"
)

// pulseEvery is the time between two reports of how far work is.
const pulseEvery = 100 * time.Millisecond

// pulse sums the steps of a search that are reported from several goroutines, and says now and then how many there are, with the best
// value so far.
type pulse struct {
	mu    sync.Mutex
	steps int
	best  float64
	found bool // whether there is a best value yet
	last  time.Time
	say   func(steps int, best float64) error
}

func newPulse(say func(steps int, best float64) error) *pulse { return &pulse{say: say} }

// add adds steps. That nobody hears of them any more, the context of the work says.
func (p *pulse) add(steps int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.steps += steps
	p.beat()
}

// better sets the best value.
func (p *pulse) better(value float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.best, p.found = value, true
	p.beat()
}

// beat says how far the search is, where it is time for that.
func (p *pulse) beat() {
	if now := time.Now(); p.found && now.Sub(p.last) >= pulseEvery {
		p.last = now
		_ = p.say(p.steps, p.best)
	}
}
