package diagnose

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"breadboard/chains/number"
	"breadboard/grid/longtest"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"pgregory.net/rapid"
)

// near fails if two numbers differ by more than a part of their size.
func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		t.Errorf("%s is %.15g, want %.15g", what, got, want)
	}
}

// TestEvidenceOfThreePoints: the log evidence is the density of the multivariate normal
// distribution whose covariances are written out.
func TestEvidenceOfThreePoints(t *testing.T) {
	p := &process{x: [][]float64{{0, 1}, {1, -1}, {2.5, 0.5}}, y: []float64{0.3, -1.2, 2}}
	h := hyperparameters{math.Log(1.5), math.Log(0.8), math.Log(1.3), math.Log(0.4)}
	q := longtest.Must(p.learn(h))(t)
	k := func(a, b float64) float64 { return 1.69 * math.Exp(-a*a/(2*2.25)-b*b/(2*0.64)) }
	own := 1.69 + 0.16 + 1e-6
	normal, ok := distmv.NewNormal(make([]float64, 3), mat.NewSymDense(3, []float64{
		own, k(1, 2), k(2.5, 0.5),
		0, own, k(1.5, 1.5),
		0, 0, own,
	}), nil)
	if !ok {
		t.Fatal("the covariances are not positive definite")
	}
	near(t, "the log evidence", q.logEvidence(), normal.LogProb(p.y), 1e-13)
	// By elimination, without a factorisation: three conditional densities, each of a label given
	// the ones before it.
	near(t, "the log evidence", q.logEvidence(), conditionals(t, p, h), 1e-12)
}

// conditionals returns the log density of labels as the sum of those of each label given the ones
// before it, by predictions.
func conditionals(t testing.TB, p *process, h hyperparameters) float64 {
	mean, variance := 0.0, h.signal()+h.noise()
	total := -(math.Log(2*math.Pi*variance) + p.y[0]*p.y[0]/variance) / 2
	for n := 1; n < len(p.y); n++ {
		q := longtest.Must((&process{x: p.x[:n], y: p.y[:n]}).learn(h))(t)
		mean, variance = q.predict(p.x[n])
		total -= (math.Log(2*math.Pi*variance) + (p.y[n]-mean)*(p.y[n]-mean)/variance) / 2
	}
	return total
}

// TestPredictionFromOnePoint: the mean and the variance have a closed form.
func TestPredictionFromOnePoint(t *testing.T) {
	q := longtest.Must((&process{x: [][]float64{{0.5}}, y: []float64{1.7}}).learn(
		hyperparameters{math.Log(2), math.Log(1.2), math.Log(0.3)},
	))(t)
	mean, variance := q.predict([]float64{1.5})
	signal := 1.44
	noise := 0.09 + 1e-6
	k := signal * math.Exp(-1.0/8)
	near(t, "the mean", mean, k/(signal+noise)*1.7, 1e-14)
	near(t, "the variance", variance, signal-k*k/(signal+noise)+noise, 1e-14)
}

// TestGradient: the gradient of the log evidence is what differences say, also if points coincide.
func TestGradient(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 8).Draw(t, "points")
		features := rapid.IntRange(1, 3).Draw(t, "features")
		p := &process{}
		for range n {
			p.x = append(p.x, rapid.SliceOfN(rapid.Float64Range(-2, 2), features, features).Draw(t, "x"))
			p.y = append(p.y, rapid.Float64Range(-3, 3).Draw(t, "y"))
		}
		h := hyperparameters(rapid.SliceOfN(rapid.Float64Range(-1, 1), features+2, features+2).Draw(t, "h"))
		value := p.evidence(h)
		if want := longtest.Must(p.learn(h))(t).logEvidence(); !(math.Abs(value-want) <= 1e-11*max(1, math.Abs(want))) {
			t.Fatalf("the log evidence is %v, want %v", value, want)
		}
		gradient := p.gradient(h)
		const step = 1e-5
		for i := range h {
			at := func(by float64) float64 {
				moved := append(hyperparameters(nil), h...)
				moved[i] += by
				q := longtest.Must(p.learn(moved))(t)
				return q.logEvidence()
			}
			difference := (at(step) - at(-step)) / (2 * step)
			if !(math.Abs(gradient[i]-difference) <= 1e-6*(1+math.Abs(difference))) {
				t.Fatalf("derivative %d is %v, and by differences %v", i, gradient[i], difference)
			}
		}
	})
}

// wave returns points of a function of the first of two features, with noise of the given standard
// deviation.
func wave(n int, noise float64) *process {
	random := rand.New(rand.NewPCG(1, 2))
	p := &process{}
	for range n {
		x := []float64{random.NormFloat64(), random.NormFloat64()}
		p.x, p.y = append(p.x, x), append(p.y, math.Sin(2*x[0])+noise*random.NormFloat64())
	}
	return p
}

// looking is a context that ends when it has been looked at that many times.
type looking struct {
	context.Context
	end   func()
	looks int
}

// Err implements context.Context.
func (l *looking) Err() error {
	l.looks--
	if l.looks == 0 {
		l.end()
	}
	return l.Context.Err()
}

// TestFitEnds: a search ends with its context at any of its steps, and says why too many points or
// too few cannot be learned from.
func TestFitEnds(t *testing.T) {
	for _, looks := range []int{1, 2, 7} {
		ctx, cancel := context.WithCancel(context.Background())
		l := &looking{ctx, cancel, looks}
		if _, err := wave(60, 0.1).fit(l); !errors.Is(err, context.Canceled) || l.looks < -2 {
			t.Errorf("a search whose context ends: %v, after %d more looks", err, -l.looks)
		}
		cancel()
	}
	for _, n := range []int{1, maxPoints + 1} {
		if _, err := wave(n, 0.1).fit(context.Background()); err == nil {
			t.Errorf("%d points are learned from", n)
		}
	}
}

// TestSingular: what floating point cannot hold is no maximum.
func TestSingular(t *testing.T) {
	p := &process{x: [][]float64{{0}, {0}, {1}}, y: []float64{1, 1, 1}}
	for _, h := range []hyperparameters{{0, 400, 0}, {0, 40, -1000}} {
		if value := p.evidence(h); !math.IsInf(value, -1) {
			t.Errorf("log evidence %v at %v", value, h)
		}
	}
}

// logEvidence returns the logarithm of the density of the labels (nats), Eq. 2.30.
func (q *posterior) logEvidence() float64 {
	fit := mat.Dot(mat.NewVecDense(len(q.y), q.y), q.weights)
	return -(fit + q.factor.LogDet() + float64(len(q.y))*number.Log(2*math.Pi)) / 2
}
