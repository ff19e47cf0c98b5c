package placement

import "breadboard/chains/number"

// Parts is the sum of the calls of Options.Progress.
const Parts = 1000

// startProgress starts the progress of a descent.
func (s *search) startProgress() {
	s.descent++
	s.begun = 0
	s.report(0)
}

// nearer reports the progress of a descent: the logarithm of the gradient falls about linearly from
// its start to its end.
func (s *search) nearer(gradient float64) {
	if s.descent == 0 || !(gradient > 0) {
		return
	}
	if s.begun == 0 {
		s.begun = max(gradient, 2*settled)
	}
	s.report(max(0, number.Log(s.begun/gradient)/number.Log(s.begun/settled)))
}

// report reports which part of the descent is done. It never goes back.
func (s *search) report(part float64) {
	now := min(Parts, int(Parts*(float64(s.descent-1)+min(part, 1))/float64(s.descents)))
	if s.o.Progress != nil && now > s.told {
		s.o.Progress(now - s.told)
		s.told = now
	}
}
