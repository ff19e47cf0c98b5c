package gradient

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
)

// tangent is what the derivative with respect to b_t needs of stage t.
type tangent struct {
	*workspace
	t       int
	beta    float64
	p, perP []float64 // p_t and 1/p_t
	lambda  []float64 // log(p_{t-1}/p_t)
	back    []float64 // p_t/p_{t-1} - 1
	w, u, a []float64 // see Differentiate

	forward, backward *transition // the kernel and its time reversal, where they are had as rows
}

// workspace is what the stages of an annealing share. Its arrays belong to the stage that was worked on last.
type workspace struct {
	annealing *chains.Annealing
	ratio, e  []float64 // p_{t-1}/p_t, and that less one
	slope     []float64 // the derivative of log f_b by b
	logfT     []float64 // log f_t
	logfAt    int       // the t that it belongs to; 0 for none
}

// entries returns the number of entries of the rows of the kernel and of its time reversal, where they are had as rows.
func (s *tangent) entries() int {
	switch {
	case s.forward == nil:
		return 0
	case s.backward == s.forward:
		return len(s.forward.to)
	}
	return len(s.forward.to) + len(s.backward.to)
}

// arraysOfStage is the number of arrays in a tangent.
const arraysOfStage = 7

// newStages returns the memory of so many stages of an annealing.
func newStages(a *chains.Annealing, count int, m *Memory) []tangent {
	n := a.States()
	shared := &workspace{annealing: a, ratio: make([]float64, n), e: make([]float64, n), slope: make([]float64, n), logfT: make([]float64, n)}
	all := m.of(arraysOfStage * n * count) // a stage writes all of its arrays before it reads them
	stages := make([]tangent, count)
	for i := range stages {
		s := &stages[i]
		s.workspace = shared
		for _, v := range []*[]float64{&s.p, &s.perP, &s.lambda, &s.back, &s.w, &s.u, &s.a} {
			*v, all = all[:n:n], all[n:]
		}
	}
	return stages
}

// anchorEvery is the number of stages for which p_t is found from p_{t-1} and their ratio before it is computed afresh. A
// stage adds a few roundings to it.
const anchorEvery = 64

// load computes the distributions of stage t. Where before is not nil it is the stage before.
func (s *tangent) load(t int, before *tangent) {
	a := s.annealing
	s.t, s.beta = t, a.Beta(t)
	a.LogRatio(s.lambda, t)
	if before == nil || (t-2)%anchorEvery == 0 {
		s.loadDensity()
		s.compare(mean(s.p, s.lambda))
	} else {
		s.follow(before)
	}
	for x, p := range s.p {
		s.perP[x] = 1 / p
	}
}

// mean returns the mean of v under p.
func mean(p, v []float64) float64 {
	total := 0.0
	for x, v := range v {
		total += p[x] * v
	}
	return total
}

// logF returns log f_t.
func (s *tangent) logF() []float64 {
	if s.logfAt != s.t {
		s.annealing.LogF(s.logfT, s.t)
		s.logfAt = s.t
	}
	return s.logfT
}

// loadSlope computes slope at this stage, and returns its mean under p_t.
func (s *tangent) loadSlope() float64 {
	s.annealing.Path().Slope(s.slope, s.annealing.Place(s.t))
	return mean(s.p, s.slope)
}

// loadDensity computes p_t afresh.
func (s *tangent) loadDensity() {
	logf := s.logF()
	_, high := number.Bounds(logf)
	z := 0.0
	for x, v := range logf {
		s.p[x] = math.Exp(v - high)
		z += s.p[x]
	}
	for x := range s.p {
		s.p[x] /= z
	}
}

// compare replaces log f_t - log f_{t-1} in lambda, whose mean under p_t is given, by log(p_{t-1}/p_t). It also computes
// the ratio p_{t-1}/p_t, and the deviations of that ratio and of its inverse from one.
func (s *tangent) compare(mean float64) {
	total := 0.0
	for x, delta := range s.lambda {
		s.e[x] = math.Expm1(mean - delta)
		total += s.p[x] * s.e[x]
	}
	shift := math.Log1p(total)
	for x, delta := range s.lambda {
		s.lambda[x] = mean - delta - shift
		if e := s.e[x]; e > -0.5 {
			s.back[x], s.ratio[x] = (total-e)/(1+e), (1+e)/(1+total)
		} else {
			s.back[x], s.ratio[x] = math.Expm1(-s.lambda[x]), math.Exp(s.lambda[x])
		}
		s.e[x] = (s.e[x] - total) / (1 + total)
	}
}

// follow computes p_t from p_{t-1}, whose ratio is compare's, seen from the other end: it takes its means under p_{t-1}.
func (s *tangent) follow(before *tangent) {
	middle := mean(before.p, s.lambda)
	total := 0.0
	for x, delta := range s.lambda {
		s.back[x] = math.Expm1(delta - middle)
		total += before.p[x] * s.back[x]
	}
	shift := math.Log1p(total)
	per := 1 / (1 + total)
	for x, delta := range s.lambda {
		s.lambda[x] = middle - delta + shift
		b := s.back[x]
		if b > -0.5 {
			s.e[x], s.ratio[x] = (total-b)/(1+b), (1+total)/(1+b)
			s.p[x] = before.p[x] * ((1 + b) * per)
		} else {
			s.e[x], s.ratio[x] = math.Expm1(s.lambda[x]), math.Exp(s.lambda[x])
			s.p[x] = before.p[x] * math.Exp(-s.lambda[x])
		}
		s.back[x] = (b - total) * per
	}
}
