package sbc

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/exact/kernel"
	"breadboard/exact/ranks"
	"breadboard/experiments/checks/planted"
	"breadboard/experiments/programs"
	"breadboard/experiments/subject"
	"breadboard/toys"
)

// Posterior is the target of a sampler: the posterior for one data set.
type Posterior struct {
	LogPrior, LogLikelihood []float64
	LogF                    []float64 // their sum
	P                       []float64 // normalised
}

// PosteriorOf returns the posterior; nil if the data have probability zero.
func PosteriorOf(logPrior, logLikelihood []float64) *Posterior {
	d := &Posterior{LogPrior: logPrior, LogLikelihood: logLikelihood, LogF: plus(logPrior, logLikelihood, 1)}
	d.P = Normalised(d.LogF)
	if d.P == nil {
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

// Normalised returns the probabilities proportional to exp(logf); nil if all are zero.
func Normalised(logf []float64) []float64 {
	_, top := number.Bounds(logf)
	if math.IsInf(top, 0) {
		return nil
	}
	p := make([]float64, len(logf))
	for x, v := range logf {
		p[x] = math.Exp(v - top)
	}
	total := number.Total(p)
	for x := range p {
		p[x] /= total // a large constant in log f costs no digits
	}
	return p
}

// asked is how draws are made of a chain.
type asked struct {
	toy        *toys.Toy
	start      string
	burn, thin int
	percent    func(n int)
}

// answers returns the distribution of the rank that is asked for.
type answers func(ctx context.Context, q ranks.Question, how asked) ([]float64, error)

// Sampler makes the draws among which the true state is ranked.
type Sampler interface {
	// answer returns what answers questions about the ranks among draws from a posterior.
	answer(ctx context.Context, d *Posterior) (answers, error)
}

// form is a sampler that is no kernel.
type form = selector.Form[*toys.Toy, Sampler]

// Forms are the forms of the samplers that are not kernels.
func Forms() selector.Set[*toys.Toy, Sampler] {
	return selector.NewSet("sampler",
		func() form {
			return form{
				Syntax:  "iid",
				Example: "iid",
				Doc:     "independent draws from the posterior",
				Parse:   simple(Independent{1}),
			}
		},
		func() form {
			return form{
				Syntax:  "prior",
				Example: "prior",
				Doc:     "independent draws from the prior: the data are ignored",
				Parse:   simple(Independent{0}),
			}
		},
		func() form {
			return form{
				Syntax: "power:B", Example: "power:0.9", Missing: "the power B",
				Doc: "independent draws from the prior times the likelihood to the power B",
				Parse: func(args selector.Args, _ *toys.Toy) (Sampler, error) {
					b, err := selector.ParseNumber(args.Text)
					if err == nil && !(b >= 0 && b <= 100) {
						err = errs.New("the power %v; give a number from 0 to 100", b)
					}
					return Independent{b}, args.Wrap(err)
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

func simple(s Sampler) func(selector.Args, *toys.Toy) (Sampler, error) {
	return func(selector.Args, *toys.Toy) (Sampler, error) { return s, nil }
}

// bugs lists the names of wrong kernels.
func bugs() (names []string) {
	for _, k := range planted.Proposing(nil) {
		names = append(names, k.Name)
	}
	return names
}

func parseBug(args selector.Args, toy *toys.Toy) (Sampler, error) {
	for _, k := range planted.Proposing(toy.Space) {
		if k.Name == args.Text {
			return Chain{k.Kernel}, nil
		}
	}
	return nil, args.Errorf("the wrong kernels are %s", strings.Join(bugs(), ", "))
}

// Known reports whether a selector begins with the name of a sampler.
func Known(text string) bool {
	return Forms().Listing.Named(text) || programs.Forms().Listing.Named(text)
}

// Parse returns the sampler of a selector: a form, or else a kernel.
func Parse(ctx context.Context, in subject.Reader, text string, toy *toys.Toy) (Sampler, error) {
	if forms := Forms(); forms.Listing.Named(text) {
		return forms.Parse(text, toy)
	}
	moves, err := in.ParseKernel(ctx, text, toy)
	switch {
	case err != nil && !Known(text):
		return nil, errs.New("%w; a sampler may also be %s", err, strings.Join(Forms().Listing.Syntaxes(), ", "))
	case err != nil:
		return nil, err
	}
	if moves.Kernel() == nil {
		return nil, errs.New("kernel %s has a matrix for each stage of an annealing; a sampler needs a single kernel",
			text)
	}
	return Chain{moves.Kernel()}, subject.CheckExact(moves)
}

// Independent makes independent draws from prior times likelihood^Power, normalised.
type Independent struct{ Power float64 }

// Law returns the distribution of a draw; nil if the likelihood to the power is zero everywhere.
func (s Independent) Law(d *Posterior) []float64 {
	return Normalised(plus(d.LogPrior, d.LogLikelihood, s.Power))
}

func (s Independent) answer(_ context.Context, d *Posterior) (answers, error) {
	law := s.Law(d)
	if law == nil {
		return nil, fmt.Errorf("likelihood^%v is zero at all states", s.Power)
	}
	return func(ctx context.Context, q ranks.Question, how asked) ([]float64, error) {
		defer how.percent(100)
		return ranks.Independent(ctx, q, law)
	}, nil
}

// Chain makes the draws of a Markov chain.
type Chain struct{ Kernel chains.Kernel }

func (s Chain) answer(ctx context.Context, d *Posterior) (answers, error) {
	rows, err := kernel.NewRows(ctx, s.Kernel, d.LogF)
	if err != nil {
		return nil, err
	}
	entries := Entries(rows)
	return func(ctx context.Context, q ranks.Question, how asked) ([]float64, error) {
		c := ranks.Chain{Rows: entries, Burn: how.burn, Thin: how.thin, Percent: how.percent}
		if how.start != Truth {
			c.Start, err = d.Start(how.toy, how.start)
			if err != nil {
				return nil, err
			}
		}
		return ranks.Dependent(ctx, q, c)
	}, nil
}

// Unchained returns the options that have no effect if no sampler is a chain.
func Unchained(cases []subject.Case) []string {
	if slices.ContainsFunc(cases, func(c subject.Case) bool { _, dependent := c.Algorithm.(Chain); return dependent }) {
		return nil
	}
	return []string{"thin", "warmup", "start"}
}

// Start returns the distribution of the start of chains, by its selector.
func (d *Posterior) Start(toy *toys.Toy, selector string) ([]float64, error) {
	return subject.LawForms().Parse(selector, subject.Ends{
		Toy:     toy,
		Initial: func() []float64 { return Normalised(d.LogPrior) },
		Target:  func() []float64 { return d.P },
	})
}

// Entries returns the entries of all rows, by state.
func Entries(rows *kernel.Rows) (list [][]chains.Entry) {
	for x := range rows.States() {
		list = append(list, rows.Row(x))
	}
	return list
}

// Samplers are the samplers of models that a flag names.
type Samplers struct {
	Selection
	Flag, Usage string
}
