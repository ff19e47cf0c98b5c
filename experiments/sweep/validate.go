package sweep

import (
	"errors"
	"fmt"
	"math"

	"breadboard/exact"
	"breadboard/toys"
)

// maxRead is the length in bytes of the longest text of a result that is read: in older results every byte that is no
// UTF-8 was written as three.
const maxRead = 3*maxText + len("...")

// validate says what cannot be the result of the cell. Every result passes it before it is written, and again when it
// is read.
func (r *Result) validate() error {
	switch {
	case r.Values == nil && r.Error == "":
		return errors.New("it has neither values nor an error")
	case r.Values != nil && r.Error != "":
		return errors.New("it has an error and values; a result has one of them")
	case len(r.Error) > maxRead:
		return fmt.Errorf("its error has %d bytes; the limit is %d", len(r.Error), maxRead)
	case r.Values == nil:
		return nil
	case len(r.Note) > maxRead:
		return fmt.Errorf("its note has %d bytes; the limit is %d", len(r.Note), maxRead)
	}
	if err := r.Values.inRange(); err != nil {
		return err
	}
	toy, mass := r.Cell.Get("toy"), float64(r.DominantModeMass)
	if named := toys.NamesMode(toy); named && math.IsNaN(mass) {
		return fmt.Errorf("its dominant_mode_mass is NaN, and the toy %s names a mode", toy)
	} else if !named && !math.IsNaN(mass) {
		return fmt.Errorf("its dominant_mode_mass is %v, and the toy %s names no mode", mass, toy)
	}
	return r.Values.identities(r.Cell.Distributions())
}

// inRange says which value is not where it can be. Divergences and means may be infinite, each to one side; only a mode
// that no toy names has no mass. A B that a note calls lost in rounding may be below zero.
func (v *Values) inRange() error {
	for _, f := range v.fields() {
		low, high := math.Inf(-1), math.Inf(1)
		switch f.name {
		case "J", "kl_q_p", "kl_p_q":
			low = 0
		case "B":
			if v.Note == "" {
				low = 0
			}
		case "mean_log_w_forward":
			high = math.MaxFloat64
		case "mean_log_w_reverse":
			low = -math.MaxFloat64
		case "log_z_ratio":
			low, high = -math.MaxFloat64, math.MaxFloat64
		case "dominant_mode_mass":
			if math.IsNaN(float64(*f.value)) {
				continue
			}
			low, high = 0, 1+divergenceTolerance // a sum of probabilities
		}
		if x := float64(*f.value); !(x >= low && x <= high) {
			return fmt.Errorf("its %s is %v, which is not from %v to %v", f.name, x, low, high)
		}
	}
	return nil
}

// divergenceTolerance is the relative error to which J and both divergences are promised. Where a note says that digits
// are lost, all three have lost the same ones.
const divergenceTolerance = 1e-12

// identities says what does not hold between the values of an annealing with T distributions: J is the sum of both
// divergences to within the promise; that B bounds J, that it is the difference of the mean log weights, and that these
// hold log(Z_T/Z_1) between them is asked to within what exact.Check asks of a solution, where no note says that digits
// are lost.
func (v *Values) identities(T int) error {
	j, b, qp, pq := float64(v.J), float64(v.B), float64(v.KLQP), float64(v.KLPQ)
	forward, reverse, z := float64(v.MeanLogWForward), float64(v.MeanLogWReverse), float64(v.LogZRatio)
	if sum := qp + pq; !equal(j, sum, divergenceTolerance*(j+sum)) {
		return fmt.Errorf("its J is %v, and kl_q_p and kl_p_q add up to %v", j, sum)
	}
	if v.Note != "" {
		return nil // which may be that B or the log weights have lost digits
	}
	relative := exact.IdentityTolerance(T)
	if !atMost(j, b, relative*(1+j)) {
		return fmt.Errorf("its B is %v and its J %v, which B bounds", b, j)
	}
	scale := relative * (1 + finite(forward) + finite(reverse))
	switch {
	case !equal(b, reverse-forward, scale):
		return fmt.Errorf("its B is %v, and its mean log weights %v and %v are %v apart", b, forward, reverse, reverse-forward)
	case !atMost(forward, z, scale) || !atMost(z, reverse, scale):
		return fmt.Errorf("its log_z_ratio is %v, not between its mean log weights %v and %v", z, forward, reverse)
	}
	return nil
}

// equal reports whether two numbers are the same infinity or differ by a tolerance at most.
func equal(a, b, tolerance float64) bool {
	return a == b || !math.IsInf(a, 0) && !math.IsInf(b, 0) && math.Abs(a-b) <= tolerance
}

// atMost reports whether a is at most b, or above it by a tolerance at most.
func atMost(a, b, tolerance float64) bool { return a <= b || equal(a, b, tolerance) }

// finite returns the size of a number, and nothing for an infinite one, which has no rounding.
func finite(v float64) float64 {
	if math.IsInf(v, 0) {
		return 0
	}
	return math.Abs(v)
}
