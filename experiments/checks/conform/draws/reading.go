package draws

import (
	"context"
	"errors"
	"fmt"
	"math"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/experiments/draws/codes"
	"breadboard/experiments/verdicts"
)

// Reading reads draws, and evaluates the average of the e-values of some tests whenever the number
// of draws has doubled.
type Reading struct {
	Options
	Name    string // of what is tested
	Readers codes.Readers
	// whether rows have counts of states: their order is then unknown, and tests are evaluated only
	// at the end
	Counted    bool
	Cure       string // the advice if there are too many draws
	Add        func(x, count int)
	Impossible func() bool // whether a state of probability zero was drawn
	Values     func() []Value
	Explain    func(values []Value) string // describes a fault

	Draws int
	Watch *verdicts.Watch
	Last  []Value // at the last look; nil if a state of probability zero was drawn
	Says  string  // the fault at the last look that found one
}

// Run reads until a fault is decided (if Options.Decides), Options.Most draws are read, or no draws
// are left. If the context ends it returns its error, and the draws so far count; after any other
// error nothing was tested.
func (r *Reading) Run(ctx context.Context) error {
	r.Watch = &verdicts.Watch{
		Name:         r.Name,
		LogThreshold: -number.Log(r.Alpha),
		Count:        func() int { return r.Draws },
		Value:        r.logEvidence,
	}
	s := verdicts.Sequential{First: 1, Most: r.Most, Grow: r.grow, Tests: []*verdicts.Watch{r.Watch}}
	if r.Counted {
		s.First = math.MaxInt / 4
	}
	s.Decided = func() bool { return r.Watch.Fault && r.Decides && r.Draws >= 2*r.Watch.At }
	err := s.Run(ctx)
	if (err == nil || ctx.Err() != nil) && r.Draws == 0 {
		err = errors.Join(err, fmt.Errorf("%s: there are no draws in it", r.Readers.List[0].Name()))
	}
	return err
}

// mostRead is the most draws of a source in their order, which are remembered.
const mostRead = 1 << 28

// grow reads until there are that many draws.
func (r *Reading) grow(ctx context.Context, draws int) error {
	rows := 0
	defer func() {
		if r.Progress != nil {
			r.Progress(rows)
		}
	}()
	for r.Draws < draws {
		x, count, err := r.Readers.Next(ctx)
		if err != nil {
			return err
		}
		if r.Draws == mostRead && !r.Counted {
			return errs.New("%s: more than %d draws; %s", r.Readers.Name(), mostRead, r.Cure)
		}
		r.Add(x, count)
		r.Draws += count
		rows++
		if rows%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// logEvidence returns the log e-value of all tests together.
func (r *Reading) logEvidence() (float64, func() string) {
	where := func() string { return "" }
	if r.Impossible() {
		r.Last = nil
		return math.Inf(1), where
	}
	r.Last = r.Values()
	if len(r.Last) == 0 {
		return 0, where
	}
	logE := logMean(r.Last)
	if logE >= r.Watch.LogThreshold {
		r.Says = r.Explain(r.Last)
	}
	return logE, where
}

// Strong reports whether the tests of the last look alone show a fault, not only those of an
// earlier one.
func (r *Reading) Strong() bool { return len(r.Last) > 0 && logMean(r.Last) >= r.Watch.LogThreshold }
