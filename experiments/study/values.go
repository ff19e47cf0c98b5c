package study

import (
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

// list is a value of several parts, which replace those that it has at first.
type list[T comparable] struct {
	to    *[]T
	kind  string // for help
	parse func(text string) (T, error)
	write func(T) string
	given bool // whether the parts have been replaced
}

func (v *list[T]) Type() string { return v.kind }
func (v *list[T]) String() string {
	if v.to == nil {
		return ""
	}
	return strings.Join(v.GetSlice(), ",")
}

// GetSlice returns the parts as texts.
func (v *list[T]) GetSlice() []string {
	parts := make([]string, len(*v.to))
	for i, x := range *v.to {
		parts[i] = v.write(x)
	}
	return parts
}

func (v *list[T]) Set(text string) error {
	if !v.given {
		*v.to, v.given = nil, true
	}
	for part := range strings.SplitSeq(text, ",") {
		x, err := v.parse(strings.TrimSpace(part))
		if err != nil {
			return err
		}
		*v.to = append(*v.to, x)
	}
	return nil
}

// Repeated removes repeated parts from the list, and returns each of them once.
func (v *list[T]) Repeated() (again []string) {
	kept, repeated := Distinct(*v.to, func(x T) T { return x })
	*v.to = kept
	for _, x := range repeated {
		again = append(again, v.write(x))
	}
	return again
}

// Distinct returns the elements without repetitions, in the order of first occurrence, and those
// that occur more than once, each once. Elements with the same key count as equal.
func Distinct[E any, K comparable](list []E, key func(E) K) (kept, repeated []E) {
	seen := map[K]int{}
	for _, e := range list {
		k := key(e)
		seen[k]++
		switch seen[k] {
		case 1:
			kept = append(kept, e)
		case 2:
			repeated = append(repeated, e)
		}
	}
	return kept, repeated
}

// Wholes is a list of whole numbers from low to high, such as 1,10,1e4. Help shows the unit as the
// placeholder of the value.
func Wholes[I int | int64](to *[]I, unit string, low, high float64) Value {
	return &list[I]{
		to: to, kind: unit + ",...",
		parse: func(text string) (I, error) {
			n, err := selector.ParseWhole(text, low, high)
			return I(n), err
		},
		write: func(n I) string { return strconv.FormatInt(int64(n), 10) },
	}
}

// Numbers is a list of numbers.
func Numbers(to *[]float64) Value {
	return &list[float64]{
		to:    to,
		kind:  "X,...",
		parse: selector.ParseNumber,
		write: func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) },
	}
}

// single is a value of one part.
type single[T any] struct {
	to    *T
	kind  string
	parse func(text string) (T, error)
	write func(T) string
}

func (v *single[T]) Type() string { return v.kind }
func (v *single[T]) String() string {
	if v.to == nil {
		return ""
	}
	return v.write(*v.to)
}

func (v *single[T]) Set(text string) error {
	x, err := v.parse(text)
	if err == nil {
		*v.to = x
	}
	return err
}

// Whole is a whole number from low to high, which may be written as 1e6. Help shows the unit as the
// placeholder of the value.
func Whole[I int | int64](to *I, unit string, low, high float64) Value {
	return &single[I]{
		to: to, kind: unit,
		parse: func(text string) (I, error) {
			n, err := selector.ParseWhole(text, low, high)
			return I(n), err
		},
		write: func(n I) string { return strconv.FormatInt(int64(n), 10) },
	}
}

// Number is a number.
func Number(to *float64) Value {
	return &single[float64]{
		to:    to,
		kind:  "float",
		parse: selector.ParseNumber,
		write: func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) },
	}
}

// Bytes is a limit on the memory that the program may take, written as 1GB or 500MB.
type Bytes struct {
	*single[float64]
	Limit *float64
}

// Memory is a limit on memory.
func Memory(to *float64) Value {
	return Bytes{Limit: to, single: &single[float64]{to: to, kind: "BYTES", parse: selector.ParseBytes,
		write: func(n float64) string { return strconv.FormatFloat(n/1e9, 'g', -1, 64) + "GB" }}}
}

// Seconds is a time, written as 60s or 5m.
func Seconds(to *float64) Value {
	parse := func(text string) (float64, error) {
		d, err := time.ParseDuration(text)
		return d.Seconds(), err
	}
	return &single[float64]{
		to:    to,
		kind:  "duration",
		parse: parse,
		write: func(x float64) string { return time.Duration(math.Round(x * 1e9)).String() },
	}
}

// Text is any text.
func Text(to *string) Value {
	return &single[string]{
		to:    to,
		kind:  "string",
		parse: func(text string) (string, error) { return text, nil },
		write: func(text string) string { return text },
	}
}

// Named is a value of type T that parse reads from text, such as the name of a choice. Help shows
// the kind as the placeholder of the value.
func Named[T ~string](to *T, kind string, parse func(text string) (T, error)) Value {
	return &single[T]{to: to, kind: kind, parse: parse, write: func(name T) string { return string(name) }}
}

// Switch is true or false. As a flag without a value it is true.
func Switch(to *bool) Value {
	return &single[bool]{to: to, kind: "bool", parse: strconv.ParseBool, write: strconv.FormatBool}
}

// Seed is a seed of random numbers.
func Seed(to *uint64) Value {
	parse := func(text string) (uint64, error) {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("%s is not a whole number from 0 to 18446744073709551615", text)
		}
		return n, nil
	}
	return &single[uint64]{
		to:    to,
		kind:  "N",
		parse: parse,
		write: func(n uint64) string { return strconv.FormatUint(n, 10) },
	}
}

// Selector is one selector of the given forms.
func Selector(to *string, forms []string) Value { return &selectorValue{to: to, forms: forms} }

type selectorValue struct {
	to    *string
	forms []string
}

func (v *selectorValue) Type() string { return "string" }
func (v *selectorValue) String() string {
	if v.to == nil {
		return ""
	}
	return *v.to
}

// Set rejects a list of selectors with its own error, since that for a single selector would give
// no advice.
func (v *selectorValue) Set(s string) error {
	if strings.TrimSpace(s) == "" {
		return errs.New("it is empty; leave the flag out for its default")
	}
	parts := strings.Split(s, ",")
	unknown := func(part string) bool { return !selector.Named(strings.TrimSpace(part), v.forms) }
	if len(parts) > 1 && !slices.ContainsFunc(parts, unknown) {
		return errs.New("give one at a time; breadboard sweep compares several")
	}
	*v.to = s
	return nil
}

// Texts is a list of texts. A text with a comma is put in double quotes.
func Texts(to *[]string) Value { return &texts{to: to} }

// Selectors is a list of selectors, like Texts. A part that does not begin a selector, as named
// reports, belongs to the arguments before its comma: uniform,point:x0=3,x1=2 are two selectors.
func Selectors(to *[]string, named func(text string) bool) Value { return &texts{to: to, named: named} }

type texts struct {
	to    *[]string
	named func(text string) bool // nil if every comma is between two texts
	given bool                   // whether the texts have been replaced
}

func (v *texts) Type() string { return "stringSlice" }
func (v *texts) String() string {
	if v.to == nil || len(*v.to) == 0 {
		return ""
	}
	return "[" + strings.Join(*v.to, ",") + "]"
}

func (v *texts) Set(text string) error {
	if !v.given {
		*v.to, v.given = nil, true
	}
	if text == "" {
		return nil
	}
	parts, err := csv.NewReader(strings.NewReader(text)).Read()
	for i, part := range parts {
		if last := len(*v.to) - 1; i > 0 && v.named != nil && !v.named(part) &&
			strings.Contains((*v.to)[last], ":") {
			(*v.to)[last] += "," + part
		} else {
			*v.to = append(*v.to, part)
		}
	}
	return err
}

// GetSlice, Replace and Append implement pflag's list of texts.
func (v *texts) GetSlice() []string          { return *v.to }
func (v *texts) Replace(list []string) error { *v.to = list; return nil }
func (v *texts) Append(text string) error    { *v.to = append(*v.to, text); return nil }
