package smc

import (
	"math"
	"math/big"
	"testing"

	"breadboard/grid/longtest"
)

// TestMultinomial: the distribution sums to one and has the right mean, also if powers and
// coefficients leave the range of float64.
func TestMultinomial(t *testing.T) {
	for _, c := range []struct {
		n int
		p []float64
	}{{0, []float64{0.5, 0.5}}, {3, []float64{0.2, 0.3, 0.5}}, {99, []float64{1e-5, 1 - 1e-5}}, {2000, []float64{0.5, 0.5}},
		{2000, []float64{0.01, 0.99}}, {5, []float64{1e-200, 1}}} {
		m := multinomial{space: newCountSpace(c.n, len(c.p)), choose: &binomials{}}
		first := map[int]int{} // particles of the first type, by number
		m.space.each(upTo(len(c.p)), func(number int, places, counts []int) {
			if len(places) > 0 && places[0] == 0 {
				first[number] = counts[0]
			}
		})
		sum, mean := 0.0, 0.0
		m.law(upTo(len(c.p)), c.p, func(number int, _, _ []int, p float64) {
			sum += p
			mean += p * float64(first[number])
		})
		if !(math.Abs(sum-1) <= 1e-11) || !(math.Abs(mean-float64(c.n)*c.p[0]) <= 1e-11*mean) {
			t.Errorf("%d draws from %v: sum %v, mean of the first %v", c.n, c.p, sum, mean)
		}
	}
}

// bigExp returns e^v with more than 60 digits, by its series at v/2^20.
func bigExp(v *big.Float) *big.Float {
	const bits, halvings = 320, 20
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(v) }
	small := new(big.Float).SetPrec(bits).SetMantExp(v, -halvings)
	sum, term := number(1), number(1)
	for k := 1.0; k < 40; k++ {
		term.Quo(term.Mul(term, small), number(k))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// TestAtomErrors: the transforms of weights of importance resampling are off by less than they say,
// and nearly by as much somewhere.
func TestAtomErrors(t *testing.T) {
	longtest.Only(t)
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(320).SetFloat64(v) }
	l := &atomLaws{logProposal: []float64{math.Log(0.2), math.Log(0.5), math.Log(0.3)}, logw: []float64{-1.7, 0.4, 0.1}}
	attained := map[string]float64{}
	check := func(name string, rise, phi, err float64, wantRise, wantPhi *big.Float) {
		t.Helper()
		for _, v := range []struct {
			got  float64
			want *big.Float
		}{{rise, wantRise}, {phi, wantPhi}} {
			off, _ := new(big.Float).Sub(number(v.got), v.want).Float64()
			if math.Abs(v.got) <= 0.5 { // the other one is rounded relative to one
				if attained[name] = max(attained[name], math.Abs(off)/err); !(math.Abs(off) <= err) {
					t.Errorf("%s is off by %.3g, and may be by %.3g", name, off, err)
				}
			}
		}
	}
	for k := -200; k <= 22; k++ {
		logt := 0.2 * float64(k)
		rise, phi := number(0), number(0)
		for x, w := range l.logw {
			y := bigExp(new(big.Float).Add(number(logt), number(w)))
			p := bigExp(number(l.logProposal[x]))
			e := bigExp(new(big.Float).Neg(y))
			short := new(big.Float).Sub(number(1), e)
			f := l.given(x, logt)
			check("given", f.Rise, f.Phi, f.Err, short, e)
			rise.Add(rise, new(big.Float).Mul(p, short))
			phi.Add(phi, new(big.Float).Mul(p, e))
		}
		f := l.run(logt)
		check("run", f.Rise, f.Phi, f.Err, rise, phi)
	}
	t.Log(attained)
	for name, share := range attained {
		if share < 0.05 {
			t.Errorf("%s: the error is at most %.2g of its bound, which could be lower", name, share)
		}
	}
}
