// Package verdicts answers: how strong is the evidence of counts and sums against a distribution?
// It computes e-values, whose expectation is one if the draws have the distribution and at most one
// if the distribution is known within bounds, and the smallest deviation that a test would have
// found. Sequential evaluates tests while draws accumulate, and decides when to stop. It never
// draws random numbers, and never compares with a tolerance.
//
// It also tests claims about an external program's estimates of a normalising constant Z: that they
// are unbiased, or that a bound on log Z holds. Claims are about means of Zhat, 1/Zhat or log Zhat,
// tested by bets (NewUnbiased and others), or about how often log Zhat, or its z score, lies in
// intervals, tested by counts (Events):
//
//   - NewWithin: within some nats of log Z with a probability;
//   - NewCalibrated: z scores are standard normal;
//   - NewLaw: intervals with known probabilities.
//
// It never asks which algorithm made the estimates, and never estimates Z itself. It reports claims
// that cannot be tested: for example, without an upper limit on the estimates no test can find that
// their mean is too low.
//
// An e-process is a running e-value that has expectation at most one at every stopping time, if the
// draws have the tested distribution. So by Ville's inequality the probability that it ever reaches
// 1/a is at most a, no matter how often it is checked. The functions here compute its logarithm, in
// nats, from totals over the draws. The average of several e-values on the same draws is an e-value
// again (number.LogMean); if only one of the m is large, the average costs log m nats.
//
// Sources: Ville 1939; Good 1965 (mixtures of Dirichlet distributions); Ramdas, Grünwald, Vovk and
// Shafer 2023, section 6.
package verdicts

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/weights"
)

// Test is the test of a claim about an estimator, to which estimates are added one after another.
// It is made by NewUnbiased and the other functions of that kind. It takes constant memory, and
// less than 200 ns for each estimate.
//
// The estimates must be independent, or at least each have the claimed mean given those before it.
// Tests may be read after any number of estimates.
type Test struct {
	claim    Claim
	logZ     float64
	expected float64 // what the claim says of the log of a mean, or of the mean of logs
	sides    []*side
	events   *Events // nil if the claim is about means alone
	scored   bool    // whether the events are those of z scores, and not of log Zhat - log Z
	untested string
	// impossible is the number, counted from 0, of the first estimate that cannot occur where the
	// claim is true, and -1 if there is none.
	impossible int
	beyond     string // what that is, if it is not infinite
	// in ascending order: the only values of log Zhat - log Z; nil if there is no such list
	values  []float64
	moments moments
}

// side is a test that the mean of a non-negative function Y of an estimate is at most one.
type side struct {
	wrong string // "high" or "low": what the estimates are on average where the e-value is large
	// draw returns Y - 1 and log Y for the estimate r = log Zhat - log Z. A result below -1 says
	// that the estimate is beyond what the caller has said is possible.
	draw    func(r float64) (excess, logY float64)
	beyond  string // what an estimate is beyond then
	mixture mixture
	givenUp string // why the side was given up, and empty if it was not
	extreme int    // the number of the estimate with the largest Y
	most    float64
	at      float64 // the log estimate itself
}

func newSide(wrong string, draw func(r float64) (excess, logY float64)) *side {
	return &side{wrong: wrong, draw: draw, mixture: newMixture(), extreme: -1, most: math.Inf(-1)}
}

func newTest(claim Claim, logZ float64) (*Test, error) {
	if math.IsNaN(logZ) || math.IsInf(logZ, 0) {
		return nil, errs.New("log Z is %v; a test needs a finite value", logZ)
	}
	return &Test{
		claim:      claim,
		logZ:       logZ,
		expected:   logZ,
		impossible: -1,
		moments:    newMoments(ofInverse(claim)),
	}, nil
}

// Claim returns the tested claim.
func (t *Test) Claim() Claim { return t.claim }

// AddRounded takes the logarithms of further estimates, in nats. Infinities are legitimate
// logarithms of 0 and +Inf; whether the claim allows them is part of the test. It fails, and takes
// none of them, if one is NaN, or finite and so far from log Z that the difference overflows.
//
// The function rounding returns a bound on the rounding of a log estimate, in nats. Of the possible
// values of an estimate the one with the least evidence against
// the claim counts, so that no rounding, not even of all estimates to the same side, gives a false
// alarm. Summary uses the estimates as given.
func (t *Test) AddRounded(logZ []float64, rounding func(v float64) float64) error {
	if t.scored {
		return errs.New("the claim is about standard errors, but there are none; give them with the estimates")
	}
	if err := t.checkEstimates(logZ); err != nil {
		return err
	}
	for _, v := range logZ {
		t.addEstimate(v, rounding(v))
	}
	return nil
}

// AddWithErrors adds estimates with their standard errors, in nats, for NewCalibrated. Estimates
// may be rounded as in AddRounded; standard errors are used as given. It fails if Add does, and if
// a standard error is negative or not finite.
func (t *Test) AddWithErrors(logZ, stderrs []float64, rounding func(v float64) float64) error {
	if err := t.checkEstimates(logZ); err != nil {
		return err
	}
	for i, se := range stderrs {
		if !(se >= 0) || math.IsInf(se, 1) {
			return errs.New(
				"the standard error of estimate %d is %v; a standard error is a finite number from 0 on, in nats",
				t.moments.draws+i,
				se,
			)
		}
	}
	for i, v := range logZ {
		t.addScore(v, stderrs[i], rounding(v))
		t.addEstimate(v, rounding(v))
	}
	return nil
}

// addScore counts the z score of an estimate. One with a standard error of zero that is right as
// far as its rounding can tell may have any.
func (t *Test) addScore(v, se, rounding float64) {
	r := v - t.logZ
	off := arithmetic(v, rounding)
	low, high := (r-off)/se, (r+off)/se
	if se == 0 && !math.IsInf(low, 1) && !math.IsInf(high, -1) {
		low, high = math.Inf(-1), math.Inf(1)
	}
	t.events.Add(low, high)
	if z := r / se; !math.IsNaN(z) && !math.IsInf(z, 0) {
		t.moments.scores.add(z)
	}
}

// arithmetic returns how far an estimate may be from what it was meant to be, in nats, if it was
// rounded when it was written: by that, and at least by what sums of exponentials in float64 lose.
// An event that is decided by less is left open.
func arithmetic(v, rounding float64) float64 {
	if math.IsInf(v, 0) {
		return 0
	}
	return max(rounding, 1e-12*(1+math.Abs(v)))
}

// checkEstimates fails if one of the log estimates is none.
func (t *Test) checkEstimates(logZ []float64) error {
	for i, v := range logZ {
		if math.IsNaN(v) {
			return errs.New("estimate %d is NaN; a log estimate is a number, -Inf or +Inf", t.moments.draws+i)
		}
		if math.IsInf(v-t.logZ, 0) && !math.IsInf(v, 0) {
			return fmt.Errorf("estimate %d has the logarithm %v, and log Z is %v: their difference overflows a float64",
				t.moments.draws+i, v, t.logZ)
		}
	}
	return nil
}

// Only says that the claim allows only the given values of log Zhat - log Z, in ascending order:
// any other estimate is impossible. Values match within the rounding of the estimate, or within a
// relative 1e-6, the error of programs in single precision.
func (t *Test) Only(values []float64) { t.values = values }

// strange reports whether an estimate is none of the values that are possible.
func (t *Test) strange(v, rounding float64) bool {
	if t.values == nil {
		return false
	}
	r := v - t.logZ
	off := 0.0
	if !math.IsInf(v, 0) {
		off = max(rounding, 1e-6*(1+math.Abs(v)))
	}
	at, _ := slices.BinarySearch(t.values, r-off)
	return at == len(t.values) || t.values[at] > r+off
}

func (t *Test) addEstimate(v, rounding float64) {
	number := t.moments.draws
	r := v - t.logZ
	if t.impossible < 0 && t.strange(v, rounding) {
		t.impossible, t.beyond = number, fmt.Sprintf(
			"has the logarithm %.10g, which is not among the %d values of the claimed distribution",
			v,
			len(t.values),
		)
	}
	t.moments.add(r)
	if t.events != nil && !t.scored {
		off := arithmetic(v, rounding)
		t.events.Add(r-off, r+off)
	}
	switch {
	case len(t.sides) == 0 && t.untested == "": // the claim is not about means
	case math.IsInf(r, t.forbidden()):
		if t.impossible < 0 {
			t.impossible = number
		}
	default:
		for _, s := range t.sides {
			s.addEstimate(number, v, r, rounding)
		}
	}
}

// forbidden returns the sign of the infinity that log Zhat has with probability zero if the claim
// is true. An estimator with a finite mean is never infinite, and neither is the inverse of one
// whose inverse has a finite mean. A bound on average that is infinite on the wrong side does not
// have the mean that is claimed.
func (t *Test) forbidden() int {
	if ofInverse(t.claim) || t.claim == UpperOnAverage {
		return -1
	}
	return 1
}

// addEstimate takes the estimate v of a number, and r = v - log Z, which may be off by the
// rounding.
func (s *side) addEstimate(number int, v, r, rounding float64) {
	if s.givenUp != "" {
		return
	}
	if s.wrong == "low" {
		rounding = -rounding
	}
	excess, logY := s.draw(r - rounding) // Y is the least there
	if excess < -1 {
		off := math.Copysign(arithmetic(v, math.Abs(rounding)), rounding)
		if farthest, _ := s.draw(r + off); farthest >= -1 { // some of what it may have been is possible
			excess = -1
			logY = math.Inf(-1)
		}
	}
	if excess < -1 {
		s.givenUp = fmt.Sprintf(
			"The test of whether the estimates are too %s on average has stopped: estimate %d has the "+
				"logarithm %.10g, which is beyond %s.",
			s.wrong,
			number,
			v,
			s.beyond,
		)
		return
	}
	s.mixture.addDraw(excess, logY)
	if logY > s.most || s.extreme < 0 {
		s.extreme = number
		s.most = logY
		s.at = v
	}
}

// value returns the log e-value of the side, which is zero if the side was given up.
func (s *side) value() float64 {
	if s.givenUp != "" {
		return 0
	}
	return s.mixture.value()
}

// LogE returns the logarithm of the e-value against the claim: the average of those of its sides
// and its events. If the claim is true it ever reaches log(1/a) with probability at most a. It
// is +Inf after an estimate that the claim makes impossible, and 0 if nothing can be tested.
//
// For a side that needs a largest or smallest value this holds only while no estimate is beyond
// that value by a factor of more than two.
func (t *Test) LogE() float64 {
	if t.impossible >= 0 {
		return math.Inf(1)
	}
	var values []float64
	for _, s := range t.sides {
		values = append(values, s.value())
	}
	if t.events != nil {
		values = append(values, t.events.LogE())
	}
	if len(values) == 0 {
		return 0
	}
	return number.LogMean(values)
}

// parts returns the number of e-values of which the test takes the average, and which therefore
// need the logarithm of that more.
func (t *Test) parts() int {
	if t.events != nil {
		return len(t.sides) + 1
	}
	return len(t.sides)
}

// Deviations returns the wrong probabilities of its events that the test would have found (see
// Events.Deviations); none if the claim is about means alone.
func (t *Test) Deviations(logThreshold float64) []Deviation {
	if t.events == nil {
		return nil
	}
	return t.events.deviations(logThreshold + number.Log(float64(t.parts())))
}

// Idle reports whether the test can find nothing except impossible values.
func (t *Test) Idle() bool {
	return t.impossible < 0 && t.events == nil &&
		!slices.ContainsFunc(t.sides, func(s *side) bool { return s.givenUp == "" })
}

// Where describes the largest deviation of the estimates from the claim, with the mean of the claim
// and the most influential estimate.
func (t *Test) Where() string {
	if t.beyond != "" {
		return fmt.Sprintf("estimate %d %s", t.impossible, t.beyond)
	}
	if t.impossible >= 0 {
		return fmt.Sprintf("estimate %d is %s, which is impossible if the claim %q is true", t.impossible,
			map[int]string{1: "+Inf", -1: "0"}[t.forbidden()], t.claim)
	}
	var worst *side
	for _, s := range t.sides {
		if s.givenUp == "" && s.extreme >= 0 && (worst == nil || s.value() > worst.value()) {
			worst = s
		}
	}
	if t.events != nil && t.moments.draws > 0 && (worst == nil || t.events.LogE() >= worst.value()) {
		return t.events.Where("estimate")
	}
	if worst == nil {
		return "nothing was tested"
	}
	mean, deviation := t.Mean()
	what := "the log of the mean of the estimates"
	against := "log Z"
	if t.expected != t.logZ {
		against = "that of the distribution"
	}
	switch t.claim {
	case Upper:
		what = "minus the log of the mean of 1/Zhat"
	case ReciprocalUnbiased:
		what = "minus the log of the mean of 1/Zhat"
		against = "-log E(1/Zhat)"
	case LowerOnAverage, UpperOnAverage:
		what = "the mean of log Zhat"
	}
	text := fmt.Sprintf("%s is %.10g (standard error %.2g) and %s is %.10g", what, mean, deviation, against, t.expected)
	if worst.value() <= 0 {
		return text // no estimate speaks against the claim
	}
	return text + fmt.Sprintf(
		"; if anything, the estimates are too %s; the strongest evidence is estimate %d, with the logarithm %.6g",
		worst.wrong,
		worst.extreme,
		worst.at,
	)
}

// Untested returns what could not be tested, in whole sentences: for lack of information from the
// caller, or because an estimate contradicted it. Estimates are counted from 0.
func (t *Test) Untested() []string {
	var sentences []string
	if t.untested != "" {
		sentences = append(sentences, t.untested)
	}
	for _, s := range t.sides {
		if s.givenUp != "" {
			sentences = append(sentences, s.givenUp)
		}
	}
	return sentences
}

const (
	// bets is the number of bets of a mixture: 1, 1/2, 1/4, ... The smallest, 2^-30, is the best
	// one for a bias that is 2^-30 of the variance of the estimates in units of Z. Averaging over
	// the bets costs at most log(bets) = 3.5 nats.
	bets = 31
	// huge is the size of a draw above which a bet is taken by its logarithm, so that no product
	// overflows.
	huge = 1e100
)

// mixture is an e-process for the claim that independent draws Y >= 0 have a mean of at most one:
// the average over bets l of the products of 1 + l (Y - 1). Each product is non-negative and has
// expectation at most one whenever one looks, and exactly one where the mean of Y is one. The draws
// need not have one distribution, as long as each has such a mean given those before it.
//
// Source: Waudby-Smith and Ramdas 2024, sections 4.1 and 4.4 (capital processes); Ville 1939.
type mixture struct {
	// the logarithms of the products, without what is in products; -Inf if a bet has lost all
	logE    [bets]float64
	product [bets]float64 // the factors that have not been added to logE yet
}

func newMixture() mixture {
	var m mixture
	for k := range m.product {
		m.product[k] = 1
	}
	return m
}

// addDraw takes a draw, as Y - 1 >= -1 and log Y. The two are given apart because either may have
// digits that the other lacks. log Y is not +Inf, though Y - 1 may overflow.
func (m *mixture) addDraw(excess, logY float64) {
	m.logE[0] += logY
	if math.IsInf(logY, -1) { // the bet of one has lost all, also if its logarithm has overflowed before
		m.logE[0] = logY
	}
	if excess > huge {
		for k := 1; k < bets; k++ {
			m.logE[k] += logY - float64(k)*math.Ln2 // 1 - l is less than a rounding error of l Y
		}
		return
	}
	won := excess // what a bet of l wins is l times this
	for k := 1; k < bets; k++ {
		won /= 2
		p := m.product[k] * (1 + won)
		if p < 1/huge || p > huge {
			m.logE[k] += number.Log(p)
			p = 1
		}
		m.product[k] = p
	}
}

func (m *mixture) value() float64 {
	terms := make([]float64, bets)
	for k := range terms {
		terms[k] = m.logE[k] + number.Log(m.product[k])
	}
	return number.LogMean(terms)
}

// NewWithin returns a test of the claim that log Zhat is within a number of nats of log Z with at
// least a probability. If the probability is one, a single estimate that is farther off is a fault.
// It fails if logZ is not finite, if the distance is not positive, and if the probability is not in
// (0, 1].
func NewWithin(name Claim, logZ, nats, probability float64) (*Test, error) {
	if !(nats > 0) || math.IsInf(nats, 1) {
		return nil, errs.New("claim %q: a distance of %v nats; give a positive one", name, nats)
	}
	if !(probability > 0 && probability <= 1) {
		return nil, errs.New("claim %q: the probability %v; give one above 0 and up to 1", name, probability)
	}
	return newEventTest(name, logZ, []Event{{fmt.Sprintf("log Zhat is within %v nats of log Z", nats), -nats, nats,
		weights.Bracket{Low: probability, Value: probability, High: 1}}})
}

// newEventTest returns a test of events alone.
func newEventTest(name Claim, logZ float64, events []Event) (*Test, error) {
	t, err := newTest(name, logZ)
	if err == nil && len(events) > 0 {
		t.events = newEvents(events)
	}
	return t, err
}

// scoreLevels are the z at which z scores are tested, and coverages those by which intervals log
// Zhat -+ z se are: of the standard normal distribution intervals of 1.96 cover in 95% of all
// cases.
func scoreLevels() []float64 { return []float64{-1.96, -1, 0, 1, 1.96} }
func coverages() []float64   { return []float64{0.6745, 1, 1.96, 2.576} }

// NewCalibrated returns a test of the claim that z scores (log Zhat - log Z) / se are standard
// normal, so that intervals of log Zhat -+ z se have their nominal coverage of log Z. It compares
// the probabilities that z is at most some levels, and that |z| is, with those of the standard
// normal distribution, from which they may differ by at most the slack. Without slack a nearly
// normal distribution is found in the end, after about ten over the square of the difference in
// estimates. Estimates come with AddWithErrors. It fails if logZ is not finite, and for a slack
// outside [0, 1/4).
func NewCalibrated(name Claim, logZ, slack float64) (*Test, error) {
	if !(slack >= 0 && slack < 0.25) {
		return nil, errs.New("claim %q: tolerance %v of the probabilities; give a number from 0 to below 0.25",
			name, slack)
	}
	about := func(p float64) weights.Bracket {
		return weights.Bracket{Low: max(0, p-slack), Value: p, High: min(1, p+slack)}
	}
	var list []Event
	for _, z := range scoreLevels() {
		list = append(list, Event{fmt.Sprintf("z <= %v", z), math.Inf(-1), z, about(math.Erfc(-z/math.Sqrt2) / 2)})
	}
	for _, z := range coverages() {
		list = append(list, Event{
			fmt.Sprintf("log Z is within %v se of the estimate", z), -z, z, about(math.Erf(z / math.Sqrt2))})
	}
	t, err := newEventTest(name, logZ, list)
	if err == nil {
		t.scored = true
	}
	return t, err
}

// NewLaw returns a test of the claim that log Zhat has a distribution, given the events about log
// Zhat - log Z, and the log of the mean of Zhat / Z, in nats; NaN if that is not known. It fails if
// logZ is not finite, and if there is neither.
func NewLaw(name Claim, logZ float64, events []Event, logMean float64) (*Test, error) {
	known := !math.IsNaN(logMean) && !math.IsInf(logMean, 0)
	if len(events) == 0 && !known {
		return nil, errors.New("a distribution with neither a known probability nor a known mean")
	}
	t, err := newEventTest(name, logZ, events)
	if err != nil || !known {
		return t, err
	}
	t.expected = logZ + logMean
	t.sides = append(t.sides, newSide("high", func(r float64) (excess, logY float64) { return ratio(r - logMean) }))
	return t, nil
}
