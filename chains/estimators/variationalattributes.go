package estimators

import (
	"cmp"
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
)

// AttributesVB approximates the posterior of a model of binary attributes by q(Z) q(A), by
// coordinate ascent on the variational lower bound F, which is at most log Z. At its best given
// q(Z), q(A) is a product of normal distributions of the columns of A, which share one covariance.
// q(Z) is a product of distributions of all single z_ik, each of which is set to its best given
// q(A) and the others, one after another. Ascents start with Z drawn from its prior.
//
// With LogFactorial, log K! is added for the K! ways to name the attributes, as Grosse, Ghahramani
// and Adams (2015) do. The result need not be a bound.
//
// Source: Grosse, Ghahramani and Adams 2015, section 5.1, Eqs. 38 to 41, and section 6.1.
type AttributesVB struct {
	model    *attributes
	extra    float64 // what the symmetry adds, in nats
	patience Patience
	y, yt    []float64 // the data in units of the noise, by row and by column
	on       []float64 // q(z_ik = 1), by row
	logits   []float64 // log q(z_ik = 1) - log q(z_ik = 0), by row
	odds     []float64 // the same of the prior, by attribute
	a        *normals  // the columns of A
	features []float64 // the means of A, by attribute
	squares  []float64 // E[Z'Z], K x K
	rest     []float64 // scratch: the residual of a row
}

// NewAttributesVB returns variational Bayes on a model of binary attributes. It takes OneNaming or
// LogFactorial.
func NewAttributesVB(y [][]float64, a Attributes, symmetry Symmetry,
	patience Patience) (*AttributesVB, error) {
	model, err := newAttributes(y, a)
	k := len(a.Pi)
	extra, extraErr := extraOf(symmetry, k)
	if err := cmp.Or(err, patience.Validate(), extraErr); err != nil {
		return nil, err
	}
	n := len(y)
	d := len(y[0])
	v := &AttributesVB{
		model:    model,
		extra:    extra,
		patience: patience,
		y:        inUnitsOf(model.NoiseVariance, model.Y),
		on:       make([]float64, n*k),
		logits:   make([]float64, n*k),
		odds:     make([]float64, k),
		a:        knownNormals(d, k),
		features: make([]float64, k*d),
		squares:  make([]float64, k*k),
		rest:     make([]float64, d),
	}
	v.yt = transposed(v.y, n)
	for k := range v.odds {
		v.odds[k] = model.logOdds(k)
	}
	return v, nil
}

// Ascend implements Ascender.
func (v *AttributesVB) Ascend(ctx context.Context, c chains.RealChooser) (Ascent, error) {
	v.drawStart(c)
	a, err := ascend(ctx, v.sweep, v.patience.last())
	return a.plusValue(v.extra), err
}

// Work implements Ascender: a sweep is counted as N K evaluations, like a scan by heat bath, which
// weighs the same alternatives.
func (v *AttributesVB) Work(sweeps float64) Work {
	return Work{Evaluations: sweeps * float64(len(v.on))}
}

// drawStart draws Z from its prior.
func (v *AttributesVB) drawStart(c chains.Chooser) {
	for i := range v.on {
		v.on[i], v.logits[i] = 0, math.Inf(-1)
		if c.Flip(v.model.Pi[i%len(v.model.Pi)]) {
			v.on[i], v.logits[i] = 1, math.Inf(1)
		}
	}
}

// sweep sets q(A) and then q(Z), in O(N D K + (N + D) K^2), and returns F. It does not say whether
// something has moved.
func (v *AttributesVB) sweep() (value float64, moved bool) {
	v.setFeatures()
	v.assign()
	return v.bound(), true
}

// setFeatures sets q(A) to its best value given q(Z).
func (v *AttributesVB) setFeatures() {
	v.expectSquare()
	v.a.regress(v.yt, v.on, v.squares, v.model.Signal())
	for j := range v.a.n {
		for k, mean := range v.a.means[j*v.a.k : (j+1)*v.a.k] {
			v.features[k*v.a.n+j] = mean
		}
	}
}

// expectSquare computes E[Z'Z].
func (v *AttributesVB) expectSquare() {
	gram(v.squares, v.on, v.a.k)
	for i, p := range v.on {
		k := i % v.a.k
		v.squares[k*v.a.k+k] += p * (1 - p)
	}
}

// assign sets the distribution of each z_ik to its best given all others, row by row.
func (v *AttributesVB) assign() {
	k := v.a.k
	for i := range v.model.Y {
		v.leave(i)
		for a := range k {
			v.setAttribute(i*k, a)
		}
	}
}

// feature returns the means of the features of an attribute.
func (v *AttributesVB) feature(a int) []float64 { return v.features[a*v.a.n : (a+1)*v.a.n] }

// leave computes the residual of a row: the row without the means of its attributes' features.
func (v *AttributesVB) leave(i int) {
	copy(v.rest, v.y[i*v.a.n:(i+1)*v.a.n])
	for a, p := range v.on[i*v.a.k : (i+1)*v.a.k] {
		subtract(v.rest, p, v.feature(a))
	}
}

// setAttribute sets the distribution of attribute a of the row that begins at a place of on and
// logits, and updates the residual of the row. With the attribute on, the expected square of the
// distance changes by |m|^2 - 2 m . r + D times the covariances, where r is the residual of the row
// without the attribute.
func (v *AttributesVB) setAttribute(row, a int) {
	d := float64(v.a.n)
	k := v.a.k
	feature := v.feature(a)
	covariance := v.a.covariance[a*k : (a+1)*k]
	before := v.on[row+a]
	own := dot(feature, feature)
	shared := dot(covariance, v.on[row:row+k]) - covariance[a]*before
	logit := v.odds[a] + dot(feature, v.rest) + before*own - (own+d*covariance[a])/2 - d*shared
	v.logits[row+a], v.on[row+a] = logit, 1/(1+math.Exp(-logit))
	subtract(v.rest, v.on[row+a]-before, feature)
}

// subtract subtracts a multiple of a vector from another.
func subtract(from []float64, times float64, what []float64) {
	for j, x := range what {
		from[j] -= times * x
	}
}

// bound returns F of any q(Z) and q(A), in nats. The expected square of the data's distance from Z
// A is that from the means, and the variances of Z and the covariances of A add to it.
func (v *AttributesVB) bound() float64 {
	d := float64(v.a.n)
	k := v.a.k
	square := 0.0
	for i := range v.model.Y {
		v.leave(i)
		square += dot(v.rest, v.rest)
	}
	for a := range k {
		varied := 0.0
		for at := a; at < len(v.on); at += k {
			varied += v.on[at] * (1 - v.on[at])
		}
		square += varied * dot(v.feature(a), v.feature(a))
	}
	v.expectSquare()
	square += d * dot(v.squares, v.a.covariance)
	return -v.model.constant() - square/2 - v.a.divergence(v.model.Signal()) - v.divergence()
}

// divergence returns the Kullback-Leibler divergence of q(Z) from the prior, in nats. It takes the
// logits, since q(z = 0) has lost its digits if q(z = 1) is near one.
func (v *AttributesVB) divergence() float64 {
	total := 0.0
	for i, logit := range v.logits {
		pi := v.model.Pi[i%v.a.k]
		total -= binaryEntropy(logit) + number.Log(pi)/(1+math.Exp(-logit)) +
			math.Log1p(-pi)/(1+math.Exp(logit))
	}
	return total
}

// binaryEntropy returns the entropy of a bit by the logit of its probability, in nats.
func binaryEntropy(logit float64) float64 {
	far := math.Abs(logit)
	if math.IsInf(far, 1) {
		return 0
	}
	small := math.Exp(-far) // the odds of the less likely value
	return math.Log1p(small) + far*small/(1+small)
}
