package evidence

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/particle"
	"breadboard/chains/selector"
	"breadboard/exact/laws"
	"breadboard/experiments"
	"breadboard/experiments/study"
	"breadboard/toys/networks"
)

// filterForm is the form of particle filters of hidden Markov models. Their setting is the number of particles, where none is named.
func filterForm() form {
	return form{
		Syntax: "pf[:P][:optimal]", Source: "Gordon, Salmond and Smith 1993; Doucet, Godsill and Andrieu 2000", Example: "pf",
		Doc: "particle filter of a hidden Markov model, with P particles and multinomial resampling: bootstrap, or with the optimal proposal",
		Parse: func(args selector.Args, _ selector.Nothing) (Choice, error) {
			number, word := args.Cut()
			proposal := particle.Prior
			switch {
			case word == particle.Optimal.String():
				proposal = particle.Optimal
			case number == particle.Optimal.String() && word == "":
				number, proposal = "", particle.Optimal
			case word != "":
				return Choice{}, args.Errorf("%q is no proposal; write optimal, or leave it out for the bootstrap filter", word)
			}
			c := filterChoice(proposal)
			if !args.Given || number == "" {
				return c, nil
			}
			particles, err := selector.ParseWhole(number, 1, maxParticles)
			if err != nil {
				return c, args.Errorf("the number of particles: %w", err)
			}
			return c.with(fmt.Sprintf("P=%d", particles))
		},
	}
}

// maxParticles is the largest number of particles. Long before it the numbers of particles in each state are too many to be followed.
const maxParticles = 10_000

// filterChoice returns the filter with a proposal.
func filterChoice(proposal particle.Proposal) Choice {
	name, legend := "pf", "particle filter"
	if proposal == particle.Optimal {
		name, legend = name+":"+proposal.String(), legend+", "+proposal.String()
	}
	return Choice{name, legend, family{
		proposal: proposal, filter: true,
		fits: isHMM, smallest: 1, largest: maxParticles, letter: "P", whole: true,
		settings: func(_ *target, n int) string { return fmt.Sprintf("P=%d", n) },
		make: func(_ context.Context, t *target, _ finite, n int) (estimator, error) {
			flow, err := particle.NewHidden(t.hmm(), proposal)
			if err != nil {
				return nil, err
			}
			run, err := particle.NewSMC(flow, n, particle.Multinomial{}, 1)
			return &filter{run, flow, laws.ParticlesWork(t.hmm(), proposal, n)}, err
		},
		law: func(ctx context.Context, t *target, n, _ int) (laws.Law, error) {
			return laws.NewParticles(ctx, t.hmm(), proposal, n)
		},
	}}
}

// isHMM returns why a target has no particle filter.
func isHMM(t *target) error {
	if t.hmm() == nil {
		return errors.New("it is for hidden Markov models, as hmm:weather, and the toy is none")
	}
	return fromPrior(t)
}

// filterRows returns the rows of a particle filter of a hidden Markov model whose paths are too many to be listed. The filter is not run.
func (o *Options) filterRows(ctx context.Context, c *experiments.Case, choice Choice, shared *Shared) (rows []Row, err error) {
	t := &target{Target: &laws.Target{}, on: c, shared: *shared}
	_, t.LogZ = t.hmm().Forward()
	one := *o
	one.Runs = 0
	each := total(laws.ParticlesWork(t.hmm(), choice.proposal, 1))
	settings := []int{choice.smallest}
	if !choice.given {
		settings = nil
		for _, w := range o.Work {
			settings = append(settings, int(min(max(1, w/each), maxParticles)))
		}
	}
	for _, n := range slices.Compact(settings) {
		p := plan{target: t, Choice: choice, setting: n, work: laws.ParticlesWork(t.hmm(), choice.proposal, n), combination: estimators.ArithmeticMean}
		more, err := p.rows(ctx, &one, study.How{})
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

// hmm returns the hidden Markov model that a target is, and nil if it is none.
func (t *target) hmm() *particle.HMM {
	if f := t.on.Factored(); f != nil {
		return f.Query.WholeHMM()
	}
	if m, is := t.on.Toy.Model.(*networks.Hidden); is {
		return m.HMM()
	}
	return nil
}

// filter is a particle filter as an estimator.
type filter struct {
	run  *particle.SMC
	flow *particle.Hidden
	work estimators.Work
}

// Estimate implements estimators.Estimator.
func (f *filter) Estimate(c chains.Chooser) float64 {
	r := f.run.Run(c)
	if r.Output < 0 {
		return math.Inf(-1)
	}
	return f.flow.LogTarget(r.Output) - r.LogXi
}

// Work implements estimators.Estimator.
func (f *filter) Work() estimators.Work { return f.work }

// Combination implements estimators.Estimator.
func (f *filter) Combination() estimators.Combination { return estimators.ArithmeticMean }
