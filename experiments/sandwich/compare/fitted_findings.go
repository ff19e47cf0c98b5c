package compare

import (
	"fmt"
	"math"

	"breadboard/chains"
)

// FittedFindings says in sentences what rows show: whether simulated data behave as the measured ones, whether the reverse curves coincide, and
// how far the ends of the simulated data are apart.
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
	size := fmt.Sprintf("up to a vertical shift, the medians are %.3g nats apart at T = %d, with a standard error of %.2g (P = %.2g for %s)",
		math.Abs(a.Difference), a.T, a.SE, a.P, comparisons(a.Comparisons))
	errors := fmt.Sprintf("errors are over the %d simulated data sets", sets)
	if sets == 1 {
		errors = "errors are over chains alone, and other data from the same fit would have another curve; several simulated data sets say how different"
	}
	if a.Differ() {
		return "forward curves on real and simulated data differ: " + size + "; " + errors + ". What is measured on simulated data may not hold for the real ones: the model may be wrong"
	}
	return fmt.Sprintf("forward curves on real and simulated data match: %s; a difference of less than %.2g nats there would not be seen; %s", size, a.Seen, errors)
}

// comparisons says for how many comparisons together a probability holds.
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
	size := fmt.Sprintf("the means after S = %d and %d moves are %.3g nats apart at T = %d, with a standard error of %.2g (P = %.2g for %s; the largest difference is %.3g nats)",
		a.S[0], a.S[1], math.Abs(a.Difference), a.T, a.SE, a.P, comparisons(a.Comparisons), a.Widest)
	errors := fmt.Sprintf("errors are over the %d starts of each S", starts)
	if starts == 1 {
		errors = "all chains of one S share their start, so that errors do not cover which start it is; several starts do"
	}
	if a.Differ() {
		return "reverse curves do not coincide: " + size + "; " + errors
	}
	return fmt.Sprintf("reverse curves coincide within their errors: %s; a difference of less than %.2g nats there would not be seen; %s", size, a.Seen, errors)
}

// gapFinding says how far the ends on the simulated data are apart, after the most moves and with the largest T.
func gapFinding(rows []FittedRow) string {
	var forward, reverse *FittedRow
	for i := range rows {
		r := &rows[i]
		switch {
		case r.Data != 1:
		case r.Direction == chains.Forward && (forward == nil || r.T > forward.T):
			forward = r
		case r.Direction == chains.Reverse && (reverse == nil || r.T > reverse.T || r.T == reverse.T && r.S > reverse.S):
			reverse = r
		}
	}
	if forward == nil || reverse == nil || forward.T != reverse.T {
		return ""
	}
	return fmt.Sprintf("on simulated data B = %.3g nats at T = %d, with a standard error of %.2g: about a bound of the Jeffreys divergence, as far as %s after S = %d moves pass for exact draws",
		reverse.Mean-forward.Mean, forward.T, math.Hypot(forward.SE, reverse.SE), startsOf(reverse.Starts), reverse.S)
}

// times writes a number of things.
func times(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// startsOf writes how many starts there are.
func startsOf(n int) string { return "the " + times(n, "start") }
