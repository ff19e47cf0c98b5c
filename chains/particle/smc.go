package particle

import (
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// SMC is sequential Monte Carlo with conditional SMC as its meta-inference. All particles go
// through a flow side by side. If they are resampled, the weights start again at one; if not, they
// are carried on, and particles stay in their slots. The output is the state of one particle, drawn
// by the weights at the end. The estimate of Z is
//
//	Zhat = product, over the stages at which they are resampled and the end, of the mean weight,
//
// and xi(u, x) = p~(x)/Zhat = q(u, x)/r(u; x), so that the constant Z of Algorithm is one. The
// trace has all states, all parents and the slot of the output.
//
// With one particle over an annealing it is annealed importance sampling, and meta-inference is its
// reverse chain.
//
// Source: Cusumano-Towner and Mansinghka 2017, supplement, section A, Eqs. 1 to 4, for multinomial
// resampling at every stage; Andrieu, Doucet and Holenstein 2010 for the other schemes.
type SMC struct {
	flow      Flow
	particles int
	scheme    Scheme
	threshold float64

	states, next, parents []int
	logw, w               []float64
	logZ                  float64
	trace                 []byte
}

// NewSMC returns sequential Monte Carlo with P particles. With threshold 1 they are resampled at
// every stage, with threshold 0 never, and otherwise if the effective sample size (sum w)^2/sum w^2
// is below the threshold times P. A scheme that is Sorted is for runs of a Filter alone.
func NewSMC(flow Flow, particles int, scheme Scheme, threshold float64) (*SMC, error) {
	if err := CheckSMC(particles, threshold); err != nil {
		return nil, err
	}
	return &SMC{
		flow: flow, particles: particles, scheme: scheme, threshold: threshold,
		states: make([]int, particles), next: make([]int, particles), parents: make([]int, particles),
		logw: make([]float64, particles), w: make([]float64, particles),
	}, nil
}

// CheckSMC returns an error if sequential Monte Carlo does not allow the number of particles or the
// threshold.
func CheckSMC(particles int, threshold float64) error {
	if particles < 1 {
		return errs.New("%d particles; sequential Monte Carlo takes at least 1", particles)
	}
	if !(threshold >= 0 && threshold <= 1) {
		return errs.New("threshold %v; give a number from 0, for no resampling, to 1, for resampling at every stage",
			threshold)
	}
	return nil
}

// Flow returns what the particles go through.
func (s *SMC) Flow() Flow { return s.flow }

// Outputs implements Algorithm.
func (s *SMC) Outputs() int { return s.flow.Outputs() }

// Run implements Algorithm.
func (s *SMC) Run(c chains.Chooser) Result {
	s.prepareRun()
	for i := range s.states {
		s.states[i] = s.flow.Start(c)
	}
	s.traceNumbers(s.states)
	for t := 1; t <= s.flow.Stages(); t++ {
		if !s.multiplyWeights(t) {
			return Extinct(Trace(s.trace))
		}
		if Due(s.logw, s.threshold) {
			if _, is := s.scheme.(Sorted); is {
				s.sort(t)
			}
			s.foldWeights()
			s.scheme.Parents(c, s.w, s.parents)
			s.inherit()
		}
		for i, x := range s.states {
			s.states[i] = s.flow.Move(c, t, x)
		}
		s.traceNumbers(s.states)
	}
	if !s.multiplyWeights(s.flow.Stages() + 1) {
		return Extinct(Trace(s.trace))
	}
	s.foldWeights()
	return s.outputSlot(c.Choose(s.w))
}

// Meta implements Algorithm, by conditional SMC: the path of the output is drawn by the backward
// kernels, and is kept among the particles, in a slot that is uniform at first. If the path comes
// to a state in which no run can be, the trace ends, and xi is zero.
func (s *SMC) Meta(c chains.Chooser, x int) Result {
	n := s.flow.Stages()
	path := make([]int, n+2)
	path[n+1] = x
	for t := n; t >= 1; t-- {
		path[t] = s.flow.Back(c, t, path[t+1])
	}
	s.prepareRun()
	slot := c.Uniform(s.particles)
	for i := range s.states {
		if i != slot {
			s.states[i] = s.flow.Start(c)
		}
	}
	s.states[slot] = path[1]
	s.traceNumbers(s.states)
	for t := 1; t <= n; t++ {
		s.multiplyWeights(t)
		if math.IsInf(s.logw[slot], 0) {
			return s.impossible(x)
		}
		if Due(s.logw, s.threshold) {
			s.foldWeights()
			// The path continues for any weight, however small; a weight that float64 has rounded
			// to zero counts as e^-708.
			s.w[slot] = max(s.w[slot], 0x1p-1022)
			slot = s.scheme.Keep(c, s.w, slot, s.parents)
			s.inherit()
		}
		for i, x := range s.states {
			if i != slot {
				s.states[i] = s.flow.Move(c, t, x)
			}
		}
		s.states[slot] = path[t+1]
		s.traceNumbers(s.states)
	}
	s.multiplyWeights(n + 1)
	if math.IsInf(s.logw[slot], 0) {
		return s.impossible(x)
	}
	s.foldWeights()
	return s.outputSlot(slot)
}

// impossible returns the result of meta-inference whose path no run has.
func (s *SMC) impossible(x int) Result {
	return Result{Output: x, Trace: Trace(s.trace), LogXi: math.Inf(-1)}
}

// prepareRun makes ready for a run.
func (s *SMC) prepareRun() {
	s.logZ = 0
	s.trace = s.trace[:0]
	clear(s.logw)
}

// traceNumbers adds numbers to the trace.
func (s *SMC) traceNumbers(numbers []int) {
	for _, v := range numbers {
		for v >= 0x80 {
			s.trace = append(s.trace, byte(v)|0x80)
			v >>= 7
		}
		s.trace = append(s.trace, byte(v))
	}
}

// multiplyWeights multiplies the weights by those of a stage, and reports whether one of them is
// positive.
func (s *SMC) multiplyWeights(t int) bool {
	alive := false
	for i, x := range s.states {
		if math.IsInf(s.logw[i], -1) {
			continue // its weight stays zero, even if it moves to a state that weighs +Inf
		}
		s.logw[i] += s.flow.LogWeight(t, x)
		alive = alive || !math.IsInf(s.logw[i], -1)
	}
	return alive
}

// sort sorts the particles of a filter by their types and log weights.
func (s *SMC) sort(t int) {
	slots := make([]Slot, s.particles)
	of := make(map[Slot]int)
	for i, x := range s.states {
		slots[i] = Slot{s.flow.(Filter).Type(t, x), s.logw[i]}
		of[slots[i]] = x
	}
	SortSlots(slots)
	for i, v := range slots {
		s.states[i], s.logw[i] = of[v], v.LogW
	}
}

// Due reports whether particles with these log weights are resampled: always with threshold 1,
// never with 0, and otherwise if the effective sample size (sum w)^2/sum w^2 is below the threshold
// times their number by more than rounding.
func Due(logw []float64, threshold float64) bool {
	if threshold == 0 || threshold == 1 {
		return threshold == 1
	}
	top := slices.Max(logw)
	var sum, squares float64
	for _, l := range logw {
		w := math.Exp(l - top)
		sum += w
		squares += w * w
	}
	return below(sum, squares, threshold, len(logw))
}

// below reports whether the effective sample size of weights with the given sum and sum of squares
// is below a threshold times their number.
func below(sum, squares, threshold float64, particles int) bool {
	const rounding = 1e-11
	return sum*sum < (1-rounding)*threshold*float64(particles)*squares
}

// foldWeights multiplies Zhat by the mean weight, normalises the weights, and lets them start again
// at one.
func (s *SMC) foldWeights() {
	s.logZ += number.LogMean(s.logw)
	Normalize(s.w, s.logw)
	clear(s.logw)
}

// Normalize writes the weights of which logw has the logarithms, divided by their sum. One weight
// must be positive.
func Normalize(w, logw []float64) {
	top := slices.Max(logw)
	for i, l := range logw {
		w[i] = math.Exp(l - top)
	}
	scale(w)
}

// inherit gives each slot the state of its parent, and notes the parents.
func (s *SMC) inherit() {
	for i, parent := range s.parents {
		s.next[i] = s.states[parent]
	}
	s.states, s.next = s.next, s.states
	s.traceNumbers(s.parents)
}

// outputSlot returns the result with the output in a slot.
func (s *SMC) outputSlot(slot int) Result {
	s.traceNumbers([]int{slot})
	x := s.states[slot]
	return Result{Output: x, Trace: Trace(s.trace), LogXi: s.flow.LogTarget(x) - s.logZ}
}
