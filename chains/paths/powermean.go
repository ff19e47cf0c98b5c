package paths

import (
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
)

// PowerMean is the path of weighted power means between the normalised initial distribution p_0 and
// the normalised target p_1. With k = 1 - q,
//
//	p_b^k is proportional to (1-b) p_0^k + b p_1^k,
//
// and f_b is that scaled by Z_0^(1-b) Z_1^b, so that the ends are the given f_0 and f_1. Because
// both ends are normalised first, a constant in log f of the target, which has no meaning, does not
// bend the path. q = 0 is the mixture, on which all expectations are averages of those at the ends
// ("moment averaging", where the states themselves are the statistics); q = 1 would be Geometric.
// For q < 1 p_b is positive wherever either end is, for q > 1 if both are. It is immutable.
//
// Source: Masrani, Brekelmans, Bui, Nielsen, Galstyan, Ver Steeg and Wood 2021; q = 0: Grosse,
// Maddison and Salakhutdinov 2013.
type PowerMean struct {
	order float64 // q
	ends  *Ends
	rise  []float64 // log p_1 - log p_0, with no meaning if either is zero
	// fall is exp(-|k rise|) with k = 1 - q, and less is one minus that, with the sign of k rise.
	fall, less []float64
	logZ       float64 // log(Z_1/Z_0) of the ends without their constants
	// low and high are the constants that scale the path to the given ends: at every state log f_0
	// is low plus the core of the initial distribution, and log f_1 is high plus that core plus the
	// rise. The offset is high - low with all its digits.
	low, high, offset float64
	name              string
}

// maxOrder bounds |q|. Beyond it a power mean of the two ends is practically the larger or the
// smaller of them at each state.
const maxOrder = 100

// NewPowerMean returns the path of order q between initial and target, which are as for NewEnds; q
// = 1 gives a Geometric.
func NewPowerMean(q float64, initial, target []float64) (chains.Path, error) {
	ends, err := NewEnds(initial, target)
	if err != nil {
		return nil, err
	}
	return PowerMeanBetween(q, ends)
}

// PowerMeanBetween returns the path of order q between two ends; they must share a state if q is 1
// or more.
func PowerMeanBetween(q float64, ends *Ends) (chains.Path, error) {
	if q == 1 {
		return GeometricBetween(ends)
	}
	if !(math.Abs(q) <= maxOrder) {
		return nil, errs.New("path q:%v; the order is from %d to %d", q, -maxOrder, maxOrder)
	}
	if q > 1 && ends.disjoint() {
		return nil, errNoCommonState
	}
	return buildPowerMean(fmt.Sprintf("q:%v", q), q, ends), nil
}

// NewArithmetic returns the mixture path p_b = (1-b) p_0 + b p_1; initial and target are as for
// NewEnds.
func NewArithmetic(initial, target []float64) (chains.Path, error) {
	ends, err := NewEnds(initial, target)
	if err != nil {
		return nil, err
	}
	return ArithmeticBetween(ends), nil
}

// ArithmeticBetween returns the mixture path between two ends.
func ArithmeticBetween(ends *Ends) *PowerMean { return buildPowerMean("arithmetic", 0, ends) }

func buildPowerMean(name string, q float64, ends *Ends) *PowerMean {
	p := &PowerMean{
		order: q,
		name:  name,
		ends:  ends,
		rise:  make([]float64, ends.States()),
		logZ:  ends.logZRatio(),
	}
	p.low = ends.initial.constant
	p.high = ends.target.constant + p.logZ
	p.offset = ends.offset + p.logZ
	p.fall, p.less = make([]float64, ends.States()), make([]float64, ends.States())
	for x, d := range ends.rise {
		p.rise[x] = d - p.logZ
		k := (1 - q) * p.rise[x]
		p.fall[x], p.less[x] = math.Exp(-math.Abs(k)), math.Copysign(math.Expm1(-math.Abs(k)), k)
	}
	return p
}

// States returns the number of states.
func (p *PowerMean) States() int { return p.ends.States() }

// Zeros reports whether either end of the path is zero somewhere.
func (p *PowerMean) Zeros() bool { return p.ends.zeros }

// logEnds returns log p_0 and log p_1 of a state, both plus the constant log Z_0, and whether p_0
// and whether p_1 is zero.
func (p *PowerMean) logEnds(x int) (log0, log1 float64, zero0, zero1 bool) {
	log0, log1 = p.ends.initial.coreAt(x), p.ends.target.core[x]-p.logZ
	return log0, log1, math.IsInf(log0, -1), math.IsInf(log1, -1)
}

// LogF writes log f_b of each state to dst. The ends are exact but for rounding.
func (p *PowerMean) LogF(dst []float64, at chains.Place) {
	scale := at.Rest*p.low + at.Beta*p.high
	for x := range dst {
		dst[x] = p.logP(x, at) + scale
	}
}

// logP returns log p_b(x), not normalised.
func (p *PowerMean) logP(x int, at chains.Place) float64 {
	k := 1 - p.order
	log0, log1, zero0, zero1 := p.logEnds(x)
	switch {
	case at.Beta == 0:
		return log0
	case at.Beta == 1:
		return log1
	case zero0 && zero1 || (zero0 || zero1) && k < 0:
		return math.Inf(-1)
	case zero0:
		return log1 + number.Log(at.Beta)/k
	case zero1:
		return log0 + number.Log(at.Rest)/k
	}
	return log0 + logMix(at, k*p.rise[x])/k
}

// logMix returns log(1 - b + b exp(d)) to full relative accuracy, also if b or 1 - b is small,
// except if the result is far smaller than d.
func logMix(at chains.Place, d float64) float64 {
	switch change := at.Beta * math.Expm1(d); {
	case at.Beta == 0:
		return 0
	case at.Rest == 0:
		return d
	case change > -0.5 && !math.IsInf(change, 1):
		return math.Log1p(change)
	case d > 0: // exp(d) is too large for a float64
		return d + number.Log(at.Beta+at.Rest*math.Exp(-d))
	}
	return number.Log(at.Rest + at.Beta*math.Exp(d))
}

// LogRatio writes log f_to - log f_from of each state to dst, and 0 if either of them is zero.
func (p *PowerMean) LogRatio(dst []float64, from, to chains.Place, step float64) {
	scale := step * p.offset
	for x := range dst {
		dst[x] = p.logPRatio(x, from, to, step) + scale
		if dst[x]-dst[x] != 0 { // it is infinite or NaN
			dst[x] = 0
		}
	}
}

// logPRatio returns log p_to(x) - log p_from(x). If the mean of powers changes little it computes
// this from the relative change of the mean, which keeps the digits of a small step.
func (p *PowerMean) logPRatio(x int, from, to chains.Place, step float64) float64 {
	k := 1 - p.order
	if p.ends.zeros {
		switch _, _, zero0, zero1 := p.logEnds(x); {
		case zero0 && zero1:
			return 0
		case zero0:
			return math.Log1p(step/from.Beta) / k
		case zero1:
			return math.Log1p(-step/from.Rest) / k
		}
	}
	if change := step * p.relativeSlope(x, from); change > -0.5 && change <= math.MaxFloat64 {
		return math.Log1p(change) / k
	}
	d := k * p.rise[x]
	return (logMix(to, d) - logMix(from, d)) / k
}

// relativeSlope returns the derivative of logMix(b, d) by b, (exp(d) - 1)/(1 - b + b exp(d)), at d
// = k rise. Where d > 0 both terms are divided by exp(d), which cannot be too large then.
func (p *PowerMean) relativeSlope(x int, at chains.Place) float64 {
	if p.less[x] > 0 {
		return p.less[x] / (at.Beta + at.Rest*p.fall[x])
	}
	return p.less[x] / (at.Rest + at.Beta*p.fall[x])
}

// Slope writes the derivative of log f_b by b to dst. It writes 0 if f_b is zero, and at an end of
// the path where the derivative is infinite or overflows float64.
func (p *PowerMean) Slope(dst []float64, at chains.Place) {
	k := 1 - p.order
	for x := range dst {
		switch _, _, zero0, zero1 := p.logEnds(x); {
		case zero0 && zero1:
			dst[x] = 0
			continue
		case zero0:
			dst[x] = 1 / (k * at.Beta)
		case zero1:
			dst[x] = -1 / (k * at.Rest)
		default:
			dst[x] = p.relativeSlope(x, at) / k
		}
		dst[x] += p.offset
		if math.IsInf(dst[x], 0) {
			dst[x] = 0
		}
	}
}

// Kinks returns none: the path is smooth between its ends.
func (p *PowerMean) Kinks() []float64 { return nil }

// Centred returns the same path with the constants low and high set to zero, and the constant that
// this takes out of log f_1 - log f_0.
func (p *PowerMean) Centred() (chains.Path, float64) {
	c := *p
	c.low = 0
	c.high = 0
	c.offset = 0
	return &c, p.offset
}

// String returns the selector: "arithmetic", or "q:" and the order.
func (p *PowerMean) String() string { return p.name }

// arithmeticForm is how the mixture path is selected.
func arithmeticForm() pathForm {
	return pathForm{
		Syntax:  "arithmetic",
		Doc:     "the mixture p_t = (1-b_t) p_1 + b_t p_T",
		Source:  "Grosse, Maddison and Salakhutdinov 2013",
		Example: "arithmetic",
		Others:  []string{"mixture"},
		Parse: func(_ selector.Args, between Env) (chains.Path, error) {
			return ArithmeticBetween(between.Ends), nil
		},
	}
}

func powerMeanForm() pathForm {
	return pathForm{
		Syntax:  "q:Q",
		Doc:     "the power mean of order 1 - Q of p_1 and p_T",
		Source:  "Masrani et al. 2021",
		Example: "q:0.5",
		Missing: "the order",
		Parse: func(args selector.Args, between Env) (chains.Path, error) {
			q, err := args.Number("q")
			if err != nil {
				return nil, err
			}
			return PowerMeanBetween(q, between.Ends)
		},
	}
}
