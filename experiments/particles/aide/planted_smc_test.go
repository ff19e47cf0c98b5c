package aide_test

import (
	"math"
	"math/big"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/experiments/checks/planted"
)

// plantedSMC is sequential Monte Carlo with conditional SMC, written down step by step: a
// particle.Algorithm that shares only the flow with that of package chains/particle. Each field
// below is the place of a bug; newPlantedSMC sets the correct values.
type plantedSMC struct {
	Flow particle.Flow
	P    int
	Due  func(w []float64) bool // says whether particles with these normalised weights are resampled
	// Parents draws the parents of all slots, and Keep draws them if the path in slot j must
	// survive (see particle.Scheme).
	Parents func(c chains.Chooser, w []float64) []int
	Keep    func(c chains.Chooser, w []float64, j int) (parents []int, slot int)
	// draws the slot in which the path of conditional SMC begins
	First func(c chains.Chooser) int
	Back  func(c chains.Chooser, t, x int) int // draws the state before the move of a stage
	// draws the slot of the output from the normalised last weights
	Output func(c chains.Chooser, w []float64) int

	Carried    bool // whether weights are carried on if the particles are not resampled
	Counted    bool // whether the steps without resampling count in Zhat
	OldParent  bool // whether a particle is weighed by the state in its slot before resampling
	PathCounts bool // whether the path counts in the mean weight of conditional SMC
}

// newPlantedSMC returns sequential Monte Carlo without a bug, with systematic resampling if the
// effective sample size is below the threshold times P, or always if the threshold is 1.
func newPlantedSMC(flow particle.Flow, p int, threshold float64) *plantedSMC {
	s := &plantedSMC{Flow: flow, P: p, Carried: true, Counted: true, PathCounts: true, Back: flow.Back}
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
func (s *plantedSMC) By(scheme particle.Scheme) *plantedSMC {
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
	length := make([]*big.Float, P)
	heaviest := slices.Index(w, slices.Max(w))
	rest := exact(float64(P))
	for j, v := range w {
		length[j] = exact(float64(P) * v)
		if j != heaviest {
			rest.Sub(rest, length[j])
		}
	}
	length[heaviest] = rest
	end := make([]*big.Float, P)
	sum := exact(0)
	cuts := []*big.Float{exact(0), exact(1)}
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
	slot        int // of the path; -1 in a run
	path        []int
	output      int // the slot of the output; -1 where the run, or the path, is lost
}

// Outputs implements particle.Algorithm.
func (s *plantedSMC) Outputs() int { return s.Flow.Outputs() }

// Run implements particle.Algorithm.
func (s *plantedSMC) Run(c chains.Chooser) particle.Result { return s.result(s.pass(c, -1, nil)) }

// Meta implements particle.Algorithm.
func (s *plantedSMC) Meta(c chains.Chooser, x int) particle.Result {
	return s.result(s.conditional(c, x))
}

// conditional takes all particles through the flow around a path that ends in x.
func (s *plantedSMC) conditional(c chains.Chooser, x int) *swarm {
	path := make([]int, s.Flow.Stages()+1)
	path[len(path)-1] = x
	for t := len(path) - 1; t >= 1; t-- {
		path[t-1] = s.Back(c, t, path[t])
	}
	return s.pass(c, s.First(c), path)
}

// pass takes all particles through the flow, around the path if there is one.
func (s *plantedSMC) pass(c chains.Chooser, slot int, path []int) *swarm {
	u := &swarm{states: make([]int, s.P), logw: make([]float64, s.P), slot: slot, path: path, output: -1}
	s.place(u, 0, func(int) int { return s.Flow.Start(c) })
	for t := 1; t <= s.Flow.Stages(); t++ {
		if s.weigh(u, t) {
			return u
		}
		s.resample(c, u)
		s.place(u, t, func(i int) int { return s.Flow.Move(c, t, u.states[i]) })
	}
	if s.weigh(u, s.Flow.Stages()+1) {
		return u
	}
	w := s.settle(u)
	u.output = u.slot
	if u.output < 0 {
		u.output = s.Output(c, w)
	}
	u.note = append(u.note, byte(u.output))
	return u
}

// result returns the result of a pass, also if all weights, or that of the path, are zero.
func (s *plantedSMC) result(u *swarm) particle.Result {
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
func (s *plantedSMC) place(u *swarm, t int, next func(i int) int) {
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
}

// weigh multiplies the weights by those of a stage, and says whether the run, or the path, is lost.
func (s *plantedSMC) weigh(u *swarm, t int) bool {
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
	if !s.Counted && t <= s.Flow.Stages() && !s.Due(planted.Normalised(u.logw)) {
		u.logZ -= number.LogMean(u.logw) - before
	}
	return false
}

// resample resamples if that is due.
func (s *plantedSMC) resample(c chains.Chooser, u *swarm) {
	if !s.Due(planted.Normalised(u.logw)) {
		if !s.Carried {
			s.settle(u)
		}
		return
	}
	w := s.settle(u)
	var parents []int
	if u.slot < 0 {
		parents = s.Parents(c, w)
	} else {
		parents, u.slot = s.Keep(c, w, u.slot)
	}
	u.old = u.states
	u.states = make([]int, s.P)
	for i, parent := range parents {
		u.states[i] = u.old[parent]
		u.note = append(u.note, byte(parent))
	}
}

// settle multiplies Zhat by the mean weight, lets the weights start again, and returns them
// normalised.
func (s *plantedSMC) settle(u *swarm) []float64 {
	w := planted.Normalised(u.logw)
	counted := slices.Clone(u.logw)
	if u.slot >= 0 && !s.PathCounts {
		counted = slices.Delete(counted, u.slot, u.slot+1)
	}
	u.logZ += number.LogMean(counted)
	clear(u.logw)
	return w
}

// The functions below plant one bug each in sequential Monte Carlo.

// pathFirst keeps the path in the first slot, and resamples the others independently of it.
func pathFirst(s *plantedSMC) {
	s.First = func(chains.Chooser) int { return 0 }
	s.Keep = func(c chains.Chooser, w []float64, j int) ([]int, int) {
		parents := slices.Clone(s.Parents(c, w))
		parents[0] = j
		return parents, 0
	}
}

// notSizeBiased draws the parents of conditional SMC given that the path has at least one
// offspring.
func notSizeBiased(s *plantedSMC) {
	s.Keep = func(c chains.Chooser, w []float64, j int) ([]int, int) { return keep(c, w, j, false) }
}

// notCarried starts the weights again at one even if the effective sample size is high.
func notCarried(s *plantedSMC) { s.Carried = false }

// stepsOut omits the steps without resampling from Zhat.
func stepsOut(s *plantedSMC) { s.Counted = false }

// oldParent weighs a particle after resampling by the state in its slot before.
func oldParent(s *plantedSMC) { s.OldParent = true }

// uniformOutput draws the output uniformly among the particles, not by their weights.
func uniformOutput(s *plantedSMC) {
	s.Output = func(c chains.Chooser, w []float64) int { return c.Uniform(len(w)) }
}

// forwardPath draws the path of conditional SMC by the kernels instead of their time reversals.
func forwardPath(s *plantedSMC) { s.Back = s.Flow.Move }

// pathOut omits the weight of the path from the mean weights of conditional SMC.
func pathOut(s *plantedSMC) { s.PathCounts = false }

// residualOfWeights resamples by the residual scheme with the remainders W - floor(P W) instead of
// P W - floor(P W). Negative ones count as zero.
func residualOfWeights(s *plantedSMC) {
	s.Parents = func(c chains.Chooser, w []float64) []int {
		parents := make([]int, 0, s.P)
		rest := make([]float64, s.P)
		sum := 0.0
		for j, v := range w {
			whole := max(0, math.Floor(float64(s.P)*v+1e-12))
			for range int(whole) {
				parents = append(parents, j)
			}
			rest[j] = max(0, v-whole)
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
