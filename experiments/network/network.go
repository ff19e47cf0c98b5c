// Package network answers: what does a graphical model say of each of its variables, given evidence? It computes the probabilities of all
// values by elimination, which enumerates no states, and with a check those of small networks by enumeration too.
//
// It never samples, and it reads no file: package toys/networks does both of reading and eliminating.
package network

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/toys/networks"
)

// Question is a network with evidence that is possible.
type Question struct {
	Selector string // of the toy of the network, in canonical form
	*networks.Query
	Posterior *networks.Inference // given the evidence
}

// Ask reads a network from a path or a selector, with evidence and hidden variables as networks.Open takes them, and computes the
// probabilities given the evidence, since only these tell whether there is an answer. It fails where the evidence is impossible, and where the
// tables of the elimination would be too large.
func Ask(text, evidence, hide string) (Question, error) {
	q, selected, err := networks.Open(text, evidence, hide)
	if err != nil {
		return Question{}, err
	}
	posterior, err := q.Infer()
	return Question{selected, q, posterior}, err
}

// Answer is what elimination says of a network.
type Answer struct {
	Question
	Prior     *networks.Inference // before anything has been observed; nil where Lack says why it is not known
	Lack      error
	Check     *Check // nil where nothing was enumerated
	Unchecked error  // why nothing was, where it was asked for
}

// Check is what enumeration says of the target of a network.
type Check struct {
	States    int
	LogZ      float64     // the logarithm of the sum over all states
	Marginals [][]float64 // of each variable; nil of one that is observed or hidden
	Worst     float64     // the largest difference of a probability from that of elimination
	Off       float64     // the difference of LogZ from that of elimination, divided by its size where that is above 1
}

// Row is what an answer says of one value of a variable.
type Row struct {
	*Answer
	Variable, Value int
}

// answerTo computes an answer.
func answerTo(q Question, check bool) *Answer {
	a := &Answer{Question: q}
	a.Prior, a.Lack = q.Network.Prior()
	if check {
		if a.Check, a.Unchecked = enumerate(q); a.Check != nil {
			a.Check.compare(a.Posterior)
		}
	}
	return a
}

// enumerate computes by enumeration what elimination does. It fails where there are too many states for that.
func enumerate(q Question) (*Check, error) {
	target, err := q.Target()
	if err != nil {
		return nil, err
	}
	logf := target.LogF
	if target.Model != nil {
		logf = target.Model.LogLikelihood(1)
		for x, prior := range target.Model.LogPrior() {
			logf[x] += prior
		}
	}
	c := &Check{States: target.Space.States(), LogZ: number.LogTotal(logf), Marginals: make([][]float64, len(q.Variables))}
	chains.Normalize(logf)
	for axis, v := range q.Free() {
		sums := make([]number.Sum, target.Space.Side(axis))
		for x, p := range logf {
			sums[target.Space.Coord(x, axis)].Add(p)
		}
		for at := range sums {
			c.Marginals[v] = append(c.Marginals[v], sums[at].Value())
		}
	}
	return c, nil
}

// compare finds how far an inference is from the enumeration.
func (c *Check) compare(with *networks.Inference) {
	for v, marginal := range c.Marginals {
		for at, p := range marginal {
			c.Worst = max(c.Worst, math.Abs(p-with.Marginals[v][at]))
		}
	}
	c.Off = math.Abs(c.LogZ-with.LogZ) / max(1, math.Abs(c.LogZ))
}

// tolerance is how far elimination and enumeration may be apart.
const tolerance = 1e-12

// Agrees reports whether elimination and enumeration say the same.
func (c *Check) Agrees() bool { return c.Worst <= tolerance && c.Off <= tolerance }

// Probability returns the probability of the value given the evidence: one and zero of a variable that has been observed.
func (r *Row) Probability() float64 {
	switch r.Evidence[r.Variable] {
	case networks.Unseen:
		return r.Posterior.Marginals[r.Variable][r.Value]
	case r.Value:
		return 1
	}
	return 0
}

// rows returns the rows of an answer: each value of each variable that is not hidden, in the order of the file.
func rows(a *Answer) (list []Row) {
	for v, variable := range a.Variables {
		for value := range variable.Labels {
			if !a.Hidden[v] {
				list = append(list, Row{a, v, value})
			}
		}
	}
	return list
}
