package reports

import (
	"math"
	"slices"

	"breadboard/experiments"
	"breadboard/experiments/tightness"
	"breadboard/reports/table"
)

// digitsFields returns columns with the numbers of certified digits, where rows have certificates. Machines see the number
// for each quantity, people the smallest of a row.
func digitsFields(rows []tightness.Row) []table.Field[tightness.Row] {
	if len(rows) == 0 || rows[0].Certificates == nil {
		return nil
	}
	fields := []table.Field[tightness.Row]{
		{Column: table.Column{Title: "digits"}, Of: func(r *tightness.Row) any {
			worst, _ := r.Worst()
			return int(math.Floor(worst.Digits))
		}},
	}
	for k, c := range rows[0].Certificates {
		fields = append(fields, table.Field[tightness.Row]{
			Column: table.Column{Name: "digits_" + c.Quantity},
			Of:     func(r *tightness.Row) any { return r.Certificates[k].Digits },
		})
	}
	return fields
}

// certificateRow is the certificate of one number of a row of the study.
type certificateRow struct {
	row *tightness.Row
	tightness.Certificate
}

func certificateFields() []table.Field[certificateRow] {
	return slices.Concat(
		wholeCase(func(r *certificateRow) *experiments.Case { return &r.row.Case }),
		[]table.Field[certificateRow]{
			{Column: table.Column{Name: "quantity", Title: "quantity"}, Of: func(r *certificateRow) any { return r.Quantity }},
			{Column: table.Column{Name: "double", Title: "double", Digits: 17}, Of: func(r *certificateRow) any { return r.Double }},
			{Column: table.Column{Name: "certified", Title: "certified"}, Of: func(r *certificateRow) any { return r.Value.Text() }},
			{Column: table.Column{Name: "error_bound", Title: "error bound", Digits: 2}, Of: func(r *certificateRow) any { return r.Value.Error }},
			{Column: table.Column{Name: "digits", Title: "digits", Digits: 3}, Of: func(r *certificateRow) any { return r.Digits }},
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
