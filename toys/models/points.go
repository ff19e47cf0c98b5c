package models

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/particle"
	"breadboard/chains/selector"
)

// ExactPoints is the largest number of points whose partitions are counted one by one: there are
// 4,213,597 of them.
const ExactPoints = 12

// SampledPoints is the largest number of points for which partitions are drawn instead of counted.
const SampledPoints = particle.MaxDrawnPoints

// maxPointsFile bounds the size of a file of points, in bytes.
const maxPointsFile = 1 << 16

// FivePoints returns a Dirichlet-process mixture with five points, of which log Z = -11.933197.
func FivePoints() *particle.DPMM { return Mixture([]float64{-2.1, -1.9, 0.1, 1.8, 2.2}) }

// Mixture returns the mixture with the parameters of FivePoints and other points: alpha = 1, s0 = 3
// and sd = 0.7.
func Mixture(points []float64) *particle.DPMM {
	return &particle.DPMM{Alpha: 1, S0: 3, SD: 0.7, Y: points}
}

// ReadPoints reads points from a file, as ParsePoints does.
func ReadPoints(path string, most int) ([]float64, error) {
	if path == "" {
		return nil, errs.New("points: no path; give the path of a CSV file of numbers")
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

// ParsePoints reads at most that many points, which are finite numbers, from CSV: on one line or
// several, in any shape. An empty line is passed over. Errors name line and column.
func ParsePoints(text []byte, most int) ([]float64, error) {
	var points []float64
	err := eachRecord(text, func(r record) (err error) {
		points, err = r.appendPoints(points)
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case len(points) == 0:
		return nil, errs.New("the file is empty; give numbers, one on each line")
	case len(points) > most:
		return nil, &TooManyPoints{len(points)}
	}
	return points, nil
}

// TooManyPoints is the error for more points than there may be where all partitions are counted.
type TooManyPoints struct{ Points int }

// Error says how many points there are, and how many there may be.
func (e *TooManyPoints) Error() string {
	return fmt.Sprintf("%d points; the partitions of at most %d are counted one by one, and those of at most %d are "+
		"drawn from: give fewer points",
		e.Points, ExactPoints, SampledPoints)
}

func parsePoint(field string) (float64, error) {
	if field == "" {
		return 0, errs.New("the cell is empty; give a number")
	}
	v, err := selector.ParseNumber(field)
	if err != nil {
		return 0, errs.New("%w; points are finite numbers, separated by commas or on lines of their own", err)
	}
	if math.Abs(v) > particle.MaxPoint {
		return 0, errs.New("%s; points are at most %v from zero", field, particle.MaxPoint)
	}
	return v, nil
}

// record is a line of a CSV file.
type record struct {
	fields []string
	reader *csv.Reader
}

func (r record) line(field int) int {
	line, _ := r.reader.FieldPos(field)
	return line
}

// appendPoints appends the numbers of a record. Its error names line and column.
func (r record) appendPoints(dst []float64) ([]float64, error) {
	for i, field := range r.fields {
		v, err := parsePoint(strings.TrimSpace(field))
		if err != nil {
			return nil, fmt.Errorf("line %d, column %d: %w", r.line(i), i+1, err)
		}
		dst = append(dst, v)
	}
	return dst, nil
}

// eachRecord calls a function for the records of a CSV text in any shape, one after another, until
// one of them fails. Empty lines are passed over.
func eachRecord(text []byte, do func(r record) error) error {
	reader := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
	reader.FieldsPerRecord = -1
	reader.ReuseRecord = true
	for {
		fields, err := reader.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err // encoding/csv names line and column
		}
		if err := do(record{fields, reader}); err != nil {
			return err
		}
	}
}
