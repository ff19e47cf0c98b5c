package aide

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/particle"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/smc"
	algorithms "breadboard/experiments/particles/aide"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid"
	"breadboard/toys"
	"breadboard/toys/models"
)

// regressionSide is the number of values of the intercept and of the slope, from -1.5 to 1.5.
const regressionSide = 7

// regressionPoints are the points of the regression, with errors of variance one.
func regressionPoints() (xs, ys []float64) {
	return []float64{-1, 0, 1, 2, 3}, []float64{-0.9, 0.3, 0.2, 1.4, 1.3}
}

// regressionCase returns the posterior of a line through five points: its intercept b and its slope
// m are on a grid of 7 x 7, with a prior proportional to exp(-(b^2 + m^2)/2). The annealing starts
// from the prior and sees one more point per stage (path "data"); the kernel is metropolis. The
// likelihood of a point is exp(-r^2/2), without its constant.
func regressionCase() (*subject.Case, error) {
	space, err := grid.New(regressionSide, regressionSide)
	if err != nil {
		return nil, err
	}
	xs, ys := regressionPoints()
	stages := make([][]float64, len(xs)+1)
	for i := range stages {
		stages[i] = make([]float64, space.States())
		for x := range stages[i] {
			b := -1.5 + 0.5*float64(space.Coord(x, 0))
			m := -1.5 + 0.5*float64(space.Coord(x, 1))
			stages[i][x] = -(b*b + m*m) / 2
			for j := range i {
				r := ys[j] - b - m*xs[j]
				stages[i][x] -= r * r / 2
			}
		}
	}
	path, err := paths.NewStepwise("data", stages)
	if err != nil {
		return nil, err
	}
	a, err := chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: space}, len(stages))
	if err != nil {
		return nil, err
	}
	setting := subject.Setting{
		Path:     "data",
		Initial:  "prior",
		Schedule: "linear",
		Kernel:   "metropolis",
		T:        len(stages),
	}
	toy := &toys.Toy{Name: "regression", Space: space, G: stages[len(stages)-1]}
	return &subject.Case{Toy: toy, Algorithm: a, Params: setting.Params()}, nil
}

// regression is the study of a line through points. After figure 2 of Cusumano-Towner and
// Mansinghka 2017.
func regression(Data) (*Comparison, error) {
	c, err := regressionCase()
	if err != nil {
		return nil, err
	}
	s := &Comparison{study: "regression", p: normalised(c.Toy.G), own: string(algorithms.Exact)}
	for _, f := range []family{{algorithm: string(algorithms.SMC), counts: []int{1, 2, 3, 10, 100}},
		{algorithm: string(algorithms.MH), counts: []int{1, 10, 100}},
		{algorithm: string(algorithms.MeanField)}} {
		f.with = func(particles int) (contender, error) {
			name := f.algorithm
			if f.counts != nil {
				name = fmt.Sprintf("%s:%d", f.algorithm, particles)
			}
			choice, err := algorithms.Parse(name)
			return onCase(c, choice), err
		}
		s.all = append(s.all, f)
	}
	return s, nil
}

// normalised returns the probabilities whose logarithms are given up to a constant.
func normalised(logs []float64) []float64 {
	p := slices.Clone(logs)
	chains.Normalize(p)
	return p
}

// bimodalStates is the number of states of the study bimodal; the middle one belongs to the right
// mode.
const bimodalStates = 21

// bimodalTarget is log f: two modes of the same width and height.
func bimodalTarget(x float64) float64 {
	a, b := -(x-5)*(x-5)/4, -(x-15)*(x-15)/4
	return max(a, b) + math.Log1p(math.Exp(-math.Abs(a-b)))
}

// bimodalOffset is log f of the proposal that covers the left mode.
func bimodalOffset(x float64) float64 { return -(x - 5) * (x - 5) / 8 }

// bimodal is the study of importance resampling from a proposal that covers both modes (the uniform
// one), and from one that misses the right mode. After figure 3 of Cusumano-Towner and Mansinghka
// 2017: the error of log Zhat does not distinguish the two, but AIDE does.
func bimodal(Data) (*Comparison, error) {
	target := onGrid(bimodalTarget)
	s := &Comparison{
		study: "bimodal",
		p:     normalised(target),
		own:   string(algorithms.Exact),
		about: "the mass of the right mode, x >= 10",
	}
	s.probe = func(x int) float64 {
		if x >= bimodalStates/2 {
			return 1
		}
		return 0
	}
	for _, proposal := range []struct {
		name string
		logf func(float64) float64
	}{{"broad", func(float64) float64 { return 0 }}, {"offset", bimodalOffset}} {
		flow := particle.NewProposed(onGrid(proposal.logf), target)
		s.all = append(s.all, family{
			algorithm: proposal.name,
			counts:    []int{1, 10, 100, 1000},
			with: func(particles int) (contender, error) {
				return onProposal(proposal.name, flow, particles), nil
			},
		})
	}
	return s, nil
}

// onGrid returns log f of each state.
func onGrid(logf func(x float64) float64) []float64 {
	out := make([]float64, bimodalStates)
	for x := range out {
		out[x] = logf(float64(x))
	}
	return out
}

// onFilter returns a particle filter as a contender. If its distribution takes too long, it has
// none.
func onFilter(name string, flow particle.Filter, particles int) contender {
	return contender{
		algorithm: name, particles: particles, estimatesZ: true, types: flow.Types(2),
		law: func(ctx context.Context, h study.How) (*algorithms.Law, error) {
			l, err := smc.NewFilter(ctx, flow, particles, h.Workers)
			if err == nil {
				l.Progress = h.Progress
			}
			return filterLaw(ctx, l, string(smc.MethodCounts), err)
		},
		sampled: func() (particle.Algorithm, error) {
			return particle.NewSMC(flow, particles, particle.Multinomial{}, 1)
		},
	}
}

// hmm is the study of particle filters of a hidden Markov model, whose output is a whole path.
// After figure 4 of Cusumano-Towner and Mansinghka 2017.
func hmm(own Data) (*Comparison, error) {
	model := models.Weather()
	if own.HMM != "" {
		var err error
		model, err = models.NamedHMM(own.HMM)
		if err != nil {
			return nil, err
		}
	}
	s := &Comparison{study: "hmm", own: string(algorithms.Exact), kinds: len(model.Pi)}
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
		s.all = append(s.all, family{
			algorithm: proposal.String(),
			counts:    filterParticles(proposal),
			with: func(particles int) (contender, error) {
				return onFilter(proposal.String(), flow, particles), nil
			},
		})
	}
	return s, nil
}

// mixture is the study of particle filters of a Dirichlet-process mixture, whose output is a
// partition. After figure 5 of Cusumano-Towner and Mansinghka 2017: with a Gibbs scan over the
// points after each step (rejuvenation) few particles are enough.
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
	s := &Comparison{study: "mixture", own: string(algorithms.Exact), about: "the mean number of clusters"}
	if !counted {
		s.why = fmt.Sprintf("%d points; partitions are enumerated for at most %d points",
			len(model.Y), models.ExactPoints)
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
			s.all = append(s.all, family{
				algorithm:  proposal.String(),
				rejuvenate: rejuvenate,
				counts:     mixtureParticles(),
				with: func(particles int) (contender, error) {
					if rejuvenate {
						return onRejuvenated(proposal.String(), particle.NewRejuvenated(flow), particles), nil
					}
					return onFilter(proposal.String(), flow, particles), nil
				},
			})
		}
	}
	return s, nil
}

// mixtureParticles are the numbers of particles of the study of mixtures.
func mixtureParticles() []int { return []int{1, 2, 3, 10} }

// onDrawn returns the contenders for more points than have enumerated partitions; nothing about
// them is known exactly.
func onDrawn(model *particle.DPMM, proposal particle.Proposal, rejuvenate bool,
	outputs *particle.Outcomes) family {
	return family{
		algorithm:  proposal.String(),
		rejuvenate: rejuvenate,
		counts:     mixtureParticles(),
		with: func(particles int) (contender, error) {
			return contender{
				algorithm: proposal.String(), particles: particles, rejuvenate: rejuvenate, estimatesZ: true,
				law: func(context.Context, study.How) (*algorithms.Law, error) {
					return &algorithms.Law{Method: string(smc.MethodNone)}, nil
				},
				sampled: func() (particle.Algorithm, error) {
					return particle.NewDrawn(model, proposal, rejuvenate, particles, outputs)
				},
			}, nil
		},
	}
}

// bestFilter is the gold standard if the posterior has too many partitions to enumerate: a hundred
// particles with the optimal proposal and a Gibbs scan after each step, as in the study of galaxies
// of Cusumano-Towner and Mansinghka 2017 (supplement, section E).
const bestFilter = "optimal:100:" + withScans

// onRejuvenated returns a filter with Gibbs scans as a contender. With the scans particles leave
// the tree of their pasts, so that only one particle has an exact distribution.
func onRejuvenated(name string, flow *particle.Rejuvenated, particles int) contender {
	return contender{
		algorithm: name, particles: particles, rejuvenate: true, estimatesZ: true,
		law: func(ctx context.Context, h study.How) (*algorithms.Law, error) {
			if particles > 1 {
				return &algorithms.Law{
					Method: string(smc.MethodNone),
					Notes:  []string{"with rejuvenation only one particle has an exact method"},
				}, nil
			}
			l, err := smc.NewRejuvenated(ctx, flow, h.Workers)
			return filterLaw(ctx, l, "partitions", err)
		},
		sampled: func() (particle.Algorithm, error) {
			return particle.NewSMC(flow, particles, particle.Multinomial{}, 1)
		},
	}
}

// filterLaw returns what is known about a filter, and nothing if its distribution takes too long.
func filterLaw(ctx context.Context, l *smc.FilterLaw, method string, err error) (*algorithms.Law, error) {
	switch {
	case err == nil:
		return &algorithms.Law{Side: l, Method: method}, nil
	case ctx.Err() != nil:
		return nil, err
	}
	return &algorithms.Law{Method: string(smc.MethodNone), Notes: []string{err.Error()}}, nil
}

// filterParticles are the numbers of particles of the study of hidden Markov models. The optimal
// proposal has more types of particles, so that fewer particles are exact.
func filterParticles(p particle.Proposal) []int {
	if p == particle.Optimal {
		return []int{1, 2, 10}
	}
	return []int{1, 2, 10, 100}
}
