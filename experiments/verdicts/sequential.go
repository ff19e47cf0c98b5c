package verdicts

import (
	"context"
	"errors"
	"io"
)

// Watch is an e-process that is looked at while the draws become more, with what it said at the
// last look.
type Watch struct {
	Name         string
	LogThreshold float64 // the natural logarithm of the e-value from which on there is a fault
	// Value returns the log e-value of the draws so far, and a function that says which of them
	// deviate most from the distribution.
	Value func() (logE float64, where func() string)
	Count func() int // how many draws it has seen; nil if it sees all draws

	Draws int // how many it had seen at the last look
	LogE  float64
	Where func() string
	// Fault says whether it has ever reached the threshold. It remains so: by Ville's inequality a
	// right distribution hardly ever has it reach that.
	Fault bool
	At    int // how many draws it had seen at the look that found the fault; 0 if there is none
}

// Look brings the watch up to date, if there are that many draws.
func (w *Watch) Look(draws int) {
	if w.Draws = draws; w.Count != nil {
		w.Draws = w.Count()
	}
	w.LogE, w.Where = w.Value()
	if !w.Fault && !(w.LogE < w.LogThreshold) { // NaN is no pass
		w.Fault, w.At = true, w.Draws
	}
}

// Sequential holds draws to their distributions while they become more: it looks at all tests
// whenever there are twice as many draws as before, and ends at the first look with a fault that is
// decided, when there are no more draws, or when there are as many as were asked for. As the tests
// are e-processes, the looks cost nothing.
type Sequential struct {
	First int // the number of draws at the first look
	Most  int // the largest number of draws; 0 if there is no bound
	// Grow makes or reads draws until there are that many in all. It returns io.EOF if there are no
	// more; those that came before count.
	Grow func(ctx context.Context, draws int) error
	// Tests are looked at after each call of Grow, which may add to them.
	Tests []*Watch
	// Decided reports whether the finding will not become clearer; nil if a fault of any
	// test decides. It is called after every look.
	Decided func() bool

	Draws int // the number that Grow was last asked for
}

// Run runs the test. Where Grow fails, Run returns its error; if the context has ended it looks at
// the draws that were made before.
func (s *Sequential) Run(ctx context.Context) error {
	for draws := s.First; ; draws *= 2 {
		if s.Most > 0 {
			draws = min(draws, s.Most)
		}
		err := s.Grow(ctx, draws)
		ended := errors.Is(err, io.EOF)
		if ended {
			err = nil
		}
		if err != nil && ctx.Err() == nil {
			return err
		}
		s.Draws = draws
		for _, w := range s.Tests {
			w.Look(draws)
		}
		if decided := s.decided(); decided || err != nil || ended || draws == s.Most {
			return err
		}
	}
}

// Fault reports whether a test has found a fault.
func (s *Sequential) Fault() bool {
	for _, w := range s.Tests {
		if w.Fault {
			return true
		}
	}
	return false
}

func (s *Sequential) decided() bool {
	if s.Decided != nil {
		return s.Decided()
	}
	return s.Fault()
}
