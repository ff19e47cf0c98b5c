package laws

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/exact/internal/crew"
	"breadboard/exact/kernel"
)

// pair holds the results for the estimate of two particles.
type pair struct {
	logMean float64   // log E R
	copies  float64   // the mean number of remaining copies
	rise    []float64 // the transform of R on the grid; nil if there is none
}

const (
	// maxPairValues bounds the values of all pairs: a gigabyte of them.
	maxPairValues = 1 << 27
	// maxPairWork bounds the products, some tens of seconds of them on one processor.
	maxPairWork = 4e10
	// pairWords is the memory of a pair besides its transform, in values.
	pairWords = 5
)

// pairs computes the results of all pairs of particles.
//
// Of two particles the one with the lower likelihood dies, and a copy of the other one makes the
// moves within the states above that level. With r the volume that is kept, the estimate from x and
// y is
//
//	R(x, y) = (1 - r) L(x) + r R(x', y), L(x) < L(y), x' drawn by the moves from y,
//
// and R = L(x) if both are at one level, where all copies stop. E R and the transform of R over the
// prior follow from the highest level down. A level with a states above it takes O(a^2) of the
// values of a pair, and a times the moves' products.
//
// Source: Skilling 2006.
type pairs struct {
	kernel   chains.Kernel
	moves    int
	logKept  float64
	prior    []float64
	logPrior []float64
	levels   []estimators.Level // relative to the highest
	top      float64            // log L of the highest level
	levelOf  []int              // by state: its level, or -1
	states   [][]int            // by level: its states
	ties     []pair             // by level: two particles at it
	lower    [][]pair           // by level and state: a particle at the level, and one at a state above it
	grid     *logGrid           // the points of the transforms; nil if an estimate may be zero
	parts    int                // the steps of the grid in log r
	rows     kernel.Product     // of the kernel's moves within the states at hand
}

// newPairs returns the pairs of a target, with only the results of pairs at one level.
func newPairs(t *Target, moves int, volume estimators.Volume) *pairs {
	p := &pairs{
		kernel:   t.Annealing.KernelAt(t.Annealing.Distributions()),
		moves:    moves,
		logKept:  volume.LogKept(2, 1),
		prior:    t.Prior,
		logPrior: t.logLaw(chains.At(0)),
	}
	p.levels, p.levelOf = estimators.LevelsOf(p.logPrior, t.LogL)
	p.states = make([][]int, len(p.levels))
	for x, j := range p.levelOf {
		if j >= 0 {
			p.states[j] = append(p.states[j], x)
		}
	}
	p.top = p.levels[len(p.levels)-1].LogL
	if p.top > math.Inf(-1) {
		for j := range p.levels {
			p.levels[j].LogL -= p.top
		}
	}
	if lowest := p.levels[0].LogL; lowest > math.Inf(-1) {
		p.parts = int(math.Ceil(-p.logKept / gridStep))
		p.grid = &logGrid{first: -gridBelow, step: -p.logKept / float64(p.parts)}
		p.grid.rise = make([]float64, p.grid.points(gridAbove-lowest))
	}
	p.lower = make([][]pair, len(p.levels))
	p.ties = make([]pair, len(p.levels))
	return p
}

// tooLarge returns the reason why the pairs cannot be computed, and what would have to be smaller;
// it is empty if they can. It takes the number of entries from the rows of the kernel under the
// prior.
func (p *pairs) tooLarge(ctx context.Context) (string, error) {
	n := float64(len(p.levelOf))
	points := 1.0
	if p.grid != nil {
		points = float64(len(p.grid.rise))
	}
	above := 0.0
	squares := 0.0
	values := pairWords * n * float64(len(p.levels))
	for j := len(p.states) - 1; j >= 0; j-- {
		values += (above + 1) * points
		squares += above * above
		above += float64(len(p.states[j]))
	}
	if values <= maxPairValues && squares*points <= maxPairWork {
		if err := p.makeRows(ctx, -1); err != nil {
			return "", err
		}
	}
	products := squares * (points + float64(p.moves)*float64(p.rows.Size())/n)
	if values <= maxPairValues && products <= maxPairWork {
		return "", nil
	}
	return fmt.Sprintf(
		"the pairs of two particles on %.0f states and %d levels take %.2g values and %.2g products, and "+
			"%.2g and %.2g are the limits; take a smaller space or fewer moves",
		n,
		len(p.levels),
		values,
		products,
		float64(maxPairValues),
		float64(maxPairWork),
	), nil
}

// bothZero returns the probability that two particles from the prior have likelihood zero.
func (p *pairs) bothZero() float64 {
	if !math.IsInf(p.levels[0].LogL, -1) {
		return 0
	}
	mass := p.mass(p.states[0])
	return mass * mass
}

// makeRows makes the rows of the kernel under the prior above a level; above level -1 that is the
// prior.
func (p *pairs) makeRows(ctx context.Context, level int) error {
	within := make([]float64, len(p.levelOf))
	for x, j := range p.levelOf {
		within[x] = math.Inf(-1)
		if j > level {
			within[x] = p.logPrior[x]
		}
	}
	var err error
	p.rows, err = kernel.NewProduct(ctx, p.kernel, within)
	if err != nil {
		return err
	}
	for x, j := range p.levelOf {
		if j <= level {
			continue
		}
		for _, rows := range p.rows {
			for _, e := range rows.Row(x) {
				if p.levelOf[e.To] <= level {
					return kernel.ErrToZero(p.kernel, x, e.To)
				}
			}
		}
	}
	return nil
}

// compute computes all pairs, from the highest level down.
func (p *pairs) compute(ctx context.Context, workers int) error {
	for j, l := range p.levels {
		p.ties[j].logMean = l.LogL
		if p.grid != nil {
			g := logGrid{p.grid.first, p.grid.step, make([]float64, len(p.grid.rise))}
			g.addNumber(l.LogL)
			p.ties[j].rise = g.rise
		}
	}
	var above []int
	for j := len(p.levels) - 2; j >= 0; j-- {
		above = append(above, p.states[j+1]...)
		if err := p.makeRows(ctx, j); err != nil {
			return err
		}
		p.lower[j] = make([]pair, len(p.levelOf))
		jobs := min(len(above), pairJobs)
		err := crew.Jobs(ctx, jobs, workers, func(ctx context.Context, job int) error {
			memory := p.newLaws()
			for _, y := range above[job*len(above)/jobs : (job+1)*len(above)/jobs] {
				law, err := p.moved(ctx, memory, y, above)
				if err != nil {
					return err
				}
				p.lower[j][y] = p.mixed(j, y, law, above)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// pairJobs is the number of jobs into which the pairs of a level are shared out.
const pairJobs = 16

// laws is memory for the distributions of a state.
type laws struct{ now, next, before []float64 }

// newLaws returns memory for distributions.
func (p *pairs) newLaws() *laws {
	n := len(p.levelOf)
	return &laws{make([]float64, n), make([]float64, n), make([]float64, n)}
}

// moved returns the distribution of the state after the moves from y, within the states above, in
// the given memory. It stops as soon as a move changes no bit of the distribution, because then no
// later move does. It fails if the context ends.
func (p *pairs) moved(ctx context.Context, m *laws, y int, above []int) ([]float64, error) {
	clear(m.now)
	m.now[y] = 1
	for range p.moves {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		copy(m.before, m.now)
		for _, rows := range p.rows {
			clear(m.next)
			for _, x := range above {
				if m.now[x] == 0 {
					continue
				}
				for _, e := range rows.Row(x) {
					m.next[e.To] += m.now[x] * e.P
				}
			}
			m.now, m.next = m.next, m.now
		}
		if slices.Equal(m.now, m.before) {
			break
		}
	}
	return m.now, ctx.Err()
}

// pairOf returns the pair of two states.
func (p *pairs) pairOf(x, y int) *pair {
	switch i, j := p.levelOf[x], p.levelOf[y]; {
	case i < j:
		return &p.lower[i][y]
	case i > j:
		return &p.lower[j][x]
	default:
		return &p.ties[i]
	}
}

// mixed returns the pair of a particle at level j and one at y above it, given the distribution of
// the copy of y after its moves.
func (p *pairs) mixed(j, y int, law []float64, above []int) pair {
	sum := p.newMixture()
	for _, x := range above {
		if law[x] > 0 {
			sum.addPair(law[x], p.pairOf(x, y))
		}
	}
	mixed := sum.pair()
	mixed.logMean = logMix(p.logKept, mixed.logMean, p.levels[j].LogL)
	mixed.copies++
	if p.grid != nil {
		mixed.rise = p.grid.shifted(mixed.rise, p.parts)
		g := logGrid{p.grid.first, p.grid.step, mixed.rise}
		g.addNumber(p.levels[j].LogL + number.Log(-math.Expm1(p.logKept)))
	}
	return mixed
}

// startPair returns the results of two particles from the prior.
func (p *pairs) startPair() pair {
	sum := p.newMixture()
	for j, states := range p.states {
		mass := p.mass(states)
		sum.addPair(mass*mass, &p.ties[j])
		for y, i := range p.levelOf {
			if i > j {
				sum.addPair(2*mass*p.prior[y], &p.lower[j][y])
			}
		}
	}
	return sum.pair()
}

// mass returns the prior probability of states.
func (p *pairs) mass(states []int) float64 {
	mass := 0.0
	for _, x := range states {
		mass += p.prior[x]
	}
	return mass
}

// mixture adds up pairs with their probabilities.
type mixture struct {
	logMeans []float64
	copies   number.Sum
	rise     []float64
}

// newMixture returns the mixture of no pairs.
func (p *pairs) newMixture() *mixture {
	m := &mixture{}
	if p.grid != nil {
		m.rise = make([]float64, len(p.grid.rise))
	}
	return m
}

// addPair adds a pair with a probability.
func (m *mixture) addPair(probability float64, q *pair) {
	m.logMeans = append(m.logMeans, number.Log(probability)+q.logMean)
	m.copies.Add(probability * q.copies)
	for i, r := range q.rise {
		m.rise[i] += probability * r
	}
}

// pair returns the mixture as a pair.
func (m *mixture) pair() pair { return pair{number.LogSumExp(m.logMeans), m.copies.Value(), m.rise} }
