package diagnostics

import (
	"math"

	"gonum.org/v1/gonum/dsp/fourier"
)

// Autocovariances returns the autocovariances of one chain around its own mean at the lags 0 to N - 1, each a sum divided by N. Rounding
// errors are about 1e-15 of the first. Values beyond 1e150 overflow in the squares. Time is O(N log N) by the fast Fourier transform.
func Autocovariances(x []float64) []float64 {
	if len(x) == 0 {
		return nil
	}
	return newCorrelator(len(x)).autocovariances(x)
}

// correlator computes the autocovariances of chains of one length.
type correlator struct {
	transform *fourier.FFT
	padded    []float64
	spectrum  []complex128
}

func newCorrelator(draws int) *correlator {
	size := smooth(2*draws - 1)
	return &correlator{transform: fourier.NewFFT(size), padded: make([]float64, size)}
}

// autocovariances are the inverse transform of the squared moduli of the transform. The chain is followed by as many zeros as keep its
// end from meeting its beginning.
func (c *correlator) autocovariances(x []float64) []float64 {
	clear(c.padded)
	copy(c.padded, centred(x))
	c.spectrum = c.transform.Coefficients(c.spectrum, c.padded)
	for i, v := range c.spectrum {
		c.spectrum[i] = complex(real(v)*real(v)+imag(v)*imag(v), 0)
	}
	c.transform.Sequence(c.padded, c.spectrum)
	out := make([]float64, len(x))
	for k := range out {
		out[k] = c.padded[k] / (float64(len(c.padded)) * float64(len(x)))
	}
	return out
}

// smooth returns the least number from n on that has no other prime factors than 2, 3 and 5, for which the transform is fast.
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
