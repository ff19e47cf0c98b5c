package verdicts

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"

	"breadboard/chains/number"
)

// FarErrors is the number of standard errors at which a deviation from a claim is beyond chance.
// Estimates that deviate by so much without a fault are open, not a pass.
const FarErrors = 5

// Rare is the largest probability of a deviation, to one side, that is beyond chance. For a normal
// distribution that of FarErrors is 2.9e-7; it is more for a skewed count, or if standard errors
// are estimated from few numbers.
const Rare = 1e-6

// rareAmong is that of any of many deviations: with more than a hundred of them, each must be rarer
// than Rare.
const rareAmong = 1e-4

// Shown is the deviation of estimates from a claim, on a side that contradicts it.
type Shown struct {
	// in standard errors; 0 if they are on no such side, NaN if there are too few for standard
	// errors
	Errors float64
	High   bool   // whether the mean is too high, or the event too frequent
	Event  string // the event that is too frequent or too rare; empty for a mean
}

// more returns the one of two that is farther off. What is not known counts least.
func (s Shown) more(other Shown) Shown {
	if other.Errors > s.Errors || math.IsNaN(s.Errors) {
		return other
	}
	return s
}

// Shown returns the largest deviation of the estimates so far from the claim. Standard errors are
// those of Summary: estimates with heavy tails may seem far off and be right. For a claim with a
// known distribution, low means are ignored, since its probabilities are tested.
func (t *Test) Shown() (farthest Shown) {
	if t.events != nil {
		for i := range t.events.list {
			farthest = farthest.more(t.events.shown(i))
		}
	}
	if t.events != nil && len(t.sides) == 0 {
		return farthest
	}
	mean, deviation := t.Mean()
	off := mean - t.expected
	// whether that is wrong
	low := slices.Contains([]Claim{Unbiased, ReciprocalUnbiased, Upper, UpperOnAverage}, t.claim)
	high := t.claim != Upper && t.claim != UpperOnAverage
	switch {
	case t.moments.draws < 2:
		off = math.NaN()
	case off > 0 && !high || off < 0 && !low || off == 0:
		return farthest
	case math.Abs(off) <= arithmetic(t.expected, 0): // constant estimates have no standard error to speak of
		return farthest
	}
	of := Shown{Errors: math.Abs(off) / deviation, High: off > 0}
	if t.events == nil {
		return of
	}
	return farthest.more(of)
}

// FarScores says that the mean of z scores, or of their squares, is far from that of standard
// normal ones (see FarMean); empty if it is not, and if the claim has a slack. The sum of squares
// is off by as many standard errors as have the probability of chi squared.
func (t *Test) FarScores() string {
	if !t.scored || t.events.list[0].P.Low < t.events.list[0].P.High {
		return ""
	}
	s := t.moments.scores
	n := float64(s.n)
	sum := s.squares + n*s.mean*s.mean
	normal := distuv.UnitNormal
	law := distuv.ChiSquared{K: n}
	off := -normal.Quantile(law.Survival(sum))
	if sum < n {
		off = normal.Quantile(law.CDF(sum))
	}
	return cmp.Or(FarMean("the mean of the z scores", s.mean*math.Sqrt(n), "estimates"),
		FarMean("the mean of the squares of the z scores", off, "estimates"))
}

// DrawsToShow returns the number of draws at which the deviation of an event would be found, with
// verdicts.DetectionProbability, if its frequency stays the same. It tries up to mostLonger times
// the present number, and is +Inf if these do not find it.
func (t *Test) DrawsToShow(s Shown, logThreshold float64) float64 {
	e := t.events
	i := slices.IndexFunc(e.list, func(event Event) bool { return event.Name == s.Event })
	happened := e.in[i]
	if !s.High {
		happened += e.open[i]
	}
	share := float64(happened) / float64(e.n)
	level := logThreshold + number.Log(float64(t.parts()*len(e.list)))
	most := mostLonger * e.n
	n := e.n + sort.Search(most-e.n, func(k int) bool { return foundBy(e.list[i].P, e.n+k, level)(share) })
	if n == most {
		return math.Inf(1)
	}
	return float64(n)
}

// mostLonger bounds the numbers of DrawsToShow. An e-value of 1e300 takes some 60 times the
// numbers that show five standard errors.
const mostLonger = 1000

// shown returns how far the share of numbers with an event is off its probability. Of what is
// undecided that counts which is nearest.
func (e *Events) shown(i int) Shown {
	event := &e.list[i]
	n := float64(e.n)
	least, most := float64(e.in[i])/n, float64(e.in[i]+e.open[i])/n
	far := func(off, p float64) float64 { return off / math.Sqrt(p*(1-p)/n) }
	switch p := event.P; {
	case event.certain() || e.n == 0:
	case least > p.High:
		return Shown{Errors: far(least-p.High, p.High), High: true, Event: event.Name}
	case most < p.Low:
		return Shown{Errors: far(p.Low-most, p.Low), Event: event.Name}
	}
	return Shown{}
}

// FarMean says that a mean is off by that many standard errors, if they are FarErrors or more, and
// that more of some unit decide; else it is empty.
func FarMean(what string, errors float64, unit string) string {
	if !(math.Abs(errors) >= FarErrors) {
		return ""
	}
	return fmt.Sprintf("%s is off by %.3g standard errors, and no fault yet; more %s decide", what, errors, unit)
}

// Rounding is twice the largest relative error of a float64 operation.
const Rounding = 0x1p-52

// BeyondRounding returns by how much a sum is off at least, given a bound on its rounding.
func BeyondRounding(off, rounding float64) float64 {
	return math.Copysign(math.Max(0, math.Abs(off)-rounding), off)
}

// FarSum says that a mean is off (see FarMean), given by how much the sum is off beyond its
// rounding, the variance of the sum, and its cumulant generating function about its expectation.
// With fewer standard errors of a skewed sum than chance leaves, by Chernoff's inequality
//
//	log P <= K(theta) - theta off,
//
// it is empty, and so it is if the sum cannot vary. At five standard errors of a normal sum the
// bound is -12.5, and the tail itself has the probability 2.9e-7.
func FarSum(what string, off, variance float64, cgf func(theta float64) float64, unit string) string {
	says := FarMean(what, off/math.Sqrt(variance), unit)
	best := off / variance
	if says == "" || !(max(best*off-cgf(best), best/2*off-cgf(best/2)) >= 0.8*FarErrors*FarErrors/2) {
		return ""
	}
	return says
}

// FarCount says which count of independent draws is the farthest from its expectation, if it is off
// by FarErrors and chance has a probability of at most Rare for that, and of at most rareAmong for
// any of all counts that are looked at; else it is empty. So a count of right draws is far with a
// probability below 4e-6, and any of them below 4e-4. Counts of unit are named by label.
//
// Standard errors alone do not suffice: a state with probability 1e-6 that is drawn once in a
// hundred draws is off by a hundred of them. The tail has half of the probability of the count
// itself.
func FarCount(counts []int, p []float64, all int, unit string, label func(i int) string) (says string) {
	rare := min(Rare, rareAmong/float64(all))
	n := 0
	for _, c := range counts {
		n += c
	}
	farthest := 0.0
	for i, c := range counts {
		expected := float64(n) * p[i]
		errors := math.Abs(float64(c)-expected) / math.Sqrt(expected*(1-p[i]))
		if !(errors >= FarErrors && errors > farthest) || math.IsInf(errors, 0) {
			continue
		}
		tail := atLeast(c, n, p[i]) + atLeast(c+1, n, p[i])
		if float64(c) < expected {
			tail = 2 - tail
		}
		if tail <= 2*rare {
			farthest = errors
			says = fmt.Sprintf(
				"%s: %d of %d %s, %.4g expected; this is off by %.2g standard errors, and no fault yet; "+
					"more of the same decide",
				label(i),
				c,
				n,
				unit,
				expected,
				errors,
			)
		}
	}
	return says
}
