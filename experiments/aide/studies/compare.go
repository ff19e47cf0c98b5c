package studies

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	sampler "breadboard/chains/particle"
	"breadboard/exact/particle"
)

// problem is what the algorithms of a study are compared on. Its outputs are 0..n-1.
type problem struct {
	study string
	p     []float64           // the posterior
	probe func(x int) float64 // nil where the study has none
	said  string              // what the probe is
	parts func(x int) []int   // the parts of an output, whose marginals are wanted; nil for none
	kinds int                 // the number of values that a part may have
	all   []contender         // the algorithms
}

// contender is one algorithm of a study.
type contender struct {
	algorithm  string
	particles  int
	rejuvenate bool
	// exact returns what is known exactly; nil where nothing is.
	exact func(ctx context.Context) (*known, error)
	// sampled returns the algorithm; it is called where exact is nil, and once for each goroutine.
	sampled func() (sampler.Algorithm, error)
	missing string // says, where exact is nil, why
}

// known is the exact law of an algorithm.
type known struct {
	side     particle.Side
	lmlError float64 // E log Zhat - log Z; NaN for an algorithm that estimates no Z
	method   string
	notes    []string
}

// compare returns the rows of an algorithm whose law is known.
func (s *problem) compare(ctx context.Context, c *contender, k *known, metas []int) ([]Row, error) {
	estimates, err := particle.AIDE(ctx, k.side, particle.NewExact(len(s.p)), s.p, metas, []int{1})
	if err != nil {
		return nil, err
	}
	probe := math.NaN()
	if s.probe != nil {
		probe = s.mean(outputs(k.side, s.p), s.probe)
	}
	var rows []Row
	for i := range estimates {
		e := &estimates[i]
		rows = append(rows, Row{
			Study: s.study, Algorithm: c.algorithm, Particles: c.particles, Rejuvenate: c.rejuvenate, Meta: e.Meta,
			J: e.J, Mean: e.Mean, SD: e.SD(), LMLError: k.lmlError, Probe: probe, Method: k.method,
			Notes: slices.Concat(k.notes, e.Notes),
		})
	}
	return rows, nil
}

// outputs returns the law of the outputs of an algorithm, among the runs that have one.
func outputs(side particle.Side, p []float64) []float64 {
	q := make([]float64, len(p))
	for x, l := range side.LogRatio() {
		if p[x] > 0 {
			q[x] = p[x] * math.Exp(l)
		}
	}
	floats.Scale(1/floats.SumCompensated(slices.Clone(q)), q)
	return q
}

// mean returns the mean of a function of the output.
func (s *problem) mean(q []float64, f func(x int) float64) float64 {
	terms := make([]float64, len(q))
	for x := range q {
		terms[x] = q[x] * f(x)
	}
	return floats.SumCompensated(terms)
}

// marginals returns the law of each part of an output.
func (s *problem) marginals(q []float64) [][]float64 {
	out := make([][]float64, len(s.parts(0)))
	for t := range out {
		out[t] = make([]float64, s.kinds)
	}
	for x := range q {
		for t, v := range s.parts(x) {
			out[t][v] += q[x]
		}
	}
	return out
}

// densityError returns E log Zhat - log Z of an algorithm whose Zhat is p~(x)/q(x), as that of a variational approximation is:
// minus KL(q||p).
func densityError(logRatio, p []float64) float64 {
	terms := make([]float64, len(p))
	for x, l := range logRatio {
		if q := p[x] * math.Exp(l); q > 0 {
			terms[x] = -q * l
		}
	}
	return floats.SumCompensated(terms)
}
