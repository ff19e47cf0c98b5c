package reports

import (
	"breadboard/exact"
	"breadboard/experiments/tightness"
	"breadboard/reports/table"
)

// measured are the numbers that an annealing is measured by, from whatever row.
type measured struct {
	J, B, KLQP, KLPQ, MeanLogWForward, MeanLogWReverse, LogZRatio float64
	ModeMass                                                      float64 // NaN where the toy names no mode
}

// ratios returns what knows how J and B compare.
func (m *measured) ratios() *tightness.Row {
	return &tightness.Row{Solution: &exact.Solution{J: m.J, B: m.B}}
}

// measures returns the fields of the numbers, for the tables and for the axes of figures. A unit with no title is that of
// the axis.
func measures() []table.Field[measured] {
	return []table.Field[measured]{
		{Column: table.Column{Name: "J", Title: "J", Unit: "nats"}, Of: func(m *measured) any { return m.J }},
		{Column: table.Column{Name: "B", Title: "B", Unit: "nats"}, Of: func(m *measured) any { return m.B }},
		{Column: table.Column{Name: "kl_q_p", Unit: "nats"}, Of: func(m *measured) any { return m.KLQP }},
		{Column: table.Column{Name: "kl_p_q", Unit: "nats"}, Of: func(m *measured) any { return m.KLPQ }},
		{Column: table.Column{Name: "mean_log_w_forward", Unit: "nats"}, Of: func(m *measured) any { return m.MeanLogWForward }},
		{Column: table.Column{Name: "mean_log_w_reverse", Unit: "nats"}, Of: func(m *measured) any { return m.MeanLogWReverse }},
		{Column: table.Column{Name: "log_z_ratio", Unit: "nats"}, Of: func(m *measured) any { return m.LogZRatio }},
		{Column: table.Column{Name: "B_over_J", Title: "B/J", Digits: 5}, Of: func(m *measured) any { return m.ratios().Ratio() }},
		{Column: table.Column{Name: "relative_error"}, Of: func(m *measured) any { return m.ratios().RelativeError() }},
		{Column: table.Column{Name: "relative_error_rounded"}, Of: func(m *measured) any { return m.ratios().RoundedError() }},
		{Column: table.Column{Name: "dominant_mode_mass"}, Of: func(m *measured) any { return orNil(m.ModeMass) }},
	}
}
