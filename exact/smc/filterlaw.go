package smc

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/exact/internal/lanes"
)

// ErrImpossible is the error if the data of a filter have probability zero, so that there is no
// posterior.
var ErrImpossible = errs.New(
	"log Z = -Inf: the model gives the data probability zero, so that there is no posterior; check the " +
		"data against the model",
)

// FilterLaw is the exact distribution of a particle filter with multinomial resampling at every
// stage, and the Side of it for AIDE. Given the path of the output, the other P-1 particles at a
// stage are drawn independently of each other from a distribution that depends on the path's state
// and on how many of the others are of each type. So these numbers are a Markov chain, and
//
//	q(x)/p(x) = E_meta[Z/Zhat | x] and E_meta[(Zhat/Z)^z | x]
//
// come from propagating it along the path of x, tilted by powers of the mean weights. All paths are
// the leaves of a tree, and share the work for common beginnings.
type FilterLaw struct {
	Transformed
	// LogZ is log Z. MeanLogZForward is the mean of log Zhat in runs, -Inf if a run may be extinct,
	// and MeanLogZConditional its mean in meta-inference from outputs of the target.
	LogZ, MeanLogZForward, MeanLogZConditional float64
	// Progress is called with 1 after every piece of the work of Traces; it may be nil.
	Progress func(int)

	p      []float64 // the posterior
	sure   bool      // whether the output determines Zhat, as with one particle; nothing is propagated then
	tables *filterTables
	tree   *pathTree
	middle *middle
	unit   *lanes.Unit
	span   float64 // the largest size of the logarithm of a product of mean weights
}

// NewFilter returns the distribution of a filter with P particles. Zero workers means one for each
// processor. It fails with ErrImpossible if Z = 0, and if the distribution takes too many numbers.
// Time is O(sum over the stages of states entries/types), where entries are the probabilities of a
// multiset of P-1 types after one at the stage before.
func NewFilter(ctx context.Context, f particle.Filter, particles, workers int) (*FilterLaw, error) {
	stages, start, logZ, err := stagesOf(ctx, f, particles)
	if err != nil {
		return nil, err
	}
	l := newFilterLaw(f, logZ, workers)
	if particles == 1 {
		l.solveOneParticle(f, stages)
	} else if err := l.propagate(ctx, f, stages, start, particles); err != nil {
		return nil, err
	}
	l.extinct, err = filterExtinction(ctx, stages, start, particles)
	if err != nil {
		return nil, err
	}
	l.average()
	return l, nil
}

// propagate fills in q/p and the moments of log Zhat given each output, for more particles than
// one.
func (l *FilterLaw) propagate(ctx context.Context, f particle.Filter, stages []stageOfFilter, start branch,
	particles int) (err error) {
	stages, start, class := lump(stages, start)
	l.tree, l.unit = newPathTree(f, class), lanes.Widest()
	l.tables, err = tabulateFilter(ctx, l.tree, stages, start, particles-1)
	if err != nil {
		return err
	}
	l.Transformed.tilts = l.tilts
	l.boundWeights()
	l.middle = l.newMiddle()
	l.transposeTables()
	return l.fillMoments(ctx)
}

// solveOneParticle fills in q/p and the moments of log Zhat given each output for one particle,
// whose path determines Zhat.
func (l *FilterLaw) solveOneParticle(f particle.Filter, stages []stageOfFilter) {
	l.sure = true
	for x := range l.p {
		var sum number.Sum
		for t, y := len(stages), x; t >= 1; t-- {
			sum.Add(stages[t-1].logw[f.Type(t, y)])
			if t > 1 {
				y = f.Parent(t, y)
			}
		}
		if log := sum.Value(); !math.IsInf(log, 0) && !math.IsNaN(log) {
			l.meta[x] = [2]float64{log, log * log}
			l.run[x] = l.meta[x]
			l.logRatio[x], l.deviation[x] = -log, math.Expm1(-log)
		}
	}
}

// newFilterLaw returns the distribution with the target of a flow and log Z, before its runs are
// propagated.
func newFilterLaw(f particle.Flow, logZ float64, workers int) *FilterLaw {
	l := &FilterLaw{LogZ: logZ}
	l.workers = workers
	n := f.Outputs()
	l.logP = make([]float64, n)
	l.logRatio = make([]float64, n)
	l.deviation = make([]float64, n)
	l.lost = make([]bool, n)
	l.p = make([]float64, n)
	l.meta = make([][2]float64, n)
	l.run = make([][2]float64, n)
	for x := range n {
		l.logP[x] = f.LogTarget(x) - logZ
		l.p[x] = math.Exp(l.logP[x])
		l.logRatio[x] = math.Inf(-1)
		l.meta[x], l.run[x] = [2]float64{math.NaN(), math.NaN()}, [2]float64{math.NaN(), math.NaN()}
	}
	return l
}

// boundWeights bounds log(Zhat/Z) by the least and the greatest mean weight of every stage.
func (l *FilterLaw) boundWeights() {
	for _, level := range l.tables.levels {
		least, most := math.Inf(1), math.Inf(-1)
		for k, means := range level.logMean {
			if !math.IsInf(level.logOwn[k], 0) {
				least, most = min(least, slices.Min(means)), max(most, slices.Max(means))
			}
		}
		l.low += least
		l.high += most
		l.span += max(math.Abs(least), math.Abs(most))
	}
}

// maxSpan is the logarithm of products that are surely in range, together with the probabilities of
// multisets.
const maxSpan = 300

// fillMoments fills in q/p and the moments of log Zhat given each output: the first block has those
// under meta-inference, and the second is weighed by Z/Zhat.
func (l *FilterLaw) fillMoments(ctx context.Context) error {
	sweep := &pathSweep{
		FilterLaw: l,
		blocks:    2,
		one:       pathBlock{1},
		join:      joinMoments,
		narrow:    l.span < maxSpan,
	}
	sweep.weigh = func(t, k int, to, v []pathBlock) {
		means := l.tables.levels[t].logMean[k]
		copy(to, v)
		for c, log := range means {
			tiltMoments(to[c][:3], 1, log)
			tiltMoments(to[len(means)+c][:3], math.Exp(-log), log)
		}
	}
	sweep.leaf = func(x int, sums []pathBlock, scale []int) {
		meta := sums[0]
		run := sums[1]
		l.meta[x] = [2]float64{math.Ldexp(meta[1], scale[0]), math.Ldexp(meta[2], scale[0])}
		l.run[x] = [2]float64{run[1] / run[0], run[2] / run[0]}
		l.logRatio[x] = number.Log(run[0]) + float64(scale[1])*math.Ln2
		l.deviation[x] = math.Ldexp(run[0], scale[1]) - 1
	}
	return sweep.sweepPaths(ctx)
}

// joinMoments returns the mass, and on it the means of a sum of two logarithms and of its square,
// from those of each.
func joinMoments(a, b []pathBlock) (sum pathBlock) {
	for c := range a {
		u, v := &a[c], &b[c]
		sum[0] += u[0] * v[0]
		sum[1] += u[0]*v[1] + u[1]*v[0]
		sum[2] += u[0]*v[2] + 2*u[1]*v[1] + u[2]*v[0]
	}
	return sum
}

// tiltMoments multiplies the three columns of a distribution (its mass, and the means on it of log
// Zhat/Z and of its square) by a mean weight w, and adds log w to the logarithm.
func tiltMoments(u []float64, w, log float64) {
	u[2] = w * (u[2] + log*(2*u[1]+log*u[0]))
	u[1] = w * (u[1] + log*u[0])
	u[0] *= w
}

// average fills in the means over all outputs.
func (l *FilterLaw) average() {
	var forward, conditional number.Sum
	for x, p := range l.p {
		if q := math.Exp(l.logP[x] + l.logRatio[x]); q != 0 { // also if p is below the range of float64
			forward.Add(q * l.run[x][0])
		}
		if p > 0 {
			conditional.Add(p * l.meta[x][0])
		}
	}
	l.MeanLogZForward = l.LogZ + forward.Value()
	l.MeanLogZConditional = l.LogZ + conditional.Value()
	if l.extinct > 0 {
		l.MeanLogZForward = math.Inf(-1)
	}
}

// P returns the posterior probability of each output.
func (l *FilterLaw) P() []float64 { return l.p }

// Traces implements Side. The moments for M = 1, and for one particle, are exact without an
// integral; for others see Transformed.
func (l *FilterLaw) Traces(ctx context.Context, ms []int) ([]Traces, error) {
	return l.traces(ms, func(m int) bool { return m == 1 || l.sure }, func(more []int) ([]Traces, error) {
		if n := len(l.p); n > maxTransformed {
			return unknownTraces(more, n), nil
		}
		return l.integrals(ctx, more)
	})
}

// maxTransformed is the number of outputs for which the transform is kept, some 20 kB for each.
const maxTransformed = 1 << 14

// unknownTraces returns moments that are not known, since there are too many outputs.
func unknownTraces(ms []int, outputs int) []Traces {
	out, _ := newTraces(ms, outputs, math.NaN()) // FilterLaw.Traces has checked the numbers
	for i := range out {
		out[i].Error = math.Inf(1)
		out[i].Note = fmt.Sprintf(
			"the distribution of the traces is not known for M = %d: there are %d outputs, and for more "+
				"than one trace at most %d",
			out[i].M,
			outputs,
			maxTransformed,
		)
	}
	return out
}

// FilterMoments are moments of the estimate of Z by a particle filter. If runs that make up E Zhat
// have probabilities below the range of float64, MeanZ is NaN.
type FilterMoments struct {
	LogZ            float64
	MeanLogZForward float64 // the mean of log Zhat in runs; -Inf if one may be extinct
	// the mean of log(Zhat/Z) in runs, without the digits lost by log Z; -Inf if one may be extinct
	MeanRatio    float64
	VarianceLogZ float64 // the variance of log Zhat in runs; NaN if one may be extinct
	MeanZ        float64 // E Zhat/Z, which is one up to rounding
	Extinct      float64 // the probability of a run whose weights all become zero
}

// tilted is what is propagated for a multiset of types: its mass, and on it E of log(Zhat/Z) and
// its square, and of Zhat/Z.
type tilted struct{ mass, log, log2, z float64 }

func (c *tilted) addWeighted(p float64, v tilted) {
	c.mass += p * v.mass
	c.log += p * v.log
	c.log2 += p * v.log2
	c.z += p * v.z
}

// weighed returns what becomes of it where log Zhat gains a number.
func (c tilted) weighed(gain float64) tilted {
	return tilted{
		mass: c.mass,
		log:  c.log + gain*c.mass,
		log2: c.log2 + gain*(2*c.log+gain*c.mass),
		z:    c.z * math.Exp(gain),
	}
}

// countFilter returns the moments of Zhat of a filter with P particles and multinomial resampling
// at every stage, by propagating how many particles are of each type. It does not enumerate paths,
// so that the number of data matters little. Time and memory are O(multisets of P types at a stage
// times those at the next). It fails beyond a limit on these, and with ErrImpossible if Z = 0.
func countFilter(ctx context.Context, stages []stageOfFilter, start branch, logZ float64,
	particles int) (*FilterMoments, error) {
	if steps := countSteps(stages, particles); steps > maxFilterWork/16 {
		return nil,
			errs.New("the numbers of %d particles of each type have up to %.3g transitions, and the limit is "+
				"%.3g; take fewer particles, or sample",
				particles, steps, maxFilterWork/16.0)
	}
	here := newCountSpace(particles, len(stages[0].logw))
	now := make([]tilted, here.size())
	draws := multinomial{space: here, choose: &binomials{}}
	draws.eachMultiset(start.types, start.p, func(c int, _, _ []int, p float64) { now[c] = tilted{mass: p, z: p} })
	m := &FilterMoments{LogZ: logZ}
	var extinct number.Sum
	for t := range stages {
		s := &stages[t]
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var there *countSpace
		var next []tilted
		if t+1 < len(stages) {
			there = newCountSpace(particles, len(stages[t+1].logw))
			next = make([]tilted, there.size())
		}
		draws := multinomial{space: there, choose: &binomials{}}
		last := make([]tilted, 0, len(now))
		here.eachMultiset(upTo(here.types), func(c int, types, n []int) {
			v := now[c]
			if v.mass == 0 || ctx.Err() != nil {
				return
			}
			w := s.logWeights(types, n)
			sum := number.LogSumExp(w)
			if math.IsInf(sum, -1) {
				extinct.Add(v.mass)
				return
			}
			v = v.weighed(sum - number.Log(float64(particles)))
			if there == nil {
				last = append(last, v)
				return
			}
			law := resampled(types, w, sum, s.next)
			draws.eachMultiset(law.types, law.p,
				func(to int, _, _ []int, p float64) { next[to].addWeighted(p, v) })
		})
		if there == nil {
			m.computeMoments(last, extinct.Value())
		}
		now = next
		here = there
	}
	return m, ctx.Err()
}

// countSteps bounds the number of ways in which the multiset of the types of the particles goes
// from one stage to the next.
func countSteps(stages []stageOfFilter, particles int) (steps float64) {
	for t := range stages {
		here := Multisets(particles, len(stages[t].logw))
		row := 1.0
		if t+1 < len(stages) {
			row = stages[t].rowOf(len(stages[t+1].logw), particles, particles)
		}
		steps += here * row
	}
	return steps
}

// computeMoments computes the moments from the masses at the end.
func (m *FilterMoments) computeMoments(last []tilted, extinct float64) {
	var log, spread, z number.Sum
	for _, v := range last {
		log.Add(v.log)
	}
	for _, v := range last { // around the mean, so that a small spread keeps its digits
		spread.Add(v.log2 - log.Value()*(2*v.log-log.Value()*v.mass))
		z.Add(v.z)
	}
	m.MeanZ = z.Value()
	m.MeanRatio, m.VarianceLogZ, m.Extinct = log.Value(), spread.Value(), extinct
	m.dies()
}

// dies sets the moments that do not exist if a run may be extinct, or if runs that make up E Zhat
// are lost, and the mean of log Zhat.
func (m *FilterMoments) dies() {
	if m.Extinct > 0 {
		m.MeanRatio = math.Inf(-1)
		m.VarianceLogZ = math.NaN()
	}
	m.MeanLogZForward = m.LogZ + m.MeanRatio
	if !(math.Abs(m.MeanZ-1) <= 1e-6) {
		m.MeanZ = math.NaN()
	}
}

// filterExtinction returns the probability that a run is extinct. It propagates the chain of counts
// only if weights may be zero.
func filterExtinction(ctx context.Context, stages []stageOfFilter, start branch,
	particles int) (float64, error) {
	zero := false
	for _, s := range stages {
		for _, l := range s.logw {
			zero = zero || math.IsInf(l, -1)
		}
	}
	if !zero {
		return 0, nil
	}
	stages, start, _ = lump(stages, start)
	m, err := countFilter(ctx, stages, start, 0, particles)
	if err != nil {
		return 0, err
	}
	return m.Extinct, nil
}
