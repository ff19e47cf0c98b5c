package compare

import (
	"fmt"
	"math"

	"breadboard/experiments/sandwich"
)

// Accurate is the root of the mean squared error below which estimates tell classes of models apart, in nats.
//
// Source: Grosse, Ghahramani and Adams 2015, sections 6.3 and 6.4.
const Accurate = 10.0

// Threshold says of an estimator on a model, over all data sets, how accurate it is and how soon.
type Threshold struct {
	Series
	// Best is the smallest RMSE of a single trial, over data sets, and Setting and Seconds what it takes.
	Best    float64
	Setting int
	Seconds float64
	// FirstSetting and FirstSeconds are what the first setting takes with which the RMSE is below Accurate; NaN seconds where there is none.
	FirstSetting int
	FirstSeconds float64
	// Bias and BiasSE are those of the largest setting, over data sets; CombinedRMSE that of all of its trials together.
	Bias, BiasSE, CombinedRMSE float64
	// Above1 and Above3 are the shares of its trials above the truth by so many nats.
	Above1, Above3 float64
}

// Thresholds sums up rows over the data sets.
func Thresholds(rows []Row) []Threshold {
	var out []Threshold
	nan := math.NaN()
	for _, s := range SeriesOf(rows) {
		t := Threshold{Series: s, Best: math.Inf(1), FirstSeconds: nan, Bias: nan, BiasSE: nan, CombinedRMSE: nan, Above1: nan, Above3: nan}
		for _, p := range s.Points {
			t.add(p)
		}
		if math.IsInf(t.Best, 1) {
			t.Best, t.Seconds = nan, nan
		}
		out = append(out, t)
	}
	return out
}

// add takes in one setting, on all data sets. Those that the truth comes from have no error.
func (t *Threshold) add(p Point) {
	if math.IsNaN(p.RMSE) {
		return
	}
	if p.RMSE < t.Best {
		t.Best, t.Setting, t.Seconds = p.RMSE, p.Setting, p.Seconds
	}
	if p.RMSE < Accurate && math.IsNaN(t.FirstSeconds) {
		t.FirstSetting, t.FirstSeconds = p.Setting, p.Seconds
	}
	t.Bias, t.BiasSE, t.CombinedRMSE, t.Above1, t.Above3 = p.Bias, p.BiasSE, p.CombinedRMSE, p.Above1, p.Above3
}

// Point is what an estimator with one setting does on all data sets of a model.
type Point struct {
	Setting            int
	Seconds            float64 // of a trial, on average
	Bias, BiasSE       float64 // on average over data sets; BiasSE is over data sets where there are several, and over trials else
	CombinedBias       float64
	RMSE, CombinedRMSE float64 // NaN for the trials that the truth comes from
	Above1, Above3     float64
}

// pointOf sums up the rows of one setting on all data sets.
func pointOf(rows []Row) Point {
	n := float64(len(rows))
	p := Point{Setting: rows[0].Setting}
	squares, combined, biases := 0.0, 0.0, 0.0
	for _, r := range rows {
		p.Seconds += r.Seconds / n
		p.Bias, p.CombinedBias = p.Bias+r.Bias/n, p.CombinedBias+(r.Combined-r.Truth)/n
		p.Above1, p.Above3 = p.Above1+r.Above1/n, p.Above3+r.Above3/n
		squares, combined = squares+r.RMSE*r.RMSE/n, combined+r.CombinedError*r.CombinedError/n
	}
	for _, r := range rows {
		biases += (r.Bias - p.Bias) * (r.Bias - p.Bias)
	}
	if p.BiasSE = rows[0].SE; n > 1 {
		p.BiasSE = math.Sqrt(biases / (n - 1) / n)
	}
	p.RMSE, p.CombinedRMSE = math.Sqrt(squares), math.Sqrt(combined)
	return p
}

// Doubtful returns the rows, the first of each data set, whose ground truth is known to half a nat at best.
func Doubtful(rows []Row) (out []Row) {
	seen := map[string]bool{}
	for _, r := range rows {
		key := fmt.Sprint(r.Model, " ", r.Data)
		if !seen[key] && 2*r.Doubt > sandwich.Agreement {
			out = append(out, r)
		}
		seen[key] = true
	}
	return out
}

// Series are the points of an estimator on a model, setting by setting.
type Series struct {
	Model, Estimator, Legend string
	Exact                    bool
	Knob                     string
	Datasets                 int // on which the first setting has run
	Points                   []Point
}

// SeriesOf returns the points of every estimator on every model.
func SeriesOf(rows []Row) (out []Series) {
	type estimator struct{ model, name string }
	type setting struct {
		estimator
		knob int
	}
	var estimators []estimator
	settings, blocks := map[estimator][]setting{}, map[setting][]Row{}
	for _, r := range rows {
		e := estimator{r.Model, r.Estimator}
		s := setting{e, r.Setting}
		if settings[e] == nil {
			estimators = append(estimators, e)
		}
		if blocks[s] == nil {
			settings[e] = append(settings[e], s)
		}
		blocks[s] = append(blocks[s], r)
	}
	for _, e := range estimators {
		first := blocks[settings[e][0]]
		s := Series{first[0].Model, first[0].Estimator, first[0].Legend, first[0].Exact, first[0].Knob, len(first), nil}
		for _, at := range settings[e] {
			s.Points = append(s.Points, pointOf(blocks[at]))
		}
		out = append(out, s)
	}
	return out
}
