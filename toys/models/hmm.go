package models

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"breadboard/chains/particle"
	"breadboard/chains/selector"
)

// maxHMM bounds the size of a file of a hidden Markov model, in bytes.
const maxHMM = 4 << 20

// Weather returns a hidden Markov model with two states, three symbols and ten observations, of which log Z = -11.742861.
func Weather() *particle.HMM {
	return &particle.HMM{
		Pi: []float64{0.5, 0.5},
		A:  [][]float64{{0.9, 0.1}, {0.2, 0.8}},
		E:  [][]float64{{0.6, 0.3, 0.1}, {0.1, 0.3, 0.6}},
		Y:  []int{0, 0, 1, 2, 2, 0, 2, 2, 1, 0},
	}
}

// Wear returns a hidden Markov model of something that is new, worn or broken, with five observations of whether it works: log Z = -3.727409. It
// begins new or worn, never mends by itself, and is replaced when it is broken, so that no two of its states are alike.
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

// NamedHMM returns the hidden Markov model of a name of BuiltInHMMs, or else of a file that ReadHMM reads.
func NamedHMM(name string) (*particle.HMM, error) {
	switch name {
	case "weather":
		return Weather(), nil
	case "wear":
		return Wear(), nil
	}
	h, err := ReadHMM(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w; those that need no file are %s", err, strings.Join(BuiltInHMMs(), " and "))
	}
	return h, err
}

// ReadHMM reads a hidden Markov model from a file, as ParseHMM does.
func ReadHMM(path string) (*particle.HMM, error) {
	if path == "" {
		return nil, errors.New("hidden Markov model: no path; give the path of a TOML file with pi, A, E and y")
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

// ParseHMM reads a hidden Markov model with its observations from TOML:
//
//	pi = [0.5, 0.5]                               # the law of the first hidden state
//	A = [[0.9, 0.1], [0.2, 0.8]]                  # the laws of the next one, by hidden state
//	E = [[0.6, 0.3, 0.1], [0.1, 0.3, 0.6]]        # the laws of the symbol, by hidden state
//	y = [0, 0, 1, 2]                              # the observed symbols, numbered from 0
//
// Rows that do not sum to one are refused, and never rescaled. So are an observation that is no symbol, observations that the model gives
// probability zero, and more than 2^20 whole paths.
func ParseHMM(text []byte) (*particle.HMM, error) {
	var file struct {
		Pi any `toml:"pi"`
		A  any `toml:"A"`
		E  any `toml:"E"`
		Y  any `toml:"y"`
	}
	d := toml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
	if err := d.DisallowUnknownFields().Decode(&file); err != nil {
		return nil, tomlError(err)
	}
	h := &particle.HMM{}
	var err error
	if h.Pi, err = row("pi", file.Pi); err != nil {
		return nil, err
	}
	if h.A, err = rows("A", file.A); err != nil {
		return nil, err
	}
	if h.E, err = rows("E", file.E); err != nil {
		return nil, err
	}
	if h.Y, err = symbols(file.Y); err != nil {
		return nil, err
	}
	if err := h.Validate(); err != nil {
		return nil, err
	}
	if laws, logZ := h.Forward(); math.IsInf(logZ, -1) {
		return nil, fmt.Errorf("log Z = -Inf: the model gives observation %d of y probability zero after those before it, so that there is no posterior; check y, A and E", len(laws))
	}
	if _, err := h.Paths(); err != nil {
		return nil, err
	}
	return h, nil
}

// tomlError returns an error of the TOML library with its place, and without the name of the library.
func tomlError(err error) error {
	if unknown, ok := errors.AsType[*toml.StrictMissingError](err); ok && len(unknown.Errors) > 0 {
		first := unknown.Errors[0]
		line, _ := first.Position()
		return fmt.Errorf("line %d: there is no %s; the keys are pi, A, E and y", line, strings.Join(first.Key(), "."))
	}
	if at, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := at.Position()
		return fmt.Errorf("line %d, column %d: %s", line, column, strings.TrimPrefix(at.Error(), "toml: "))
	}
	return errors.New(strings.TrimPrefix(err.Error(), "toml: "))
}

func list(what string, v any) ([]any, error) {
	if v == nil {
		return nil, fmt.Errorf("there is no %s; give pi, A, E and y", what)
	}
	entries, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("%s is no list; write it in brackets, as in pi = [0.5, 0.5]", what)
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
			return nil, fmt.Errorf("%s: entry %d is no number", what, i)
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
		r, err := row(fmt.Sprintf("row %d of %s", i, what), e)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

func symbols(v any) ([]int, error) {
	entries, err := list("y", v)
	if err != nil {
		return nil, err
	}
	out := make([]int, len(entries))
	for i, e := range entries {
		s, ok := e.(int64)
		if !ok || int64(int(s)) != s {
			return nil, fmt.Errorf("observation %d of y is no symbol; give whole numbers from 0", i)
		}
		out[i] = int(s)
	}
	return out, nil
}
