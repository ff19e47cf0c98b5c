package reports

import (
	"slices"

	"breadboard/experiments"
	"breadboard/experiments/conform"
	"breadboard/reports/table"
)

// guaranteeRow is a deviation that a pass rules out.
type guaranteeRow struct {
	of   *conform.Outcome
	side *conform.Side
	conform.Guarantee
	among int // in a choice, the number of guarantees of the test of which this is the weakest; otherwise 0
}

// conformGuarantees returns the guarantees of each direction.
func conformGuarantees(o *conform.Outcome) []guaranteeRow {
	var rows []guaranteeRow
	for i := range o.Sides {
		for _, g := range o.Sides[i].Guarantees {
			rows = append(rows, guaranteeRow{of: o, side: &o.Sides[i], Guarantee: g})
		}
	}
	return rows
}

func guaranteeFields() []table.Field[guaranteeRow] {
	return slices.Concat(
		untitled(wholeCase(func(r *guaranteeRow) *experiments.Case { return &r.of.Task.Case })),
		[]table.Field[guaranteeRow]{
			{Column: table.Column{Name: "direction", Type: table.String, Title: "direction", Meaning: meansDirection}, Of: func(r *guaranteeRow) any { return r.side.Direction.String() }},
			{Column: table.Column{Name: "test", Type: table.String, Title: "test", Meaning: "what is tested"}, Of: func(r *guaranteeRow) any { return r.Test }},
			{Column: table.Column{Name: "quantity", Type: table.String, Title: "quantity", Meaning: "the number that is tested"}, Of: func(r *guaranteeRow) any { return r.Quantity }},
			{Column: table.Column{Title: "weakest of"}, Of: func(r *guaranteeRow) any {
				if r.among < 2 {
					return nil
				}
				return r.among
			}},
			{Column: table.Column{Name: "draws", Type: table.Int, Title: "draws", Meaning: "the number of chains or moves that the test has seen"}, Of: func(r *guaranteeRow) any { return r.Draws }},
			{Column: table.Column{Name: "found_below", Type: table.Float, Title: "found below", Digits: 4, Meaning: "the largest quantity below the right one that would have been found with a probability of 0.99; -Inf where there is none"}, Of: func(r *guaranteeRow) any { return ifFinite(r.Low) }},
			{Column: table.Column{Name: "right", Type: table.Float, Title: "right", Digits: 4, Meaning: "the right value of the quantity"}, Of: func(r *guaranteeRow) any { return r.Right }},
			{Column: table.Column{Name: "found_above", Type: table.Float, Title: "found above", Digits: 4, Meaning: "the least quantity above the right one that would have been found with a probability of 0.99; +Inf where there is none"}, Of: func(r *guaranteeRow) any { return ifFinite(r.High) }},
			{Column: table.Column{Name: "kl_below", Type: table.Float, Title: "KL below", Unit: "nats", Digits: 3, Meaning: "the KL of a chain in which the quantity is found_below from a right one"}, Of: func(r *guaranteeRow) any { return r.KLLow }},
			{Column: table.Column{Name: "kl_above", Type: table.Float, Title: "KL above", Unit: "nats", Digits: 3, Meaning: "the KL of a chain in which the quantity is found_above from a right one"}, Of: func(r *guaranteeRow) any { return r.KLHigh }},
		})
}

// ifFinite returns the cell of a number, which people see only where it is finite.
func ifFinite(v float64) any {
	if !finite(v) {
		return table.Both{Machine: v}
	}
	return v
}

// weakestGuarantees returns of each test and direction the guarantee that needs the largest divergence, which people see.
func weakestGuarantees(all []guaranteeRow) []guaranteeRow {
	var rows []guaranteeRow
	for _, r := range all {
		at := slices.IndexFunc(rows, func(o guaranteeRow) bool { return o.side == r.side && o.Test == r.Test })
		if at < 0 {
			at = len(rows)
			rows = append(rows, r)
		}
		among := rows[at].among + 1
		if max(r.KLLow, r.KLHigh) > max(rows[at].KLLow, rows[at].KLHigh) {
			rows[at] = r
		}
		rows[at].among = among
	}
	return rows
}

func guaranteesTable(rows []guaranteeRow) *table.Table { return table.New(guaranteeFields(), rows) }

// Guarantees returns the table of the deviations that a pass rules out, one row each.
func Guarantees(o *conform.Outcome) *table.Table { return guaranteesTable(conformGuarantees(o)) }
