package stages

import (
	"context"
	"errors"

	"breadboard/chains"
	"breadboard/chains/number"
)

// Contributions returns what each stage t = 2..T adds to B, in nats, at index t - 2: E_rev[d] - E_fwd[d] for the
// increment d of the log weight at that stage. They sum to B, with an error of about 1e-15 times the size of the
// increments. It makes two sweeps over t, which take O(T entries) time and O(T states) memory. It fails where the path
// passes zeros of f, for which a log weight may be infinite, and where Marginals does.
func Contributions(ctx context.Context, a *chains.Annealing) ([]float64, error) {
	if a.Path().Zeros() {
		return nil, errors.New("the path begins, ends or passes where f is zero; a stage then adds an infinite amount to B, or none")
	}
	a, _ = a.Centred()
	stages := make([]int, a.Distributions()-1)
	for i := range stages {
		stages[i] = i + 1
	}
	marginals, err := Marginals(ctx, a, stages)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(stages))
	delta := make([]float64, a.States())
	for i, m := range marginals {
		a.LogRatio(delta, i+2)
		var total number.Sum
		for x, d := range delta {
			if difference := m.Reverse[x] - m.Forward[x]; difference != 0 {
				total.Add(difference * d)
			}
		}
		out[i] = total.Value()
	}
	return out, nil
}
