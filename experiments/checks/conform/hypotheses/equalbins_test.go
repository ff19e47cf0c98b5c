package hypotheses

import (
	"math"
	"math/big"
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

// precise returns a number of that many bits as sines and cosines in TestEqualBinsAreExact have.
func precise(v float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(v) }

func bigPi() *big.Float {
	pi, _, err := big.ParseFloat("3.14159265358979323846264338327950288419716939937510582097494459230781640629", 10, 200, big.ToNearestEven)
	if err != nil {
		panic(err)
	}
	return pi
}

// sineOf returns the sine of 2 pi part/whole.
func sineOf(part, whole int) *big.Float {
	x := precise(float64(2 * (part % whole)))
	x.Quo(x.Mul(x, bigPi()), precise(float64(whole)))
	sum, term := precise(0), new(big.Float).Copy(x)
	square := new(big.Float).Neg(new(big.Float).Mul(x, x))
	for k := 2.0; k < 120; k += 2 {
		sum.Add(sum, term)
		term.Quo(term.Mul(term, square), precise(k*(k+1)))
	}
	return sum
}

// TestEqualBinsAreExact: the probabilities of bins are nearer to those in 200 bits than the sums of
// integrals one by one are. There is no offset, so that no factor is rounded before.
func TestEqualBinsAreExact(t *testing.T) {
	rng, r := rand.New(rand.NewPCG(9, 10)), newWrappedLaw(0, 1)
	const whole = periodDeviations * finePerDeviation
	var sines [whole]*big.Float
	for part := range sines {
		sines[part] = sineOf(part, whole)
	}
	offBins, offPlain := 0.0, 0.0
	for range 3 {
		of := coefficientsOf(r, rng)
		bins, plain := r.byEqualBins(of, 0, 0), r.plainly(of, 0, 0)
		for b := range bins {
			low, high := int(math.Round(r.edges[b]*whole))-whole/2, int(math.Round(r.edges[b+1]*whole))-whole/2
			sum := precise(of[0])
			sum.Quo(sum.Mul(sum, precise(float64(high-low))), precise(whole))
			for k := 1; k < r.frequencies; k++ {
				cos := func(at int) *big.Float { return sines[(k*at%whole+whole+whole/4)%whole] }
				sin := func(at int) *big.Float { return sines[(k*at%whole+whole)%whole] }
				term := new(big.Float).Mul(precise(of[k]), new(big.Float).Sub(sin(high), sin(low)))
				term.Sub(term, new(big.Float).Mul(precise(of[r.frequencies+k]), new(big.Float).Sub(cos(high), cos(low))))
				term.Quo(term.Mul(term, precise(r.smoothing(r.omega(k)))), precise(float64(k)))
				sum.Add(sum, term.Quo(term, bigPi()))
			}
			off := func(v float64) float64 {
				d, _ := new(big.Float).Sub(precise(v), sum).Float64()
				return d / of[0]
			}
			offBins += off(bins[b]) * off(bins[b])
			offPlain += off(plain[b]) * off(plain[b])
		}
	}
	t.Logf("squares of errors: %.3g, by integrals one by one %.3g", offBins, offPlain)
	if !(offBins <= offPlain) {
		t.Errorf("the squares of the errors add up to %v, and by integrals one by one to %v", offBins, offPlain)
	}
}
