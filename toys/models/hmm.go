package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/particle"
	"breadboard/chains/selector"
)

// maxHMM bounds the size of a file of a hidden Markov model, in bytes.
const maxHMM = 4 << 20

// Weather returns a hidden Markov model with two states, three symbols and ten observations, of
// which log Z = -11.742861.
func Weather() *particle.HMM {
	return &particle.HMM{
		Pi: []float64{0.5, 0.5},
		A:  [][]float64{{0.9, 0.1}, {0.2, 0.8}},
		E:  [][]float64{{0.6, 0.3, 0.1}, {0.1, 0.3, 0.6}},
		Y:  []int{0, 0, 1, 2, 2, 0, 2, 2, 1, 0},
	}
}

// Wear returns a hidden Markov model of something that is new, worn or broken, with five
// observations of whether it works: log Z = -3.727409. It begins new or worn, never mends by
// itself, and is replaced when it is broken, so that no two of its states are alike.
func Wear() *particle.HMM {
	return &particle.HMM{
		Pi: []float64{0.75, 0.25, 0},
		A:  [][]float64{{0.6, 0.3, 0.1}, {0, 0.5, 0.5}, {0.4, 0, 0.6}},
		E:  [][]float64{{0.9, 0.1}, {0.6, 0.4}, {0.2, 0.8}},
		Y:  []int{0, 1, 1, 0, 1},
	}
}

// BuiltInHMMs are the names that NamedHMM knows.
func BuiltInHMMs() []string { return []string{"weather", "wear"} }

// NamedHMM returns the hidden Markov model of a name of BuiltInHMMs, or else of a file that ReadHMM
// reads.
func NamedHMM(name string) (*particle.HMM, error) {
	switch name {
	case "weather":
		return Weather(), nil
	case "wear":
		return Wear(), nil
	}
	h, err := ReadHMM(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errs.New("%w; those that need no file are %s", err, strings.Join(BuiltInHMMs(), " and "))
	}
	return h, err
}

// ReadHMM reads a hidden Markov model from a file, as ParseHMM does.
func ReadHMM(path string) (*particle.HMM, error) {
	if path == "" {
		return nil, errs.New("hidden Markov model: no path; give the path of a TOML or JSON file with pi, A, E and y")
	}
	text, err := selector.ReadFile(path, maxHMM)
	if err != nil {
		return nil, fmt.Errorf("hidden Markov model: %w", err)
	}
	h, err := ParseHMM(text)
	if err != nil {
		return nil, fmt.Errorf("hidden Markov model %s: %w", path, err)
	}
	return h, nil
}

// The keys of a file of a hidden Markov model.
const (
	keyFirst   = "pi"
	keyNext    = "A"
	keyEmitted = "E"
	keySeen    = "y"
	keyStates  = "states"
	keySymbols = "symbols"
)

// keysOfHMM returns the keys of a file, each with the names that it may have instead: words, and
// what hmmlearn calls them.
func keysOfHMM() map[string][]string {
	return map[string][]string{
		keyFirst: {"initial", "startprob"}, keyNext: {"transition", "transmat"},
		keyEmitted: {"emission", "emissionprob", "B"}, keySeen: {"observations"},
		keyStates: nil, keySymbols: nil,
	}
}

// ParseHMM reads a hidden Markov model with its observations from TOML:
//
//	pi = [0.5, 0.5]                               # the distribution of the first hidden state; or initial
//	A = [[0.9, 0.1], [0.2, 0.8]]                  # the distributions of the next one, by hidden state; or transition
//	E = [[0.6, 0.3, 0.1], [0.1, 0.3, 0.6]]        # the distributions of the symbol, by hidden state; or emission
//	y = [0, 0, 1, 2]                              # the observed symbols, numbered from 0 or by name; or observations
//	states = ["dry", "wet"]                       # names of the states, which may be missing
//	symbols = ["sun", "cloud", "rain"]            # names of the symbols, likewise
//
// or from a JSON object with the same keys, or from the text of UMDHMM with the symbols, numbered
// from 1, behind it:
//
//	M= 3
//	N= 2
//	A:
//	0.9 0.1
//	0.2 0.8
//	B:
//	0.6 0.3 0.1
//	0.1 0.3 0.6
//	pi:
//	0.5 0.5
//	T= 4
//	1 1 2 3
//
// Rows are never rescaled. It fails if a row does not sum to one, if an observation is not a
// symbol, and if the model gives the observations probability zero.
func ParseHMM(text []byte) (*particle.HMM, error) {
	file, err := hmmValues(bytes.TrimPrefix(text, []byte("\ufeff")))
	if err != nil {
		return nil, err
	}
	h := &particle.HMM{}
	h.Pi, err = row(keyFirst, file[keyFirst])
	if err != nil {
		return nil, err
	}
	h.A, err = rows(keyNext, file[keyNext])
	if err != nil {
		return nil, err
	}
	h.E, err = rows(keyEmitted, file[keyEmitted])
	if err != nil {
		return nil, err
	}
	h.States, err = labels(keyStates, file[keyStates], len(h.Pi))
	if err != nil {
		return nil, err
	}
	if len(h.E) > 0 {
		h.Symbols, err = labels(keySymbols, file[keySymbols], len(h.E[0]))
		if err != nil {
			return nil, err
		}
	}
	h.Y, err = symbols(file[keySeen], h.Symbols)
	if err != nil {
		return nil, err
	}
	if err := h.Validate(); err != nil {
		return nil, err
	}
	if laws, logZ := h.Forward(); math.IsInf(logZ, -1) {
		return nil,
			errs.New("log Z = -Inf: the model gives observation %d of y probability zero after those before "+
				"it, so that there is no posterior; check y, A and E",
				len(laws))
	}
	return h, nil
}

// hmmValues returns the values of a file by the keys that are documented first.
func hmmValues(text []byte) (map[string]any, error) {
	file := map[string]any{}
	values := map[string]any{}
	if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 && trimmed[0] == '{' {
		var err error
		file, err = jsonObject(text)
		if err != nil {
			return nil, err
		}
	} else if bytes.Contains(text, []byte("A:")) && bytes.Contains(text, []byte("pi:")) {
		var err error
		file, err = plainHMM(string(text))
		if err != nil {
			return nil, err
		}
	} else if err := selector.DecodeTOML(text, &file); err != nil {
		return nil, errs.New("%w; breadboard help models has the forms of a hidden Markov model", err)
	}
	known := keysOfHMM()
	named := map[string]string{}
	keyOf := func(name string) string {
		for of, others := range known {
			if of == name || slices.Contains(others, strings.TrimSuffix(name, "_")) {
				return of
			}
		}
		return ""
	}
	names := slices.Sorted(maps.Keys(file))
	if len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return keyOf(name) != "" }) {
		return nil, errs.New(
			"its keys are %s, and none is that of a hidden Markov model (A, E, pi, y); breadboard help "+
				"files says what is read",
			selector.Cut(strings.Join(names, ", ")),
		)
	}
	for _, name := range names {
		key := keyOf(name)
		if key == "" {
			return nil, errs.New("%w; or in words initial, transition, emission and observations",
				selector.UnknownError("key", name, slices.Sorted(maps.Keys(known))))
		}
		if _, twice := values[key]; twice {
			return nil, errs.New("%s and %s are the same; give one of them", named[key], name)
		}
		values[key], named[key] = file[name], name
	}
	return values, nil
}

// plainHMM returns the values of a text of UMDHMM.
//
// Source: Kanungo, UMDHMM 1.02, 1999.
func plainHMM(text string) (map[string]any, error) {
	lists := map[string]any{}
	key := ""
	for number, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if at := strings.IndexAny(line, "=:"); at >= 0 {
			key = line[:at]
			line = line[at+1:]
			if lists[key] != nil {
				return nil, fmt.Errorf("line %d: %s stands twice", number+1, key)
			}
			lists[key] = []any{}
		}
		var row []any
		for word := range strings.FieldsSeq(line) {
			v, err := selector.ParseNumber(word)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", number+1, err)
			}
			row = append(row, v)
		}
		if row != nil && (key == "A" || key == "B") {
			row = []any{row}
		}
		rows, _ := lists[key].([]any)
		lists[key] = append(rows, row...)
	}
	seen, _ := lists["T"].([]any)
	for i := range seen { // symbols are numbered from 1
		seen[i] = seen[i].(float64) - 1
	}
	if len(seen) < 2 || seen[0] != float64(len(seen)-2) {
		return nil, errs.New(
			"there are no observations, or not as many as T= says; write T= with their number, and then " +
				"these, numbered from 1, behind the line of pi",
		)
	}
	lists[keySeen] = seen[1:]
	for key, of := range map[string]string{"N": "A", "M": "B"} {
		if rows, _ := lists[of].([]any); len(rows) == 0 ||
			fmt.Sprint(lists[key]) != fmt.Sprint([]int{len(rows[0].([]any))}) {
			return nil, fmt.Errorf("%s= is not the number of columns of %s", key, of)
		}
		delete(lists, key)
	}
	delete(lists, "T")
	return lists, nil
}

// jsonObject returns the values of a JSON object, in which no key stands twice.
func jsonObject(text []byte) (map[string]any, error) {
	values := map[string]any{}
	in := json.NewDecoder(bytes.NewReader(text))
	failed := func(err error) error {
		if err == io.EOF {
			err = errors.New("the file ends within the object")
		}
		line := 1 + bytes.Count(text[:min(in.InputOffset(), int64(len(text)))], []byte("\n"))
		return fmt.Errorf("line %d: %w", line, err)
	}
	if _, err := in.Token(); err != nil { // the brace
		return nil, failed(err)
	}
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return nil, failed(err)
		}
		name, _ := key.(string)
		if _, twice := values[name]; twice {
			return nil, failed(fmt.Errorf("the key %s stands twice", name))
		}
		var v any
		if err := in.Decode(&v); err != nil {
			return nil, failed(err)
		}
		values[name] = v
	}
	if _, err := in.Token(); err != nil {
		return nil, failed(err)
	}
	if _, err := in.Token(); err != io.EOF {
		return nil, failed(errors.New("something stands behind the closing brace"))
	}
	return values, nil
}

// labels returns names for that many things, and nil if there are none.
func labels(what string, v any, n int) ([]string, error) {
	if v == nil {
		return nil, nil
	}
	entries, err := list(what, v)
	if err != nil {
		return nil, err
	}
	if len(entries) != n {
		return nil, fmt.Errorf("%s has %d names, and there are %d of them", what, len(entries), n)
	}
	var names []string
	for i, e := range entries {
		name, is := e.(string)
		if !is || name == "" {
			return nil, errs.New("%s: entry %d is not a name; write it in quotation marks", what, i+1)
		}
		if slices.Contains(names, name) {
			return nil, fmt.Errorf("%s: %q stands twice", what, name)
		}
		names = append(names, name)
	}
	return names, nil
}

func list(what string, v any) ([]any, error) {
	if v == nil {
		return nil, errs.New("there is no %s; give pi, A, E and y, or initial, transition, emission and observations",
			what)
	}
	entries, ok := v.([]any)
	if !ok {
		return nil, errs.New("%s is not a list; write it in brackets, as in pi = [0.5, 0.5]", what)
	}
	return entries, nil
}

// row returns a list of numbers. Whole numbers may be written without a point.
func row(what string, v any) ([]float64, error) {
	entries, err := list(what, v)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(entries))
	for i, e := range entries {
		switch e := e.(type) {
		case float64:
			out[i] = e
		case int64:
			out[i] = float64(e)
		default:
			return nil, fmt.Errorf("%s: entry %d is not a number", what, i+1)
		}
	}
	return out, nil
}

func rows(what string, v any) ([][]float64, error) {
	entries, err := list(what, v)
	if err != nil {
		return nil, err
	}
	var out [][]float64
	for i, e := range entries {
		r, err := row(fmt.Sprintf("row %d of %s", i+1, what), e)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// orOneOf lists the names that symbols may have instead of numbers.
func orOneOf(names []string) string {
	if names == nil {
		return ", or names that the key " + keySymbols + " lists"
	}
	return ", or one of " + strings.Join(names, ", ")
}

// symbols returns the numbers of observations, which are given as such or by the names of symbols.
func symbols(v any, names []string) ([]int, error) {
	entries, err := list(keySeen, v)
	if err != nil {
		return nil, err
	}
	out := make([]int, len(entries))
	for i, e := range entries {
		s := -1
		is := false
		switch e := e.(type) {
		case int64:
			s = int(e)
			is = int64(int(e)) == e
		case float64: // JSON has no other numbers
			s = int(e)
			is = e == math.Trunc(e) && math.Abs(e) < 1<<30
		case string:
			s = slices.Index(names, e)
			is = s >= 0
		}
		if !is {
			return nil, errs.New("observation %d of %s, %v, is not a symbol; give whole numbers from 0%s",
				i, keySeen, e, orOneOf(names))
		}
		out[i] = s
	}
	return out, nil
}
