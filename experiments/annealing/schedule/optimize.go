package schedule

import (
	"context"
	"math"
	"strings"

	"breadboard/chains/number"
	"breadboard/exact/gradient"
	"breadboard/experiments/annealing/success"
	"breadboard/experiments/annealing/tightness"
	"breadboard/experiments/placement"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// OptimizeOptions are the objective and the effort of the search.
type OptimizeOptions struct {
	Objective gradient.Objective // what is minimised
}

// OptimumRow is the best schedule for a case.
type OptimumRow struct {
	subject.Case
	*placement.Optimum
	Own   number.Bounded // the value of the objective on the case's own schedule, in nats
	Notes []string       // the notes of the solution on the case's own schedule
	// Success has the probabilities of reaching a best state on the best schedule; nil unless the
	// objective is one of them.
	Success *success.Row
}

// Least returns the smallest value of the objective.
func (o *OptimumRow) Least() number.Bounded { return number.Within(o.Value, o.Lost) }

// Ratio returns how many times larger the objective is on the linear schedule.
func (o *OptimumRow) Ratio() float64 { return o.Linear.Value / o.Value }

// relative returns the ratio of the objective on another schedule to its smallest value.
func (o *OptimumRow) relative(to number.Bounded) number.Bounded { return to.Over(o.Least()) }

// Texts that both studies use.
const (
	countsGradients = "searching"
)

// Optimize declares the study that finds, for each case, the schedule for which an objective is
// smallest. The search does not start from the case's own schedule, which may therefore be better
// if there are several local minima.
func Optimize() *study.Study[subject.Case, OptimizeOptions, OptimumRow] {
	objective := subject.Parameter{
		Name: "objective", Doc: "what is minimised: " + strings.Join(gradient.Objectives(), ", "),
		Defaults: subject.Just(string(gradient.ObjectiveB)),
		Canonical: func(text string) (string, error) {
			o, err := gradient.ParseObjective(text)
			return string(o), err
		},
	}
	return study.New(OptimizeOptions{Objective: gradient.ObjectiveB}, optimizePlan, study.Declaration{
		Says: columns.Sentence{
			Text: "{toy}, T = {T}: the objective is {optimum} nats on the best schedule, and {linear} on " +
				"the linear one"},
		Name: "schedule optimize",
		Asks: "Which schedule is best? Search by exact gradients",
		Help: `optimize finds the schedule of T distributions for which B, J or a one-sided
divergence is smallest, among all schedules that never decrease.

It starts a quasi-Newton search on the exact gradient at several schedules;
other local minima may exist. success maximises the probability that x_T is a
best state, and tts that any of x_1, ..., x_T is. --out writes the betas to
schedule.csv, for --schedule file:PATH; --schedule best finds them anew. The schedule with the smallest B may
have a larger J than the linear one: see schedule compare. The exit code is 1
if the gradient did not vanish.

See breadboard help reference schedules.`,
		Examples: `  breadboard schedule optimize --toy barrier -T 50
  breadboard schedule optimize --toy easy -T 100 --objective J --out best
  breadboard schedule optimize --toy ising:3x3:1 -T 10,30,100 --kernel flip,heatbath --objective tts
  breadboard tightness --toy easy --schedule file:best/schedule.csv`,
		Counts: countsGradients, Workers: true,
		Options: study.OptionsOf(func(o *OptimizeOptions) []study.Option {
			return []study.Option{
				{
					Name:  objective.Name,
					Doc:   ": " + strings.Join(gradient.Objectives(), ", "),
					Swept: &objective,
					To:    study.Named(&o.Objective, "OBJECTIVE", gradient.ParseObjective),
				},
			}
		}),
		Columns: kept(), Crossed: true,
		Cost:  cost,
		View:  reports.Untyped(func(rows []OptimumRow) *reports.Report { return OptimizedReport(rows, nil) }),
		About: subject.Annealed(tightness.PaperT).Scheduled("linear"),
		Tables: func(_ reports.Schema) []reports.Schema {
			return []reports.Schema{
				{Table: "schedule_optimize", Of: optimizedSchedules(nil, nil)},
			}
		},
		Swept: &study.Swept{
			Parameters: subject.Parameters(),
			Subject:    study.TheCase,
			Note:       study.NoteOf(note),
			Restore:    restore,
		},
	})
}

// kept lists the columns of sweeps.
func kept() columns.List {
	type row = OptimumRow
	infinite := math.Inf(1)
	plain := func(name, unit, meaning string, k columns.Kept, of func(*row) float64) columns.Field {
		return columns.Of(name, "", meaning, of).In(unit).Keep(k)
	}
	bounded := func(name, unit, meaning string, k columns.Kept, of func(*row) number.Bounded) columns.Field {
		k.Missing = !k.Derived
		return columns.Of(name, "", meaning, of).In(unit).Keep(k)
	}
	return columns.List{
		bounded("value", "nats", "the objective on the case's own schedule",
			columns.Kept{Low: -infinite, High: infinite, Shown: true},
			func(r *row) number.Bounded { return r.Own }),
		bounded("optimum", "nats", "its smallest value", columns.Kept{High: infinite, Shown: true}, (*row).Least),
		bounded("linear", "nats", "its value on the linear schedule", columns.Kept{High: infinite},
			func(r *row) number.Bounded { return r.Linear }),
		bounded("value_over_optimum", "", "value / optimum", columns.Kept{Shown: true, Derived: true},
			func(r *row) number.Bounded { return r.relative(r.Own) }),
		bounded("linear_over_optimum", "", "linear / optimum", columns.Kept{Derived: true},
			func(r *row) number.Bounded { return r.relative(r.Linear) }),
		plain("relative_gradient", "", "the norm of the gradient over the optimum, zero at an optimum",
			columns.Kept{High: infinite},
			func(r *row) float64 { return r.Relative }),
		columns.Of("converged", "", "1 if the optimum has converged, otherwise 0",
			func(r *row) bool { return r.Converged }).Within(0, 1).Shown(),
		plain("vanished", "", "increments of the best schedule that are zero",
			columns.Kept{High: placement.MaxOptimized},
			func(r *row) float64 { return float64(len(r.Vanished)) }),
		plain("gradients", "", "the number of gradients that were computed", columns.Kept{High: infinite},
			func(r *row) float64 { return float64(r.Runs) }),
	}
}

// restore makes a row from the numbers from which ratios are derived.
func restore(k study.StoredRow) any {
	return &OptimumRow{Optimum: &placement.Optimum{
		Value:  k.Get("optimum"),
		Linear: number.Exactly(k.Get("linear")),
	}, Own: number.Exactly(k.Get("value"))}
}

// optimizePlan finds the best schedule for each case.
func optimizePlan(_ context.Context, cases []subject.Case,
	o *OptimizeOptions) (study.Plan[OptimumRow], error) {
	plan := study.Each(cases, func(*subject.Case) int { return placement.Parts },
		func(ctx context.Context, c *subject.Case, h study.How) (r OptimumRow, err error) {
			r.Case = *c
			r.Own, r.Notes, err = placement.Value(ctx, c.Annealing(), o.Objective, h.Workers)
			if err != nil {
				return r, c.Wrong(err)
			}
			p := &problem{*c}
			r.Optimum, err = p.optimize(ctx, o.Objective, placement.Options{Workers: h.Workers, Progress: h.Progress})
			if err != nil {
				return r, c.Wrong(err)
			}
			if placement.OfBestStates(o.Objective) {
				best, err := p.scheduleRow(ctx, placement.BestName(o.Objective), r.Optimum.Points)
				if err != nil {
					return r, c.Wrong(err)
				}
				rows := []Row{best}
				err = bySuccess(ctx, rows, h.Workers)
				r.Success = rows[0].Success
				return r, c.Wrong(err)
			}
			return r, nil
		})
	if _, err := gradient.ParseObjective(string(o.Objective)); err != nil {
		return plan, err
	}
	return plan, checkProblems(cases, o.Objective)
}

// note returns the notes of the solution, and the reason if the optimum did not converge.
func note(r *OptimumRow) (string, error) {
	notes := r.Notes
	if text := r.Optimum.Unconverged(); text != "" {
		notes = append(notes[:len(notes):len(notes)], text)
	}
	return strings.Join(notes, "; "), nil
}

// cost estimates the time and memory of a row.
func cost(s subject.Size) subject.Cost {
	return searchCost(s, gradient.Objective(s.Params.Get("objective")))
}

// searchCost estimates the time and memory of a search.
func searchCost(s subject.Size, objective gradient.Objective) subject.Cost {
	seconds, memory := placement.Cost(placement.BestName(objective), s.Distributions, s.States, s.General.Seconds)
	return subject.Cost{Seconds: seconds, Bytes: s.Solution.Bytes + memory}
}
