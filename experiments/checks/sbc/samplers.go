package sbc

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/exact/kernel"
	"breadboard/exact/ranks"
	"breadboard/experiments"
	"breadboard/experiments/checks/external"
	"breadboard/experiments/checks/planted"
	"breadboard/toys"
)

// posterior is what a sampler is asked to draw from: that of one set of data.
type posterior struct {
	logPrior, logLikelihood []float64
	logf                    []float64 // their sum
	p                       []float64 // normalised
}

// posteriorOf returns the posterior; nil if the data have the probability zero.
func posteriorOf(logPrior, logLikelihood []float64) *posterior {
	d := &posterior{logPrior: logPrior, logLikelihood: logLikelihood, logf: plus(logPrior, logLikelihood, 1)}
	if d.p = normalised(d.logf); d.p == nil {
		return nil
	}
	return d
}

// plus returns a + c b, where zero times an infinite number is zero.
func plus(a, b []float64, c float64) []float64 {
	out := slices.Clone(a)
	for x, v := range b {
		if c != 0 {
			out[x] += c * v
		}
	}
	return out
}

// normalised returns the probabilities that are in proportion to exp(logf); nil if all are zero.
func normalised(logf []float64) []float64 {
	total := number.LogSumExp(logf)
	if math.IsInf(total, -1) {
		return nil
	}
	p := make([]float64, len(logf))
	for x, v := range logf {
		p[x] = math.Exp(v - total)
	}
	return p
}

// asked is how draws are made of a chain.
type asked struct {
	toy        *toys.Toy
	start      string
	burn, thin int
}

// answers returns the distribution of the rank that is asked for.
type answers func(ctx context.Context, q ranks.Question, how asked) ([]float64, error)

// sampler makes draws that a rank is among.
type sampler interface {
	// at returns what answers questions about the ranks among draws from a posterior.
	at(ctx context.Context, d *posterior) (answers, error)
}

// form is a sampler that is no kernel.
type form = selector.Form[*toys.Toy, sampler]

// Forms are the forms of the samplers that are no kernels.
func Forms() selector.Set[*toys.Toy, sampler] {
	return selector.NewSet("sampler",
		func() form {
			return form{Syntax: "iid", Example: "iid", Doc: "independent draws from the posterior", Parse: simple(independent{1})}
		},
		func() form {
			return form{Syntax: "prior", Example: "prior", Doc: "independent draws from the prior: the data are ignored", Parse: simple(independent{0})}
		},
		func() form {
			return form{
				Syntax: "power:B", Example: "power:0.9", Missing: "the power B",
				Doc: "independent draws from the prior times the likelihood to the power B",
				Parse: func(args selector.Args, _ *toys.Toy) (sampler, error) {
					b, err := selector.ParseNumber(args.Text)
					if err == nil && !(b >= 0 && b <= 100) {
						err = fmt.Errorf("the power %v; give a number from 0 to 100", b)
					}
					return independent{b}, args.Wrap(err)
				},
			}
		},
		func() form {
			return form{
				Syntax: "bug:NAME", Example: "bug:redraw", Missing: "the name of a wrong kernel",
				Doc:   "a chain with a wrong kernel: " + strings.Join(bugs(), ", "),
				Parse: parseBug,
			}
		},
	)
}

func simple(s sampler) func(selector.Args, *toys.Toy) (sampler, error) {
	return func(selector.Args, *toys.Toy) (sampler, error) { return s, nil }
}

// bugs lists the names of wrong kernels.
func bugs() (names []string) {
	for _, k := range planted.Proposing(nil) {
		names = append(names, k.Name)
	}
	return names
}

func parseBug(args selector.Args, toy *toys.Toy) (sampler, error) {
	for _, k := range planted.Proposing(toy.Space) {
		if k.Name == args.Text {
			return chain{k.Kernel}, nil
		}
	}
	return nil, args.Errorf("the wrong kernels are %s", strings.Join(bugs(), ", "))
}

// Known reports whether a selector begins like that of a sampler.
func Known(text string) bool {
	return Forms().Listing.Named(text) || external.Forms().Listing.Named(text)
}

// parse returns the sampler of a selector: a form, or else a kernel.
func parse(ctx context.Context, text string, toy *toys.Toy) (sampler, error) {
	if forms := Forms(); forms.Listing.Named(text) {
		return forms.Parse(text, toy)
	}
	moves, err := experiments.ParseKernel(ctx, text, toy.Space, nil)
	if err != nil {
		return nil, err
	}
	if moves.Kernel() == nil {
		return nil, fmt.Errorf("kernel %s has a matrix for each stage of an annealing; a sampler needs a single kernel", text)
	}
	return chain{moves.Kernel()}, experiments.CheckExact(moves)
}

// independent makes independent draws in proportion to prior times likelihood^power.
type independent struct{ power float64 }

func (s independent) at(_ context.Context, d *posterior) (answers, error) {
	law := normalised(plus(d.logPrior, d.logLikelihood, s.power))
	if law == nil {
		return nil, fmt.Errorf("likelihood^%v is zero at all states", s.power)
	}
	return func(_ context.Context, q ranks.Question, _ asked) ([]float64, error) {
		return ranks.Independent(q, law)
	}, nil
}

// chain makes the draws of a Markov chain.
type chain struct{ kernel chains.Kernel }

func (s chain) at(ctx context.Context, d *posterior) (answers, error) {
	rows, err := kernel.NewRows(ctx, s.kernel, d.logf)
	if err != nil {
		return nil, err
	}
	prior := normalised(d.logPrior)
	return func(ctx context.Context, q ranks.Question, how asked) ([]float64, error) {
		c := ranks.Chain{Burn: how.burn, Thin: how.thin, Push: rows.Push}
		if how.start != truth {
			ends := experiments.Ends{Toy: how.toy, Initial: func() []float64 { return prior }, Target: func() []float64 { return d.p }}
			if c.Start, err = experiments.LawForms().Parse(how.start, ends); err != nil {
				return nil, err
			}
		}
		return ranks.Dependent(ctx, q, c)
	}, nil
}
