package bench

import (
	"context"
	"errors"
	"slices"

	"breadboard/experiments/study"
	"breadboard/experiments/tightness"
	"breadboard/reports"
	"breadboard/reports/views/annealing"
)

// curveStudy is J and B against T: the rows of the command tightness with several values of T.
func curveStudy() studyRoute {
	return studyRoute{name: "curve", more: []string{"Ts"}, slow: true, weighed: tightness.Study().Sweep, plan: func(_ *Server, q *question) (*task, error) {
		if q.ownLength {
			return nil, bad("schedule", errors.New("this schedule says itself what T is, so that there is no curve against T; take another one"))
		}
		lengths, err := q.curve()
		if err != nil {
			return nil, err
		}
		whole := q.selection
		whole.Distributions = lengths
		compute := func(ctx context.Context) (*reports.Report, error) {
			cases, err := whole.Cases(ctx)
			if err != nil {
				return nil, q.blame(ctx, err)
			}
			rows, err := tightness.Study().Run(ctx, cases, tightness.Options{}, study.How{Workers: 1})
			return reported(annealing.TightnessReport, rows, err)
		}
		return &task{rows: len(lengths), compute: compute, command: "tightness", lengths: lengths, program: program{
			imports: []string{"breadboard/experiments/study", "breadboard/experiments/tightness", "breadboard/reports/table", "breadboard/reports/views/annealing"},
			run:     "tightness.Study().Run(ctx, cases, tightness.Options{}, study.How{})", print: printReport("annealing.TightnessReport(rows)"),
		}}, nil
	}}
}

// curveTime is about the time that the curve takes that is drawn where no values of T are given.
const curveTime = 3.0

// curve returns the values of T that are asked for. Where none are, it is 1, 2 and 5 times powers of ten from 10 to ten times T, as far as
// time allows, and T itself.
func (q *question) curve() ([]int, error) {
	given, err := q.wholes("Ts", 2, q.limits.T, q.limits.Curve)
	if err != nil || given != nil {
		slices.Sort(given)
		return slices.Compact(given), errors.Join(err, q.together(given))
	}
	T := q.subject.Distributions()
	step := q.stepTime()
	list, total := []int{T}, step*float64(T)
	for decade := 1; decade <= 10*T; decade *= 10 {
		for _, digit := range []int{1, 2, 5} {
			v := digit * decade
			total += step * float64(v)
			if v >= 10 && v <= min(10*T, q.limits.T) && total < curveTime {
				list = append(list, v)
			}
		}
	}
	if T < 10 {
		list = append(list, 2, 3, 5)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// together fails where annealings of so many distributions take too long together.
func (q *question) together(lengths []int) error {
	step, total := q.stepTime(), 0.0
	for _, T := range lengths {
		total += step * float64(T)
	}
	return afford("Ts", "fewer values of T together, or smaller ones", total, q.within)
}

// stepTime returns about how many seconds a step of the annealing takes.
func (q *question) stepTime() float64 {
	const steps = 1000
	usual, _ := size{toy: q.toy, kernel: q.kernel, path: q.selection.Path, T: steps + 1}.cost(nil, nil)
	return usual.Seconds / steps
}
