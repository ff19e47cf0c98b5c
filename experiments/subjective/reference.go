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
	"breadboard/toys/models"
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

// fitted is an axis of a space with a value: the text AXIS=VALUE.
type fitted struct {
	axis  string // its name, or its number from 0
	value float64
}

// parseFitted reads AXIS=VALUE.
func parseFitted(text string) (fitted, error) {
	axis, value, both := strings.Cut(text, "=")
	if axis = strings.TrimSpace(axis); !both || axis == "" {
		return fitted{}, errors.New("write the axis, = and its value, as in fitted:eta=0.25 or fitted:0=1")
	}
	v, err := selector.ParseNumber(strings.TrimSpace(value))
	if err != nil {
		return fitted{}, fmt.Errorf("the value of axis %s: %w", axis, err)
	}
	return fitted{axis, v}, nil
}

// String returns the canonical form of the text.
func (f fitted) String() string { return f.axis + "=" + strconv.FormatFloat(f.value, 'g', -1, 64) }

// find returns the number of the axis and the coordinate on it at which it has the value.
func (f fitted) find(axes []models.Axis, side func(axis int) int) (axis, coordinate int, err error) {
	names := make([]string, len(axes))
	for i, a := range axes {
		names[i] = a.Name
	}
	if axis = slices.Index(names, f.axis); axis < 0 {
		if axis, err = strconv.Atoi(f.axis); err != nil || axis < 0 || axis >= len(axes) {
			return 0, 0, fmt.Errorf("%w; or its number from 0 to %d", selector.UnknownError("axis", f.axis, names), len(axes)-1)
		}
	}
	nearest := 0
	for at := range side(axis) {
		v := axes[axis].At(at)
		if v == f.value {
			return axis, at, nil
		}
		if math.Abs(v-f.value) < math.Abs(axes[axis].At(nearest)-f.value) {
			nearest = at
		}
	}
	return 0, 0, fmt.Errorf("%v is no value of axis %s; the nearest is %v", f.value, names[axis], axes[axis].At(nearest))
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
	space := c.Toy.Lattice()
	if space == nil {
		return nil, fmt.Errorf("the space of toy %s, %v, has no axes; grids and models have", c.Toy.Name, c.Toy.Space)
	}
	axis, coordinate, err := f.find(models.AxesOf(c.Toy.Model, space), space.Side)
	if err != nil {
		return nil, err
	}
	a, _ := c.Annealing().Centred()
	r := make([]float64, a.States())
	a.LogF(r, a.Distributions())
	for x := range r {
		if space.Coord(x, axis) != coordinate {
			r[x] = math.Inf(-1)
		}
	}
	if math.IsInf(slices.Max(r), -1) {
		return nil, fmt.Errorf("the target is zero wherever %v, so that there is no posterior given that", f)
	}
	chains.Normalize(r)
	return r, nil
}
