package subject

import (
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/paths"
	"breadboard/chains/selector"
	"breadboard/exact/stages"
	"breadboard/toys"
)

// Ends has the distributions to which the selector of a distribution on the states of a toy may
// refer.
type Ends struct {
	Toy     *toys.Toy
	Initial func() []float64 // returns the distribution that annealing to the toy begins with
	Target  func() []float64 // returns the toy's distribution
}

// LawForms are the forms of selectors of a distribution on the states of a toy, in the order in
// which they are listed.
func LawForms() selector.Set[Ends, []float64] {
	return selector.NewSet("law",
		plainLaw("uniform", "the uniform distribution", uniformLaw),
		plainLaw("initial", "the first distribution", func(e Ends) []float64 { return e.Initial() }),
		plainLaw("target", "the last distribution", func(e Ends) []float64 { return e.Target() }),
		plainLaw("mode", "the target's likeliest state", modeLaw),
		pointLawForm,
		fileLawForm,
	)
}

// StartForms are LawForms for the distribution from which chains start.
func StartForms() selector.Set[Ends, []float64] {
	forms := LawForms()
	forms.Listing.What = "start"
	return forms
}

// Ends returns the first and the last distribution of the path of a case.
func (c *Case) Ends() Ends {
	at := func(beta float64) func() []float64 {
		return func() []float64 { return stages.Distribution(c.Annealing().Path(), beta) }
	}
	return Ends{Toy: c.Toy, Initial: at(0), Target: at(1)}
}

// lawForm is how a distribution on the states of a toy is selected.
type lawForm = selector.Form[Ends, []float64]

// ParseLaw returns the distribution of a selector, from a set made of LawForms: a probability for
// each state. A form without arguments is distinguished from an unknown name with arguments.
func ParseLaw[E any](forms selector.Set[E, []float64], text string, env E) ([]float64, error) {
	if strings.Contains(text, ":") && forms.Listing.Bare(text) {
		return nil, forms.Listing.Unknown(text)
	}
	return forms.Parse(text, env)
}

// plainLaw returns the form of a distribution that takes no arguments.
func plainLaw(name, doc string, law func(Ends) []float64) func() lawForm {
	form := lawForm{
		Syntax:  name,
		Doc:     doc,
		Example: name,
		Parse:   func(_ selector.Args, e Ends) ([]float64, error) { return law(e), nil },
	}
	return func() lawForm { return form }
}

func uniformLaw(e Ends) []float64 {
	r := make([]float64, e.Toy.Space.States())
	copy(r, e.Toy.Members)
	chains.Normalize(r)
	return r
}

func modeLaw(e Ends) []float64 {
	p := e.Target()
	if e.Toy.Members != nil { // a class may be likely because it has many members
		p = e.Toy.MemberG()
	}
	return atState(slices.Index(p, slices.Max(p)), e.Toy)
}

// atState returns the distribution that has all its mass at one state.
func atState(x int, toy *toys.Toy) []float64 {
	r := make([]float64, toy.Space.States())
	r[x] = 1
	return r
}

func pointLawForm() lawForm {
	return lawForm{
		Syntax:  "point:STATE",
		Doc:     "one state, by its number, the values of its axes or its label",
		Example: "point:0",
		Parse: func(args selector.Args, e Ends) ([]float64, error) {
			x, err := e.Toy.FindState(args.Text)
			if err == nil && e.Toy.Members != nil && e.Toy.Members[x] > 0 {
				err = NeedsStates(e.Toy, "a start at one of several states of a class")
			}
			if err != nil {
				return nil, args.Wrap(err)
			}
			return atState(x, e.Toy), nil
		},
	}
}

func fileLawForm() lawForm {
	return lawForm{
		Syntax:  "file:PATH",
		Doc:     "log r in a file, in the format of a target",
		Example: "file:reference.csv",
		File:    toys.PathFile,
		Parse: func(args selector.Args, e Ends) ([]float64, error) {
			logf, err := toys.ReadOn(args.Text, e.Toy)
			if err != nil {
				return nil, args.Wrap(err)
			}
			path, err := paths.NewGeometric(nil, logf)
			if err != nil {
				return nil, args.Wrap(err)
			}
			return stages.Distribution(path, 1), nil
		},
	}
}
