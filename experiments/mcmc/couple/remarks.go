package couple

import (
	"context"
	"fmt"
	"math"
	"strings"

	"breadboard/exact/meeting"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study"
)

// remarks returns what a reader must know about the meeting times of a problem, in one text; empty
// if there is nothing.
func remarks(p *samplers.Problem, solved *meeting.Solved, floor float64) string {
	var all []string
	say := func(format string, a ...any) { all = append(all, fmt.Sprintf(format, a...)) }
	if x, y, never := solved.Never(); never && underflows(p.Chain.LogF) {
		say("chains at the states %d and %d may never meet, as far as floating point can tell: moves less "+
			"probable than 5e-324 are ignored, and with them the chains may meet after more than 1e300 moves",
			x, y)
	} else if never {
		say("chains at the states %d and %d may never meet", x, y)
	}
	if x, y, late := solved.TooLate(); late {
		say("chains at the states %d and %d meet with probability one, but only after more than 1.8e308 "+
			"moves on average, which is shown as +Inf", x, y)
	}
	if floor > 0 {
		say("from this start the distance never falls below %.3g, because the chain is periodic or stays "+
			"in the class of its first state; meeting times do not bound it, so D is empty, and so is "+
			"d if it is finite",
			floor)
	}
	return strings.Join(all, "; ")
}

// coarse returns what a reader must know about the meeting times of the best coupling; empty if
// there is nothing.
func coarse(best *meeting.Solved) string {
	if !best.Coarse() {
		return ""
	}
	return "the mean times of the best coupling span more than 13 digits; for pairs that meet soon the " +
		"coupling found may not be the best one"
}

// underflows reports whether probabilities of moves between the states may be too small for
// floating point.
func underflows(logf []float64) bool {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range logf {
		if !math.IsInf(v, -1) {
			low, high = min(low, v), max(high, v)
		}
	}
	return high-low > 700
}

// nameProblem returns why a problem has no numbers, nil if it has some.
func nameProblem(p *samplers.Problem, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", p.Name(), err)
}

// noteOf returns the note of a row that has no numbers because of an error.
func noteOf(err error) string { return "no numbers: " + err.Error() }

// eachLaw computes the rows of a coupling for each start and lag. In place of those that fail are
// the rows that none makes of the error.
func eachLaw[R any](ctx context.Context, p *samplers.Problem, name string, lags []int, h study.How,
	rows func(start samplers.Start, solved *meeting.Solved, m *meeting.Law) ([]R, error),
	none func(start samplers.Start, lag int, err error) []R) (all []R, err error) {
	solved, failed := solve(ctx, p, name)
	h.Add(1)
	for _, start := range p.Starts {
		for _, lag := range lags {
			some := []R(nil)
			err := failed
			var m *meeting.Law
			if err == nil {
				m, err = solved.Meet(ctx, start.Law, lag)
			}
			if err == nil {
				some, err = rows(start, solved, m)
			}
			switch {
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case err != nil:
				some = none(start, lag, err)
			}
			all = append(all, some...)
			h.Add(1)
		}
	}
	return all, nil
}
