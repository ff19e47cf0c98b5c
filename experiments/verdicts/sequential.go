package verdicts

import (
	"context"
	"errors"
	"io"
)

// Watch is an e-process that is evaluated repeatedly while draws accumulate, with its state at the
// last look.
type Watch struct {
	Name         string
	LogThreshold float64 // the natural logarithm of the least e-value that is a fault
	// Value returns the log e-value of the draws so far, and a function that describes the largest
	// deviation.
	Value func() (logE float64, where func() string)
	Count func() int // the number of its draws; nil if it uses all draws

	Draws int // the number of its draws at the last look
	LogE  float64
	Where func() string
	// Fault says whether it has ever reached the threshold, which by Ville's inequality hardly ever
	// happens for a right distribution. It stays true.
	Fault bool
	At    int // the number of its draws at the look that found the fault; 0 if there is none
}

// Look updates the watch, given the number of draws.
func (w *Watch) Look(draws int) {
	w.Draws = draws
	if w.Count != nil {
		w.Draws = w.Count()
	}
	w.LogE, w.Where = w.Value()
	if !w.Fault && !(w.LogE < w.LogThreshold) { // NaN is no pass
		w.Fault = true
		w.At = w.Draws
	}
}

// Sequential tests draws against their distributions while they accumulate: it evaluates all tests
// whenever the number of draws has doubled, and ends at the first look with a decided fault, when
// there are no more draws, or at the requested number. As the tests are e-processes, repeated looks
// cost nothing.
type Sequential struct {
	First int // the number of draws at the first look
	Most  int // the largest number of draws; 0 if there is no bound
	// Grow makes or reads draws until there are the given number in all. It returns io.EOF if there
	// are no more; the earlier ones count.
	Grow func(ctx context.Context, draws int) error
	// Tests are evaluated after each call of Grow, which may add to them.
	Tests []*Watch
	// Decided reports whether the finding will not become clearer; nil if a fault of any
	// test decides. It is called after every look.
	Decided func() bool
}

// Run runs the test. If Grow fails, Run returns its error; if the context has ended it first
// evaluates the earlier draws.
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
