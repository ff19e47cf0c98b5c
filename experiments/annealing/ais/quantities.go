package ais

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/simulate"
	"breadboard/exact"
	"breadboard/exact/weights"
)

// Quantity is an estimate and its exact expectation.
type Quantity struct {
	Name          string
	Exact         float64
	Estimate      float64
	StandardError float64
	// whether the standard error is estimated from the sample; otherwise it is exact for many
	// chains
	FromSample bool
	Bias       float64 // the bias of the estimator, to first order in 1/chains
	Note       string

	ofLogW bool // whether a constant in log f shifts the quantity
	z      float64
}

// Z returns how many standard errors the estimate is from its expectation, bias included. It is NaN
// if the standard error is unknown or as small as rounding, and for J_plugin, whose bias is not
// known well enough.
func (q *Quantity) Z() float64 { return q.z }

// computeZ computes z, and then adds the constant that centring removed from every log weight. The
// order matters: next to a large constant, Estimate - Exact would lose its digits.
func (q *Quantity) computeZ(offset float64) {
	q.z = math.NaN()
	if q.StandardError > 1e-12*(1+math.Abs(q.Exact)) && q.Name != plugIn {
		q.z = (q.Estimate - q.Exact - q.Bias) / q.StandardError
	}
	if q.ofLogW {
		q.Estimate += offset
		q.Exact += offset
	}
}

// weightLaw holds the exact properties of the weights that determine the standard errors.
type weightLaw struct{ forward, reverse weights.Spread }

// unknown returns a solution and a distribution of which only log(Z_T/Z_1) is known, or NaN.
func unknown(logZRatio float64) (*exact.Solution, weightLaw) {
	none := math.NaN()
	spread := weights.Spread{LogMean: none, Variance: none, Relative: none}
	return &exact.Solution{
		J:               none,
		B:               none,
		MeanLogWForward: none,
		MeanLogWReverse: none,
		LogZRatio:       logZRatio,
	}, weightLaw{spread, spread}
}

// jobs returns the functions that together compute the distribution. They may run at the same time.
func (w *weightLaw) jobs(a *chains.Annealing) []func(context.Context) error {
	spread := func(d chains.Direction, to *weights.Spread) func(context.Context) error {
		return func(ctx context.Context) (err error) {
			*to, err = weights.SpreadOf(ctx, a, d)
			return err
		}
	}
	return []func(context.Context) error{
		spread(chains.Forward, &w.forward), spread(chains.Reverse, &w.reverse)}
}

// estimateQuantities computes the quantities of the row.
func (r *Row) estimateQuantities(law weightLaw) {
	k := float64(r.Chains)
	s := r.Exact
	forward, reverse := law.forward, law.reverse
	f := Mean(r.Forward.LogW)
	add := func(name string, want float64, got Estimate, variance float64) *Quantity {
		q := Quantity{Name: name, Exact: want, Estimate: got.Value, StandardError: math.Sqrt(variance / k)}
		if math.IsNaN(variance) {
			q.StandardError = got.StandardError
			q.FromSample = true
		} else if math.IsInf(variance, 0) {
			q.StandardError = math.NaN()
		}
		r.Quantities = append(r.Quantities, q)
		return &r.Quantities[len(r.Quantities)-1]
	}
	logMean := func() {
		q := add("log_mean_w_forward", forward.LogMean, LogMeanExp(r.Forward.LogW, 1), forward.Relative)
		q.ofLogW = true
		q.setBias(forward.Relative/k, s.LogZRatio)
	}
	add("mean_log_w_forward", s.MeanLogWForward, f, forward.Variance).ofLogW = true
	if r.Reverse == nil {
		r.withholdErrors()
		logMean()
		return
	}
	v := Mean(r.Reverse.LogW)
	both := Estimate{v.Value - f.Value, math.Hypot(f.StandardError, v.StandardError)}
	add("mean_log_w_reverse", s.MeanLogWReverse, v, reverse.Variance).ofLogW = true
	add("B", s.B, both, forward.Variance+reverse.Variance)
	add("kl_q_p_upper", s.LogZRatio-s.MeanLogWForward, Estimate{r.logZRatio - f.Value, f.StandardError},
		forward.Variance)
	add("kl_p_q_upper", s.MeanLogWReverse-s.LogZRatio, Estimate{v.Value - r.logZRatio, v.StandardError},
		reverse.Variance)
	logMean()
	harmonic := LogMeanExp(r.Reverse.LogW, -1)
	harmonic.Value = -harmonic.Value
	q := add("log_mean_w_reverse", -reverse.LogMean, harmonic, reverse.Relative)
	q.ofLogW = true
	q.setBias(reverse.Relative/k, s.LogZRatio)
	q.Bias = -q.Bias
	r.withholdErrors()
	bar := add("bar", s.LogZRatio, BAR(r.Forward.LogW, r.Reverse.LogW), math.NaN())
	bar.ofLogW = true
	if math.IsNaN(bar.StandardError) {
		bar.Note = "the two samples hardly overlap: do not trust the estimate"
	}
	if r.Annealing() != nil {
		r.addPlugIn()
	}
}

// withholdErrors removes the standard errors of mean log weights that rest on few chains. If nearly
// all log weights of a sample are equal, its variance comes from a few rare ones, whose number in
// the sample could as well be zero or twice as large.
func (r *Row) withholdErrors() {
	samples := map[string][]*simulate.Batch{
		"mean_log_w_forward": {r.Forward}, "kl_q_p_upper": {r.Forward}, "mean_log_w_reverse": {r.Reverse},
		"kl_p_q_upper": {r.Reverse}, "B": {r.Forward, r.Reverse},
	}
	for i := range r.Quantities {
		q := &r.Quantities[i]
		for _, of := range samples[q.Name] {
			if n := effectiveDeviations(of.LogW); q.FromSample && n < min(leastDeviations, float64(r.Chains)/6) {
				q.StandardError = math.NaN()
				q.Note = fmt.Sprintf(
					"too few chains for a standard error: it would rest on about %.0f chains whose log "+
						"weights are far from the others",
					n,
				)
				if n == 0 {
					q.Note = "too few chains for a standard error: all have the same log weight"
				}
			}
		}
	}
}

// leastResting is the smallest number of chains on which the variance of a sample may rest. With
// fewer, the variance is known to no better than about a half.
const leastDeviations = 10

// effectiveDeviations returns the effective number of values on which the variance of a sample
// rests: the square of the sum of squared deviations from the mean over the sum of their fourth
// powers. It is a third of the sample size for normal values, zero if all values are equal, and NaN
// if one is infinite.
func effectiveDeviations(values []float64) float64 {
	mean := Mean(values).Value
	squares := 0.0
	fourths := 0.0
	for _, v := range values {
		d := (v - mean) * (v - mean)
		squares += d
		fourths += d * d
	}
	if squares == 0 {
		return 0
	}
	return squares / fourths * squares
}

// setBias sets the bias of the logarithm of a mean. It adds a note if the delta method does not
// hold, or if the expectation is not log(Z_T/Z_1) because f has zeros.
func (q *Quantity) setBias(relativeVariance, logZRatio float64) {
	q.Bias = -relativeVariance / 2
	switch {
	case math.IsNaN(q.Exact): // only the estimate is wanted
	case !(relativeVariance < 0.1):
		q.Bias = 0
		q.StandardError = math.NaN()
		q.Note = "too few chains for a standard error: rare large weights dominate the mean"
	case math.Abs(q.Exact-logZRatio) > 1e-9*(1+math.Abs(logZRatio)):
		q.Note = fmt.Sprintf("zeros of f exclude part of the paths: the expectation is log(Z_T/Z_1) %+.6g",
			q.Exact-logZRatio)
	}
}

// plugIn is the name of the quantity that addPlugIn adds, and plugInNote the note that it has
// wherever it is shown.
const (
	plugIn     = "J_plugin"
	plugInNote = "has a bias, given to first order"
)

// addPlugIn adds the divergence of the histogram of forward final states from the target.
func (r *Row) addPlugIn() {
	counts := make([]int, r.Annealing().States())
	for _, x := range r.Forward.Last {
		counts[x]++
	}
	q := r.Exact.Output
	p := r.Exact.Target
	k := float64(r.Chains)
	if none := math.NaN(); r.Chains < r.states {
		r.Quantities = append(r.Quantities, Quantity{
			Name:          plugIn,
			Exact:         r.Exact.J,
			Estimate:      none,
			StandardError: none,
			Bias:          none,
			Note:          "too few chains for a histogram: fewer chains than states",
		})
		return
	}
	out := Quantity{Name: plugIn, Exact: r.Exact.J, Estimate: PlugInJ(counts, p), Note: plugInNote}
	if math.IsInf(r.Exact.J, 0) {
		out.StandardError = math.NaN()
		out.Bias = math.NaN()
		out.Note = "the exact J is infinite"
		r.Quantities = append(r.Quantities, out)
		return
	}
	// J is a function of q with gradient log(q/p) + 1 - p/q and second derivatives 1/q + p/q^2. The
	// half draws that PlugInJ adds to each state move q by (1/2 - n q/2)/k. The variance has a term
	// from the gradient and the term 1/2 tr(H S H S) from the second derivatives H, with S the
	// covariance of the histogram. Near q = p the gradient vanishes and only the second term
	// remains.
	mean := 0.0
	square := 0.0
	n := float64(len(q))
	curved := 0.0
	cross := 0.0
	for x := range q {
		if p[x] == 0 || q[x] == 0 {
			continue
		}
		gradient := number.LogRatio(q[x], p[x]) + 1 - p[x]/q[x]
		mean += q[x] * gradient
		square += q[x] * gradient * gradient
		curvature := 1/q[x] + p[x]/(q[x]*q[x])
		curved += curvature * curvature * q[x] * q[x] * (1 - 2*q[x])
		cross += curvature * q[x] * q[x]
		out.Bias += curvature*q[x]*(1-q[x])/(2*k) + gradient*(0.5-n*q[x]/2)/k
	}
	linear := max(0, square-mean*mean) / k
	quadratic := (curved + cross*cross) / (2 * k * k)
	out.StandardError = math.Sqrt(linear + quadratic)
	if quadratic > linear/4 {
		out.Note = "J is no larger than its bias: the error is not normal, and the bias is rough"
	}
	for x := range q {
		if k*q[x] < 5 && k*p[x] >= 0.01 || k*q[x] < 1 && q[x] > 0 {
			out.Note = "bias and standard error are rough: some states have fewer than five expected chains"
			if none := math.NaN(); out.Bias > r.Exact.J/2 {
				out.Estimate = none
				out.StandardError = none
				out.Bias = none
				out.Note = "too few chains for a histogram: some states have fewer than five expected " +
					"chains, and the bias would exceed half of J"
				break
			}
		}
	}
	r.Quantities = append(r.Quantities, out)
}
