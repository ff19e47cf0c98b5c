package conform

import (
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/experiments/conform/hypotheses"
	"breadboard/experiments/conform/samples"
)

// Side is what was found of the chains of one direction.
type Side struct {
	Direction chains.Direction
	Source    string // the name of the file, stream or program
	Chains    int
	Columns   samples.Columns
	Compared  hypotheses.Columns // those that the hypotheses are compared by
	// Odds are those of the hypotheses, the likeliest first; nil where they are not known.
	Odds []hypotheses.Odds
	// Named is the likeliest hypothesis, followed by those that the columns cannot tell from it. It is empty where none fits.
	Named []string
	// Telling says of each hypothesis how many chains tell it from the specification.
	Telling []Telling
	// Missing says which hypotheses are not considered, and why.
	Missing    []string
	Histograms []*Histogram // of the ends and of log w, as far as they are known
	// LogW counts log weights in cells of equal length, but for the first and the last; nil where they are not known.
	LogW *Histogram
	// Shift is the constant, in nats, that was taken from every log weight before it was counted.
	Shift      float64
	Fault      bool        // whether a test of these chains, alone or with those of the other direction, found a fault
	Guarantees []Guarantee // which deviations a pass rules out
}

// Telling says how many chains tell a hypothesis from the specification, by the columns at hand.
type Telling struct {
	Hypothesis string
	KL         float64 // the divergence of a chain under the hypothesis from one under the specification, in nats
	Chains     float64 // the number of chains that find it with a probability of 0.99; +Inf where none do
}

// The hypotheses beside those of single chains.
const (
	OneStream = "one random stream for both directions"
	Dependent = "chains that depend on each other"
)

// outcome collects what was found.
func (c *checker) outcome() *Outcome {
	out := &Outcome{Task: c.task, Alpha: c.Alpha, Threshold: math.Exp(c.logThreshold(0))}
	for _, t := range c.tests {
		out.Results = append(out.Results, t.Result)
	}
	if c.laws != nil {
		out.Untested = append(out.Untested, c.laws.Skipped()...)
	}
	for _, s := range c.sides {
		if s != nil {
			out.Untested = append(out.Untested, s.untested...)
			out.Sides = append(out.Sides, c.sideOutcome(s))
		}
	}
	if c.pair != nil {
		out.Untested = append(out.Untested, c.pair.Untested()...)
	}
	if c.moves != nil {
		out.Moves = c.moves.rows
	}
	return out
}

// pairTests returns the tests of both directions together.
func (c *checker) pairTests() []*test {
	var out []*test
	for _, t := range c.tests[:c.fixed] {
		if t.both {
			out = append(out, t)
		}
	}
	return out
}

func (c *checker) sideOutcome(s *side) Side {
	out := Side{Direction: s.d, Source: s.source.Name(), Chains: s.rows, Columns: s.source.Columns(), LogW: s.law, Shift: c.shift}
	for _, t := range append(slices.Clone(s.tests), c.pairTests()...) {
		out.Fault = out.Fault || t.Fault
	}
	for _, h := range []*Histogram{s.first, s.last, s.logw} {
		if h != nil {
			out.Histograms = append(out.Histograms, h)
		}
	}
	if s.outcomes == nil {
		return out
	}
	out.Compared, out.Missing = s.set.Columns, s.set.Missing
	out.Odds = s.outcomes.Odds(c.beside(s)...)
	out.Named = c.named(s, out.Odds)
	target := c.logThreshold(0) + math.Log(float64(len(s.set.Names)))
	for h, name := range s.set.Names[1:] {
		out.Telling = append(out.Telling, Telling{name, s.set.Divergence(h+1, 0), s.set.Needs(h+1, 0, target)})
	}
	return out
}

// beside returns the hypotheses that are not about single chains, with the odds that their tests give: an e-value against
// independence is how much likelier chains are that depend on each other.
func (c *checker) beside(s *side) []hypotheses.Beside {
	var out []hypotheses.Beside
	depend := math.Inf(-1)
	for _, t := range s.tests {
		if t.Test == s.d.String()+" consecutive chains" || t.Test == s.d.String()+" chains apart" {
			depend = max(depend, t.LogE-math.Ln2)
		}
	}
	if !math.IsInf(depend, -1) {
		out = append(out, hypotheses.Beside{Name: Dependent, LogOdds: depend})
	}
	for _, t := range c.pairTests() {
		out = append(out, hypotheses.Beside{Name: OneStream, LogOdds: t.LogE})
	}
	return out
}

// named returns the likeliest hypothesis and those that cannot be told from it, and nothing where it is that of none, or is
// refused by the chains as well.
func (c *checker) named(s *side, odds []hypotheses.Odds) []string {
	best := odds[0]
	if best.Name == hypotheses.Unknown || best.LogE >= c.logThreshold(0) {
		return nil
	}
	return append([]string{best.Name}, s.set.Alike(best.Name)...)
}

// decided reports whether a fault is certain and the odds of every direction with one name what it is, or cannot.
func (c *checker) decided() bool {
	fault := false
	for _, t := range c.tests {
		fault = fault || t.Fault
	}
	if !fault {
		return false
	}
	for _, s := range c.sides {
		if s == nil || s.outcomes == nil {
			continue
		}
		odds := s.outcomes.Odds(c.beside(s)...)
		alike := s.set.Alike(odds[0].Name)
		share := odds[0].Posterior
		for _, o := range odds[1:] {
			for _, name := range alike {
				if o.Name == name {
					share += o.Posterior
				}
			}
		}
		if share < decidedPosterior {
			return false
		}
	}
	return true
}

// decidedPosterior is the posterior probability from which on a hypothesis is taken to be decided.
const decidedPosterior = 0.999
