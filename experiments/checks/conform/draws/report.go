package draws

import (
	"fmt"
	"math"

	"breadboard/chains/selector"
	"breadboard/experiments/curves"
	"breadboard/experiments/verdicts"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// Report returns the report of the test of external draws. It has a Fault if they are
// not independent draws of the distribution.
func Report(o *Outcome) *reports.Report {
	r := &reports.Report{}
	what := "independent draws of the distribution"
	subject := fmt.Sprintf("%s, %s of %s", o.Source, selector.Count(o.Draws, "draw"), o.Law)
	states := reports.Table{
		Name:  "states",
		Place: reports.BesideResults,
		Table: table.New(StateColumns(), o.Worst[:min(len(o.Worst), listedStates)]),
	}
	if w := o.Weights; w != nil {
		what, subject = "independent draws with weights of the distribution",
			fmt.Sprintf("%s with weights, an effective number of %.4g", subject, w.Effective)
		states.Name, states.Table = "weighted_states",
			table.New(WeightedColumns(), w.States[:min(len(w.States), listedStates)])
	}
	n := reports.AddFindings(r, "conform_draws", subject, Columns(), o.Findings)
	ExplainAll(r.Checked, o.Fault)
	r.Add(states)
	plotDraws(r, o)
	r.Conclude(n, "these are not "+what+": "+o.Fault, o.Excluded)
	r.NoteResult(o.Excluded)
	if w := o.Weights; w != nil && n.Open == 0 {
		holds := "every state has one weight, and the verdict depends on no other weights"
		if !math.IsInf(w.Bound, 1) {
			holds = fmt.Sprintf("the verdict holds if no weight can exceed %.4g times their mean, which is less than "+
				"twice the largest of these",
				w.Bound)
		}
		r.Note("%s; whether draws depend on those before them is not tested of draws with weights", holds)
	}
	if o.Depend {
		r.Note("draws of a Markov chain depend on those before them: whether they represent the " +
			"distribution, and with a kernel whether their moves are right, is answered by breadboard " +
			"conform chain")
	}
	return r
}

const (
	// listedStates is the largest number of states in a table; a figure has some more.
	listedStates = 10
	// besideChance is how often a right sampler leaves the interval of a state in a figure.
	besideChance = 0.05
)

// plotDraws adds the figure of the states whose counts, or shares of the weight, are the farthest
// from the distribution, with the interval of a right sampler: the exact one of a count, and of a
// share two standard errors around the probability.
func plotDraws(r *reports.Report, o *Outcome) {
	var cells [][]any
	for _, s := range o.Worst {
		low, high := verdicts.BinomialBand(o.Draws, s.Expected/float64(o.Draws), besideChance)
		cells = append(cells, []any{
			s.Label, float64(s.Observed) - s.Expected, float64(low) - s.Expected, float64(high) - s.Expected})
	}
	what := "number of draws less the expected one"
	if o.Weights != nil {
		what = "share of the weight less the probability"
		cells = nil
		for _, s := range o.Weights.States {
			cells = append(cells, []any{s.Label, s.Share - s.Expected, max(-s.Expected, -2*s.Error), 2 * s.Error})
		}
	}
	along := "state"
	if len(cells) < o.States {
		along = fmt.Sprintf("state (of %d, the %d farthest off)", o.States, len(cells))
	}
	r.Plots(curves.Cells(cells, "state", "observed less expected", "low", "high"), columns.Plot{
		Name:  "conform_draws_states",
		Title: "Observed less expected frequencies of states",
		Parts: []columns.Part{{
			X:      "state",
			XLabel: along,
			Y:      []string{"observed less expected"},
			YLabel: what,
			Band:   []string{"low", "high"},
		}},
		Across:   []float64{0},
		AcrossIs: "expected",
		BandIs:   []string{"95% of right samplers"},
	})
}
