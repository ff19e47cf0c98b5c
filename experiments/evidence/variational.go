package evidence

import (
	"context"
	"errors"
	"fmt"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/selector"
	"breadboard/exact/laws"
	"breadboard/toys/models"
)

// climber is a deterministic method that climbs from a start drawn uniformly. Its work is what an ascent takes on average.
// whole: it works on the model, and not on the centred path.
func climber(name, legend string, fits func(*target) error, whole bool, of func(*target) (estimators.Climber, error)) Choice {
	return Choice{name, legend, family{
		fits: fits, smallest: 1, byLaw: true, whole: whole, fixed: func(*target) bool { return true },
		settings: func(_ *target, restarts int) string { return fmt.Sprintf("restarts=%d", restarts) },
		make: func(_ context.Context, t *target, _ finite, restarts int) (estimators.Estimator[chains.Chooser], error) {
			c, err := of(t)
			if err != nil {
				return nil, err
			}
			return estimators.NewRestarts(c, restarts)
		},
		law: func(ctx context.Context, t *target, restarts, workers int) (laws.Law, error) {
			c, err := of(t)
			if err != nil {
				return nil, err
			}
			return laws.NewStarts(ctx, c, restarts, workers)
		},
	}}
}

// symmetrical reads the arguments of a form that may have the word "sym" and no other.
func symmetrical(args selector.Args) (bool, error) { return hasWord(args, "sym", "correction", "") }

func meanFieldForm() form {
	return form{
		Syntax: "mf[:sym]", Source: "Jordan et al. 1999", Example: "mf",
		Doc: "mean field over the axes; sym mixes all namings of the clusters",
		Parse: func(args selector.Args, _ selector.Nothing) (Choice, error) {
			sym, err := symmetrical(args)
			if err != nil {
				return Choice{}, err
			}
			name, legend, fits, symmetry := "mf", "MF", hasAxes, estimators.OneNaming
			if sym {
				name, legend, fits, symmetry = "mf:sym", "MF+sym", isClustering, estimators.AllNamings
			}
			return climber(name, legend, fits, false, func(t *target) (estimators.Climber, error) {
				return estimators.NewMeanField(t.on.Toy.Lattice(), t.LogJoint(), symmetry)
			}), nil
		},
	}
}

func variationalForm() form {
	return form{
		Syntax: "vb[:sym]", Source: paper + ", section 5.1 and Eqs. 38 to 41", Example: "vb",
		Doc: "variational Bayes for clusterings; sym adds log K!",
		Parse: func(args selector.Args, _ selector.Nothing) (Choice, error) {
			sym, err := symmetrical(args)
			if err != nil {
				return Choice{}, err
			}
			name, legend, symmetry := "vb", "VB", estimators.OneNaming
			if sym {
				name, legend, symmetry = "vb:sym", "VB+sym", estimators.LogFactorial
			}
			c := climber(name, legend, isClustering, true, func(t *target) (estimators.Climber, error) {
				return estimators.NewVariationalBayes(t.clusters(), symmetry)
			})
			c.biased = sym // log K! is too much where clusters overlap
			return c, nil
		},
	}
}

func bicForm() form {
	return form{
		Syntax: "bic", Source: "Schwarz 1978; " + paper + ", section 6", Example: "bic",
		Doc: "Bayesian information criterion for clusterings, by EM",
		Parse: func(selector.Args, selector.Nothing) (Choice, error) {
			c := climber("bic", "BIC", isClustering, true, func(t *target) (estimators.Climber, error) {
				return estimators.NewBIC(t.clusters())
			})
			c.biased = true
			return c, nil
		},
	}
}

// hasAxes returns why a target has no mean field.
func hasAxes(t *target) error {
	if t.on.Toy.Lattice() == nil {
		return errors.New("it is a product over the axes of a grid, and the toy has none")
	}
	return nil
}

// isClustering returns why a target is no clustering of data.
func isClustering(t *target) error {
	if _, isClustering := t.on.Toy.Model.(*models.Clustering); !isClustering {
		return errors.New("it is for clusterings of data, as clu8, and the toy is none")
	}
	return fromPrior(t)
}

// clusters returns the clustering that the target is.
func (t *target) clusters() *estimators.Clusters {
	m := t.on.Toy.Model.(*models.Clustering)
	return &estimators.Clusters{Y: m.Y, Pi: m.Pi, CentreVariance: m.CentreVariance, NoiseVariance: m.NoiseVariance}
}
