package geweke

import (
	"breadboard/chains/selector"
	"breadboard/experiments/sandwich"
	"breadboard/toys/latent"
)

// collapsedForm is the model of low rank of package latent whose factor U is integrated out. Its hyperparameters are known.
func collapsedForm() modelForm {
	const name, usual = "collapsed", 5
	return modelForm{
		Syntax: name + "[:K]", Doc: "the product of two matrices, of which U is integrated out, and noise", Example: name + ":3", Source: modelSource,
		Parse: func(args selector.Args, s Size) (Model, error) {
			k := usual
			if args.Given {
				var err error
				if k, err = selector.ParseWhole(args.Text, 1, sandwich.MaxComponents); err != nil {
					return Model{}, args.Errorf("the number K of components: %w", err)
				}
			}
			return maker(newCollapsedSampler).model(name, args, s, k, usual)
		},
	}
}

// newCollapsedSampler returns the sampler of a model of low rank without U.
func newCollapsedSampler(name, key string, size Size, k int) (tested, error) {
	m, err := latent.NewCollapsedLowRank(size.zeros(), k, latent.DefaultLowRankHyper())
	if err != nil {
		return nil, err
	}
	s := newSampler(name, key, m)
	s.features = []feature[*latent.CollapsedLowRankState]{
		{"squares_of_v", "sum of the squares of V", func(s *latent.CollapsedLowRankState) float64 { return sumOfSquares(s.V) }},
	}
	half := size.Columns / 2
	s.cuts = []cut[*latent.CollapsedLowRankState]{{"reversal", "reversal: first columns, last columns", func(to, from *latent.CollapsedLowRankState) {
		for i, row := range from.V {
			copy(to.V[i][:half], row)
		}
	}}}
	return s, nil
}
