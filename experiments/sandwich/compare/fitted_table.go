package compare

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"breadboard/chains"
	"breadboard/toys/models"
)

// column returns a column of a table.
func column(y [][]float64, j int) []float64 {
	out := make([]float64, len(y))
	for i, row := range y {
		out[i] = row[j]
	}
	return out
}

// apply returns the rows of a table whose columns are scaled, but for classes. It fails where a column is to be divided by a standard deviation
// of zero.
func (s Scale) apply(t *models.Table, m Model) ([][]float64, error) {
	if s == ScaleNone {
		return t.Rows, nil
	}
	y := make([][]float64, len(t.Rows))
	for i, row := range t.Rows {
		y[i] = slices.Clone(row)
	}
	scaled := len(y[0])
	if m.Classes {
		scaled--
	}
	for j := range scaled {
		values := column(y, j)
		mean, divisor := stat.Mean(values, nil), 1.0
		if s == ScaleStandardize {
			if constant(values) {
				return nil, chains.NewAdvice("column %s is constant, and cannot be divided by its standard deviation of zero; leave the column out, or give {scale} centre", t.Column(j))
			}
			divisor = stat.StdDev(values, nil)
		}
		for _, row := range y {
			row[j] = (row[j] - mean) / divisor
		}
	}
	return y, nil
}

// constant reports whether numbers are all the same.
func constant(values []float64) bool { return slices.Min(values) == slices.Max(values) }

// FalseAlarm is how often data from a model of mean zero whose rows are normal are said to have another mean.
const FalseAlarm = 0.001

// Doubts says what of measured data speaks against a model before a chain is made: columns that are constant, and means that are far
// from zero where the model has no intercept.
func (o *FittedOptions) Doubts() ([]chains.Advice, error) {
	m, _, err := o.read()
	if err != nil {
		return nil, err
	}
	y, err := o.Scale.apply(o.Table, m)
	if err != nil {
		return nil, err
	}
	var doubts []chains.Advice
	var fixed []string
	for j := range y[0] {
		if constant(column(y, j)) {
			fixed = append(fixed, o.Table.Column(j))
		}
	}
	if len(fixed) > 0 {
		doubts = append(doubts, chains.NewAdvice("%s, which no noise explains; leave out what does not vary", columnsAre(fixed)))
	}
	if doubt, found := meanDoubt(o.Table, y); found && m.MeanZero {
		doubts = append(doubts, doubt)
	}
	return doubts, nil
}

// columnsAre says which columns are constant.
func columnsAre(names []string) string {
	switch {
	case len(names) == 1:
		return fmt.Sprintf("column %s is constant", names[0])
	case len(names) <= 3:
		return fmt.Sprintf("columns %s are constant", join(names))
	}
	return fmt.Sprintf("%d columns are constant, among them %s", len(names), join(names[:3]))
}

// join writes names one after another.
func join(names []string) string {
	text := names[0]
	for i, name := range names[1:] {
		if i == len(names)-2 {
			text += " and " + name
		} else {
			text += ", " + name
		}
	}
	return text
}

// meanDoubt says how far the mean of a column is from zero, where it is too far for rows that are independent and normal with mean zero.
// The mean over its standard error then has Student's distribution with N - 1 degrees of freedom; of D columns the farthest is judged, at
// a D-th of the rate of false alarms.
func meanDoubt(t *models.Table, y [][]float64) (chains.Advice, bool) {
	worst, at := 0.0, 0
	far := 0
	limit := math.Inf(1)
	if len(y) > 1 {
		limit = distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(len(y) - 1)}.Quantile(1 - FalseAlarm/2/float64(len(y[0])))
	}
	for j := range y[0] {
		values := column(y, j)
		if constant(values) {
			continue
		}
		mean, sd := stat.MeanStdDev(values, nil)
		errors := math.Abs(mean) / sd * math.Sqrt(float64(len(values)))
		if errors > limit {
			far++
		}
		if errors > worst {
			worst, at = errors, j
		}
	}
	if far == 0 {
		return chains.Advice{}, false
	}
	values := column(y, at)
	mean, sd := stat.MeanStdDev(values, nil)
	return chains.NewAdvice("the model has no intercept, and the mean is far from zero in %d of %d columns: in column %s it is %.3g, which is %.3g standard errors and %.2g times the spread of the column. "+
		"Chains on real and simulated data will then probably not match; centre the columns, as with {scale} centre",
		far, len(y[0]), t.Column(at), mean, worst, math.Abs(mean)/sd), true
}
