package reports

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/exact"
	"breadboard/exact/certified"
	"breadboard/experiments"
	"breadboard/experiments/tightness"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// TightnessReport returns the report of the tightness study: its table, Figures 3 and 4, and notes. Where the rows have
// identities or certificates, each of the two has a table in a file, and the report has a Fault where an identity does not
// hold or a certificate has fewer digits than promised.
func TightnessReport(rows []tightness.Row) *Report {
	r := newReport("tightness", Tightness(rows))
	r.add(
		Figure{Title: "J and B against the number of distributions T (Figure 3)", Missing: "no figure 3", File: "figure3", Draw: func() (*figure.Figure, error) { return Figure3(rows) }},
		Figure{Title: "Distributions on the way, the target and the output (Figure 4)", Missing: "no figure 4", File: "figure4", Draw: func() (*figure.Figure, error) {
			panels, err := tightness.PaperPanels(rows)
			if err != nil {
				return nil, err
			}
			return Figure4(panels)
		}})
	for _, n := range TightnessNotes(rows) {
		r.note("%s", n)
	}
	if slices.ContainsFunc(rows, func(r tightness.Row) bool { return r.Identities != nil }) {
		r.checks(rows)
	}
	if r.Fault == nil && slices.ContainsFunc(rows, func(r tightness.Row) bool { return r.Certificates != nil }) {
		r.certificates(rows)
	}
	return r
}

// tightnessFields returns the columns of the study, with the relative error in percent for people.
func tightnessFields() []table.Field[tightness.Row] {
	fields := tightness.Study().Columns
	at := slices.IndexFunc(fields, func(f table.Field[tightness.Row]) bool { return f.Name == "dominant_mode_mass" })
	return slices.Insert(fields, at+1, table.Field[tightness.Row]{
		Column: table.Column{Title: "rel. error"}, Of: func(r *tightness.Row) any { return table.Percent(noNoise(r.RelativeError())) },
	})
}

// Tightness returns the table of the tightness study: for machines every field of every row, for people J and B beside the printed numbers.
func Tightness(rows []tightness.Row) *table.Table {
	return table.New(tightnessFields(), rows)
}

// TightnessNotes returns the notes on a table of the study: why numbers are infinite, and how printed numbers compare with
// ours.
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

// identityRow is an identity of a row of the study.
type identityRow struct {
	row *tightness.Row
	exact.Identity
}

func identityFields() []table.Field[identityRow] {
	return slices.Concat(
		experiments.ShortCase(func(r *identityRow) *experiments.Case { return &r.row.Case }),
		[]table.Field[identityRow]{
			{Column: table.Column{Name: "identity", Type: table.String, Title: "identity", Meaning: "the identity that is checked"}, Of: func(r *identityRow) any { return r.Name }},
			{Column: table.Column{Name: "got", Type: table.Float, Title: "got", Digits: 12, Meaning: "the number by one route"}, Of: func(r *identityRow) any { return r.Got }},
			{Column: table.Column{Name: "want", Type: table.Float, Title: "want", Digits: 12, Meaning: "the number by the other route"}, Of: func(r *identityRow) any { return r.Want }},
			{Column: table.Column{Name: "error", Type: table.Float, Title: "error", Digits: 2, Meaning: "by how much got and want differ"}, Of: func(r *identityRow) any { return r.Error }},
			{Column: table.Column{Name: "tolerance", Type: table.Float, Title: "tolerance", Digits: 2, Meaning: "the largest error that rounding explains"}, Of: func(r *identityRow) any { return r.Tolerance }},
			{Column: table.Column{Name: "holds", Type: table.Bool, Title: "holds", Meaning: "whether got and want differ by no more than tolerance"}, Of: func(r *identityRow) any { return r.OK }},
		})
}

// Checks returns the table of the identities of every row, and whether all hold.
func Checks(rows []tightness.Row) (t *table.Table, ok bool) {
	var all []identityRow
	ok = true
	for i := range rows {
		for _, id := range rows[i].Identities {
			ok = ok && id.OK
			all = append(all, identityRow{&rows[i], id})
		}
	}
	return table.New(identityFields(), all), ok
}

// checks adds the table of the identities, and a Fault where one does not hold or where one of our numbers does not round to
// the printed one.
func (r *Report) checks(rows []tightness.Row) {
	checks, ok := Checks(rows)
	r.add(Table{Name: "checks", Table: checks, Place: InFile})
	if !ok {
		r.add(Table{Name: "checks", Table: checks, Place: AmongMessages})
		r.Fault = chains.NewFault(errors.New("an identity does not hold; see the table above"))
		return
	}
	for i := range rows {
		for _, p := range rows[i].Printed {
			if !p.Rounds {
				r.Fault = chains.NewFault(fmt.Errorf("%s: %s is %v, printed %s", &rows[i].Case, p.Quantity, p.Ours, p.Text))
				return
			}
		}
	}
	r.note("all %d identities hold", len(checks.Rows))
}

// certificates adds the table of certified digits, and a note with the smallest number of them.
func (r *Report) certificates(rows []tightness.Row) {
	r.add(Table{Name: "certificates", Table: Certificates(rows), Place: InFile})
	least := math.Inf(1)
	for i := range rows {
		c, _ := rows[i].Worst()
		if c.Digits < tightness.PromisedDigits {
			r.Fault = chains.NewFault(fmt.Errorf("%s: %s = %v has %.1f right digits of the promised %d; it is %s", &rows[i].Case, c.Quantity, c.Double, c.Digits, tightness.PromisedDigits, c.Value.Number.Text('g', 25)))
			return
		}
		least = min(least, c.Digits)
	}
	r.note("J, B and both divergences have at least %d right digits each, certified in %d bits", int(least), certified.Bits)
}
