package sandwich

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"breadboard/chains/number"
)

// Row is the result of one algorithm with one knob for log p(y) of a data set, or of all of them
// together. Logarithms are in nats.
type Row struct {
	Model         string
	Rows, Columns int
	Algorithm     string
	T             int // of annealing; 0 elsewhere
	Scans         int // M, of sequential Monte Carlo; -1 elsewhere
	Data          int // the number of the data set; 0 if the row is of all of them
	Datasets      int // the number of data sets of the row
	Chains        int // in each direction on each data set

	// Lower and Upper are the mean log weights forward and in reverse. Their standard errors are
	// over chains, or over data sets in the row of all of them: there they are those of means of
	// different quantities, and do not apply to B.
	Lower, LowerSE, Upper, UpperSE float64
	// B is Upper - Lower. Its standard error is over data sets; for a single data set it is over
	// chains, conditional on its exact draw.
	B, BSE float64
	// LogZ is the ground truth of a data set: the mean of Lower and Upper with the largest T, if
	// they are within a nat, and NaN otherwise. LogZSE is its standard error over chains,
	// conditional on the exact draw. In the row of all data sets LogZ is NaN, since each data set
	// has its own p(y).
	LogZ, LogZSE float64
	Settled      int // data sets with a truth
	// there is no exact draw, so that chains run forward alone, and Upper, B and LogZ are NaN
	Forward bool
	Seconds float64 // the mean time of a chain over both directions
	Notes   []string
}

// Agreement is the largest distance of Lower and Upper at which their mean is the ground truth, in
// nats.
//
// Source: Grosse, Ghahramani and Adams 2015, sections 4.3 and 6.4.
const Agreement = 1.0

// dataRow returns the row of one data set of a model.
func (o *Options) dataRow(set Set, a Algorithm, knob, datasets int, estimates []Estimate) Row {
	r := Row{
		Model:     set.Model.Name,
		Rows:      set.Rows,
		Columns:   set.Columns,
		Algorithm: a.Name,
		Scans:     -1,
		Data:      set.Number,
		Datasets:  1,
		Chains:    o.Chains,
		LogZ:      math.NaN(),
		LogZSE:    math.NaN(),
		Forward:   o.ends() == 1,
		Notes:     Conditional(datasets),
	}
	if a.Name == TruthForward {
		r.T = knob
	} else {
		r.Scans = knob
	}
	if r.Forward {
		r.Notes = []string{
			"no exact draw to start reverse chains, so that upper, B and log p(y) are not known"}
	}
	r.Fill(estimates[:o.Chains], estimates[o.Chains:])
	return r
}

// Conditional returns the notes of a row of one data set: without other data sets, its errors do
// not cover the choice of the exact draw.
func Conditional(datasets int) []string {
	if datasets > 1 {
		return nil
	}
	return []string{"conditional on one exact sample"}
}

// Fill sets the ends of the row of one data set, their errors, the seconds and notes, from the
// estimates of forward chains and of the same number of reverse chains, or none.
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
	r.B = r.Upper - r.Lower
	r.BSE = math.Hypot(r.LowerSE, r.UpperSE)
	if r.B < 0 {
		r.Notes = append(r.Notes, "B is below zero; this can happen if all reverse chains start at one exact draw")
	}
}

// meanError returns the mean of values and its standard error, which is NaN for a single value.
// Without values both are NaN.
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
	r.Data = 0
	r.Datasets = len(block)
	r.Notes = nil
	r.Seconds = 0
	r.LogZ = math.NaN()
	r.LogZSE = math.NaN()
	r.Settled = 0
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

// settled sets the ground truth of every data set in the rows, from annealing with the largest T,
// and returns them.
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
			best.Notes = append(
				best.Notes,
				fmt.Sprintf("the ends are %.3g nats apart, so that there is no ground truth; %s",
					math.Abs(best.B), grow(best)),
			)
			continue
		}
		truth := (best.Lower + best.Upper) / 2
		se := best.BSE / 2
		for j := range rows {
			switch r := &rows[j]; {
			case r.Model != best.Model:
			case r.Data == 0:
				r.Settled++
			case r.Data == best.Data:
				r.LogZ = truth
				r.LogZSE = se
				r.Settled = 1
			}
		}
	}
	return rows
}

// grow states how large T would have to be for the ends to agree. The gap of annealing falls like
// 1/T for large T.
func grow(r *Row) string {
	if r.B < 0 {
		return "use more data sets, or exact starts, to see whether this comes from the one draw that " +
			"starts the reverse chains"
	}
	return fmt.Sprintf("if the gap falls like 1/T, T = %s is needed", number.Plain(float64(r.T)*r.B/Agreement, 2))
}
