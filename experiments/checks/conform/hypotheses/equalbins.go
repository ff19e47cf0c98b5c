package hypotheses

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// equalBins has bins of one length. That many of them would fill the circle, with the middle of one
// half a bin behind the centre and that of another as far before it. At these middles two
// frequencies whose sum or difference is a multiple of places are the same wave but for its sign,
// so that what they have is added up first; and a cosine is the same on either side of the centre,
// and a sine the opposite.
type equalBins struct {
	places, bins int
	// the bins from first on are there, the first of them as many places behind the centre as from
	first, from int
	of          []wave      // by frequency
	cos, sin    [][]float64 // by wave and bin behind the centre
}

// wave is the number of a wave, with the signs by which the cosine and the sine of a frequency are
// those of the wave.
type wave struct {
	at       int
	cos, sin float64
}

// withWaves returns the bins with a number of frequencies and their waves, where behind is the
// number of bins behind the centre.
func (c equalBins) withWaves(behind, frequencies int) equalBins {
	places := c.places
	for k := range frequencies {
		w := wave{k % places, 1, 1}
		if k/places%2 == 1 {
			// the middles are half a bin from the centre, so that a whole turn more for each bin is
			// half a turn more there
			w.cos, w.sin = -1, -1
		}
		if w.at > places/2 {
			w = wave{places - w.at, -w.cos, w.sin}
		}
		c.of = append(c.of, w)
	}
	for at := range places/2 + 1 {
		cos, sin := make([]float64, behind), make([]float64, behind)
		for i := range cos {
			// The angle is a multiple of pi/places, of which whole turns are left out exactly.
			sin[i], cos[i] = math.Sincos(math.Pi * float64(at*(2*(c.from+i)+1)%(2*places)) / float64(places))
		}
		c.cos, c.sin = append(c.cos, cos), append(c.sin, sin)
	}
	return c
}

// addEqualBins adds to the probabilities of all bins what the coefficients have in the equal ones,
// by their factors.
func (c *equalBins) addEqualBins(p, coefficients []float64, factors []complex128,
	halves *[2][mostWaves]float64) {
	K := len(factors)
	re, im := coefficients[:K], coefficients[K:][:K]
	var cos, sin [mostWaves]float64
	for k, by := range factors {
		w := &c.of[k]
		cos[w.at] += w.cos * (re[k]*real(by) - im[k]*imag(by))
		sin[w.at] += w.sin * (re[k]*imag(by) + im[k]*real(by))
	}
	n := len(c.cos[0])
	even := halves[0][:n]
	odd := halves[1][:n]
	clear(even)
	clear(odd)
	for at, v := range c.cos {
		floats.AddScaled(even, cos[at], v)
		floats.AddScaled(odd, sin[at], c.sin[at])
	}
	for i := range n {
		p[c.first+i] += even[i] + odd[i]
		p[c.bins-1-c.first-i] += even[i] - odd[i]
	}
}
