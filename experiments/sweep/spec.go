package sweep

import (
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"breadboard/chains/selector"
	"breadboard/experiments"
)

// maxSpec bounds the size of a specification, and maxSelector that of a selector in bytes.
const (
	maxSpec     = 4 << 20
	maxSelector = 1000
)

// Spec is a sweep as it is written down. Its parameters have known names and the right types; whether the
// selectors are any good is for Sweep to find out.
type Spec struct {
	name  string
	study *experiments.Study
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
//	study = "tightness"    # one of Studies; left out, tightness
//	[grid]                 # every combination
//	toy = ["barrier", "random:2:0"]
//	T = [10, 100, 1000]
//	[[case]]               # one cell beside the grid
//	toy = "hard"
//	T = 100000
//
// The keys are the parameters of the study; what is left out has its default. Errors name the line.
func Parse(name string, text []byte) (*Spec, error) {
	var document map[string]any
	if err := toml.Unmarshal(text, &document); err != nil {
		if at, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, column := at.Position()
			return nil, fmt.Errorf("%s, line %d, column %d: %s", name, line, column, strings.TrimPrefix(at.Error(), "toml: "))
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p := parser{name: name, lines: linesOf(text)}
	if err := p.chooseStudy(document); err != nil {
		return nil, err
	}
	return p.spec(document)
}

// parser turns what the TOML library returns into a Spec.
type parser struct {
	name  string
	lines map[string]int // of each key, as in "grid.toy.0"
	study *experiments.Study
}

// chooseStudy takes the study out of the document, or the default where there is none.
func (p *parser) chooseStudy(document map[string]any) (err error) {
	const key = "study"
	name := any(defaultStudy)
	if given, there := document[key]; there {
		name = given
		delete(document, key)
	}
	text, ok := name.(string)
	if !ok {
		return fmt.Errorf("%s: the study is %s; write its name in quotes, as in study = \"%s\"", p.place(key), cut(fmt.Sprint(name)), defaultStudy)
	}
	if p.study, err = studyNamed(text); err != nil {
		return fmt.Errorf("%s: %w", p.place(key), err)
	}
	return nil
}

func (p parser) place(path string) string {
	if n, ok := p.lines[path]; ok {
		return fmt.Sprintf("%s, line %d", p.name, n)
	}
	return p.name
}

func (p parser) spec(document map[string]any) (*Spec, error) {
	s := &Spec{name: p.name, study: p.study}
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
	if _, known := experiments.Find(p.study.Parameters, key); known {
		return fmt.Errorf("%s: %s stands outside of any table; write [grid] or [[case]] above it", p.place(path), key)
	}
	return fmt.Errorf("%s: %w", p.place(path), selector.UnknownError("table", cut(key), []string{"study", "grid", "case"}))
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
		parameter, known := experiments.Find(p.study.Parameters, key)
		if !known {
			return nil, fmt.Errorf("%s: %w", p.place(at), unknownParameter(p.study, key))
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
			text, err := textOf(parameter, v)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", place, err)
			}
			b.values[key] = append(b.values[key], value{text, place})
		}
	}
	return b, nil
}

// unknownParameter is the error for a parameter that the study does not have.
func unknownParameter(study *experiments.Study, key string) error {
	if key == "study" {
		return errors.New("study is no parameter; write it at the top of the file, above [grid] and [[case]]")
	}
	err := selector.UnknownError("parameter", cut(key), experiments.Names(study.Parameters))
	for _, other := range Studies() {
		if _, known := experiments.Find(other.Parameters, key); known {
			return fmt.Errorf("%w (of the study %s; the study %s has %s)", err, study.Name, other.Name, key)
		}
	}
	return fmt.Errorf("%w (of the study %s)", err, study.Name)
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
func textOf(p experiments.Parameter, v any) (string, error) {
	text, isText := v.(string)
	switch {
	case p.Number != nil && isText:
		return "", fmt.Errorf("%s is the text %q; write a number without quotes", p.Name, cut(text))
	case p.Number != nil:
		return numberText(p, v)
	case !isText:
		return "", fmt.Errorf("%s is %s; write a selector in quotes, as on the command line", p.Name, cut(fmt.Sprint(v)))
	case strings.TrimSpace(text) == "":
		return "", fmt.Errorf("%s is empty; give a selector, or leave it out for the default", p.Name)
	}
	if text = strings.TrimSpace(text); len(text) > maxSelector {
		return "", fmt.Errorf("%s is a selector of %d bytes; the limit is %d", p.Name, len(text), maxSelector)
	}
	if strings.ContainsFunc(text, unicode.IsControl) || !utf8.ValidString(text) {
		return "", fmt.Errorf("%s %q has a line break or control character in it", p.Name, cut(text))
	}
	return text, nil
}

// numberText returns a number of the document in decimal digits; 1e6 is a whole number too.
func numberText(p experiments.Parameter, v any) (string, error) {
	switch v := v.(type) {
	case int64:
		return p.Text(float64(v))
	case float64:
		return p.Text(v)
	}
	return "", fmt.Errorf("%s is %s; it is %s", p.Name, cut(fmt.Sprint(v)), *p.Number)
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
	parameter, known := experiments.Find(s.study.Parameters, key)
	if !known {
		return fmt.Errorf("%s: %w", place, unknownParameter(s.study, key))
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
		if parameter.Number != nil {
			if v, err = selector.ParseNumber(cut(strings.TrimSpace(text))); err != nil {
				return fmt.Errorf("%s: %w", place, err)
			}
		}
		if text, err = textOf(parameter, v); err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
		values = append(values, value{text, place})
	}
	s.grid.values[key] = values
	return nil
}
