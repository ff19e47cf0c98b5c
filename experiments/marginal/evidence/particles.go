package evidence

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/estimators"
	"breadboard/chains/particle"
	"breadboard/chains/selector"
	"breadboard/exact/laws"
	"breadboard/exact/smc"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// resampled is the proposal and the resampling of a particle filter.
type resampled struct {
	proposal  particle.Proposal
	scheme    particle.Scheme
	threshold float64
}

// setting returns the filter with the given number of particles.
func (r resampled) setting(particles int) smc.Setting {
	return smc.Setting{Particles: particles, Scheme: r.scheme, Threshold: r.threshold}
}

// formatSelector returns the selector: all parts that are not the default, in the order of the
// syntax.
func (r resampled) formatSelector() string {
	name := "pf"
	if r.proposal == particle.Optimal {
		name += ":" + r.proposal.String()
	}
	if plain := (smc.Setting{Scheme: r.scheme, Threshold: r.threshold}); !plain.EveryStage() {
		name += ":" + r.scheme.String()
	}
	if r.threshold != 1 {
		name += fmt.Sprintf(":%g", r.threshold)
	}
	return name
}

// setPart applies one part of the selector.
func (r *resampled) setPart(word string) error {
	if word == particle.Optimal.String() {
		r.proposal = particle.Optimal
		return nil
	}
	if word == "sorted" && (r.scheme == particle.Systematic{} || r.scheme == particle.Stratified{}) {
		r.scheme = particle.Sorted{Scheme: r.scheme}
		return nil
	}
	if threshold, err := selector.ParseNumber(word); err == nil {
		r.threshold = threshold
		return r.setting(1).Validate()
	}
	if _, sorted := r.scheme.(particle.Sorted); sorted || word == "sorted" {
		return fmt.Errorf("%q: sorted follows systematic or stratified, and only a threshold follows sorted", word)
	}
	scheme, err := particle.ParseScheme(word)
	if err != nil {
		return fmt.Errorf("%q is neither optimal, nor a threshold from 0 to 1, nor a resampling scheme: %w", word, err)
	}
	r.scheme = scheme
	return nil
}

// filterForm is the form of particle filters of hidden Markov models. Their setting is the number
// of particles if none is named.
func filterForm() form {
	return form{
		Syntax:  "pf[:P][:optimal][:SCHEME[:sorted]][:THRESHOLD]",
		Source:  "Gordon, Salmond and Smith 1993; Doucet, Godsill and Andrieu 2000",
		Example: "pf",
		Doc: "bootstrap particle filter of a hidden Markov model, or with the optimal proposal; " +
			"resampled by SCHEME, perhaps sorted by state, if the ESS is below THRESHOLD times P",
		Parse: func(args selector.Args, _ selector.Nothing) (Choice, error) {
			r := resampled{scheme: particle.Multinomial{}, threshold: 1}
			parts := strings.Split(args.Text, ":")
			if !args.Given {
				parts = nil
			}
			particles := 0
			for i, part := range parts {
				var err error
				if _, no := strconv.Atoi(part); i == 0 && no == nil {
					particles, err = selector.ParseWhole(part, 1, maxParticles)
				} else {
					err = r.setPart(part)
				}
				if _, sorted := r.scheme.(particle.Sorted); err == nil && sorted &&
					r.proposal == particle.Optimal {
					err = errs.New("sorted particles have no optimal proposal here; leave one of them out")
				}
				if err != nil {
					return Choice{}, args.Wrap(err)
				}
			}
			c := filterChoice(r)
			if particles == 0 {
				return c, nil
			}
			return c.with(fmt.Sprintf("P=%d", particles))
		},
	}
}

// maxParticles is the largest number of particles. The exact distribution becomes too large long
// before it.
const maxParticles = 10_000

// filterChoice returns a filter.
func filterChoice(r resampled) Choice {
	return Choice{r.formatSelector(), family{
		filter: true,
		fits:   isHMM, smallest: 1, largest: maxParticles, letter: "P", whole: true,
		settings: func(_ *target, n int) string { return fmt.Sprintf("P=%d", n) },
		make: func(_ context.Context, t *target, _ finite, n int) (estimator, error) {
			flow, err := particle.NewRecent(t.on.HMM(), r.proposal)
			if err != nil {
				return nil, err
			}
			run, err := particle.NewSMC(flow, n, r.scheme, r.threshold)
			return &filter{run, laws.ParticlesWork(t.on.HMM(), r.proposal, n)}, err
		},
		law: func(ctx context.Context, t *target, n, _ int) (laws.Law, error) {
			return laws.NewParticles(ctx, t.on.HMM(), r.proposal, r.setting(n), t.within)
		},
	}}
}

// isHMM returns an error if the target is no hidden Markov model.
func isHMM(t *target) error {
	if t.on.HMM() == nil {
		return errors.New("it needs a hidden Markov model, such as hmm:weather")
	}
	return fromPrior(t)
}

// filterRows returns the rows of a particle filter of a hidden Markov model with too many paths to
// list.
func (o *Options) filterRows(ctx context.Context, c *subject.Case, choice Choice, shared *Shared,
	h study.How) (rows []Row, err error) {
	t := &target{Target: &laws.Target{}, on: c, shared: *shared, within: h.Time}
	_, t.LogZ = t.on.HMM().Forward()
	plans, err := choice.plans(ctx, t, o.Work, h.Workers)
	for i := 0; i < len(plans) && err == nil; i++ {
		var more []Row
		more, err = plans[i].settingRows(ctx, o, h)
		rows = append(rows, more...)
	}
	return rows, err
}

// emissions returns the number of emission probabilities that some work evaluates on a hidden
// Markov model, and 0 on another target.
func (t *target) emissions(w estimators.Work) float64 {
	h := t.on.HMM()
	if h == nil {
		return 0
	}
	return w.Evaluations * float64(len(h.Y))
}

// filter is a particle filter as an estimator.
type filter struct {
	run  *particle.SMC
	work estimators.Work
}

// Estimate implements estimators.Estimator.
func (f *filter) Estimate(c chains.Chooser) float64 {
	r := f.run.Run(c)
	if r.Output < 0 {
		return math.Inf(-1)
	}
	return -r.LogXi
}

// Work implements estimators.Estimator.
func (f *filter) Work() estimators.Work { return f.work }

// Combination implements estimators.Estimator.
func (f *filter) Combination() estimators.Combination { return estimators.ArithmeticMean }
