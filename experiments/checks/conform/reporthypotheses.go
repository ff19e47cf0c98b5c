package conform

import (
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/experiments/checks/conform/hypotheses"
	"breadboard/experiments/subject"
	"breadboard/experiments/verdicts"
	"breadboard/reports/columns"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// hypothesisRow is what the chains of one direction say about a hypothesis.
type hypothesisRow struct {
	of   *Outcome
	side *Side
	rank int // the likeliest has 0
	hypotheses.Odds
	size *verdicts.Need // nil if it is not known how many chains tell it
}

// conformHypotheses returns the hypotheses of each direction, the likeliest first.
func conformHypotheses(o *Outcome) []hypothesisRow {
	var rows []hypothesisRow
	for i := range o.Sides {
		s := &o.Sides[i]
		for rank, odds := range s.Odds {
			rows = append(rows, hypothesisRow{o, s, rank, odds, needOf(s, odds.Name)})
		}
	}
	return rows
}

func needOf(s *Side, name string) *verdicts.Need {
	for i := range s.Needs {
		if s.Needs[i].Hypothesis == name {
			return &s.Needs[i]
		}
	}
	return nil
}

// What columns about hypotheses mean, in the tables of hypotheses and of tests.
const (
	meansHypothesis = "a known way to get annealing wrong, the specification, or none of these"
	meansOdds       = "log10 of the likelihood ratio of the hypothesis to the specification; empty if " +
		"both are impossible"
	meansPosterior = "the probability of the hypothesis given the chains of both directions"
)

// boundedKL returns a KL in nats with its error, which is zero for one that is zero.
func boundedKL(kl float64) number.Bounded {
	if kl == 0 {
		return number.Exactly(kl)
	}
	return number.UpTo(kl, hypotheses.Distinct)
}

// sizeOf returns a number that says how far a hypothesis is from the specification.
func sizeOf(r *hypothesisRow, of func(*verdicts.Need) float64) float64 {
	if r.size == nil {
		return math.NaN()
	}
	return of(r.size)
}

func hypothesisVerdict(r *hypothesisRow) string {
	named := slices.Index(r.side.Named, r.Name)
	refused := refuses(r.of, r.LogE)
	switch {
	case r.rank == 0 && refused:
		return "likeliest, and refused"
	case named == 0:
		return "likeliest"
	case r.rank == 0:
		return "likeliest, not named"
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
func refuses(o *Outcome, logE float64) bool { return logE >= number.Log(o.Threshold) }

// The numbers of hypotheses of a direction that people see.
const (
	fewHypotheses  = 3
	mostHypotheses = 10
)

// likelyHypotheses returns those of the hypotheses that people see: of each direction the first
// fewHypotheses, others up to mostHypotheses that are not unlikely, and the specification.
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

func hypothesesTable(rows []hypothesisRow) *table.Table {
	return table.New(slices.Concat(
		untitled(subject.WholeCase(func(r *hypothesisRow) *subject.Case { return &r.of.Task.Case })),
		columns.List{
			columns.Of("direction", "direction", columns.MeansDirection,
				func(r *hypothesisRow) string { return r.side.Direction.String() }),
			columns.Of("hypothesis", "hypothesis", meansHypothesis, func(r *hypothesisRow) string { return r.Name }),
			columns.Any("log10_odds", "log10 odds", columns.Float, meansOdds,
				func(r *hypothesisRow) any { return inTenths(r.LogOdds / math.Ln10) }).Digits(tenths).Answer(),
			columns.Of("posterior", "posterior", meansPosterior,
				func(r *hypothesisRow) float64 { return r.Posterior }).Digits(3),
			columns.Any("log10_e", "log10 e against", columns.Float,
				"log10 of the e-value against the hypothesis itself",
				func(r *hypothesisRow) any { return inTenths(r.LogE / math.Ln10) }).Digits(tenths),
			columns.Of("kl", "KL (nats)", "KL of a chain under the hypothesis from one under the specification",
				func(r *hypothesisRow) number.Bounded {
					return boundedKL(sizeOf(r, func(t *verdicts.Need) float64 { return t.KL }))
				}).Absolute().OrEmpty().Digits(3),
			columns.Of("chains_needed", "chains needed",
				"the number of chains that tells the hypothesis from the specification with probability 0.99",
				func(r *hypothesisRow) float64 {
					return sizeOf(r, func(t *verdicts.Need) float64 { return t.Found })
				}).OrEmpty().Digits(3),
			columns.Of("verdict", "verdict",
				"likeliest, if it is named (a bug needs posterior odds of 20); likeliest, not named; "+
					"likeliest, and refused; cannot be told from the likeliest; refused, by its own "+
					"e-value; unlikely, with a posterior below 0.001; or possible",
				hypothesisVerdict).Answer(),
		},
	), rows)
}

// Hypotheses returns the table of the known ways to get annealing wrong, a row for each and each
// direction, the likeliest first: how much likelier the chains are than under the specification,
// and how many chains would distinguish the two.
func Hypotheses(o *Outcome) *table.Table { return hypothesesTable(conformHypotheses(o)) }

// wrongLaws says which distributions of the chains of a direction a test found wrong and which none
// did. It is empty if the tests that were made leave that open.
func wrongLaws(o *Outcome, s *Side) string {
	start, end := testedPart{"x_1", []string{"x_1", "states of x_1"}}, testedPart{"x_T", []string{"x_T", "states of x_T"}}
	if s.Direction == chains.Reverse {
		start, end = end, start
	}
	weight := testedPart{"log w", []string{"log w", "finite log w", "distribution of log w"}}
	var wrong, right []string
	for _, p := range []testedPart{start, end, weight} {
		tested, fault := p.testedAndFault(o, s.Direction)
		if !tested {
			return ""
		}
		if fault {
			wrong = append(wrong, p.name)
		} else {
			right = append(right, p.name)
		}
	}
	switch {
	case len(wrong) == 0:
		return "no test found a fault in " + wrongLawsOf(right) + " by themselves"
	case len(right) == 0:
		return "a fault is in " + wrongLawsOf(wrong)
	}
	return "a fault is in " + wrongLawsOf(wrong) + ", and none was found in " + wrongLawsOf(right)
}

// wrongLawsOf names the distributions of some parts of a chain.
func wrongLawsOf(parts []string) string {
	if len(parts) == 1 {
		return "the distribution of " + parts[0]
	}
	return "the distributions of " + selector.Listed(parts)
}

// testedPart is what a chain has, and the tests of its distribution by itself.
type testedPart struct {
	name  string
	tests []string
}

// testedAndFault reports whether the distribution was tested, and whether that found a fault.
func (p testedPart) testedAndFault(o *Outcome, d chains.Direction) (tested, fault bool) {
	for _, r := range o.Results {
		if slices.ContainsFunc(p.tests, func(name string) bool { return r.Test == d.String()+" "+name }) {
			tested = tested || !r.Idle
			fault = fault || r.Fault
		}
	}
	return tested, fault
}

// guaranteeRow is a deviation that a pass rules out.
type guaranteeRow struct {
	of        *Outcome
	direction string // empty if it is of estimates
	Guarantee
}

// conformGuarantees returns the guarantees of each direction, and those of estimates.
func conformGuarantees(o *Outcome) []guaranteeRow {
	var rows []guaranteeRow
	for i := range o.Sides {
		for _, g := range o.Sides[i].Guarantees {
			rows = append(rows, guaranteeRow{o, o.Sides[i].Direction.String(), g})
		}
	}
	if o.Estimates != nil {
		for _, g := range o.Estimates.Guarantees {
			rows = append(rows, guaranteeRow{o, "", g})
		}
	}
	return rows
}

// ifFinite returns the cell of a number, which people see only if it is finite.
func ifFinite(v float64) any {
	if !figure.Finite(v) {
		return table.Both{Machine: v}
	}
	return v
}

func guaranteesTable(rows []guaranteeRow) *table.Table {
	return table.New(slices.Concat(
		untitled(subject.WholeCase(func(r *guaranteeRow) *subject.Case { return &r.of.Task.Case })),
		columns.List{
			columns.Of("direction", "direction", columns.MeansDirection,
				func(r *guaranteeRow) string { return r.direction }),
			columns.Of("test", "test", "what is tested", func(r *guaranteeRow) string { return r.Test }),
			columns.Of("quantity", "quantity", "the number that is tested",
				func(r *guaranteeRow) string { return r.Quantity }),
			columns.Of("draws", "draws", "the number of chains or moves that the test has seen",
				func(r *guaranteeRow) int { return r.Draws }),
			columns.Any("found_below", "found below", columns.Float,
				"this value or less would have been found with probability 0.99; -Inf if none",
				func(r *guaranteeRow) any { return ifFinite(r.Low) }).Digits(4),
			columns.Of("right", "right", "the right value of the quantity",
				func(r *guaranteeRow) float64 { return r.Right }).Digits(4),
			columns.Any("found_above", "found above", columns.Float,
				"this value or more would have been found with probability 0.99; +Inf if none",
				func(r *guaranteeRow) any { return ifFinite(r.High) }).Digits(4),
			columns.Estimated("kl_below", "KL below (nats)",
				"the KL of a chain with found_below from a right one",
				func(r *guaranteeRow) float64 { return r.KLLow }).Digits(3),
			columns.Estimated("kl_above", "KL above (nats)",
				"the KL of a chain with found_above from a right one",
				func(r *guaranteeRow) float64 { return r.KLHigh }).Digits(3),
		},
	), rows)
}

// Guarantees returns the table of the deviations that a pass rules out, one row each.
func Guarantees(o *Outcome) *table.Table { return guaranteesTable(conformGuarantees(o)) }
