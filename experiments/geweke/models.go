package geweke

import (
	"fmt"
	"strconv"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments/sandwich"
)

// Size is how large the data of a model are: N rows and D columns.
type Size struct{ Rows, Columns int }

// Validate returns an error where there are no data of the size, and nil where there are.
func (s Size) Validate() error {
	if s.Rows < 1 || s.Rows > sandwich.MaxRows || s.Columns < 1 || s.Columns > sandwich.MaxColumns {
		return chains.NewAdvice("{data-rows|rows} %d and {data-columns|columns} %d; data have 1 to %d rows and 1 to %d columns", s.Rows, s.Columns, sandwich.MaxRows, sandwich.MaxColumns)
	}
	return nil
}

// zeros returns a table that stands for data until some are drawn.
func (s Size) zeros() [][]float64 {
	y := make([][]float64, s.Rows)
	for i := range y {
		y[i] = make([]float64, s.Columns)
	}
	return y
}

// Model is a model of any size, with its simulator and its scan.
type Model struct {
	Name   string // the selector in canonical form
	tested tested
}

// modelForm is how a model of any size is selected.
type modelForm = selector.Form[Size, Model]

// Models are the forms of the models of any size that can be tested. A selector is parsed with the size of the data.
func Models() selector.Set[Size, Model] {
	return selector.Set[Size, Model]{What: "model", Forms: []func() modelForm{clusteringForm, lowRankForm, collapsedForm, binaryForm}}
}

// inferred is the argument of a model whose hyperparameters are unknown, and part of its state.
const inferred = "inferred"

// modelSource is where the models come from.
const modelSource = "Grosse, Ghahramani and Adams 2015, section 6"

// maker makes the test of a model with k components. The name is the selector, and the key what random numbers depend on.
type maker func(name, key string, s Size, k int) (tested, error)

// newModelForm returns the form of a model, which has so many components where nothing else is said.
func newModelForm(name, doc string, components int, known, unknown maker) modelForm {
	return modelForm{
		Syntax: name + "[:" + inferred + "][:K]", Doc: doc, Example: name + ":" + inferred + ":3", Source: modelSource,
		Parse: func(args selector.Args, s Size) (Model, error) {
			full, makes, rest, k := name, known, args.Text, components
			if first, after := args.Cut(); first == inferred {
				full, makes, rest = name+":"+inferred, unknown, after
			}
			if args.Given && args.Text != inferred {
				var err error
				if k, err = selector.ParseWhole(rest, 1, sandwich.MaxComponents); err != nil {
					return Model{}, args.Errorf("the number K of components: %w; write %s, %s:K or %s:%s:K", err, name, name, name, inferred)
				}
			}
			return makes.model(full, args, s, k, components)
		},
	}
}

// model makes the model of a selector without its number of components, of which there are usually so many.
func (m maker) model(name string, args selector.Args, s Size, k, usual int) (Model, error) {
	if k != usual {
		name += ":" + strconv.Itoa(k)
	}
	t, err := m(name, fmt.Sprintf("%s of %d by %d with K=%d", name, s.Rows, s.Columns, k), s, k)
	return Model{name, t}, args.Wrap(err)
}
