package reports

import (
	"fmt"
	"math"
	"strings"

	"breadboard/experiments/tightness"
)

// Tightness returns the table of the tightness study: for machines every field of every row, for people J and
// B beside what is printed of them.
func Tightness(rows []tightness.Row) *Table {
	t := &Table{Columns: []Column{
		{Key: "toy", Title: "toy"}, {Key: "T", Title: "T"},
		{Key: "path"}, {Key: "initial"}, {Key: "schedule"}, {Key: "kernel"},
		{Key: "J", Title: "J (nats)"}, {Key: "B", Title: "B (nats)"},
		{Key: "kl_q_p"}, {Key: "kl_p_q"}, {Key: "mean_log_w_forward"}, {Key: "mean_log_w_reverse"}, {Key: "log_z_ratio"},
		{Key: "B_over_J", Title: "B/J", Digits: 5}, {Key: "relative_gap"}, {Title: "gap"}, {Key: "relative_gap_rounded"},
		{Key: "dominant_mode_mass"},
		{Key: "J_printed"}, {Key: "B_printed"}, {Key: "relative_gap_printed"}, {Key: "dominant_mode_mass_printed"},
		{Title: "printed"}, {Key: "as_printed", Title: "as printed"}, {Key: "note"},
	}}
	for i := range rows {
		r := &rows[i]
		printed := map[string]any{}
		var list []string
		for _, c := range r.Printed {
			printed[c.Quantity] = c.Text
			if label, ok := map[string]string{"J": "J ", "B": "B ", "relative_gap": "gap "}[c.Quantity]; ok {
				list = append(list, label+c.Text)
			}
		}
		var asPrinted any
		if all, known := r.AsPrinted(); known {
			asPrinted = all
		}
		t.Rows = append(t.Rows, []any{
			r.Toy.Name, r.T, r.Path, r.Initial, r.Schedule, r.Kernel,
			r.J, r.B, r.KLQP, r.KLPQ, r.MeanLogWForward, r.MeanLogWReverse, r.LogZRatio,
			r.Ratio(), r.RelativeGap(), percent(noNoise(r.RelativeGap())), r.RoundedGap(),
			orNil(r.ModeMass),
			printed["J"], printed["B"], printed["relative_gap"], printed["dominant_mode_mass"],
			strings.Join(list, ", "), asPrinted, strings.Join(r.Notes, "; "),
		})
	}
	t.addDigits(rows)
	return t
}

func orNil(v float64) any {
	if math.IsNaN(v) {
		return nil
	}
	return v
}

// percent writes a share for people, and nothing where it is so large that the ratio says it better.
func percent(v float64) any {
	switch {
	case !(math.Abs(v) < 100):
		return nil
	case v >= 1:
		return fmt.Sprintf("%.0f%%", 100*v)
	}
	return fmt.Sprintf("%.4g%%", 100*v)
}

// TightnessNotes returns what the table cannot say: why numbers are infinite, how printed numbers come about,
// and how the checks went.
func TightnessNotes(rows []tightness.Row) []string {
	var notes []string
	said := map[string]bool{}
	say := func(format string, args ...any) {
		if s := fmt.Sprintf(format, args...); !said[s] {
			said[s] = true
			notes = append(notes, s)
		}
	}
	for i := range rows {
		r := &rows[i]
		for _, n := range r.Notes {
			say("%s: %s", &r.Case, n)
		}
		for _, c := range r.Printed {
			switch {
			case c.Quantity == "dominant_mode_mass":
				say("toy %s: the dominant mode has %.4g%% of the mass (printed: %s)", r.Toy.Name, 100*c.Ours, c.Text)
			case !c.Rounds:
				say("%s: %s is %.6g, which does not round to the printed %s", &r.Case, c.Quantity, c.Ours, c.Text)
			case c.Note != "":
				say("%s: %s", &r.Case, c.Note)
			}
		}
	}
	return notes
}

// Checks returns the table of the identities of every row, and whether all hold.
func Checks(rows []tightness.Row) (t *Table, ok bool) {
	t = &Table{Columns: []Column{
		{Key: "toy", Title: "toy"}, {Key: "T", Title: "T"}, {Key: "identity", Title: "identity"},
		{Key: "got", Title: "got", Digits: 12}, {Key: "want", Title: "want", Digits: 12},
		{Key: "error", Title: "error", Digits: 2}, {Key: "tolerance", Title: "tolerance", Digits: 2}, {Key: "holds", Title: "holds"},
	}}
	ok = true
	for i := range rows {
		r := &rows[i]
		for _, id := range r.Identities {
			ok = ok && id.OK
			t.Rows = append(t.Rows, []any{r.Toy.Name, r.T, id.Name, id.Got, id.Want, id.Error, id.Tolerance, id.OK})
		}
	}
	return t, ok
}
