package estimators

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
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
		u := normalRow(rng, k)
		row := normalRow(rng, d)
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
	m := simulatedFactors(rapid.IntRange(3, 4).Draw(t, "N"), rapid.IntRange(3, 4).Draw(t, "D"),
		rapid.IntRange(1, 2).Draw(t, "K"), rapid.Uint64().Draw(t, "seed"))
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

// TestFactorsBoundByItsDefinition: F is E[log p(y, U, V) - log q(U) q(V)]. All but log q is of
// degree two in each variable, so that its mean over the points that are one standard deviation
// from the mean in every direction is exact, as is that of log q. F never falls.
func TestFactorsBoundByItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := smallFactors(t)
		m.Y = m.Y[:3]
		for i := range m.Y {
			m.Y[i] = m.Y[i][:3] // with rank two there are twelve numbers, and 4096 points
		}
		f := longtest.Sure(NewFactorsVB(m.Y, m.K, m.Factors, OneNaming, untilFlat()))
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		f.drawStart(chains.NewSampler(rng))
		last := math.Inf(-1)
		for range rapid.IntRange(1, 3).Draw(t, "sweeps") {
			rises(t, &last, f.sweep)
		}
		got, want := f.bound(), expectedFactors(f)
		if math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
			t.Fatalf("F = %.15g, want %.15g", got, want)
		}
	})
}

// rises makes a sweep, after which F has not fallen.
func rises(t *rapid.T, last *float64, sweep func() (float64, bool)) {
	f, _ := sweep()
	if !(f >= *last-1e-12*(1+math.Abs(f))) {
		t.Fatalf("F falls from %.15g to %.15g", *last, f)
	}
	*last = f
}

// expectedFactors returns E[log p - log q] from the points at one standard deviation.
func expectedFactors(f *FactorsVB) float64 {
	k, n, d := f.u.k, f.u.n, f.v.n
	roots := [2]*mat.TriDense{root(f.u), root(f.v)}
	total := 0.0
	points := 1 << (k * (n + d))
	for p := range points {
		x := make([]float64, k*(n+d)) // U and then V
		logP, logQ := 0.0, 0.0
		for i := range n + d {
			q := f.u
			l := roots[0]
			row := i
			prior := 1.0
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
				// every coordinate is one standard deviation away
				logQ -= math.Log(2*math.Pi)/2 + math.Log(l.At(a, a)) + 1.0/2
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

// TestFactorsBIC: the likelihood in closed form is that of normal rows with the fitted V, and no V
// that is near or far has a larger one. The penalty is half of log N for each number of V that a
// rotation leaves.
func TestFactorsBIC(t *testing.T) {
	m := simulatedFactors(9, 5, 3, 1)
	m.UVariance = 0.5
	m.NoiseVariance = 0.25
	b := longtest.Sure(NewFactorsBIC(m.Y, 3, m.Factors))
	a := longtest.Sure(b.Ascend(context.Background(), nil))
	if b.parameters() != 12 || math.Abs(b.penalty()-6*math.Log(9)) > 1e-14 || a.Sweeps != 1 {
		t.Errorf("%d parameters, penalty %v, %+v", b.parameters(), b.penalty(), a)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	v := m.fittedV()
	for _, by := range []float64{0, 1e-5, 0.01, 1} {
		covariance := mat.NewSymDense(5, nil)
		for j := range v {
			floats.AddScaled(v[j], by, normalRow(rng, 3))
			for i := range v[:j+1] {
				covariance.SetSym(i, j, m.UVariance*dot(v[i], v[j]))
			}
			covariance.SetSym(j, j, covariance.At(j, j)+m.NoiseVariance)
		}
		rows, _ := distmv.NewNormal(make([]float64, 5), covariance, nil)
		off := a.Value + b.penalty()
		for _, y := range m.Y {
			off -= rows.LogProb(y)
		}
		if off < -1e-12 || by == 0 && off > 1e-12 {
			t.Errorf("V changed by %v: log p(y | V) is %v below that of the fitted V", by, off)
		}
	}
}

// fittedV returns the V of the largest likelihood.
func (m *factors) fittedV() [][]float64 {
	n := len(m.Y)
	d := len(m.Y[0])
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
