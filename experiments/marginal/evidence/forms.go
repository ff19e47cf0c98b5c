package evidence

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/estimators"
	"breadboard/chains/selector"
	"breadboard/exact/laws"
	"breadboard/toys/models"
)

// draws returns the settings text of a row with K draws.
func draws(_ *target, k int) string { return fmt.Sprintf("K=%d", k) }

// byDraws returns the family of an estimator that needs only a model and a number K of draws.
func byDraws[E estimator](create func(m estimators.Model[chains.Chooser, int], k int) (E, error),
	law func(ctx context.Context, t *laws.Target, k, workers int) (*laws.Sum, error)) family {
	return family{
		smallest: 1, letter: "K", settings: draws,
		make: func(_ context.Context, _ *target, m finite, k int) (estimator, error) { return create(m, k) },
		law: func(ctx context.Context, t *target, k, workers int) (laws.Law, error) {
			return law(ctx, t.Target, k, workers)
		},
	}
}

// pooledByDraws returns the family of an estimator by independent draws: that of byDraws, marked as
// pooled, with a distribution that takes no time.
func pooledByDraws[E estimator](create func(m estimators.Model[chains.Chooser, int], k int) (E, error),
	law func(t *laws.Target, k int) (*laws.Sum, error)) family {
	f := byDraws(create, func(_ context.Context, t *laws.Target, k, _ int) (*laws.Sum, error) { return law(t, k) })
	f.pooled = true
	return f
}

func weightingForm() form {
	return form{
		Syntax:  "lw",
		Doc:     "likelihood weighting: the mean likelihood of K draws from the prior",
		Source:  paper + ", section 3.1",
		Example: "lw",
		Parse: func(selector.Args, selector.Nothing) (Choice, error) {
			return Choice{"lw", pooledByDraws(estimators.NewLikelihoodWeighting, laws.NewWeighting)}, nil
		},
	}
}

func annealedForm() form {
	return annealedFormOf("ais", chains.Forward, "annealed importance sampling over T distributions",
		", section 3.3 and Algorithm 1; Neal 2001")
}

func reverseAnnealedForm() form {
	return annealedFormOf("rais", chains.Reverse, "AIS in reverse, from an exact draw", ", section 4.2.1")
}

// annealedFormOf returns the form of annealing in one direction. Its setting is T, unless the
// schedule has its own.
func annealedFormOf(name string, d chains.Direction, doc, source string) form {
	return form{
		Syntax: name, Doc: doc, Source: paper + source, Example: name,
		Parse: func(selector.Args, selector.Nothing) (Choice, error) {
			return Choice{name, family{
				smallest: 2,
				letter:   "T",
				pace:     paceAnnealed,
				fixed:    func(t *target) bool { return t.ownLength > 0 },
				settings: func(t *target, T int) string { return fmt.Sprintf("T=%d", t.distributions(T)) },
				make: func(ctx context.Context, t *target, m finite, T int) (estimator, error) {
					a, err := t.annealing(ctx, T)
					if err != nil {
						return nil, err
					}
					if d == chains.Reverse {
						return estimators.NewReverseAnnealed(m, estimators.Places(a))
					}
					return estimators.NewAnnealed(m, estimators.Places(a))
				},
				law: func(ctx context.Context, t *target, T, workers int) (laws.Law, error) {
					a, err := t.annealing(ctx, T)
					if err != nil {
						return nil, err
					}
					return laws.NewAnnealing(ctx, t.Target, a, d, workers)
				},
			}}, nil
		},
	}
}

func sequentialForm() form {
	return sequentialFormOf("smc", chains.Forward,
		"one-particle SMC along the data, with SCANS scans (or perfect moves) after a datum",
		", section 3.4 and Algorithm 2")
}

func reverseSequentialForm() form {
	return sequentialFormOf(
		"shme",
		chains.Reverse,
		"sequential harmonic mean: one-particle SMC in reverse, from an exact draw",
		", section 4.2.2 and Algorithm 3",
	)
}

// perfect selects moves that draw from the posterior of the data so far.
const perfect = "perfect"

// sequentialFormOf returns the form of sequential Monte Carlo in one direction. Its setting is the
// number of scans, if none is named.
func sequentialFormOf(name string, d chains.Direction, doc, source string) form {
	return form{
		Syntax: name + "[:prior|posterior[:SCANS]]", Doc: doc, Source: paper + source, Example: name,
		Parse: func(args selector.Args, _ selector.Nothing) (Choice, error) {
			word, scans := args.Cut()
			proposal := estimators.ProposePosterior
			switch word {
			case estimators.ProposePrior.String():
				proposal = estimators.ProposePrior
			case estimators.ProposePosterior.String():
			default:
				if args.Given {
					return Choice{}, args.Errorf("%q is not a proposal; write prior or posterior", word)
				}
			}
			sweeps, given, err := parseSweeps(scans, strings.Contains(args.Text, ":"))
			if err != nil {
				return Choice{}, args.Wrap(err)
			}
			return sequentialChoice(name, d, proposal, sweeps, given), nil
		},
	}
}

// parseSweeps reads the number of scans, or perfect.
func parseSweeps(text string, given bool) (estimators.Sweeps, bool, error) {
	if !given {
		return 0, false, nil
	}
	if text == perfect {
		return estimators.Perfect, true, nil
	}
	n, err := selector.ParseWhole(text, 0, estimators.MaxSweeps)
	if err != nil {
		return 0, false, fmt.Errorf("the number of scans: %w, nor %s", err, perfect)
	}
	return estimators.Sweeps(n), true, nil
}

// sequentialChoice returns sequential Monte Carlo with the given number of scans, or with one
// chosen for the work.
func sequentialChoice(name string, d chains.Direction, proposal estimators.Proposal,
	sweeps estimators.Sweeps, given bool) Choice {
	scans := func(n int) estimators.Sweeps {
		if given {
			return sweeps
		}
		return estimators.Sweeps(n)
	}
	if proposal == estimators.ProposePrior || given {
		name += ":" + proposal.String()
	}
	if given {
		name += ":" + sweeps.String()
	}
	return Choice{name, family{
		fits:     hasData,
		smallest: 0,
		largest:  estimators.MaxSweeps,
		whole:    true,
		pace:     paceSequential,
		fixed:    func(*target) bool { return given },
		settings: func(_ *target, n int) string { return "scans=" + scans(n).String() },
		make: func(_ context.Context, t *target, _ finite, n int) (estimator, error) {
			data, err := t.growing()
			if err != nil {
				return nil, err
			}
			if d == chains.Reverse {
				return estimators.NewReverseSequential(data, proposal, scans(n))
			}
			return estimators.NewSequential(data, proposal, scans(n))
		},
		law: func(ctx context.Context, t *target, n, workers int) (laws.Law, error) {
			data, err := t.growing()
			if err != nil {
				return nil, err
			}
			return laws.NewSequential(ctx, data, proposal, scans(n), d, workers)
		},
	}}
}

// hasData returns an error if the target has no sequential data, which sequential Monte Carlo
// needs.
func hasData(t *target) error {
	if _, has := t.on.Toy.Model.(models.Sequential); !has {
		return errs.New("it needs sequential data, and the toy has none; give a model such as clu8")
	}
	return fromPrior(t)
}

// fromPrior returns an error if the target's Z is not the marginal likelihood of its model, which
// estimators by the model itself estimate.
func fromPrior(t *target) error {
	if initial := t.on.Param("initial"); initial != "prior" {
		return errs.New(
			"it estimates the marginal likelihood of the model, but the annealing starts from {initial} "+
				"%s; start it from the prior",
			initial,
		)
	}
	return nil
}

// growing returns the model along its data, for one goroutine.
func (t *target) growing() (*estimators.Growing, error) {
	return models.Growing(t.on.Toy.Model.(models.Sequential))
}

func harmonicForm() form {
	return form{
		Syntax: "hme[:chain|prior]", Source: paper + ", section 3.2; Newton and Raftery 1994", Example: "hme",
		Doc: "harmonic mean of K likelihoods: at exact draws, or along a chain from one or from the prior",
		Parse: func(args selector.Args, _ selector.Nothing) (Choice, error) {
			if args.Given && args.Text == "prior" {
				c := Choice{"hme:prior",
					byDraws(estimators.NewHarmonicPriorChain, laws.NewHarmonicPriorChain)}
				c.biased = true
				return c, nil
			}
			chain, err := hasWord(args, "chain", "way to draw states",
				" for independent exact draws; prior is a chain from a draw from the prior")
			c := Choice{"hme", pooledByDraws(estimators.NewHarmonicMean, laws.NewHarmonic)}
			if chain {
				c = Choice{
					"hme:chain", byDraws(estimators.NewHarmonicChain, laws.NewHarmonicChain)}
				c.pace = paceChain
			}
			return c, err
		},
	}
}

// byStar returns the family of an estimator from the posterior probability of the likeliest state,
// at K chain states or draws.
func byStar[E estimator](name string,
	create func(m estimators.Transitional[chains.Chooser, int], star int, logJoint float64, k int) (E, error),
	law func(ctx context.Context, t *laws.Target, star, k, workers int) (*laws.Sum, error)) family {
	return family{
		fits: singleStates(name), smallest: 1, letter: "K", settings: draws,
		make: func(_ context.Context, _ *target, m finite, k int) (estimator, error) {
			star := m.Likeliest()
			return create(m, star, m.LogPosterior(star), k)
		},
		law: func(ctx context.Context, t *target, k, workers int) (laws.Law, error) {
			return law(ctx, t.Target, t.star, k, workers)
		},
	}
}

func chibForm() form {
	return form{
		Syntax: "chib[:chain]", Source: paper + ", section 5.2; Chib 1995", Example: "chib",
		Doc: "Chib's estimator from K exact draws, or from a chain that starts at a draw from the prior",
		Parse: func(args selector.Args, _ selector.Nothing) (Choice, error) {
			chain, err := hasWord(args, "chain", "way to draw states", " for independent exact draws")
			c := Choice{"chib", byStar("chib", estimators.NewChib, laws.NewChib)}
			c.pooled = !chain
			if chain {
				c = Choice{
					"chib:chain", byStar("chib", estimators.NewChibChain, laws.NewChibChain)}
				// its chain starts from the prior
				c.pace = paceChain
				c.biased = true
			}
			return c, err
		},
	}
}

func murraySalakhutdinovForm() form {
	return form{
		Syntax:  "cms[:first|uniform]",
		Source:  paper + ", section 5.2 and Eq. 44; Murray and Salakhutdinov 2009",
		Example: "cms:uniform",
		Doc: "Chib-Murray-Salakhutdinov: Chib's estimator from a chain through the draw as its first state or " +
			"a uniform one (default)",
		Parse: func(args selector.Args, _ selector.Nothing) (Choice, error) {
			start := estimators.StartUniform
			name := "cms"
			switch args.Text {
			case estimators.StartFirst.String():
				start = estimators.StartFirst
				name = "cms:first"
			case estimators.StartUniform.String():
			default:
				if args.Given {
					return Choice{}, args.Errorf("%q is not a place to start; write first or uniform", args.Text)
				}
			}
			c := Choice{name, byStar("cms", func(m estimators.Transitional[chains.Chooser, int],
				star int, logJoint float64, k int) (estimator, error) {
				return estimators.NewMurraySalakhutdinov(m, star, logJoint, k, start)
			}, func(ctx context.Context, t *laws.Target, star, k, workers int) (*laws.Sum, error) {
				return laws.NewCMS(ctx, t, star, k, start, workers)
			})}
			// its chain then does not start in equilibrium
			c.pace = paceChain
			c.biased = start == estimators.StartFirst
			return c, nil
		},
	}
}

// climberChoice returns the choice of a deterministic method that climbs from a start drawn
// uniformly. Its work is the mean work of an ascent. If it is whole, it works on the model, not on
// the centred path.
func climberChoice(name string, fits func(*target) error, whole bool,
	of func(*target) (estimators.Climber, error)) Choice {
	return Choice{name, family{
		fits: fits, smallest: 1, byLaw: true, whole: whole, fixed: func(*target) bool { return true },
		settings: func(_ *target, restarts int) string { return fmt.Sprintf("restarts=%d", restarts) },
		make: func(_ context.Context, t *target, _ finite, restarts int) (estimator, error) {
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

func meanFieldForm() form {
	return form{
		Syntax: "mf[:sym]", Source: "Jordan et al. 1999", Example: "mf",
		Doc: "mean field over the axes; sym mixes all labellings of the clusters",
		Parse: func(args selector.Args, _ selector.Nothing) (Choice, error) {
			sym, err := hasWord(args, "sym", "correction", "")
			name := "mf"
			fits := hasAxes
			symmetry := estimators.OneNaming
			if sym {
				name = "mf:sym"
				fits = isClustering
				symmetry = estimators.AllNamings
			}
			return climberChoice(name, fits, false, func(t *target) (estimators.Climber, error) {
				return estimators.NewMeanField(t.on.Toy.Lattice(), t.LogJoint(), symmetry)
			}), err
		},
	}
}

func variationalForm() form {
	return form{
		Syntax: "vb[:sym]", Source: paper + ", section 5.1 and Eqs. 38 to 41", Example: "vb",
		Doc: "variational Bayes for clusterings; sym adds log K!",
		Parse: func(args selector.Args, _ selector.Nothing) (Choice, error) {
			sym, err := hasWord(args, "sym", "correction", "")
			name := "vb"
			symmetry := estimators.OneNaming
			if sym {
				name = "vb:sym"
				symmetry = estimators.LogFactorial
			}
			c := climberChoice(name, isClustering, true, func(t *target) (estimators.Climber, error) {
				return estimators.NewVariationalBayes(
					t.clustering().Y,
					t.clustering().Clusters,
					symmetry,
					estimators.Patience{},
				)
			})
			c.biased = sym // log K! is too much if clusters overlap
			return c, err
		},
	}
}

func bicForm() form {
	return form{
		Syntax: "bic", Source: "Schwarz 1978; " + paper + ", section 6", Example: "bic",
		Doc: "Bayesian information criterion for clusterings, by EM",
		Parse: func(selector.Args, selector.Nothing) (Choice, error) {
			c := climberChoice("bic", isClustering, true, func(t *target) (estimators.Climber, error) {
				return estimators.NewBIC(t.clustering().Y, t.clustering().Clusters, estimators.Patience{})
			})
			c.biased = true
			return c, nil
		},
	}
}

// hasAxes returns the reason why a target has no mean field, or nil.
func hasAxes(t *target) error {
	if t.on.Toy.Lattice() == nil {
		return errors.New("it is a product over the axes of a grid, and the toy has no axes")
	}
	return nil
}

// isClustering returns an error if the target is no clustering of data.
func isClustering(t *target) error {
	if _, isClustering := t.on.Toy.Model.(*models.Clustering); !isClustering {
		return errors.New("it needs a clustering of data, such as clu8")
	}
	return fromPrior(t)
}

// clustering returns the target as a clustering.
func (t *target) clustering() *models.Clustering { return t.on.Toy.Model.(*models.Clustering) }
