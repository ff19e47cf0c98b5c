package aide

import (
	"context"

	"breadboard/chains/particle"
	"breadboard/experiments"
)

// contender is one algorithm of a study.
type contender struct {
	algorithm  string
	particles  int
	rejuvenate bool
	// law returns what is known exactly; its side is nil where nothing is, and its notes then say why.
	law func(ctx context.Context, workers int) (*Law, error)
	// sampled returns the algorithm, for one goroutine.
	sampled func() (particle.Algorithm, error)
	// estimatesZ says whether xi is p~/Zhat with a Zhat by which the algorithm is judged.
	estimatesZ bool
}

// onCase returns an algorithm on an annealing as a contender.
func onCase(c *experiments.Case, choice Choice) contender {
	return contender{
		algorithm: string(choice.Kind), particles: max(choice.Particles, choice.Moves), estimatesZ: choice.Kind != MH,
		law:     func(ctx context.Context, workers int) (*Law, error) { return choice.Law(ctx, c, workers, nil) },
		sampled: func() (particle.Algorithm, error) { return choice.New(c) },
	}
}

// onProposal returns importance resampling as a contender.
func onProposal(name string, flow *particle.Proposed, particles int) contender {
	return contender{
		algorithm: name, particles: particles, estimatesZ: true,
		law: func(ctx context.Context, workers int) (*Law, error) {
			return Independent(ctx, flow, particles, workers)
		},
		sampled: func() (particle.Algorithm, error) { return particle.NewSMC(flow, particles, particle.Multinomial{}, 0) },
	}
}
