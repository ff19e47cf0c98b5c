package experiments

import (
	"context"

	"breadboard/chains/paths"
	"breadboard/exact/stages"
	"breadboard/toys"
)

// Target returns the toy of a selector and its normalised target, a probability for each state.
func Target(ctx context.Context, selector string) (*toys.Toy, []float64, error) {
	toy, err := ParseToy(ctx, selector)
	if err != nil {
		return nil, nil, err
	}
	path, err := paths.NewGeometric(nil, toy.G)
	if err != nil {
		return nil, nil, err
	}
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	return toy, stages.Distribution(path, 1), nil
}
