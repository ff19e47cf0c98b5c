package evidence

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/estimators"
	"breadboard/chains/selector"
	"breadboard/exact/laws"
	"breadboard/experiments/subject"
)

// Choice is an estimator as selected. Its family constructs the estimator and its distribution on a
// target.
type Choice struct {
	Name string // the selector in canonical form
	family
}

// family constructs an estimator and its distribution on a target. The estimators of a family
// differ in one whole number, the setting. These four fields are true for
//
//	pooled  lw, hme, chib
//	biased  hme:prior, chib:chain, cms:first, vb:sym, bic
//	byLaw   mf, vb, bic, and ns by moves (M)
//	whole   smc, shme, vb, bic
type family struct {
	fits     func(*target) error // why a target has no such estimator; nil if every target has one
	smallest int                 // the smallest setting that is chosen for a work
	largest  int                 // the largest setting; zero for estimators.MaxDraws
	// whether the smallest setting is the only one; nil if it never is
	fixed func(*target) bool
	// the mean work is known only from the distribution; otherwise it is affine in the setting
	byLaw  bool
	whole  bool   // estimates include the constant that centring removes from log Z
	letter string // the name of the setting, as K; empty if it cannot be chosen
	// the setting is chosen by the user and is part of the name; smallest holds it
	given bool
	base  string // the name without a chosen setting
	// the number of particles of every estimate; zero if it depends on the work
	particles int
	filter    bool // it is a particle filter
	// several combined estimates equal one with that many times the setting
	pooled bool
	// the time of its distribution per unit of work, relative to hme:chain; zero for nearly nothing
	pace float64
	// its estimates are combined as if they, or their reciprocals, were unbiased or bounds,
	// although they are not
	biased bool
	// Z-hat is unbiased, although estimates are combined by the mean of their logs
	unbiased bool
	settings func(t *target, n int) string // the setting as a row shows it, as "K=100"
	make     func(ctx context.Context, t *target, m finite, n int) (estimator, error)
	law      func(ctx context.Context, t *target, n, workers int) (laws.Law, error)
}

// estimator makes an estimate of log Z from the choices of a Chooser.
type estimator = estimators.Estimator[chains.Chooser]

// finite is a model on the states of a target, like Finite.
type finite interface {
	estimators.Transitional[chains.Chooser, int]
	estimators.Levelled[chains.Chooser, int]
	Likeliest() int
	LogPosterior(x int) float64
}

// form is how an estimator is selected.
type form = selector.Form[selector.Nothing, Choice]

// Forms are the forms of the selectors that Parse reads, in the order in which they are listed.
func Forms() selector.Set[selector.Nothing, Choice] {
	return selector.NewSet("estimator",
		weightingForm, harmonicForm, annealedForm, reverseAnnealedForm, sequentialForm, reverseSequentialForm,
		filterForm, chibForm,
		murraySalakhutdinovForm, nestedForm, meanFieldForm, variationalForm, bicForm,
	)
}

// Parse returns the estimator of a selector, which may end in a chosen setting, such as cms:K=10.
// The error for an unknown one suggests the nearest and lists them all.
func Parse(text string) (Choice, error) {
	at := strings.LastIndexByte(text, ':')
	if !strings.Contains(text[at+1:], "=") || at < 0 {
		return Forms().Parse(text, selector.Nothing{})
	}
	c, err := Forms().Parse(text[:at], selector.Nothing{})
	if err != nil {
		return c, err
	}
	c, err = c.with(text[at+1:])
	if err != nil {
		return c, fmt.Errorf("estimator %q: %w", text, err)
	}
	return c, nil
}

// with returns the estimator with a chosen setting, such as K=10.
func (c Choice) with(setting string) (Choice, error) {
	name, number, _ := strings.Cut(setting, "=")
	switch {
	case c.letter == "":
		return c, errs.New("%s has no setting to choose; leave %s out", c.Name, setting)
	case name != c.letter:
		return c, errs.New("the setting of %s is %s, not %s; write %s:%s=%s", c.Name, c.letter, name,
			c.Name, c.letter, number)
	}
	n, err := selector.ParseWhole(number, float64(c.smallest), float64(cmp.Or(c.largest, estimators.MaxDraws)))
	if err != nil {
		return c, fmt.Errorf("%s: %w", c.letter, err)
	}
	fits := c.fits
	fixed := c.fixed
	c.fits = func(t *target) error {
		if fixed != nil && fixed(t) {
			return errs.New("{schedule} %s has its own number of distributions; leave %s out",
				t.on.Param("schedule"), setting)
		}
		if fits == nil {
			return nil
		}
		return fits(t)
	}
	c.base = c.Name
	c.given = true
	c.smallest = n
	c.fixed = func(*target) bool { return true }
	c.Name += fmt.Sprintf(":%s=%d", c.letter, n)
	return c, nil
}

// All selects all estimators that fit a target.
const All = "all"

// Standard returns the selectors that All means, in the order of the rows.
func Standard() []string {
	return []string{
		"lw", "hme", "hme:chain", "ais", "rais", "smc", "shme", "pf", "chib", "chib:chain", "cms",
		"cms:first", "ns", "mf", "mf:sym", "vb", "vb:sym", "bic",
	}
}

// parsed returns the options with those estimators that can be read, and why the others cannot; or
// with all of them if none can.
func (o *Options) parsed() (*Options, subject.Failures) {
	kept := *o
	failed := subject.Failures(nil)
	kept.Estimators = slices.DeleteFunc(slices.Clone(o.Estimators), func(text string) bool {
		_, _, err := parseAll([]string{text})
		if err != nil {
			failed.Add(subject.NewFailure(subject.Params{{Name: "estimator", Value: text}}, err))
		}
		return err != nil
	})
	if len(kept.Estimators) == 0 {
		return o, nil
	}
	return &kept, failed
}

// parseAll returns the estimators of selectors, each once, and those among them that All names.
func parseAll(selectors []string) (choices []Choice, byAll []bool, err error) {
	list := slices.DeleteFunc(slices.Clone(selectors), func(text string) bool { return text == All })
	named := len(list)
	if named < len(selectors) {
		list = append(list, Standard()...)
	}
	for i, text := range list {
		c, err := Parse(text)
		if err != nil {
			return nil, nil, err
		}
		if !slices.ContainsFunc(choices, func(d Choice) bool { return d.Name == c.Name }) {
			choices, byAll = append(choices, c), append(byAll, i >= named)
		}
	}
	return choices, byAll, nil
}

// hasWord reports whether the arguments of a form are one given word. The error for another word
// names what it should be, and the alternatives.
func hasWord(args selector.Args, word, not, instead string) (bool, error) {
	if args.Given && args.Text != word {
		return false, args.Errorf("%q is not a %s; write %s, or leave it out%s", args.Text, not, word, instead)
	}
	return args.Given, nil
}
