package aide

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/chains/selector"
	"breadboard/exact/smc"
	"breadboard/experiments/subject"
)

// Choice is an inference algorithm as selected; see New for its run on an annealing.
type Choice struct {
	Name      string // the selector in canonical form
	Kind      Kind
	Particles int             // of SMC and SIR
	Scheme    particle.Scheme // of SMC
	Threshold float64         // of SMC
	Moves     int             // of MH
}

// Kind is a kind of algorithm.
type Kind string

// The kinds of algorithms, by the names of their selectors.
const (
	Exact     Kind = "exact"
	ais       Kind = "ais"
	SMC       Kind = "smc"
	MH        Kind = "mh"
	sir       Kind = "sir"
	MeanField Kind = "meanfield"
)

// Limits of the numbers in selectors, so that their products fit an int.
const (
	maxParticles = smc.MaxParticles
	maxMoves     = 1_000_000_000
)

// choiceForm is how an algorithm is selected.
type choiceForm = selector.Form[selector.Nothing, Choice]

// Forms are the forms of the selectors that Parse reads, in the order in which they are listed.
func Forms() selector.Set[selector.Nothing, Choice] {
	return selector.NewSet("algorithm",
		exactForm, aisForm, smcForm, mhForm, sirForm, meanFieldForm,
	)
}

// Parse returns the algorithm of a selector: "exact", "ais", "smc:P[:SCHEME[:THRESHOLD]]", "mh:S",
// "sir:P" or "meanfield". The error of an unknown one suggests the nearest and lists them all.
func Parse(text string) (Choice, error) { return Forms().Parse(text, selector.Nothing{}) }

// plainForm is the form of an algorithm without arguments.
func plainForm(kind Kind, doc, source string) choiceForm {
	return choiceForm{
		Syntax: string(kind), Doc: doc, Source: source, Example: string(kind),
		Parse: func(selector.Args, selector.Nothing) (Choice, error) {
			return Choice{Name: string(kind), Kind: kind}, nil
		},
	}
}

func exactForm() choiceForm { return plainForm(Exact, "draws from the target itself", "") }

func aisForm() choiceForm {
	return plainForm(ais, "annealed importance sampling: one particle", "Neal 2001")
}

func meanFieldForm() choiceForm {
	return plainForm(MeanField, "mean field: a product over the axes, by coordinate ascent from uniform, axes in order",
		"Jordan et al. 1999")
}

func smcForm() choiceForm {
	return choiceForm{
		Syntax:  "smc:P[:SCHEME[:THRESHOLD]]",
		Source:  "Del Moral, Doucet and Jasra 2006",
		Example: "smc:10:systematic:0.5",
		Missing: "the number of particles",
		Doc:     "sequential Monte Carlo with P particles, resampled if their ESS is below THRESHOLD times P",
		Parse: func(args selector.Args, _ selector.Nothing) (Choice, error) {
			number, rest := args.Cut()
			c := Choice{Kind: SMC, Scheme: particle.Multinomial{}, Threshold: 1}
			var err error
			c.Particles, err = selector.ParseWhole(number, 1, maxParticles)
			if err != nil {
				return Choice{}, args.Errorf("the number of particles: %w", err)
			}
			scheme, threshold, given := strings.Cut(rest, ":")
			if strings.Contains(args.Text, ":") {
				c.Scheme, err = particle.ParseScheme(scheme)
				if err != nil {
					return Choice{}, args.Wrap(err)
				}
			}
			if given {
				c.Threshold, err = selector.ParseNumber(threshold)
				if err != nil || c.Threshold < 0 || c.Threshold > 1 {
					return Choice{}, args.Errorf(
						"the threshold is %q; write a number from 0 (never resample) to 1 (resample at every stage)",
						threshold,
					)
				}
			}
			c.Name = c.smcName()
			return c, nil
		},
	}
}

// smcName returns the shortest selector of SMC.
func (c *Choice) smcName() string {
	name := fmt.Sprintf("smc:%d", c.Particles)
	if c.Threshold != 1 {
		return name + ":" + c.Scheme.String() + ":" + strconv.FormatFloat(c.Threshold, 'g', -1, 64)
	}
	if c.Scheme != particle.Scheme(particle.Multinomial{}) {
		return name + ":" + c.Scheme.String()
	}
	return name
}

// countedForm returns the form of an algorithm with one number, that the form calls Missing.
func countedForm(kind Kind, form choiceForm, most float64, set func(*Choice, int)) choiceForm {
	form.Parse = func(args selector.Args, _ selector.Nothing) (Choice, error) {
		n, err := selector.ParseWhole(args.Text, 1, most)
		if err != nil {
			return Choice{}, args.Errorf("%s: %w", form.Missing, err)
		}
		c := Choice{Name: fmt.Sprintf("%s:%d", kind, n), Kind: kind}
		set(&c, n)
		return c, nil
	}
	return form
}

func mhForm() choiceForm {
	return countedForm(MH, choiceForm{
		Syntax:  "mh:S",
		Example: "mh:100",
		Missing: "the number of steps",
		Doc:     "S steps of the kernel under the target, from the initial distribution",
		Source:  "Metropolis et al. 1953; Hastings 1970",
	}, maxMoves, func(c *Choice, n int) { c.Moves = n })
}

func sirForm() choiceForm {
	return countedForm(sir, choiceForm{
		Syntax:  "sir:P",
		Example: "sir:100",
		Missing: "the number of particles",
		Doc:     "importance resampling: one of P draws from the initial distribution, by weight",
		Source:  "Rubin 1988",
	}, maxParticles, func(c *Choice, n int) { c.Particles = n })
}

// New returns the algorithm on an annealing, for runs one by one.
func (c Choice) New(on *subject.Case) (particle.Algorithm, error) {
	a := on.Annealing()
	switch c.Kind {
	case Exact:
		return particle.NewDensity(logF(a, a.Distributions())), nil
	case MeanField:
		logRatio, err := meanField(context.Background(), on)
		if err != nil {
			return nil, err
		}
		for x, l := range logF(a, a.Distributions()) {
			logRatio[x] += l
		}
		return particle.NewDensity(logRatio), nil
	case sir:
		return particle.NewSMC(particle.NewProposed(logF(a, 1), logF(a, a.Distributions())), c.Particles,
			particle.Multinomial{}, 0)
	case MH:
		reversal, err := a.ReversalAt(a.Distributions())
		if err != nil {
			return nil, err
		}
		flow := particle.NewMCMC(
			logF(a, 1),
			logF(a, a.Distributions()),
			a.KernelAt(a.Distributions()),
			reversal,
			c.Moves,
		)
		return particle.NewSMC(flow, 1, particle.Multinomial{}, 0)
	}
	flow, err := particle.NewAnnealed(a)
	if err != nil {
		return nil, err
	}
	if c.Kind == ais {
		return particle.NewSMC(flow, 1, particle.Multinomial{}, 0)
	}
	return particle.NewSMC(flow, c.Particles, c.Scheme, c.Threshold)
}

// logF returns log f_t on the centred path: a constant in log f shifts xi of every output equally,
// and would only cost digits.
func logF(a *chains.Annealing, t int) []float64 {
	out := make([]float64, a.States())
	centred, _ := a.Centred()
	centred.LogF(out, t)
	return out
}
