package tightness

import (
	"breadboard/exact/geometry"
	"breadboard/experiments"
)

// Intermediates shows one annealing: distributions on the way, the target, and what the sampler makes of it.
type Intermediates struct {
	experiments.Case
	Betas  []float64
	P      [][]float64 // the distribution at each beta, one probability for each state
	Target []float64   // p_T
	Output []float64   // the exact law of the sampler's last state
}

// PaperBetas returns three inverse temperatures at which the paper's toys look different. The paper does not
// print those of its Figure 4.
func PaperBetas() []float64 { return []float64{0.1, 0.25, 0.5} }

// Intermediate makes the panels of the paper's Figure 4 for each row.
func Intermediate(rows []Row, betas []float64) []Intermediates {
	out := make([]Intermediates, len(rows))
	for i, r := range rows {
		out[i] = Intermediates{Case: r.Case, Betas: betas, Target: r.Target, Output: r.Output}
		for _, b := range betas {
			out[i].P = append(out[i].P, geometry.Distribution(r.Annealing.Path(), b))
		}
	}
	return out
}
