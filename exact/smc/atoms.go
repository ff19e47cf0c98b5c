package smc

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// Atom is one value of W = q(u | x)/r(u; x) and the probability with which meta-inference draws a
// trace that has it.
type Atom struct {
	LogW float64 // in nats; -Inf for traces that no run has
	P    float64
}

// TraceLaw is the distribution of W at one output when the trace u is drawn by meta-inference. A
// run that returned the output has the same atoms, with probability P W, and in addition the traces
// that meta-inference never draws, where W is infinite.
//
//	E_meta[W] = 1 - RunOnly, E_run[g(W)] = E_meta[W g(W)] + RunOnly g(Inf)
type TraceLaw struct {
	Atoms   []Atom
	RunOnly float64 // the probability, given the output, of a trace that meta-inference never draws
}

// Atoms is the Side of an algorithm of which the distribution of W at every output is discrete and
// known: an algorithm that is enumerated, or a chain under one target, whose trace matters only
// through its first state.
type Atoms struct {
	logRatio []float64
	laws     []TraceLaw
}

// lawTolerance is the largest distance of the sum of a distribution from one, and of the mean of W
// from one.
const lawTolerance = 1e-9

// NewAtoms returns the side with these log q(x)/p(x), in nats, and these distributions of W, one
// for each output. Outputs that the algorithm never returns (log q/p = -Inf) need no distribution.
// It fails if the probabilities of a distribution do not sum to one, or if the mean of W is not one
// less RunOnly. It keeps the slices.
func NewAtoms(logRatio []float64, laws []TraceLaw) (*Atoms, error) {
	if len(laws) != len(logRatio) {
		return nil, fmt.Errorf("%d distributions of traces for %d outputs", len(laws), len(logRatio))
	}
	for x, l := range laws {
		if math.IsInf(logRatio[x], -1) {
			continue
		}
		if sum := l.sum(func(a Atom) float64 { return a.P }); !(math.Abs(sum-1) <= lawTolerance) {
			return nil, fmt.Errorf("output %d: the probabilities of its traces in meta-inference sum to %v", x, sum)
		}
		if sum := l.sum(Atom.runProbability); !(math.Abs(sum+l.RunOnly-1) <= lawTolerance) {
			return nil, fmt.Errorf("output %d: the probabilities of its traces in runs sum to %v", x, sum+l.RunOnly)
		}
	}
	return &Atoms{logRatio, laws}, nil
}

// runProbability returns the probability with which a run that returned the output has the value.
func (a Atom) runProbability() float64 {
	if a.P == 0 {
		return 0
	}
	return math.Exp(number.Log(a.P) + a.LogW) // W may overflow if P is small
}

// sum adds up a function of the atoms.
func (l TraceLaw) sum(f func(Atom) float64) float64 {
	var sum number.Sum
	for _, a := range l.Atoms {
		sum.Add(f(a))
	}
	return sum.Value()
}

// LogRatio implements Side.
func (a *Atoms) LogRatio() []float64 { return a.logRatio }

// Traces implements Side. All numbers of traces share the transform of W, so that they cost little
// more than one. Time is that of some hundred exponentials for each atom, more if the values of W
// differ by many nats.
func (a *Atoms) Traces(ctx context.Context, ms []int) ([]Traces, error) {
	out, err := newTraces(ms, len(a.logRatio), 0)
	if err != nil {
		return nil, err
	}
	for x, l := range a.laws {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if math.IsInf(a.logRatio[x], -1) {
			for i := range out {
				out[i].forget(x)
			}
			continue
		}
		l.writeMoments(out, x)
	}
	return out, nil
}

// writeMoments writes the moments of log S at output x, for every number of traces.
func (l TraceLaw) writeMoments(out []Traces, x int) {
	law := newDiscrete(l.Atoms)
	var wanted []int // places in out of the numbers above one, which need the transform
	for i := range out {
		if out[i].M == 1 {
			out[i].Meta[x], out[i].Meta2[x] = law.meanLog(law.p, false), law.meanLog(law.p, true)
			out[i].Run[x], out[i].Run2[x] = law.meanLog(law.run, false), law.meanLog(law.run, true)
		} else {
			wanted = append(wanted, i)
		}
		out[i].Error = max(out[i].Error, law.momentRounding())
	}
	if len(wanted) > 0 {
		law.transformed(out, wanted, x, l.RunOnly)
	}
	for i := range out {
		if law.zero > 0 { // all traces may be such that no run has
			out[i].Meta[x], out[i].Meta2[x] = math.Inf(-1), math.Inf(1)
		}
		if l.RunOnly > 0 {
			out[i].Run[x], out[i].Run2[x] = math.Inf(1), math.Inf(1)
		}
	}
}

// discrete is the distribution of a positive W in increasing order, and the mass at zero.
type discrete struct {
	logw, p, run []float64
	zero         float64
}

func newDiscrete(atoms []Atom) *discrete {
	sorted := slices.Clone(atoms)
	slices.SortFunc(sorted, func(a, b Atom) int { return cmp.Compare(a.LogW, b.LogW) })
	d := &discrete{}
	for _, a := range sorted {
		n := len(d.logw)
		switch {
		case a.P == 0:
		case math.IsInf(a.LogW, -1):
			d.zero += a.P
		case n > 0 && d.logw[n-1] == a.LogW:
			d.p[n-1] += a.P
			d.run[n-1] += a.runProbability()
		default:
			d.logw, d.p, d.run = append(d.logw, a.LogW), append(d.p, a.P), append(d.run, a.runProbability())
		}
	}
	return d
}

// meanLog returns the sum of log W, or of its square, by a distribution.
func (d *discrete) meanLog(p []float64, square bool) float64 {
	var sum number.Sum
	for i, v := range d.logw {
		if square {
			v *= v
		}
		sum.Add(p[i] * v)
	}
	return sum.Value()
}

// momentRounding returns a bound of the error of the moments.
func (d *discrete) momentRounding() float64 {
	if len(d.logw) == 0 {
		return 0
	}
	return 1e-14 * (1 + d.logw[len(d.logw)-1] - d.logw[0])
}

// Side is one of the two algorithms that AIDE compares. Outputs are 0..n-1, and all distributions
// are given relative to one reference distribution p over them, which is the target.
type Side interface {
	// LogRatio returns log q(x)/p(x) of every output with p(x) > 0: -Inf if the algorithm never
	// returns it. Runs that are extinct have no output, so that q may sum to less than one.
	LogRatio() []float64
	// Traces returns, for each number M of traces, the moments that traces contribute.
	Traces(ctx context.Context, ms []int) ([]Traces, error)
}

// Traces holds moments of log S, by output x, in nats. S is the mean of q(u_k | x)/r(u_k; x) over M
// traces u_k. In Meta all traces are from meta-inference r(.; x), so that S has mean one; in Run
// the first is the trace of a run that returned x, from q(. | x), and the others are from
// meta-inference. All are zero for an algorithm without traces, such as a density. They are NaN if
// q(x) is zero.
//
// Meta is at most zero and Run at least zero: minus Meta is the Kullback-Leibler divergence of Eq.
// 25 of the supplement of Cusumano-Towner and Mansinghka 2017, and Run that of Eq. 26.
type Traces struct {
	M           int
	Meta, Meta2 []float64 // E log S and E (log S)^2, all traces from meta-inference
	Run, Run2   []float64 // the same, the first trace from the run
	Error       float64   // bounds the error of Meta and of Run, in nats
	// the reason why the moments are not known, if they are NaN for an output of positive
	// probability
	Note string
}

// forget makes the moments at an output NaN.
func (t *Traces) forget(x int) {
	t.Meta[x], t.Meta2[x], t.Run[x], t.Run2[x] = math.NaN(), math.NaN(), math.NaN(), math.NaN()
}

// newTraces returns moments with one value for each number of traces. It fails for an invalid
// number.
func newTraces(ms []int, outputs int, value float64) ([]Traces, error) {
	var out []Traces
	for _, m := range ms {
		if err := checkTraces(m); err != nil {
			return nil, err
		}
		all := func() []float64 { return slices.Repeat([]float64{value}, outputs) }
		out = append(out, Traces{M: m, Meta: all(), Meta2: all(), Run: all(), Run2: all()})
	}
	return out, nil
}

// MaxTraces is the largest number of traces that AIDE is computed for.
const MaxTraces = 1_000_000_000

// checkTraces fails for an invalid number of traces.
func checkTraces(m int) error {
	if m < 1 || m > MaxTraces {
		return errs.New("%d traces of meta-inference; give a number from 1 to %d", m, MaxTraces)
	}
	return nil
}
