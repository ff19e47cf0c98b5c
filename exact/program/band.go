package program

import (
	"math"
	"math/cmplx"
)

// Band is E[w^s; 0 < w < Inf] of the weight w whose logarithm is the total of a process, at several complex s: with the
// imaginary s = i k, the characteristic function of the log weight. It overflows where w to the real part of s does; see
// Tilted for that.
type Band struct {
	at, values []complex128
}

// NewBand returns the carrier of E[w^s] at these points.
func NewBand(s ...complex128) Band {
	values := make([]complex128, len(s))
	for j := range values {
		values[j] = 1
	}
	return Band{append([]complex128(nil), s...), values}
}

// Values returns E[w^s; x] at the points, of the paths that are carried; they belong to the receiver.
func (b Band) Values() []complex128 { return b.values }

// Along multiplies by p exp(s increment), or by zero where the weight becomes zero or infinite.
func (b Band) Along(p, increment float64) Band {
	out := Band{b.at, make([]complex128, len(b.values))}
	if p == 0 || math.IsInf(increment, 0) {
		return out
	}
	for j, s := range b.at {
		out.values[j] = b.values[j] * complex(p, 0) * expProduct(s, increment)
	}
	return out
}

// Plus returns the sum.
func (b Band) Plus(other Band) Band {
	out := Band{b.at, make([]complex128, len(b.values))}
	for j, v := range b.values {
		out.values[j] = v + other.values[j]
	}
	return out
}

// expProduct returns exp(s x). An angle s x of 10^12 is off by 10^-4 when it is rounded, so the rounding is made up for.
func expProduct(s complex128, x float64) complex128 {
	re, reRest := exactProduct(real(s), x)
	im, imRest := exactProduct(imag(s), x)
	return cmplx.Exp(complex(re, im)) * cmplx.Exp(complex(reRest, imRest))
}
