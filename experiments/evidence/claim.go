package evidence

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/experiments"
)

// Program makes estimates of log Z, in nats, as an estimator does that knows nothing of the states of a toy. It may draw real numbers.
type Program interface {
	Estimate(c chains.RealChooser) float64
}

// Claim says that a program has the law of an estimator on the target of a case.
type Claim struct {
	Case      experiments.Case
	Estimator string                  // a selector, for Parse
	Setting   int                     // of the estimator, such as K or T; what Parse names with a setting of its own does not use it
	New       func() (Program, error) // returns the program, for one goroutine
}

// CheckClaims tests runs of every program against the law that it claims, as Check does with the estimators of this package: by
// e-processes, over all of which a false alarm has probability at most o.Alpha. It uses the numbers of runs and workers, the seed, Alpha and
// Progress of the options alone.
func CheckClaims(ctx context.Context, claims []Claim, o CheckOptions) ([]Finding, error) {
	if err := o.ValidateTests(); err != nil {
		return nil, err
	}
	return o.each(ctx, len(claims), func(ctx context.Context, i int, threshold float64) ([]Finding, error) {
		claim := &claims[i]
		s, err := newSubject(ctx, &claim.Case, claim.Estimator, claim.Setting)
		if err == nil {
			s.purpose, s.program = "claim", claim.New
			err = s.examineRuns(ctx, &o, threshold)
		}
		if err != nil {
			return nil, aboutToy(&claim.Case, fmt.Errorf("estimator %s: %w", claim.Estimator, err))
		}
		return s.findings, nil
	})
}

// newSubject returns an estimator with a setting on the target of a case, which is to be held to its law.
func newSubject(ctx context.Context, on *experiments.Case, estimator string, setting int) (*subject, error) {
	t, err := newTarget(ctx, on)
	if err != nil {
		return nil, err
	}
	c, err := Parse(estimator)
	if err != nil {
		return nil, err
	}
	if c.given {
		setting = c.smallest
	}
	e, err := c.estimatorOn(ctx, t, setting)
	if err != nil {
		return nil, err
	}
	return &subject{plan: plan{target: t, Choice: c, setting: setting, combination: e.Combination()}}, nil
}
