package schedules

import (
	"bytes"
	"fmt"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/numpy"
	"breadboard/chains/selector"
)

// Points is a schedule given point by point. It can have only as many distributions as there are
// points.
//
//	0 = b_1 <= b_2 <= ... <= b_T = 1
type Points struct {
	betas []float64
	name  string
}

// NewPoints returns the schedule b_1..b_T. The name is what String returns. The points must start
// at 0, end at 1 and never decrease; the error names the first that does not.
func NewPoints(name string, betas []float64) (*Points, error) {
	if err := checkPoints(betas); err != nil {
		return nil, fmt.Errorf("schedule %s %w", name, err)
	}
	return &Points{append([]float64(nil), betas...), name}, nil
}

// checkPoints fails if there are fewer than two points, or they do not rise from 0 to 1. Its error
// continues the name of the schedule.
func checkPoints(betas []float64) error {
	if len(betas) < 2 {
		return errs.New("has %d points; it needs at least 2, 0 and 1", len(betas))
	}
	if betas[0] != 0 {
		return errs.New("starts with b_1 = %v; the first point must be 0", betas[0])
	}
	for i, b := range betas[1:] {
		if !(b >= betas[i]) {
			return errs.New("goes from b_%d = %v to b_%d = %v; the points must not decrease", i+1, betas[i], i+2, b)
		}
	}
	if last := len(betas); betas[last-1] != 1 {
		return errs.New("ends with b_%d = %v; the last point must be 1", last, betas[last-1])
	}
	return nil
}

// Len returns the one T that the schedule can have.
func (s *Points) Len() int { return len(s.betas) }

// Validate accepts only T = Len().
func (s *Points) Validate(T int) error {
	if T != len(s.betas) {
		return errs.New(
			"schedule %s has %d points but %d distributions were asked for; make T %d, or for any T write "+
				"the points as curve:B:B..., which draws straight lines between them",
			s.name,
			len(s.betas),
			T,
			len(s.betas),
		)
	}
	return nil
}

// Beta returns b_t.
func (s *Points) Beta(t, _ int) float64 { return s.betas[t-1] }

// Rest returns 1 - b_t.
func (s *Points) Rest(t, _ int) float64 { return 1 - s.betas[t-1] }

// Step returns b_t - b_{t-1}.
func (s *Points) Step(t, _ int) float64 { return s.betas[t-1] - s.betas[t-2] }

// String returns the name given to NewPoints.
func (s *Points) String() string { return s.name }

func pointsForm() scheduleForm {
	return scheduleForm{
		Syntax:  "file:PATH",
		Doc:     "the betas in a file, one a line, or a .npy or .npz#KEY array",
		Example: "file:betas.csv",
		Missing: "the path",
		File:    numpy.FileOf,
		Parse: func(args selector.Args, _ selector.Nothing) (chains.Schedule, error) {
			points, err := readPoints(args.Text)
			if err != nil {
				return nil, err
			}
			return points, nil
		},
	}
}

// maxPoints bounds the points of a schedule in a file, and maxPointsFile the size of one in text,
// at 25 digits a point.
const (
	maxPoints     = 10_000_000
	maxPointsFile = 256 << 20
)

func readPoints(path string) (*Points, error) {
	if path == "" {
		return nil, errs.New("schedule file: no path; write file:PATH, as in file:betas.csv")
	}
	if numpy.Is(path) {
		betas, err := readArray(path)
		if err != nil {
			return nil, fmt.Errorf("schedule file %s: %w", path, err)
		}
		return NewPoints("file:"+path, betas)
	}
	data, err := selector.ReadFile(path, maxPointsFile)
	if err != nil {
		return nil, fmt.Errorf("schedule file: %w", err)
	}
	return ParsePoints("file:"+path, data)
}

// readArray reads the numbers of an array of one dimension.
func readArray(path string) ([]float64, error) {
	array, err := numpy.ReadFile(path, maxPoints)
	if err != nil {
		return nil, err
	}
	if len(array.Shape) != 1 {
		return nil, errs.New("the array has %d dimensions; a schedule has one, with a beta for each distribution",
			len(array.Shape))
	}
	return array.Floats()
}

// ParsePoints reads a schedule from text with one beta a line, or several with blanks or tabs
// between them. Empty lines and lines that begin with # are skipped. Errors name the line.
func ParsePoints(name string, text []byte) (*Points, error) {
	text, err := selector.PlainText(text)
	if err != nil {
		return nil, fmt.Errorf("schedule %s: %w", name, err)
	}
	var betas []float64
	n := 0
	for line := range bytes.Lines(text) {
		n++
		for i, field := range selector.Fields(string(line)) {
			if i == 0 && field[0] == '#' {
				break
			}
			b, err := selector.ParseNumber(field)
			if err != nil {
				return nil, fmt.Errorf("schedule %s, line %d: %w", name, n, err)
			}
			betas = append(betas, b)
		}
	}
	return NewPoints(name, betas)
}
