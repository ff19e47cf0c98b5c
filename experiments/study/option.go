package study

import (
	"fmt"
	"slices"

	"breadboard/chains/selector"
	"breadboard/experiments"
)

// Option is something that a study lets its user choose, declared once: it is a flag of the command and, where Swept is set, a parameter of
// its sweeps.
type Option[O any] struct {
	Name, Letter string // of the flag, which has a letter where it is common
	Doc          string // what it is, in a few words, for help
	// Complete returns what may stand in place of a text that is being typed, as the forms of selectors do; nil where nothing is known.
	Complete func(typed string, beyond selector.Beyond) []selector.Completion
	// Value returns the value of the option in O, which reads and writes it as text.
	Value func(o *O) Value
	// Swept is the parameter of sweeps: one value of the option. It is nil for what sweeps leave as it is.
	Swept *experiments.Parameter
}

// Value is a value of an option. It is what the standard package flag calls one, with the name of its type for help.
type Value interface {
	String() string
	Set(text string) error
	Type() string
}

// set gives the options the values that parameters of a sweep have. An option whose parameter is not there stays as it is.
func (s *Study[On, O, R]) set(o *O, params experiments.Params) error {
	for i := range s.Options {
		p := &s.Options[i]
		if p.Swept == nil || !slices.ContainsFunc(params, func(have experiments.Param) bool { return have.Name == p.Swept.Name }) {
			continue
		}
		if err := setOne(p.Value(o), params.Get(p.Swept.Name)); err != nil {
			return fmt.Errorf("%s: %w", p.Swept.Name, err)
		}
	}
	return nil
}

// setOne gives an option the value of a parameter, which is one text also where it has a comma.
func setOne(v Value, text string) error {
	if list, is := v.(*texts); is {
		*list.to = []string{text}
		return nil
	}
	return v.Set(text)
}

// SeedOption returns the option of a seed of random numbers, which all studies call seed.
func SeedOption[O any](doc string, of func(o *O) *uint64, swept *experiments.Parameter) Option[O] {
	return Option[O]{Name: "seed", Doc: doc, Swept: swept, Value: func(o *O) Value { return Seed(of(o)) }}
}

// CountOption returns the option of a count, such as a number of chains. The plan refuses what is too small or too large for the study, and
// says why.
func CountOption[O any](name, doc string, of func(o *O) *int, swept *experiments.Parameter) Option[O] {
	return Option[O]{Name: name, Doc: doc, Swept: swept, Value: func(o *O) Value { return Whole(of(o), "N", 0, experiments.MaxNumber) }}
}

// Among completes a text by those of the choices that begin with it.
func Among(choices ...string) func(typed string, _ selector.Beyond) []selector.Completion {
	return func(typed string, _ selector.Beyond) []selector.Completion {
		return selector.Beginning(selector.Plain(choices), typed)
	}
}
