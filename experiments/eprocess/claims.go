package eprocess

import (
	"fmt"
	"math"
)

// Claim is what is claimed of an estimator Zhat of Z.
type Claim string

// These are the claims about means. The first three are about means of Zhat itself and need no knowledge of its
// values on the high side. The last two are weaker claims, about means of log Zhat, and cannot be tested without it. Of claims that are
// made of numbers, as those of NewWithin, NewCalibrated and NewLaw are, the caller gives the name.
const (
	// Unbiased is E[Zhat] = Z: importance sampling, AIS, SMC with unbiased resampling. Zhat = 0 may occur.
	Unbiased Claim = "unbiased"
	// Lower is E[Zhat] <= Z: a stochastic lower bound. So E[log Zhat] <= log Z by Jensen's inequality, and
	// P(log Zhat > log Z + b) <= e^-b by Markov's. Zhat = 0 may occur.
	Lower Claim = "lower"
	// Upper is E[1/Zhat] <= 1/Z: a stochastic upper bound, as reverse chains give. Zhat = +Inf may occur.
	Upper Claim = "upper"
	// LowerOnAverage is E[log Zhat] <= log Z, and no more.
	LowerOnAverage Claim = "lower-on-average"
	// UpperOnAverage is E[log Zhat] >= log Z, and no more.
	UpperOnAverage Claim = "upper-on-average"
)

// OfMeans reports whether a claim is one of those about means.
func OfMeans(c Claim) bool {
	switch c {
	case Unbiased, Lower, Upper, LowerOnAverage, UpperOnAverage:
		return true
	}
	return false
}

// allowance is the factor by which estimates may exceed the largest value that the caller gives before the low side of the
// test is given up. Programs round, and so a largest value that is attained is now and then exceeded by its last digits. All
// bets are made for the value with the factor, so that it costs no validity; it halves the largest bet.
const allowance = 2

// NewUnbiased returns a test of the claim that E[Zhat] = Z, where logZ is log Z and logLargest the logarithm of the largest
// value that Zhat can have, in nats and with the constants that the estimates have (see LargestWeight).
//
// That the mean is too high is found from the estimates alone. That it is too low is found only if Zhat has a largest value,
// since a rare huge value could restore the mean (Bahadur and Savage 1956); a logLargest of +Inf says that none is known.
// NewUnbiased fails where logZ is not finite, and where the largest value is so small that no estimator has it and the mean Z.
func NewUnbiased(logZ, logLargest float64) (*Test, error) {
	t, err := newTest(Unbiased, logZ)
	if err != nil {
		return nil, err
	}
	logMost := logLargest - logZ + math.Log(allowance) // of Zhat / Z
	if !(logMost > 0) {
		return nil, fmt.Errorf("the largest log estimate is %v and log Z is %v: an estimator whose values are all less than Z does not have the mean Z; give the largest value of Zhat with the same constant as Z", logLargest, logZ)
	}
	t.sides = append(t.sides, newSide("high", ratio))
	if math.IsInf(logMost, 1) {
		t.untested = "It is not tested whether the mean of the estimates is too low: without a largest value of the estimates a rare huge one could restore their mean, and nothing can be said."
		return t, nil
	}
	logRange := logMost + math.Log(-math.Expm1(-logMost)) // log(most - 1)
	low := newSide("low", func(r float64) (excess, logY float64) {
		// Y = (most - R) / (most - 1) for R = Zhat / Z, so that the mean of Y is one.
		if r > 0 {
			excess = math.Expm1(-r) * math.Exp(r-logRange)
		} else {
			excess = -math.Expm1(r) * math.Exp(-logRange)
		}
		return excess, math.Log1p(excess)
	})
	low.beyond = fmt.Sprintf("%d times the largest value, whose logarithm was given as %.10g", allowance, logLargest)
	t.sides = append(t.sides, low)
	return t, nil
}

// NewLower returns a test of the claim that E[Zhat] <= Z. It fails where logZ is not finite.
func NewLower(logZ float64) (*Test, error) {
	t, err := newTest(Lower, logZ)
	if err != nil {
		return nil, err
	}
	t.sides = append(t.sides, newSide("high", ratio))
	return t, nil
}

// NewUpper returns a test of the claim that E[1/Zhat] <= 1/Z. It fails where logZ is not finite.
func NewUpper(logZ float64) (*Test, error) {
	t, err := newTest(Upper, logZ)
	if err != nil {
		return nil, err
	}
	t.sides = append(t.sides, newSide("low", func(r float64) (excess, logY float64) { return ratio(-r) }))
	return t, nil
}

// NewLowerOnAverage returns a test of the claim that E[log Zhat] <= log Z, where lowest is the least value that log Zhat can
// have, or -Inf where none is known. Without it there is no test, for a rare value that is far below would make up for
// any number that are above; Summary has the mean and its standard error all the same. It fails where logZ is not finite and
// lowest not below it.
func NewLowerOnAverage(logZ, lowest float64) (*Test, error) {
	return newAverage(LowerOnAverage, logZ, lowest, logZ-lowest, "high", 1)
}

// NewUpperOnAverage returns a test of the claim that E[log Zhat] >= log Z, where highest is the largest value that log Zhat
// can have, or +Inf where none is known. What NewLowerOnAverage says holds with the signs turned.
func NewUpperOnAverage(logZ, highest float64) (*Test, error) {
	return newAverage(UpperOnAverage, logZ, highest, highest-logZ, "low", -1)
}

// newAverage returns the test of a claim about the mean of log Zhat. The end is the value beyond which log Zhat never is, at a
// distance from log Z; the sign is that of log Zhat - log Z where it speaks against the claim.
func newAverage(claim Claim, logZ, end, distance float64, wrong string, sign float64) (*Test, error) {
	t, err := newTest(claim, logZ)
	if err != nil {
		return nil, err
	}
	if !(distance > 0) {
		return nil, fmt.Errorf("claim %q: the end of the range of log Zhat is %v and log Z is %v; give a lowest value that is below log Z, or a highest one above it", claim, end, logZ)
	}
	if math.IsInf(distance, 1) {
		t.untested = "It is not tested whether the bound holds on average, because no end of the range of the estimates is known on that side: a value that is rare and extreme may bring any mean to where it should be. What is known of the mean is its estimate and the standard error. Give that end, or claim what needs none: a distance from log Z, or the law of the estimator."
		return t, nil
	}
	s := newSide(wrong, func(r float64) (excess, logY float64) {
		// Y = 1 + (log Zhat - log Z) / distance for a lower bound, which is never negative and has a mean of at most one.
		excess = sign * r / distance
		if excess > huge {
			return excess, math.Log(sign*r) - math.Log(distance)
		}
		return excess, math.Log1p(excess)
	})
	s.beyond = fmt.Sprintf("the end of the range of log Zhat, which was given as %.10g", end)
	t.sides = append(t.sides, s)
	return t, nil
}

// ratio returns R - 1 and log R for R = exp(r).
func ratio(r float64) (excess, logY float64) { return math.Expm1(r), r }
