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
	return -b*float64(n*columns)/2*math.Log(2*math.Pi*d.noise) - float64(columns)/2*c.LogDet() -
		b/(2*d.noise)*mat.Trace(&product)
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
	return -float64(n*columns)/2*math.Log(2*math.Pi*d.noise) - float64(columns)/2*d.r*mat.Trace(&trace) -
		norm*norm/(2*d.noise)
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
		{"clustering", ofClustering(clustering, clusters),
			func(at chains.Place) float64 { return clustering.LogLikelihood(at, clusters) },
			func(from, to chains.Place) float64 { return clustering.LogStep(from, to, clusters) }},
		{"binary", ofBinary(binary, attributes),
			func(at chains.Place) float64 { return binary.LogLikelihood(at, attributes) },
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
			near(t, m.step(at, chains.At(1)), m.dense.logLikelihood(1)-m.dense.logLikelihood(b), 1e-12,
				"%s: the step from %v", m.name, b)
		}
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

// Finite fails if a log density is infinite or NaN.
func Finite(t *rapid.T, logs ...float64) {
	t.Helper()
	for _, v := range logs {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Fatalf("log densities are %v", logs)
		}
	}
}

// TestDiscreteOfAnyNumbers: whatever the data and variances are, nothing is infinite or NaN, and
// steps add up. The log odds of an attribute are the difference of two log likelihoods.
func TestDiscreteOfAnyNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "N")
		d := rapid.IntRange(1, 9).Draw(t, "D")
		k := rapid.IntRange(1, 4).Draw(t, "K")
		clusters := estimators.EqualClusters(k)
		attributes := estimators.EvenAttributes(k)
		clusters.CentreVariance, clusters.NoiseVariance = drawnVariance(t, "centres"),
			drawnVariance(t, "noise")
		attributes.NoiseVariance = clusters.NoiseVariance
		attributes.FeatureVariance = max(1e-40,
			min(1e40, attributes.NoiseVariance*math.Pow(10, rapid.Float64Range(-20, 9.99).Draw(t, "ratio"))))
		y := drawnTable(t, n, d)
		b := rapid.Float64Range(0, 1).Draw(t, "b")
		c := chains.NewSampler(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		clustering := longtest.Sure(NewClustering(y, k, clusters))
		m := longtest.Sure(NewBinary(y, k, attributes))
		x := stepsAddUp(t, c, b, clustering)
		s := stepsAddUp(t, c, b, m)
		stepsAddUp(t, c, b, longtest.Sure(NewInferredClustering(y, k)))
		Finite(t, clustering.LogTransition(x, clustering.Prior(c)), m.LogTransition(s, m.Prior(c)))

		bit := c.Choose(slices.Repeat([]float64{1 / float64(n*k)}, n*k))
		law := m.Conditional(b, bit/k, bit%k, s)
		before := m.LogLikelihood(chains.At(b), s)
		s.Z[bit] = 1 - s.Z[bit]
		m.Refresh(s)
		after := m.LogLikelihood(chains.At(b), s)
		tolerance := (1e-12 + 1e-15*float64(n*k)*b*attributes.Signal()) *
			max(1, math.Abs(before), math.Abs(after))
		if got := law.LogDensity(s.Z[bit]) -
			law.LogDensity(1-s.Z[bit]); !(math.Abs(got-(after-before)) <= tolerance) {
			t.Fatalf("the log odds of a change are %v, want %v within %v", got, after-before, tolerance)
		}
	})
}

// stepsAddUp moves a state of the prior and returns it. It fails if a log density is not finite, or
// the steps from 0 to b and from there to 1 are not the likelihood at 1.
func stepsAddUp[S any](t *rapid.T, c chains.RealChooser, b float64,
	m estimators.Model[chains.RealChooser, S]) S {
	start := chains.At(0)
	at := chains.At(b)
	end := chains.At(1)
	s := m.Back(c, at, m.Move(c, at, m.Prior(c)))
	whole := m.LogLikelihood(end, s)
	first := m.LogStep(start, at, s)
	second := m.LogStep(at, end, s)
	Finite(t, m.LogLikelihood(start, s), m.LogLikelihood(at, s), whole)
	if size := math.Abs(first) + math.Abs(second); math.Abs(first+second-whole) > 1e-12*max(1, size) {
		t.Fatalf("steps of %v and %v lead to %v", first, second, whole)
	}
	if back := m.LogStep(end, at, s); back != -second {
		t.Fatalf("a step of %v is one of %v back", second, back)
	}
	return s
}
