package tightness

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/exact"
	"breadboard/exact/certified"
	"breadboard/experiments/curves"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/toys"
)

// Report returns the report of the tightness study: its table, two figures, and notes.
// If the rows have identities or certificates, each of the two has a table in a file. The report
// has a Fault if an identity does not hold or a certificate has fewer digits than promised.
func Report(rows []Row) *reports.Report {
	r := reports.New("tightness", Table(rows))
	names := reports.Names(rows, func(r *Row) string { return r.Toy.Name })
	painted := curves.Column("painted", func(r *Row) any {
		return table.Both{Machine: r.Toy.Name, People: legendName(r.Toy.Name, names)}
	}).Titled("toy")
	r.Plots(table.New(append(Study().Declaration.Columns, painted), rows), columns.Plot{
		Name:  "bounds",
		Title: "J and B by number of distributions T",
		Parts: []columns.Part{{
			X:      "T",
			XLabel: "number of distributions T",
			XScale: columns.Decades,
			Y:      []string{"J", "B"},
			YLabel: "J and B (nats)",
			YScale: columns.Decades,
		}},
		By:     []string{"painted"},
		Kinds:  []string{"J, exact", "B, the bound"},
		Joined: true,
	})
	r.Add(curves.Filed("distributions",
		"Distributions on the path, the target and the output", "no distributions", rows, func(rows []Row) (*figure.Figure, error) {
			panels, err := paperPanels(rows)
			if err != nil {
				return nil, err
			}
			return DistributionMaps(panels)
		}))
	r.NotesOnce(Notes(rows))
	if slices.ContainsFunc(rows, func(r Row) bool { return r.Identities != nil }) {
		addChecks(r, rows)
	}
	if r.Fault == nil &&
		slices.ContainsFunc(rows, func(r Row) bool { return r.Certificates != nil }) {
		addCertificates(r, rows)
	}
	return r
}

// tightnessFields returns the columns of the study, with the relative error in percent for people:
// with the digits that machines see, and empty if rounding has left none.
func tightnessFields() columns.List {
	fields := Study().Declaration.Columns
	named := func(name string) int {
		return slices.IndexFunc(fields, func(f table.Field) bool { return f.Name == name })
	}
	of := fields[named("relative_error")].Of
	percent := columns.ForPeople("rel. error", func(r *Row) any {
		switch cell := of(r).(type) {
		case float64:
			return table.Percent(reports.NoNoise(cell))
		case table.Both: // with fewer digits
			if few, is := cell.People.(float64); is { // rounding may have left none
				return table.Percent(few)
			}
		}
		return nil
	})
	return slices.Insert(fields, named("dominant_mode_mass")+1, percent)
}

// Table returns the table of the tightness study: for machines every field of every row, for
// people J and B, and in the study of Grosse, Ancha and Roy (2016) their published numbers.
func Table(rows []Row) *table.Table {
	fields := tightnessFields()
	compared := 0
	for i := range rows {
		if _, _, known := rows[i].AsPrinted(); known {
			compared++
		}
	}
	if compared < published {
		fields = slices.DeleteFunc(fields, func(f table.Field) bool { return f.Title == printedTitle })
		for i := range fields {
			if fields[i].Name == "as_printed" {
				fields[i] = fields[i].Titled("")
			}
		}
	}
	return table.New(fields, rows)
}

// published is the number of annealings of which Grosse, Ancha and Roy (2016) print numbers, and
// printedTitle the title of the column of these.
const (
	published    = 6
	printedTitle = "printed J, B, error"
)

// Notes returns the notes on a table of the study: the reasons for infinite numbers, the
// states that the kernel does not reach, and the comparison with printed numbers. A note that holds
// for several rows of a toy appears once.
func Notes(rows []Row) []string {
	var notes []string
	say := func(format string, args ...any) {
		if s := fmt.Sprintf(format, args...); !slices.Contains(notes, s) {
			notes = append(notes, s)
		}
	}
	times := map[[2]string]int{}
	for i := range rows {
		for _, n := range rows[i].Notes {
			times[[2]string{rows[i].Toy.Name, n}]++
		}
	}
	for i := range rows {
		r := &rows[i]
		for _, n := range r.Notes {
			if several := times[[2]string{r.Toy.Name, n}]; several > 1 {
				say("toy %s, %d rows: %s", r.Toy.Title(), several, n)
				continue
			}
			say("%s: %s", &r.Case, n)
		}
		for _, c := range r.Printed {
			switch {
			case !c.Rounds && !c.OfRounded:
				say("%s: %s is %.6g, which does not round to the printed %s (%s)", &r.Case, c.Quantity,
					c.Ours, c.Text, c.Authors())
			case c.Note != "":
				say("%s: %s", &r.Case, c.Note)
			}
		}
	}
	return notes
}

// identityRow is an identity of a row of the study.
type identityRow struct {
	row *Row
	exact.Identity
}

// LeftOut returns the notes of the row (see columns.Noted).
func (r *identityRow) LeftOut() string { return r.row.LeftOut() }

func identityFields() columns.List {
	return slices.Concat(subject.ShortCase(func(r *identityRow) *subject.Case { return &r.row.Case }),
		columns.List{
			columns.Of("identity", "identity", "the identity that is checked",
				func(r *identityRow) string { return r.Name }),
			columns.Of("got", "got", "the number that is checked",
				func(r *identityRow) float64 { return r.Got }).Digits(12),
			columns.Of("want", "want", "the number by an independent method",
				func(r *identityRow) float64 { return r.Want }).Digits(12),
			columns.Of("error", "error", "the difference of got and want",
				func(r *identityRow) float64 { return r.Error }).Digits(2),
			columns.Of("tolerance", "tolerance", "the largest error that rounding explains",
				func(r *identityRow) float64 { return r.Tolerance }).Digits(2),
			columns.Of("holds", "holds", "whether got and want differ by no more than tolerance",
				func(r *identityRow) bool { return r.OK }),
		})
}

// Checks returns the table of the identities of every row, and whether all hold.
func Checks(rows []Row) (t *table.Table, ok bool) {
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

// addChecks adds the table of the identities, and a Fault if one does not hold or if a computed
// number does not round to the printed one.
func addChecks(r *reports.Report, rows []Row) {
	checks, ok := Checks(rows)
	r.Add(reports.Table{Name: "checks", Table: checks, Place: reports.InFile})
	if !ok {
		r.Add(reports.Table{Name: "checks", Table: checks, Place: reports.AmongMessages})
		r.Fault = chains.NewFault(errs.New("an identity does not hold; see the table above"))
		return
	}
	for i := range rows {
		for _, p := range rows[i].Printed {
			if !p.Rounds && !p.OfRounded {
				r.Fault = chains.NewFault(
					fmt.Errorf("%s: %s is %v, but %s is printed", &rows[i].Case, p.Quantity, p.Ours, p.Text),
				)
				return
			}
		}
	}
	var names []string
	for i := range rows {
		for _, id := range rows[i].Identities {
			names = append(names, id.Name)
		}
	}
	r.Note("%s", identitiesHold(names))
}

// identitiesHold returns the note that all identities hold, with the name of each.
func identitiesHold(names []string) string {
	said := fmt.Sprintf("all %d identities hold", len(names))
	var distinct []string
	for _, name := range names {
		if !slices.Contains(distinct, name) {
			distinct = append(distinct, name)
		}
	}
	return said + ": " + strings.Join(distinct, "; ")
}

// addCertificates adds the table of certified digits, and a note with the smallest number of them.
func addCertificates(r *reports.Report, rows []Row) {
	r.Add(reports.Table{Name: "certificates", Table: Certificates(rows), Place: reports.InFile})
	least := math.Inf(1)
	for i := range rows {
		c, _ := rows[i].Worst()
		if c.Digits < PromisedDigits {
			r.Fault = chains.NewFault(errs.New(
				"%s: %s = %v has %.1f correct digits instead of the promised %d; the certified value is %s",
				&rows[i].Case,
				c.Quantity,
				c.Double,
				c.Digits,
				PromisedDigits,
				c.Value.Number.Text('g', 25),
			))
			return
		}
		least = min(least, c.Digits)
	}
	r.Note("J, B and both divergences have at least %d correct digits each, certified in %d bits", int(least),
		certified.Bits)
}

// certificateRow is the certificate of one number of a row of the study.
type certificateRow struct {
	row *Row
	Certificate
}

// LeftOut returns the notes of the row (see columns.Noted).
func (r *certificateRow) LeftOut() string { return r.row.LeftOut() }

// Certificates returns the table of every number that is certified: the number as computed in
// float64, its digits in 256 bits, and the bound on the error of those digits.
func Certificates(rows []Row) *table.Table {
	var all []certificateRow
	for i := range rows {
		for _, c := range rows[i].Certificates {
			all = append(all, certificateRow{&rows[i], c})
		}
	}
	return table.New(slices.Concat(subject.WholeCase(func(r *certificateRow) *subject.Case { return &r.row.Case }),
		columns.List{
			columns.Of("quantity", "quantity", "the number that is certified",
				func(r *certificateRow) string { return r.Quantity }),
			columns.Of("double", "double", "the number as it is computed in float64",
				func(r *certificateRow) float64 { return r.Double }).Digits(17),
			columns.Of("certified", "certified", "the number in 256 bits, with all certain digits",
				func(r *certificateRow) string { return r.Value.Text() }),
			columns.Of("error_bound", "error bound", "a bound on the error of certified",
				func(r *certificateRow) float64 { return r.Value.Error }).Digits(2),
			columns.Of("digits", "digits", "the number of correct decimal digits of double",
				func(r *certificateRow) float64 { return r.Digits }).Digits(3),
		}), all)
}

// legendName returns the name of a toy in the legend of a figure of several toys: a short one for
// painted toys, with a number if several have the same.
func legendName(name string, all []string) string {
	short := toys.Painted(name)
	if short == name {
		return name
	}
	alike := 0
	number := 0
	for _, other := range all {
		if toys.Painted(other) == short {
			alike++
		}
		if other == name {
			number = alike
		}
	}
	if alike == 1 {
		return short
	}
	return fmt.Sprintf("%s (%d)", short, number)
}
