package particle

import (
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// Adaptive is sequential Monte Carlo along a path with adaptive betas. At each stage the next beta
// is the largest at which the conditional effective sample size of the increments w =
// f_to(x)/f_from(x),
//
//	CESS = P (sum W w)^2/sum W w^2, W the weights that are carried, which sum to one,
//
// is RHO P, or 1 if the step to 1 keeps it. Zhat is multiplied by sum W w. Then the particles are
// resampled as in SMC, and move by the kernel at the new beta. The run ends after the move at beta
// = 1; its output is the state of one particle, drawn by the weights. The betas depend on the
// particles, so that Zhat is biased. The increments of the process are those of log Zhat.
//
// Particles whose weight becomes zero for every step, however short, are lost. CESS is then that of
// the others, whose number replaces P. If all are lost, the run ends without an output, and Zhat is
// zero. On a path along which CESS is not monotonic, the beta is one at which it falls below RHO P.
// Betas are on a grid of 2^-50. On a geometric path a step depends only on the states of the
// particles, so that histories with the same steps in another order come to the same beta, to the
// last bit.
//
// Sources: Del Moral, Doucet and Jasra 2012; Zhou, Johansen and Aston 2016, section 3; on the bias
// Beskos, Jasra, Kantas and Thiery 2016.
type Adaptive struct {
	kernel    chains.Kernel
	scheme    Scheme
	rho       float64
	threshold float64
	// whether particles stay in their slots: if their slots matter, or if they are too many to be
	// enumerated
	ordered     bool
	start, last []float64 // the distribution of the first states, and log f at the end of the path

	// The state from which a step was last taken; the fields below belong to it.
	from  Herd
	here  advance // from its beta to the next
	ahead advance // from there to 1, of the particles after the move
	over  bool    // whether the step of ahead is allowed, so that the next beta is 1
	seen  []Slot  // the particles of ahead for which over was found
	due   bool    // whether the particles are resampled
	// the distribution of a particle after resampling and the move; nil if the two are drawn one
	// after the other
	offspring []float64
	tails     []float64 // the probabilities of a state and all that come after it
	numbers   []float64 // the distribution of how many particles are in a state
	parents   []int
	row       []chains.Entry
	packer    Packer
}

// Herd is the state of all particles between two stages of Adaptive, or the output at the end.
type Herd struct {
	Beta float64
	// the states, and the logarithms of carried weights: of one particle if beta is 1, and empty at
	// the end
	Particles string
	Output    int // at the end, the output: -1 if there is none
	Stages    int // the number of stages so far, if beta is 1 or this is the end
}

// few is the largest number of states, and of particles, for which two operations are made that
// save branches in an enumeration but only cost time in a simulation: to draw parent and move
// together from their joint distribution, and to sort the particles.
const few = 64

// NewAdaptive returns the process with P particles; scheme and threshold are those of NewSMC. It
// fails unless 0 <= rho < 1: a CESS of all particles allows no step.
func NewAdaptive(path chains.Path, kernel chains.Kernel, particles int, scheme Scheme,
	threshold, rho float64) (*Adaptive, error) {
	if err := CheckSMC(particles, threshold); err != nil {
		return nil, err
	}
	if !(rho >= 0 && rho < 1) {
		return nil, errs.New(
			"a conditional effective sample size of %v P; give a number from 0, which takes one step, to below 1",
			rho,
		)
	}
	a := &Adaptive{
		kernel:    kernel,
		scheme:    scheme,
		rho:       rho,
		threshold: threshold,
		start:     make([]float64, path.States()),
		last:      make([]float64, path.States()),
		here:      newAdvance(path, particles),
		ahead:     newAdvance(path, particles),
		parents:   make([]int, particles),
		numbers:   make([]float64, particles+1),
	}
	a.ordered = particles > few || OrderMatters(scheme, particles, threshold)
	a.packer.Weights = threshold < 1
	path.LogF(a.start, chains.At(0))
	chains.Normalize(a.start)
	path.LogF(a.last, chains.At(1))
	return a, nil
}

// Steps returns the largest number of stages: far more than the exact distributions and simulations
// of few particles take.
func (*Adaptive) Steps() int { return 10_000 }

// Ended implements chains.Ender.
func (*Adaptive) Ended(h Herd) bool { return h.Particles == "" }

// Start implements chains.Process.
func (a *Adaptive) Start(c chains.Chooser) Herd {
	for i := range a.ahead.particles {
		a.ahead.particles[i] = Slot{State: c.Choose(a.start)}
	}
	return Herd{Particles: a.pack(a.ahead.particles)}
}

// Step implements chains.Process. Resampling at beta = 1 does not change the distribution of one
// particle that is drawn by the weights, nor do the moves of the others. So that particle alone is
// drawn as soon as the next beta is known to be 1, and moves in a step of its own.
func (a *Adaptive) Step(c chains.Chooser, t int, h Herd) (Herd, float64) {
	switch {
	case a.Ended(h):
		return h, 0
	case h.Beta == 1:
		a.packer.Unpack(h.Particles, a.ahead.particles[:1])
		return Herd{Output: moved(c, a.kernel, a.last, a.ahead.particles[0].State), Stages: h.Stages}, 0
	case a.from != h:
		a.from = h
		a.findBeta()
	}
	if a.here.to.Beta == 1 {
		return a.finish(c, &a.here, t), a.here.gain
	}
	a.resampleAndMove(c)
	if !slices.Equal(a.ahead.particles, a.seen) {
		a.seen = append(a.seen[:0], a.ahead.particles...)
		a.over = a.allowed(&a.ahead)
		if a.over {
			a.ahead.multiplyWeights()
		}
	}
	if !a.over {
		return Herd{Beta: a.here.to.Beta, Particles: a.pack(a.ahead.particles)}, a.here.gain
	}
	return a.finish(c, &a.ahead, t+1), a.here.gain + a.ahead.gain
}

// finish returns the state from which only the output still moves, after the given number of
// stages.
func (a *Adaptive) finish(c chains.Chooser, to1 *advance, stages int) Herd {
	if math.IsInf(to1.gain, -1) {
		return Herd{Output: -1, Stages: stages}
	}
	return Herd{
		Beta:      1,
		Particles: a.pack([]Slot{{State: to1.particles[c.Choose(to1.w)].State}}),
		Stages:    stages,
	}
}

// findBeta finds the next beta of the current state, and weighs its particles there.
func (a *Adaptive) findBeta() {
	v := &a.here
	a.packer.Unpack(a.from.Particles, v.particles)
	v.from(a.from.Beta)
	if !a.allowed(v) {
		a.shorten(v)
	}
	v.multiplyWeights()
	if v.to.Beta == 1 {
		return
	}
	a.seen = a.seen[:0]
	a.ahead.from(v.to.Beta)
	a.ahead.path.LogF(a.ahead.logf, v.to)
	a.due = Due(v.logw, a.threshold)
	a.mix()
}

// shorten finds the longest step of the grid whose loss is at most what RHO allows, if the step to
// 1 loses more. It searches for a root by interpolation of the square roots of the losses, which
// are about proportional to the steps. It uses the Illinois rule, and bisection if that does not
// converge.
func (a *Adaptive) shorten(v *advance) {
	allowed := math.Sqrt(1 - a.rho)
	low, high := int64(0), v.steps
	below := -allowed
	above := math.Sqrt(v.lost()) - allowed
	for tries, stayed := 0, 0; high-low > 1; tries++ {
		// stayed is 1 if high has not moved last, and -1 if low has not
		try := low + int64(float64(high-low)*below/(below-above))
		if try <= low || try >= high || tries > 30 {
			try = low + (high-low)/2
		}
		v.reach(try)
		off := math.Sqrt(v.lost()) - allowed
		if off <= 0 {
			low = try
			below = off
			if stayed > 0 {
				above /= 2
			}
			stayed = 1
			continue
		}
		high = try
		above = off
		if stayed < 0 {
			below /= 2
		}
		stayed = -1
	}
	v.reach(max(low, 1))
}

// allowed reports whether the current step, to beta = 1, loses no more than RHO allows, up to
// rounding.
func (a *Adaptive) allowed(v *advance) bool { return v.lost() <= (1-a.rho)*(1+1e-13) }

// resampleAndMove resamples the particles if that is due, and moves them.
func (a *Adaptive) resampleAndMove(c chains.Chooser) {
	v := &a.here
	next := a.ahead.particles
	logf := a.ahead.logf
	switch {
	case a.due && a.offspring != nil:
		a.drawOffspring(c, next)
		return
	case a.due:
		a.scheme.Parents(c, v.w, a.parents)
	}
	for i, p := range v.particles {
		switch {
		case a.due:
			next[i] = Slot{State: moved(c, a.kernel, logf, v.particles[a.parents[i]].State)}
		case math.IsInf(v.logw[i], -1):
			next[i] = Slot{LogW: v.logw[i]} // nothing depends on where it is
		default:
			next[i] = Slot{moved(c, a.kernel, logf, p.State), v.logw[i]}
		}
	}
}

// drawOffspring draws independent particles from the distribution of offspring. It draws counts
// state by state, so that an enumeration has one branch for each multiset of states, and not one
// for each order.
func (a *Adaptive) drawOffspring(c chains.Chooser, next []Slot) {
	for x, tail := range a.tails {
		left := len(next)
		switch {
		case left == 0:
			return
		case a.offspring[x] < tail:
			ways := 1.0
			others := 1.0
			a.numbers = a.numbers[:left+1]
			for k := range a.numbers {
				a.numbers[k] = ways
				ways *= a.offspring[x] / tail * float64(left-k) / float64(k+1)
			}
			for k := range a.numbers {
				a.numbers[left-k] *= others
				others *= a.tails[x+1] / tail
			}
			scale(a.numbers)
			left = c.Choose(a.numbers)
		}
		for i := range left {
			next[i] = Slot{State: x}
		}
		next = next[left:]
	}
}

// mix computes the distribution of a particle after resampling and the move, from which particles
// are drawn independently.
func (a *Adaptive) mix() {
	rows, has := a.kernel.(chains.Rower)
	if _, independent := a.scheme.(Multinomial); !a.due || !independent || !has || len(a.last) > few {
		a.offspring = nil
		return
	}
	if a.offspring == nil {
		a.offspring = make([]float64, len(a.last))
		a.tails = make([]float64, len(a.last))
	}
	clear(a.offspring)
	for i, p := range a.here.particles {
		if w := a.here.w[i]; w > 0 {
			a.row = rows.AppendRow(a.row[:0], a.ahead.logf, p.State)
			for _, e := range a.row {
				a.offspring[e.To] += w * e.P
			}
		}
	}
	scale(a.offspring)
	copy(a.tails, a.offspring)
	for x := len(a.tails) - 1; x > 0; x-- {
		a.tails[x-1] += a.tails[x]
	}
}

// pack returns particles as a text. If their order does not matter, it is the same for every order.
func (a *Adaptive) pack(particles []Slot) string {
	if !a.ordered {
		SortSlots(particles)
	}
	return a.packer.Pack(particles)
}

// grid is the number of steps in which betas are found.
const grid = 1 << 50

// advance is a step along the path, with the weights of particles after it. The methods from and
// reach set where it begins and ends.
type advance struct {
	path      chains.Path
	particles []Slot
	beta      float64 // where it begins
	steps     int64   // of the grid, from there to 1
	doomed    []bool  // by state, whether f becomes zero for every step, however short
	to        chains.Place
	// log f at the end and its increment, by state; the former only on a path with zeros
	logf, delta []float64
	logw, w     []float64 // the weights after the step; those of w sum to one
	gain        float64   // the logarithm of sum W w
}

func newAdvance(path chains.Path, particles int) advance {
	n := path.States()
	return advance{
		path:      path,
		particles: make([]Slot, particles),
		doomed:    make([]bool, n),
		logf:      make([]float64, n),
		delta:     make([]float64, n),
		logw:      make([]float64, particles),
		w:         make([]float64, particles),
	}
}

// from begins at a beta, and reaches to 1.
func (v *advance) from(beta float64) {
	v.beta, v.steps = beta, grid-int64(beta*grid)
	if v.path.Zeros() {
		v.reach(1)
		for x, d := range v.delta {
			v.doomed[x] = math.IsInf(d, -1)
		}
	}
	v.reach(v.steps)
}

// reach writes the increments of log f of a step on the grid: -Inf if f becomes zero.
func (v *advance) reach(step int64) {
	length := float64(step) / grid
	v.to = chains.At(v.beta + length)
	v.path.LogRatio(v.delta, chains.At(v.beta), v.to, length)
	if !v.path.Zeros() {
		return
	}
	v.path.LogF(v.logf, v.to)
	for x, l := range v.logf {
		if math.IsInf(l, -1) {
			v.delta[x] = l
		}
	}
}

// lost returns 1 - CESS/P, as the sum of W (w - m)^2 over that of W w^2, with m the mean. This form
// keeps its digits if it is small.
func (v *advance) lost() float64 {
	counts := func(p Slot) bool { return !v.doomed[p.State] && !math.IsInf(p.LogW, -1) }
	heaviest := math.Inf(-1)
	top := math.Inf(-1)
	for _, p := range v.particles {
		if counts(p) {
			heaviest = max(heaviest, p.LogW)
			top = max(top, v.delta[p.State])
		}
	}
	switch {
	case math.IsInf(heaviest, -1):
		return 0 // there are none
	case math.IsInf(top, -1):
		return 1
	}
	var mass, mean, squares, spread float64
	for i, p := range v.particles {
		v.w[i], v.logw[i] = 0, 0
		if counts(p) {
			v.w[i], v.logw[i] = math.Exp(p.LogW-heaviest), math.Exp(v.delta[p.State]-top)
		}
		mass += v.w[i]
		mean += v.w[i] * v.logw[i]
	}
	mean /= mass
	for i, w := range v.logw {
		squares += v.w[i] * w * w
		spread += v.w[i] * (w - mean) * (w - mean)
	}
	if squares == 0 {
		return 1 // the weights underflow
	}
	return spread / squares
}

// multiplyWeights multiplies the weights by the increments.
func (v *advance) multiplyWeights() {
	for i, p := range v.particles {
		v.logw[i] = p.LogW
	}
	before := number.LogTotal(v.logw)
	top := math.Inf(-1)
	for i, p := range v.particles {
		v.logw[i] += v.delta[p.State]
		top = max(top, v.logw[i])
	}
	after := number.LogTotal(v.logw)
	v.gain = after - before
	if math.IsInf(after, -1) {
		return
	}
	for i, l := range v.logw {
		v.w[i], v.logw[i] = math.Exp(l-after), l-top
	}
	scale(v.w)
}
