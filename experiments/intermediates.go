package experiments

import (
	"context"
	"fmt"

	"breadboard/exact"
)

// Intermediates shows one annealing: distributions on the way, the target, and what the sampler makes of it.
type Intermediates struct {
	Case
	Betas  []float64
	P      [][]float64 // the distribution at each beta, one probability for each state
	Target []float64   // p_T
	Output []float64   // the exact law of the sampler's last state
}

// PaperBetas returns three inverse temperatures at which the paper's toys look different. The paper does not
// print those of its Figure 4.
func PaperBetas() []float64 { return []float64{0.1, 0.25, 0.5} }

// Intermediate computes the panels of the paper's Figure 4 for each case.
func Intermediate(ctx context.Context, cases []Case, betas []float64) ([]Intermediates, error) {
	out := make([]Intermediates, len(cases))
	for i, c := range cases {
		solution, err := exact.Solve(ctx, c.Annealing)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", &c, err)
		}
		out[i] = Intermediates{Case: c, Betas: betas, Target: solution.Target, Output: solution.Output}
		for _, b := range betas {
			out[i].P = append(out[i].P, exact.Distribution(c.Annealing.Path(), b))
		}
	}
	return out, nil
}
