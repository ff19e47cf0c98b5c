package subject

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
)

// Parameter is a property in which cases of a study may differ: its name, values and meaning. The
// flags of commands, the parameters of a Case, the keys of a sweep's specification and the columns
// of tables all derive from the lists of parameters: Parameters and those of each Study.
type Parameter struct {
	Name string
	Doc  string // a description in a few words, for help
	// Defaults returns the default values, in canonical form. If there are several, a single case
	// has to name its value.
	Defaults func() []string
	// Number is the range of the values. It is nil if they are texts.
	Number *Range
	// Canonical returns the canonical form of a text, and an error if the text cannot be a value of
	// the parameter. It is nil for numbers, which have one form, and for selectors whose canonical
	// form is known only after a case has been built.
	Canonical func(text string) (string, error)

	of     func(Setting) string     // the value in the names of an annealing; nil for what is no part of them
	choose func(*Selection, string) // selects a value in canonical form; nil for the parameters of a study
}

// Range is the range of a parameter's numbers.
type Range struct {
	Low, High float64
	Real      bool // whether numbers need not be whole
}

// MaxDistributions is the largest T: at a fifth of a microsecond a step, an annealing of that many
// takes two days.
const MaxDistributions = 1e12

// MaxNumber is the largest whole number of a parameter: up to it every whole number is a float64,
// and so has a form like 1e6.
const MaxNumber = 1e15

// Parameters lists the common parameters of cases of annealing, in the order in which a sweep walks
// its grid: the last changes fastest.
func Parameters() []Parameter {
	return []Parameter{
		{
			Name:     "toy",
			Doc:      "the target",
			Defaults: PaperToys,
			choose:   func(s *Selection, v string) { s.Toys = []string{v} },
		},
		{
			Name: "path", Doc: "the path to the target", Defaults: Just("geometric"),
			of:     func(s Setting) string { return s.Path },
			choose: func(s *Selection, v string) { s.Path = v },
		},
		{
			Name:     "initial",
			Doc:      "where the path starts; by default prior for models",
			Defaults: Just(uniform),
			of: func(s Setting) string {
				if s.Initial == "" {
					return uniform
				}
				return s.Initial
			},
			choose: func(s *Selection, v string) { s.Initial = v },
		},
		{
			Name: "schedule", Doc: "how the distributions are placed on the path", Defaults: Just("linear"),
			of:     func(s Setting) string { return s.Schedule },
			choose: func(s *Selection, v string) { s.Schedule = v },
		},
		{
			Name: "kernel", Doc: "the Markov kernel", Defaults: Just("metropolis"),
			of:     func(s Setting) string { return s.Kernel },
			choose: func(s *Selection, v string) { s.Kernel = v },
		},
		{
			Name:     "T",
			Doc:      "the number of distributions, both ends included",
			Defaults: func() []string { return wholeTexts(PaperDistributions()) },
			Number:   &Range{Low: 2, High: MaxDistributions},
			of:       func(s Setting) string { return strconv.Itoa(s.T) },
			choose:   func(s *Selection, v string) { s.Distributions = []int{Params{{"T", v}}.Int("T")} },
		},
	}
}

// uniform is the initial distribution if none is named.
const (
	uniform = "uniform"
	prior   = "prior"
)

// Common returns the named ones of Parameters, in the order of Parameters. It panics for an unknown
// name.
func Common(names ...string) []Parameter {
	var out []Parameter
	for _, name := range names {
		p, known := FindParameter(Parameters(), name)
		if !known {
			panic("experiments: no parameter " + name)
		}
		out = append(out, p)
	}
	return out
}

// FindParameter returns the parameter with a name, and false if the list has none.
func FindParameter(list []Parameter, name string) (Parameter, bool) {
	for _, p := range list {
		if p.Name == name {
			return p, true
		}
	}
	return Parameter{}, false
}

// Names returns the names of parameters.
func Names(list []Parameter) []string {
	names := make([]string, len(list))
	for i, p := range list {
		names[i] = p.Name
	}
	return names
}

// Default returns the single default of a parameter of Parameters. It panics for a parameter with
// several, and for an unknown name.
func Default(name string) string {
	p := Common(name)[0]
	values := p.Defaults()
	if len(values) != 1 {
		panic("experiments: the parameter " + name + " has no single default")
	}
	return values[0]
}

// Just returns Defaults with these values.
func Just(values ...string) func() []string { return func() []string { return values } }

// WithDefaults returns the parameter with other defaults.
func (p Parameter) WithDefaults(values ...string) Parameter {
	p.Defaults = Just(values...)
	return p
}

// WithDefaults returns parameters of which the named ones have these defaults.
func WithDefaults(list []Parameter, standard map[string][]string) []Parameter {
	out := slices.Clone(list)
	for i, p := range out {
		if values, other := standard[p.Name]; other {
			out[i] = p.WithDefaults(values...)
		}
	}
	return out
}

// TakesNames reports whether a user may give the values of a parameter names, as in
// own=file:betas.csv.
func TakesNames(parameter string) bool {
	return slices.Contains([]string{"toy", "path", "initial", "schedule", "kernel", "policy"}, parameter)
}

// Built reports whether the canonical form of the parameter's values is known only after a case has
// been built.
func (p Parameter) Built() bool { return p.choose != nil }

// Text returns a number as a value of the parameter, in decimal digits. If the number is out of
// range the error names the parameter.
func (p Parameter) Text(v float64) (string, error) {
	r := *p.Number
	if !r.Real {
		r.High = min(r.High, math.MaxInt) // a machine with ints of 32 bits has none above 2^31 - 1
	}
	if !(v >= r.Low && v <= r.High) || !r.Real && v != math.Trunc(v) {
		return "", errs.New("%s is %v; it is %s", p.Name, v, r)
	}
	if r.Real {
		return strconv.FormatFloat(v+0, 'g', -1, 64), nil // + 0 makes 0 of -0
	}
	return strconv.FormatFloat(v, 'f', 0, 64), nil
}

// String describes the range, as in "a whole number from 2 to 1e12".
func (r Range) String() string {
	kind := "a whole number"
	if r.Real {
		kind = "a number"
	}
	limit := func(v float64) string {
		return strings.NewReplacer("e+0", "e", "e+", "e").Replace(fmt.Sprint(v))
	}
	return fmt.Sprintf("%s from %s to %s", kind, limit(r.Low), limit(r.High))
}

// wholeTexts returns whole numbers in decimal digits.
func wholeTexts(numbers []int) []string {
	out := make([]string, len(numbers))
	for i, n := range numbers {
		out[i] = strconv.Itoa(n)
	}
	return out
}

// Whole returns a parameter of a study whose values are whole numbers from low to high.
func Whole(name, doc string, low, high float64, defaults ...int) Parameter {
	return Parameter{
		Name:     name,
		Doc:      doc,
		Defaults: Just(wholeTexts(defaults)...),
		Number:   &Range{Low: low, High: high},
	}
}

// SelectionOf returns the selection of the one case with these parameters. Missing Parameters have
// their default, and T, which has several, is 2.
func (r Reader) SelectionOf(params Params) Selection {
	s := Selection{Reader: r}
	for _, p := range Parameters() {
		value := params.Get(p.Name)
		switch {
		case value != "":
		case p.Name == "T":
			value = "2"
		default:
			value = p.Defaults()[0]
		}
		p.choose(&s, value)
	}
	return s
}

// Param is a parameter of a case or of a study with its value, as text: a selector, or a number in
// decimal digits.
//
// A value that comes from Selection.Cases or from a sweep is in canonical form: .5 is written 0.5,
// sigmoid is sigmoid:4, via:FILE is via:0.5:FILE, and the paths of files stay as they were given.
// A name that the user gives stands in front, as in own=file:betas.csv (see selector.SplitName).
// One distribution may still have names of several families: q:0 and arithmetic, easy and
// random:2:0, tempered:0 and uniform are different values.
type Param struct{ Name, Value string }

// Params is a list of parameters, each of them once.
type Params []Param

// Get returns the value of a parameter, and "" for one that is not in the list.
func (p Params) Get(name string) string {
	for i := range p {
		if p[i].Name == name {
			return p[i].Value
		}
	}
	return ""
}

// With returns the list with another value of a parameter that is in it. The list itself stays as
// it is.
func (p Params) With(name, value string) Params {
	out := slices.Clone(p)
	for i := range out {
		if out[i].Name == name {
			out[i].Value = value
		}
	}
	return out
}

// Int returns a whole number. It panics if the parameter is not in the list or is no such number,
// which Parameter.Text has ruled out for the parameters of a sweep.
func (p Params) Int(name string) int {
	n, err := strconv.Atoi(p.Get(name))
	if err != nil {
		panic(fmt.Sprintf("experiments: the parameter %s: %v", name, err))
	}
	return n
}
