package smc

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/number"
)

// Violation is the violation of one identity of an algorithm with its meta-inference.
type Violation struct {
	Name  string  // of the identity, as in "mean_xi"
	Says  string  // the identity in words
	Value float64 // the largest difference over all outputs; zero if the identity holds
	// Output is the output with the largest difference; -1 if the finding is not about one output.
	Output int
	// ByOutput is the difference at each output; nil if the finding is not about outputs.
	ByOutput []float64
	// Property says that the finding is not an identity, but a property of the algorithm.
	Property bool
}

// Violations returns the violation of each identity that xi, runs and meta-inference must satisfy:
// differences of logarithms, in nats, or of probabilities. For a correct algorithm they are only
// rounding. They show whether the meta-inference is correct, and for which output it is not.
func (j *Joint) Violations() []Violation {
	list := []Violation{
		{Name: "mean_xi", Says: "the mean of xi in meta-inference is Z q(x)",
			ByOutput: j.mapOutputs(j.meanXi)},
		{
			Name:     "xi_of_traces",
			Says:     "xi is Z q(u, x)/r(u; x) on every trace",
			ByOutput: j.mapOutputs(j.xiOfTraces),
		},
		{
			Name:     "size_biased",
			Says:     "xi of a run has the distribution of xi in meta-inference, size-biased",
			ByOutput: j.mapOutputs(j.sizeBiased),
		},
		{Name: "run_only", Says: "meta-inference draws every trace of a run",
			ByOutput: j.mapOutputs(j.runOnly)},
		{Name: "meta_only", Says: "xi is zero for a trace that no run has",
			ByOutput: j.mapOutputs(j.metaOnly)},
		{Name: "other_output", Says: "meta-inference returns the given output", ByOutput: j.strays},
		{Name: "one_xi", Says: "a trace and an output determine xi", ByOutput: j.twoXi},
		{
			Name:     "mean_zhat_at_output",
			Says:     "E[Zhat; x]/Z is p(x), with Zhat = p~(x) Z/xi",
			ByOutput: j.mapOutputs(j.zhatAt),
		},
	}
	for i := range list {
		list[i].Value, list[i].Output = worst(list[i].ByOutput)
	}
	return append(list,
		Violation{
			Name:   "mean_zhat",
			Says:   "the mean of Zhat is Z",
			Value:  math.Abs(math.Expm1(number.LogTotal(j.mapOutputs(j.logZhatAt)) - j.logZ)),
			Output: -1,
		},
		Violation{
			Name:   "remainder",
			Says:   "the probability that enumeration dropped",
			Value:  j.remainder,
			Output: -1,
		},
		Violation{
			Name:     "extinct",
			Says:     "the probability that a run has no output",
			Value:    j.extinct,
			Output:   -1,
			Property: true,
		})
}

// worst returns the largest number and its place. A number that is NaN is the largest.
func worst(v []float64) (value float64, at int) {
	value = 0
	at = -1
	for x, d := range v {
		if d > value || math.IsNaN(d) {
			value = d
			at = x
		}
	}
	return value, at
}

// mapOutputs applies a function to every output.
func (j *Joint) mapOutputs(f func(x int) float64) []float64 {
	out := make([]float64, len(j.q))
	for x := range out {
		out[x] = f(x)
	}
	return out
}

// meanXi returns |log E[xi] - log Z q(x)|.
func (j *Joint) meanXi(x int) float64 { return distance(j.logMeanXi(x), j.logC+number.Log(j.q[x])) }

// xiOfTraces returns the largest |log q(u, x)/r(u; x) - log xi/Z| over the traces that both runs
// and meta-inference have.
func (j *Joint) xiOfTraces(x int) float64 {
	most := 0.0
	for _, t := range j.traces[x] {
		if t.Q > 0 && t.R > 0 {
			ratio := number.Log(t.Q) - number.Log(t.R) + j.logC
			most = max(most, distance(ratio, t.LogXi), distance(ratio, t.RunXi))
		}
	}
	return most
}

// runOnly returns the probability, given the output, of traces that meta-inference never draws.
func (j *Joint) runOnly(x int) float64 {
	mass := 0.0
	for _, t := range j.traces[x] {
		if t.R == 0 {
			mass += t.Q
		}
	}
	if mass == 0 {
		return 0
	}
	return mass / j.q[x]
}

// metaOnly returns the probability that meta-inference draws a trace of positive xi that no run
// has.
func (j *Joint) metaOnly(x int) float64 {
	mass := 0.0
	for _, t := range j.traces[x] {
		if t.Q == 0 && !math.IsInf(t.LogXi, -1) {
			mass += t.R
		}
	}
	return mass
}

// same is the difference of two values of log xi, in nats, up to which it counts as rounding.
const same = 1e-9

// sizeBiased returns the total variation distance between the distribution of xi in a run that
// returned the output, and that of xi in meta-inference times xi/(Z q(x)).
func (j *Joint) sizeBiased(x int) float64 {
	if j.q[x] == 0 {
		return 0
	}
	type share struct{ logXi, excess float64 }
	var shares []share
	logQ := number.Log(j.q[x])
	for _, t := range j.traces[x] {
		if t.Q > 0 {
			shares = append(shares, share{t.RunXi, t.Q / j.q[x]})
		}
		if t.R > 0 && !math.IsInf(t.LogXi, -1) {
			shares = append(shares, share{t.LogXi, -math.Exp(number.Log(t.R) + t.LogXi - j.logC - logQ)})
		}
	}
	slices.SortStableFunc(shares, func(a, b share) int { return cmp.Compare(a.logXi, b.logXi) })
	distance := 0.0
	together := 0.0
	for i, s := range shares {
		if i > 0 && s.logXi-shares[i-1].logXi > same {
			distance += math.Abs(together)
			together = 0
		}
		together += s.excess
	}
	return (distance + math.Abs(together)) / 2
}

// logZhatAt returns log E[Zhat; x].
func (j *Joint) logZhatAt(x int) float64 {
	var logs []float64
	for _, t := range j.traces[x] {
		if t.Q > 0 {
			logs = append(logs, number.Log(t.Q)+j.logZhat(x, t.RunXi))
		}
	}
	return number.LogTotal(logs)
}

// zhatAt returns |E[Zhat; x]/Z - p(x)|.
func (j *Joint) zhatAt(x int) float64 { return math.Abs(math.Exp(j.logZhatAt(x)-j.logZ) - j.p[x]) }

// String returns the finding as a line.
func (f Violation) String() string {
	if f.Output < 0 {
		return fmt.Sprintf("%s: %.3g", f.Name, f.Value)
	}
	return fmt.Sprintf("%s: %.3g at output %d", f.Name, f.Value, f.Output)
}
