package reports

import (
	"errors"

	"breadboard/experiments/samplers/laws"
	"breadboard/reports/figure"
)

func SamplersMeanFigure(rows []laws.Row) (*figure.Figure, error)      { return nil, errors.New("x") }
func SamplersRHatFigure(rows []laws.Row) (*figure.Figure, error)      { return nil, errors.New("x") }
func SamplersAssuranceFigure(rows []laws.Row) (*figure.Figure, error) { return nil, errors.New("x") }
