package evidence

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"breadboard/chains/errs"
	"breadboard/chains/estimators"
	"breadboard/exact/laws"
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// standardRuns is the default number of runs of an estimate if there are too many states to list.
const standardRuns = 1000

// methodRuns is the method of rows whose numbers are those of runs.
const methodRuns = "runs"

// onFactors returns the rows of a case with too many states to list: the results of runs of
// annealing forward and in reverse, and log Z by elimination. Other estimators are omitted, or have
// rows with the reason if they are named.
func (o *Options) onFactors(ctx context.Context, c subject.Case, h study.How) (rows []Row, err error) {
	choices, byAll, err := parseAll(o.Estimators)
	if err != nil {
		return nil, err
	}
	shared := &Shared{Work: slices.Max(o.Work)}
	runs := map[int]ais.Row{}
	for i, choice := range choices {
		kind := cmp.Or(choice.base, choice.Name)
		why := errs.New(
			"there are too many states to list; only ais and rais run on factors, and pf on hidden Markov models",
		)
		switch {
		case kind == "ais" || kind == "rais":
			for _, T := range o.lengths(choice, c.Factored().MoveWork(), kind == "rais") {
				if _, is := runs[T]; !is {
					runs[T], err = o.anneal(ctx, &c, T, h)
					if err != nil {
						return nil, aboutToy(&c, err)
					}
				}
				for _, trials := range o.Trials {
					row := Row{
						Case:      c,
						Estimator: choice.series(),
						Settings:  fmt.Sprintf("T=%d", T),
						Trials:    trials,
						Shared:    shared,
					}
					row.ofRuns(runs[T], o, kind == "rais")
					rows = append(rows, row)
				}
			}
		case choice.filter && c.HMM() != nil:
			more, err := o.filterRows(ctx, &c, choice, shared, study.How{Workers: h.Workers, Time: h.Time})
			if err != nil {
				return nil, aboutToy(&c, err)
			}
			rows = append(rows, more...)
		case byAll[i]:
			shared.Omitted = append(shared.Omitted, Omission{choice.Name, why})
		default:
			rows = append(rows, choice.lacking(&c, 1, math.NaN(), why.Error(), shared))
		}
	}
	return rows, nil
}

// anneal anneals over T distributions in both directions, as often as the rows with the most trials
// need.
func (o *Options) anneal(ctx context.Context, c *subject.Case, T int, h study.How) (ais.Row, error) {
	of, err := c.OfLength(T)
	if err != nil {
		return ais.Row{}, err
	}
	return ais.OnFactors(ctx, of, ais.Options{Chains: o.runs() *
		slices.Max(slices.Concat([]int{1}, o.Trials)), Seed: o.Seed}, study.How{Workers: h.Workers})
}

func (o *Options) runs() int { return cmp.Or(o.Runs, standardRuns) }

// workOf returns the cost of an annealing over T distributions: the first state, the kernel steps,
// and an exact draw in reverse.
func workOf(T int, move float64, reverse bool) float64 {
	work := 1 + float64(T-1)*move
	if reverse {
		work++
	}
	return work
}

// lengths returns the largest T within each work, each once, or the given T.
func (o *Options) lengths(c Choice, move float64, reverse bool) (list []int) {
	if c.given {
		return []int{c.smallest}
	}
	for _, w := range o.Work {
		T := max(2, 1+int((w-workOf(1, move, reverse))/move))
		if len(list) == 0 || T != list[len(list)-1] {
			list = append(list, T)
		}
	}
	return list
}

// ofRuns sets the numbers of a row from runs, each of which combines several chains.
func (r *Row) ofRuns(run ais.Row, o *Options, reverse bool) {
	logw := run.Forward.LogW
	r.Combination, r.Bound, r.LogZRatio, r.Method, r.Numbers = estimators.ArithmeticMean, Lower,
		run.Exact.LogZRatio, methodRuns, unknown()
	if reverse {
		r.Combination = estimators.HarmonicMean
		r.Bound = Upper
		r.NeedsExactDraw = true
		if run.Reverse == nil {
			r.Method = string(laws.MethodNone)
			r.Error =
				"the tables of elimination are too large, so that there are no exact draws to start from"
			return
		}
		logw = run.Reverse.LogW
	}
	T := len(run.Factored().Betas)
	work := estimators.Work{Evaluations: workOf(T, run.Factored().MoveWork(), false)}
	if reverse {
		work.Exact = 1
	}
	r.Work = float64(r.Trials) * total(work)
	r.Emissions = float64(r.Trials) * (&target{on: &r.Case}).emissions(work)
	logs := make([]float64, o.runs())
	for i := range logs {
		logs[i] = combined(logw[i*r.Trials:(i+1)*r.Trials], r.Combination)
	}
	r.measure(logs, 0, o.Above)
	r.Sample = sampleOf(logs, ais.Mean(logs), r.LogZRatio)
	r.Notes = []string{fmt.Sprintf(
		"there are too many states to list: all numbers but log Z are estimates from %d runs",
		len(logs),
	)}
}

// measure sets the numbers of a row from runs; logs has log Z-hat minus an offset.
func (r *Row) measure(logs []float64, offset float64, beyond []float64) {
	mean := ais.Mean(logs).Value
	logMean := ais.LogMeanExp(logs, 1).Value
	logZ := r.LogZRatio - offset
	r.Method, r.Mean, r.SD, r.Bias = methodRuns, mean+offset, stat.StdDev(logs, nil), mean-logZ
	r.RMSE = math.Hypot(r.Bias, r.SD)
	r.LogMeanZ = logMean + offset
	r.LogMeanOverZ = logMean - logZ
	if math.IsNaN(logZ) {
		return
	}
	above := func(nats float64) float64 {
		n := 0.0
		for _, l := range logs {
			if l > logZ+nats {
				n++
			}
		}
		return n / float64(len(logs))
	}
	r.PAbove1 = above(1)
	r.PAbove1Low = r.PAbove1
	r.PAbove1High = r.PAbove1
	r.Above = nil
	for _, b := range beyond {
		r.Above = append(r.Above, Above{b, above(b), above(b), ""})
	}
}
