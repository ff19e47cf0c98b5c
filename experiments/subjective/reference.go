package subjective

import (
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/paths"
	"breadboard/chains/selector"
	"breadboard/exact/geometry"
	"breadboard/experiments"
	"breadboard/toys"
)

// ReferenceForms are the forms of the selectors that ParseReference reads, in the order in which they are listed.
func ReferenceForms() selector.Set[*experiments.Case, []float64] {
	return selector.Set[*experiments.Case, []float64]{What: "reference", Forms: []func() referenceForm{
		plainReference("uniform", "every state alike", uniformReference),
		plainReference("initial", "the first distribution", func(a *chains.Annealing) []float64 { return geometry.Distribution(a.Path(), 0) }),
		plainReference("target", "the last distribution", func(a *chains.Annealing) []float64 { return geometry.Distribution(a.Path(), 1) }),
		plainReference("mode", "the target's likeliest state", modeReference),
		pointReferenceForm,
		fittedReferenceForm,
		fileReferenceForm,
	}}
}

// referenceForm is how a reference is selected: the law, for a case, from which reverse chains start.
type referenceForm = selector.Form[*experiments.Case, []float64]

// ParseReference returns the law from which reverse chains start in place of the target: uniform, the initial
// distribution, the target itself, its likeliest state, one state by its number from 0 in row-major order (on a graph by
// its label), the target given the value of an axis, or one from a file that holds its logarithm up to a constant, as a target's file does.
func ParseReference(text string, c *experiments.Case) ([]float64, error) {
	forms := ReferenceForms()
	if strings.Contains(text, ":") && forms.Bare(text) {
		return nil, forms.Unknown(text)
	}
	return forms.Parse(text, c)
}

// plainReference returns the form of a reference that takes no arguments.
func plainReference(name, doc string, law func(a *chains.Annealing) []float64) func() referenceForm {
	form := referenceForm{
		Syntax: name, Doc: doc, Example: name,
		Parse: func(_ selector.Args, c *experiments.Case) ([]float64, error) { return law(c.Annealing()), nil },
	}
	return func() referenceForm { return form }
}

func uniformReference(a *chains.Annealing) []float64 {
	r := make([]float64, a.States())
	for x := range r {
		r[x] = 1 / float64(len(r))
	}
	return r
}

func modeReference(a *chains.Annealing) []float64 {
	p := geometry.Distribution(a.Path(), 1)
	return atState(slices.Index(p, slices.Max(p)), a)
}

// atState returns the law that has all its mass at one state.
func atState(x int, a *chains.Annealing) []float64 {
	r := make([]float64, a.States())
	r[x] = 1
	return r
}

func pointReferenceForm() referenceForm {
	return referenceForm{
		Syntax: "point:STATE", Doc: "one state, numbered from 0 in row-major order; on a graph its label", Example: "point:0",
		Parse: func(args selector.Args, c *experiments.Case) ([]float64, error) {
			x, found := c.Toy.FindState(args.Text)
			switch {
			case found:
				return atState(x, c.Annealing()), nil
			case c.Toy.ByLabel():
				return nil, args.Errorf("no state of %s has that label; breadboard toys show %s lists them", c.Toy.Space, c.Toy.Name)
			}
			return nil, args.Errorf("the states are numbered from 0 to %d", c.Annealing().States()-1)
		},
	}
}

func fileReferenceForm() referenceForm {
	return referenceForm{
		Syntax: "file:PATH", Doc: "log r in a file like a target's", Example: "file:reference.csv", File: selector.WholeArgument,
		Parse: func(args selector.Args, c *experiments.Case) ([]float64, error) {
			logf, err := referenceFile(args.Text, c.Toy)
			if err != nil {
				return nil, args.Wrap(err)
			}
			path, err := paths.NewGeometric(nil, logf)
			if err != nil {
				return nil, args.Wrap(err)
			}
			return geometry.Distribution(path, 1), nil
		},
	}
}

// referenceFile reads log f of a reference from a file: by label where the toy is on a graph, and otherwise in the format of
// a toy's file.
func referenceFile(path string, toy *toys.Toy) ([]float64, error) {
	if toy.ByLabel() {
		return toys.ReadOn(path, toy)
	}
	file, err := toys.Read(path)
	if err != nil {
		return nil, err
	}
	return file.G, nil
}
