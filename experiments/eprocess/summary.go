package eprocess

import "math"

// Summary describes estimates of Z. It is no test: where estimates have heavy tails, standard errors are too small.
type Summary struct {
	Draws     int // how many estimates there are
	Zeros     int // those of which Zhat is 0
	Infinites int // those of which Zhat is +Inf

	// MeanLog is the mean of log Zhat in nats, over all estimates. It is infinite where an estimate is 0 or +Inf, and NaN where
	// both occur or there are no estimates.
	MeanLog float64
	// MeanLogError is the standard error of MeanLog, and NaN where that is not finite or there are fewer than two estimates.
	MeanLogError float64

	// LogMean is the log of the mean of Zhat in nats; of an upper bound it is minus the log of the mean of 1/Zhat. It is
	// infinite where that mean is 0 or +Inf, and NaN where there are no estimates.
	LogMean float64
	// LogMeanError is the standard error of LogMean in nats by the delta method: the standard error of the mean, relative to
	// the mean. It is NaN where LogMean is not finite or there are fewer than two estimates.
	LogMeanError float64
	// EffectiveDraws is the effective sample size of the mean in LogMean, the square of the sum of the terms over the sum
	// of their squares (Kong 1992): between 1 and Draws, small where a few estimates dominate. It is NaN where LogMean is not finite.
	EffectiveDraws float64

	// MeanScore and ScoreSD are the mean and the standard deviation of the finite z scores (log Zhat - log Z) / se, where there are
	// standard errors; NaN where there are none, or too few.
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

// scale multiplies all the numbers by a factor.
func (s *spread) scale(by float64) {
	s.mean *= by
	s.squares *= by * by
}

// deviation returns the standard error of the mean, and NaN where there are fewer than two numbers.
func (s *spread) deviation() float64 {
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

// Summary returns what the estimates so far look like.
func (t *Test) Summary() Summary {
	m := &t.moments
	nan := math.NaN()
	s := Summary{
		Draws: m.draws, Zeros: m.zeros, Infinites: m.infinites,
		MeanLog: nan, MeanLogError: nan, LogMean: nan, LogMeanError: nan, EffectiveDraws: nan,
		MeanScore: nan, ScoreSD: nan,
	}
	if m.scores.n > 0 {
		s.MeanScore, s.ScoreSD = m.scores.mean, m.scores.deviation()*math.Sqrt(float64(m.scores.n))
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
		s.MeanLog, s.MeanLogError = t.logZ+m.logs.mean, m.logs.deviation()
	}
	logMean := m.top
	if !math.IsInf(m.top, 0) {
		mean := m.terms.mean
		logMean += math.Log(mean)
		s.LogMeanError = m.terms.deviation() / mean
		s.EffectiveDraws = float64(m.draws) / (1 + m.terms.squares/(float64(m.draws)*mean*mean))
	}
	if m.inverse {
		logMean = -logMean
	}
	s.LogMean = t.logZ + logMean
	return s
}
