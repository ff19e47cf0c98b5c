package diagnostics

import (
	"math"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/floats"
)

// lags are the autocovariances of a chain of N draws around its own mean m, computed on demand:
//
//	c_k = 1/N sum over i from 1 to N-k of (x_i - m) (x_(i+k) - m).
//
// Time is O(N) for each lag of a short chain, and otherwise O(N log L) for the lags below L, by
// blocks whose spectra are added up (inBlocks).
//
// Source: Rader 1970 (the blocks).
type lags struct {
	// the draws less their mean, times a power of two by which the largest lies between 1/2 and 1
	x      []float64
	square float64 // what the autocovariances are multiplied by in the unit of the draws
	found  []float64
}

// newLags prepares a chain in room for as many draws.
func newLags(x, room []float64) *lags {
	setCentred(room, x)
	d := Draws{room}
	exponent := d.exponent()
	d.shift(-exponent)
	return &lags{x: room, square: math.Ldexp(1, 2*exponent)}
}

// Few lags of a short chain are sums of products. Those of a long one, or many, come from the fast
// Fourier transform, of blocks that fit the processor's cache, or of the whole chain if it would be
// only a few blocks.
const (
	shortChain = 1 << 12
	fewLags    = 64 // that are found as sums of products
	firstLags  = 1 << 7
	moreLags   = 8 // how many times as many lags are found next
	fewBlocks  = 8
)

// autocovariance returns the autocovariance at a lag, which is below the number of draws. Rounding
// errors are about 1e-15 of the first.
func (l *lags) autocovariance(lag int) float64 {
	for lag >= len(l.found) {
		n := len(l.x)
		known := len(l.found)
		switch next := max(firstLags, moreLags*known); {
		case n <= shortChain && known < min(fewLags, n):
			l.found = append(l.found, floats.Dot(l.x[:n-known], l.x[known:])/float64(n))
		case n <= shortChain || next*fewBlocks > n:
			l.found = l.inBlocks(smooth(2*n-1), n)
		default:
			l.found = l.inBlocks(2*next, next)
		}
	}
	return l.found[lag]
}

// inBlocks returns the autocovariances at the first lags, by transforms of a size that is twice
// their number or has all. The chain is cut into blocks of that many draws. Each block is followed
// by zeros. Its products with itself and with the next block are all products of its draws within
// these lags. The next block stands half a size later, so that its transform has the other sign at
// every other frequency.
func (l *lags) inBlocks(size, count int) []float64 {
	transform := fourier.NewFFT(size)
	padded := make([]float64, size)
	power := make([]complex128, size/2+1)
	var at, before []complex128
	for start := 0; start < len(l.x); start += count {
		clear(padded)
		copy(padded, l.x[start:min(start+count, len(l.x))])
		at, before = transform.Coefficients(before, padded), at
		for i, v := range at {
			power[i] += complex(real(v)*real(v)+imag(v)*imag(v), 0)
		}
		for i, v := range before {
			w := at[i]
			if i&1 == 1 {
				w = -w
			}
			power[i] += complex(real(v)*real(w)+imag(v)*imag(w), real(v)*imag(w)-imag(v)*real(w))
		}
	}
	transform.Sequence(padded, power)
	out := make([]float64, count)
	for k := range out {
		out[k] = padded[k] / (float64(size) * float64(len(l.x)))
	}
	return out
}

// Autocovariances returns the autocovariances of one chain around its own mean at the lags 0 to N -
// 1, each a sum divided by N. Rounding errors are about 1e-15 of the first. Values beyond 1e150
// overflow in the squares. Time is O(N log N).
func Autocovariances(x []float64) []float64 {
	if len(x) == 0 {
		return nil
	}
	l := newLags(x, make([]float64, len(x)))
	out := l.inBlocks(smooth(2*len(x)-1), len(x))
	floats.Scale(l.square, out)
	return out
}

// smooth returns the least number from n on that has no other prime factors than 2, 3 and 5, for
// which the transform is fast.
func smooth(n int) int {
	least := math.MaxInt
	for five := 1; five < 2*n; five *= 5 {
		for three := five; three < 2*n; three *= 3 {
			size := three
			for size < n {
				size *= 2
			}
			least = min(least, size)
		}
	}
	return least
}
