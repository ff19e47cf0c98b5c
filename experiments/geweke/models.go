package geweke

import (
	"fmt"

	"breadboard/chains"
	"breadboard/chains/selector"
)

// Size is how large a model is: N rows and D columns of data, and K components. A number that is 0 stands for that of the paper.
type Size struct{ N, D, K int }

// The bounds on sizes.
const (
	MaxRows       = 10_000
	MaxColumns    = 10_000
	MaxComponents = 1000
)

// Model is a model of any size with its simulator and its scan.
type Model struct {
	Name   string // the selector in canonical form
	Size   Size
	tested tested
}

// modelForm is how a model of any size is selected.
type modelForm = selector.Form[Size, Model]

// Models are the forms of the models of any size that the test is made of. A selector is parsed with the size that is asked for.
func Models() selector.Set[Size, Model] {
	return selector.Set[Size, Model]{What: "model", Forms: []func() modelForm{clusteringForm, lowRankForm}}
}

// inferred is the argument of a model whose hyperparameters are unknown, and part of its state.
const inferred = "inferred"

// maker makes the test of a model of some size, with data that are drawn. The name is the selector, and the key what random numbers depend on.
type maker func(name, key string, s Size) (tested, error)

// newModelForm returns the form of a model, which is as large as asked for, and else as in the paper.
func newModelForm(name, doc string, k int, fixed, unknown maker) modelForm {
	return modelForm{
		Syntax: name + "[:" + inferred + "]", Doc: doc, Example: name + ":" + inferred, Source: "Grosse, Ghahramani and Adams 2015, section 6",
		Parse: func(args selector.Args, s Size) (Model, error) {
			full, made := name, fixed
			if args.Given {
				full, made = name+":"+inferred, unknown
			}
			if args.Given && args.Text != inferred {
				return Model{}, args.Errorf("%q says nothing of hyperparameters; write %s where they are unknown, and %s where they are known", args.Text, full, name)
			}
			s, err := s.orPaper(k)
			if err != nil {
				return Model{}, args.Wrap(err)
			}
			t, err := made(full, fmt.Sprintf("%s N=%d D=%d K=%d", full, s.N, s.D, s.K), s)
			return Model{full, s, t}, args.Wrap(err)
		},
	}
}

// orPaper returns the size with the numbers of the paper for those that are 0, of which K depends on the model.
func (s Size) orPaper(k int) (Size, error) {
	for _, n := range []struct {
		name              string
		given             *int
		standard, largest int
	}{{"N", &s.N, 50, MaxRows}, {"D", &s.D, 25, MaxColumns}, {"K", &s.K, k, MaxComponents}} {
		if *n.given < 0 || *n.given > n.largest {
			return s, chains.NewAdvice("{"+n.name+"} %d; give a whole number from 1 to %d", *n.given, n.largest)
		}
		if *n.given == 0 {
			*n.given = n.standard
		}
	}
	return s, nil
}

// zeros returns a table that stands for data until some are drawn.
func zeros(s Size) [][]float64 {
	y := make([][]float64, s.N)
	for i := range y {
		y[i] = make([]float64, s.D)
	}
	return y
}
