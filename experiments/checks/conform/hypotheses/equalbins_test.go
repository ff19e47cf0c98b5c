package hypotheses

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// integrals returns, for coefficient k and bin b, the factor by which the coefficient enters into
// the probability of the bin, at k (bins - 2) + b: the obvious way, one bin and frequency after
// another.
func (r *wrappedLaw) integrals(offset, widened float64) []float64 {
	K, bins := r.frequencies, r.bins()-2
	out := make([]float64, 2*K*bins)
	ends := make([][2]float64, bins)
	for b := range bins {
		ends[b] = [2]float64{r.edges[b] - widened/r.period, r.edges[b+1] + widened/r.period}
		if ends[b][1]-ends[b][0] > 1 {
			ends[b] = [2]float64{0, 1}
		}
		out[b] = ends[b][1] - ends[b][0]
	}
	around := r.around(math.Remainder(offset, r.period) - math.Remainder(r.center, r.period))
	for k := 1; k < K; k++ {
		shift := complex(2*r.smoothing(r.omega(k)), 0) * around(k)
		angle := func(end float64) complex128 { return cmplx.Rect(1, -2*math.Pi*float64(k)*(end-0.5)) }
		for b := range bins {
			v := shift * (angle(ends[b][1]) - angle(ends[b][0])) / complex(0, -2*math.Pi*float64(k))
			out[k*bins+b], out[(K+k)*bins+b] = real(v), -imag(v)
		}
	}
	return out
}

// plainly returns the probabilities of bins by integrals.
func (r *wrappedLaw) plainly(coefficients []float64, offset, widened float64) []float64 {
	p, integrals := make([]float64, r.bins()-2), r.integrals(offset, widened)
	for k, v := range coefficients {
		floats.AddScaled(p, v, integrals[k*len(p):][:len(p)])
	}
	return p
}

// byEqualBins returns them by equal bins.
func (r *wrappedLaw) byEqualBins(coefficients []float64, offset, widened float64) []float64 {
	p := make([]float64, r.bins()-2)
	for _, c := range []*equalBins{&r.fine, &r.coarse} {
		c.add(p, coefficients, r.factors(c, offset, widened), new([2][mostWaves]float64))
	}
	return p
}

// coefficientsOf returns the coefficients of some log weights on a circle.
func coefficientsOf(r *wrappedLaw, rng *rand.Rand) []float64 {
	out := make([]float64, 2*r.frequencies)
	for range 1 + rng.IntN(20) {
		v, p := r.center+3*r.deviation()*rng.NormFloat64(), math.Exp(-20*rng.Float64())
		for k := range r.frequencies {
			z := r.around(v)(k)
			out[k] += p * real(z)
			out[r.frequencies+k] += p * imag(z)
		}
	}
	return out
}

// TestEqualBins compares with the sums of integrals one by one, for offsets, and bins that are
// widened by little, by more than a bin and by more than the circle.
func TestEqualBins(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, widened := range []float64{0, 1e-9, 0.1, 3, 11.9, 11.96, 13} {
		r := newWrappedLaw(rng.NormFloat64(), 1)
		offset, of := 5*rng.NormFloat64(), coefficientsOf(r, rng)
		got, want := r.byEqualBins(of, offset, widened), r.plainly(of, offset, widened)
		for b := range got {
			if !(math.Abs(got[b]-want[b]) <= 1e-14*of[0]) {
				t.Errorf("widened by %v, bin %d: %v, want %v", widened, b, got[b], want[b])
			}
		}
	}
}
