package conform

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/number"
	"breadboard/exact/weights"

	"breadboard/experiments/verdicts"
)

// Guarantee says which deviations of a quantity a pass excludes: had the quantity been at most Low
// or at least High, the test would have found it by the last look with a probability of at least
// verdicts.DetectionProbability. This assumes independent chains. For the probability of an event
// it holds whatever else the implementation does. For E[log w] it holds only for the exponentially
// tilted distributions of log w, the nearest to the right one with such a mean (see Tilt), not for
// distributions that are wrong in other ways as well.
type Guarantee struct {
	Test     string
	Quantity string // as in P(x_T = 3), P(log w < -1.5) or E[log w]
	Draws    int
	Right    float64 // the right value
	// Low and High are the smallest deviations that are found; infinite if none is on that side.
	Low, High float64
	// KLLow and KLHigh are the divergences of these deviations from what is right, in nats a chain;
	// NaN if there is none.
	KLLow, KLHigh float64
}

// Finds reports whether a deviation is found on at least one side.
func (g *Guarantee) Finds() bool { return !math.IsInf(g.Low, 0) || !math.IsInf(g.High, 0) }

// Blind returns the sentence that the rows read would have shown no fault.
func Blind(read string) string {
	return "no deviation would have been found by " + read + ", whatever it is"
}

// guarantees adds to the outcome what a pass means, for every side that passes and for estimates.
// Of the states of an end the one is given whose deviations are found the latest, by the
// divergence, among those that are possible; there is none if one state is certain.
func (c *checker) guarantees(ctx context.Context, out *Outcome) error {
	if least := -number.Log(1 - verdicts.DetectionProbability); c.logThreshold(0) < least {
		if len(out.Sides) == 0 && out.Estimates == nil {
			return nil
		}
		out.Untested = append(out.Untested,
			fmt.Sprintf("the detectable deviations are not computed: with this probability of a false alarm an "+
				"e-value of %.3g is enough",
				math.Exp(c.logThreshold(0))))
		return nil
	}
	for i := range out.Sides {
		o := &out.Sides[i]
		if o.Fault {
			continue
		}
		s := c.sides[o.Direction]
		if s.columns.First {
			o.Guarantees = append(o.Guarantees, c.stateGuarantees(s, "x_1", c.laws.First(s.d))...)
		}
		if s.columns.Last {
			o.Guarantees = append(o.Guarantees, c.stateGuarantees(s, "x_T", c.laws.Last(s.d))...)
		}
		if !s.columns.LogW {
			continue
		}
		o.Guarantees = append(o.Guarantees, c.levelGuarantees(s)...)
		g, why, err := c.meanGuarantee(ctx, s)
		if err != nil {
			return err
		}
		if why != "" {
			out.Untested = append(out.Untested, why)
		} else {
			o.Guarantees = append(o.Guarantees, g)
		}
	}
	if out.Estimates == nil || slices.ContainsFunc(out.Results, func(r Result) bool { return r.Fault }) {
		return nil
	}
	out.Estimates.Guarantees = c.estimates.guarantees(c)
	if err := c.estimates.detectable(c, out.Estimates); err != nil {
		return err
	}
	for i := range out.Results {
		r := &out.Results[i]
		if r.Test != c.estimates.testName() {
			continue
		}
		if r.Idle && verdicts.OnAverage(out.Estimates.Claim) {
			r.Idle = false
			r.Open, r.Statistic = out.Estimates.onAverage()
			continue
		}
		if !r.Idle {
			why, decides := out.Estimates.whyOpen()
			r.Open = cmp.Or(why, c.estimates.test.FarScores(), r.Open)
			r.Decides = decides
		}
	}
	return nil
}

// stateGuarantees returns the guarantee of the state of an end that is found the latest by its
// divergence; none if one state is certain.
func (c *checker) stateGuarantees(s *side, end string, p []float64) []Guarantee {
	var worst []Guarantee
	for x, v := range p {
		if !(v > 0 && v < 1) {
			continue
		}
		g := c.eventGuarantee(s, weights.Bracket{Low: v, Value: v, High: v}, len(p))
		if len(worst) == 0 || g.KLHigh > worst[0].KLHigh ||
			math.IsNaN(g.KLHigh) && !math.IsNaN(worst[0].KLHigh) {
			g.Test, g.Quantity = s.d.String()+" states of "+end, fmt.Sprintf("P(%s = %s)", end, c.state(x))
			worst = []Guarantee{g}
		}
	}
	return worst
}

// eventGuarantee is about an event of probability p, whose e-value is one of that many of which the
// test is the average.
func (c *checker) eventGuarantee(s *side, p weights.Bracket, averaged int) Guarantee {
	g := Guarantee{Draws: s.rows, Right: p.Value}
	g.Low, g.High = verdicts.DetectableLevel(p, s.rows, c.logThreshold(0)+number.Log(float64(averaged)))
	g.setDivergences(p.Value)
	return g
}

// setDivergences sets the divergences of the deviations from a probability.
func (g *Guarantee) setDivergences(p float64) {
	g.KLLow = math.NaN()
	g.KLHigh = math.NaN()
	if !math.IsInf(g.Low, 0) {
		g.KLLow = verdicts.Divergence(g.Low, p)
	}
	if !math.IsInf(g.High, 0) {
		g.KLHigh = verdicts.Divergence(g.High, p)
	}
}

// levelGuarantees are about the distribution function of log w at the levels where it is tested.
func (c *checker) levelGuarantees(s *side) []Guarantee {
	levels := s.laws.Levels(s.d)
	var out []Guarantee
	for _, l := range levels {
		g := c.eventGuarantee(s, l.P, len(levels))
		g.Test = s.d.String() + " distribution of log w"
		g.Quantity = "P(log w < " + tenDigits(l.X+c.shift) + ")"
		out = append(out, g)
	}
	return out
}

// meanGuarantee is about the mean of log w of chains whose weight is finite and positive. It says
// why if there is none.
func (c *checker) meanGuarantee(ctx context.Context, s *side) (Guarantee, string, error) {
	test := s.d.String() + " log w"
	n := s.chain.Finite()
	low, high, err := LeastTilts(ctx, s.laws, s.d, n, c.logThreshold(0))
	if ctx.Err() != nil {
		return Guarantee{}, "", ctx.Err()
	}
	if err != nil {
		return Guarantee{}, fmt.Sprintf(
			"the detectable deviations of the mean log weight of the %s chains are not computed: %v",
			s.d,
			err,
		), nil
	}
	return Guarantee{
		Test: test, Quantity: "E[log w]", Draws: n, Right: low.Mean - low.Shift + c.shift,
		Low: low.Mean + c.shift, High: high.Mean + c.shift, KLLow: low.KL, KLHigh: high.KL,
	}, "", nil
}
