// Package law answers: what is the exact distribution of a program's result? The program, in any
// language, asks for the outcomes of its random choices. They are explored, the most probable
// branches first. It never draws a random number.
package law

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/program"
	"breadboard/experiments/programs"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// Options are the limits of the exploration.
type Options struct {
	Cut     float64 // branches less probable than this are dropped
	Most    int     // the largest number of runs of the program
	Seconds float64 // the time after which no run begins; 0 means no limit
}

// Row is an outcome with its probability.
type Row struct {
	Outcome  string
	P        float64
	Branches int   // the number of branches with this outcome
	Of       *Walk // the exploration, one for all rows
}

// Walk has the statistics of the exploration of a program's branches.
type Walk struct {
	Runs      int
	Cut, Left float64 // the probability of dropped branches, and of those unexplored at the end
	Ended     program.Ending
}

// Why returns the reason why the exploration ended before all branches, and "" if it did not.
func (w *Walk) Why() string {
	switch w.Ended {
	case program.ByBranches:
		return "{most} allows more"
	case program.ByMemory:
		return "the pending branches fill the memory; ask for fewer outcomes at once, or give a larger {cut}"
	case program.ByTime:
		return "the time was up"
	}
	return ""
}

// Remainder returns the probability of branches that were not explored.
func (r *Row) Remainder() float64 { return r.Of.Cut + r.Of.Left }

// Study declares the study.
func Study() *study.Study[*programs.Function, Options, Row] {
	return study.New(Options{Cut: 1e-12, Most: 100_000}, plan, study.Declaration{
		Name: "law",
		Asks: "What is the exact distribution of a program's result?",
		Help: `What does your program return, and how often? law gives the exact distribution
of its result by running it once for every sequence of outcomes of its random
choices, the most probable first.

The program asks for each choice on its standard output
(experiments/programs/PROTOCOL.md), and ends with {"result": "..."}. Each
probability is too small by the remainder at most, which is the unexplored
probability. A program that hangs, or behaves differently when run again, is a
fault with exit code 1.

See breadboard help laws.`,
		Examples: `  breadboard law "exec:python3 dice.py"
  breadboard law "exec:python3 dice.py" --cut 1e-6 --format csv
  breadboard law "exec:./resampler" --most 1e6 --time 1m`,
		Counts: "explored probability",
		Options: study.OptionsOf(func(o *Options) []study.Option {
			return []study.Option{
				{Name: "cut", To: study.Number(&o.Cut)},
				{Name: "most", Doc: "of runs of the program",
					To: study.Whole(&o.Most, "N", 1, subject.MaxNumber)},
				{
					Name: "time",
					Doc:  ", after which no run starts; 0s is no limit; with a limit the result depends on the machine",
					To:   study.Seconds(&o.Seconds),
				},
			}
		}),
		Columns: columns.List{
			columns.Of("outcome", "outcome", "a line of text that the program returns",
				func(r *Row) string { return r.Outcome }).Answer(),
			columns.Of("p", "p", "the probability of the line, too small by the remainder at most",
				func(r *Row) float64 { return r.P }).Answer().Digits(12),
			columns.Of("branches", "branches", "the number of sequences of choices that lead to it",
				func(r *Row) int { return r.Branches }),
			columns.Of("remainder", "", "the unexplored probability, the same in each row", (*Row).Remainder),
		},
		Plots: []columns.Plot{{
			Name:  "law_p_against_outcome",
			Title: "p against outcome",
			Parts: []columns.Part{{
				X:      "outcome",
				Y:      []string{"p"},
				YLabel: "probability",
			}},
			Bars: []string{"p"},
		}},
		View:    reports.Untyped(report),
		Unswept: "a sweep does not notice that a program has changed",
	})
}

func plan(_ context.Context, on []*programs.Function, o *Options) (study.Plan[Row], error) {
	switch {
	case !(o.Cut >= 0 && o.Cut < 1):
		return study.Plan[Row]{}, errs.New("{cut} %v; give a probability from 0 to below 1", o.Cut)
	case !(o.Seconds >= 0):
		return study.Plan[Row]{}, errs.New("{time} %v; give a time from 0s, which means no limit", o.Seconds)
	}
	return study.Plan[Row]{
		Steps: steps,
		Run:   func(ctx context.Context, h study.How) ([]Row, error) { return rows(ctx, on[0], o, h) },
	}, nil
}

// steps is the number of parts of the probability that progress counts. It is a guess of the time:
// branches that are left are as many as those that were walked where they are as probable, and more
// where they are less.
const steps = 1_000_000

// rows returns the distribution of a program. If the context ends it returns what is known of
// it, with the error of the context.
func rows(ctx context.Context, f *programs.Function, o *Options, h study.How) ([]Row, error) {
	within := ctx
	if o.Seconds > 0 {
		var cancel func()
		within, cancel = context.WithTimeout(ctx, time.Duration(min(o.Seconds, 1e9)*1e9))
		defer cancel()
	}
	mass := 0.0
	told := 0
	walked := func(p float64) {
		mass += p
		now := int(steps * mass)
		h.Add(now - told)
		told = now
	}
	law, err := program.Likeliest(within, f.Run,
		program.Options{Cut: max(o.Cut, math.SmallestNonzeroFloat64), Branches: o.Most}, walked)
	if err != nil {
		return nil, InWords(f, err)
	}
	of := &Walk{Runs: law.Runs(), Cut: law.Cut, Left: law.Left, Ended: law.Ended}
	list := make([]Row, len(law.Outcomes()))
	for i, out := range law.Outcomes() {
		list[i] = Row{out.Value, out.P, law.Branches[i], of}
	}
	sortRows(list)
	switch {
	case ctx.Err() != nil:
		return list, ctx.Err()
	case len(list) == 0:
		return nil,
			errs.New("no branch has reached a result: probability %.3g was pruned and %.3g is unexplored; "+
				"{cut} may be too large, or {most} or {time} too small",
				of.Cut, of.Left)
	}
	return list, nil
}

// InWords returns the error of an exploration for people. An error of the program itself is a
// chains.Fault.
func InWords(f *programs.Function, err error) error {
	wrong, is := errors.AsType[*program.Error](err)
	switch {
	case !is:
		return err
	case wrong.Unwrap() != nil:
		return wrong.Unwrap() // the program's own, which names it
	}
	return chains.NewFault(errors.New(wrong.About(fmt.Sprintf("program %q", f.String()))))
}

// sortRows orders numbers by size where all outcomes are numbers, and others by probability; those
// that are equal but for rounding by their text.
func sortRows(list []Row) {
	numbers, are := Numbers(list)
	if are {
		slices.SortStableFunc(list, func(a, b Row) int {
			return cmp.Or(cmp.Compare(numbers[a.Outcome], numbers[b.Outcome]), cmp.Compare(a.Outcome, b.Outcome))
		})
		return
	}
	rounded := func(p float64) float64 {
		p, _ = strconv.ParseFloat(strconv.FormatFloat(p, 'e', 11, 64), 64)
		return p
	}
	slices.SortStableFunc(list, func(a, b Row) int {
		return cmp.Or(cmp.Compare(rounded(b.P), rounded(a.P)), cmp.Compare(a.Outcome, b.Outcome))
	})
}

// Numbers returns the outcomes as numbers, and whether all are finite.
func Numbers(list []Row) (values map[string]float64, all bool) {
	values = map[string]float64{}
	for i := range list {
		v, err := strconv.ParseFloat(list[i].Outcome, 64)
		if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
			return nil, false
		}
		values[list[i].Outcome] = v
	}
	return values, true
}

// Moments returns the mean and the variance of outcomes that are numbers. It returns false if the
// distribution has a remainder, without which a mean would look biased, and if an outcome is not a
// number.
func Moments(list []Row) (mean, variance float64, are bool) {
	values, all := Numbers(list)
	if !all || len(list) == 0 || list[0].Remainder() > 0 {
		return 0, 0, false
	}
	terms := make([]float64, len(list))
	for i, r := range list {
		terms[i] = r.P * values[r.Outcome]
	}
	mean = number.Total(terms)
	for i, r := range list {
		terms[i] = r.P * (values[r.Outcome] - mean) * (values[r.Outcome] - mean)
	}
	return mean, number.Total(terms), true
}
