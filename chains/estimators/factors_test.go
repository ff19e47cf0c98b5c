package estimators

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/grid/longtest"
)

// untilFlat is the patience of tests that ask for the very top.
func untilFlat() Patience { return Patience{1e-11, 200} }

// simulatedFactors returns a low-rank model with data that are drawn from it.
func simulatedFactors(n, d, k int, seed uint64) *factors {
	rng := rand.New(rand.NewPCG(seed, 0))
	m := &factors{K: k, Factors: EqualFactors()}
	v := make([][]float64, d)
	for j := range v {
		v[j] = normalRow(rng, k)
	}
	for range n {
		u, row := normalRow(rng, k), normalRow(rng, d)
		for j := range row {
			row[j] += dot(u, v[j])
		}
		m.Y = append(m.Y, row)
	}
	return m
}

// normalRow returns k standard normal numbers.
func normalRow(rng *rand.Rand, k int) []float64 {
	row := make([]float64, k)
	for i := range row {
		row[i] = rng.NormFloat64()
	}
	return row
}

// smallFactors draws a model with at most 4 rows and columns, at scales over many orders of
// magnitude.
func smallFactors(t *rapid.T) *factors {
	m := simulatedFactors(rapid.IntRange(3, 4).Draw(t, "N"), rapid.IntRange(3, 4).Draw(t, "D"), rapid.IntRange(1, 2).Draw(t, "K"), rapid.Uint64().Draw(t, "seed"))
	scale := math.Pow(10, float64(rapid.IntRange(-6, 6).Draw(t, "scale")))
	for i := range m.Y {
		for j := range m.Y[i] {
			m.Y[i][j] *= scale * rapid.SampledFrom([]float64{0, 0.5, 1, 1, 2}).Draw(t, "y")
		}
	}
	m.NoiseVariance = scale * scale * rapid.SampledFrom([]float64{0.01, 1, 30}).Draw(t, "sn2")
	m.UVariance = math.Pow(10, float64(rapid.IntRange(-3, 3).Draw(t, "su2")))
	m.VVariance = scale * scale / m.UVariance * rapid.SampledFrom([]float64{0.1, 1, 10}).Draw(t, "sv2")
	return m
}

// newFactorsVB returns variational Bayes for tests.
func newFactorsVB(m *factors) *FactorsVB {
	return longtest.Sure(NewFactorsVB(m.Y, m.K, m.Factors, OneNaming, untilFlat()))
}

// TestFactorsBoundByItsDefinition: F is E[log p(y, U, V) - log q(U) q(V)]. All but log q is of
// degree two in each variable, so that its mean over the points that are one standard deviation
// from the mean in every direction is exact, as is that of log q.
func TestFactorsBoundByItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := smallFactors(t)
		m.Y = m.Y[:3]
		for i := range m.Y {
			m.Y[i] = m.Y[i][:3] // with rank two there are twelve numbers, and 4096 points
		}
		f := newFactorsVB(m)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		f.start(chains.NewSampler(rng))
		for range rapid.IntRange(1, 3).Draw(t, "sweeps") {
			f.sweep()
		}
		got, want := f.bound(), expectedFactors(f)
		if math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
			t.Fatalf("F = %.15g, want %.15g", got, want)
		}
	})
}

// expectedFactors returns E[log p - log q] from the points at one standard deviation.
func expectedFactors(f *FactorsVB) float64 {
	k, n, d := f.u.k, f.u.n, f.v.n
	roots := [2]*mat.TriDense{root(f.u), root(f.v)}
	total, points := 0.0, 1<<(k*(n+d))
	for p := range points {
		x := make([]float64, k*(n+d)) // U and then V
		logP, logQ := 0.0, 0.0
		for i := range n + d {
			q, l, row, prior := f.u, roots[0], i, 1.0
			if i >= n {
				q, l, row, prior = f.v, roots[1], i-n, f.model.Signal()
			}
			for a := range k {
				at := q.means[row*k+a]
				for b := 0; b <= a; b++ {
					at += l.At(a, b) * float64(1-2*(p>>(i*k+b)&1))
				}
				x[i*k+a] = at
				logP -= (math.Log(2*math.Pi*prior) + at*at/prior) / 2
				logQ -= math.Log(2*math.Pi)/2 + math.Log(l.At(a, a)) + 1.0/2 // every coordinate is one standard deviation away
			}
		}
		for i := range n {
			for j := range d {
				r := f.y[i*d+j] - dot(x[i*k:(i+1)*k], x[(n+j)*k:(n+j+1)*k])
				logP -= math.Log(2*math.Pi*f.model.NoiseVariance)/2 + r*r/2
			}
		}
		total += (logP - logQ) / float64(points)
	}
	return total
}

// root returns the Cholesky factor of a covariance.
func root(q *normals) *mat.TriDense {
	var c mat.Cholesky
	if !c.Factorize(mat.NewSymDense(q.k, slices.Clone(q.covariance))) {
		panic("no covariance")
	}
	var l mat.TriDense
	c.LTo(&l)
	return &l
}

// TestFactorsUpdatesAreMaxima: after each update, F is not below what it is where that factor is
// changed a little or much, and F never falls.
func TestFactorsUpdatesAreMaxima(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := newFactorsVB(smallFactors(t))
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		f.start(chains.NewSampler(rng))
		last := math.Inf(-1)
		for range 4 {
			for _, q := range []*normals{f.v, f.u} {
				if q == f.v {
					f.place(f.v, f.yt, f.u, f.model.Signal())
				} else {
					f.place(f.u, f.y, f.v, 1)
				}
				best := f.bound()
				rounding := 1e-13 * (1 + math.Abs(best))
				if math.IsNaN(best) || best < last-rounding {
					t.Fatalf("F falls from %.15g to %.15g", last, best)
				}
				last = best
				if f.u.logDet == math.Inf(-1) {
					continue // U is known until its first update, and F is -Inf
				}
				for _, by := range []float64{1e-4, 0.01, 0.5} {
					if worse := changed(q, by, rng, f.bound); worse > best+rounding {
						t.Fatalf("changed by %v: F rises from %.15g to %.15g", by, best, worse)
					}
				}
			}
		}
	})
}

// changed returns a bound where the means and the covariance of normals are changed.
func changed(q *normals, by float64, rng *rand.Rand, bound func() float64) float64 {
	was := *q
	defer func() { *q = was }()
	q.means, q.covariance = slices.Clone(was.means), slices.Clone(was.covariance)
	for i := range q.means {
		q.means[i] += by * rng.NormFloat64() * math.Sqrt(q.covariance[0])
	}
	scale := math.Exp(by * rng.NormFloat64())
	floats.Scale(scale, q.covariance)
	q.logDet += float64(q.k) * math.Log(scale)
	return bound()
}

// logMarginal returns log p(Y | V) with U integrated out, by elimination in the D x D covariance
// with 200 bits, since a covariance of a large condition number costs double precision more digits
// than the likelihood in closed form has lost.
func (m *factors) logMarginal(v [][]float64) float64 {
	d := len(v)
	rows := make([][]*big.Float, d+len(m.Y)) // the covariance, and the data below it
	for i := range rows {
		rows[i] = make([]*big.Float, d)
		for j := range d {
			rows[i][j] = wide(0)
			if i >= d {
				rows[i][j] = wide(m.Y[i-d][j])
				continue
			}
			for k, x := range v[i] {
				rows[i][j].Add(rows[i][j], wide(0).Mul(wide(x), wide(v[j][k])))
			}
			rows[i][j].Mul(rows[i][j], wide(m.UVariance))
			if i == j {
				rows[i][j].Add(rows[i][j], wide(m.NoiseVariance))
			}
		}
	}
	total := wide(0)
	for p := range d {
		pivot, _ := rows[p][p].Float64()
		total.Sub(total, wide(float64(len(m.Y))/2*math.Log(2*math.Pi*pivot)))
		for i := p + 1; i < len(rows); i++ {
			times := wide(0).Quo(rows[i][p], rows[p][p])
			if i >= d {
				total.Sub(total, wide(0).Quo(wide(0).Mul(times, rows[i][p]), wide(2)))
			}
			for j := p + 1; j < d; j++ {
				rows[i][j].Sub(rows[i][j], wide(0).Mul(times, rows[p][j]))
			}
		}
	}
	value, _ := total.Float64()
	return value
}

// wide returns a number with 200 bits.
func wide(x float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(x) }

// TestFactorsBIC: the likelihood in closed form is that of the fitted V by its definition, and no V
// that is near or far has a larger one. The penalty is half of log N for each number of V that a
// rotation leaves.
func TestFactorsBIC(t *testing.T) {
	if b := longtest.Sure(NewFactorsBIC(simulatedFactors(9, 5, 3, 1).Y, 3, EqualFactors())); b.parameters() != 12 || math.Abs(b.penalty()-6*math.Log(9)) > 1e-14 {
		t.Errorf("%d parameters, penalty %v", b.parameters(), b.penalty())
	}
	rapid.Check(t, func(t *rapid.T) { checkFactorsBIC(t, smallFactors(t), rapid.Uint64().Draw(t, "seed")) })
	checkFactorsBIC(t, &factors{ // a condition number of 1500, and terms of 100 that leave -0.346
		Y: [][]float64{
			{-0.0001635789774663447, 0, -0.0001442724125418698, -4.5954675457703835e-05},
			{0, 0, -0.00030552784454661373, 0},
			{0, -0.0002283211767345047, 0, -0.000624434126625332},
		},
		K: 2, Factors: Factors{UVariance: 1, VVariance: 1e-9, NoiseVariance: 1e-10},
	}, 1)
}

// checkFactorsBIC does so for one model.
func checkFactorsBIC(t rapid.TB, m *factors, seed uint64) {
	t.Helper()
	b := longtest.Sure(NewFactorsBIC(m.Y, m.K, m.Factors))
	a, err := b.Ascend(context.Background(), nil)
	if err != nil || a.Sweeps != 1 {
		t.Fatal(a, err)
	}
	best, v := a.Value+b.penalty(), m.fittedV()
	rounding := 1e-12 * (1 + math.Abs(best))
	if got := m.logMarginal(v); math.Abs(got-best) > rounding {
		t.Fatalf("log p(y | V) = %.15g at the fitted V, want %.15g", got, best)
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	for _, by := range []float64{1e-5, 0.01, 1} {
		other := make([][]float64, len(v))
		for j := range v {
			other[j] = slices.Clone(v[j])
			for k := range other[j] {
				other[j][k] += by * rng.NormFloat64() * math.Sqrt(m.NoiseVariance/m.UVariance)
			}
		}
		if got := m.logMarginal(other); got > best+rounding {
			t.Fatalf("V changed by %v: %.15g, which is above %.15g", by, got, best)
		}
	}
}

// fittedV returns the V of the largest likelihood.
func (m *factors) fittedV() [][]float64 {
	n, d := len(m.Y), len(m.Y[0])
	var svd mat.SVD
	svd.Factorize(mat.NewDense(n, d, inUnitsOf(1, m.Y)), mat.SVDThin)
	var right mat.Dense
	svd.VTo(&right)
	v := make([][]float64, d)
	for j := range v {
		for k := range m.K {
			g := svd.Values(nil)[k]
			v[j] = append(v[j], right.At(j, k)*math.Sqrt(max(0, g*g/float64(n)-m.NoiseVariance)/m.UVariance))
		}
	}
	return v
}
