package sandwich

import (
	"context"
	"errors"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/estimators"
)

// Estimator is an estimator of the marginal likelihood of data of any size.
type Estimator = estimators.Estimator[chains.RealChooser]

// problem is the interface of a data set under a model, whatever the type of its states. Only one
// goroutine may use it.
type problem interface {
	// estimator returns the estimator of a choice other than vb, bic and nested sampling.
	estimator(name string, knob int) (Estimator, error)
	nested(particles, moves int) (nestedClimb, error)
	variationalTruth() (estimators.Ascender, error)
	// variational and bic climb from starts that they draw; components returns the number K of
	// components, which have K! labellings.
	variational() (estimators.Ascender, error)
	bic() (estimators.Ascender, error)
	components() int
}

// nestedClimb is nested sampling on states of any type.
type nestedClimb interface {
	Run(ctx context.Context, c chains.RealChooser) ([]estimators.NestedEnd, error)
	Work(end estimators.NestedEnd) estimators.Work
}

// Sampled is a model of data of any size with its data, as in package toys/latent: the kernels of
// its states, their weights, and its restricted prior.
type Sampled[S comparable] interface {
	estimators.Transitional[chains.RealChooser, S]
	estimators.Constrained[chains.RealChooser, S]
	// LogPrior returns the logarithm of the prior density of a state, in nats.
	LogPrior(s S) float64
}

// typed is the problem of a model whose states have the type S.
type typed[S comparable] struct {
	model Sampled[S]
	along estimators.Data[chains.RealChooser, S] // the same model along its data
	climbs
}

// climbs are the methods that fit a data set.
type climbs struct {
	k       int
	vb, fit func() (estimators.Ascender, error)
	// from the state that made the data; nil if there is no such method
	truth func() (estimators.Ascender, error)
}

func (c climbs) variationalTruth() (estimators.Ascender, error) {
	if c.truth == nil {
		return nil, errs.New("%s is for clusterings; give vb, or the model clustering", variationalTruth)
	}
	return c.truth()
}

func (c climbs) variational() (estimators.Ascender, error) { return c.vb() }
func (c climbs) bic() (estimators.Ascender, error)         { return c.fit() }
func (c climbs) components() int                           { return c.k }

func (p typed[S]) estimator(name string, knob int) (Estimator, error) {
	switch name {
	case "lw":
		return estimators.NewLikelihoodWeighting(p.model, knob)
	case "hme":
		return estimators.NewHarmonicChain(p.model, knob)
	case "ais":
		return estimators.NewScheduledAnnealing(p.model, Schedule(), knob, chains.Forward)
	case "rais":
		return estimators.NewScheduledAnnealing(p.model, Schedule(), knob, chains.Reverse)
	case "smc":
		return estimators.NewSequential(p.along, estimators.ProposePosterior, estimators.Sweeps(knob))
	case "shme":
		return estimators.NewReverseSequential(p.along, estimators.ProposePosterior, estimators.Sweeps(knob))
	case "cms":
		return newStarred(p.model, knob, estimators.StartUniform)
	}
	return newStarred(p.model, knob, estimators.StartFirst)
}

func (p typed[S]) nested(particles, moves int) (nestedClimb, error) {
	return estimators.NewNestedClimb(p.model, estimators.NestedClimbOptions{
		Particles: particles,
		Moves:     moves,
		Stops:     []estimators.NestedStop{estimators.StopText, estimators.StopExperiments},
	})
}

// variationalChoice is variational Bayes, with the bound of one labelling of the components and
// with log K! added.
func variationalChoice() Choice {
	return ascending(Choice{
		Name:   "vb",
		Legend: "VB",
	}, problem.variational, func(e *Estimate, p problem) {
		e.LogZSymmetric = e.LogZ + estimators.LogNamings(p.components())
	}, func(p pace) float64 { return sweepsOfAscent * p.sweep })
}

// variationalTruth is the name of variational Bayes from the state that made the data.
const variationalTruth = "vb:truth"

// truthChoice is variational Bayes from the state that made the data, which only simulated data
// have. All of its ascents are the same.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.4, which finds it no better than random
// starts.
func truthChoice() Choice {
	c := variationalChoice()
	c.Name = variationalTruth
	c.Legend = "VB from the truth"
	c.Exact = true
	c.Kind = "clustering"
	c = ascending(c, problem.variationalTruth, func(e *Estimate, p problem) {
		e.LogZSymmetric = e.LogZ + estimators.LogNamings(p.components())
	}, func(p pace) float64 { return sweepsOfAscent * p.sweep })
	c.Ladder = []int{1}
	return c
}

// bicChoice is the Bayesian information criterion.
func bicChoice() Choice {
	return ascending(Choice{
		Name:   "bic",
		Legend: "BIC",
	}, problem.bic, func(*Estimate, problem) {}, func(p pace) float64 { return p.fit })
}

// sweepsOfAscent is the approximate number of sweeps of an ascent.
const sweepsOfAscent = 100

// ascending returns a choice that takes the best of some ascents from random starts.
func ascending(c Choice, of func(problem) (estimators.Ascender, error), also func(*Estimate, problem),
	each func(pace) float64) Choice {
	c.Knob, c.Least, c.Ladder, c.Combination = "R", 1, ladder(100_000), estimators.Maximum
	c.seconds = func(p pace, _ size, restarts int) float64 { return each(p) * float64(restarts) }
	c.make = func(p problem, restarts int) (func(context.Context, chains.RealChooser) (Estimate, error), error) {
		a, err := of(p)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context, c chains.RealChooser) (Estimate, error) {
			out := nothing()
			best, err := estimators.BestAscent(ctx, c, a, restarts)
			out.LogZ, out.Work = best.Value, a.Work(float64(best.Sweeps)).Evaluations
			also(&out, p)
			return out, err
		}, nil
	}
	return c
}

// clusterings returns the methods that fit a mixture of normals. If the state that made the data is
// known, truth has its clusters; otherwise it is nil.
func clusterings(y [][]float64, c estimators.Clusters, truth []int) climbs {
	climber := func() (estimators.Climber, error) {
		return estimators.NewVariationalBayes(y, c, estimators.OneNaming, estimators.PaperPatience())
	}
	return climbs{
		k: len(c.Pi),
		vb: func() (estimators.Ascender, error) {
			v, err := climber()
			if err != nil {
				return nil, err
			}
			return estimators.NewHardStarts(v), nil
		},
		truth: func() (estimators.Ascender, error) {
			if truth == nil {
				return nil, errors.New("the state that made these data is not known")
			}
			v, err := climber()
			if err != nil {
				return nil, err
			}
			return estimators.NewGivenStart(v, truth)
		},
		fit: func() (estimators.Ascender, error) {
			b, err := estimators.NewBIC(y, c, estimators.PaperPatience())
			if err != nil {
				return nil, err
			}
			return estimators.NewHardStarts(b), nil
		},
	}
}

// factorizations returns the methods that fit a matrix of rank k.
func factorizations(y [][]float64, k int, f estimators.Factors) climbs {
	return climbs{
		k: k,
		vb: func() (estimators.Ascender, error) {
			return estimators.NewFactorsVB(y, k, f, estimators.OneNaming, estimators.PaperPatience())
		},
		fit: func() (estimators.Ascender, error) { return estimators.NewFactorsBIC(y, k, f) },
	}
}

// attributes returns the methods that fit binary attributes.
func attributes(y [][]float64, a estimators.Attributes) climbs {
	return climbs{
		k: len(a.Pi),
		vb: func() (estimators.Ascender, error) {
			return estimators.NewAttributesVB(y, a, estimators.OneNaming, estimators.PaperPatience())
		},
		fit: func() (estimators.Ascender, error) {
			return estimators.NewAttributesBIC(y, a, estimators.PaperPatience())
		},
	}
}

// pace is the estimated times of the parts of estimates on a data set, in seconds on one core of
// the machine of the README.
type pace struct {
	scan   float64 // a scan under a power of the likelihood
	within float64 // a scan of the prior above a floor of the likelihood
	sweep  float64 // a sweep of variational Bayes
	fit    float64 // an ascent of the BIC
	steps  float64 // the steps of nested sampling, a number
}

// Measured: the time of a multiplication and of a random choice.
const (
	perProduct = 1.2e-9
	perChoice  = 2.5e-8
)

// clusteringPace compares each row with K clusters of D columns.
func clusteringPace(s size, k int) pace {
	scan := perProduct*float64(s.rows*k*s.columns) + perChoice*float64(s.rows*(1+k/4))
	return pace{
		scan:   scan,
		within: 1.3 * scan,
		sweep:  3 * scan,
		fit:    3 * sweepsOfAscent * scan,
		steps:  4 * float64(s.rows),
	}
}

// lowRankPace draws both factors as blocks, and above a likelihood floor one number after another.
func lowRankPace(s size, k int) pace {
	numbers := float64((s.rows + s.columns) * k)
	scan := perProduct*float64(2*s.rows*s.columns*k) + 2*perChoice*numbers
	return pace{
		scan:   scan,
		within: scan + 15*perChoice*numbers,
		sweep:  2 * scan,
		fit:    3 * scan,
		steps:  25 * float64(s.rows),
	}
}

// binaryPace finds the features given all other rows, for each row. The BIC compares each row with
// all 2^K patterns.
func binaryPace(s size, k int) pace {
	scan := perProduct*float64(s.rows*k*k*(s.columns+k)) + perChoice*float64(2*s.rows*k)
	patterns := perProduct * float64(s.rows*s.columns) * float64(int(1)<<min(k, 30))
	return pace{
		scan:   scan,
		within: scan,
		sweep:  scan,
		fit:    sweepsOfAscent * 2 * patterns,
		steps:  13 * float64(s.rows),
	}
}
