package evidence

import (
	"context"
	"slices"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/selector"
	"breadboard/exact/laws"
)

// Choice is an estimator as it is selected. Its family says how the estimator and its law are made on a target.
type Choice struct {
	Name   string // the selector in canonical form
	Legend string // what the figures of Grosse, Ghahramani and Adams 2015 call it
	family
}

// family is how an estimator and its law are made on a target. The estimators of a family differ in one whole number, the setting.
type family struct {
	fits      func(*target) error           // why a target has no such estimator; nil where every target has one
	smallest  int                           // the smallest setting that is taken from the work
	largest   int                           // the largest setting that there is; zero for estimators.MaxDraws
	fixed     func(*target) bool            // whether the smallest setting is the only one; nil where it never is
	byLaw     bool                          // the mean work is known from the law alone; else it is affine in the setting
	whole     bool                          // estimates hold the constant that centring takes out of log Z
	particles int                           // how many particles every estimate holds; zero where that comes from the work
	nested    bool                          // it is nested sampling
	pooled    bool                          // several estimates, combined, are one whose setting is that many times as large
	pace      float64                       // how long its law takes for each unit of work, beside that of hme:chain; zero for nearly nothing
	biased    bool                          // its estimates are combined as if they, or their reciprocals, were unbiased or bounds, and they are not
	settings  func(t *target, n int) string // what a row says of a setting, as "K=100"
	make      func(ctx context.Context, t *target, m finite, n int) (estimators.Estimator[chains.Chooser], error)
	law       func(ctx context.Context, t *target, n, workers int) (laws.Law, error)
}

// finite is a model on the states of a target, as Finite is.
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
	return selector.Set[selector.Nothing, Choice]{What: "estimator", Forms: []func() form{
		weightingForm, harmonicForm, annealedForm, reverseAnnealedForm, sequentialForm, reverseSequentialForm, chibForm, murraySalakhutdinovForm, nestedForm, meanFieldForm, variationalForm, bicForm,
	}}
}

// Parse returns the estimator of a selector. The error of an unknown one suggests the nearest and lists them all.
func Parse(text string) (Choice, error) { return Forms().Parse(text, selector.Nothing{}) }

// All is what is given for all estimators that a target has.
const All = "all"

// Standard returns the selectors that stand for All, in the order of the rows.
func Standard() []string {
	return []string{
		"lw", "hme", "hme:chain", "ais", "rais", "smc", "shme", "chib", "chib:chain", "cms", "cms:first", "ns", "mf", "mf:sym", "vb", "vb:sym", "bic",
	}
}

// parseAll returns the estimators of selectors, each once, and which of them are there because All names them.
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

// hasWord reads the arguments of a form that may have one word and no other, and reports whether it is there. The error for another one
// says what it is not, and what may stand in its place.
func hasWord(args selector.Args, word, not, instead string) (bool, error) {
	if args.Given && args.Text != word {
		return false, args.Errorf("%q is no %s; write %s, or leave it out%s", args.Text, not, word, instead)
	}
	return args.Given, nil
}
