package aide

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/exact/particle"
	"breadboard/experiments"
)

// law is what is known exactly of an algorithm on an annealing.
type law struct {
	side   particle.Side // nil where no exact route exists; the notes say why
	method string
	notes  []string
}

// exactMethod is the method of a law that needs no computation.
const exactMethod = "density"

// noMethod is the method of a law for which there is no exact route.
const noMethod = "none"

// maxSampled is the largest number of particles and of moves that are made one by one.
const maxSampled = 1_000_000

// fits returns an error that says why the algorithm cannot be had on a case, or cannot be run there one by one.
func (c Choice) fits(on *experiments.Case, runs bool) error {
	if runs && (c.Particles > maxSampled || c.Moves > maxSampled) {
		return chains.NewAdvice("a run of %s makes more than %d steps; leave {runs} out, or give fewer particles or moves", c.Name, maxSampled)
	}
	if c.Kind == MeanField {
		_, err := meanField(on)
		return err
	}
	return nil
}

// law returns what is known of the algorithm on a case.
func (c Choice) law(ctx context.Context, on *experiments.Case, workers int) (*law, error) {
	a := on.Annealing()
	switch c.Kind {
	case Exact:
		return &law{particle.NewExact(a.States()), exactMethod, nil}, nil
	case MeanField:
		logRatio, err := meanField(on)
		if err != nil {
			return nil, err
		}
		return &law{particle.NewDensity(logRatio), exactMethod, nil}, nil
	}
	return &law{nil, noMethod, []string{fmt.Sprintf("%s has no exact route here", c.Name)}}, nil
}

// meanField returns log q/p of the product over the axes that coordinate ascent finds.
func meanField(on *experiments.Case) ([]float64, error) {
	return nil, fmt.Errorf("mean field needs a grid")
}
