package laws

import (
	"context"
	"math"
	"math/big"
	"testing"

	"breadboard/chains/estimators"

	"breadboard/chains/number"
	"breadboard/grid/longtest"
)

// big60 is a number with more than 60 digits.
func big60(v float64) *big.Float { return new(big.Float).SetPrec(240).SetFloat64(v) }

func plus(a, b *big.Float) *big.Float  { return big60(0).Add(a, b) }
func less(a, b *big.Float) *big.Float  { return big60(0).Sub(a, b) }
func times(a, b *big.Float) *big.Float { return big60(0).Mul(a, b) }
func over(a, b *big.Float) *big.Float  { return big60(0).Quo(a, b) }

// tinyExp returns e^v for a |v| far below one, by its series.
func tinyExp(v *big.Float) *big.Float {
	sum, term := big60(1), big60(1)
	for k := 1.0; k < 40; k++ {
		term = over(times(term, v), big60(k))
		sum = plus(sum, term)
	}
	return sum
}

// tinyLog returns log v for a v near one, by its series.
func tinyLog(v *big.Float) *big.Float {
	y, sum, power := less(v, big60(1)), big60(0), big60(1)
	for k := 1.0; k < 40; k++ {
		power = times(power, y)
		term := over(power, big60(k))
		if int(k)%2 == 0 {
			term.Neg(term)
		}
		sum = plus(sum, term)
	}
	return sum
}

// flatModel is a uniform prior and a likelihood e^d that is nearly one, with the Metropolis kernel
// that proposes every state alike, in many digits.
type flatModel struct {
	f, posterior, prior []*big.Float
	z                   *big.Float
	t                   [][]*big.Float
	star                int
}

func newFlatModel(d []float64) *flatModel {
	n := big60(float64(len(d)))
	m := &flatModel{z: big60(0)}
	for x, v := range d {
		m.f = append(m.f, tinyExp(big60(v)))
		m.z = plus(m.z, over(m.f[x], n))
		m.prior = append(m.prior, over(big60(1), n))
		if v > d[m.star] {
			m.star = x
		}
	}
	for x := range d {
		m.posterior = append(m.posterior, over(over(m.f[x], n), m.z))
		row, stay := make([]*big.Float, len(d)), big60(0)
		for y := range d {
			accept := big60(1)
			if m.f[y].Cmp(m.f[x]) < 0 {
				accept = over(m.f[y], m.f[x])
			}
			row[y] = over(accept, n)
			stay = plus(stay, over(less(big60(1), accept), n))
		}
		row[x] = plus(row[x], stay)
		m.t = append(m.t, row)
	}
	return m
}

// moments returns the bias and the standard deviation of sign log(mean of k terms), relative to the
// logarithm of Z, over all ways in which the places can be: independent draws from the first
// distribution, or a chain from it. If tilted is set, a way counts in proportion to its sum.
func (m *flatModel) moments(k int, term, first []*big.Float, chain, tilted bool, relative *big.Float) (bias, sd *big.Float) {
	mean, square, mass := big60(0), big60(0), big60(0)
	var walk func(place, x int, p, sum *big.Float)
	walk = func(place, x int, p, sum *big.Float) {
		if place == k {
			if tilted {
				p = times(p, sum)
			}
			l := tinyLog(over(over(sum, big60(float64(k))), relative))
			l.Neg(l)
			mean, square, mass = plus(mean, times(p, l)), plus(square, times(p, times(l, l))), plus(mass, p)
			return
		}
		for y := range term {
			q := first[y]
			if chain && place > 0 {
				q = m.t[x][y]
			}
			walk(place+1, y, times(p, q), plus(sum, term[y]))
		}
	}
	walk(0, 0, big60(1), big60(0))
	mean, square = over(mean, mass), over(square, mass)
	return mean, big60(0).Sqrt(less(square, times(mean, mean)))
}

// TestLogRatio: the logarithm has the digits that the difference of two numbers has.
func TestLogRatio(t *testing.T) {
	if got, want := logRatio((1+0x1p-40)/1024, 1./1024), math.Log1p(0x1p-40); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if got := logRatio(1, 1024); math.Abs(got+10*math.Ln2) > 1e-15 {
		t.Errorf("%v", got)
	}
	if got := logRatio(0, 1); !math.IsInf(got, -1) {
		t.Errorf("%v", got)
	}
}

// TestFlatTargets: on targets that are flat to 1e-9 beside a constant of 700, bias and standard
// deviation have the digits that the input has: all of them where the terms come from log f, and,
// as a note says, those of T(z*|x)/p(z*) - 1 if they are transition probabilities.
func TestFlatTargets(t *testing.T) {
	longtest.Only(t)
	for _, z := range [][]float64{{0.3, -1.2, 0.9}, {0.9, -2.2, 0.3, 1.7, -0.4}} {
		g, d := make([]float64, len(z)), make([]float64, len(z))
		for x, v := range z {
			g[x] = 700 + 1e-9*v
			d[x] = g[x] - 700 // exact, as both are near each other
		}
		on, m := lineTarget("independence", nil, g), newFlatModel(d)
		reciprocal, likelihood := make([]*big.Float, len(z)), make([]*big.Float, len(z))
		moving := make([]*big.Float, len(z))
		reversal := make([]*big.Float, len(z))
		for x := range z {
			likelihood[x], reciprocal[x], moving[x] = m.f[x], over(big60(1), m.f[x]), m.t[x][m.star]
			reversal[x] = over(times(moving[x], m.posterior[x]), m.posterior[m.star])
		}
		for _, k := range []int{1, 3} {
			for _, c := range []struct {
				name     string
				law      func() (Law, error)
				term     []*big.Float
				first    []*big.Float
				relative *big.Float // what the mean of the terms is compared with
				chain    bool
				tilted   bool
				sign     float64
				digits   float64 // of the bias, and of the deviation
			}{
				{"lw", func() (Law, error) { return NewWeighting(on, k) }, likelihood, m.prior, m.z, false, false, -1, 1e-12},
				{"hme", func() (Law, error) { return NewHarmonic(on, k) }, reciprocal, m.posterior, over(big60(1), m.z), false, false, 1, 1e-12},
				{"hme:chain", func() (Law, error) { return NewHarmonicChain(t.Context(), on, k, 1) }, reciprocal, m.posterior, over(big60(1), m.z), true, false, 1, 5e-6},
				{"chib", func() (Law, error) { return NewChib(t.Context(), on, m.star, k, 1) }, moving, m.posterior, m.posterior[m.star], false, false, 1, 5e-6},
				{"chib:chain", func() (Law, error) { return NewChibChain(t.Context(), on, m.star, k, 1) }, moving, m.prior, m.posterior[m.star], true, false, 1, 5e-6},
				{"cms", func() (Law, error) { return NewCMS(t.Context(), on, m.star, k, estimators.StartUniform, 1) }, moving, m.posterior, m.posterior[m.star],
					true, true, 1, 5e-6},
				{"cms:first", func() (Law, error) { return NewCMS(t.Context(), on, m.star, k, estimators.StartFirst, 1) }, moving, reversal, m.posterior[m.star],
					true, false, 1, 5e-6},
			} {
				law, err := c.law()
				if err != nil {
					t.Fatal(c.name, err)
				}
				got, err := law.Moments(context.Background(), 1)
				if err != nil {
					t.Fatal(c.name, err)
				}
				wb, ws := m.moments(k, c.term, c.first, c.chain, c.tilted, c.relative)
				wantBias, _ := wb.Float64()
				wantBias *= c.sign
				wantSD, _ := ws.Float64()
				for what, v := range map[string]struct {
					number.Bounded
					want float64
				}{"bias": {got.Bias(on.LogZ), wantBias}, "sd": {got.Deviation(), wantSD}} {
					if lost := v.Lost() > 1e-10; lost != (c.digits > 1e-10) || v.Lost() > 10*c.digits {
						t.Errorf("%s %v: the %s is %v", c.name, z, what, v.Bounded)
					}
					if off := math.Abs(v.Value/v.want - 1); !(off <= c.digits && off <= max(v.Lost(), 1e-12)) {
						t.Errorf("%s %v: %s %v, want %g (%.2g off)", c.name, z, what, v.Bounded, v.want, off)
					}
				}
			}
		}
	}
}
