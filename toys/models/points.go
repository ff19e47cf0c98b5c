package models

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"breadboard/chains/particle"
	"breadboard/chains/selector"
)

// ExactPoints is the largest number of points whose partitions are counted one by one: there are 4,213,597 of them.
const ExactPoints = 12

// SampledPoints is the largest number of points where partitions are drawn and not counted one by one.
const SampledPoints = particle.MaxPoints

// maxPointsFile bounds the size of a file of points, in bytes.
const maxPointsFile = 1 << 16

// FivePoints returns a Dirichlet-process mixture with five points, of which log Z = -11.933197.
func FivePoints() *particle.DPMM { return Mixture([]float64{-2.1, -1.9, 0.1, 1.8, 2.2}) }

// Mixture returns the mixture with the parameters of FivePoints and other points: alpha = 1, s0 = 3 and sd = 0.7.
func Mixture(points []float64) *particle.DPMM {
	return &particle.DPMM{Alpha: 1, S0: 3, SD: 0.7, Y: points}
}

// ReadPoints reads points from a file, as ParsePoints does.
func ReadPoints(path string, most int) ([]float64, error) {
	if path == "" {
		return nil, errors.New("points: no path; give the path of a CSV file of numbers")
	}
	text, err := selector.ReadFile(path, maxPointsFile)
	if err != nil {
		return nil, fmt.Errorf("points: %w", err)
	}
	points, err := ParsePoints(text, most)
	if err != nil {
		return nil, fmt.Errorf("points %s: %w", path, err)
	}
	return points, nil
}

// ParsePoints reads at most so many points, which are finite numbers, from CSV: on one line or several, in any shape. An empty line is
// passed over. Errors name line and column.
func ParsePoints(text []byte, most int) ([]float64, error) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
	r.FieldsPerRecord = -1
	r.ReuseRecord = true
	var points []float64
	for {
		record, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err // encoding/csv names line and column
		}
		for i, field := range record {
			v, err := parsePoint(strings.TrimSpace(field))
			if err != nil {
				line, _ := r.FieldPos(i)
				return nil, fmt.Errorf("line %d, column %d: %w", line, i+1, err)
			}
			points = append(points, v)
		}
	}
	switch {
	case len(points) == 0:
		return nil, errors.New("the file is empty; give numbers, one on each line")
	case len(points) > most:
		return nil, &TooManyPoints{len(points), most}
	}
	return points, nil
}

// TooManyPoints is the error for more points than there may be where all partitions are counted.
type TooManyPoints struct{ Points, Most int }

// Error says how many points there are, and how many there may be.
func (e *TooManyPoints) Error() string {
	return fmt.Sprintf("%d points; the partitions of at most %d are counted one by one, and those of at most %d are drawn from: give fewer points", e.Points, ExactPoints, SampledPoints)
}

func parsePoint(field string) (float64, error) {
	if field == "" {
		return 0, errors.New("the cell is empty; give a number")
	}
	v, err := selector.ParseNumber(field)
	if err != nil {
		return 0, fmt.Errorf("%w; points are finite numbers, separated by commas or on lines of their own", err)
	}
	if math.Abs(v) > particle.MaxPoint {
		return 0, fmt.Errorf("%s; points are at most %v from zero", field, particle.MaxPoint)
	}
	return v, nil
}
