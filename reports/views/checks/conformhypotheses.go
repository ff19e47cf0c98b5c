package checks

import (
	"math"
	"slices"

	"breadboard/experiments"
	"breadboard/experiments/columns"
	"breadboard/experiments/conform"
	"breadboard/experiments/conform/hypotheses"
	"breadboard/reports/table"
)

// hypothesisRow is what the chains of one direction say about a hypothesis.
type hypothesisRow struct {
	of   *conform.Outcome
	side *conform.Side
	rank int // the likeliest has 0
	hypotheses.Odds
	telling *conform.Telling // nil where it is not known how many chains tell it
}

// conformHypotheses returns the hypotheses of each direction, the likeliest first.
func conformHypotheses(o *conform.Outcome) []hypothesisRow {
	var rows []hypothesisRow
	for i := range o.Sides {
		s := &o.Sides[i]
		for rank, odds := range s.Odds {
			rows = append(rows, hypothesisRow{o, s, rank, odds, tellingOf(s, odds.Name)})
		}
	}
	return rows
}

func tellingOf(s *conform.Side, name string) *conform.Telling {
	for i := range s.Telling {
		if s.Telling[i].Hypothesis == name {
			return &s.Telling[i]
		}
	}
	return nil
}

// What columns about hypotheses mean, in the tables of hypotheses and of tests.
const (
	meansHypothesis = "a known way to get annealing wrong, the specification, or none of these"
	meansOdds       = "log10 of how much likelier the chains of this direction are under the hypothesis than under the specification; +Inf where they are impossible under that, and NaN where under both"
	meansPosterior  = "the probability of the hypothesis given the chains of both directions; before, all bugs, the specification and none of these are as likely, a bug is in both directions as often as in one alone, and the directions have two different bugs with a probability of 0.001"
)

func hypothesisFields() []table.Field[hypothesisRow] {
	return slices.Concat(
		untitled(experiments.WholeCase(func(r *hypothesisRow) *experiments.Case { return &r.of.Task.Case })),
		[]table.Field[hypothesisRow]{
			{Column: table.Column{Name: "direction", Type: table.String, Title: "direction", Meaning: columns.MeansDirection}, Of: func(r *hypothesisRow) any { return r.side.Direction.String() }},
			{Column: table.Column{Name: "hypothesis", Type: table.String, Title: "hypothesis", Meaning: meansHypothesis}, Of: func(r *hypothesisRow) any { return r.Name }},
			{Column: table.Column{Name: "log10_odds", Type: table.Float, Title: "log10 odds", Digits: tenths, Meaning: meansOdds}, Of: func(r *hypothesisRow) any { return inTenths(r.LogOdds / math.Ln10) }},
			{Column: table.Column{Name: "posterior", Type: table.Float, Title: "posterior", Digits: 3, Meaning: meansPosterior}, Of: func(r *hypothesisRow) any { return r.Posterior }},
			{Column: table.Column{Name: "log10_e", Type: table.Float, Title: "log10 e against", Digits: tenths, Meaning: "log10 of the e-value against the hypothesis itself"}, Of: func(r *hypothesisRow) any { return inTenths(r.LogE / math.Ln10) }},
			{Column: table.Column{Name: "kl", Type: table.Float, Title: "KL", Unit: "nats", Digits: 3, Meaning: "KL of a chain under the hypothesis from one under the specification; empty where it is not known"}, Of: func(r *hypothesisRow) any {
				return tell(r, func(t *conform.Telling) float64 { return t.KL })
			}},
			{Column: table.Column{Name: "chains_needed", Type: table.Float, Title: "chains needed", Digits: 3, Meaning: "the number of chains that tells the hypothesis from the specification with a probability of about 0.99; empty where it is not known"}, Of: func(r *hypothesisRow) any {
				return tell(r, func(t *conform.Telling) float64 { return t.Found })
			}},
			{Column: table.Column{Name: "verdict", Type: table.String, Spare: table.Keep, Title: "verdict", Meaning: "likeliest; likeliest, and refused; cannot be told from the likeliest; refused, by its own e-value; unlikely, with a posterior below 0.001; or possible"}, Of: func(r *hypothesisRow) any { return hypothesisVerdict(r) }},
		})
}

// tell returns the cell of a number that says how far a hypothesis is from the specification.
func tell(r *hypothesisRow, of func(*conform.Telling) float64) any {
	if r.telling == nil {
		return nil
	}
	return of(r.telling)
}

// hypothesisVerdict says in words what the chains say about a hypothesis.
func hypothesisVerdict(r *hypothesisRow) string {
	named, refused := slices.Index(r.side.Named, r.Name), refuses(r.of, r.LogE)
	switch {
	case r.rank == 0 && refused:
		return "likeliest, and refused"
	case r.rank == 0:
		return "likeliest"
	case named > 0:
		return "cannot be told from the likeliest"
	case refused:
		return "refused"
	case r.Posterior < unlikely:
		return "unlikely"
	}
	return "possible"
}

// unlikely is the posterior probability below which a hypothesis is called so.
const unlikely = 1e-3

// refuses reports whether an e-value is that of a fault.
func refuses(o *conform.Outcome, logE float64) bool { return logE >= math.Log(o.Threshold) }

// The numbers of hypotheses of a direction that people see.
const (
	fewHypotheses  = 3
	mostHypotheses = 10
)

// likelyHypotheses returns those of the hypotheses that people see: of each direction the first fewHypotheses, others up to
// mostHypotheses that are not unlikely, and the specification.
func likelyHypotheses(all []hypothesisRow) []hypothesisRow {
	var rows []hypothesisRow
	for _, r := range all {
		likely := r.Posterior >= unlikely && r.rank < mostHypotheses
		if r.rank < fewHypotheses || likely || r.Name == hypotheses.Specification {
			rows = append(rows, r)
		}
	}
	return rows
}

func hypothesesTable(rows []hypothesisRow) *table.Table { return table.New(hypothesisFields(), rows) }

// Hypotheses returns the table of the known ways to get annealing wrong, one row each and direction, the likeliest first:
// how much likelier the chains are than under the specification, and how many chains would tell it from that.
func Hypotheses(o *conform.Outcome) *table.Table { return hypothesesTable(conformHypotheses(o)) }
