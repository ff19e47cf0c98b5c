package checks

import (
	"slices"

	"breadboard/experiments"
	"breadboard/experiments/columns"
	"breadboard/experiments/conform"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// guaranteeRow is a deviation that a pass rules out.
type guaranteeRow struct {
	of        *conform.Outcome
	direction string // empty where it is of estimates
	conform.Guarantee
}

// conformGuarantees returns the guarantees of each direction, and those of estimates.
func conformGuarantees(o *conform.Outcome) []guaranteeRow {
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

func guaranteeFields() []table.Field[guaranteeRow] {
	return slices.Concat(
		untitled(experiments.WholeCase(func(r *guaranteeRow) *experiments.Case { return &r.of.Task.Case })),
		[]table.Field[guaranteeRow]{
			{Column: table.Column{Name: "direction", Type: table.String, Title: "direction", Meaning: columns.MeansDirection}, Of: func(r *guaranteeRow) any { return r.direction }},
			{Column: table.Column{Name: "test", Type: table.String, Title: "test", Meaning: "what is tested"}, Of: func(r *guaranteeRow) any { return r.Test }},
			{Column: table.Column{Name: "quantity", Type: table.String, Title: "quantity", Meaning: "the number that is tested"}, Of: func(r *guaranteeRow) any { return r.Quantity }},
			{Column: table.Column{Name: "draws", Type: table.Int, Title: "draws", Meaning: "the number of chains or moves that the test has seen"}, Of: func(r *guaranteeRow) any { return r.Draws }},
			{Column: table.Column{Name: "found_below", Type: table.Float, Title: "found below", Digits: 4, Meaning: "a quantity of this value or less would have been found with a probability of 0.99; -Inf where none would"}, Of: func(r *guaranteeRow) any { return ifFinite(r.Low) }},
			{Column: table.Column{Name: "right", Type: table.Float, Title: "right", Digits: 4, Meaning: "the right value of the quantity"}, Of: func(r *guaranteeRow) any { return r.Right }},
			{Column: table.Column{Name: "found_above", Type: table.Float, Title: "found above", Digits: 4, Meaning: "a quantity of this value or more would have been found with a probability of 0.99; +Inf where none would"}, Of: func(r *guaranteeRow) any { return ifFinite(r.High) }},
			{Column: table.Column{Name: "kl_below", Type: table.Float, Title: "KL below", Unit: "nats", Digits: 3, Meaning: "the KL of a chain in which the quantity is found_below from a right one"}, Of: func(r *guaranteeRow) any { return r.KLLow }},
			{Column: table.Column{Name: "kl_above", Type: table.Float, Title: "KL above", Unit: "nats", Digits: 3, Meaning: "the KL of a chain in which the quantity is found_above from a right one"}, Of: func(r *guaranteeRow) any { return r.KLHigh }},
		})
}

// ifFinite returns the cell of a number, which people see only where it is finite.
func ifFinite(v float64) any {
	if !figure.Finite(v) {
		return table.Both{Machine: v}
	}
	return v
}

func guaranteesTable(rows []guaranteeRow) *table.Table { return table.New(guaranteeFields(), rows) }

// Guarantees returns the table of the deviations that a pass rules out, one row each.
func Guarantees(o *conform.Outcome) *table.Table { return guaranteesTable(conformGuarantees(o)) }
