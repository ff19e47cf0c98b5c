package eprocess

import (
	"math"
	"math/rand/v2"
	"testing"

	"breadboard/grid/longtest"
)

// attained is a claim with an estimator that has it with nothing to spare.
type attained struct {
	name string
	test func() (*Test, error)
	draw func(rng *rand.Rand) (logZ, se float64) // an estimate, and its standard error where the claim is about these
	off  func(rng *rand.Rand) (logZ, se float64) // one for which the claim is not true by a little
}

// spreads returns draws of log Zhat that are normal, which have log Z = 0 for the log of their mean where by is zero.
func spreads(sd, centre, by float64) func(rng *rand.Rand) (float64, float64) {
	return func(rng *rand.Rand) (float64, float64) { return centre + by + sd*rng.NormFloat64(), 0 }
}

// twoPoints returns draws that are low with a probability and else high.
func twoPoints(p, low, high float64) func(rng *rand.Rand) (float64, float64) {
	return func(rng *rand.Rand) (float64, float64) {
		if rng.Float64() < p {
			return low, 0
		}
		return high, 0
	}
}

// scores returns draws with standard errors that are too small by a factor.
func scores(by float64) func(rng *rand.Rand) (float64, float64) {
	return func(rng *rand.Rand) (float64, float64) { return 0.1 * rng.NormFloat64(), 0.1 / by }
}

func attainedClaims() []attained {
	const sd = 0.6                                // of log Zhat
	low := (math.E - 1) / (math.E - math.Exp(-1)) // P(Zhat = 1/e) where Zhat is 1/e or e and has the mean one
	up := 1 - low
	exactly := func(z float64) float64 { return math.Erfc(-(z+sd*sd/2)/sd/math.Sqrt2) / 2 }
	law := func() (*Test, error) {
		var events []Event
		for _, z := range []float64{-1.3, -0.5, 0, 0.4, 1} {
			events = append(events, Event{"log Zhat <= z", math.Inf(-1), z, certainly(exactly(z))})
		}
		return NewLaw("law", 0, events, 0)
	}
	return []attained{
		{"unbiased", func() (*Test, error) { return NewUnbiased(0, 1) }, twoPoints(low, -1, 1), twoPoints(low-0.05, -1, 1)},
		{"unbiased, from below", func() (*Test, error) { return NewUnbiased(0, 1) }, twoPoints(low, -1, 1), twoPoints(low+0.05, -1, 1)},
		{"lower", func() (*Test, error) { return NewLower(0) }, twoPoints(low, -1, 1), twoPoints(low-0.05, -1, 1)},
		{"upper", func() (*Test, error) { return NewUpper(0) }, twoPoints(up, -1, 1), twoPoints(up+0.05, -1, 1)},
		{"lower-on-average", func() (*Test, error) { return NewLowerOnAverage(0, -1) }, twoPoints(0.5, -1, 1), twoPoints(0.45, -1, 1)},
		{"upper-on-average", func() (*Test, error) { return NewUpperOnAverage(0, 1) }, twoPoints(0.5, -1, 1), twoPoints(0.55, -1, 1)},
		{"within", func() (*Test, error) { return NewWithin("within:0.5:0.9", 0, 0.5, 0.9) }, twoPoints(0.9, 0.5, 0.6), twoPoints(0.87, 0.5, 0.6)},
		{"calibrated", func() (*Test, error) { return NewCalibrated("calibrated", 0, 0) }, scores(1), scores(1.08)},
		{"calibrated, with slack", func() (*Test, error) { return NewCalibrated("calibrated:0.02", 0, 0.02) }, scores(1.04), scores(1.2)},
		{"law", law, spreads(sd, -sd*sd/2, 0), spreads(sd, -sd*sd/2, 0.06)},
		{"law, from below", law, spreads(sd, -sd*sd/2, 0), spreads(sd, -sd*sd/2, -0.06)},
	}
}

// TestClaimsAttained: for each claim an estimator that has it with nothing to spare is refused, by tests that look after every 32
// estimates, in at most a share alpha of all runs, and one that misses it by a little in nearly all. Of right ones as many may be refused
// as alpha and five standard deviations allow, which fails with a probability below 1e-4 for each of a few runs, and of 1e-5 with -long; the
// seeds are fixed.
func TestClaimsAttained(t *testing.T) {
	const alpha, draws, each = 0.05, 4000, 32
	runs := longtest.Times(20, 200)
	for _, c := range attainedClaims() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			alarms := func(draw func(*rand.Rand) (float64, float64), seed uint64) (n int) {
				rng := rand.New(rand.NewPCG(seed, 77))
				for range runs {
					test := must(c.test())
					for i := range draws {
						v, se := draw(rng)
						if test.scored {
							test.addScore(v, se, 0)
						}
						if test.add(v, 0); i%each == 0 && test.LogE() >= -math.Log(alpha) {
							n++
							break
						}
					}
				}
				return n
			}
			right, wrong := alarms(c.draw, 1), alarms(c.off, 2)
			most := alpha*float64(runs) + 5*math.Sqrt(alpha*(1-alpha)*float64(runs))
			if float64(right) > most {
				t.Errorf("%d false alarms in %d runs, and at most %.0f are likely", right, runs, most)
			}
			if float64(wrong) < 0.9*float64(runs) {
				t.Errorf("a claim that is not true is found in %d of %d runs", wrong, runs)
			}
		})
	}
}
