package reports

import (
	"breadboard/exact"
	"breadboard/experiments/columns"
	"breadboard/experiments/tightness"
	"breadboard/reports/table"
)

// measured holds the numbers that several studies report of an annealing.
type measured struct {
	J, B, KLQP, KLPQ, MeanLogWForward, MeanLogWReverse, LogZRatio float64
	ModeMass                                                      float64 // NaN where the toy names no mode
}

// ratios returns a row of the tightness study with J and B, whose methods compare the two.
func (m *measured) ratios() *tightness.Row {
	return &tightness.Row{Solution: &exact.Solution{J: m.J, B: m.B}}
}

// measures returns the fields of the numbers, for the tables and for the axes of figures. Where a field has a unit but no
// title, the unit is for the axis.
func measures() []table.Field[measured] {
	return []table.Field[measured]{
		{Column: table.Column{Name: "J", Type: table.Float, Title: "J", Unit: "nats", Meaning: columns.MeansJ}, Of: func(m *measured) any { return m.J }},
		{Column: table.Column{Name: "B", Type: table.Float, Title: "B", Unit: "nats", Meaning: columns.MeansB}, Of: func(m *measured) any { return m.B }},
		{Column: table.Column{Name: "kl_q_p", Type: table.Float, Unit: "nats", Meaning: columns.MeansKLQP}, Of: func(m *measured) any { return m.KLQP }},
		{Column: table.Column{Name: "kl_p_q", Type: table.Float, Unit: "nats", Meaning: columns.MeansKLPQ}, Of: func(m *measured) any { return m.KLPQ }},
		{Column: table.Column{Name: "mean_log_w_forward", Type: table.Float, Unit: "nats", Meaning: "the mean log weight of forward chains"}, Of: func(m *measured) any { return m.MeanLogWForward }},
		{Column: table.Column{Name: "mean_log_w_reverse", Type: table.Float, Unit: "nats", Meaning: "the mean log weight of reverse chains"}, Of: func(m *measured) any { return m.MeanLogWReverse }},
		{Column: table.Column{Name: "log_z_ratio", Type: table.Float, Unit: "nats", Meaning: columns.MeansLogZRatio}, Of: func(m *measured) any { return m.LogZRatio }},
		{Column: table.Column{Name: "B_over_J", Type: table.Float, Title: "B/J", Digits: 5, Meaning: "B/J"}, Of: func(m *measured) any { return m.ratios().Ratio() }},
		{Column: table.Column{Name: "relative_error", Type: table.Float, Meaning: "B/J - 1, the relative error of B"}, Of: func(m *measured) any { return m.ratios().RelativeError() }},
		{Column: table.Column{Name: "relative_error_rounded", Type: table.Float, Meaning: "B/J - 1 of J and B at three digits each, as the paper rounds"}, Of: func(m *measured) any { return m.ratios().RoundedError() }},
		{Column: table.Column{Name: "dominant_mode_mass", Type: table.Float, Meaning: "the target's mass in its dominant mode; empty where the toy names none"}, Of: func(m *measured) any { return columns.OrEmpty(m.ModeMass) }},
	}
}
