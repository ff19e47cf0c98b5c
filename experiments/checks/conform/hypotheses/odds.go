package hypotheses

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"breadboard/chains/number"
	"breadboard/experiments/verdicts"
)

// Odds is the evidence of chains for a hypothesis.
type Odds struct {
	Name string
	// LogOdds is the log of how much likelier the chains of this direction are than under the
	// specification, in nats. It is +Inf if they are impossible under the specification, and NaN if
	// under both.
	LogOdds float64
	// Posterior is the probability of the hypothesis given all chains, and LogPosterior its natural
	// logarithm, even if Posterior underflows. See Alone and Together for the prior.
	Posterior, LogPosterior float64
	// the log e-value against the hypothesis itself, which may reject it; 0 for Unknown
	LogE float64

	log float64 // the log probability of the chains
}

// Beside is a hypothesis that the cells of single chains cannot show, such as dependent chains.
type Beside struct {
	Name string
	// LogOdds is the log of how much likelier the chains are than independent ones of the same
	// distribution, in nats: that of the specification, or, if Any is set, any of the distributions
	// and Unknown, with equal priors.
	LogOdds float64
	Any     bool
}

// Odds returns the odds of all hypotheses and of those beside, the likeliest first, given the
// chains of one direction only (see Alone). The log e-values take most of the time; Likelihoods
// omits the expensive ones.
func (t *Tally) Odds(beside ...Beside) []Odds {
	c, _ := t.counted(t.resolution)
	out := t.computeOdds(c, beside)
	var all sync.WaitGroup
	for i := range out {
		if h := slices.Index(t.Names, out[i].Name); h >= 0 {
			all.Go(func() { out[i].LogE = max(out[i].LogE, t.against(c, h)-math.Ln2) })
		}
	}
	all.Wait()
	return out
}

// Likelihoods is Odds with log e-values against the likeliest hypotheses only.
func (t *Tally) Likelihoods(beside ...Beside) []Odds {
	c, _ := t.counted(t.resolution)
	return t.computeOdds(c, beside)
}

func (t *Tally) computeOdds(c *verdicts.Counted, beside []Beside) []Odds {
	logs := c.Logs
	u := c.Unlisted(verdicts.Leaders)
	var out []Odds
	for h, log := range logs {
		o := Odds{Name: t.Names[h], log: log, LogE: math.Inf(-1)}
		if e, is := u.Against[h]; is {
			o.LogE = e
		}
		out = append(out, o)
	}
	out = append(out, Odds{Name: Unknown, log: u.Log})
	any := number.LogMean(append(slices.Clone(logs), u.Log))
	for _, b := range beside {
		law := logs[0]
		if b.Any {
			law = any
		}
		out = append(out, Odds{Name: b.Name, log: law + b.LogOdds})
	}
	for i := range out {
		out[i].LogOdds = out[i].log - logs[0]
	}
	return alone(out)
}

// alone returns the odds of one direction with posteriors, the likeliest first, for equal priors.
func alone(odds []Odds) []Odds {
	return withPosteriors(odds, func(i int) float64 { return odds[i].log })
}

// withPosteriors returns the odds with the posteriors that have these logs but for a constant, the
// likeliest first. Those of which nothing tells which is likelier keep their order.
func withPosteriors(odds []Odds, logs func(i int) float64) []Odds {
	out := slices.Clone(odds)
	all := make([]float64, len(odds))
	for i := range all {
		all[i] = logs(i)
	}
	for i, log := range verdicts.Posterior(all) {
		out[i].LogPosterior, out[i].Posterior = log, math.Exp(log)
	}
	slices.SortStableFunc(out, func(a, b Odds) int { return cmp.Compare(b.LogPosterior, a.LogPosterior) })
	return out
}

// LeadOf returns the lead of the named hypotheses over the others, and over Unknown.
func LeadOf(odds []Odds, names []string) verdicts.Lead {
	var logs []float64
	var named []bool
	unknown := math.Inf(-1)
	for _, o := range odds {
		is := slices.Contains(names, o.Name)
		if o.Name == Unknown && !is {
			unknown = o.LogPosterior
			continue
		}
		logs, named = append(logs, o.LogPosterior), append(named, is)
	}
	return verdicts.LeadOf(logs, func(i int) bool { return named[i] }, unknown)
}

// What is likely before any chains are known, if there are those of both directions. All bugs, the
// specification and Unknown are as likely as each other. A bug that has a meaning in both
// directions is in both of them with the probability bothWays, and in either one alone, the other
// being right, with half of the rest. One program has one bug: that the two directions have two
// different ones, whichever they are, has the probability twoBugs.
const (
	bothWays = 0.5
	twoBugs  = 1e-3
)

// Together returns the odds of both directions as those of one program: the posteriors of each
// direction given the chains of both, with the same prior as Alone.
func Together(forward, reverse []Odds) (f, r []Odds) {
	prior := newPrior(forward, reverse)
	specified := slices.IndexFunc(reverse, func(o Odds) bool { return o.Name == Specification })
	// Logs of probabilities of many chains are large. They are taken relative to the largest, which
	// cancels in the posteriors, so that their sums keep the digits in which hypotheses differ.
	topForward := largestLog(forward)
	topReverse := largestLog(reverse)
	logs := make([][]float64, len(forward))
	for i, a := range forward {
		logs[i] = make([]float64, len(reverse))
		for j, b := range reverse {
			if b.Name == OneStream { // what it says of both directions counts once
				b = reverse[specified]
			}
			logs[i][j] = (a.log - topForward) + (b.log - topReverse) + number.Log(prior.priorOf(i, j))
		}
	}
	f = withPosteriors(forward, func(i int) float64 { return number.LogSumExp(logs[i]) })
	r = withPosteriors(reverse, func(j int) float64 {
		column := make([]float64, len(logs))
		for i := range logs {
			column[i] = logs[i][j]
		}
		return number.LogSumExp(column)
	})
	return f, r
}

// largestLog returns the largest log probability of the chains under a hypothesis.
func largestLog(odds []Odds) float64 {
	return slices.MaxFunc(odds, func(a, b Odds) int { return cmp.Compare(a.log, b.log) }).log
}

// prior is what is likely before: which hypothesis of the other direction is the same bug.
type prior struct {
	forward, reverse []Odds
	bugs             float64 // the number of bugs, with the specification and Unknown
	pairs            float64 // the number of pairs of hypotheses that are of one direction each
}

func newPrior(forward, reverse []Odds) *prior {
	p := &prior{
		forward: forward,
		reverse: reverse,
		bugs:    float64(len(forward)),
		pairs:   ofOne(forward) * ofOne(reverse),
	}
	for _, b := range reverse {
		if !slices.ContainsFunc(forward, func(a Odds) bool { return SameBug(a.Name, b.Name) }) {
			p.bugs++
		}
	}
	return p
}

// ofOne returns the number of hypotheses that are of one direction.
func ofOne(odds []Odds) (n float64) {
	for _, o := range odds {
		if o.Name != OneStream {
			n++
		}
	}
	return n
}

// SameBug reports whether a forward and a reverse hypothesis are the same bug.
func SameBug(forward, reverse string) bool {
	return forward == reverse || forward == AfterMove && reverse == BeforeMove
}

// priorOf returns the prior probability that the chains of the directions follow the i-th and the
// j-th hypothesis.
func (p *prior) priorOf(i, j int) float64 {
	a, b := p.forward[i].Name, p.reverse[j].Name
	if a == OneStream || b == OneStream { // one of both directions by what it says
		if a != b {
			return 0
		}
		return (1 - twoBugs) / p.bugs
	}
	one := 0.0
	switch {
	case a == Specification && b == Specification:
		one = 1
	case SameBug(a, b):
		one = bothWays
	case b == Specification:
		one = oneDirection(slices.ContainsFunc(p.reverse, func(o Odds) bool { return SameBug(a, o.Name) }))
	case a == Specification:
		one = oneDirection(slices.ContainsFunc(p.forward, func(o Odds) bool { return SameBug(o.Name, b) }))
	}
	return (1-twoBugs)*one/p.bugs + twoBugs/p.pairs
}

// oneDirection returns the probability that a bug is in one direction only, given whether it has a
// meaning in the other one.
func oneDirection(hasOther bool) float64 {
	if hasOther {
		return (1 - bothWays) / 2
	}
	return 1
}
