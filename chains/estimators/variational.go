package estimators

import (
	"cmp"
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"breadboard/chains"
	"breadboard/chains/number"
)

// VariationalBayes approximates the posterior of the assignments z and the centres theta by q(z)
// q(theta), by coordinate ascent on the variational lower bound F: q(theta) is set to its best
// value given q(z), and then q(z) given q(theta), in turns. At its best, q(theta) is a product of
// normal distributions and q(z) one of distributions of the z_i. F is at most log Z. From some
// starts the ascent ends at a lower maximum. From a saddle of F, up to rounding, it does not move.
//
// Source: Grosse, Ghahramani and Adams 2015, section 5.1, Eqs. 38 to 41.
type VariationalBayes struct {
	model    *clustering
	symmetry Symmetry
	patience Patience
	joint    []float64 // log p(z, y) of each assignment, for the bound of all namings only
}

// NewVariationalBayes returns variational Bayes on a mixture of normals and data y, one row per
// datum. A patience other than zero ends ascents early; F is a lower bound wherever it ends.
//
// With AllNamings, the estimate is the bound of the mixture of all namings of q(z) with the centres
// integrated out: each z has its own conditional distribution of theta instead of q(theta). It can
// be summed exactly, is at most log Z, and is at least the bound of the mixture of all namings of
// q(z) q(theta), which cannot be summed.
func NewVariationalBayes(y [][]float64, c Clusters, symmetry Symmetry,
	patience Patience) (*VariationalBayes, error) {
	model, err := newClustering(y, c, patience)
	if err != nil {
		return nil, err
	}
	if err := checkSymmetry(symmetry, model.sides()); err != nil {
		return nil, err
	}
	v := &VariationalBayes{model: model, symmetry: symmetry, patience: patience}
	if symmetry == AllNamings {
		v.joint = v.logJoint()
	}
	return v, nil
}

// Sides implements Climber.
func (v *VariationalBayes) Sides() []int { return v.model.sides() }

// Climb implements Climber. It starts with q(z) that is one at the start, and a sweep sets q(theta)
// and q(z).
func (v *VariationalBayes) Climb(ctx context.Context, start []int) (Ascent, error) {
	q := v.model.hard(start)
	c := v.model.centresAtZero()
	// As q(z) is at its best given q(theta), the terms of F with z in them add up to the logarithms
	// of what q(z) was divided by.
	a, err := v.model.climb(ctx, q, c, climbing{v.setCentres, v.divergence, v.patience})
	if err != nil {
		return Ascent{}, err
	}
	switch v.symmetry {
	case LogFactorial:
		a.Value += LogNamings(len(v.model.Pi))
	case AllNamings:
		a.Value = mixtureBound(q, v.joint)
	}
	return a, nil
}

// Work implements Climber: a sweep is counted as N(K - 1) evaluations, like a scan by heat bath,
// which weighs the same alternatives. The updates use the form of the model and do not evaluate log
// f.
func (v *VariationalBayes) Work(sweeps float64) Work { return v.model.work(sweeps) }

// Operations implements Climber.
func (v *VariationalBayes) Operations() float64 {
	operations := v.model.operations()
	if v.symmetry == AllNamings {
		operations += 3 * namings(v.model.sides())
	}
	return operations
}

// setCentres sets q(theta) to its best value given q(z).
func (v *VariationalBayes) setCentres(q memberships, c *centres) {
	for k, mean := range c.means {
		weight := v.model.sumMembers(q, k, mean)
		c.variances[k] = 1 / (1/v.model.CentreVariance + weight/v.model.NoiseVariance)
		for j := range mean {
			mean[j] *= c.variances[k] / v.model.NoiseVariance
		}
	}
}

// divergence returns KL(q(theta) || p(theta)), in nats.
func (v *VariationalBayes) divergence(c *centres) float64 {
	total := 0.0
	for k, mean := range c.means {
		ratio := c.variances[k] / v.model.CentreVariance
		total += float64(len(mean)) / 2 * (ratio - 1 - number.Log(ratio))
		for _, m := range mean {
			total += m * m / (2 * v.model.CentreVariance)
		}
	}
	return total
}

// bound returns F, in nats, of any q(z) and q(theta).
func (v *VariationalBayes) bound(q memberships, c *centres) float64 {
	total := -v.divergence(c)
	logs := make([]float64, len(v.model.Pi))
	for i := range q {
		v.model.logDensity(logs, c, i)
		total -= float64(len(v.model.Y[i])) / 2 * number.Log(2*math.Pi*v.model.NoiseVariance)
		for k, p := range q[i] {
			if p > 0 {
				total += p * (logs[k] - number.Log(p))
			}
		}
	}
	return total
}

// logJoint returns log p(z, y) of each assignment, in nats. It is F of the q(z) that is one there,
// with the best q(theta), since that is the distribution of theta given z and y.
func (v *VariationalBayes) logJoint() []float64 {
	sides := v.model.sides()
	joint := make([]float64, int(StartsOf(v)))
	start := make([]int, len(sides))
	c := v.model.centresAtZero()
	for x := range joint {
		StartOf(start, sides, x)
		q := v.model.hard(start)
		v.setCentres(q, c)
		joint[x] = v.bound(q, c)
	}
	return joint
}

// FactorsVB approximates the posterior of a low-rank model by q(U) q(V), by coordinate ascent on
// the variational lower bound F, which is at most log Z: q(V) is set to its best value given q(U),
// and then q(U) given q(V), in turns. Both are products of normal distributions of the rows of U,
// or of V, that share one covariance. Ascents start with U drawn from its prior. With little noise
// they take many sweeps, since U and V then determine one another: with 50 data in 25 columns about
// 100 if u_ik v_jk varies as much as the noise, 4,000 if its variance is 100 times larger, and more
// than the limit if it is 10,000 times larger.
//
// With LogFactorial, log K! is added for the K! ways to name the factors, as Grosse, Ghahramani and
// Adams (2015) do. The result need not be a bound. The posterior is invariant when U and V are
// rotated by the same orthogonal matrix, and the namings are only a few of these rotations. Also,
// the q of F may have factors that are zero, which renaming does not change.
//
// Source: Grosse, Ghahramani and Adams 2015, section 5.1, Eqs. 38 to 41, and section 6.1; Lim and
// Teh 2007 for the updates.
type FactorsVB struct {
	model    *factors
	extra    float64 // what the symmetry adds, in nats
	patience Patience
	y, yt    []float64 // the data in units of the noise, by row and by column
	u, v     *normals
	squares  []float64 // scratch: K x K
	others   []float64 // scratch: K x K
}

// NewFactorsVB returns variational Bayes on a low-rank model with K components. It takes OneNaming
// or LogFactorial.
func NewFactorsVB(data [][]float64, k int, f Factors, symmetry Symmetry,
	patience Patience) (*FactorsVB, error) {
	model, err := newFactors(data, k, f)
	extra, extraErr := extraOf(symmetry, k)
	if err := cmp.Or(err, patience.Validate(), extraErr); err != nil {
		return nil, err
	}
	y := inUnitsOf(f.NoiseVariance, data)
	n := len(data)
	d := len(data[0])
	return &FactorsVB{
		model:    model,
		extra:    extra,
		patience: patience,
		y:        y,
		yt:       transposed(y, n),
		u:        knownNormals(n, k),
		v:        knownNormals(d, k),
		squares:  make([]float64, k*k),
		others:   make([]float64, k*k),
	}, nil
}

// Ascend implements Ascender.
func (f *FactorsVB) Ascend(ctx context.Context, c chains.RealChooser) (Ascent, error) {
	f.drawStart(c)
	a, err := ascend(ctx, f.sweep, f.patience.last())
	return a.plusValue(f.extra), err
}

// Work implements Ascender: a sweep counts as N K + K D, the numbers that a scan by heat bath
// draws.
func (f *FactorsVB) Work(sweeps float64) Work { return f.model.work(sweeps) }

// drawStart draws U from its prior, in units in which that is standard normal.
func (f *FactorsVB) drawStart(c chains.RealChooser) {
	clear(f.u.covariance)
	f.u.logDet = math.Inf(-1)
	for i := range f.u.means {
		f.u.means[i] = c.Normal()
	}
}

// sweep sets q(V) and then q(U), in O(N D K + (N + D) K^2), and returns F. It does not say whether
// something has moved.
func (f *FactorsVB) sweep() (value float64, moved bool) {
	f.setFactor(f.v, f.yt, f.u, f.model.Signal())
	f.setFactor(f.u, f.y, f.v, 1)
	return f.bound(), true
}

// setFactor sets one of q(U) and q(V) to its best value given the other.
func (f *FactorsVB) setFactor(q *normals, y []float64, other *normals, prior float64) {
	other.squares(f.squares)
	for i, s := range other.covariance {
		f.squares[i] += float64(other.n) * s
	}
	q.regress(y, other.means, f.squares, prior)
}

// bound returns F of any q(U) and q(V), in nats. The expected square of the data's distance from U
// V' is that from the means, and three terms that come from the covariances, none of which is
// negative.
func (f *FactorsVB) bound() float64 {
	n, d, k := f.u.n, f.v.n, f.u.k
	square := 0.0
	for i := range n {
		u := f.u.means[i*k : (i+1)*k]
		for j, y := range f.y[i*d : (i+1)*d] {
			r := y - dot(u, f.v.means[j*k:(j+1)*k])
			square += r * r
		}
	}
	f.u.squares(f.squares)
	f.v.squares(f.others)
	square += float64(d)*dot(f.squares, f.v.covariance) + float64(n)*dot(f.others, f.u.covariance) +
		float64(n)*float64(d)*dot(f.u.covariance, f.v.covariance)
	constant := float64(n) * float64(d) / 2 * number.Log(2*math.Pi*f.model.NoiseVariance)
	return -constant - square/2 - f.u.divergence(1) - f.v.divergence(f.model.Signal())
}

// normals are n independent normal distributions of vectors of K numbers, which share one
// covariance. The best factors of the models here have this form, as their noise is normal and
// known.
type normals struct {
	n, k       int
	means      []float64 // n rows of K
	covariance []float64 // K x K; zero if the vectors are known
	logDet     float64   // the logarithm of the determinant of the covariance
	cross      []float64 // scratch of K numbers
}

// knownNormals returns n vectors of K zeros that are known.
func knownNormals(n, k int) *normals {
	return &normals{
		n:          n,
		k:          k,
		means:      make([]float64, n*k),
		covariance: make([]float64, k*k),
		logDet:     math.Inf(-1),
		cross:      make([]float64, k),
	}
}

// squares writes the sum over the n vectors of their means times their means, K x K.
func (q *normals) squares(dst []float64) { gram(dst, q.means, q.k) }

// gram writes the sum over rows of k numbers of the row times itself, k x k.
func gram(dst, rows []float64, k int) {
	clear(dst)
	for at := 0; at < len(rows); at += k {
		row := rows[at : at+k]
		for a, x := range row {
			to := dst[a*k : a*k+k]
			for b, y := range row {
				to[b] += x * y
			}
		}
	}
}

// regress sets the normals to the posterior of the coefficients of n regressions with noise of
// variance one, whose coefficients are independently N(0, prior) before. Each is given its data, a
// row of y, with the predictors x, of which each datum has a row of K numbers. The sum over the
// data of the expected squares of the predictors is given for itself, since they may be random. If
// rounding makes the precision no positive definite matrix the results are NaN.
//
// It takes about n K (P + K) multiplications for P data.
func (q *normals) regress(y, x, squares []float64, prior float64) {
	for a := range q.k {
		for b := range q.k {
			q.covariance[a*q.k+b] = squares[a*q.k+b]
		}
		q.covariance[a*q.k+a] += 1 / prior
	}
	q.invert()
	data := len(x) / q.k
	for i := range q.n {
		clear(q.cross)
		for j, v := range y[i*data : (i+1)*data] {
			for a, p := range x[j*q.k : (j+1)*q.k] {
				q.cross[a] += v * p
			}
		}
		mean := q.means[i*q.k : (i+1)*q.k]
		for a := range mean {
			mean[a] = dot(q.covariance[a*q.k:(a+1)*q.k], q.cross)
		}
	}
}

// invert replaces a precision by the covariance.
func (q *normals) invert() {
	precision := blas64.Symmetric{N: q.k, Stride: q.k, Data: q.covariance, Uplo: blas.Upper}
	factor, ok := lapack64.Potrf(precision)
	if !ok {
		q.logDet = math.NaN()
		return
	}
	q.logDet = 0
	for a := range q.k {
		q.logDet -= 2 * number.Log(q.covariance[a*q.k+a])
	}
	lapack64.Potri(factor)
	for a := range q.k {
		for b := range a {
			q.covariance[a*q.k+b] = q.covariance[b*q.k+a]
		}
	}
}

// divergence returns the Kullback-Leibler divergence of the n distributions from N(0, prior) for
// each number, in nats.
func (q *normals) divergence(prior float64) float64 {
	perVector := -float64(q.k) + float64(q.k)*number.Log(prior) - q.logDet
	for a := range q.k {
		perVector += q.covariance[a*q.k+a] / prior
	}
	return (float64(q.n)*perVector + dot(q.means, q.means)/prior) / 2
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}
