package models

import (
	"errors"
	"fmt"
	"strings"

	"breadboard/chains/particle"
	"breadboard/chains/selector"
)

// Mixture returns the model of the study: a Dirichlet-process mixture of normals with concentration 1, whose clusters have a standard
// deviation of 0.7 and means with one of 3, and five points.
func Mixture() *particle.DPMM {
	return &particle.DPMM{Alpha: 1, S0: 3, SD: 0.7, Y: []float64{-2.1, -1.9, 0.1, 1.8, 2.2}}
}

// maxPoints is the largest file of points, in bytes.
const maxPoints = 1 << 16

// ReadPoints reads points from a file of CSV (see ParsePoints). Its errors name the file.
func ReadPoints(path string) ([]float64, error) {
	data, err := selector.ReadFile(path, maxPoints)
	if err != nil {
		return nil, err
	}
	points, err := ParsePoints(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return points, nil
}

// ParsePoints reads points from CSV: finite numbers, with commas between those on one line. Empty lines do not count. It fails
// where there is no point.
func ParsePoints(data []byte) ([]float64, error) {
	var points []float64
	line := 0
	for text := range strings.SplitSeq(string(data), "\n") {
		line++
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		for field := range strings.SplitSeq(text, ",") {
			v, err := selector.ParseNumber(strings.TrimSpace(field))
			if err != nil {
				return nil, fmt.Errorf("line %d: %w; give finite numbers", line, err)
			}
			points = append(points, v)
		}
	}
	if len(points) == 0 {
		return nil, errors.New("it has no point; give at least one number")
	}
	return points, nil
}
