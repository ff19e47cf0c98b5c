package estimators

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"breadboard/chains"
)

// FactorsBIC is the Bayesian information criterion of a low-rank model, in the convention of BIC: what belongs to one row, u_i, is
// integrated out, as the cluster of a row is summed out there; what all rows share, V, is fitted; the variances are known; and half of the number
// of parameters times log N is taken off. It is no bound on log Z.
//
// The rows are then independently N(0, UVariance V V' + NoiseVariance I). The largest likelihood is known in closed form: the
// fitted covariance has the eigenvectors of the data's second moments, and the K largest eigenvalues of these where they are above
// the variance of the noise.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.1; Schwarz 1978; Tipping and Bishop 1999, section 3.2, here with known noise.
type FactorsBIC struct{ model *Factors }

// NewFactorsBIC returns the criterion for a low-rank model.
func NewFactorsBIC(model *Factors) (*FactorsBIC, error) {
	if err := model.Validate(); err != nil {
		return nil, err
	}
	return &FactorsBIC{model}, nil
}

// Parameters returns the number of parameters that are fitted: K D for V, less the K(K-1)/2 of a rotation of its columns, which the
// likelihood does not depend on.
func (b *FactorsBIC) Parameters() int { return b.model.K*len(b.model.Y[0]) - b.model.K*(b.model.K-1)/2 }

// Penalty returns what is subtracted from the largest log likelihood, in nats.
func (b *FactorsBIC) Penalty() float64 { return penalty(b.Parameters(), len(b.model.Y)) }

// Ascend implements Ascender. It draws nothing and comes to the global maximum in one sweep, in O(N D min(N, D)).
func (b *FactorsBIC) Ascend(ctx context.Context, _ chains.RealChooser) (Ascent, error) {
	if ctx.Err() != nil {
		return Ascent{}, context.Cause(ctx)
	}
	n, d := len(b.model.Y), len(b.model.Y[0])
	var svd mat.SVD
	if !svd.Factorize(mat.NewDense(n, d, inUnitsOf(b.model.NoiseVariance, b.model.Y)), mat.SVDNone) {
		return Ascent{}, errors.New("the singular values of the data have not converged; divide the data and the standard deviations by one number, so that they are nearer to one")
	}
	return Ascent{b.logLikelihood(svd.Values(nil)) - b.Penalty(), 1}, nil
}

// Work implements Ascender: it is counted as a scan.
func (b *FactorsBIC) Work(sweeps float64) Work { return b.model.work(sweeps) }

// logLikelihood returns the largest log likelihood, in nats, from the singular values of the data in units of the noise, largest first.
func (b *FactorsBIC) logLikelihood(singular []float64) float64 {
	n, d := float64(len(b.model.Y)), float64(len(b.model.Y[0]))
	total := -n * d / 2 * math.Log(2*math.Pi*b.model.NoiseVariance)
	for h, g := range singular {
		variance := 1.0 // of the fitted covariance in this direction
		if h < b.model.K {
			variance = max(1, g/n*g)
		}
		total -= n/2*math.Log(variance) + g/variance*g/2
	}
	return total
}
