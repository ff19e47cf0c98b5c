package tightness

import (
	"math"
	"slices"
	"strings"

	"breadboard/experiments"
	"breadboard/experiments/columns"
)

// fields lists the columns of the study. Where one that is kept has a unit but no title, the unit is for the axes of figures.
func fields() []columns.Field[Row] {
	return slices.Concat(
		experiments.WholeCase(func(r *Row) *experiments.Case { return &r.Case }),
		exactFields(),
		[]columns.Field[Row]{
			printed("J_printed", "J", "what the paper prints of J, in its own digits; empty where it prints nothing"),
			printed("B_printed", "B", "what the paper prints of B, in its own digits; empty where it prints nothing"),
			printed("relative_error_printed", "relative_error", "what the paper prints of the relative error; empty where it prints nothing"),
			printed("dominant_mode_mass_printed", "dominant_mode_mass", "what the paper prints of dominant_mode_mass; empty where it prints nothing"),
			{Column: columns.Column{Title: "printed", Spare: 2}, Of: allPrinted},
			{Column: columns.Column{Name: "as_printed", Type: columns.Bool, Spare: 1, Title: "as printed", Meaning: "whether our numbers round to all that the paper prints of the row; empty where it prints nothing. Where they do not, and would if they were computed of J and B at three digits, note says so"}, Of: asPrinted},
			{Column: columns.Column{Name: "note", Type: columns.String, Meaning: columns.MeansNote}, Of: func(r *Row) any { return r.whole() }},
		},
		digitsFields())
}

// exactFields lists the columns of the exact numbers, which sweeps keep.
func exactFields() []columns.Field[Row] {
	infinite := math.Inf(1)
	nats := func(name, title, meaning string, low, high float64, of func(*Row) float64) columns.Field[Row] {
		return columns.Number(columns.Column{Name: name, Title: title, Unit: "nats", Meaning: meaning}, columns.Kept{Low: low, High: high, Shown: title != ""}, of)
	}
	derived := func(shown bool) columns.Kept { return columns.Kept{Derived: true, Shown: shown} }
	return []columns.Field[Row]{
		nats("J", "J", columns.MeansJ, 0, infinite, func(r *Row) float64 { return r.J }),
		// The study asks for a B of zero or more, unless a note says that its digits are lost.
		nats("B", "B", columns.MeansB, -infinite, infinite, func(r *Row) float64 { return r.B }),
		nats("kl_q_p", "", columns.MeansKLQP, 0, infinite, func(r *Row) float64 { return r.KLQP }),
		nats("kl_p_q", "", columns.MeansKLPQ, 0, infinite, func(r *Row) float64 { return r.KLPQ }),
		nats("mean_log_w_forward", "", "the mean log weight of forward chains", -infinite, math.MaxFloat64, func(r *Row) float64 { return r.MeanLogWForward }),
		nats("mean_log_w_reverse", "", "the mean log weight of reverse chains", -math.MaxFloat64, infinite, func(r *Row) float64 { return r.MeanLogWReverse }),
		nats("log_z_ratio", "", columns.MeansLogZRatio, -math.MaxFloat64, math.MaxFloat64, func(r *Row) float64 { return r.LogZRatio }),
		columns.Number(columns.Column{Name: "B_over_J", Title: "B/J", Digits: 5, Meaning: "B/J"}, derived(true), (*Row).Ratio),
		columns.Number(columns.Column{Name: "relative_error", Meaning: "B/J - 1, the relative error of B"}, derived(false), (*Row).RelativeError),
		columns.Number(columns.Column{Name: "relative_error_rounded", Meaning: "B/J - 1 of J and B at three digits each, as the paper rounds"}, derived(false), (*Row).RoundedError),
		{
			Column: columns.Column{Name: "dominant_mode_mass", Type: columns.Float, Meaning: "the target's mass in its dominant mode; empty where the toy names none"},
			Of:     func(r *Row) any { return columns.OrEmpty(r.ModeMass) },
			Kept:   &columns.Kept{High: 1 + divergenceTolerance, Missing: true}, // a sum of probabilities, which rounding may leave above one
		},
	}
}

// note says what the numbers of the row cannot.
func (r *Row) note() string { return strings.Join(r.Notes, "; ") }

// printed returns the field of the printed number of a quantity.
func printed(name, quantity, meaning string) columns.Field[Row] {
	return columns.Field[Row]{Column: columns.Column{Name: name, Type: columns.String, Meaning: meaning}, Of: func(r *Row) any {
		var text any
		for _, c := range r.Printed {
			if c.Quantity == quantity {
				text = c.Text
			}
		}
		return text
	}}
}

// allPrinted returns what is printed of J, B and the relative error in one cell.
func allPrinted(r *Row) any {
	var list []string
	for _, c := range r.Printed {
		if label, ok := map[string]string{"J": "J ", "B": "B ", "relative_error": "error "}[c.Quantity]; ok {
			list = append(list, label+c.Text)
		}
	}
	return strings.Join(list, ", ")
}

func asPrinted(r *Row) any {
	switch all, rounded, known := r.AsPrinted(); {
	case !known:
		return nil
	case !all && rounded:
		return columns.Both{Machine: false, People: "if rounded"}
	default:
		return all
	}
}

// whole returns the note with those on the printed numbers.
func (r *Row) whole() string {
	list := slices.Clone(r.Notes)
	for _, c := range r.Printed {
		if c.Note != "" {
			list = append(list, c.Note)
		}
	}
	return strings.Join(list, "; ")
}

// digitsFields returns the columns with the numbers of certified digits, which are empty where a row has no certificates.
// Machines see the number for each quantity, people the smallest of a row.
func digitsFields() []columns.Field[Row] {
	fields := []columns.Field[Row]{
		{Column: columns.Column{Title: "digits"}, Of: func(r *Row) any {
			if r.Certificates == nil {
				return nil
			}
			worst, _ := r.Worst()
			return int(math.Floor(worst.Digits))
		}},
	}
	for _, quantity := range CertifiedQuantities() {
		fields = append(fields, columns.Field[Row]{
			Column: columns.Column{
				Name: "digits_" + quantity, Type: columns.Float, Optional: true,
				Meaning: "how many decimal digits of " + quantity + " are right; empty where no certificates were asked for",
			},
			Of: func(r *Row) any {
				k := slices.IndexFunc(r.Certificates, func(c Certificate) bool { return c.Quantity == quantity })
				if k < 0 {
					return nil
				}
				return r.Certificates[k].Digits
			},
		})
	}
	return fields
}
