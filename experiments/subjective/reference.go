package subjective

import (
	"breadboard/chains/selector"
	"breadboard/exact/stages"
	"breadboard/experiments"
)

// ReferenceForms are the forms of the selectors that ParseReference reads, in the order in which they are listed.
func ReferenceForms() selector.Set[*experiments.Case, []float64] {
	laws := experiments.LawForms()
	laws.What = "reference"
	return selector.AdaptSet(laws, ends, selector.Same).Insert("file", fittedReferenceForm)
}

// ends returns what the selector of a law may refer to in a case.
func ends(c *experiments.Case) experiments.Ends {
	at := func(beta float64) func() []float64 {
		return func() []float64 { return stages.Distribution(c.Annealing().Path(), beta) }
	}
	return experiments.Ends{Toy: c.Toy, Initial: at(0), Target: at(1)}
}

// referenceForm is how a reference is selected: the law, for a case, from which reverse chains start.
type referenceForm = selector.Form[*experiments.Case, []float64]

// ParseReference returns the law from which reverse chains start in place of the target: uniform, the initial
// distribution, the target itself, its likeliest state, one state by its number from 0 in row-major order (on a graph by
// its label), the target given the value of an axis, or one from a file that holds its logarithm up to a constant, as a target's file does.
func ParseReference(text string, c *experiments.Case) ([]float64, error) {
	return experiments.ParseLaw(ReferenceForms(), text, c)
}
