package sandwich

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Row is what one algorithm with one knob says of log p(y) of a data set, or of all of them together. All is in nats.
type Row struct {
	Model         string
	Rows, Columns int
	Algorithm     string
	T             int // of annealing; 0 elsewhere
	Scans         int // M, of sequential Monte Carlo; -1 elsewhere
	Data          int // the number of the data set; 0 if the row is of all of them
	Datasets      int // of which the row is
	Chains        int // of each direction on each data set

	// Lower and Upper are the mean log weights forward and in reverse. Their standard errors are over chains, and over data sets if the
	// row is of all of them: there they are those of means of different quantities, and say nothing of B.
	Lower, LowerSE, Upper, UpperSE float64
	// B is Upper less Lower. Its standard error is over data sets; of a single data set it is over chains, conditional on its exact draw.
	B, BSE float64
	// LogZ is the ground truth of a data set: the mean of Lower and Upper with the largest T, where they are within a nat. If they are not it
	// is NaN. LogZSE is its standard error over chains, conditional on the exact draw. In the row of all data sets LogZ is NaN, since each
	// has a p(y) of its own.
	LogZ, LogZSE float64
	Settled      int     // how many of the data sets of the row have a ground truth
	Forward      bool    // there is no exact draw, so that chains run forward alone, and Upper, B and LogZ are NaN
	Seconds      float64 // of a chain, on average over both directions
	Notes        []string
}

// Agreement is how near Lower and Upper must be for their mean to be the ground truth, in nats.
//
// Source: Grosse, Ghahramani and Adams 2015, sections 4.3 and 6.4.
const Agreement = 1.0

// row returns the row of one of so many data sets of a model.
func (o *Options) row(set Set, a Algorithm, knob, datasets int, estimates []Estimate) Row {
	r := Row{
		Model: set.Model.Name, Rows: set.Rows, Columns: set.Columns, Algorithm: a.Name, Scans: -1, Data: set.Number, Datasets: 1, Chains: o.Chains,
		LogZ: math.NaN(), LogZSE: math.NaN(), Forward: o.ends() == 1, Notes: Conditional(datasets),
	}
	if a.Name == TruthForward {
		r.T = knob
	} else {
		r.Scans = knob
	}
	if r.Forward {
		r.Notes = []string{"no exact draw to start from in reverse, so that upper, B and log p(y) are not known"}
	}
	r.Fill(estimates[:o.Chains], estimates[o.Chains:])
	return r
}

// Conditional returns the notes of a row of one of so many data sets: that its errors say nothing of the exact draw where there is no
// other data set to learn it from.
func Conditional(datasets int) []string {
	if datasets > 1 {
		return nil
	}
	return []string{"conditional on one exact sample"}
}

// Fill sets the ends of the row of one data set, their errors and the seconds, and adds notes, from the estimates of chains forward and in
// reverse, of which there are as many, or none.
func (r *Row) Fill(forward, reverse []Estimate) {
	ends := [2][]float64{}
	for i, side := range [][]Estimate{forward, reverse} {
		for _, e := range side {
			ends[i] = append(ends[i], e.LogZ)
			r.Seconds += e.Seconds / float64(len(forward)+len(reverse))
		}
	}
	r.Lower, r.LowerSE = meanError(ends[0])
	r.Upper, r.UpperSE = meanError(ends[1])
	r.B, r.BSE = r.Upper-r.Lower, math.Hypot(r.LowerSE, r.UpperSE)
	if r.B < 0 {
		r.Notes = append(r.Notes, "B is below zero, as it may be where all reverse chains start at one exact draw")
	}
}

// meanError returns the mean of values and its standard error, which is NaN for a single value. Of no values both are NaN.
func meanError(values []float64) (mean, se float64) {
	switch len(values) {
	case 0:
		return math.NaN(), math.NaN()
	case 1:
		return values[0], math.NaN()
	}
	mean, sd := stat.MeanStdDev(values, nil)
	return mean, sd / math.Sqrt(float64(len(values)))
}

// Together returns the row of several data sets.
func Together(block []Row) Row {
	r := block[0]
	r.Data, r.Datasets, r.Notes, r.Seconds, r.LogZ, r.LogZSE, r.Settled = 0, len(block), nil, 0, math.NaN(), math.NaN(), 0
	var lower, upper, b []float64
	for _, one := range block {
		lower, upper, b = append(lower, one.Lower), append(upper, one.Upper), append(b, one.B)
		r.Seconds += one.Seconds / float64(len(block))
	}
	r.Lower, r.LowerSE = meanError(lower)
	r.Upper, r.UpperSE = meanError(upper)
	r.B, r.BSE = meanError(b)
	return r
}

// settled sets the ground truth of every data set in the rows, that of annealing with the largest T, and returns them.
func (o *Options) settled(rows []Row) []Row {
	if len(o.T) == 0 || o.ends() == 1 {
		return rows
	}
	largest := slices.Max(o.T)
	for i := range rows {
		best := &rows[i]
		if best.T != largest || best.Data == 0 {
			continue
		}
		if !(math.Abs(best.B) <= Agreement) {
			best.Notes = append(best.Notes, fmt.Sprintf("the ends are %.3g nats apart, so that there is no ground truth; %s", math.Abs(best.B), grow(best)))
			continue
		}
		truth, se := (best.Lower+best.Upper)/2, best.BSE/2
		for j := range rows {
			switch r := &rows[j]; {
			case r.Model != best.Model:
			case r.Data == 0:
				r.Settled++
			case r.Data == best.Data:
				r.LogZ, r.LogZSE, r.Settled = truth, se, 1
			}
		}
	}
	return rows
}

// grow says how large T would have to be for the ends to agree. The gap of annealing falls as 1/T where T is large.
func grow(r *Row) string {
	if r.B < 0 {
		return "more data sets, or exact starts, would tell whether that is the one draw at which reverse chains start"
	}
	return fmt.Sprintf("at best T = %.2g would be needed, where the gap falls as 1/T", float64(r.T)*r.B/Agreement)
}
