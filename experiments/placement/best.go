package placement

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/schedules"
	"breadboard/chains/selector"
	"breadboard/exact/gradient"
)

// best begins the selector of the best schedule for an objective.
const best = "best"

// BestName returns the selector of the best schedule for an objective.
func BestName(o gradient.Objective) string { return best + ":" + string(o) }

// bestForm is how the schedule that Optimize finds is selected.
func bestForm() familyForm {
	return familyForm{
		Syntax:  best + "[:OBJECTIVE]",
		Example: BestName(gradient.ObjectiveJ),
		Others:  []string{"optimal", "optimised", "optimized"},
		Doc: "at each T the schedule that schedule optimize finds: with the smallest B, or OBJECTIVE of " +
			strings.Join(gradient.Objectives(), ", "),
		Parse: func(args selector.Args, _ selector.Nothing) (f Family, err error) {
			f.Objective = gradient.ObjectiveB
			if args.Given {
				f.Objective, err = gradient.ParseObjective(args.Text)
			}
			f.Name, f.on = BestName(f.Objective), onBest(f.Objective)
			return f, args.Wrap(err)
		},
	}
}

// onBest returns the placement of the best schedule at each T. If nothing is to be gained the
// linear one is a best one.
func onBest(objective gradient.Objective) placing {
	return func(_ context.Context, g *Ground) (Placement, error) {
		return Placement{Place: func(ctx context.Context, T int) (p Placed, err error) {
			if err := placeable(T, math.MaxInt); err != nil {
				return p, err
			}
			p.Schedule = schedules.Linear{}
			if T == 2 { // the betas are 0 and 1
				return p, nil
			}
			a, err := chains.NewAnnealingBy(g.path, p.Schedule, g.moves, T)
			if err == nil {
				err = cmp.Or(Searchable(a, g.Classes, objective), checkBestStates(objective, a.Path().States(), T))
			}
			if err != nil {
				return p, err
			}
			found, err := Optimize(ctx, g.path, g.moves.Kernel(), T, objective, Options{Ground: g, Workers: g.workers})
			if errors.Is(err, ErrNothingToGain) {
				return p, nil
			}
			if err != nil {
				return p, err
			}
			return Placed{found.Points, found.Unconverged()}, nil
		}}, nil
	}
}

// MaxOptimized is the largest T for which a best schedule is searched. One gradient then takes half
// a second.
const MaxOptimized = 100_000

// Searchable returns the reason why no best schedule for objectives can be searched in the place of
// that of an annealing, whose states may be classes.
func Searchable(a *chains.Annealing, classes bool, objectives ...gradient.Objective) error {
	if classes && slices.ContainsFunc(objectives, OfBestStates) {
		return errors.New(
			"states are in classes, of which the likeliest need not have the best states: an objective of " +
				"best states takes single states",
		)
	}
	if T := a.Distributions(); T > MaxOptimized {
		return errs.New("%d distributions; the best schedule is searched up to T = %d", T, MaxOptimized)
	}
	return gradient.Differentiable(a)
}

// mostOfBestStates is the largest number of states times T for which an objective of best states is
// searched where a schedule is placed, which shows no progress: a search then takes some ten
// seconds.
const mostOfBestStates = 1 << 18

// checkBestStates fails if the search for the best schedule of such an objective takes minutes.
func checkBestStates(objective gradient.Objective, states, T int) error {
	if !OfBestStates(objective) || states <= mostOfBestStates/T {
		return nil
	}
	return errs.New("%s takes minutes on %d states with T = %d; at this T it is found in less time on up to %d states; "+
		"{schedule optimize} finds it with {objective} %s, and shows its progress",
		BestName(objective), states, T, mostOfBestStates/T, objective)
}

// OfBestStates reports whether an objective takes annealing as an optimiser.
func OfBestStates(o gradient.Objective) bool {
	return o == gradient.ObjectiveSuccess || o == gradient.ObjectiveTTS
}

// Unconverged returns the reason why an optimum did not converge; empty if it did.
func (o *Optimum) Unconverged() string {
	if o.Converged {
		return ""
	}
	return "the optimum did not converge: " + o.Reason
}

// Measured: the times of a search relative to a solution by the general method, from 130 at T = 100
// down to 45 where T is large; and of a search whose objective is neither B nor TTS, the seconds
// for each step on few states, where increments vanish one after another.
const (
	searchCost     = 130
	longSearchCost = 45
	vanishingCost  = 13e-3
	fewStates      = 50
)

// costOfBest estimates the seconds and bytes of a search. On few states more stages are kept.
func costOfBest(objective gradient.Objective, T, states int, general float64) (seconds, memory float64) {
	n := float64(states)
	steps := float64(T)
	seconds = general * min(searchCost, max(longSearchCost, searchCost*100/steps))
	if !slices.Contains([]gradient.Objective{"", gradient.ObjectiveB, gradient.ObjectiveTTS}, objective) {
		seconds += vanishingCost * steps * min(1, fewStates/n)
	}
	return seconds, math.Sqrt(steps)*n*200 + min(1e4*n, 11e6)
}
