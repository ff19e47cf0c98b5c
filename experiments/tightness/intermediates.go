package tightness

import (
	"fmt"

	"breadboard/exact/stages"
	"breadboard/experiments"
)

// Intermediates holds the panels of one annealing: distributions on the way, the target, and the law of the sampler's output.
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

// PaperT is the number of distributions of the paper's Figure 4.
const PaperT = 100

// MaxPanelCells is the largest number of states of a toy in panels. With more, the figures would be files of many megabytes.
const MaxPanelCells = 10_000

// PaperPanels makes the panels of the paper's Figure 4: one row for each toy, at PaperT, or at the first row's T where no
// row has PaperT. It fails where a toy has more than MaxPanelCells states.
func PaperPanels(rows []Row) ([]Intermediates, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	T := rows[0].Distributions()
	for _, r := range rows {
		if r.Distributions() == PaperT {
			T = PaperT
		}
	}
	var shown []Row
	for _, r := range rows {
		if n := r.Toy.Space.States(); n > MaxPanelCells {
			return nil, fmt.Errorf("a heat map of %d cells would be too large; the limit is %d", n, MaxPanelCells)
		}
		if r.Distributions() == T && (len(shown) == 0 || shown[len(shown)-1].Toy != r.Toy) {
			shown = append(shown, r)
		}
	}
	return Intermediate(shown, PaperBetas()), nil
}

// Intermediate makes the panels of the paper's Figure 4 for each row.
func Intermediate(rows []Row, betas []float64) []Intermediates {
	out := make([]Intermediates, len(rows))
	for i, r := range rows {
		out[i] = Intermediates{Case: r.Case, Betas: betas, Target: r.Target, Output: r.Output}
		for _, b := range betas {
			out[i].P = append(out[i].P, stages.Distribution(r.Annealing().Path(), b))
		}
	}
	return out
}
