package tempering

import "breadboard/chains"

// MaxRungs is the largest number of rungs of a ladder.
const MaxRungs = 32

// State is where all replicas are after a scan, and which of them are on their way up.
type State struct {
	X  [MaxRungs]int // the state at each rung; zero beyond the last
	Up uint32        // bit i: the replica at rung i has been at rung 0 since it was last at rung N, or has been at neither yet
}

// Run is a run of so many scans as a Process. What it adds up are completed round trips of all replicas: a replica that stands at rung 0 once it
// has been at rung N, and comes back to rung 0, completes one when it arrives.
type Run struct {
	*Tempering
	Scans int
	From  [][]float64 // the law of the first state at each rung
}

var _ chains.Process[State] = Run{}

// Steps returns the number of scans.
func (r Run) Steps() int { return r.Scans }

// Start draws the state at each rung from its law, rung by rung. The replica at the top is on its way down, and all others on their way up.
func (r Run) Start(c chains.Chooser) (s State) {
	for i, law := range r.From {
		s.X[i] = c.Choose(law)
	}
	s.Up = 1<<(r.Rungs()-1) - 1
	return s
}

// Step makes scan t, and returns how many round trips it completes.
func (r Run) Step(c chains.Chooser, t int, s State) (State, float64) {
	trips, top := 0.0, r.Rungs()-1
	r.Scan(c, t, s.X[:top+1], func(i int, accepted bool) {
		if !accepted {
			return
		}
		if low, high := s.Up>>i&1, s.Up>>(i+1)&1; low != high {
			s.Up ^= 3 << i
		}
		if s.Up&1 == 0 { // what came to rung 0 came down from the top
			trips++
			s.Up |= 1
		}
		if i+1 == top {
			s.Up &^= 1 << top
		}
	})
	return s, trips
}
