package estimators

import (
	"cmp"
	"context"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// Ties says how nested sampling treats particles of the same likelihood. Such ties occur on finite
// spaces, not on continuous ones. Below, L is the likelihood of the least likely particles, which
// die next.
type Ties int

const (
	// TiesLabel breaks ties by a label, a uniform number that every state is drawn with: one
	// particle dies at each step. Its replacement is an exact draw from the prior restricted to
	// states with a likelihood above L, or with likelihood L and a larger label.
	TiesLabel Ties = iota
	// TiesStrict lets one particle die at each step. Its replacement is an exact draw from the
	// prior restricted to states with a likelihood above L.
	TiesStrict
	// TiesTogether lets all particles at L die in one step. Each is replaced by a copy of a
	// uniformly drawn survivor. The copy makes some moves that leave the prior above L invariant.
	// The run ends when no particle survives.
	TiesTogether
)

// String returns the name of the rule: label, strict or together.
func (t Ties) String() string { return [...]string{"label", "strict", "together"}[t] }

// Volume says how nested sampling estimates the remaining prior volume after a step.
type Volume int

const (
	// VolumePaper multiplies the volume by K/(K+1) at each death (Eq. 47 of Grosse, Ghahramani and
	// Adams 2015), which overestimates Z on average.
	VolumePaper Volume = iota
	// VolumeUnbiased multiplies it by 1 - 1/K. The estimate is then unbiased if draws are exact and
	// ties are broken by a label.
	VolumeUnbiased
	// VolumeExp multiplies it by exp(-1/K), as most programs do: the geometric mean of the largest
	// of K uniform numbers (Skilling 2006).
	VolumeExp
)

// String returns the name of the volumes: paper, unbiased or exp.
func (v Volume) String() string { return [...]string{"paper", "unbiased", "exp"}[v] }

// LogKept returns the logarithm of the factor r by which the volume shrinks if m of K particles die
// in one step. For one it is log(K/(K+1)), log(1 - 1/K) or -1/K. Grosse, Ghahramani and Adams
// (2015) have no steps in which several die. The extension here is 1 - m/(K+1), the mean of the
// m-th largest of K uniform numbers; 1 - m/K, the mean share of particles that survive; and
// exp(-1/K - ... - 1/(K-m+1)), the geometric mean of the m-th largest. The second is -Inf if all
// die.
func (v Volume) LogKept(particles, dead int) float64 {
	switch v {
	case VolumePaper:
		return math.Log1p(-float64(dead) / (float64(particles) + 1))
	case VolumeUnbiased:
		return math.Log1p(-float64(dead) / float64(particles))
	}
	total := 0.0
	for m := range dead {
		total -= 1 / float64(particles-m)
	}
	return total
}

// NestedOptions are the settings of nested sampling.
type NestedOptions struct {
	Particles int // K, at least 2
	Ties      Ties
	Volume    Volume
	Moves     int // the moves of a copy, with TiesTogether; zero otherwise
	// Last lets the last particles, all at the highest level, die one by one without replacement,
	// as most programs do. The volume shrinks as for a decreasing number of particles, and the
	// volume that remains when all are dead is dropped.
	Last bool
}

// Validate returns an error if the options are invalid.
func (o NestedOptions) Validate() error {
	switch {
	case o.Particles < 2 || o.Particles > MaxDraws:
		return errs.New("nested sampling with K = %d particles; give a whole number from 2 to %d",
			o.Particles, MaxDraws)
	case o.Ties < TiesLabel || o.Ties > TiesTogether:
		return errs.New("ties %d; they are label, strict or together", int(o.Ties))
	case o.Volume < VolumePaper || o.Volume > VolumeExp:
		return errs.New("volume %d; it is paper, unbiased or exp", int(o.Volume))
	case o.Moves < 0 || o.Moves > MaxDraws:
		return errs.New("nested sampling with M = %d moves; give a whole number from 0 to %d", o.Moves, MaxDraws)
	case o.Last && (o.Ties == TiesTogether || o.Volume == VolumeUnbiased):
		return errs.New(
			"the last particles die one by one with ties label or strict and volumes paper or exp; with " +
				"unbiased volumes that drops nothing",
		)
	case o.Ties != TiesTogether && o.Moves > 0:
		return errs.New("nested sampling with M = %d moves and ties %v; that draws exactly and makes no moves, so "+
			"leave them out, or take ties together",
			o.Moves, o.Ties)
	}
	return nil
}

// Nested is nested sampling with K particles from the prior. At every step the least likely
// particles die, at a likelihood L; the prior volume is assumed to shrink by a factor r that does
// not depend on them, and L times the lost volume is added to the estimate:
//
//	Z-hat = sum over t of r^(t-1) (1-r) L_t,
//
// The volume that remains at the end goes to the last level. The run ends when no state is above
// the least likely particle, or, with TiesTogether, when no particle is.
//
// The label of TiesLabel is never drawn. At each level with particles only the number of deaths
// matters, and its distribution is known (Level.Deaths). The number is drawn given that it is
// positive, and all particles at the level are then replaced by draws from above it. The estimate
// and the number of draws have the same distribution as with labels, except that numbers of deaths
// with less than 2^-70 of the likeliest number's probability are omitted. So a run has finitely
// many outcomes.
//
// Source: Skilling 2006; Grosse, Ghahramani and Adams 2015, section 5.3, Eqs. 45 to 48.
type Nested[C chains.Chooser, S any] struct {
	o        NestedOptions
	levelled Levelled[C, S] // the model where it knows its levels; exact draws ask for it
	levels   []Level        // nil if the model does not know them
	// by level: the number of deaths given that there are some; with TiesLabel, made when it is
	// needed
	deaths []Deaths
	// none before the first run: the distribution for many particles needs no memory for them
	particles particles[C, S]
}

// NewNested returns nested sampling. It fails for invalid options, and for exact draws on a model
// that has no levels.
func NewNested[C chains.Chooser, S any](model Constrained[C, S], o NestedOptions) (*Nested[C, S], error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	e := &Nested[C, S]{o: o, particles: particles[C, S]{model: model}}
	if levelled, ok := model.(Levelled[C, S]); ok {
		e.levelled, e.levels = levelled, levelled.Levels()
	}
	if o.Ties != TiesTogether && e.levels == nil {
		return nil, errs.New(
			"ties %v draw exactly from the prior above a level, and the model does not know its levels; "+
				"take ties together",
			o.Ties,
		)
	}
	e.deaths = make([]Deaths, len(e.levels))
	return e, nil
}

// Estimate implements Estimator.
func (e *Nested[C, S]) Estimate(c C) float64 {
	e.particles.drawPrior(c, e.o.Particles)
	var z nestedSum
	for {
		floor := e.particles.floor()
		if e.last(floor) {
			return z.rest(floor + e.o.LastKept())
		}
		z.addLevel(e.kept(c, floor), floor)
		e.replace(c, floor)
	}
}

// LastKept returns the log of the counted share of the last level's volume.
func (o NestedOptions) LastKept() float64 {
	if !o.Last {
		return 0
	}
	return number.Log(-math.Expm1(o.Volume.LogKept(o.Particles, o.Particles)))
}

// last reports whether nothing is above a level.
func (e *Nested[C, S]) last(floor float64) bool {
	if e.o.Ties == TiesTogether {
		return e.particles.tied()
	}
	return floor == e.levels[len(e.levels)-1].LogL
}

// kept returns the logarithm of the factor by which the volume shrinks while the particles at a
// level die.
func (e *Nested[C, S]) kept(c C, floor float64) float64 {
	dead := e.particles.dead(floor)
	if e.o.Ties == TiesTogether {
		return e.o.Volume.LogKept(e.o.Particles, dead)
	}
	if e.o.Ties == TiesLabel {
		dead = e.drawDeaths(c, floor)
	}
	return float64(dead) * e.o.Volume.LogKept(e.o.Particles, 1)
}

// drawDeaths draws the number of deaths at a level, given that there are some, with ties broken by
// a label.
func (e *Nested[C, S]) drawDeaths(c C, floor float64) int {
	j, _ := slices.BinarySearchFunc(e.levels, floor, func(l Level, at float64) int { return cmp.Compare(l.LogL, at) })
	if e.deaths[j].P == nil {
		e.deaths[j] = poisson(float64(e.o.Particles)*e.levels[j].Shrinkage(), 1)
	}
	return e.deaths[j].First + c.Choose(e.deaths[j].P)
}

// replace puts new particles above a level in the place of those at it.
func (e *Nested[C, S]) replace(c C, floor float64) {
	if e.o.Ties == TiesTogether {
		// which has no end, and so no error
		e.particles.copySurvivors(context.Background(), c, floor, e.o.Moves)
		return
	}
	for i, l := range e.particles.logs {
		if l == floor {
			e.particles.putParticle(i, e.levelled.Above(c, floor))
		}
	}
}

// Work implements Estimator. The likelihood is evaluated once at each state that is drawn, from the
// prior or from above a level, and once for each proposal. Every death except those at the last
// level costs an exact draw. On average these are K log(1/V) with TiesLabel, where V is the prior
// probability of the highest level, and the sum of K Share over the other levels with TiesStrict.
// With TiesTogether the number of copies that move is not known in closed form, and the evaluations
// are NaN unless there are no moves; for two particles the exact distribution gives their mean.
func (e *Nested[C, S]) Work() Work {
	k := float64(e.o.Particles)
	if e.o.Ties == TiesTogether {
		if e.o.Moves == 0 {
			return Work{Evaluations: k}
		}
		return Work{Evaluations: math.NaN()}
	}
	return NestedWork(e.levels, e.o)
}

// NestedWork returns the mean work of nested sampling by exact draws (see Nested.Work).
func NestedWork(levels []Level, o NestedOptions) Work {
	k := float64(o.Particles)
	draws := 0.0
	for _, l := range levels[:len(levels)-1] {
		if o.Ties == TiesStrict {
			draws += k * l.Share()
		} else {
			draws += k * l.Shrinkage()
		}
	}
	return Work{Evaluations: k + draws, Exact: draws}
}

// Combination implements Estimator.
func (*Nested[C, S]) Combination() Combination { return MeanOfLogs }

// nestedSum is the estimate of a run so far.
type nestedSum struct {
	sum    number.LogSum
	volume float64 // the logarithm of the prior volume that is left
}

// addLevel counts a level at which the volume shrinks by a factor.
func (z *nestedSum) addLevel(logKept, logL float64) {
	z.sum.Add(z.volume + number.Log(-math.Expm1(logKept)) + logL)
	z.volume += logKept
}

// logNextRatio returns the logarithm of the ratio of the next term to the sum: of all that is left
// of the volume, times a likelihood. It is +Inf or NaN if the sum is zero.
func (z *nestedSum) logNextRatio(logL float64) float64 { return z.volume + logL - z.sum.Log() }

// rest returns the logarithm of the estimate, where all that is left of the volume goes to a level.
func (z nestedSum) rest(logL float64) float64 {
	z.sum.Add(z.volume + logL)
	return z.sum.Log()
}

// particles are the K states of nested sampling, with the level of each.
type particles[C chains.Chooser, S any] struct {
	model     Constrained[C, S]
	at        []S
	logs      []float64 // the level's log likelihood of each particle
	survivors []S
}

// drawPrior draws k particles from the prior, instead of those that are there.
func (p *particles[C, S]) drawPrior(c C, k int) {
	if len(p.at) != k {
		p.at = make([]S, k)
		p.logs = make([]float64, k)
	}
	for i := range p.at {
		p.putParticle(i, p.model.Prior(c))
	}
}

func (p *particles[C, S]) putParticle(i int, x S) { p.at[i], p.logs[i] = x, p.model.Level(x) }

// floor returns the level of the least likely particles, which are to die.
func (p *particles[C, S]) floor() float64 { return slices.Min(p.logs) }

// tied reports whether all particles are at one level.
func (p *particles[C, S]) tied() bool { return slices.Max(p.logs) == slices.Min(p.logs) }

// dead returns the number of particles at a floor.
func (p *particles[C, S]) dead(floor float64) int {
	n := 0
	for _, l := range p.logs {
		if l == floor {
			n++
		}
	}
	return n
}

// copySurvivors replaces each particle at a floor by a copy of one above it, which is drawn
// uniformly and makes the given number of moves that leave the prior above the floor invariant.
// There must be one above it. It returns the number of moves, and the cause of a context that ends
// between them.
func (p *particles[C, S]) copySurvivors(ctx context.Context, c C, floor float64,
	moves int) (made int, err error) {
	p.survivors = p.survivors[:0]
	for i, l := range p.logs {
		if l > floor {
			p.survivors = append(p.survivors, p.at[i])
		}
	}
	for i, l := range p.logs {
		if l > floor {
			continue
		}
		x := p.model.Clone(p.survivors[c.Uniform(len(p.survivors))])
		for range moves {
			if ctx.Err() != nil {
				return made, context.Cause(ctx)
			}
			x = p.model.Within(c, floor, x)
			made++
		}
		p.putParticle(i, x)
	}
	return made, nil
}
