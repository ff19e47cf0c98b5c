package estimators

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// BIC is the Bayesian information criterion: the largest log likelihood that EM finds over the
// centres of a mixture of normals, whose other parameters are known, minus half the number of
// parameters times log N. It is not a bound on log Z. As N grows, its difference from log Z stays
// bounded.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.1; Schwarz 1978.
type BIC struct {
	model    *clustering
	patience Patience
}

// NewBIC returns the criterion for a mixture of normals and data y, one row per datum. A patience
// other than zero ends ascents early: the likelihood is then below its maximum.
func NewBIC(y [][]float64, c Clusters, patience Patience) (*BIC, error) {
	model, err := newClustering(y, c, patience)
	if err != nil {
		return nil, err
	}
	return &BIC{model, patience}, nil
}

// Parameters returns the number of parameters that are fitted: K centres with D coordinates each.
func (b *BIC) Parameters() int { return len(b.model.Pi) * len(b.model.Y[0]) }

// Penalty returns what is subtracted from the largest log likelihood, in nats.
func (b *BIC) Penalty() float64 { return penalty(b.Parameters(), len(b.model.Y)) }

// penalty returns half of a number of parameters times log N.
func penalty(parameters, n int) float64 { return float64(parameters) / 2 * number.Log(float64(n)) }

// Sides implements Climber.
func (b *BIC) Sides() []int { return b.model.sides() }

// Climb implements Climber. It starts with the mean of each cluster; a cluster without data starts
// at zero, the mean of the prior. An ascent that starts at a saddle of the likelihood, up to
// rounding, stays there.
func (b *BIC) Climb(ctx context.Context, start []int) (Ascent, error) {
	cost := func(*centres) float64 { return b.Penalty() }
	return b.model.climb(ctx, b.model.hard(start), b.model.centresAtZero(), climbing{b.setCentres, cost, b.patience})
}

// Work implements Climber: a sweep counts as N(K - 1) evaluations, as for variational Bayes.
func (b *BIC) Work(sweeps float64) Work { return b.model.work(sweeps) }

// Operations implements Climber.
func (b *BIC) Operations() float64 { return b.model.operations() }

// setCentres sets the centres to their best values given the memberships: the weighted means. A
// cluster without weight stays where it is.
func (b *BIC) setCentres(q memberships, c *centres) {
	sum := make([]float64, len(b.model.Y[0]))
	for k, mean := range c.means {
		weight := b.model.sumMembers(q, k, sum)
		if !(weight > 0) {
			continue
		}
		for j, s := range sum {
			mean[j] = s / weight
		}
	}
}

// FactorsBIC is the Bayesian information criterion of a low-rank model, in the convention of BIC.
// The variable u_i of each row is integrated out, as BIC integrates out the cluster of a row. V,
// which all rows share, is fitted, and the variances are known. Half the number of parameters times
// log N is subtracted. It is not a bound on log Z.
//
// The rows are then independently N(0, UVariance V V' + NoiseVariance I). The largest likelihood is
// known in closed form: the fitted covariance has the eigenvectors of the data's second moments,
// and their K largest eigenvalues if these exceed the variance of the noise.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.1; Schwarz 1978; Tipping and Bishop 1999,
// section 3.2, here with known noise.
type FactorsBIC struct{ model *factors }

// NewFactorsBIC returns the criterion for a low-rank model with K components.
func NewFactorsBIC(y [][]float64, k int, f Factors) (*FactorsBIC, error) {
	model, err := newFactors(y, k, f)
	if err != nil {
		return nil, err
	}
	return &FactorsBIC{model}, nil
}

// parameters returns the number of parameters that are fitted: K D for V, less the K(K-1)/2 of a
// rotation of its columns, which the likelihood does not depend on.
func (b *FactorsBIC) parameters() int { return b.model.K*len(b.model.Y[0]) - b.model.K*(b.model.K-1)/2 }

// penalty returns what is subtracted from the largest log likelihood, in nats.
func (b *FactorsBIC) penalty() float64 { return penalty(b.parameters(), len(b.model.Y)) }

// Ascend implements Ascender. It draws nothing and finds the global maximum in one sweep, in O(N D
// min(N, D)).
func (b *FactorsBIC) Ascend(ctx context.Context, _ chains.RealChooser) (Ascent, error) {
	if ctx.Err() != nil {
		return Ascent{}, context.Cause(ctx)
	}
	n := len(b.model.Y)
	d := len(b.model.Y[0])
	var svd mat.SVD
	if !svd.Factorize(mat.NewDense(n, d, inUnitsOf(b.model.NoiseVariance, b.model.Y)), mat.SVDNone) {
		return Ascent{},
			errs.New("the singular values of the data have not converged; divide the data and the standard " +
				"deviations by one number, so that they are nearer to one")
	}
	return Ascent{b.logLikelihood(svd.Values(nil)) - b.penalty(), 1}, nil
}

// Work implements Ascender: it is counted as a scan.
func (b *FactorsBIC) Work(sweeps float64) Work { return b.model.work(sweeps) }

// logLikelihood returns the largest log likelihood, in nats, from the singular values of the data
// in units of the noise, largest first.
func (b *FactorsBIC) logLikelihood(singular []float64) float64 {
	n := float64(len(b.model.Y))
	d := float64(len(b.model.Y[0]))
	total := -n * d / 2 * number.Log(2*math.Pi*b.model.NoiseVariance)
	for h, g := range singular {
		variance := 1.0 // of the fitted covariance in this direction
		if h < b.model.K {
			variance = max(1, g/n*g)
		}
		total -= n/2*number.Log(variance) + g/variance*g/2
	}
	return total
}
