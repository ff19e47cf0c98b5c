package paths

import (
	"breadboard/chains"
	"breadboard/chains/selector"
)

// Tempered is the path f_b = f_0 L_b, where f_0 is the prior of a model and L_b is the likelihood
// with power b: each datum's density is raised to the power b, and then the continuous parameters
// are integrated out. It differs from Geometric, on which the likelihood is integrated first and
// then raised to the power. It is immutable.
//
// Source: Grosse, Ghahramani and Adams 2015, Eq. 8; this is the marginal distribution of the
// discrete variables.
type Tempered struct {
	initial    end
	likelihood Likelihood
	states     int
	zeros      bool
}

// Likelihood is the likelihood L_b of each state as a function of the power b, with L_0 = 1. It is
// finite and positive, and immutable.
type Likelihood interface {
	// LogL writes log L_b of each state to dst, in nats.
	LogL(dst []float64, at chains.Place)
	// LogRatio writes log L_to - log L_from of each state. The argument step is as for chains.Path.
	LogRatio(dst []float64, from, to chains.Place, step float64)
	// Slope writes the derivative of log L_b by b of each state.
	Slope(dst []float64, at chains.Place)
	// Centred returns the likelihood without a constant (per unit of b) that would cost digits, and
	// this constant.
	Centred() (Likelihood, float64)
}

// Temperable is a model that knows its likelihood as a function of the power. The likelihood is
// computed only for a path that needs it, since it takes time and memory.
type Temperable interface{ Tempered() Likelihood }

// TemperedBetween returns the tempered path between ends that have a model (see WithModel).
func TemperedBetween(ends *Ends) (*Tempered, error) {
	if ends.model == nil {
		return nil, errNoModel
	}
	return &Tempered{ends.initial, ends.model.Tempered(), ends.States(), ends.zeros}, nil
}

// States returns the number of states.
func (p *Tempered) States() int { return p.states }

// Zeros reports whether the prior is zero somewhere.
func (p *Tempered) Zeros() bool { return p.zeros }

// LogF writes log f_b of each state to dst.
func (p *Tempered) LogF(dst []float64, at chains.Place) {
	p.likelihood.LogL(dst, at)
	for x := range dst {
		dst[x] += p.initial.logF(x)
	}
}

// LogRatio writes log f_to - log f_from of each state to dst, to full relative accuracy of each of
// its terms.
func (p *Tempered) LogRatio(dst []float64, from, to chains.Place, step float64) {
	p.likelihood.LogRatio(dst, from, to, step)
}

// Slope writes the derivative of log f_b by b to dst.
func (p *Tempered) Slope(dst []float64, at chains.Place) { p.likelihood.Slope(dst, at) }

// Kinks returns none: the likelihood is smooth in b.
func (*Tempered) Kinks() []float64 { return nil }

// Centred returns the same path without the constant of the prior, which both ends share, and
// without the constant of the likelihood (see Likelihood.Centred). It also returns the latter, by
// which log f_1 - log f_0 has become smaller.
func (p *Tempered) Centred() (chains.Path, float64) {
	c := *p
	c.initial.constant = 0
	var constant float64
	c.likelihood, constant = p.likelihood.Centred()
	return &c, constant
}

// String returns the selector "tempered".
func (*Tempered) String() string { return "tempered" }

func temperedForm() pathForm {
	return pathForm{
		Syntax:  "tempered",
		Doc:     "a model's likelihood to the power b before it is integrated",
		Source:  "Grosse, Ghahramani and Adams 2015, Eq. 8",
		Example: "tempered",
		Parse: func(args selector.Args, between Env) (chains.Path, error) {
			p, err := TemperedBetween(between.Ends)
			return orNil(p, args.Wrap(err))
		},
	}
}
