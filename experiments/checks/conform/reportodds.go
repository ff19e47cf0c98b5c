package conform

import (
	"errors"
	"fmt"
	"math"

	"breadboard/chains/selector"
	"breadboard/experiments/checks/conform/hypotheses"
	"breadboard/experiments/curves"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

const (
	// drawnOdds is the number of hypotheses of a direction that are drawn, with the specification.
	drawnOdds = 10
	// oddsCut is the log10 of the odds relative to the likeliest hypothesis at which the axis
	// begins; smaller ones have no dot.
	oddsCut = -12.0
)

// plotOdds adds the figure of the odds of the likeliest hypotheses of every direction against the
// likeliest one, as dots on a logarithmic scale. Those that the axis does not reach stand at its
// end.
func plotOdds(r *reports.Report, o *Outcome) {
	r.PlotLater(columns.Plot{
		Name:  "conform_odds",
		Title: "Odds of the hypotheses relative to the likeliest",
		Parts: []columns.Part{{
			X:      "log10_odds",
			XLabel: "log_{10} odds relative to the likeliest",
			Y:      []string{"hypothesis"},
			YLabel: "hypothesis, posterior probability",
		}},
		By:     []string{"chains"},
		Panels: []string{"direction"},
		Free:   true,
		Why:    errors.New("the hypotheses have not been compared"),
	}, func() *table.Table { return oddsCells(o) })
}

// oddsCells returns the table of the figure of the odds.
func oddsCells(o *Outcome) *table.Table {
	var cells [][]any
	for i := range o.Sides {
		s := &o.Sides[i]
		for _, odds := range drawnHypotheses(s) {
			v := againstBest(odds, s.Odds[0])
			name := fmt.Sprintf("%s, %.2g", odds.Name, odds.Posterior)
			says := "possible"
			switch {
			case odds.Name == hypotheses.Specification:
				says = hypotheses.Specification
			case refuses(o, odds.LogE):
				says = "refused"
			}
			if v < oddsCut {
				name = fmt.Sprintf("%s: %s", odds.Name, cutText(v))
				v = oddsCut
			}
			cells = append(cells, []any{fmt.Sprintf("%s, %s", s.Direction, selector.Count(s.Chains, "chain")), name, says, v})
		}
	}
	return curves.Cells(cells, "direction", "hypothesis", "chains", "log10_odds")
}

// cutText returns the log10 of odds that the axis does not reach.
func cutText(v float64) string {
	if math.IsInf(v, -1) {
		return "impossible"
	}
	return fmt.Sprintf("%.1f", v)
}

// drawnHypotheses returns the first hypotheses of a direction under which the chains are possible,
// and the specification.
func drawnHypotheses(s *Side) []hypotheses.Odds {
	var out []hypotheses.Odds
	for i, odds := range s.Odds {
		possible := !math.IsInf(againstBest(odds, s.Odds[0]), -1)
		if i < drawnOdds && possible || odds.Name == hypotheses.Specification {
			out = append(out, odds)
		}
	}
	return out
}

// againstBest returns the log10 of the odds of a hypothesis against the likeliest one, given all
// chains.
func againstBest(odds, best hypotheses.Odds) float64 {
	return (odds.LogPosterior - best.LogPosterior) / math.Ln10
}
