package reports

import (
	"slices"

	"breadboard/experiments"
	"breadboard/experiments/tightness"
	"breadboard/reports/table"
)

// certificateRow is the certificate of one number of a row of the study.
type certificateRow struct {
	row *tightness.Row
	tightness.Certificate
}

func certificateFields() []table.Field[certificateRow] {
	return slices.Concat(
		experiments.WholeCase(func(r *certificateRow) *experiments.Case { return &r.row.Case }),
		[]table.Field[certificateRow]{
			{Column: table.Column{Name: "quantity", Type: table.String, Title: "quantity", Meaning: "the number that is certified"}, Of: func(r *certificateRow) any { return r.Quantity }},
			{Column: table.Column{Name: "double", Type: table.Float, Title: "double", Digits: 17, Meaning: "the number as it is computed in float64"}, Of: func(r *certificateRow) any { return r.Double }},
			{Column: table.Column{Name: "certified", Type: table.String, Title: "certified", Meaning: "the number in 256 bits, with all digits that are certain"}, Of: func(r *certificateRow) any { return r.Value.Text() }},
			{Column: table.Column{Name: "error_bound", Type: table.Float, Title: "error bound", Digits: 2, Meaning: "a bound on the error of certified"}, Of: func(r *certificateRow) any { return r.Value.Error }},
			{Column: table.Column{Name: "digits", Type: table.Float, Title: "digits", Digits: 3, Meaning: "how many decimal digits of double are right"}, Of: func(r *certificateRow) any { return r.Digits }},
		})
}

// Certificates returns the table of every number that is certified: the number as computed in float64, its digits in 256
// bits, and the bound on the error of those digits.
func Certificates(rows []tightness.Row) *table.Table {
	var all []certificateRow
	for i := range rows {
		for _, c := range rows[i].Certificates {
			all = append(all, certificateRow{&rows[i], c})
		}
	}
	return table.New(certificateFields(), all)
}
