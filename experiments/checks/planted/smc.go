package planted

import (
	"math"
	"math/big"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/particle"
)

// Particles is sequential Monte Carlo with conditional SMC, written down step by step: a
// particle.Algorithm that shares only the flow with that of package chains/particle. Each field
// below is the place of a bug; NewParticles sets the correct values.
type Particles struct {
	Flow particle.Flow
	P    int
	Due  func(w []float64) bool // says whether particles with these normalised weights are resampled
	// Parents draws the parents of all slots, and Keep draws them if the path in slot j must
	// survive (see particle.Scheme).
	Parents func(c chains.Chooser, w []float64) []int
	Keep    func(c chains.Chooser, w []float64, j int) (parents []int, slot int)
	First   func(c chains.Chooser) int              // draws the slot in which the path of conditional SMC begins
	Back    func(c chains.Chooser, t, x int) int    // draws the state before the move of a stage
	Output  func(c chains.Chooser, w []float64) int // draws the slot of the output from the normalised last weights

	Mean func(logw []float64) float64 // returns the logarithm of the mean of weights that are given by their logarithms

	Reset      bool // whether the weights start again at one if the particles are resampled
	Inherits   bool // whether weights that do not start again are those of the parents, not those of the slots
	Scaled     bool // whether weights that do not start again are normalised first
	Carried    bool // whether weights are carried on if the particles are not resampled
	Counted    bool // whether the steps without resampling count in Zhat
	OldParent  bool // whether a particle is weighed by the state in its slot before resampling
	PathCounts bool // whether the path counts in the mean weight of conditional SMC
	LastCounts bool // whether the weights after the last move count in Zhat
	Late       bool // whether particles are weighed only after they were resampled
}

// NewParticles returns sequential Monte Carlo without a bug, with systematic resampling if the
// effective sample size is below the threshold times P, or always if the threshold is 1.
func NewParticles(flow particle.Flow, p int, threshold float64) *Particles {
	s := &Particles{Flow: flow, P: p, Mean: number.LogMean, Reset: true, Carried: true, Counted: true, PathCounts: true, LastCounts: true, Back: flow.Back}
	s.Due = func(w []float64) bool { return threshold == 1 || 1+1e-11 < threshold*float64(p)*squares(w) }
	s.Parents = func(c chains.Chooser, w []float64) []int {
		ways, prob := systematicWays(w)
		return ways[c.Choose(prob)]
	}
	s.Keep = func(c chains.Chooser, w []float64, j int) ([]int, int) { return keep(c, w, j, true) }
	s.First = func(c chains.Chooser) int { return c.Uniform(p) }
	s.Output = func(c chains.Chooser, w []float64) int { return c.Choose(w) }
	return s
}

// squares returns the sum of the squares of weights, which is one over their effective sample size
// where they sum to one.
func squares(w []float64) float64 {
	sum := 0.0
	for _, v := range w {
		sum += v * v
	}
	return sum
}

// By returns the same algorithm with another scheme, in runs and in conditional SMC.
func (s *Particles) By(scheme particle.Scheme) *Particles {
	s.Parents = func(c chains.Chooser, w []float64) []int {
		parents := make([]int, len(w))
		scheme.Parents(c, w, parents)
		return parents
	}
	s.Keep = func(c chains.Chooser, w []float64, j int) ([]int, int) {
		parents := make([]int, len(w))
		slot := scheme.Keep(c, w, j, parents)
		return parents, slot
	}
	return s
}

// combBits are the bits with which the ends of stretches are added up: enough for a sum of any
// float64 up to 2^60 to be exact.
const combBits = 1200

// systematicWays returns the ways in which systematic resampling can give out the slots, with their
// probabilities. Each particle has a stretch of a line, as long as P times its weight, and the
// heaviest has what the others leave. The ends are added up without rounding: that of a small
// weight lies within rounding of the one before it, and such a particle would have no way in which
// it has offspring.
func systematicWays(w []float64) (ways [][]int, prob []float64) {
	P := len(w)
	exact := func(v float64) *big.Float { return new(big.Float).SetPrec(combBits).SetFloat64(v) }
	length, heaviest, rest := make([]*big.Float, P), slices.Index(w, slices.Max(w)), exact(float64(P))
	for j, v := range w {
		if length[j] = exact(float64(P) * v); j != heaviest {
			rest.Sub(rest, length[j])
		}
	}
	length[heaviest] = rest
	end, sum, cuts := make([]*big.Float, P), exact(0), []*big.Float{exact(0), exact(1)}
	for j := range end {
		sum.Add(sum, length[j])
		end[j] = exact(0).Set(sum)
		whole, _ := sum.Int64()
		cuts = append(cuts, exact(0).Sub(sum, exact(float64(whole))))
	}
	slices.SortStableFunc(cuts, (*big.Float).Cmp)
	for i := 1; i < len(cuts); i++ {
		between, _ := exact(0).Sub(cuts[i], cuts[i-1]).Float64()
		if between == 0 {
			continue
		}
		parents := make([]int, P)
		for slot := range parents {
			at := exact(float64(slot))
			at.Add(at, cuts[i-1])
			parents[slot] = slices.IndexFunc(end, func(e *big.Float) bool { return e.Cmp(at) > 0 })
		}
		ways, prob = append(ways, parents), append(prob, between)
	}
	return ways, prob
}

// keep draws one of the ways in which particle j has offspring, and one of its slots. Biased ways
// are as likely as their probability times the number of j's offspring.
func keep(c chains.Chooser, w []float64, j int, biased bool) (parents []int, slot int) {
	ways, prob := systematicWays(w)
	sum := 0.0
	for i, way := range ways {
		offspring := 0.0
		for _, parent := range way {
			if parent == j {
				offspring++
			}
		}
		if !biased {
			offspring = min(offspring, 1)
		}
		prob[i] *= offspring
		sum += prob[i]
	}
	for i := range prob {
		prob[i] /= sum
	}
	parents = ways[c.Choose(prob)]
	var slots []int
	for i, parent := range parents {
		if parent == j {
			slots = append(slots, i)
		}
	}
	return parents, slots[c.Uniform(len(slots))]
}

// swarm is the state of one run.
type swarm struct {
	states, old []int
	logw        []float64
	logZ        float64
	note        []byte
	parents     [][]int // by stage: the parents of all slots; nil if the particles were not resampled
	places      [][]int // by stage, and after the last move: the states of all slots
	slot        int     // of the path; -1 in a run
	path        []int
	output      int // the slot of the output; -1 where the run, or the path, is lost
}

// Record is the result of a run, or of conditional SMC: everything that a program can record except
// the states between the moves of a stage.
type Record struct {
	LogZ    float64 // log Zhat, in nats
	Parents [][]int // by stage, from the first: the parents of all slots; nil if the particles were not resampled
	States  [][]int // by stage, and after the last move: the states by slot, before they are weighed
	Last    []int   // by slot: the states in the end, before one of them is drawn as the output
	Output  int     // the output; -1 where all weights, or that of the path, are zero
}

// record returns what a swarm has come to.
func (u *swarm) record() Record {
	r := Record{LogZ: u.logZ, Parents: u.parents, States: u.places, Last: u.states, Output: -1}
	if u.output >= 0 {
		r.Output = u.states[u.output]
	}
	return r
}

// Record makes a run.
func (s *Particles) Record(c chains.Chooser) Record { return s.pass(c, -1, nil).record() }

// RecordMeta makes a run of conditional SMC for an output.
func (s *Particles) RecordMeta(c chains.Chooser, x int) Record { return s.conditional(c, x).record() }

// Outputs implements particle.Algorithm.
func (s *Particles) Outputs() int { return s.Flow.Outputs() }

// Run implements particle.Algorithm.
func (s *Particles) Run(c chains.Chooser) particle.Result { return s.result(s.pass(c, -1, nil)) }

// Meta implements particle.Algorithm.
func (s *Particles) Meta(c chains.Chooser, x int) particle.Result {
	return s.result(s.conditional(c, x))
}

// conditional takes all particles through the flow around a path that ends in x.
func (s *Particles) conditional(c chains.Chooser, x int) *swarm {
	path := make([]int, s.Flow.Stages()+1)
	path[len(path)-1] = x
	for t := len(path) - 1; t >= 1; t-- {
		path[t-1] = s.Back(c, t, path[t])
	}
	return s.pass(c, s.First(c), path)
}

// pass takes all particles through the flow, around the path if there is one.
func (s *Particles) pass(c chains.Chooser, slot int, path []int) *swarm {
	u := &swarm{states: make([]int, s.P), logw: make([]float64, s.P), slot: slot, path: path, output: -1}
	s.place(u, 0, func(int) int { return s.Flow.Start(c) })
	for t := 1; t <= s.Flow.Stages(); t++ {
		if s.Late {
			s.resample(c, u)
		}
		if s.weigh(u, t) {
			return u
		}
		if !s.Late {
			s.resample(c, u)
		}
		s.place(u, t, func(i int) int { return s.Flow.Move(c, t, u.states[i]) })
	}
	if s.weigh(u, s.Flow.Stages()+1) {
		return u
	}
	before := u.logZ
	w := s.settle(u)
	if !s.LastCounts {
		u.logZ = before
	}
	if u.output = u.slot; u.output < 0 {
		u.output = s.Output(c, w)
	}
	u.note = append(u.note, byte(u.output))
	return u
}

// result returns the result of a pass, also if all weights, or that of the path, are zero.
func (s *Particles) result(u *swarm) particle.Result {
	switch {
	case u.output >= 0:
		x := u.states[u.output]
		return particle.Result{Output: x, Trace: particle.Trace(u.note), LogXi: s.Flow.LogTarget(x) - u.logZ}
	case u.slot < 0:
		return particle.Extinct(particle.Trace(u.note))
	}
	return particle.Result{Output: u.path[len(u.path)-1], Trace: particle.Trace(u.note), LogXi: math.Inf(-1)}
}

// place gives every particle its next state, that of the path from the path.
func (s *Particles) place(u *swarm, t int, next func(i int) int) {
	for i := range u.states {
		if i == u.slot {
			u.states[i] = u.path[t]
		} else {
			u.states[i] = next(i)
		}
	}
	for _, x := range u.states {
		u.note = append(u.note, byte(x))
	}
	u.places = append(u.places, slices.Clone(u.states))
}

// weigh multiplies the weights by those of a stage, and says whether the run, or the path, is lost.
func (s *Particles) weigh(u *swarm, t int) bool {
	before := number.LogMean(u.logw)
	for i, x := range u.states {
		if s.OldParent && u.old != nil {
			x = u.old[i]
		}
		u.logw[i] += s.Flow.LogWeight(t, x)
	}
	u.old = nil
	if u.slot >= 0 && math.IsInf(u.logw[u.slot], 0) || math.IsInf(slices.Max(u.logw), -1) {
		return true
	}
	if !s.Counted && t <= s.Flow.Stages() && !s.Due(Normalised(u.logw)) {
		u.logZ -= number.LogMean(u.logw) - before
	}
	return false
}

// resample resamples if that is due.
func (s *Particles) resample(c chains.Chooser, u *swarm) {
	if !s.Due(Normalised(u.logw)) {
		if !s.Carried {
			s.settle(u)
		}
		u.parents = append(u.parents, nil)
		return
	}
	kept := slices.Clone(u.logw)
	w := s.settle(u)
	if !s.Reset {
		u.logw = kept
	}
	var parents []int
	if u.slot < 0 {
		parents = s.Parents(c, w)
	} else {
		parents, u.slot = s.Keep(c, w, u.slot)
	}
	u.parents = append(u.parents, parents)
	u.old = u.states
	u.states = make([]int, s.P)
	for i, parent := range parents {
		u.states[i] = u.old[parent]
		u.note = append(u.note, byte(parent))
		if s.Inherits {
			u.logw[i] = kept[parent]
		}
	}
	if s.Scaled {
		mean := number.LogMean(u.logw)
		for i := range u.logw {
			u.logw[i] -= mean
		}
	}
}

// settle multiplies Zhat by the mean weight, lets the weights start again, and returns them
// normalised.
func (s *Particles) settle(u *swarm) []float64 {
	w := Normalised(u.logw)
	counted := slices.Clone(u.logw)
	if u.slot >= 0 && !s.PathCounts {
		counted = slices.Delete(counted, u.slot, u.slot+1)
	}
	u.logZ += s.Mean(counted)
	clear(u.logw)
	return w
}

// The functions below plant one bug each in sequential Monte Carlo.

// Inherited starts every particle with the weight of its parent after resampling.
func Inherited(s *Particles) { s.Reset, s.Inherits = false, true }

// InheritedShares is Inherited with normalised weights, as in older versions of FilterPy.
// KeptShares keeps the normalised weights in their slots.
func InheritedShares(s *Particles) { s.Reset, s.Inherits, s.Scaled = false, true, true }
func KeptShares(s *Particles)      { s.Reset, s.Scaled = false, true }

// MeanOfShares makes Zhat the product of the means of normalised weights, which are 1/P, and
// SumOfShares that of their sums, which are one.
func MeanOfShares(s *Particles) {
	s.Mean = func(logw []float64) float64 { return -number.Log(float64(len(logw))) }
}
func SumOfShares(s *Particles) { s.Mean = func([]float64) float64 { return 0 } }

// PathFirst keeps the path in the first slot, and resamples the others independently of it.
func PathFirst(s *Particles) {
	s.First = func(chains.Chooser) int { return 0 }
	s.Keep = func(c chains.Chooser, w []float64, j int) ([]int, int) {
		parents := slices.Clone(s.Parents(c, w))
		parents[0] = j
		return parents, 0
	}
}

// PathForgotten draws the parent of the path like that of any other slot, and continues the path in
// its slot with any parent.
func PathForgotten(s *Particles) {
	s.Keep = func(c chains.Chooser, w []float64, j int) ([]int, int) { return s.Parents(c, w), j }
}

// NotSizeBiased draws the parents of conditional SMC given that the path has at least one
// offspring.
func NotSizeBiased(s *Particles) {
	s.Keep = func(c chains.Chooser, w []float64, j int) ([]int, int) { return keep(c, w, j, false) }
}

// LastRepeatsFirst gives the last slot the parent of the first one, like an index that wraps around
// too early. The path of conditional SMC stays in the last slot if it is there.
func LastRepeatsFirst(s *Particles) {
	parents, keep := s.Parents, s.Keep
	s.Parents = func(c chains.Chooser, w []float64) []int {
		drawn := slices.Clone(parents(c, w))
		drawn[len(drawn)-1] = drawn[0]
		return drawn
	}
	s.Keep = func(c chains.Chooser, w []float64, j int) ([]int, int) {
		drawn, slot := keep(c, w, j)
		drawn = slices.Clone(drawn)
		if last := len(drawn) - 1; slot != last {
			drawn[last] = drawn[0]
		}
		return drawn, slot
	}
}

// UniformParents draws the parents without regard to the weights.
func UniformParents(s *Particles) {
	parents, keep := s.Parents, s.Keep
	flat := func(w []float64) []float64 {
		even := make([]float64, len(w))
		for i := range even {
			even[i] = 1 / float64(len(w))
		}
		return even
	}
	s.Parents = func(c chains.Chooser, w []float64) []int { return parents(c, flat(w)) }
	s.Keep = func(c chains.Chooser, w []float64, j int) ([]int, int) { return keep(c, flat(w), j) }
}

// NotReset keeps the weights of resampled particles, so that these count twice.
func NotReset(s *Particles) { s.Reset = false }

// SumForMean takes the sum of the weights in Zhat instead of their mean.
func SumForMean(s *Particles) { s.Mean = number.LogSumExp }

// MeanOfLogWeights takes the mean of the log weights instead of the logarithm of the mean weight.
func MeanOfLogWeights(s *Particles) { s.Mean = meanOf }

// NotCarried starts the weights again at one even if the effective sample size is high.
func NotCarried(s *Particles) { s.Carried = false }

// StepsOut omits the steps without resampling from Zhat.
func StepsOut(s *Particles) { s.Counted = false }

// OldParent weighs a particle after resampling by the state in its slot before.
func OldParent(s *Particles) { s.OldParent = true }

// UniformOutput draws the output uniformly among the particles, not by their weights.
func UniformOutput(s *Particles) {
	s.Output = func(c chains.Chooser, w []float64) int { return c.Uniform(len(w)) }
}

// ForwardPath draws the path of conditional SMC by the kernels instead of their time reversals.
func ForwardPath(s *Particles) { s.Back = s.Flow.Move }

// PathInOrder draws the path by the time reversals in the order of a run, instead of the last stage
// first.
func PathInOrder(s *Particles) {
	s.Back = func(c chains.Chooser, t, x int) int { return s.Flow.Back(c, s.Flow.Stages()+1-t, x) }
}

// PathOut omits the weight of the path from the mean weights of conditional SMC.
func PathOut(s *Particles) { s.PathCounts = false }

// LastOut omits the weights after the last move from Zhat.
func LastOut(s *Particles) { s.LastCounts = false }

// Late resamples by the weights of the stage before, and then weighs.
func Late(s *Particles) { s.Late = true }

// WholeRoundedDown resamples by the residual scheme with whole parts that are one too small if P W
// is whole, as rounding can make them. The rest is drawn.
func WholeRoundedDown(s *Particles) { residual(s, s.P, -1e-9) }

// ResidualOfWeights resamples by the residual scheme with the remainders W - floor(P W) instead of
// P W - floor(P W). Negative ones count as zero.
func ResidualOfWeights(s *Particles) { residual(s, 1, 1e-12) }

// residual resamples by the residual scheme, where the whole parts are those of P W + shift, and
// scale W less the whole part is left to be drawn.
func residual(s *Particles, scale int, shift float64) {
	s.Parents = func(c chains.Chooser, w []float64) []int {
		parents := make([]int, 0, s.P)
		rest := make([]float64, s.P)
		sum := 0.0
		for j, v := range w {
			whole := max(0, math.Floor(float64(s.P)*v+shift))
			for range int(whole) {
				parents = append(parents, j)
			}
			rest[j] = max(0, float64(scale)*v-whole)
			sum += rest[j]
		}
		for len(parents) < s.P {
			for j := range rest {
				rest[j] /= sum
			}
			sum = 1
			parents = append(parents, c.Choose(rest))
		}
		return parents
	}
}

// meanOf returns the mean.
func meanOf(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}
