package models

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"breadboard/chains/particle"
	"breadboard/chains/selector"
)

// HMM returns the model of the study: two hidden states, three symbols and ten observations.
func HMM() *particle.HMM {
	return &particle.HMM{
		Pi: []float64{0.5, 0.5},
		A:  [][]float64{{0.9, 0.1}, {0.2, 0.8}},
		E:  [][]float64{{0.6, 0.3, 0.1}, {0.1, 0.3, 0.6}},
		Y:  []int{0, 0, 1, 2, 2, 0, 2, 2, 1, 0},
	}
}

// maxHMM is the largest file of a model, in bytes; one that has 2^20 paths is smaller.
const maxHMM = 1 << 20

// ReadHMM reads a model from a file of TOML (see ParseHMM). Its errors name the file.
func ReadHMM(path string) (*particle.HMM, error) {
	data, err := selector.ReadFile(path, maxHMM)
	if err != nil {
		return nil, err
	}
	h, err := ParseHMM(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return h, nil
}

// ParseHMM reads a model from TOML with the keys pi, A, E and y, and no others: the law of the first hidden state, the rows of
// transitions, the rows of emissions, and the observations as symbols from 0. It fails where rows do not sum to one, which are
// never rescaled; where an observation is no symbol; where the model gives the observations probability zero, so that log Z is
// -Inf; and where there are more than 2^20 whole paths.
func ParseHMM(data []byte) (*particle.HMM, error) {
	var read struct {
		Pi []float64   `toml:"pi"`
		A  [][]float64 `toml:"A"`
		E  [][]float64 `toml:"E"`
		Y  []int       `toml:"y"`
	}
	decoder := toml.NewDecoder(strings.NewReader(string(data))).DisallowUnknownFields()
	if err := decoder.Decode(&read); err != nil {
		if unknown, ok := errors.AsType[*toml.StrictMissingError](err); ok && len(unknown.Errors) > 0 {
			line, _ := unknown.Errors[0].Position()
			return nil, fmt.Errorf("line %d: %s is not part of a model; it has pi, A, E and y", line, strings.Join(unknown.Errors[0].Key(), "."))
		}
		if at, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, column := at.Position()
			return nil, fmt.Errorf("line %d, column %d: %s", line, column, strings.TrimPrefix(at.Error(), "toml: "))
		}
		return nil, fmt.Errorf("it is no TOML with pi, A, E and y: %s", strings.TrimPrefix(err.Error(), "toml: "))
	}
	h := &particle.HMM{Pi: read.Pi, A: read.A, E: read.E, Y: read.Y}
	if err := h.Validate(); err != nil {
		return nil, err
	}
	if _, err := h.Paths(); err != nil {
		return nil, err
	}
	if laws, logZ := h.Forward(); math.IsInf(logZ, -1) {
		return nil, fmt.Errorf("log Z = -Inf: the model gives observation %d (y = %d) probability zero after those before it, so that there is no posterior", len(laws), h.Y[len(laws)])
	}
	return h, nil
}
