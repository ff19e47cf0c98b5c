package smc

import (
	"math"
	"math/big"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestMultinomial: the distribution sums to one and has the right mean, also if powers and
// coefficients leave the range of float64.
func TestMultinomial(t *testing.T) {
	for _, c := range []struct {
		n int
		p []float64
	}{{0, []float64{0.5, 0.5}}, {3, []float64{0.2, 0.3, 0.5}}, {99, []float64{1e-5, 1 - 1e-5}},
		{2000, []float64{0.5, 0.5}},
		{2000, []float64{0.01, 0.99}}, {5, []float64{1e-200, 1}}} {
		m := multinomial{space: newCountSpace(c.n, len(c.p)), choose: &binomials{}}
		first := map[int]int{} // particles of the first type, by number
		m.space.eachMultiset(upTo(len(c.p)), func(number int, places, counts []int) {
			if len(places) > 0 && places[0] == 0 {
				first[number] = counts[0]
			}
		})
		sum := 0.0
		mean := 0.0
		m.eachMultiset(upTo(len(c.p)), c.p, func(number int, _, _ []int, p float64) {
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
	sum := number(1)
	term := number(1)
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
	l := &atomLaws{
		logProposal: []float64{math.Log(0.2), math.Log(0.5), math.Log(0.3)},
		logw:        []float64{-1.7, 0.4, 0.1},
	}
	attained := map[string]float64{}
	check := func(name string, rise, phi, err float64, wantRise, wantPhi *big.Float) {
		t.Helper()
		for _, v := range []struct {
			got  float64
			want *big.Float
		}{{rise, wantRise}, {phi, wantPhi}} {
			off, _ := new(big.Float).Sub(number(v.got), v.want).Float64()
			if math.Abs(v.got) <= 0.5 { // the other one is rounded relative to one
				attained[name] = max(attained[name], math.Abs(off)/err)
				if !(math.Abs(off) <= err) {
					t.Errorf("%s is off by %.3g, and may be by %.3g", name, off, err)
				}
			}
		}
	}
	for k := -200; k <= 22; k++ {
		logt := 0.2 * float64(k)
		rise := number(0)
		phi := number(0)
		for x, w := range l.logw {
			y := bigExp(new(big.Float).Add(number(logt), number(w)))
			p := bigExp(number(l.logProposal[x]))
			e := bigExp(new(big.Float).Neg(y))
			short := new(big.Float).Sub(number(1), e)
			f := l.outputTransform(x, logt)
			check("given", f.Rise, f.Phi, f.Err, short, e)
			rise.Add(rise, new(big.Float).Mul(p, short))
			phi.Add(phi, new(big.Float).Mul(p, e))
		}
		f := l.runTransform(logt)
		check("run", f.Rise, f.Phi, f.Err, rise, phi)
	}
	t.Log(attained)
	for name, share := range attained {
		if share < 0.05 {
			t.Errorf("%s: the error is at most %.2g of its bound, which could be lower", name, share)
		}
	}
}

// TestLimitErrors: the limit of P times the variance has its digits, and that of P^2 J is off by
// less than it says, beside the recursion of the limits in 320 bits, on two states that are far
// apart, nearly alike, and at different spans.
func TestLimitErrors(t *testing.T) {
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(320).SetFloat64(v) }
	op := func(f func(z, x, y *big.Float) *big.Float, x, y *big.Float) *big.Float {
		return f(number(0), x, y)
	}
	times := (*big.Float).Mul
	plus := (*big.Float).Add
	for _, span := range []float64{1e-6, 0.01, 1, 5, 37, 300, -37} {
		for _, T := range []int{2, 3, 10, 100} {
			path := longtest.Sure(paths.NewGeometric(nil, []float64{0.1, 0.1 + span}))
			a := longtest.Sure(
				chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(2)}, T),
			)
			_, limits, err := RelativeVariances(t.Context(), a, nil, Options{})
			longtest.NoError(t, err)
			gap := op((*big.Float).Sub, number(0.1+span), number(0.1))
			ratio := func(t int) (p [2]*big.Float, e *big.Float) {
				step := op((*big.Float).Quo, op(times, gap, number(float64(t-1))), number(float64(T-1)))
				e = bigExp(step)
				p[0] = op((*big.Float).Quo, number(1), op(plus, number(1), e))
				p[1] = op((*big.Float).Sub, number(1), p[0])
				return p, e
			}
			p, _ := ratio(1)
			// r are the row sums of E, and m is E itself.
			var r [2]*big.Float
			var m [2][2]*big.Float
			refill := func() {
				for x := range 2 {
					for y := range 2 {
						m[x][y] = op((*big.Float).Sub, m[x][y], op(times, p[x], p[y]))
					}
					m[x][x] = op(plus, m[x][x], p[x])
				}
			}
			for x := range 2 {
				r[x], m[x] = number(0), [2]*big.Float{number(0), number(0)}
			}
			refill()
			for t := 2; t <= T; t++ {
				next, e := ratio(t)
				var w [2]*big.Float
				for x := range 2 {
					w[x] = op((*big.Float).Quo, next[x], p[x])
				}
				up, down := number(0.5), number(0.5)
				if e.Cmp(number(1)) > 0 {
					down.Quo(down, e)
				} else {
					up.Mul(up, e)
				}
				move := [2][2]*big.Float{
					{op((*big.Float).Sub, number(1), up), up}, {down, op((*big.Float).Sub, number(1), down)}}
				var tilted, moved [2]*big.Float
				var both [2][2]*big.Float
				for x := range 2 {
					tilted[x] = number(0).Set(r[x])
					for y := range 2 {
						tilted[x].Add(tilted[x], op(times, m[x][y], op((*big.Float).Sub, w[y], number(1))))
					}
					tilted[x].Mul(tilted[x], w[x])
				}
				for x := range 2 {
					moved[x] = op(plus, op(times, tilted[0], move[0][x]), op(times, tilted[1], move[1][x]))
					for y := range 2 {
						both[x][y] = number(0)
						for k := range 4 {
							term := op(times, m[k/2][k%2], op(times, w[k/2], w[k%2]))
							both[x][y].Add(both[x][y], op(times, term, op(times, move[k/2][x], move[k%2][y])))
						}
					}
				}
				r = moved
				m = both
				p = next
				refill()
			}
			mean := op(plus, r[0], r[1])
			if v, _ := mean.Float64(); !(math.Abs(limits.P-v) <= 1e-13*(1+math.Abs(span))*v) {
				t.Errorf("spans of %v, T = %d: the limit of the variance is %v, want %v", span, T, limits.P, v)
			}
			want := number(0)
			for x := range 2 {
				d := op((*big.Float).Sub, op((*big.Float).Quo, r[x], p[x]), mean)
				want.Add(want, op(times, p[x], op(times, d, d)))
			}
			off, _ := op((*big.Float).Sub, number(limits.P2J.Value), want).Float64()
			if err := limits.P2J.Error; !(math.Abs(off) <= err) || !(err <= 1e-5*limits.P2J.Value) {
				t.Errorf("spans of %v, T = %d: %v is off by %.3g, and may be by %.3g", gap,
					T, limits.P2J.Value, off, err)
			}
		}
	}
}
