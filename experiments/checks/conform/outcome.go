package conform

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/experiments/checks/annealed"
	"breadboard/experiments/checks/conform/hypotheses"
	"breadboard/experiments/draws"
	"breadboard/experiments/verdicts"
	"breadboard/reports/check"
)

// Side is the result for the chains of one direction.
type Side struct {
	Direction chains.Direction
	Chains    int
	Columns   draws.Columns
	// Odds are those of the hypotheses given the chains of all directions, the likeliest first; nil
	// if they are not known.
	Odds []hypotheses.Odds
	// Named is the likeliest hypothesis, followed by those that the columns cannot tell from it. It
	// is empty if none fits, and if the lead of the likeliest bug is too small: Lead is the
	// posterior odds of the named ones (see verdicts.Lead).
	Named []string
	Lead  verdicts.Lead
	// Survived is the number of chains read, divided by the number that finds the named bug. Only
	// many times that number tell an unlisted bug from a similar listed one. If both directions
	// have the same bug it is that of the direction that finds it sooner. It is 0 if no bug is
	// named, or the number that finds it is not known.
	Survived   float64
	Suspicion  string          // another explanation of the numbers; empty if there is none
	Needs      []verdicts.Need // how many chains tell each hypothesis from the specification
	Missing    []string        // the hypotheses that are not considered, with reasons
	Histograms []*Histogram    // of the ends and of log w, as far as they are known
	// LogW counts log weights in cells of equal length, but for the first and the last; nil if they
	// are not known.
	LogW  *Histogram
	Shift float64 // the constant, in nats, that was subtracted from every log weight before it was counted
	// Fault is whether a test of these chains found a fault, or, if no test of one direction did, a
	// test of both together.
	Fault      bool
	Guarantees []Guarantee // the deviations that a pass excludes
}

// outcome collects what was found.
func (c *checker) outcome() *Outcome {
	out := &Outcome{Task: c.task, Alpha: c.Alpha, Threshold: math.Exp(c.logThreshold(0))}
	for _, t := range c.tests {
		r := t.Result
		if !r.Fault {
			r.Open = check.Near(r.LogE)
		}
		out.Results = append(out.Results, r)
	}
	if c.laws != nil {
		out.Untested = append(out.Untested, c.laws.Skipped()...)
	}
	odds := c.odds((*hypotheses.Tally).Odds)
	for d, s := range c.sides {
		if s != nil {
			out.Untested = append(out.Untested, s.untested...)
			out.Sides = append(out.Sides, c.sideOutcome(s, odds[d]))
		}
	}
	for _, s := range out.Sides {
		of := s.Direction.String() + " "
		for _, h := range s.Histograms { // states that are far are no pass
			out.openTests(0, verdicts.FarCount(h.Counts, h.P, len(h.P), "chains", c.state), of+"states of "+h.Name)
		}
		if chain := c.sides[s.Direction].chain; chain != nil {
			out.openTests(0, chain.FarMean(), of+"log w")
		}
	}
	c.openFew(out)
	if both := out.Sides; len(both) == 2 && min(both[0].Survived, both[1].Survived) > 0 &&
		hypotheses.SameBug(both[0].Named[0], both[1].Named[0]) {
		both[0].Survived = max(both[0].Survived, both[1].Survived)
		both[1].Survived = both[0].Survived
	}
	if c.pair != nil {
		out.Untested = append(out.Untested, c.pair.Untested()...)
	}
	out.Untested = append(out.Untested, c.remarks...)
	if c.moves != nil {
		out.Moves = c.moves.rows
	}
	if c.estimates != nil {
		out.Estimates = c.estimates.outcome(c)
		out.Untested = append(out.Untested, c.estimates.test.Untested()...)
	}
	return out
}

// openTests makes tests that have found no fault open if there is a reason, with the number of
// draws that decide; 0 if that is not known.
func (o *Outcome) openTests(decides float64, why string, tests ...string) {
	for i := range o.Results {
		if r := &o.Results[i]; why != "" && r.Open == "" && !r.Fault && slices.Contains(tests, r.Test) {
			r.Open = why
			r.Decides = decides
		}
	}
}

// openFew makes the tests of a direction open if its chains would have shown only a gross fault of
// one of their columns, and those of single moves in the same way.
func (c *checker) openFew(out *Outcome) {
	open := func(read, needed int, unit string, tests ...string) {
		if needed > read {
			out.openTests(float64(needed), fmt.Sprintf("%s: enough only for a gross fault; %d decide",
				selector.Count(read, unit), needed), tests...)
		}
	}
	for d, s := range c.sides {
		if s == nil {
			continue
		}
		var tests []string
		for _, t := range c.tests {
			if t.both || strings.HasPrefix(t.Test, chains.Direction(d).String()+" ") {
				tests = append(tests, t.Test)
			}
		}
		open(s.rows, c.chainsToDecide(s), "chain", tests...)
	}
	if c.moves != nil {
		for i, at := range c.moves.at {
			open(at.moved, at.movesToDecide(at.moved, c.logThreshold(c.fixed+i)), "move", c.tests[c.fixed+i].Test)
		}
	}
}

// chainsToDecide returns how many chains of a side would have shown less than a gross fault of each
// column. Of log w this is about the level that is nearest to the median: the test of levels is an
// average over them. If there is none all log weights are alike.
func (c *checker) chainsToDecide(s *side) (needed int) {
	decide := func(p []float64, averaged int) {
		needed = max(needed, verdicts.DrawsToDecide(p, s.rows, c.logThreshold(0)+number.Log(float64(averaged))))
	}
	if s.columns.First {
		decide(c.laws.First(s.d), 1)
	}
	if s.columns.Last {
		decide(c.laws.Last(s.d), 1)
	}
	if !s.columns.LogW {
		return needed
	}
	levels := s.laws.Levels(s.d)
	middle := 1.0
	for _, l := range levels {
		if p := l.P.Value; math.Abs(p-0.5) < math.Abs(middle-0.5) {
			middle = p
		}
	}
	decide([]float64{middle, 1 - middle}, max(1, len(levels)))
	return needed
}

// faulty reports whether the chains of a side are at fault: by a test of their own, or by one of
// both directions together where neither has one of its own. A wrong distribution of one direction
// shows in the tests of both together as well.
func (c *checker) faulty(s *side) bool {
	found := func(t *test) bool { return t.Fault }
	if slices.ContainsFunc(s.tests, found) {
		return true
	}
	for _, other := range c.sides {
		if other != nil && slices.ContainsFunc(other.tests, found) {
			return false
		}
	}
	return slices.ContainsFunc(c.tests[:c.fixed], func(t *test) bool { return t.both && t.Fault })
}

// odds returns the odds of the hypotheses of every direction, as of gives them by itself, given the
// chains of both. They are nil of a direction in which hypotheses are not compared.
func (c *checker) odds(
	of func(t *hypotheses.Tally, beside ...hypotheses.Beside) []hypotheses.Odds,
) (odds [2][]hypotheses.Odds) {
	for d, s := range c.sides {
		if s != nil && s.outcomes != nil {
			odds[d] = of(s.outcomes, c.beside(s)...)
		}
	}
	if odds[0] != nil && odds[1] != nil {
		odds[0], odds[1] = hypotheses.Together(odds[0], odds[1])
	}
	return odds
}

func (c *checker) sideOutcome(s *side, odds []hypotheses.Odds) Side {
	out := Side{
		Direction: s.d,
		Chains:    s.rows,
		Columns:   s.source.Columns(),
		LogW:      s.law,
		Shift:     c.shift,
	}
	out.Fault = c.faulty(s)
	for _, h := range []*Histogram{s.first, s.last, s.logw} {
		if h != nil {
			out.Histograms = append(out.Histograms, h)
		}
	}
	if s.outcomes == nil {
		return out
	}
	if !s.set.Listed {
		out.Suspicion = s.weights.suspicion(s, c.laws, c.logThreshold(0))
	}
	out.Missing = s.set.Missing
	out.Odds = odds
	out.Named, out.Lead = c.nameMistakes(s, out.Odds)
	specificationFirst(&out)
	out.Needs = c.all.needs(s.d, s.set, c.logThreshold(0))
	if len(out.Named) > 0 {
		out.Survived = survived(s.rows, out.Needs, out.Named[0])
	}
	return out
}

// specificationFirst puts the specification before the hypotheses that are as likely because the
// columns cannot tell them from it: rounding decides which of them comes first.
func specificationFirst(s *Side) {
	if k := slices.Index(s.Named, hypotheses.Specification); k > 0 {
		s.Named = slices.Insert(slices.Delete(s.Named, k, k+1), 0, hypotheses.Specification)
		k = slices.IndexFunc(s.Odds, func(o hypotheses.Odds) bool { return o.Name == hypotheses.Specification })
		odds := s.Odds[k]
		s.Odds = slices.Insert(slices.Delete(s.Odds, k, k+1), 0, odds)
	}
}

// beside returns the hypotheses that are not about single chains. How likely they are does not
// depend on the distributions of the chains, so that a chain with a wrong distribution is not taken
// for one that depends on others.
func (c *checker) beside(s *side) []hypotheses.Beside {
	var out []hypotheses.Beside
	add := func(name string, logOdds float64, any bool) {
		if !math.IsInf(logOdds, -1) {
			out = append(out, hypotheses.Beside{Name: name, LogOdds: logOdds, Any: any})
		}
	}
	add(hypotheses.Dependent, s.chain.Dependence(), false)
	if odds := s.repeats.logOdds(); odds > 0 {
		// as long as none repeat, nothing tells such chains from others
		add(hypotheses.Repeated, odds, true)
	}
	if c.pair != nil {
		add(hypotheses.OneStream, c.pair.Dependence(), false)
	}
	return out
}

// nameMistakes returns the likeliest hypothesis with those that are like it, and their lead;
// nothing if it is that of none, is refused by the chains, or is a bug that leads by too little.
func (c *checker) nameMistakes(s *side, odds []hypotheses.Odds) ([]string, verdicts.Lead) {
	best := odds[0]
	if best.Name == hypotheses.Unknown || best.LogE >= c.logThreshold(0) {
		return nil, verdicts.Lead{}
	}
	names := append([]string{best.Name}, s.set.Alike(best.Name)...)
	lead := hypotheses.LeadOf(odds, names)
	if !lead.Enough(verdicts.EnoughLead) && !slices.Contains(names, hypotheses.Specification) {
		return nil, verdicts.Lead{}
	}
	return names, lead
}

// decided reports whether a fault is certain and the odds of every direction with one name what it
// is, or cannot. Of a direction without a fault nothing has to be decided: right chains would never
// be told from those that are nearly right. Chains that are enough for a fault may be too few to
// refuse a hypothesis that is only the nearest. So more of them are read: fairChance times as many
// as the fault took, and, before one is named, verdicts.EnoughChains times as many as it takes to
// find it.
func (c *checker) decided() bool {
	if c.certain == 0 {
		return false
	}
	odds := c.odds((*hypotheses.Tally).Likelihoods)
	var times [2]float64
	for d, s := range c.sides {
		if odds[d] == nil || !c.faulty(s) {
			continue
		}
		if s.rows < fairChance*c.certain ||
			posterior(odds[d], s.set.Alike(odds[d][0].Name)) < decidedPosterior {
			return false
		}
		times[d] = survived(s.rows, c.all.needs(s.d, s.set, c.logThreshold(0)), odds[d][0].Name)
	}
	if times[0] > 0 && times[1] > 0 && hypotheses.SameBug(odds[0][0].Name, odds[1][0].Name) {
		return max(times[0], times[1]) >= verdicts.EnoughChains
	}
	return !slices.ContainsFunc(times[:], func(v float64) bool { return v > 0 && v < verdicts.EnoughChains })
}

// posterior returns the probability of the likeliest hypothesis together with those that are alike.
func posterior(odds []hypotheses.Odds, alike []string) float64 {
	total := odds[0].Posterior
	for _, o := range odds[1:] {
		if slices.Contains(alike, o.Name) {
			total += o.Posterior
		}
	}
	return total
}

// survived returns how many times as many chains were read as it takes to find a hypothesis, and 0
// if that is not known.
func survived(rows int, all []verdicts.Need, name string) float64 {
	for _, t := range all {
		if t.Hypothesis == name && !math.IsInf(t.Found, 1) {
			return float64(rows) / t.Found
		}
	}
	return 0
}

// fairChance is how many times as many chains as a fault takes are read before it counts as decided
// that none fits.
const fairChance = 8

// decidedPosterior is the posterior probability from which on a hypothesis is taken to be decided.
const decidedPosterior = 0.99

// Result is the result of one test.
type Result struct {
	Test         string
	Draws        int     // chains, or transitions, at the last look
	LogE         float64 // the natural logarithm of the e-value at the last look
	Statistic    string  // what deviates most from its distribution, in words
	Fault        bool
	LogThreshold float64 // the least log e-value, in nats, that is a fault
	// after how many draws the fault was certain, and in which row if there is one; empty without a
	// fault
	Where   string
	Idle    bool    // whether the test lacks what it needs to find anything; it is then not a pass
	Open    string  // the reason why it is not a pass although there is no fault; else empty
	Decides float64 // of an open test, the number of draws that would decide; 0 if that is not known
	Looks   []Look  // the log e-value at each look
}

// Found implements check.Result. A test that could find nothing is open.
func (r Result) Found() check.Finding {
	f := check.Finding{
		Name:      r.Test,
		Value:     math.Exp(r.LogE),
		Tolerance: math.Exp(r.LogThreshold),
		Verdict:   check.Pass,
		Where:     r.Where,
		IsE:       true,
	}
	switch {
	case r.Fault:
		f.Verdict = check.Fault
	case r.Idle:
		f.Verdict = check.Open
	case r.Open != "":
		f.Verdict = check.Open
		f.Where = r.Open
	}
	return f
}

// Log10E returns the decimal logarithm of the e-value.
func (r Result) Log10E() float64 { return r.LogE / math.Ln10 }

// Log10Threshold returns the decimal logarithm of the least e-value that is a fault.
func (r Result) Log10Threshold() float64 { return r.LogThreshold / math.Ln10 }

// Look is the log e-value of a test after a number of draws.
type Look struct {
	Draws int
	LogE  float64
}

// test is an e-process, with what it found when it was last looked at.
type test struct {
	Result
	draws func() int
	value annealed.Value
	both  bool // whether it is of both directions together
	// row says in which row an impossible value was first seen; empty if there was none, and nil if
	// the test sees none.
	row  func() string
	idle func() bool // whether the test cannot find anything; nil of a test that always can
}

// updateResult brings the result up to date. A fault stays one: by Ville's inequality an e-process
// hardly ever reaches the threshold.
func (t *test) updateResult(logThreshold float64) {
	logE, where := t.value()
	t.Draws, t.LogE, t.Statistic, t.LogThreshold = t.draws(), logE, where(), logThreshold
	t.Idle = t.idle != nil && t.idle()
	if n := len(t.Looks); n == 0 || t.Looks[n-1].Draws < t.Draws {
		t.Looks = append(t.Looks, Look{t.Draws, logE})
	}
	if t.Fault || !(logE >= logThreshold || math.IsNaN(logE)) {
		return
	}
	t.Fault = true
	t.Where = "after " + selector.Count(t.Draws, "draw")
	if t.row != nil {
		if at := t.row(); at != "" {
			t.Where = at
		}
	}
}
