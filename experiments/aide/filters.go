package aide

import (
	"context"
	"fmt"

	"breadboard/chains/particle"
	"breadboard/exact/smc"
	"breadboard/toys/models"
)

// onFilter returns a particle filter as a contender. Where its law takes too much, it has none.
func onFilter(name string, flow particle.Filter, particles int) contender {
	return contender{
		algorithm: name, particles: particles, estimatesZ: true,
		law: func(ctx context.Context, workers int) (*Law, error) {
			l, err := smc.NewFilter(ctx, flow, particles, workers)
			return filterLaw(ctx, l, MethodCounts, err)
		},
		sampled: func() (particle.Algorithm, error) { return particle.NewSMC(flow, particles, particle.Multinomial{}, 1) },
	}
}

// hmm is the study of particle filters of a hidden Markov model, whose output is a whole path. After figure 4 of the paper.
func hmm(own Data) (*Comparison, error) {
	model := models.Weather()
	if own.HMM != "" {
		var err error
		if model, err = models.ReadHMM(own.HMM); err != nil {
			return nil, err
		}
	}
	s := &Comparison{study: "hmm", own: string(Exact), kinds: len(model.Pi)}
	s.parts = func(x int) []int {
		path := make([]int, len(model.Y))
		for t := range path {
			path[t] = model.Step(x, t+1)
		}
		return path
	}
	for _, proposal := range []particle.Proposal{particle.Prior, particle.Optimal} {
		flow, err := particle.NewHidden(model, proposal)
		if err != nil {
			return nil, err
		}
		if s.p == nil {
			s.p = normalised(particle.LogTargets(flow))
		}
		s.all = append(s.all, family{algorithm: proposal.String(), counts: filterParticles(proposal), with: func(particles int) (contender, error) {
			return onFilter(proposal.String(), flow, particles), nil
		}})
	}
	return s, nil
}

// mixture is the study of particle filters of a Dirichlet-process mixture, whose output is a partition. After figure 5 of the paper:
// with a Gibbs scan over the points after each step (rejuvenation) few particles do well.
func mixture(own Data) (*Comparison, error) {
	model := models.FivePoints()
	if own.Points != "" {
		points, err := models.ReadPoints(own.Points, models.SampledPoints)
		if err != nil {
			return nil, err
		}
		model = models.Mixture(points)
	}
	counted := len(model.Y) <= models.ExactPoints
	s := &Comparison{study: "mixture", own: string(Exact), about: "the mean number of clusters"}
	if !counted {
		s.why = fmt.Sprintf("%d points; the partitions of at most %d are counted one by one", len(model.Y), models.ExactPoints)
		s.own = bestFilter
	}
	outputs := particle.NewOutcomes(len(model.Y))
	for _, rejuvenate := range []bool{false, true} {
		for _, proposal := range []particle.Proposal{particle.Prior, particle.Optimal} {
			if len(model.Y) > particle.MaxPoints {
				s.probe = func(x int) float64 { return float64(outputs.Clusters(x)) }
				s.all = append(s.all, onDrawn(model, proposal, rejuvenate, outputs))
				continue
			}
			flow, err := particle.NewMixture(model, proposal)
			if err != nil {
				return nil, err
			}
			if s.probe == nil {
				s.probe = func(x int) float64 { return float64(flow.Clusters(x)) }
			}
			if s.p == nil && counted {
				s.p = normalised(particle.LogTargets(flow))
			}
			s.all = append(s.all, family{algorithm: proposal.String(), rejuvenate: rejuvenate, counts: mixtureParticles(), with: func(particles int) (contender, error) {
				if rejuvenate {
					return onRejuvenated(proposal.String(), particle.NewRejuvenated(flow), particles), nil
				}
				return onFilter(proposal.String(), flow, particles), nil
			}})
		}
	}
	return s, nil
}

// mixtureParticles are the numbers of particles of the study of mixtures.
func mixtureParticles() []int { return []int{1, 2, 3, 10} }

// onDrawn returns the contenders on more points than have numbered partitions, of which nothing is known exactly.
func onDrawn(model *particle.DPMM, proposal particle.Proposal, rejuvenate bool, outputs *particle.Outcomes) family {
	return family{algorithm: proposal.String(), rejuvenate: rejuvenate, counts: mixtureParticles(), with: func(particles int) (contender, error) {
		return contender{
			algorithm: proposal.String(), particles: particles, rejuvenate: rejuvenate, estimatesZ: true,
			law: func(context.Context, int) (*Law, error) { return &Law{Method: MethodNone}, nil },
			sampled: func() (particle.Algorithm, error) {
				return particle.NewDrawn(model, proposal, rejuvenate, particles, outputs)
			},
		}, nil
	}}
}

// bestFilter is the gold standard where the posterior has too many partitions to be counted: a hundred particles with the
// optimal proposal and a Gibbs scan after each step, as in the paper's study of galaxies (supplement, section E).
const bestFilter = "optimal:100:" + withScans

// onRejuvenated returns a filter with Gibbs scans as a contender. With the scans particles no longer move within the tree of their
// pasts, so that only one particle has an exact law.
func onRejuvenated(name string, flow *particle.Rejuvenated, particles int) contender {
	return contender{
		algorithm: name, particles: particles, rejuvenate: true, estimatesZ: true,
		law: func(ctx context.Context, workers int) (*Law, error) {
			if particles > 1 {
				return &Law{Method: MethodNone, Notes: []string{"with rejuvenation only one particle has an exact route"}}, nil
			}
			l, err := smc.NewRejuvenated(ctx, flow, workers)
			return filterLaw(ctx, l, MethodTree, err)
		},
		sampled: func() (particle.Algorithm, error) { return particle.NewSMC(flow, particles, particle.Multinomial{}, 1) },
	}
}

// filterLaw returns what is known of a filter, nothing where its law takes too much.
func filterLaw(ctx context.Context, l *smc.FilterLaw, method string, err error) (*Law, error) {
	switch {
	case err == nil:
		return &Law{Side: l, Method: method}, nil
	case ctx.Err() != nil:
		return nil, err
	}
	return &Law{Method: MethodNone, Notes: []string{err.Error()}}, nil
}

// filterParticles are the numbers of particles of the study of hidden Markov models. The optimal proposal has more types of
// particles, so that fewer can be counted.
func filterParticles(p particle.Proposal) []int {
	if p == particle.Optimal {
		return []int{1, 2, 10}
	}
	return []int{1, 2, 10, 100}
}
