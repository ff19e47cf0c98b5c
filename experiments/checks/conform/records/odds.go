package records

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"breadboard/chains/number"
	"breadboard/experiments/verdicts"
)

// odds are the log likelihoods of all distributions, by the columns that are there.
type odds struct {
	laws    []map[string]float64 // by distribution
	log     []float64            // the sum of log p(cell), by distribution; -Inf if a cell is impossible
	classes []int                // for each distribution the first one that has the same probabilities
	cells   [][]string           // by distribution: its cells in a fixed order; nil if nothing is summed over them
	learned bool                 // whether only the cells of what was sent are known: distributions with the same likelihood are alike then
}

// newOdds returns the odds of what is sent: by all columns, or, of a chain without the columns from
// which it is known, by those of the last test.
func (s *checkedSide) newOdds() *odds {
	ways := len(s.laws.Ways)
	switch last := len(s.tallies) - 1; {
	case last < 0: // it carries no information
		return &odds{laws: newLearned(ways).laws, log: make([]float64, ways), classes: make([]int, ways)}
	case s.tallies[last].learned:
		return &odds{laws: s.tallies[last].laws.laws, log: make([]float64, ways), classes: s.laws.chainClasses(), learned: true}
	default:
		return newOdds(s.tallies[last].part, s.laws)
	}
}

// chainClasses returns for each distribution of a chain the specification if they are the same,
// and else itself.
func (s *sideLaws) chainClasses() (classes []int) {
	for h, solved := range s.solved {
		if solved.Mean <= distinct && solved.Impossible <= distinct {
			h = 0
		}
		classes = append(classes, h)
	}
	return classes
}

// newOdds computes the distributions by the last part, which has all columns.
func newOdds(p part, s *sideLaws) *odds {
	o := &odds{laws: s.of(&p).laws, log: make([]float64, len(s.Ways))}
	for h := range s.Ways {
		o.classes = append(o.classes, slices.IndexFunc(o.laws, func(other map[string]float64) bool { return same(o.laws[h], other) }))
	}
	return o
}

// same reports whether two distributions have the same probabilities but for rounding.
func same(p, q map[string]float64) bool {
	for cell, v := range p {
		if math.Abs(v-q[cell]) > distinct {
			return false
		}
	}
	for cell, v := range q {
		if math.Abs(v-p[cell]) > distinct {
			return false
		}
	}
	return true
}

// distinct is the difference of probabilities up to which two distributions are taken to be the
// same: what rounding can make of it.
const distinct = 1e-12

// look computes the likelihoods of counts.
func (o *odds) look(counts map[string]int) {
	clear(o.log)
	for _, cell := range slices.Sorted(maps.Keys(counts)) {
		for h, law := range o.laws {
			o.log[h] += float64(counts[cell]) * number.Log(law[cell])
		}
	}
}

// logOdds returns the log odds of a distribution against the specification: NaN if both are
// impossible, and zero for the specification itself.
func (o *odds) logOdds(h int) float64 {
	if h == 0 {
		return 0
	}
	return o.log[h] - o.log[0]
}

// ranked returns all distributions, the likeliest first.
func (o *odds) ranked() []int {
	list := make([]int, len(o.log))
	for h := range list {
		list[h] = h
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(o.log[b], o.log[a]) })
	return list
}

// logE returns the log e-value of the mean of the likelihood ratios of the known ways to get it
// wrong: each has expectation one under the specification. Ways with one distribution count once,
// and those that have the distribution of the specification do not count.
func (o *odds) logE() float64 {
	if math.IsInf(o.log[0], -1) {
		return math.Inf(1)
	}
	var terms []float64
	for h := range o.log {
		if o.classes[h] == h && h > 0 {
			terms = append(terms, o.log[h]-o.log[0])
		}
	}
	if len(terms) == 0 {
		return 0
	}
	return number.LogMean(terms)
}

// best returns the likeliest way to get it wrong with those of the same distribution; none if all
// are impossible.
func (o *odds) best() (laws []int) {
	first := -1
	for h := range o.log {
		if o.classes[h] == h && h > 0 && !math.IsInf(o.log[h], -1) && (first < 0 || o.log[h] > o.log[first]) {
			first = h
		}
	}
	for h, class := range o.classes {
		if first >= 0 && (class == first || o.learned && math.Abs(o.log[h]-o.log[first]) <= 1e-9*math.Abs(o.log[first])) {
			laws = append(laws, h)
		}
	}
	return laws
}

// counted returns what was sent, with its probabilities under every distribution but those that are
// the same as another one, and which distributions these are.
func (s *checkedSide) counted() (c *verdicts.Counted, laws []int) {
	t := s.tallies[len(s.tallies)-1]
	cells := slices.Sorted(maps.Keys(t.counts))
	at := func(law map[string]float64) (p []float64) {
		for _, cell := range cells {
			p = append(p, law[cell])
		}
		return p
	}
	c = &verdicts.Counted{Mean: at(t.laws.mean)}
	for _, cell := range cells {
		c.Counts = append(c.Counts, t.counts[cell])
	}
	for h, class := range s.odds.classes {
		if h == class {
			laws, c.P, c.Logs = append(laws, h), append(c.P, at(s.odds.laws[h])), append(c.Logs, s.odds.log[h])
		}
	}
	return c, laws
}

// inParts returns the log e-value of what was sent against a distribution, by the columns of each
// test: the mean of all of them, where the alternative is an unknown distribution.
func (s *checkedSide) inParts(law int) float64 {
	var logE []float64
	for _, t := range s.tallies {
		logE = append(logE, t.unknownLogE(t.laws.laws[law]))
	}
	return number.LogMean(logE)
}

// name says which way to get it wrong explains what was sent, once there is a fault: the likeliest,
// where its posterior odds are verdicts.EnoughLead or more against all others together, the
// specification among them, and against what is on no list, if it fits what was sent by all columns
// together, and if no part of the records speaks as strongly against it. While records wait it says
// nothing new.
func (s *checkedSide) name(logThreshold float64) {
	if len(s.waiting) > 0 {
		return
	}
	s.unexplained = false
	best := s.odds.best()
	named := best
	switch {
	case !s.fault():
		named = nil
	case best == nil:
		s.unexplained = true
	default:
		c, laws := s.counted()
		unlisted, at, parts := c.Unlisted(verdicts.Leaders), slices.Index(laws, best[0]), s.inParts(best[0])
		s.unexplained = max(parts, unlisted.Against[at]) >= logThreshold
		s.lead = verdicts.LeadOf(s.odds.log, func(h int) bool { return slices.Contains(best, h) }, 0)
		s.lead.Unknown = c.Logs[at] - unlisted.Log // of one of the distributions that are the same
		if s.unexplained || !s.lead.Enough(verdicts.EnoughLead) || parts >= number.Log(verdicts.EnoughLead) {
			named = nil
		}
	}
	if !slices.Equal(s.named, named) {
		s.named, s.namedAt = named, s.runs
	}
	if named == nil {
		s.namedAt = 0
	}
}

// Needs returns how many runs find every known mistake, for false alarms of probability alpha.
func (l *Laws) Needs(alpha float64) []verdicts.Need {
	var out []verdicts.Need
	tests := 0
	for _, s := range l.sides {
		tests += len(s.Kind.parts(s.everything())) + 1
	}
	for _, s := range l.sides {
		if s.Chain != nil {
			out = append(out, s.chainNeeds(number.Log(float64(tests+1))-number.Log(alpha))...)
			continue
		}
		parts := s.Kind.parts(s.everything())
		all := parts[len(parts)-1]
		o := newOdds(all, s)
		o.laws, o.classes = append(slices.Clone(o.laws), s.of(&all).mean), append(o.classes, len(s.Ways)) // the last is the unknown distribution
		o.cells = cellsOf(o.laws)
		found := number.Log(float64(tests)*float64(len(s.Ways))) - number.Log(alpha)
		for h := 1; h < len(s.Ways); h++ {
			n := verdicts.Need{Of: s.Name, Hypothesis: s.Ways[h].Name}
			n.KL, n.Found = o.needs(h, 0, found)
			n.Named = n.Found
			for other, class := range o.classes {
				switch {
				case other == h:
				case class == o.classes[h]:
					n.Alike = append(n.Alike, s.Ways[other].Name)
				case other > 0:
					target := number.Log(verdicts.NamedOdds)
					if other == len(s.Ways) {
						target += number.Log(verdicts.ConcentrationCount)
					}
					_, runs := o.needs(h, other, target)
					n.Named = max(n.Named, runs)
				}
			}
			out = append(out, n)
		}
	}
	return out
}

// chainNeeds returns how many runs the ways of a chain take. How many name them is not known.
func (s *sideLaws) chainNeeds(logThreshold float64) (out []verdicts.Need) {
	classes, found := s.chainClasses(), s.chainFound(logThreshold)
	for h := 1; h < len(s.Ways); h++ {
		n := verdicts.Need{Of: s.Name, Hypothesis: s.Ways[h].Name, KL: s.solved[h].Mean, Found: found[h], Named: math.NaN()}
		if s.solved[h].Impossible > distinct {
			n.KL = math.Inf(1)
		}
		if classes[h] == 0 {
			n.KL, n.Alike = 0, []string{s.Ways[0].Name}
		}
		out = append(out, n)
	}
	return out
}

// cellsOf returns the cells of every distribution in a fixed order.
func cellsOf(laws []map[string]float64) (list [][]string) {
	for _, law := range laws {
		list = append(list, slices.Sorted(maps.Keys(law)))
	}
	return list
}

// everything has all groups.
func (k *Kind) everything() map[string]bool {
	groups := map[string]bool{}
	for _, g := range k.Groups {
		groups[g.Name] = true
	}
	return groups
}

// needs returns KL(h || other) of a run, and the number of runs after which the log likelihood
// ratio of h and another distribution is at least target nats. A run that is impossible under the
// other distribution decides at once.
func (o *odds) needs(h, other int, target float64) (kl, runs float64) {
	mean, square, impossible := 0.0, 0.0, 0.0
	for _, cell := range o.cells[h] {
		v, u := o.laws[h][cell], o.laws[other][cell]
		if u == 0 {
			impossible += v
			continue
		}
		l := number.LogRatio(v, u)
		mean += v * l
		square += v * l * l
	}
	if o.classes[h] == o.classes[other] {
		return 0, math.Inf(1)
	}
	ratio := verdicts.Ratio{Mean: mean, Variance: max(0, square-mean*mean)}
	kl = mean
	if impossible > distinct {
		kl, ratio.Impossible = math.Inf(1), impossible
	}
	return kl, ratio.Draws(target)
}
