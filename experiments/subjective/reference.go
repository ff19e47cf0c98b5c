package subjective

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/exact/stages"
	"breadboard/experiments"
)

// ReferenceForms are the forms of the selectors that ParseReference reads, in the order in which they are listed.
func ReferenceForms() selector.Set[*experiments.Case, []float64] {
	laws := experiments.LawForms()
	laws.What = "reference"
	return selector.AdaptSet(laws, ends, selector.Same).Insert("file", fittedReferenceForm)
}

// ends returns what the selector of a law may refer to in a case.
func ends(c *experiments.Case) experiments.Ends {
	at := func(beta float64) func() []float64 {
		return func() []float64 { return stages.Distribution(c.Annealing().Path(), beta) }
	}
	return experiments.Ends{Toy: c.Toy, Initial: at(0), Target: at(1)}
}

// referenceForm is how a reference is selected: the law, for a case, from which reverse chains start.
type referenceForm = selector.Form[*experiments.Case, []float64]

// ParseReference returns the law from which reverse chains start in place of the target: uniform, the initial
// distribution, the target itself, its likeliest state, one state by its number from 0 in row-major order (on a graph by
// its label), the target given the value of an axis, or one from a file that holds its logarithm up to a constant, as a target's file does.
func ParseReference(text string, c *experiments.Case) ([]float64, error) {
	return experiments.ParseLaw(ReferenceForms(), text, c)
}

// fittedReferenceForm is how the posterior given a fitted hyperparameter is selected.
//
// Source: Grosse, Ancha and Roy 2016, section 3.2.
func fittedReferenceForm() referenceForm {
	return referenceForm{
		Syntax: "fitted:AXIS=VALUE", Doc: "the target given the value of an axis, such as a fitted hyperparameter", Example: "fitted:0=1",
		Missing: "an axis and its value",
		Parse: func(args selector.Args, c *experiments.Case) ([]float64, error) {
			r, err := fittedReference(args.Text, c)
			if err != nil {
				return nil, args.Wrap(err)
			}
			return r, nil
		},
	}
}

// fitted is an axis of a space with a value: the text AXIS=VALUE. The axis is a name, or a number from 0.
type fitted string

// parseFitted reads AXIS=VALUE, whose value is written in the shortest form where it is a number. Which axes and values there are is known with
// the case.
func parseFitted(text string) (fitted, error) {
	axis, value, both := strings.Cut(text, "=")
	if axis, value = strings.TrimSpace(axis), strings.TrimSpace(value); !both || axis == "" || value == "" {
		return "", errors.New("write the axis, = and its value, as in fitted:eta=0.25 or fitted:0=1")
	}
	if v, err := selector.ParseNumber(value); err == nil {
		value = strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fitted(axis + "=" + value), nil
}

// fittedReference returns the target of a case given the value of an axis, from the text AXIS=VALUE.
func fittedReference(text string, c *experiments.Case) ([]float64, error) {
	f, err := parseFitted(text)
	if err != nil {
		return nil, err
	}
	if err := experiments.NeedsStates(c.Toy, "a fitted reference"); err != nil {
		return nil, err
	}
	axis, coordinate, err := c.Toy.Assignment(string(f))
	if err != nil {
		return nil, err
	}
	space := c.Toy.Lattice()
	a, _ := c.Annealing().Centred()
	r := make([]float64, a.States())
	a.LogF(r, a.Distributions())
	for x := range r {
		if space.Coord(x, axis) != coordinate {
			r[x] = math.Inf(-1)
		}
	}
	if math.IsInf(slices.Max(r), -1) {
		return nil, fmt.Errorf("the target is zero wherever %s, so that there is no posterior given that", f)
	}
	chains.Normalize(r)
	return r, nil
}
