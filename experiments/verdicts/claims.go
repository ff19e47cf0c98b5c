package verdicts

import (
	"fmt"
	"math"
	"slices"

	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// Claim is a claim about an estimator Zhat of Z.
type Claim string

// The claims about means. The first four are about means of Zhat or 1/Zhat and can be tested
// without an upper limit on its values. The last two are weaker claims, about means of log Zhat,
// and cannot. Callers name claims with numbers, such as those of NewWithin, NewCalibrated and
// NewLaw.
const (
	// Unbiased is E[Zhat] = Z: importance sampling, AIS, SMC with unbiased resampling. Zhat = 0 may
	// occur.
	Unbiased Claim = "unbiased"
	// Lower is E[Zhat] <= Z: a stochastic lower bound. So E[log Zhat] <= log Z by Jensen's
	// inequality, and P(log Zhat > log Z + b) <= e^-b by Markov's. Zhat = 0 may occur.
	Lower Claim = "lower"
	// Upper is E[1/Zhat] <= 1/Z: a stochastic upper bound, as reverse chains give. Zhat = +Inf may
	// occur.
	Upper Claim = "upper"
	// ReciprocalUnbiased is E[1/Zhat] = P(L > 0)/Z, with the prior probability that the likelihood
	// is positive: the harmonic mean and other averages of inverse weights from exact draws. Zhat =
	// +Inf may occur.
	ReciprocalUnbiased Claim = "reciprocal-unbiased"
	// LowerOnAverage is E[log Zhat] <= log Z, and no more.
	LowerOnAverage Claim = "lower-on-average"
	// UpperOnAverage is E[log Zhat] >= log Z, and no more.
	UpperOnAverage Claim = "upper-on-average"
)

// ofInverse reports whether a claim is about the mean of 1/Zhat.
func ofInverse(c Claim) bool { return c == Upper || c == ReciprocalUnbiased }

// OnAverage reports whether a claim is about the mean of log Zhat.
func OnAverage(c Claim) bool { return c == LowerOnAverage || c == UpperOnAverage }

// OfMeans reports whether a claim is about means.
func OfMeans(c Claim) bool {
	return slices.Contains([]Claim{Unbiased, Lower, Upper, ReciprocalUnbiased, LowerOnAverage, UpperOnAverage}, c)
}

// allowance is the factor by which estimates may exceed the largest value that the caller gives
// before the low side of the test is given up. Programs round, and so a largest value that is
// attained is now and then exceeded by its last digits. All bets are made for the value with the
// factor, so that it costs no validity; it halves the largest bet.
const allowance = 2

// NewUnbiased returns a test of the claim that E[Zhat] = Z, where logZ is log Z and logLargest the
// logarithm of the largest possible value of Zhat, in nats and with the constants of the estimates
// (see LargestWeight).
//
// A mean that is too high is found from the estimates alone. A mean that is too low is found only
// if Zhat has a largest value, since a rare huge value could restore the mean (Bahadur and Savage
// 1956); a logLargest of +Inf says that none is known. NewUnbiased fails if logZ is not finite, and
// if no estimator with this largest value can have the mean Z.
func NewUnbiased(logZ, logLargest float64) (*Test, error) {
	return newBothSided(Unbiased, logZ, logLargest, 1)
}

// NewReciprocalUnbiased returns a test of the claim that E[1/Zhat] = 1/Z, for a Z that is divided
// by P(L > 0), where logSmallest is the logarithm of the least possible value of Zhat, or -Inf if
// none is known. It is NewUnbiased for 1/Zhat.
func NewReciprocalUnbiased(logZ, logSmallest float64) (*Test, error) {
	return newBothSided(ReciprocalUnbiased, logZ, logSmallest, -1)
}

// newBothSided returns the test of the claim that the mean of Zhat is Z, or, with the sign -1, that
// of 1/Zhat is 1/Z. The end is the logarithm of the value of Zhat beyond which it never is.
func newBothSided(claim Claim, logZ, logEnd, sign float64) (*Test, error) {
	t, err := newTest(claim, logZ)
	if err != nil {
		return nil, err
	}
	words := map[float64][4]string{
		1: {"high", "low", "largest", "less"}, -1: {"low", "high", "smallest", "greater"}}[sign]
	logMost := sign*(logEnd-logZ) + number.Log(allowance) // of Zhat / Z, or Z / Zhat
	if !(logMost > 0) {
		return nil,
			errs.New("the %s log estimate is %v and log Z is %v: an estimator whose values are all %s than Z "+
				"cannot have the mean Z; give the %s value of Zhat with the same constant as Z",
				words[2], logEnd, logZ, words[3], words[2])
	}
	t.sides = append(t.sides, newSide(words[0], func(r float64) (excess, logY float64) { return ratio(sign * r) }))
	if math.IsInf(logMost, 1) {
		t.untested = fmt.Sprintf("The mean of the estimates is not tested for being too %s: without a %s value of the "+
			"estimates, a rare %s value could restore the mean.",
			words[1], words[2], map[float64]string{1: "huge", -1: "tiny"}[sign])
		return t, nil
	}
	logRange := logMost + number.Log(-math.Expm1(-logMost)) // log(most - 1)
	other := newSide(words[1], func(r float64) (excess, logY float64) {
		// Y = (most - R) / (most - 1) for R = Zhat / Z or its inverse, so that the mean of Y is
		// one.
		r *= sign
		if r > 0 {
			excess = math.Expm1(-r) * math.Exp(r-logRange)
		} else {
			excess = -math.Expm1(r) * math.Exp(-logRange)
		}
		return excess, math.Log1p(excess)
	})
	other.beyond = fmt.Sprintf("%d times the %s value, whose logarithm was given as %.10g", allowance, words[2], logEnd)
	if sign < 0 {
		other.beyond = fmt.Sprintf("the smallest value divided by %d, whose logarithm was given as %.10g",
			allowance, logEnd)
	}
	t.sides = append(t.sides, other)
	return t, nil
}

// NewLower returns a test of the claim that E[Zhat] <= Z. It fails if logZ is not finite.
func NewLower(logZ float64) (*Test, error) { return newSided(Lower, logZ, "high", ratio) }

// newSided returns a test with one side.
func newSided(claim Claim, logZ float64, wrong string,
	draw func(r float64) (excess, logY float64)) (*Test, error) {
	t, err := newTest(claim, logZ)
	if err == nil {
		t.sides = append(t.sides, newSide(wrong, draw))
	}
	return t, err
}

// NewUpper returns a test of the claim that E[1/Zhat] <= 1/Z. It fails if logZ is not finite.
func NewUpper(logZ float64) (*Test, error) {
	return newSided(Upper, logZ, "low", func(r float64) (excess, logY float64) { return ratio(-r) })
}

// NewLowerOnAverage returns a test of the claim that E[log Zhat] <= log Z, where lowest is the
// least possible value of log Zhat, or -Inf if none is known. Without it there is no test, since a
// rare value far below would compensate any number of values above; Summary still has the mean and
// its standard error. It fails if logZ is not finite, and if lowest is not below it.
func NewLowerOnAverage(logZ, lowest float64) (*Test, error) {
	return newAverage(LowerOnAverage, logZ, lowest, "high", 1)
}

// NewUpperOnAverage returns a test of the claim that E[log Zhat] >= log Z, where highest is the
// largest possible value of log Zhat, or +Inf if none is known. It is NewLowerOnAverage with the
// signs reversed.
func NewUpperOnAverage(logZ, highest float64) (*Test, error) {
	return newAverage(UpperOnAverage, logZ, highest, "low", -1)
}

// newAverage returns the test of a claim about the mean of log Zhat. The end is the value beyond
// which log Zhat never is; the sign is that of log Zhat - log Z where it speaks against the claim.
func newAverage(claim Claim, logZ, end float64, wrong string, sign float64) (*Test, error) {
	t, err := newTest(claim, logZ)
	if err != nil {
		return nil, err
	}
	distance := sign * (logZ - end)
	if !(distance > 0) {
		return nil,
			errs.New("claim %q: the end of the range of log Zhat is %v and log Z is %v; give a lowest value "+
				"that is below log Z, or a highest one above it",
				claim, end, logZ)
	}
	if math.IsInf(distance, 1) {
		t.untested =
			"Standard errors decide the bound on average, because the range of the estimates is unknown on that " +
				"side: a rare extreme value that has not come yet changes the mean. For a test, give the end of " +
				"the range" +
				map[float64]string{
					1: ", the smallest possible log_z,", -1: ", the largest possible log_z,"}[sign] +
				" or make a claim that needs none: a distance from log Z, or the distribution of the estimator."
		return t, nil
	}
	s := newSide(wrong, func(r float64) (excess, logY float64) {
		// Y = 1 + (log Zhat - log Z) / distance for a lower bound, which is never negative and has
		// a mean of at most one.
		excess = sign * r / distance
		if excess > huge {
			return excess, number.Log(sign*r) - number.Log(distance)
		}
		return excess, math.Log1p(excess)
	})
	s.beyond = fmt.Sprintf("the end of the range of log Zhat, which was given as %.10g", end)
	t.sides = append(t.sides, s)
	return t, nil
}

// ratio returns R - 1 and log R for R = exp(r).
func ratio(r float64) (excess, logY float64) { return math.Expm1(r), r }

// Summary describes estimates of Z. It is not a test: for estimates with heavy tails, standard
// errors are too small.
type Summary struct {
	Draws int // the number of estimates

	// MeanLog is the mean of log Zhat in nats, over all estimates. It is infinite if an estimate is
	// 0 or +Inf, and NaN if both occur or there are no estimates.
	MeanLog float64
	// MeanLogError is the standard error of MeanLog, and NaN if that is not finite or there are
	// fewer than two estimates.
	MeanLogError float64

	// LogMean is the log of the mean of Zhat in nats; of an upper bound it is minus the log of the
	// mean of 1/Zhat. It is infinite if that mean is 0 or +Inf, and NaN if there are no estimates.
	LogMean float64
	// LogMeanError is the standard error of LogMean in nats by the delta method: the standard error
	// of the mean, relative to the mean. It is NaN if LogMean is not finite or there are fewer than
	// two estimates.
	LogMeanError float64

	// MeanScore and ScoreSD are the mean and the standard deviation of the finite z scores (log
	// Zhat - log Z) / se, if there are standard errors; NaN if there are none, or too few.
	MeanScore, ScoreSD float64
}

// moments are running totals over r = log Zhat - log Z.
type moments struct {
	inverse          bool // the mean is that of 1/Zhat
	draws            int
	zeros, infinites int
	logs, scores     spread  // of the finite r, and of the finite z scores
	top              float64 // the largest log Y so far, where Y is exp(r), or exp(-r) for the inverse
	terms            spread  // of Y exp(-top)
}

// spread is the mean of numbers and the sum of their squared deviations from it.
//
// Source: Welford 1962.
type spread struct {
	n             int
	mean, squares float64
}

func (s *spread) add(v float64) {
	s.n++
	d := v - s.mean
	s.mean += d / float64(s.n)
	s.squares += d * (v - s.mean)
}

func (s *spread) scale(by float64) {
	s.mean *= by
	s.squares *= by * by
}

// standardError returns the standard error of the mean, and NaN if there are fewer than two
// numbers.
func (s *spread) standardError() float64 {
	if s.n < 2 {
		return math.NaN()
	}
	return math.Sqrt(s.squares / float64(s.n-1) / float64(s.n))
}

func newMoments(inverse bool) moments { return moments{inverse: inverse, top: math.Inf(-1)} }

func (m *moments) add(r float64) {
	m.draws++
	switch {
	case math.IsInf(r, -1):
		m.zeros++
	case math.IsInf(r, 1):
		m.infinites++
	default:
		m.logs.add(r)
	}
	logY := r
	if m.inverse {
		logY = -r
	}
	switch {
	case math.IsInf(m.top, 1): // the mean is infinite already
	case math.IsInf(logY, -1):
		m.terms.add(0)
	case logY > m.top:
		m.terms.scale(math.Exp(m.top - logY))
		m.top = logY
		m.terms.add(1)
	default:
		m.terms.add(math.Exp(logY - m.top))
	}
}

// Mean returns the mean of the claim, over the estimates so far, and its standard error (see
// Summary): the mean of logs for a claim on average, and else the log of the mean.
func (t *Test) Mean() (mean, deviation float64) {
	s := t.Summary()
	if OnAverage(t.claim) {
		return s.MeanLog, s.MeanLogError
	}
	return s.LogMean, s.LogMeanError
}

// Summary returns the summary of the estimates so far.
func (t *Test) Summary() Summary {
	m := &t.moments
	nan := math.NaN()
	s := Summary{
		Draws:   m.draws,
		MeanLog: nan, MeanLogError: nan, LogMean: nan, LogMeanError: nan,
		MeanScore: nan, ScoreSD: nan,
	}
	if m.scores.n > 0 {
		s.MeanScore, s.ScoreSD = m.scores.mean, m.scores.standardError()*math.Sqrt(float64(m.scores.n))
	}
	switch {
	case m.draws == 0:
		return s
	case m.zeros > 0 && m.infinites > 0: // the mean of both infinities is not defined
	case m.zeros > 0:
		s.MeanLog = math.Inf(-1)
	case m.infinites > 0:
		s.MeanLog = math.Inf(1)
	default:
		s.MeanLog, s.MeanLogError = t.logZ+m.logs.mean, m.logs.standardError()
	}
	logMean := m.top
	if !math.IsInf(m.top, 0) {
		mean := m.terms.mean
		logMean += number.Log(mean)
		s.LogMeanError = m.terms.standardError() / mean
	}
	if m.inverse {
		logMean = -logMean
	}
	s.LogMean = t.logZ + logMean
	return s
}
