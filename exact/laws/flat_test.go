package laws

import (
	"context"
	"math"
	"testing"

	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/grid/longtest"
)

// flatTerms are the terms of estimates under a uniform prior and a likelihood e^d that is nearly
// one, each as what it is above its mean, relative to that, with all digits of d; and the
// Metropolis kernel that proposes every state alike.
type flatTerms struct {
	likelihood, reciprocal, moving []float64 // moving is to the likeliest state
	posterior, prior, reversal     []float64
	t                              [][]float64
	star                           int
}

func newFlatTerms(d []float64) *flatTerms {
	n, m, mean := float64(len(d)), &flatTerms{}, 0.0
	for x, v := range d {
		mean += math.Expm1(v) / n
		if v > d[m.star] {
			m.star = x
		}
	}
	best, rejected := d[m.star], 0.0
	for x, v := range d {
		e := math.Expm1(v)
		m.likelihood, m.reciprocal = append(m.likelihood, (e-mean)/(1+mean)), append(m.reciprocal, (mean-e)/(1+e))
		m.prior, m.posterior = append(m.prior, 1/n), append(m.posterior, (1+e)/n/(1+mean))
		rejected -= math.Expm1(v - best)
		row, stay := make([]float64, len(d)), 0.0
		for y, w := range d {
			row[y] = math.Exp(min(0, w-v)) / n
			stay -= math.Expm1(min(0, w-v)) / n
		}
		row[x] += stay
		m.t = append(m.t, row)
	}
	for x, p := range m.posterior {
		u := m.reciprocal[m.star] // all moves to the likeliest state are accepted
		if x == m.star {
			u += rejected * (1 + u)
		}
		m.moving, m.reversal = append(m.moving, u), append(m.reversal, p*(1+u))
	}
	return m
}

// moments returns the mean and the standard deviation of log(1 + u), for the mean u of k terms,
// over all ways in which the places can be: independent draws from the first distribution, or a
// chain from it. If tilted is set, a way counts in proportion to 1 + u. Where u is zero in the
// mean, that is taken out of what is added up.
func (m *flatTerms) moments(k int, term, first []float64, chain, tilted, centred bool) (mean, sd float64) {
	square := 0.0
	var walk func(place, x int, p, sum float64)
	walk = func(place, x int, p, sum float64) {
		if place == k {
			u := sum / float64(k)
			switch {
			case tilted:
				mean += p * (u*u/2 - u*u*u/6) // (1 + u) log(1 + u) - u
			case centred:
				mean -= p * (u*u/2 - u*u*u/3) // log(1 + u) - u
			default:
				mean += p * math.Log1p(u)
			}
			square += p * math.Pow(math.Log1p(u), 2)
			return
		}
		for y := range term {
			q := first[y]
			if chain && place > 0 {
				q = m.t[x][y]
			}
			walk(place+1, y, p*q, sum+term[y])
		}
	}
	walk(0, 0, 1, 0)
	return mean, math.Sqrt(square - mean*mean)
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
		on, m := lineTarget("independence", nil, g), newFlatTerms(d)
		for _, k := range []int{1, 3} {
			for _, c := range []struct {
				name    string
				law     func() (Law, error)
				term    []float64
				first   []float64
				chain   bool
				tilted  bool
				centred bool
				sign    float64
				digits  float64 // of the bias, and of the deviation
			}{
				{"lw", func() (Law, error) { return NewWeighting(on, k) }, m.likelihood, m.prior, false, false, true, 1, 1e-12},
				{"hme", func() (Law, error) { return NewHarmonic(on, k) }, m.reciprocal, m.posterior, false, false, true, -1, 1e-12},
				{"hme:chain", func() (Law, error) { return NewHarmonicChain(t.Context(), on, k, 1) }, m.reciprocal, m.posterior, true, false, true, -1, 5e-6},
				{"chib", func() (Law, error) { return NewChib(t.Context(), on, m.star, k, 1) }, m.moving, m.posterior, false, false, true, -1, 5e-6},
				{"chib:chain", func() (Law, error) { return NewChibChain(t.Context(), on, m.star, k, 1) }, m.moving, m.prior, true, false, false, -1, 5e-6},
				{"cms", func() (Law, error) { return NewCMS(t.Context(), on, m.star, k, estimators.StartUniform, 1) }, m.moving, m.posterior, true, true, true, -1, 5e-6},
				{"cms:first", func() (Law, error) { return NewCMS(t.Context(), on, m.star, k, estimators.StartFirst, 1) }, m.moving, m.reversal, true, false,
					false, -1, 5e-6},
			} {
				law, err := c.law()
				if err != nil {
					t.Fatal(c.name, err)
				}
				got, err := law.Moments(context.Background(), 1)
				if err != nil {
					t.Fatal(c.name, err)
				}
				wantBias, wantSD := m.moments(k, c.term, c.first, c.chain, c.tilted, c.centred)
				wantBias *= c.sign
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
