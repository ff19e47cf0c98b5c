package estimators

import (
	"context"
	"math"
)

// VariationalBayes approximates the posterior of the assignments z and the centres theta by q(z) q(theta), by coordinate ascent on the
// variational lower bound F: q(theta) is set to its best value given q(z), and then q(z) given q(theta), in turns. At its best,
// q(theta) is a product of normal distributions and q(z) one of distributions of the z_i. F is at most log Z. From some starts the
// ascent ends at a lower maximum; one that starts at a saddle of F, as far as rounding can tell, stays there.
//
// Source: Grosse, Ghahramani and Adams 2015, section 5.1, Eqs. 38 to 41.
type VariationalBayes struct {
	model    *Clusters
	symmetry Symmetry
	patience Patience
	joint    []float64 // log p(z, y) of each assignment, for the bound of all namings only
}

// NewVariationalBayes returns variational Bayes on a mixture of normals.
//
// With AllNamings, the estimate is the bound of the mixture of all namings of q(z) with the centres integrated out: each z has its own
// conditional distribution of theta in place of q(theta). That can be summed exactly, is at most log Z, and is at least the bound of the
// mixture of all namings of q(z) q(theta), which cannot.
func NewVariationalBayes(model *Clusters, symmetry Symmetry) (*VariationalBayes, error) {
	if err := model.Validate(); err != nil {
		return nil, err
	}
	if err := checkSymmetry(symmetry, model.sides()); err != nil {
		return nil, err
	}
	v := &VariationalBayes{model: model, symmetry: symmetry}
	if symmetry == AllNamings {
		v.joint = v.logJoint()
	}
	return v, nil
}

// Patient returns variational Bayes whose ascents end by patience. F is a lower bound wherever it ends.
func (v *VariationalBayes) Patient(p Patience) (*VariationalBayes, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	patient := *v
	patient.patience = p
	return &patient, nil
}

// Sides implements Climber.
func (v *VariationalBayes) Sides() []int { return v.model.sides() }

// Climb implements Climber. It starts with q(z) that is one at the start, and a sweep sets q(theta) and q(z).
func (v *VariationalBayes) Climb(ctx context.Context, start []int) (Ascent, error) {
	q, c := v.model.hard(start), v.model.centresAtZero()
	// As q(z) is at its best given q(theta), the terms of F with z in them add up to the logarithms of what q(z) was divided by.
	a, err := v.model.climb(ctx, q, c, climbing{v.place, v.divergence, v.patience})
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

// Work implements Climber: a sweep is counted as N(K - 1) evaluations, what a scan by heat bath takes that weighs the same
// alternatives. No log f is asked for: the updates use the form of the model.
func (v *VariationalBayes) Work(sweeps float64) Work { return v.model.work(sweeps) }

// Operations implements Climber.
func (v *VariationalBayes) Operations() float64 {
	operations := v.model.operations()
	if v.symmetry == AllNamings {
		operations += 3 * namings(v.model.sides())
	}
	return operations
}

// place sets q(theta) to its best value given q(z).
func (v *VariationalBayes) place(q memberships, c *centres) {
	for k, mean := range c.means {
		weight := v.model.gather(q, k, mean)
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
		total += float64(len(mean)) / 2 * (ratio - 1 - math.Log(ratio))
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
		total -= float64(len(v.model.Y[i])) / 2 * math.Log(2*math.Pi*v.model.NoiseVariance)
		for k, p := range q[i] {
			if p > 0 {
				total += p * (logs[k] - math.Log(p))
			}
		}
	}
	return total
}

// logJoint returns log p(z, y) of each assignment, in nats. It is F of the q(z) that is one there, with the best q(theta), since that is
// the distribution of theta given z and y.
func (v *VariationalBayes) logJoint() []float64 {
	sides := v.model.sides()
	joint := make([]float64, int(StartsOf(v)))
	start, c := make([]int, len(sides)), v.model.centresAtZero()
	for x := range joint {
		StartOf(start, sides, x)
		q := v.model.hard(start)
		v.place(q, c)
		joint[x] = v.bound(q, c)
	}
	return joint
}
