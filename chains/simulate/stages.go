package simulate

import "breadboard/chains"

// sweep holds what all chains have in common and takes it through the stages of an annealing, for the simulations by rows
// and by counts, which do not take single steps of a Process. They add the increment of a log weight by the state before a
// move. In reverse the increment of stage t belongs to x_{t-1}, the state after the move of that stage: it is added before
// the next move, and that of the last stage by the caller.
type sweep struct {
	*AIS
	increment []float64           // what to add to a log weight, by the state before the move
	rows      chains.PreparedRows // the rows of the kernel, after prepareRows
	watch     *Watch
	err       error // the error of the watch, which has ended the simulation
}

// newSweep returns the sweep in a direction. It fails as NewAIS does, and for a kernel without rows in closed form.
func newSweep(a *chains.Annealing, d chains.Direction, watch *Watch) (*sweep, error) {
	if err := TablesError(a, d); err != nil {
		return nil, err
	}
	p, err := NewAIS(a, d)
	if err != nil {
		return nil, err
	}
	return &sweep{AIS: p, increment: make([]float64, a.States()), watch: watch}, nil
}

// atEnd reports whether there is no further stage.
func (s *sweep) atEnd() bool { return s.step == s.a.Distributions()-1 }

// next moves to the next stage, and returns false when there is none or the watch has failed.
func (s *sweep) next() bool {
	if s.err = s.watch.look(); s.err != nil {
		return false
	}
	if s.direction == chains.Reverse {
		s.increment, s.delta = s.delta, s.increment
	}
	if s.atEnd() {
		return false
	}
	s.load(s.step + 1)
	if s.direction == chains.Forward {
		s.increment = s.delta
	}
	return true
}

// finish adds to the log weights what only the last states tell: in reverse the last increment, and the constant that
// centring takes out of every log weight.
func (s *sweep) finish(states []int32, logw []float64) {
	for i, x := range states {
		if s.direction == chains.Reverse {
			logw[i] += s.increment[x]
		}
		logw[i] += s.offset
	}
}
