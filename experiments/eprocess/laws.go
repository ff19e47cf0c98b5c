package eprocess

import (
	"errors"
	"fmt"
	"math"

	"breadboard/exact/weights"
)

// NewWithin returns a test of the claim that log Zhat is within so many nats of log Z with at least a probability. Where the
// probability is one, a single estimate that is farther off is a fault. It fails where logZ is not finite, for a distance that is not positive
// and for what is no positive probability.
func NewWithin(name Claim, logZ, nats, probability float64) (*Test, error) {
	if !(nats > 0) || math.IsInf(nats, 1) {
		return nil, fmt.Errorf("claim %q: a distance of %v nats; give a positive one", name, nats)
	}
	if !(probability > 0 && probability <= 1) {
		return nil, fmt.Errorf("claim %q: the probability %v; give one above 0 and up to 1", name, probability)
	}
	return newEventTest(name, logZ, []Event{{
		Name: fmt.Sprintf("log Zhat is within %v nats of log Z", nats), Low: -nats, High: nats,
		P: weights.Bracket{Low: probability, Value: probability, High: 1},
	}})
}

// scoreLevels are the z at which z scores are tested, and coverages those by which intervals log Zhat -+ z se are: of the standard
// normal law intervals of 1.96 cover in 95% of all cases.
func scoreLevels() []float64 { return []float64{-1.96, -1, 0, 1, 1.96} }
func coverages() []float64   { return []float64{0.6745, 1, 1.96, 2.576} }

// NewCalibrated returns a test of the claim that z scores (log Zhat - log Z) / se are standard normal, so that intervals of log Zhat -+ z se
// cover log Z as often as they promise: it compares how often z is at most some levels, and how often |z| is, with the standard normal
// law, from which these probabilities may differ by at most the slack. Without slack a law that is only nearly normal is found in the end, by
// about ten over the square of the difference in estimates. Estimates come with AddWithErrors. NewCalibrated fails where logZ is
// not finite, and for a slack that is not from 0 to below a quarter.
func NewCalibrated(name Claim, logZ, slack float64) (*Test, error) {
	if !(slack >= 0 && slack < 0.25) {
		return nil, fmt.Errorf("claim %q: probabilities that may be off by %v; give a number from 0 to below 0.25", name, slack)
	}
	about := func(p float64) weights.Bracket {
		return weights.Bracket{Low: max(0, p-slack), Value: p, High: min(1, p+slack)}
	}
	var list []Event
	for _, z := range scoreLevels() {
		list = append(list, Event{fmt.Sprintf("z <= %v", z), math.Inf(-1), z, about(math.Erfc(-z/math.Sqrt2) / 2)})
	}
	for _, z := range coverages() {
		list = append(list, Event{fmt.Sprintf("log Z is within %v se of the estimate", z), -z, z, about(math.Erf(z / math.Sqrt2))})
	}
	t, err := newEventTest(name, logZ, list)
	if err == nil {
		t.scored = true
	}
	return t, err
}

// NewLaw returns a test of the claim that log Zhat has a law, of which the events are known, about log Zhat - log Z, and the log of the
// mean of Zhat / Z, in nats; NaN where that is not known. It fails where logZ is not finite, and where there is neither.
func NewLaw(name Claim, logZ float64, events []Event, logMean float64) (*Test, error) {
	known := !math.IsNaN(logMean) && !math.IsInf(logMean, 0)
	if len(events) == 0 && !known {
		return nil, errors.New("a law of which neither a probability nor the mean is known")
	}
	t, err := newEventTest(name, logZ, events)
	if err != nil || !known {
		return t, err
	}
	t.expected = logZ + logMean
	t.sides = append(t.sides, newSide("high", func(r float64) (excess, logY float64) { return ratio(r - logMean) }))
	return t, nil
}

// newEventTest returns a test of events alone.
func newEventTest(name Claim, logZ float64, events []Event) (*Test, error) {
	t, err := newTest(name, logZ)
	if err == nil && len(events) > 0 {
		t.events = NewEvents(events)
	}
	return t, err
}
