package marginal

import (
	"cmp"
	"math"
	"slices"

	"breadboard/experiments/evidence"
	"breadboard/reports"
	"breadboard/reports/figure"
)

// The names of the figures of the study.
const (
	evidenceErrors = "evidence_errors"
	evidenceLaws   = "evidence_laws"
	evidenceNested = "evidence_nested"
)

// maxEvidenceToys is the largest number of targets in a figure, and evidenceColumns how many stand beside each other.
const (
	maxEvidenceToys = 9
	evidenceColumns = 3
)

// biasUnit is where the axis of biases turns from linear to logarithmic, in nats.
const biasUnit = 0.01

// evidencePanels returns the rows that figures draw, by target: those of one estimate, or of the smallest number of trials where there
// are none.
func evidencePanels(rows []evidence.Row) [][]evidence.Row {
	fewest := math.MaxInt
	for i := range rows {
		fewest = min(fewest, rows[i].Trials)
	}
	var single []evidence.Row
	for i := range rows {
		if rows[i].Trials == fewest {
			single = append(single, rows[i])
		}
	}
	panels := reports.ByCase(single, evidenceCase)
	return panels[:min(len(panels), maxEvidenceToys)]
}

// evidenceSeries returns the rows of a target by estimator, by rising work.
func evidenceSeries(rows []evidence.Row) (series [][]evidence.Row) {
	for i := range rows {
		at := slices.IndexFunc(series, func(s []evidence.Row) bool { return s[0].Estimator == rows[i].Estimator })
		if at < 0 {
			at = len(series)
			series = append(series, nil)
		}
		series[at] = append(series[at], rows[i])
	}
	for _, s := range series {
		slices.SortStableFunc(s, func(a, b evidence.Row) int { return cmp.Compare(a.Work, b.Work) })
	}
	return series
}

// newMarks returns the marks of the estimators of some rows.
func newMarks(rows []evidence.Row) *figure.Marks {
	m := &figure.Marks{}
	for i := range rows {
		if !slices.Contains(m.Names, rows[i].Legend) {
			m.Names = append(m.Names, rows[i].Legend)
		}
	}
	return m
}
