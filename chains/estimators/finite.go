package estimators

import (
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// Finite is a Model whose states are the numbers 0..n-1 of an annealing. Its initial distribution
// is the prior p_1, and the likelihood is L = f_T/f_1, so that Z is the ratio Z_T/Z_1 of the sums
// of f_T and f_1. If f_1 is zero and f_T is not, log L is +Inf: only exact draws, and chains from
// them, reach such states. Only one goroutine may use it.
//
//	log L(x) = log f_T(x) - log f_1(x), and the step from b to b' adds log f_b'(x) - log f_b(x) to log w
type Finite struct {
	path             chains.Path
	kernel           chains.Rower
	reversal         chains.Kernel
	moveWork         float64
	prior, posterior []float64 // probabilities
	logPrior         []float64 // log f_1
	stages           map[chains.Place]*stage
	steps            map[[2]chains.Place][]float64 // log f_to - log f_from
	row              []chains.Entry
	floor            float64   // the floor that within is for
	within           []float64 // log f_1 above the floor, and -Inf elsewhere
	above            []float64 // within as probabilities; empty until they are asked for
	levels           []Level   // nil until they are asked for
	levelOf          []int     // by state: its place among the levels
}

// stage holds log f_b at a place of the path, for moves, and log f_b - log f_0, for weights.
type stage struct{ logf, likelihood []float64 }

// maxStages is the number of places that are cached at once, and the number of steps between two
// places. If there are more, the cache is cleared.
const maxStages = 1 << 12

// NewFinite returns the model of an annealing. It fails if each stage has its own kernel, since
// these are for the schedule of that annealing only. It also fails if the kernel does not state its
// time reversal, its rows, or the cost of its moves.
func NewFinite(a *chains.Annealing) (*Finite, error) {
	k := a.Kernel()
	if k == nil {
		return nil, errs.New(
			"an estimator moves by one kernel at every place of the path, and this annealing has one for " +
				"each stage; name one kernel",
		)
	}
	name := chains.NameOf(k)
	reversal, known := chains.ReversalOf(k)
	if !known {
		return nil, errs.New("kernel %s does not state its time reversal; give it a method Reversal() chains.Kernel",
			name)
	}
	rows, ok := k.(chains.Rower)
	if !ok {
		return nil, errs.New("kernel %s has no rows in closed form; give it a method AppendRow", name)
	}
	work, known := chains.Evaluations(k)
	if !known {
		return nil, errs.New(
			"kernel %s does not state how often a move evaluates log f; give it a method Evaluations() float64",
			name,
		)
	}
	f := &Finite{
		path:     a.Path(),
		kernel:   rows,
		reversal: reversal,
		moveWork: work,
		stages:   map[chains.Place]*stage{},
		steps:    map[[2]chains.Place][]float64{},
		floor:    math.NaN(),
	}
	f.logPrior = f.stageAt(chains.At(0)).logf
	f.prior = slices.Clone(f.logPrior)
	chains.Normalize(f.prior)
	f.posterior = slices.Clone(f.stageAt(end()).logf)
	chains.Normalize(f.posterior)
	f.within = make([]float64, len(f.prior))
	return f, nil
}

func (f *Finite) stageAt(place chains.Place) *stage {
	if s := f.stages[place]; s != nil {
		return s
	}
	if len(f.stages) >= maxStages {
		clear(f.stages)
	}
	n := f.path.States()
	s := &stage{logf: make([]float64, n), likelihood: make([]float64, n)}
	f.path.LogF(s.logf, place)
	f.path.LogRatio(s.likelihood, chains.At(0), place, place.Beta)
	prior := f.logPrior
	if prior == nil {
		prior = s.logf // the first place that is asked for is the prior's own
	}
	for x, l := range s.logf {
		switch zero := math.IsInf(l, -1); {
		case zero:
			s.likelihood[x] = math.Inf(-1)
		case math.IsInf(prior[x], -1):
			s.likelihood[x] = math.Inf(1)
		}
	}
	f.stages[place] = s
	return s
}

// States returns the number of states.
func (f *Finite) States() int { return len(f.prior) }

// LogPosterior returns log f_T - log Z_1 at a state: the joint density of the state and the data,
// in nats.
func (f *Finite) LogPosterior(x int) float64 {
	if math.IsInf(f.logPrior[x], -1) {
		return f.stageAt(end()).logf[x] - f.logZ1()
	}
	return number.Log(f.prior[x]) + f.stageAt(end()).likelihood[x]
}

// logZ1 returns log of the sum of f_1.
func (f *Finite) logZ1() float64 {
	likeliest := 0
	for x, p := range f.prior {
		if p > f.prior[likeliest] {
			likeliest = x
		}
	}
	return f.logPrior[likeliest] - number.Log(f.prior[likeliest])
}

// Likeliest returns the state with the largest posterior probability, the first if there are
// several. Those within a relative 1e-12 of the largest count as equal.
func (f *Finite) Likeliest() int {
	best := slices.Max(f.posterior)
	return slices.IndexFunc(f.posterior, func(p float64) bool { return p >= best*(1-1e-12) })
}

// Prior implements Model.
func (f *Finite) Prior(c chains.Chooser) int { return c.Choose(f.prior) }

// Posterior implements Model.
func (f *Finite) Posterior(c chains.Chooser) int { return c.Choose(f.posterior) }

// Clone implements Model. Moves write to no state.
func (f *Finite) Clone(x int) int { return x }

// LogLikelihood implements Model.
func (f *Finite) LogLikelihood(at chains.Place, x int) float64 { return f.stageAt(at).likelihood[x] }

// LogStep implements Model.
func (f *Finite) LogStep(from, to chains.Place, x int) float64 {
	key := [2]chains.Place{from, to}
	if d := f.steps[key]; d != nil {
		return d[x]
	}
	if len(f.steps) >= maxStages {
		clear(f.steps)
	}
	d := make([]float64, f.path.States())
	f.path.LogRatio(d, from, to, from.StepTo(to))
	before, after := f.stageAt(from).logf, f.stageAt(to).logf
	for y := range d {
		switch {
		case math.IsInf(after[y], -1):
			d[y] = math.Inf(-1)
		case math.IsInf(before[y], -1):
			d[y] = math.Inf(1)
		}
	}
	f.steps[key] = d
	return d[x]
}

// Move implements Model.
func (f *Finite) Move(c chains.Chooser, at chains.Place, x int) int {
	return f.kernel.Move(c, f.stageAt(at).logf, x)
}

// Back implements Model.
func (f *Finite) Back(c chains.Chooser, at chains.Place, x int) int {
	return f.reversal.Move(c, f.stageAt(at).logf, x)
}

// LogTransition implements Model.
func (f *Finite) LogTransition(x, y int) float64 {
	f.row = f.kernel.AppendRow(f.row[:0], f.stageAt(end()).logf, x)
	p := 0.0
	for _, e := range f.row {
		if e.To == y {
			p += e.P
		}
	}
	return number.Log(p)
}

// Within implements Model. The kernel moves under the prior that is zero if the level is not above
// the floor.
func (f *Finite) Within(c chains.Chooser, floor float64, x int) int {
	f.constrain(floor)
	return f.kernel.Move(c, f.within, x)
}

// Above implements Model.
func (f *Finite) Above(c chains.Chooser, floor float64) int {
	f.constrain(floor)
	if len(f.above) == 0 {
		f.above = append(f.above, f.within...)
		chains.Normalize(f.above)
	}
	return c.Choose(f.above)
}

// constrain makes within the prior above a floor.
func (f *Finite) constrain(floor float64) {
	if floor == f.floor {
		return
	}
	f.floor = floor
	f.above = f.above[:0]
	for y := range f.within {
		f.within[y] = math.Inf(-1)
		if f.Level(y) > floor {
			f.within[y] = f.logPrior[y]
		}
	}
}

// Level implements Model. A state where f_1 is zero belongs to no level, and has the log likelihood
// +Inf.
func (f *Finite) Level(x int) float64 {
	levels := f.Levels()
	if j := f.levelOf[x]; j >= 0 {
		return levels[j].LogL
	}
	return math.Inf(1)
}

// Levels implements Model.
func (f *Finite) Levels() []Level {
	if f.levels == nil {
		f.levels, f.levelOf = LevelsOf(f.logPrior, f.stageAt(end()).likelihood)
	}
	return f.levels
}

// MoveWork implements Model.
func (f *Finite) MoveWork() float64 { return f.moveWork }
