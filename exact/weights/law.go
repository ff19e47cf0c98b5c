package weights

import (
	"context"
	"math"
	"sync"
	"sync/atomic"

	"breadboard/chains"
	"breadboard/exact"
	"breadboard/exact/internal/stage"
)

// Bracket is a number with a lower and an upper bound. The bounds are proven for the rows of the
// kernel as they are given. They allow for rounding, and for rows whose sums are not exactly one.
type Bracket struct{ Low, Value, High float64 }

// Error returns the largest distance that the bounds allow between Value and the true number.
func (b Bracket) Error() float64 { return max(b.High-b.Value, b.Value-b.Low) }

// plusConstant returns the sum of a probability and a constant, which is one, too.
func (b Bracket) plusConstant(c float64) Bracket {
	return Bracket{b.Low + c, b.Value + c, b.High + c}.ofProbability()
}

// ofProbability returns what is known of a probability: it is from 0 to 1, and so are its bounds,
// whatever rounding has left of them.
func (b Bracket) ofProbability() Bracket {
	within := func(v float64) float64 { return min(1, max(0, v)) }
	return Bracket{within(b.Low), within(b.Value), within(b.High)}
}

// distribution is the part of a distribution that lies on finite values. Its total probability may
// be less than one.
type distribution interface {
	// below returns the probability of a value less than x, or, with orEqual, of a value at most x.
	below(x float64, orEqual bool) Bracket
	// above returns the probability of a value greater than x, or, with orEqual, of a value at
	// least x.
	above(x float64, orEqual bool) Bracket
	// support returns bounds on the values.
	support() (low, high float64)
	// snap returns the possible value nearest to x if the values lie on a lattice, and otherwise x.
	snap(x float64) float64
}

// Law is the distribution of the log weight of one chain, in nats.
type Law struct {
	// Zero and Infinite are the probabilities that the weight is zero and that it is infinite.
	Zero, Infinite float64
	// Spacing is the distance between neighbouring values of log w; zero if they do not lie on a
	// lattice.
	Spacing float64

	finite distribution
}

// Support returns bounds of the finite values of log w; the probability outside is below 1e-17.
func (l *Law) Support() (low, high float64) { return l.finite.support() }

// Below returns P(log w < x).
func (l *Law) Below(x float64) Bracket { return l.finite.below(x, false).plusConstant(l.Zero) }

// AtMost returns P(log w <= x).
func (l *Law) AtMost(x float64) Bracket { return l.finite.below(x, true).plusConstant(l.Zero) }

// Above returns P(log w > x). On a lattice its bounds are relative to the probability, so that
// small tails keep their digits.
func (l *Law) Above(x float64) Bracket { return l.finite.above(x, false).plusConstant(l.Infinite) }

// Points returns the values of log w and their probabilities if they lie on a lattice, else nil.
func (l *Law) Points() (values, p []float64) {
	a, ok := l.finite.(*atoms)
	if !ok {
		return nil, nil
	}
	for k := range a.p {
		values = append(values, a.point(k))
	}
	return values, append(p, a.p...)
}

// Quantile returns the least x with P(log w <= x) >= q, for 0 < q < 1. It is -Inf if the weight is
// zero with a probability of at least q, and +Inf if log w is finite or -Inf with a probability of
// less than q.
func (l *Law) Quantile(q float64) Bracket {
	if q <= l.Zero {
		return Bracket{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	}
	// The upper bound on P(log w <= x) comes to q first, which gives the lower bound on the
	// quantile, and the lower bound comes to q last.
	known := map[float64]Bracket{} // the three go the same way nearly to the end
	atMost := func(x float64) Bracket {
		b, is := known[x]
		if !is {
			b = l.AtMost(x)
			known[x] = b
		}
		return b
	}
	return Bracket{
		Low:   l.cross(q, func(x float64) float64 { return atMost(x).High }),
		Value: l.cross(q, func(x float64) float64 { return atMost(x).Value }),
		High:  l.cross(q, func(x float64) float64 { return atMost(x).Low }),
	}
}

// cross returns, by bisection, the least x at which one side of the bracket on P(log w <= x), as
// atMost returns it, is at least q; on a lattice that is one of its points. It is +Inf if there is
// no such x.
func (l *Law) cross(q float64, atMost func(x float64) float64) float64 {
	low, high := l.Support()
	if atMost(high) < q {
		return math.Inf(1)
	}
	smallest := 1e-14 * (high - low)
	low = math.Nextafter(low, math.Inf(-1))
	for {
		middle := low + (high-low)/2
		if middle <= low || middle >= high || high-low <= smallest {
			break
		}
		if atMost(middle) >= q {
			high = middle
		} else {
			low = middle
		}
	}
	return l.finite.snap(high)
}

// LawMethod is how a distribution was computed.
type LawMethod string

const (
	// dynamic programming over the values of log w, which lie on a lattice
	MethodLattice   LawMethod = "lattice"
	MethodInversion LawMethod = "inversion" // inversion of the characteristic function
)

// Laws is the distribution of the log weight in both directions.
type Laws struct {
	Forward, Reverse *Law
	Method           LawMethod
	LogZRatio        float64 // log Z_T - log Z_1
	// Frequencies is the number of frequencies at which the characteristic functions have been
	// computed, 0 on a lattice.
	Frequencies int
	// Resolved says that the characteristic functions have died out by half of these frequencies.
	Resolved bool
	// Crooks is the largest violation of p_rev(l) = p_fwd(l) exp(l - log(Z_T/Z_1)). On a lattice it
	// is the largest relative difference between the two sides, and by inversion the largest
	// difference between their transforms.
	Crooks float64

	difference func(b float64) Bracket
}

// DifferenceBelow returns P(log w_rev - log w_fwd < b) for one reverse chain and one independent
// forward chain. It is the probability that the estimate of the bound B from one pair of chains
// falls below b. An infinite difference is never below b.
func (w *Laws) DifferenceBelow(b float64) Bracket { return w.difference(b) }

// LawProgress is the number of steps to which the calls of Options.Progress add up.
const LawProgress = 1000

// LawsOf returns the distribution of log w in both directions. The increments of log w at a stage
// are the values of log f_t - log f_{t-1}. They lie on a lattice if, to 1e-14 of the widest range
// of a stage, they are whole multiples of one step above the least increment of their stage, and no
// range has more than 10^6 steps. Then the distribution is computed over the points of that
// lattice: every probability has a relative error of about T 1e-15, in O(T entries points) time and
// O(states points) memory. Otherwise, and if the lattice would take more than some seconds, the
// characteristic function is inverted, with proven bounds (see the documentation of the package).
//
// If f has zeros, forward weights may be zero and reverse weights infinite, each with a probability
// of its own. LawsOf fails if exact.Solve does.
//
// Source: Crooks 1999 for the relation between the two distributions, whose violation is in
// Laws.Crooks.
func LawsOf(ctx context.Context, a *chains.Annealing, o Options) (*Laws, error) {
	p, v, err := surveyed(ctx, a, o)
	if err != nil {
		return nil, err
	}
	w := &Laws{LogZRatio: p.logZRatio()}
	if l, ok := v.lattice(); ok && !p.Inversion {
		err = w.onLattice(ctx, p, l)
	} else {
		err = w.byInversion(ctx, p, v)
	}
	if err != nil {
		return nil, err
	}
	w.LogZRatio += p.Offset
	return w, nil
}

// surveyed validates an annealing, makes its problem and surveys it.
func surveyed(ctx context.Context, a *chains.Annealing, o Options) (*problem, *survey, error) {
	if err := exact.Validate(a); err != nil {
		return nil, nil, err
	}
	p := newProblem(a, o)
	v, err := p.survey(ctx)
	return p, v, err
}

// logZRatio returns log Z_T - log Z_1 of the centred annealing.
func (p *problem) logZRatio() float64 {
	s := stage.NewStage(p.Annealing)
	first := s.Here.LogZ
	s.LoadDensity(&s.Before, p.Annealing.Distributions())
	return s.Before.LogZ - first
}

// portions returns a function to call from any goroutine with the number of pieces of work that
// have been done. It reports all pieces together as LawProgress steps.
func (p *problem) portions(pieces int) func(int) {
	var done atomic.Int64
	return func(n int) {
		now := done.Add(int64(n))
		before := now - int64(n)
		if steps := LawProgress*now/int64(pieces) - LawProgress*before/int64(pieces); steps > 0 {
			p.gauge.progress(int(steps))
		}
	}
}

// Coefficients describe a distribution on finite values by its characteristic function: its
// support, its mean, and its coefficients on a circle that is longer than the support.
type Coefficients struct {
	Low, High, Period float64
	Mean              float64
	Phi               []complex128 // Phi[k-1] = E[exp(2 pi i k l/Period)], k = 1, 2, ...
	Rounding          float64      // bounds the error of a coefficient
	// the probabilities of -Inf and +Inf, which are in no coefficient; the mean is that of the rest
	Zero, Infinite float64
}

// Law returns the distribution, with the bounds described in the documentation of the package.
func (c Coefficients) Law() *Law {
	mass := 1 - c.Zero - c.Infinite
	f := &fourier{low: c.Low, high: c.High, period: c.Period, mass: mass, mean: mass * (c.Mean - c.Low)}
	turns := 1 + (c.High-c.Low)/c.Period
	f.setRest(c.Phi, make([]complex128, len(c.Phi)), c.Rounding, turns)
	return &Law{Zero: c.Zero, Infinite: c.Infinite, finite: f}
}

// LawOf returns the distribution of log w in one direction (see LawsOf). It takes half the time,
// and its brackets are half as wide with the same number of frequencies, because the circle need
// not hold differences of two log weights.
func LawOf(ctx context.Context, a *chains.Annealing, d chains.Direction, o Options) (*Law, error) {
	p, v, err := surveyed(ctx, a, o)
	if err != nil {
		return nil, err
	}
	law, err := p.lawOf(ctx, v, d)
	if err != nil {
		return nil, err
	}
	if d == chains.Reverse {
		law.Zero, law.Infinite = 0, law.Zero
	}
	return law, nil
}

// lawOf returns the distribution, in which the probability that log w is not finite is given as
// Zero.
func (p *problem) lawOf(ctx context.Context, v *survey, d chains.Direction) (*Law, error) {
	if l, ok := v.lattice(); ok && !p.Inversion {
		law, err := p.propagateLattice(ctx, d, l, p.portions(p.Annealing.Distributions()-1))
		if err != nil {
			return nil, err
		}
		law.low += p.Offset
		law.high += p.Offset
		return &Law{Zero: law.infinite, Spacing: l.step, finite: law}, nil
	}
	if err := p.expectWork(ctx, 1); err != nil {
		return nil, err
	}
	j, err := p.propagateMoments(ctx, d)
	if err != nil {
		return nil, err
	}
	low, high, err := p.bulk(ctx, v, []*joint{j}, []chains.Direction{d})
	if err != nil {
		return nil, err
	}
	f := &fourier{low: low, high: high, period: (high - low) * (1 + 0x1p-20)}
	phi, err := p.characteristic(ctx, 2*math.Pi/f.period, []chains.Direction{d})
	if err != nil {
		return nil, err
	}
	stayers, err := p.stayers(ctx, low, high)
	if err != nil {
		return nil, err
	}
	mass, _, _ := f.completeLaw(j, atomsOf(stayers, d), phi[0],
		transformRounding(p.Annealing.States(), j.moves)+j.defect, v.turns(f.period))
	f.shift(p.Offset)
	return &Law{Zero: 1 - mass, finite: f}, nil
}

// Options control how LawsOf works. Workers do not change the results; Inversion, Frequencies and
// Work affect the width of the brackets. The zero value is the default.
type Options struct {
	// Progress is called now and then, from several goroutines, with the number of steps since the
	// last call. All calls add up to LawProgress. It may be nil.
	Progress func(steps int)
	// Inversion makes LawsOf invert characteristic functions even if the log weights lie on a
	// lattice, so that the two methods can be compared.
	Inversion bool
	// Frequencies is the number of frequencies at which characteristic functions are computed, at
	// most MaxFrequencies. More frequencies take more time and give narrower brackets. Zero means
	// as many as Work allows.
	Frequencies int
	// Work is the number of multiplications after which no more frequencies are computed if
	// Frequencies is zero; zero stands for 8e9, which take some seconds.
	Work float64
	// Workers is the number of goroutines that compute at the same time; zero stands for the number
	// of processors.
	Workers int
}

// SampleOptions control how MultiSampleBounds works, and do not change its results. The zero value
// is the default.
type SampleOptions struct {
	Progress func(steps int) // as in Options
	// makes MultiSampleBounds integrate transforms even if the log weights lie on a lattice
	Inversion bool
	Workers   int // as in Options
}

// problem is an annealing whose log weights are examined, with the options for that.
type problem struct {
	*stage.Problem
	gauge                *gauge
	Inversion            bool
	Frequencies, Workers int
	Work                 float64

	stages, bands sync.Pool // *stage.Stage and *tilted that are no longer used
}

// newProblem returns the problem of an annealing.
func newProblem(a *chains.Annealing, o Options) *problem {
	g := &gauge{progress: o.Progress}
	if g.progress == nil {
		g.progress = func(int) {}
	}
	return &problem{
		Problem:     stage.NewProblem(a, g.countStages),
		gauge:       g,
		Inversion:   o.Inversion,
		Frequencies: o.Frequencies,
		Workers:     o.Workers,
		Work:        o.Work,
	}
}

// newStage returns a stage, with memory that was given back to p.stages if there is some.
func (p *problem) newStage() *stage.Stage {
	if s, known := p.stages.Get().(*stage.Stage); known {
		return s
	}
	return stage.NewStage(p.Annealing)
}
