package latent

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/grid/longtest"
)

// dense is the slow way to the likelihood of a table Y = Z A + noise with normal A: the rows of a
// column are jointly normal, and with the power b the covariance is sn2 M/b, where M = I + b r ZZ'.
// It takes N^3.
type dense struct {
	z, y  *mat.Dense
	noise float64
	r     float64
}

// ofClustering returns the slow way for a state.
func ofClustering(m *Clustering, s *ClusteringState) dense {
	z := mat.NewDense(len(s.Z), m.k, nil)
	for i, k := range s.Z {
		z.Set(i, k, 1)
	}
	return dense{z, tableOf(m.y), s.Hyper.NoiseVariance, s.Hyper.Signal()}
}

// ofBinary does the same for binary attributes.
func ofBinary(m *Binary, s *BinaryState) dense {
	z := mat.NewDense(len(m.y), m.k, nil)
	for i, set := range s.Z {
		z.Set(i/m.k, i%m.k, float64(set))
	}
	return dense{z, tableOf(m.y), s.Hyper.NoiseVariance, s.Hyper.Signal()}
}

func tableOf(y [][]float64) *mat.Dense { return mat.NewDense(len(y), len(y[0]), slices.Concat(y...)) }

// factor returns the factor of M and M^-1 Y.
func (d dense) factor(b float64) (*mat.Cholesky, *mat.Dense) {
	n, _ := d.y.Dims()
	var zz, solved mat.Dense
	zz.Mul(d.z, d.z.T())
	m := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			m.SetSym(i, j, b*d.r*zz.At(i, j))
		}
		m.SetSym(i, i, 1+m.At(i, i))
	}
	var c mat.Cholesky
	if !c.Factorize(m) {
		panic("the matrix is not positive definite")
	}
	if err := c.SolveTo(&solved, d.y); err != nil {
		panic(err)
	}
	return &c, &solved
}

// logLikelihood returns log L_b.
func (d dense) logLikelihood(b float64) float64 {
	c, solved := d.factor(b)
	n, columns := d.y.Dims()
	var product mat.Dense
	product.Mul(d.y.T(), solved)
	return -b*float64(n*columns)/2*math.Log(2*math.Pi*d.noise) - float64(columns)/2*c.LogDet() - b/(2*d.noise)*mat.Trace(&product)
}

// slope returns the derivative of log L_b by b.
func (d dense) slope(b float64) float64 {
	c, solved := d.factor(b)
	n, columns := d.y.Dims()
	var part, trace mat.Dense
	if err := c.SolveTo(&part, d.z); err != nil {
		panic(err)
	}
	trace.Mul(d.z.T(), &part)
	norm := mat.Norm(solved, 2)
	return -float64(n*columns)/2*math.Log(2*math.Pi*d.noise) - float64(columns)/2*d.r*mat.Trace(&trace) - norm*norm/(2*d.noise)
}

// TestLikelihoodAtFullSize: likelihoods at full size are those of the slow way, and a small step is
// its slope times the step, with ten digits where the difference of two likelihoods has four.
func TestLikelihoodAtFullSize(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(5, 1))
	clustering, clusters := fullClustering(t, c)
	binary, attributes := fullBinary(t, c)
	for _, m := range []struct {
		name  string
		dense dense
		logL  func(at chains.Place) float64
		step  func(from, to chains.Place) float64
	}{
		{"clustering", ofClustering(clustering, clusters), func(at chains.Place) float64 { return clustering.LogLikelihood(at, clusters) },
			func(from, to chains.Place) float64 { return clustering.LogStep(from, to, clusters) }},
		{"binary", ofBinary(binary, attributes), func(at chains.Place) float64 { return binary.LogLikelihood(at, attributes) },
			func(from, to chains.Place) float64 { return binary.LogStep(from, to, attributes) }},
	} {
		for _, b := range []float64{0, 1e-6, 0.2, 0.9} {
			at := chains.At(b)
			near(t, m.logL(at), m.dense.logLikelihood(b), 1e-12, "%s, b = %v: log likelihood", m.name, b)
			to := chains.At(b + 1e-9)
			step := at.StepTo(to)
			if got, want := m.step(at, to)/step, m.dense.slope(b+step/2); math.Abs(got/want-1) > 1e-10 {
				t.Errorf("%s, b = %v: a small step has the slope %v, want %v", m.name, b, got, want)
			}
			near(t, m.step(at, chains.At(1)), m.dense.logLikelihood(1)-m.dense.logLikelihood(b), 1e-12, "%s: the step from %v", m.name, b)
		}
	}
}

// TestDrift: after a million rows out and in, the log likelihood from what the state keeps agrees
// with that from what is computed anew, though only scans compute anew.
func TestDrift(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(7, 1))
	clustering, clusters := fullClustering(t, c)
	binary, attributes := fullBinary(t, c)
	moves := longtest.Times(100_000, 1_000_000)
	for n := range moves {
		i := n % len(clusters.Z)
		clustering.take(i, clusters)
		clusters.Z[i] = (n / 7) % clustering.k
		clustering.put(i, clusters.Z[i], clusters)
		if n%10 == 0 {
			binary.take(i, attributes)
			attributes.Z[i*binary.k+n/50%binary.k] ^= 1
			binary.put(i, attributes)
		}
	}
	anew, other := clustering.Clone(clusters), binary.Clone(attributes)
	clustering.Refresh(anew)
	binary.Refresh(other)
	end := chains.At(1)
	if drift := clustering.LogLikelihood(end, clusters) - clustering.LogLikelihood(end, anew); math.Abs(drift) > 1e-9 {
		t.Errorf("clustering: the log likelihood has drifted by %v", drift)
	}
	if drift := binary.LogLikelihood(end, attributes) - binary.LogLikelihood(end, other); math.Abs(drift) > 1e-9 {
		t.Errorf("binary: the log likelihood has drifted by %v", drift)
	}
}

// drawnTable draws a table of any numbers, among them large ones that are nearly equal.
func drawnTable(t *rapid.T, n, d int) [][]float64 {
	scale := math.Pow(10, rapid.Float64Range(-20, 20).Draw(t, "scale"))
	centre := rapid.SampledFrom([]float64{0, 1, 1e6}).Draw(t, "centre")
	y := zeros(n, d)
	for i := range y {
		for j := range y[i] {
			y[i][j] = scale * (centre + rapid.Float64Range(-3, 3).Draw(t, "y"))
		}
	}
	return y
}

// drawnVariance draws a variance of any size.
func drawnVariance(t *rapid.T, name string) float64 {
	return math.Pow(10, rapid.Float64Range(-39, 39).Draw(t, name))
}

// finite fails if a number is infinite or NaN.
func finite(t *rapid.T, what string, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		t.Fatalf("%s is %v", what, v)
	}
}

// TestClusteringOfAnyNumbers: whatever the data and variances are, nothing is infinite or NaN,
// steps add up, and neither the order of rows and columns nor the names of clusters matter.
func TestClusteringOfAnyNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d, k := rapid.IntRange(1, 8).Draw(t, "N"), rapid.IntRange(1, 9).Draw(t, "D"), rapid.IntRange(1, 4).Draw(t, "K")
		h := estimators.EqualClusters(k)
		h.CentreVariance, h.NoiseVariance = drawnVariance(t, "centres"), drawnVariance(t, "noise")
		y := drawnTable(t, n, d)
		m := longtest.Sure(NewClustering(y, k, h))
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		c := chains.NewSampler(rng)
		s := m.Prior(c)
		b := rapid.Float64Range(0, 1).Draw(t, "b")
		m.Move(c, chains.At(b), s)
		m.Back(c, chains.At(b), s)
		finite(t, "a log transition", m.LogTransition(s, m.Prior(c)))
		stepsAddUp(t, b, func(at chains.Place) float64 { return m.LogLikelihood(at, s) }, func(from, to chains.Place) float64 { return m.LogStep(from, to, s) })

		names, order, columns := rng.Perm(k), rng.Perm(n), rng.Perm(d)
		other := longtest.Sure(NewClustering(permuted(y, order, columns), k, h))
		same := other.empty()
		for _, i := range order {
			same.Z = append(same.Z, names[s.Z[i]])
		}
		other.Refresh(same)
		near(t, other.LogLikelihood(chains.At(b), same), m.LogLikelihood(chains.At(b), s), 1e-12, "in another order the log likelihood")
	})
}

// TestBinaryOfAnyNumbers does the same for binary attributes.
func TestBinaryOfAnyNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d, k := rapid.IntRange(1, 8).Draw(t, "N"), rapid.IntRange(1, 9).Draw(t, "D"), rapid.IntRange(1, 4).Draw(t, "K")
		h := estimators.EvenAttributes(k)
		h.NoiseVariance = drawnVariance(t, "noise")
		h.FeatureVariance = max(1e-40, min(1e40, h.NoiseVariance*math.Pow(10, rapid.Float64Range(-20, 9.99).Draw(t, "ratio"))))
		y := drawnTable(t, n, d)
		m := longtest.Sure(NewBinary(y, k, h))
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		c := chains.NewSampler(rng)
		s := m.Prior(c)
		b := rapid.Float64Range(0, 1).Draw(t, "b")
		m.Move(c, chains.At(b), s)
		m.Back(c, chains.At(b), s)
		finite(t, "a log transition", m.LogTransition(s, m.Prior(c)))
		stepsAddUp(t, b, func(at chains.Place) float64 { return m.LogLikelihood(at, s) }, func(from, to chains.Place) float64 { return m.LogStep(from, to, s) })

		bit := rng.IntN(n * k)
		law := m.Conditional(b, bit/k, bit%k, s)
		before := m.LogLikelihood(chains.At(b), s)
		s.Z[bit] = 1 - s.Z[bit]
		m.Refresh(s)
		after := m.LogLikelihood(chains.At(b), s)
		tolerance := (1e-12 + 1e-15*float64(n*k)*b*h.Signal()) * max(1, math.Abs(before), math.Abs(after))
		if got := law.LogDensity(s.Z[bit]) - law.LogDensity(1-s.Z[bit]); !(math.Abs(got-(after-before)) <= tolerance) {
			t.Fatalf("the log odds of a change are %v, want %v within %v", got, after-before, tolerance)
		}

		names, order, columns := rng.Perm(k), rng.Perm(n), rng.Perm(d)
		other := longtest.Sure(NewBinary(permuted(y, order, columns), k, h))
		same := other.empty()
		for _, i := range order {
			for _, name := range names {
				same.Z = append(same.Z, s.Z[i*k+name])
			}
		}
		other.Refresh(same)
		near(t, other.LogLikelihood(chains.At(b), same), m.LogLikelihood(chains.At(b), s), 1e-11, "in another order the log likelihood")
	})
}

// permuted returns a table with its rows and columns in another order.
func permuted(y [][]float64, rows, columns []int) [][]float64 {
	out := zeros(len(y), len(y[0]))
	for a, i := range rows {
		for b, j := range columns {
			out[a][b] = y[i][j]
		}
	}
	return out
}

// stepsAddUp fails if a likelihood or a step is not finite, or the steps from 0 to b and from there
// to 1 are not the likelihood at 1.
func stepsAddUp(t *rapid.T, b float64, logL func(chains.Place) float64, step func(from, to chains.Place) float64) {
	for _, v := range []float64{0, b, 1} {
		finite(t, "a log likelihood", logL(chains.At(v)))
	}
	first, second := step(chains.At(0), chains.At(b)), step(chains.At(b), chains.At(1))
	if size := math.Abs(first) + math.Abs(second); math.Abs(first+second-logL(chains.At(1))) > 1e-12*max(1, size) {
		t.Fatalf("steps of %v and %v lead to %v", first, second, logL(chains.At(1)))
	}
	if back := step(chains.At(1), chains.At(b)); back != -second {
		t.Fatalf("a step of %v is one of %v back", second, back)
	}
}
