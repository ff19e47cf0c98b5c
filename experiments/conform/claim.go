package conform

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains/selector"
	"breadboard/experiments"
	"breadboard/experiments/eprocess"
	"breadboard/experiments/evidence"
)

// Claimed is what is claimed of estimates of Z, as it is selected.
type Claimed struct {
	Name   eprocess.Claim // the selector in canonical form
	Says   string         // what is claimed, after "the estimates"
	Errors bool           // whether it is about standard errors, so that the estimates need the column se
	test   func(ctx context.Context, about about) (*eprocess.Test, error)
}

// about is what the test of a claim may need to know.
type about struct {
	on                *experiments.Case
	logZ, logRatio    float64 // log Z as the estimates have it, and log(Z_T/Z_1)
	largest, smallest float64 // of log Zhat, NaN where they are not known
	workers           int
}

// known returns a number, and another one where it is not known.
func known(v, otherwise float64) float64 {
	if math.IsNaN(v) {
		return otherwise
	}
	return v
}

// claimForm is how a claim is selected.
type claimForm = selector.Form[selector.Nothing, Claimed]

// ClaimForms are the forms of the selectors that ParseClaim reads, in the order in which they are listed.
func ClaimForms() selector.Set[selector.Nothing, Claimed] {
	return selector.Set[selector.Nothing, Claimed]{What: "claim", Forms: []func() claimForm{
		unbiasedForm, lowerForm, upperForm, lowerOnAverageForm, upperOnAverageForm, withinForm, calibratedForm, lawForm}}
}

// ParseClaim returns the claim of a selector. The error of an unknown one suggests the nearest and lists them all.
func ParseClaim(text eprocess.Claim) (Claimed, error) {
	return ClaimForms().Parse(string(text), selector.Nothing{})
}

// meanForm is the form of a claim about a mean.
func meanForm(name eprocess.Claim, doc string, test func(ctx context.Context, a about) (*eprocess.Test, error)) claimForm {
	return claimForm{
		Syntax: string(name), Doc: doc, Example: string(name),
		Parse: func(selector.Args, selector.Nothing) (Claimed, error) {
			return Claimed{Name: name, Says: "are " + string(name), test: test}, nil
		},
	}
}

func unbiasedForm() claimForm {
	return meanForm(eprocess.Unbiased, "the mean of Zhat is Z", func(ctx context.Context, a about) (*eprocess.Test, error) {
		largest, err := eprocess.LargestWeight(ctx, a.on.Annealing())
		if err != nil {
			return nil, a.on.Wrong(err)
		}
		return eprocess.NewUnbiased(a.logZ, known(a.largest, largest+a.logZ-a.logRatio))
	})
}

func lowerForm() claimForm {
	return meanForm(eprocess.Lower, "the mean of Zhat is at most Z", func(_ context.Context, a about) (*eprocess.Test, error) {
		return eprocess.NewLower(a.logZ)
	})
}

func upperForm() claimForm {
	return meanForm(eprocess.Upper, "the mean of 1/Zhat is at most 1/Z", func(_ context.Context, a about) (*eprocess.Test, error) {
		return eprocess.NewUpper(a.logZ)
	})
}

func lowerOnAverageForm() claimForm {
	return meanForm(eprocess.LowerOnAverage, "the mean of log Zhat is at most log Z", func(_ context.Context, a about) (*eprocess.Test, error) {
		return eprocess.NewLowerOnAverage(a.logZ, known(a.smallest, math.Inf(-1)))
	})
}

func upperOnAverageForm() claimForm {
	return meanForm(eprocess.UpperOnAverage, "the mean of log Zhat is at least log Z", func(_ context.Context, a about) (*eprocess.Test, error) {
		return eprocess.NewUpperOnAverage(a.logZ, known(a.largest, math.Inf(1)))
	})
}

func withinForm() claimForm {
	return claimForm{
		Syntax: "within:NATS[:PROBABILITY]", Example: "within:0.05:0.9", Missing: "a distance from log Z in nats",
		Doc: "log Zhat is within so many nats of log Z, always or with a probability of at least so much",
		Parse: func(args selector.Args, _ selector.Nothing) (Claimed, error) {
			first, rest := args.Cut()
			nats, err := selector.ParseNumber(first)
			if err != nil {
				return Claimed{}, args.Errorf("the distance in nats: %w", err)
			}
			p := 1.0
			if rest != "" {
				if p, err = selector.ParseNumber(rest); err != nil {
					return Claimed{}, args.Errorf("the probability: %w", err)
				}
			}
			c := Claimed{Name: eprocess.Claim("within:" + tenDigits(nats)), Says: fmt.Sprintf("are within %s nats of log Z", tenDigits(nats))}
			if p != 1 {
				c.Name += eprocess.Claim(":" + tenDigits(p))
				c.Says += fmt.Sprintf(" with a probability of at least %s", tenDigits(p))
			}
			c.test = func(_ context.Context, a about) (*eprocess.Test, error) {
				return eprocess.NewWithin(c.Name, a.logZ, nats, p)
			}
			_, err = eprocess.NewWithin(c.Name, 0, nats, p) // numbers that make no sense are refused at once
			return c, err
		},
	}
}

func calibratedForm() claimForm {
	return claimForm{
		Syntax: "calibrated[:SLACK]", Example: "calibrated:0.02",
		Doc: "(log Zhat - log Z) / se is standard normal, for the standard errors in the column se, but for probabilities that are off by at most SLACK",
		Parse: func(args selector.Args, _ selector.Nothing) (Claimed, error) {
			c, slack := Claimed{Name: "calibrated", Says: "have standard errors that are calibrated", Errors: true}, 0.0
			if args.Given {
				var err error
				if slack, err = args.Number("the slack"); err != nil {
					return Claimed{}, err
				}
			}
			if slack != 0 {
				c.Name += eprocess.Claim(":" + tenDigits(slack))
				c.Says += " to within " + tenDigits(slack)
			}
			c.test = func(_ context.Context, a about) (*eprocess.Test, error) {
				return eprocess.NewCalibrated(c.Name, a.logZ, slack)
			}
			_, err := eprocess.NewCalibrated(c.Name, 0, slack)
			return c, err
		},
	}
}

func lawForm() claimForm {
	return claimForm{
		Syntax: "law:ESTIMATOR", Example: "law:ns:100", Missing: "an estimator whose selector decides all its settings",
		Doc: "log Zhat has the exact law of an estimator of breadboard evidence list, as of nested sampling with 100 points",
		Parse: func(args selector.Args, _ selector.Nothing) (Claimed, error) {
			e, err := evidence.Parse(args.Text)
			if err != nil {
				return Claimed{}, args.Wrap(err)
			}
			c := Claimed{Name: eprocess.Claim("law:" + e.Name), Says: "have the law " + e.Name}
			c.test = func(ctx context.Context, a about) (*eprocess.Test, error) {
				law, err := evidence.Expect(ctx, a.on, e.Name, a.logZ-a.logRatio, a.workers)
				if err != nil {
					return nil, fmt.Errorf("claim %q: %w", c.Name, err)
				}
				return eprocess.NewLaw(c.Name, a.logZ, law.Events, law.LogMean)
			}
			return c, nil
		},
	}
}
