package verdicts

// Need is the number of draws (chains, runs, or records) that find a mistake, and name it, by the
// given columns, each with a probability of DetectionProbability: the sum of their log likelihood
// ratios is taken to be normal (see Ratio).
type Need struct {
	Of         string // the kind of draws: forward or reverse chains, or the kind of records
	Hypothesis string
	KL         float64 // of a draw under the hypothesis from one under the specification, in nats
	Found      float64 // the number of draws after which it is a fault; +Inf if none is enough
	// Named is the number of draws after which it is NamedOdds times likelier than any other
	// hypothesis that the columns can tell from it, and than an unknown one. If several others are
	// equally hard to tell, all of them together take a few more. It is 0 if it was not requested,
	// and NaN if it is not known.
	Named float64
	Alike []string // the hypotheses that the columns cannot tell from it, which may include the specification
}

// NamedOdds is the likelihood ratio that distinguishes a hypothesis from another.
const NamedOdds = 100

// Both returns the number of draws after which the hypothesis is found and named; +Inf if it never
// is.
func (n *Need) Both() float64 { return max(n.Found, n.Named) }
