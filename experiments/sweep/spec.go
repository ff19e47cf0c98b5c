package sweep

import (
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"breadboard/chains/selector"
)

// maxSpec bounds the size of a specification, maxSelector that of a selector in bytes, and maxLength its T: at a
// fifth of a microsecond a step, two days.
const (
	maxSpec     = 4 << 20
	maxSelector = 1000
	maxLength   = 1e12
)

// Spec is a sweep as it is written down. Its parameters have known names and the right types; whether the
// selectors are any good is for Sweep to find out.
type Spec struct {
	name  string
	grid  *block // nil where there is none
	cases []block
}

// block holds the values of [grid] or of one [[case]], by parameter.
type block struct {
	place  string
	values map[string][]value
}

// value is one selector, or a number in decimal digits, with the place where it stands.
type value struct{ text, place string }

// Read reads a specification from a TOML file.
func Read(path string) (*Spec, error) {
	text, err := selector.ReadFile(path, maxSpec)
	if err != nil {
		return nil, fmt.Errorf("sweep: %w", err)
	}
	return Parse(path, text)
}

// Parse reads a specification:
//
//	[grid]                 # every combination
//	toy = ["barrier", "random:2:0"]
//	T = [10, 100, 1000]
//	[[case]]               # one cell beside the grid
//	toy = "hard"
//	T = 100000
//
// The keys are Parameters; what is left out has the default of the command line. Errors name the line.
func Parse(name string, text []byte) (*Spec, error) {
	var document map[string]any
	if err := toml.Unmarshal(text, &document); err != nil {
		if at, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, column := at.Position()
			return nil, fmt.Errorf("%s, line %d, column %d: %s", name, line, column, strings.TrimPrefix(at.Error(), "toml: "))
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p := parser{name, linesOf(text)}
	return p.spec(document)
}

// parser turns what the TOML library returns into a Spec.
type parser struct {
	name  string
	lines map[string]int // of each key, as in "grid.toy.0"
}

func (p parser) place(path string) string {
	if n, ok := p.lines[path]; ok {
		return fmt.Sprintf("%s, line %d", p.name, n)
	}
	return p.name
}

func (p parser) spec(document map[string]any) (*Spec, error) {
	s := &Spec{name: p.name}
	for _, key := range slices.Sorted(maps.Keys(document)) {
		switch v := document[key].(type) {
		case map[string]any:
			if key != "grid" {
				return nil, p.unknown(key, key)
			}
			b, err := p.block(key, v)
			if err != nil {
				return nil, err
			}
			s.grid = b
		case []any:
			if key != "case" {
				return nil, p.unknown(key, key)
			}
			if err := p.cases(s, v); err != nil {
				return nil, err
			}
		default:
			return nil, p.unknown(key, key)
		}
	}
	if s.grid == nil && len(s.cases) == 0 {
		return nil, fmt.Errorf("%s has neither a [grid] nor a [[case]]; there is nothing to sweep", p.name)
	}
	return s, nil
}

// unknown is the error for a key at the top that is neither [grid] nor [[case]].
func (p parser) unknown(path, key string) error {
	switch key {
	case "grid":
		return fmt.Errorf("%s: grid is a table; write [grid], and the parameters below it", p.place(path))
	case "case":
		return fmt.Errorf("%s: a case is one of many; write [[case]] with two brackets, and its parameters below it", p.place(path))
	}
	if slices.Contains(Parameters(), key) {
		return fmt.Errorf("%s: %s stands outside of any table; write [grid] or [[case]] above it", p.place(path), key)
	}
	return fmt.Errorf("%s: %w", p.place(path), selector.UnknownError("table", cut(key), []string{"grid", "case"}))
}

func (p parser) cases(s *Spec, list []any) error {
	for i, v := range list {
		path := fmt.Sprintf("case.%d", i)
		table, ok := v.(map[string]any)
		if !ok {
			return p.unknown("case", "case")
		}
		b, err := p.block(path, table)
		if err != nil {
			return err
		}
		for key, values := range b.values {
			if _, list := table[key].([]any); list {
				return fmt.Errorf("%s: a case has one value of %s; lists are for [grid]", values[0].place, key)
			}
		}
		s.cases = append(s.cases, *b)
	}
	return nil
}

func (p parser) block(path string, table map[string]any) (*block, error) {
	b := &block{p.place(path), map[string][]value{}}
	for _, key := range slices.Sorted(maps.Keys(table)) {
		at := path + "." + key
		if !slices.Contains(Parameters(), key) {
			return nil, fmt.Errorf("%s: %w", p.place(at), selector.UnknownError("parameter", cut(key), Parameters()))
		}
		list, ok := table[key].([]any)
		if !ok {
			list = []any{table[key]}
		}
		if len(list) == 0 {
			return nil, fmt.Errorf("%s: %s is an empty list; give it a value, or leave it out for the default", p.place(at), key)
		}
		for i, v := range list {
			place := p.place(fmt.Sprintf("%s.%d", at, i))
			if !ok || place == p.name {
				place = p.place(at)
			}
			text, err := textOf(key, v)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", place, err)
			}
			b.values[key] = append(b.values[key], value{text, place})
		}
	}
	return b, nil
}

// maxEcho is how many bytes of a bad value an error shows.
const maxEcho = 80

// cut cuts a text that is too long for an error.
func cut(text string) string {
	if len(text) <= maxEcho {
		return text
	}
	return strings.ToValidUTF8(text[:maxEcho], "") + "..."
}

// textOf returns a value of the document as the text of a selector or the digits of a number.
func textOf(key string, v any) (string, error) {
	text, isText := v.(string)
	switch {
	case key == lengths && isText:
		return "", fmt.Errorf("%s is the text %q; write a number without quotes", key, cut(text))
	case key == lengths:
		return length(v)
	case !isText:
		return "", fmt.Errorf("%s is %s; write a selector in quotes, as on the command line", key, cut(fmt.Sprint(v)))
	case strings.TrimSpace(text) == "":
		return "", fmt.Errorf("%s is empty; give a selector, or leave it out for the default", key)
	}
	if text = strings.TrimSpace(text); len(text) > maxSelector {
		return "", fmt.Errorf("%s is a selector of %d bytes; the limit is %d", key, len(text), maxSelector)
	}
	if strings.ContainsFunc(text, unicode.IsControl) || !utf8.ValidString(text) {
		return "", fmt.Errorf("%s %q has a line break or control character in it", key, cut(text))
	}
	return text, nil
}

// length returns T in decimal digits; 1e6 is a whole number too.
func length(v any) (string, error) {
	var f float64
	switch v := v.(type) {
	case int64:
		f = float64(v)
	case float64:
		f = v
	default:
		return "", fmt.Errorf("%s is %s; it is a whole number from 2 to 1e12", lengths, cut(fmt.Sprint(v)))
	}
	// A machine with ints of 32 bits takes no T above 2^31 - 1.
	if high := min(maxLength, math.MaxInt); f != math.Trunc(f) || !(f >= 2 && f <= high) {
		return "", fmt.Errorf("%s is %v; it is a whole number from 2 to %s", lengths, v, strings.Replace(fmt.Sprint(high), "e+", "e", 1))
	}
	return strconv.FormatFloat(f, 'f', 0, 64), nil
}

// Set replaces one list of the grid by what an assignment such as "T=10,100" says. Errors name the place where the
// assignment stands and the parameter, as they name the lines of a file: --set T, say, of a command. A value with a
// comma in it is quoted, as in 'toy="file:a,b.csv",easy'. Cases stay as they are.
func (s *Spec) Set(place, assignment string) error {
	key, list, ok := strings.Cut(assignment, "=")
	if !ok {
		return fmt.Errorf("%s %s: write PARAMETER=VALUE,..., as in %s T=10,100", place, cut(assignment), place)
	}
	example := place + " T=10,100"
	place += " " + cut(key)
	if !slices.Contains(Parameters(), key) {
		return fmt.Errorf("%s: %w", place, selector.UnknownError("parameter", cut(key), Parameters()))
	}
	if s.grid == nil {
		return fmt.Errorf("%s: %s has no [grid] in which it could be set", place, s.name)
	}
	records, err := csv.NewReader(strings.NewReader(list)).ReadAll()
	switch {
	case err != nil:
		return fmt.Errorf("%s: %q is no list of values separated by commas: %w", place, cut(list), err)
	case len(records) == 0:
		return fmt.Errorf("%s: no value; write PARAMETER=VALUE,..., as in %s", place, example)
	case len(records) > 1:
		return fmt.Errorf("%s: %q has a line break in it; write all values on one line", place, cut(list))
	}
	var values []value
	for _, text := range records[0] {
		var v any = text
		if key == lengths {
			if v, err = selector.ParseNumber(cut(strings.TrimSpace(text))); err != nil {
				return fmt.Errorf("%s: %w", place, err)
			}
		}
		if text, err = textOf(key, v); err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
		values = append(values, value{text, place})
	}
	s.grid.values[key] = values
	return nil
}
