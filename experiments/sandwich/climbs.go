package sandwich

import (
	"errors"

	"breadboard/chains/estimators"
)

// variationalChoice is variational Bayes, with the bound of one naming of the components and with log K! added.
func variationalChoice() Choice {
	return ascending(Choice{
		Name: "vb", Legend: "VB", Doc: "variational Bayes: the best lower bound of R random restarts, alone and with log K! added",
	}, problem.variational, func(e *Estimate, p problem) {
		e.LogZSymmetric = e.LogZ + estimators.LogNamings(p.components())
	}, func(p pace) float64 { return sweepsOfAscent * p.sweep })
}

// VariationalTruth is the name of variational Bayes from the state that made the data.
const VariationalTruth = "vb:truth"

// truthChoice is variational Bayes from the state that made the data, which only simulated data have. All of its ascents are the same.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.4, where it ends no better than from random starts.
func truthChoice() Choice {
	c := variationalChoice()
	c.Name, c.Legend, c.Exact, c.Kind, c.Doc = VariationalTruth, "VB from the truth", true, "clustering", "variational Bayes of clusterings from the state that made the data, alone and with log K! added"
	c = ascending(c, problem.variationalTruth, func(e *Estimate, p problem) {
		e.LogZSymmetric = e.LogZ + estimators.LogNamings(p.components())
	}, func(p pace) float64 { return sweepsOfAscent * p.sweep })
	c.Ladder = []int{1}
	return c
}

// bicChoice is the Bayesian information criterion.
func bicChoice() Choice {
	return ascending(Choice{
		Name: "bic", Legend: "BIC", Doc: "the Bayesian information criterion at the best of R fits from random starts",
	}, problem.bic, func(*Estimate, problem) {}, func(p pace) float64 { return p.fit })
}

// sweepsOfAscent is about how many sweeps an ascent makes.
const sweepsOfAscent = 100

// ascending returns a choice that takes the best of some ascents from random starts.
func ascending(c Choice, of func(problem) (estimators.Ascender, error), also func(*Estimate, problem), each func(pace) float64) Choice {
	c.Knob, c.Least, c.Ladder, c.Combination = "R", 1, ladder(1, 100_000), estimators.Maximum
	c.seconds = func(p pace, _ size, restarts int) float64 { return each(p) * float64(restarts) }
	c.make = func(p problem, restarts int) (func(trial) (Estimate, error), error) {
		a, err := of(p)
		if err != nil {
			return nil, err
		}
		return func(t trial) (Estimate, error) {
			out := nothing()
			best, err := estimators.Best(t.ctx, t.c, a, restarts)
			out.LogZ, out.Work = best.Value, a.Work(float64(best.Sweeps)).Evaluations
			also(&out, p)
			return out, err
		}, nil
	}
	return c
}

// clusterings returns the methods that fit a mixture of normals.
// Where the state that made the data is known, truth has its clusters; else it is nil.
func clusterings(model *estimators.Clusters, truth []int) climbs {
	climber := func() (estimators.Climber, error) {
		v, err := estimators.NewVariationalBayes(model, estimators.OneNaming)
		if err == nil {
			v, err = v.Patient(estimators.PaperPatience())
		}
		return v, err
	}
	return climbs{
		k: len(model.Pi),
		vb: func() (estimators.Ascender, error) {
			v, err := climber()
			if err != nil {
				return nil, err
			}
			return estimators.NewHardStarts(v), nil
		},
		truth: func() (estimators.Ascender, error) {
			if truth == nil {
				return nil, errors.New("nobody knows the state that made these data")
			}
			v, err := climber()
			if err != nil {
				return nil, err
			}
			return estimators.NewGivenStart(v, truth)
		},
		fit: func() (estimators.Ascender, error) {
			b, err := estimators.NewBIC(model)
			if err == nil {
				b, err = b.Patient(estimators.PaperPatience())
			}
			if err != nil {
				return nil, err
			}
			return estimators.NewHardStarts(b), nil
		},
	}
}

// factorizations returns the methods that fit a matrix of low rank.
func factorizations(model *estimators.Factors) climbs {
	return climbs{
		k: model.K,
		vb: func() (estimators.Ascender, error) {
			return estimators.NewFactorsVB(model, estimators.OneNaming, estimators.PaperPatience())
		},
		fit: func() (estimators.Ascender, error) { return estimators.NewFactorsBIC(model) },
	}
}

// attributes returns the methods that fit binary attributes.
func attributes(model *estimators.Attributes) climbs {
	return climbs{
		k: len(model.Pi),
		vb: func() (estimators.Ascender, error) {
			return estimators.NewAttributesVB(model, estimators.OneNaming, estimators.PaperPatience())
		},
		fit: func() (estimators.Ascender, error) {
			return estimators.NewAttributesBIC(model, estimators.PaperPatience())
		},
	}
}
