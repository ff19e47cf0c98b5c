package chains

import (
	"fmt"
	"math"
)

// PowerMean is the path of weighted power means between the normalised initial distribution p_0 and the normalised
// target p_1. With k = 1 - q,
//
//	p_b^k is proportional to (1-b) p_0^k + b p_1^k,
//
// and f_b is that scaled by Z_0^(1-b) Z_1^b, so that the ends are the given f_0 and f_1. Because both ends are
// normalised first, a constant in log f of the target, which has no meaning, does not bend the path. q = 0 is the
// mixture, on which all expectations are averages of those at the ends ("moment averaging", where the states
// themselves are the statistics); q = 1 would be Geometric. For q < 1 p_b is positive wherever either end is, for
// q > 1 where both are. It is immutable.
//
// Betas are float64, so that 1 - b has a relative error of 1e-16/(1-b). Where the target has hardly any mass at a state,
// this is also the relative error of what the last steps leave there, and of J: about 1e-16 T at worst.
//
// Source: Masrani, Brekelmans, Bui, Nielsen, Galstyan, Ver Steeg and Wood 2021; q = 0: Grosse, Maddison and
// Salakhutdinov 2013.
type PowerMean struct {
	order           float64   // q
	initial, target []float64 // log p_0 and log p_1
	low, high       float64   // log Z_0 and log Z_1
	name            string
}

// maxOrder bounds |q|: powers beyond it hold nothing but the largest or the smallest of the two ends.
const maxOrder = 100

// NewPowerMean returns the path of order q between initial and target, which are as for NewGeometric; q = 1 gives
// a Geometric.
func NewPowerMean(q float64, initial, target []float64) (Path, error) {
	if q == 1 {
		return NewGeometric(initial, target)
	}
	if !(math.Abs(q) <= maxOrder) {
		return nil, fmt.Errorf("path q:%v; the order is from %d to %d", q, -maxOrder, maxOrder)
	}
	return newPowerMean(fmt.Sprintf("q:%v", q), q, initial, target)
}

// NewArithmetic returns the mixture path p_b = (1-b) p_0 + b p_1; initial and target are as for NewGeometric.
func NewArithmetic(initial, target []float64) (Path, error) {
	return newPowerMean("arithmetic", 0, initial, target)
}

func newPowerMean(name string, q float64, initial, target []float64) (*PowerMean, error) {
	if initial == nil {
		initial = make([]float64, len(target))
	}
	if err := validateEnds(initial, target); err != nil {
		return nil, err
	}
	if q > 1 && !shareState(initial, target) {
		return nil, errNoCommonState
	}
	p := &PowerMean{order: q, name: name}
	p.initial, p.low = normalized(initial)
	p.target, p.high = normalized(target)
	return p, nil
}

// normalized returns log p and log Z of log f.
func normalized(logf []float64) ([]float64, float64) {
	top := math.Inf(-1)
	for _, v := range logf {
		top = max(top, v)
	}
	total := 0.0
	for _, v := range logf {
		total += math.Exp(v - top)
	}
	logZ := top + math.Log(total)
	p := make([]float64, len(logf))
	for x, v := range logf {
		p[x] = v - logZ
	}
	return p, logZ
}

// States returns the number of states.
func (p *PowerMean) States() int { return len(p.target) }

// Zeros reports whether either end of the path is zero somewhere.
func (p *PowerMean) Zeros() bool { return hasZeros(p.initial) || hasZeros(p.target) }

// LogF writes log f_b of each state to dst. The ends are exact but for rounding.
func (p *PowerMean) LogF(dst []float64, beta float64) {
	scale := (1-beta)*p.low + beta*p.high
	for x := range dst {
		dst[x] = p.logP(x, beta) + scale
	}
}

// logP returns log p_b(x), not normalised.
func (p *PowerMean) logP(x int, beta float64) float64 {
	l0, l1, k := p.initial[x], p.target[x], 1-p.order
	zero0, zero1 := math.IsInf(l0, -1), math.IsInf(l1, -1)
	switch {
	case beta == 0:
		return l0
	case beta == 1:
		return l1
	case zero0 && zero1 || (zero0 || zero1) && k < 0:
		return math.Inf(-1)
	case zero0:
		return l1 + math.Log(beta)/k
	case zero1:
		return l0 + math.Log1p(-beta)/k
	}
	return l0 + logMix(1-beta, beta, k*(l1-l0))/k
}

// logMix returns log(a + b exp(d)) to full relative accuracy, where a = 1 - b; small ones of a and b are given with
// all their digits.
func logMix(a, b, d float64) float64 {
	switch {
	case d > 0:
		return d + logMix(b, a, -d)
	case a == 0: // exp(d) may be too small for a float64
		return d + math.Log(b)
	case b <= 0.5 || d > -1:
		return math.Log1p(b * math.Expm1(d))
	}
	return math.Log(a + b*math.Exp(d))
}

// LogRatio writes log f_to - log f_from of each state to dst; 0 where either is zero.
func (p *PowerMean) LogRatio(dst []float64, from, to, step float64) {
	scale := step * (p.high - p.low)
	for x := range dst {
		if dst[x] = p.logPRatio(x, from, to, step) + scale; math.IsInf(dst[x], 0) || math.IsNaN(dst[x]) {
			dst[x] = 0
		}
	}
}

// logPRatio returns log p_to(x) - log p_from(x): for small changes from the relative change of the mean of powers.
func (p *PowerMean) logPRatio(x int, from, to, step float64) float64 {
	l0, l1, k := p.initial[x], p.target[x], 1-p.order
	switch zero0, zero1 := math.IsInf(l0, -1), math.IsInf(l1, -1); {
	case zero0 && zero1:
		return 0
	case zero0:
		return math.Log1p(step/from) / k
	case zero1:
		return math.Log1p(-step/(1-from)) / k
	}
	d := k * (l1 - l0)
	if change := step * relativeSlope(1-from, from, d); change > -0.5 && !math.IsInf(change, 1) {
		return math.Log1p(change) / k
	}
	return (logMix(1-to, to, d) - logMix(1-from, from, d)) / k
}

// relativeSlope returns the derivative of logMix(a, b, d) by b.
func relativeSlope(a, b, d float64) float64 {
	if d > 0 {
		return -relativeSlope(b, a, -d)
	}
	return math.Expm1(d) * math.Exp(-logMix(a, b, d))
}

// Slope writes the derivative of log f_b by b; 0 where f_b is zero, and at an end where it is beyond float64.
func (p *PowerMean) Slope(dst []float64, beta float64) {
	k := 1 - p.order
	for x := range dst {
		l0, l1 := p.initial[x], p.target[x]
		switch zero0, zero1 := math.IsInf(l0, -1), math.IsInf(l1, -1); {
		case zero0 && zero1:
			dst[x] = 0
			continue
		case zero0:
			dst[x] = 1 / (k * beta)
		case zero1:
			dst[x] = -1 / (k * (1 - beta))
		default:
			dst[x] = relativeSlope(1-beta, beta, k*(l1-l0)) / k
		}
		if dst[x] += p.high - p.low; math.IsInf(dst[x], 0) {
			dst[x] = 0
		}
	}
}

// Kinks returns none: the path is smooth between its ends.
func (p *PowerMean) Kinks() []float64 { return nil }

// Centred returns the path between the normalised ends, and log Z_1 - log Z_0.
func (p *PowerMean) Centred() (Path, float64) {
	c := *p
	c.low, c.high = 0, 0
	return &c, p.high - p.low
}

// String returns the selector: "arithmetic", or "q:" and the order.
func (p *PowerMean) String() string { return p.name }
