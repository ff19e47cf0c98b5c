package smc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/number"
	"breadboard/chains/particle"
)

// ErrImpossible says that the data of a filter have probability zero, so that there is no posterior.
var ErrImpossible = errors.New("log Z = -Inf: the model gives the data probability zero, so that there is no posterior; check the data against the model")

// FilterLaw is the exact law of a particle filter with multinomial resampling at every stage, and the Side of it for AIDE. Given the
// path of the output, the other P-1 particles at a stage are drawn independently of each other from a law that depends on the
// path's state and on how many of the others are of each type. So these numbers are a Markov chain, and
//
//	q(x)/p(x) = E_meta[Z/Zhat | x] and E_meta[(Zhat/Z)^z | x]
//
// come from propagating it along the path of x, tilted by powers of the mean weights. All paths are the leaves of a tree, and
// share what is the same in their beginnings.
type FilterLaw struct {
	Transformed
	// LogZ is log Z. MeanLogZForward is the mean of log Zhat in runs, -Inf where a run may be extinct, and MeanLogZConditional its mean in
	// meta-inference from outputs of the target.
	LogZ, MeanLogZForward, MeanLogZConditional float64

	p         []float64 // the posterior
	meta, run [][2]float64
	tables    *filterTables
	tree      *pathTree
}

// NewFilter returns the law of a filter with P particles. Zero workers stand for one for each processor. It fails with
// ErrImpossible where Z = 0, and where the law takes more than a stated number of numbers. Time is O(sum over the stages of
// states entries/types), where entries are the probabilities of a multiset of P-1 types after one at the stage before.
func NewFilter(ctx context.Context, f particle.Filter, particles, workers int) (*FilterLaw, error) {
	stages, start, logZ, err := stagesOf(ctx, f, particles)
	if err != nil {
		return nil, err
	}
	l := newFilterLaw(f, logZ, workers)
	l.Transformed.tilts = l.tilts
	if l.tables, err = tabulateFilter(ctx, f, stages, start, particles-1); err != nil {
		return nil, err
	}
	l.tree = newPathTree(f)
	l.bound()
	if err := l.moments(ctx); err != nil {
		return nil, err
	}
	if l.extinct, err = filterExtinction(ctx, f, stages, start, particles); err != nil {
		return nil, err
	}
	l.average()
	return l, nil
}

// newFilterLaw returns what is known of the outputs of a flow with log Z before its runs are looked at.
func newFilterLaw(f particle.Flow, logZ float64, workers int) *FilterLaw {
	l := &FilterLaw{LogZ: logZ}
	l.workers = workers
	n := f.Outputs()
	l.logP, l.logRatio, l.deviation, l.lost = make([]float64, n), make([]float64, n), make([]float64, n), make([]bool, n)
	l.p, l.meta, l.run = make([]float64, n), make([][2]float64, n), make([][2]float64, n)
	for x := range n {
		l.logP[x] = f.LogTarget(x) - logZ
		l.p[x] = math.Exp(l.logP[x])
		l.logRatio[x] = math.Inf(-1)
		l.meta[x], l.run[x] = [2]float64{math.NaN(), math.NaN()}, [2]float64{math.NaN(), math.NaN()}
	}
	return l
}

// bound bounds log(Zhat/Z) by the least and the greatest mean weight of every stage.
func (l *FilterLaw) bound() {
	for _, level := range l.tables.levels {
		least, most := math.Inf(1), math.Inf(-1)
		for k, means := range level.logMean {
			if !math.IsInf(level.logOwn[k], 0) {
				least, most = min(least, slices.Min(means)), max(most, slices.Max(means))
			}
		}
		l.low += least
		l.high += most
	}
}

// moments fills in q/p and the moments of log Zhat given each output.
func (l *FilterLaw) moments(ctx context.Context) error {
	sweep := &pathSweep{tables: l.tables, tree: l.tree, groups: 2, width: 3}
	sweep.weigh = func(t, k, c int, v []float64) {
		log := l.tables.levels[t].logMean[k][c]
		tilt := math.Exp(-log) // the second group is weighed by Z/Zhat
		for g, w := range [2]float64{1, tilt} {
			tiltMoments(v[3*g:3*g+3], w, log)
		}
	}
	sweep.leaf = func(x int, sums []float64, scale []int) {
		l.meta[x] = [2]float64{math.Ldexp(sums[1], scale[0]), math.Ldexp(sums[2], scale[0])}
		l.run[x] = [2]float64{sums[4] / sums[3], sums[5] / sums[3]}
		l.logRatio[x] = math.Log(sums[3]) + float64(scale[1])*math.Ln2
		l.deviation[x] = math.Ldexp(sums[3], scale[1]) - 1
	}
	return sweep.run(ctx, []float64{1, 0, 0, 1, 0, 0})
}

// tiltMoments takes a mean weight into the three columns of a law, its mass and the means on it of log Zhat/Z and of its square: the
// logarithm is added, and all are multiplied by w.
func tiltMoments(u []float64, w, log float64) {
	u[2] = w * (u[2] + log*(2*u[1]+log*u[0]))
	u[1] = w * (u[1] + log*u[0])
	u[0] *= w
}

// average fills in the means over all outputs.
func (l *FilterLaw) average() {
	var forward, conditional number.Sum
	for x, p := range l.p {
		if p > 0 {
			forward.Add(p * math.Exp(l.logRatio[x]) * l.run[x][0])
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

// Traces implements Side. The moments for M = 1 are exact without an integral; for others see Transformed.
func (l *FilterLaw) Traces(ctx context.Context, ms []int) ([]Traces, error) {
	var more []int
	for _, m := range ms {
		if err := checkTraces(m); err != nil {
			return nil, err
		}
		if m > 1 {
			more = append(more, m)
		}
	}
	var rest []Traces
	var err error
	if n := len(l.p); len(more) > 0 && n > maxTransformed {
		rest = unknownTraces(more, n)
	} else if len(more) > 0 {
		if rest, err = l.Transformed.Traces(ctx, more); err != nil {
			return nil, err
		}
	}
	var out []Traces
	for _, m := range ms {
		if m == 1 {
			out = append(out, l.single())
			continue
		}
		out, rest = append(out, rest[0]), rest[1:]
	}
	return out, nil
}

// maxTransformed is the number of outputs for which the transform is kept, some 20 kB for each.
const maxTransformed = 1 << 14

// unknownTraces returns moments that are not known, since there are too many outputs.
func unknownTraces(ms []int, outputs int) []Traces {
	out, _ := newTraces(ms, outputs, math.NaN()) // FilterLaw.Traces has checked the numbers
	for i := range out {
		out[i].Error = math.Inf(1)
		out[i].Note = fmt.Sprintf("the law of the traces is not known for M = %d: there are %d outputs, and for more than one trace at most %d", out[i].M, outputs, maxTransformed)
	}
	return out
}

// single returns the moments for one trace, log S = -log(Zhat/Z) - log(q/p).
func (l *FilterLaw) single() Traces {
	t := Traces{M: 1}
	for x, r := range l.logRatio {
		meta, run := l.meta[x], l.run[x]
		t.Meta, t.Meta2 = append(t.Meta, -meta[0]-r), append(t.Meta2, meta[1]+r*(2*meta[0]+r))
		t.Run, t.Run2 = append(t.Run, -run[0]-r), append(t.Run2, run[1]+r*(2*run[0]+r))
		if math.IsInf(r, -1) {
			t.forget(x)
		}
	}
	return t
}
