package compare

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"breadboard/chains"
)

// level is the probability of a false difference over all comparisons: each of n comparisons is
// tested at level/n (Bonferroni).
const level = 0.05

// Agreement is the result of several comparisons of curves.
type Agreement struct {
	Comparisons int
	// P is the smallest P value times the number of comparisons, at most one, and NaN if nothing
	// can be compared. Curves differ if it is below Level.
	P float64
	// Difference is that of the comparison with the smallest P value, in nats, with its standard
	// error.
	Difference, SE float64
	T              int
	S              [2]int // the numbers of transitions of the curves, if they are in reverse
	// Widest is the largest difference of all.
	Widest float64
	// Seen is the smallest difference of that comparison that would count, in nats.
	Seen float64

	degrees float64 // of freedom of SE
}

// Differ reports whether curves differ.
func (a Agreement) Differ() bool { return a.P < level }

// addComparison adds a comparison.
func (a *Agreement) addComparison(c comparison) {
	a.Comparisons++
	a.Widest = max(a.Widest, math.Abs(c.difference))
	if a.Comparisons == 1 || c.p < a.P {
		a.P = c.p
		a.Difference = c.difference
		a.SE = c.se
		a.T = c.T
		a.S = c.S
		a.degrees = c.degrees
	}
}

// settled returns the agreement with its P value for all comparisons together.
func (a Agreement) settled() Agreement {
	if a.Comparisons == 0 {
		a.P = math.NaN()
		return a
	}
	n := float64(a.Comparisons)
	a.P = min(1, a.P*n)
	if a.SE > 0 {
		a.Seen = a.SE * quantile(1-level/2/n, a.degrees)
	}
	return a
}

// comparison is one of an Agreement.
type comparison struct {
	difference, se, degrees, p float64
	T                          int
	S                          [2]int
}

// newComparison returns a comparison of curves with the given difference.
func newComparison(difference, se, degrees float64, T int, s [2]int) comparison {
	return comparison{difference, se, degrees, twoSided(difference, se, degrees), T, s}
}

// quantile returns a quantile of Student's distribution, which is the normal one if degrees are
// infinite.
func quantile(p, degrees float64) float64 {
	if math.IsInf(degrees, 1) {
		return distuv.UnitNormal.Quantile(p)
	}
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: degrees}.Quantile(p)
}

// twoSided returns the probability that a variable with Student's distribution is at least as far
// from zero as a difference in units of its standard error. Without an error a difference is
// certain.
func twoSided(difference, se, degrees float64) float64 {
	if se == 0 {
		if difference == 0 {
			return 1
		}
		return 0
	}
	z := math.Abs(difference) / se
	if math.IsInf(degrees, 1) {
		return 2 * distuv.UnitNormal.Survival(z)
	}
	return 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: degrees}.Survival(z)
}

// ReverseAgreement compares the means of reverse chains after different numbers S of transitions,
// for each T, by Welch's test. The standard errors are those of the rows: if all chains of an S
// share one start, they do not cover other starts.
func ReverseAgreement(rows []FittedRow) Agreement {
	var a Agreement
	for i := range rows {
		for j := range rows[:i] {
			x, y := &rows[j], &rows[i]
			if x.Direction != chains.Reverse || y.Direction != chains.Reverse || x.T != y.T ||
				x.Data != y.Data || x.S == y.S {
				continue
			}
			se, degrees := welch(x, y)
			a.addComparison(newComparison(y.Mean-x.Mean, se, degrees, x.T, [2]int{x.S, y.S}))
		}
	}
	return a.settled()
}

// welch returns the standard error of the difference of two means and its degrees of freedom.
//
// Source: Welch 1947.
func welch(x, y *FittedRow) (se, degrees float64) {
	u, v := x.SE*x.SE, y.SE*y.SE
	if u+v == 0 {
		return 0, 1
	}
	return math.Sqrt(u + v), (u + v) * (u + v) / (u*u/x.degrees + v*v/y.degrees)
}

// ForwardAgreement compares the curves of forward chains on measured and on simulated data: the
// medians by T minus the median at the largest T, so that the different marginal likelihoods
// cancel. It has zero Comparisons if there is only one T.
//
// If several data sets are simulated, the measured one is compared with them as one more of the
// same kind, by Student's test of a further observation. If there is only one, the error is that of
// the medians over chains, and does not cover other data.
func ForwardAgreement(rows []FittedRow) Agreement {
	var a Agreement
	longest := 0
	for _, r := range rows {
		longest = max(longest, r.T)
	}
	for i := range rows {
		real := &rows[i]
		if real.Data != 0 || real.T == longest {
			continue
		}
		others := simulatedAt(rows, real.T, longest)
		own, ok := riseOf(rows, 0, real.T, longest)
		if len(others) == 0 || !ok {
			continue
		}
		a.addComparison(compareRises(own, others, real.T))
	}
	return a.settled()
}

// rise is the median at some T minus that at the largest T, with its standard error over chains.
type rise struct{ value, se float64 }

// riseOf returns the rise of a data set, and false if a row is missing.
func riseOf(rows []FittedRow, data, T, longest int) (rise, bool) {
	var from, to *FittedRow
	for i := range rows {
		if r := &rows[i]; r.Data == data && r.Direction == chains.Forward {
			if r.T == T {
				from = r
			}
			if r.T == longest {
				to = r
			}
		}
	}
	if from == nil || to == nil {
		return rise{}, false
	}
	return rise{
		from.Median - to.Median, math.Hypot(MedianError(from.LogWeights), MedianError(to.LogWeights))}, true
}

// simulatedAt returns the rises of the simulated data.
func simulatedAt(rows []FittedRow, T, longest int) (list []rise) {
	for _, r := range rows {
		if r.Data == 0 || r.Direction != chains.Forward || r.T != T {
			continue
		}
		if one, ok := riseOf(rows, r.Data, T, longest); ok {
			list = append(list, one)
		}
	}
	return list
}

// compareRises compares the rise of measured data with those of simulated data.
func compareRises(own rise, others []rise, T int) comparison {
	if len(others) == 1 {
		return newComparison(own.value-others[0].value, math.Hypot(own.se, others[0].se), math.Inf(1), T, [2]int{})
	}
	values := make([]float64, len(others))
	for i, o := range others {
		values[i] = o.value
	}
	n := float64(len(values))
	mean, sd := stat.MeanStdDev(values, nil)
	return newComparison(own.value-mean, sd*math.Sqrt(1+1/n), n-1, T, [2]int{})
}

// MedianError returns the standard error of the median of independent numbers in ascending order,
// by the bootstrap with infinitely many resamples: exactly for odd N, and for even N that of the
// lower of the two middle numbers.
//
// Source: Maritz and Jarrett 1978.
func MedianError(sorted []float64) float64 {
	n := float64(len(sorted))
	m := math.Ceil(n / 2)
	weights := make([]float64, len(sorted))
	below := 0.0
	for i := range weights {
		upto := mathext.RegIncBeta(m, n-m+1, float64(i+1)/n)
		weights[i], below = upto-below, upto
	}
	mean, variance := stat.Mean(sorted, weights), 0.0
	for i, v := range sorted {
		variance += weights[i] * (v - mean) * (v - mean)
	}
	return math.Sqrt(variance)
}

// FittedFindings returns sentences on the rows: whether simulated data behave like the measured
// ones, whether the reverse curves coincide, and the distance of the ends on the simulated data.
func FittedFindings(rows []FittedRow) (list []string) {
	for _, f := range []string{forwardFinding(rows), reverseFinding(rows), gapFinding(rows)} {
		if f != "" {
			list = append(list, f)
		}
	}
	return list
}

// forwardFinding says whether the forward curves of measured and simulated data match.
func forwardFinding(rows []FittedRow) string {
	a := ForwardAgreement(rows)
	if a.Comparisons == 0 {
		return ""
	}
	sets := 0
	for _, r := range rows {
		sets = max(sets, r.Data)
	}
	size := fmt.Sprintf(
		"up to a vertical shift, the medians are %.3g nats apart at T = %d, with a standard error of %.2g "+
			"(P = %.2g for %s)",
		math.Abs(a.Difference),
		a.T,
		a.SE,
		a.P,
		comparisons(a.Comparisons),
	)
	errors := fmt.Sprintf("errors are over the %d simulated data sets", sets)
	if sets == 1 {
		errors = "errors are over chains alone and do not cover other data from the same fit; simulate " +
			"several data sets to include this"
	}
	if a.Differ() {
		return "forward curves on real and simulated data differ: " + size + "; " + errors +
			". Results on simulated data may not hold for the real ones: the model may be wrong"
	}
	return fmt.Sprintf(
		"forward curves on real and simulated data match: %s; a difference of less than %.2g nats there "+
			"would not be detected; %s",
		size,
		a.Seen,
		errors,
	)
}

// comparisons names the number of comparisons over which a probability holds.
func comparisons(n int) string {
	if n == 1 {
		return "the one comparison"
	}
	return fmt.Sprintf("all %d comparisons together", n)
}

// reverseFinding says whether the reverse curves coincide.
func reverseFinding(rows []FittedRow) string {
	a := ReverseAgreement(rows)
	if a.Comparisons == 0 {
		return ""
	}
	starts := 0
	for _, r := range rows {
		starts = max(starts, r.Starts)
	}
	size := fmt.Sprintf(
		"the means after S = %d and %d transitions are %.3g nats apart at T = %d, with a standard error "+
			"of %.2g (P = %.2g for %s; the largest difference is %.3g nats)",
		a.S[0],
		a.S[1],
		math.Abs(a.Difference),
		a.T,
		a.SE,
		a.P,
		comparisons(a.Comparisons),
		a.Widest,
	)
	errors := fmt.Sprintf("errors are over the %d starts of each S", starts)
	if starts == 1 {
		errors = "all chains of one S share their start, so that errors do not cover other starts; use several starts"
	}
	if a.Differ() {
		return "reverse curves do not coincide: " + size + "; " + errors
	}
	return fmt.Sprintf(
		"reverse curves coincide within their errors: %s; a difference of less than %.2g nats there would "+
			"not be detected; %s",
		size,
		a.Seen,
		errors,
	)
}

// gapFinding states the distance of the ends on the simulated data, after the most transitions and
// with the largest T.
func gapFinding(rows []FittedRow) string {
	var forward, reverse *FittedRow
	for i := range rows {
		r := &rows[i]
		switch {
		case r.Data != 1:
		case r.Direction == chains.Forward && (forward == nil || r.T > forward.T):
			forward = r
		case r.Direction == chains.Reverse &&
			(reverse == nil || r.T > reverse.T || r.T == reverse.T && r.S > reverse.S):
			reverse = r
		}
	}
	if forward == nil || reverse == nil || forward.T != reverse.T {
		return ""
	}
	return fmt.Sprintf(
		"on simulated data B = %.3g nats at T = %d, with a standard error of %.2g: approximately a bound "+
			"on the Jeffreys divergence, if %s after S = %d transitions are close to exact draws",
		reverse.Mean-forward.Mean,
		forward.T,
		math.Hypot(forward.SE, reverse.SE),
		startsOf(reverse.Starts),
		reverse.S,
	)
}

// times writes a count with its noun.
func times(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// startsOf writes the number of starts.
func startsOf(n int) string { return "the " + times(n, "start") }
