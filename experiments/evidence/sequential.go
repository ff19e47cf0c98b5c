package evidence

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/selector"
	"breadboard/exact/laws"
	"breadboard/toys/models"
)

func sequentialForm() form {
	return sequentialFormOf("smc", "SMC", chains.Forward, "one-particle SMC along the data, with SCANS scans (or perfect moves) after a datum", ", section 3.4 and Algorithm 2")
}

func reverseSequentialForm() form {
	return sequentialFormOf("shme", "SHME", chains.Reverse, "sequential harmonic mean: the same in reverse, from an exact draw", ", section 4.2.2 and Algorithm 3")
}

// perfect is written for moves that draw from the posterior of the data so far.
const perfect = "perfect"

// sequentialFormOf returns the form of sequential Monte Carlo in one direction. Its setting is the number of scans, where none is named.
func sequentialFormOf(name, legend string, d chains.Direction, doc, source string) form {
	return form{
		Syntax: name + "[:prior|posterior[:SCANS]]", Doc: doc, Source: paper + source, Example: name,
		Parse: func(args selector.Args, _ selector.Nothing) (Choice, error) {
			word, scans := args.Cut()
			proposal := estimators.ProposePosterior
			switch word {
			case estimators.ProposePrior.String():
				proposal = estimators.ProposePrior
			case estimators.ProposePosterior.String():
			default:
				if args.Given {
					return Choice{}, args.Errorf("%q is no proposal; write prior or posterior", word)
				}
			}
			sweeps, given, err := parseSweeps(scans, strings.Contains(args.Text, ":"))
			if err != nil {
				return Choice{}, args.Wrap(err)
			}
			return sequentialChoice(name, legend, d, proposal, sweeps, given), nil
		},
	}
}

// parseSweeps reads the number of scans, or perfect.
func parseSweeps(text string, given bool) (estimators.Sweeps, bool, error) {
	if !given {
		return 0, false, nil
	}
	if text == perfect {
		return estimators.Perfect, true, nil
	}
	n, err := selector.ParseWhole(text, 0, estimators.MaxSweeps)
	if err != nil {
		return 0, false, fmt.Errorf("the number of scans: %w, nor %s", err, perfect)
	}
	return estimators.Sweeps(n), true, nil
}

// sequentialChoice returns sequential Monte Carlo with a number of scans where one is given, and else with one that comes from the work.
func sequentialChoice(name, legend string, d chains.Direction, proposal estimators.Proposal, sweeps estimators.Sweeps, given bool) Choice {
	scans := func(n int) estimators.Sweeps {
		if given {
			return sweeps
		}
		return estimators.Sweeps(n)
	}
	if proposal == estimators.ProposePrior || given {
		name += ":" + proposal.String()
		legend += ", " + proposal.String()
	}
	if given {
		name += ":" + sweeps.String()
		legend += ", " + sweeps.String()
	}
	return Choice{name, legend, family{
		fits: hasData, smallest: 0, largest: estimators.MaxSweeps, whole: true, pace: paceSequential, fixed: func(*target) bool { return given },
		settings: func(_ *target, n int) string { return "scans=" + scans(n).String() },
		make: func(_ context.Context, t *target, _ finite, n int) (estimators.Estimator[chains.Chooser], error) {
			data, err := t.growing()
			if err != nil {
				return nil, err
			}
			if d == chains.Reverse {
				return estimators.NewReverseSequential(data, proposal, scans(n))
			}
			return estimators.NewSequential(data, proposal, scans(n))
		},
		law: func(ctx context.Context, t *target, n, workers int) (laws.Law, error) {
			data, err := t.growing()
			if err != nil {
				return nil, err
			}
			return laws.NewSequential(ctx, data, proposal, scans(n), d, workers)
		},
	}}
}

// hasData returns why a target has no sequential Monte Carlo.
func hasData(t *target) error {
	if _, has := t.on.Toy.Model.(models.Sequential); !has {
		return errors.New("it needs data that come one after another, and the toy has none; models have them, as clu8")
	}
	return fromPrior(t)
}

// fromPrior returns an error where the target's Z is not the marginal likelihood of its model, which is what estimators that take the
// model's own form estimate.
func fromPrior(t *target) error {
	if initial := t.on.Param("initial"); initial != "prior" {
		return chains.NewAdvice("it estimates the marginal likelihood of the model, and the annealing starts from {initial} %s; start it from the prior", initial)
	}
	return nil
}

// growing returns the model along its data, for one goroutine.
func (t *target) growing() (*estimators.Growing, error) {
	return models.Growing(t.on.Toy.Model.(models.Sequential))
}
