package compare

import (
	"fmt"
	"math"
	"slices"

	"breadboard/experiments/ais"
	"breadboard/experiments/sandwich"
)

// compare sets by how much the rows of single data sets are below that of the model that made the data. Chains of different models have
// nothing in common, so that the squares of their errors add up.
func compare(blocks [][]CrossedRow) {
	type set struct {
		made string
		data int
	}
	diagonal := map[set]*CrossedRow{}
	for _, block := range blocks {
		for i := range block {
			if r := &block[i]; r.Diagonal() {
				diagonal[set{r.Made, r.Data}] = r
			}
		}
	}
	unknown := ais.Estimate{Value: math.NaN(), StandardError: math.NaN()}
	for _, block := range blocks {
		for i := range block {
			r := &block[i]
			r.MeanBehind, r.Behind = unknown, unknown
			if d := diagonal[set{r.Made, r.Data}]; d != nil {
				r.MeanBehind, r.Behind = less(d.Mean, r.Mean, d == r), less(d.LogMean, r.LogMean, d == r)
			}
		}
	}
}

// less returns the difference of two independent estimates, and zero for an estimate and itself.
func less(a, b ais.Estimate, same bool) ais.Estimate {
	if same {
		return ais.Estimate{}
	}
	return ais.Estimate{Value: a.Value - b.Value, StandardError: math.Hypot(a.StandardError, b.StandardError)}
}

// together returns the row of all data sets. Differences are those on the same data, whose means differ far less from data set to data
// set than the terms do.
func together(block []CrossedRow) CrossedRow {
	r := block[0]
	r.Data, r.Datasets, r.Seconds = 0, len(block), 0
	over := func(of func(*CrossedRow) float64) ais.Estimate {
		var values []float64
		for i := range block {
			values = append(values, of(&block[i]))
		}
		return ais.Mean(values)
	}
	r.Mean = over(func(r *CrossedRow) float64 { return r.Mean.Value })
	r.LogMean = over(func(r *CrossedRow) float64 { return r.LogMean.Value })
	r.MeanBehind = over(func(r *CrossedRow) float64 { return r.MeanBehind.Value })
	r.Behind = over(func(r *CrossedRow) float64 { return r.Behind.Value })
	for i := range block {
		r.Seconds += block[i].Seconds / float64(len(block))
	}
	return r
}

// CrossedWhole returns the rows of all data sets together, or those of the only data set. It returns none of an interrupted run that has rows of
// some data sets only.
func CrossedWhole(rows []CrossedRow) []CrossedRow {
	whole := ofMost(rows, func(r *CrossedRow) int { return r.Datasets })
	if slices.ContainsFunc(whole, func(r CrossedRow) bool { return r.Datasets == 1 && r.Data != whole[0].Data }) {
		return nil
	}
	return whole
}

// CrossedFindings says for the data of each model which other model comes nearest to it, and by how many standard errors it is told apart, and
// where a model that did not make the data is ahead.
func CrossedFindings(rows []CrossedRow) (findings []string) {
	whole := CrossedWhole(rows)
	for i := range whole {
		if !whole[i].Diagonal() {
			continue
		}
		if f := finding(whole, whole[i].Made); f != "" {
			findings = append(findings, f)
		}
	}
	return findings
}

// finding says which other model comes nearest on the data of a model. It is empty where none is known.
func finding(whole []CrossedRow, made string) string {
	var near *CrossedRow
	for i := range whole {
		r := &whole[i]
		if r.Made == made && !r.Diagonal() && !math.IsNaN(r.Behind.Value) && (near == nil || r.Behind.Value < near.Behind.Value) {
			near = r
		}
	}
	if near == nil {
		return ""
	}
	d := near.Behind
	over, values := fmt.Sprintf("the %d chains of the only data set", near.Chains), near.Chains
	if near.Datasets > 1 {
		over, values = fmt.Sprintf("%d data sets", near.Datasets), near.Datasets
	}
	text := fmt.Sprintf("data of %s: the nearest other model is %s, %.3g nats below", made, near.Fitted, d.Value)
	if d.Value < 0 {
		text = fmt.Sprintf("data of %s: model %s is %.3g nats ahead of it", made, near.Fitted, -d.Value)
	}
	switch {
	case math.IsNaN(d.StandardError):
		return text + "; more data sets or chains would tell the error of that"
	case math.Abs(d.Value) < sandwich.Certain(values)*d.StandardError:
		return fmt.Sprintf("%s, with a standard error of %.2g over %s, which does not tell them apart", text, d.StandardError, over)
	case d.Value < 0:
		text += ", so that the model that made the data is not the likeliest"
	}
	return fmt.Sprintf("%s, %.2g standard errors over %s", text, math.Abs(d.Value)/d.StandardError, over)
}
