package weights

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/exact"
	"breadboard/exact/internal/sweep"
)

// Bracket is a number with bounds on either side that are proven for the rows of the kernel as they are given, rounding
// and what their sums lack of one included.
type Bracket struct{ Low, Value, High float64 }

// Error returns how far Value may be from the truth.
func (b Bracket) Error() float64 { return max(b.High-b.Value, b.Value-b.Low) }

// plus returns the sum of a number and a constant.
func (b Bracket) plus(c float64) Bracket { return Bracket{b.Low + c, b.Value + c, b.High + c} }

// distribution is the part of a law that lies on finite values: its mass may be less than one.
type distribution interface {
	// below returns the probability of a value less than x, with orEqual that of x included; above the other way.
	below(x float64, orEqual bool) Bracket
	above(x float64, orEqual bool) Bracket
	// support returns bounds on the values.
	support() (low, high float64)
	// snap returns the value nearest to x where there are so few that it is known, else x.
	snap(x float64) float64
}

// Law is the distribution of the log weight of one chain, in nats.
type Law struct {
	// Zero and Infinite are the probabilities that the weight is zero and that it is infinite.
	Zero, Infinite float64
	// Spacing is the distance between neighbouring values of log w; zero where they do not lie on a lattice.
	Spacing float64

	finite distribution
}

// Support returns bounds on log w where it is finite, but for a probability below 1e-17.
func (l *Law) Support() (low, high float64) { return l.finite.support() }

// Below returns P(log w < x).
func (l *Law) Below(x float64) Bracket { return l.finite.below(x, false).plus(l.Zero) }

// AtMost returns P(log w <= x).
func (l *Law) AtMost(x float64) Bracket { return l.finite.below(x, true).plus(l.Zero) }

// Above returns P(log w > x), to a relative error on a lattice.
func (l *Law) Above(x float64) Bracket { return l.finite.above(x, false).plus(l.Infinite) }

// Points returns the values of log w and their probabilities where they lie on a lattice, else nil.
func (l *Law) Points() (values, p []float64) {
	a, ok := l.finite.(*atoms)
	if !ok {
		return nil, nil
	}
	for k := range a.p {
		values = append(values, a.at(k))
	}
	return values, append(p, a.p...)
}

// Quantile returns the least x with P(log w <= x) >= q, 0 < q < 1: -Inf where the weight is zero as often as that,
// +Inf where it is not finite that often.
func (l *Law) Quantile(q float64) Bracket {
	if q <= l.Zero {
		return Bracket{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	}
	// Each is the end of a bisection whose one side is below q for certain and whose other is not.
	return Bracket{
		Low:   l.cross(q, func(b Bracket) float64 { return b.High }),
		Value: l.cross(q, func(b Bracket) float64 { return b.Value }),
		High:  l.cross(q, func(b Bracket) float64 { return b.Low }),
	}
}

// cross returns where one side of the distribution function comes to q: on a lattice a point of it.
func (l *Law) cross(q float64, side func(Bracket) float64) float64 {
	low, high := l.Support()
	if side(l.AtMost(high)) < q {
		return math.Inf(1)
	}
	smallest := 1e-14 * (high - low)
	low = math.Nextafter(low, math.Inf(-1))
	for {
		middle := low + (high-low)/2
		if middle <= low || middle >= high || high-low <= smallest {
			break
		}
		if side(l.AtMost(middle)) >= q {
			high = middle
		} else {
			low = middle
		}
	}
	return l.finite.snap(high)
}

// LawMethod is how a law was computed.
type LawMethod string

const (
	MethodLattice   LawMethod = "lattice"   // dynamic programming over the values of log w
	MethodInversion LawMethod = "inversion" // of the characteristic function
)

// Laws is the law of the log weight in both directions.
type Laws struct {
	Forward, Reverse *Law
	Method           LawMethod
	LogZRatio        float64 // log Z_T - log Z_1
	// Frequencies is at how many the characteristic functions are known, 0 on a lattice, and Resolved whether they
	// have died out by half of them.
	Frequencies int
	Resolved    bool
	// Crooks is the largest relative violation of p_rev(l) = p_fwd(l) exp(l - log(Z_T/Z_1)) on a lattice; by
	// inversion the largest difference between the transforms of its two sides.
	Crooks float64

	difference func(b float64) Bracket
}

// DifferenceBelow returns P(log w_rev - log w_fwd < b), of one reverse chain and one independent forward chain: the
// probability that the single estimate of the bound B falls below b. An infinite difference is never below.
func (w *Laws) DifferenceBelow(b float64) Bracket { return w.difference(b) }

// LawProgress is what the calls of WithProgress come to in LawsOf.
const LawProgress = 1000

// LawsOf returns the law of log w in both directions. Where the increments log f_t - log f_{t-1} of every
// stage are whole multiples of one step above the least of them, to 1e-14 of the widest range of a stage and with no
// more than 10^6 steps in it, the law is computed over the points of that lattice: every probability to a relative
// error of about T 1e-15, in O(T entries points) time and O(states points) memory. Else, and where that would take
// more than some seconds, its characteristic function is inverted, with bounds that are proven (see the package's
// documentation).
//
// Zeros of f make weights zero (forward) or infinite (reverse) with a probability of their own. It fails where Solve
// does.
//
// Source: Crooks 1999 for the relation between both laws, which is checked.
func LawsOf(ctx context.Context, a *chains.Annealing, o Options) (*Laws, error) {
	if err := exact.Validate(a); err != nil {
		return nil, err
	}
	p := newProblem(a, o)
	v, err := p.survey(ctx)
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

// logZRatio returns log Z_T - log Z_1 of the centred annealing.
func (p *problem) logZRatio() float64 {
	s := sweep.NewStage(p.Annealing)
	first := s.Here.LogZ
	s.LoadDensity(&s.Before, p.Annealing.Distributions())
	return s.Before.LogZ - first
}
