package estimators

import (
	"context"
	"math"

	"breadboard/chains"
)

// FactorsVB approximates the posterior of a low-rank model by q(U) q(V), by coordinate ascent on the variational lower bound F, which is
// at most log Z: q(V) is set to its best value given q(U), and then q(U) given q(V), in turns. Both are products of normal
// distributions of the rows of U, or of V, that share one covariance. Ascents start with U drawn from its prior. They take more
// sweeps the less noise there is, since U and V then hold one another fast: with 50 data in 25 columns about 100 where u_ik v_jk varies as much as
// the noise, 4,000 where it varies 100 times as much, and more than are made where it varies 10,000 times as much.
//
// With LogFactorial, log K! is added, as the paper does for the K! ways to name the factors. It is the paper's convention and no
// bound: the posterior also stays as it is where U and V are rotated by the same orthogonal matrix, of which the namings are only a few,
// and F may be that of a q with factors that are zero, which no naming tells apart.
//
// Source: Grosse, Ghahramani and Adams 2015, section 5.1, Eqs. 38 to 41, and section 6.1; Lim and Teh 2007 for the updates.
type FactorsVB struct {
	model    *Factors
	extra    float64 // what the symmetry adds, in nats
	patience Patience
	y, yt    []float64 // the data in units of the noise, by row and by column
	u, v     *normals
	squares  []float64 // scratch: K x K
	others   []float64 // scratch: K x K
}

// NewFactorsVB returns variational Bayes on a low-rank model. It takes OneNaming or LogFactorial.
func NewFactorsVB(model *Factors, symmetry Symmetry, patience Patience) (*FactorsVB, error) {
	if err := model.Validate(); err != nil {
		return nil, err
	}
	if err := patience.Validate(); err != nil {
		return nil, err
	}
	extra, err := extraOf(symmetry, model.K)
	if err != nil {
		return nil, err
	}
	y, n, d, k := inUnitsOf(model.NoiseVariance, model.Y), len(model.Y), len(model.Y[0]), model.K
	return &FactorsVB{
		model: model, extra: extra, patience: patience, y: y, yt: transposed(y, n),
		u: knownNormals(n, k), v: knownNormals(d, k), squares: make([]float64, k*k), others: make([]float64, k*k),
	}, nil
}

// Ascend implements Ascender.
func (f *FactorsVB) Ascend(ctx context.Context, c chains.RealChooser) (Ascent, error) {
	f.start(c)
	a, err := ascend(ctx, f.sweep, f.patience.last())
	return a.plus(f.extra), err
}

// Work implements Ascender: a sweep is counted as the N K + K D numbers that a scan by heat bath draws.
func (f *FactorsVB) Work(sweeps float64) Work { return f.model.work(sweeps) }

// start draws U from its prior, in units in which that is standard normal.
func (f *FactorsVB) start(c chains.RealChooser) {
	clear(f.u.covariance)
	f.u.logDet = math.Inf(-1)
	for i := range f.u.means {
		f.u.means[i] = c.Normal()
	}
}

// sweep sets q(V) and then q(U), in O(N D K + (N + D) K^2), and returns F. It does not say whether something has moved.
func (f *FactorsVB) sweep() (value float64, moved bool) {
	f.place(f.v, f.yt, f.u, f.model.signal())
	f.place(f.u, f.y, f.v, 1)
	return f.bound(), true
}

// place sets one of q(U) and q(V) to its best value given the other.
func (f *FactorsVB) place(q *normals, y []float64, other *normals, prior float64) {
	other.squares(f.squares)
	for i, s := range other.covariance {
		f.squares[i] += float64(other.n) * s
	}
	q.regress(y, other.means, f.squares, prior)
}

// bound returns F of any q(U) and q(V), in nats. The expected square of the data's distance from U V' is that from the means, and
// three terms that come from the covariances, none of which is negative.
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
	square += float64(d)*dot(f.squares, f.v.covariance) + float64(n)*dot(f.others, f.u.covariance) + float64(n)*float64(d)*dot(f.u.covariance, f.v.covariance)
	constant := float64(n) * float64(d) / 2 * math.Log(2*math.Pi*f.model.NoiseVariance)
	return -constant - square/2 - f.u.divergence(1) - f.v.divergence(f.model.signal())
}
