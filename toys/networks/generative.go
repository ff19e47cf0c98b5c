package networks

import (
	"math"
	"slices"

	"breadboard/grid"
	"breadboard/toys/models"
)

// Generative is a Model whose evidence can be drawn anew, given the free variables. Its prior does not depend on the evidence, as no child of an
// observed variable is free, and no variable is hidden. Its data are one row, of the numbers of the values that were seen.
type Generative struct {
	*Model
	factors  []Factor
	cards    []int
	free     []int
	observed []int // each behind its parents
	evidence []int
}

var _ models.Generative = (*Generative)(nil)

// Generative returns the model of a target whose evidence can be drawn anew, and false where it cannot, or where there is none.
func (q *Query) Generative(t *Target) (*Generative, bool) {
	g := &Generative{Model: t.Model, factors: q.Factors, cards: q.Cards(), free: q.Free(), evidence: q.Evidence}
	if t.Model == nil || slices.Contains(q.Hidden, true) || len(g.free) == len(q.Variables) {
		return nil, false
	}
	for _, v := range g.free {
		if slices.ContainsFunc(q.Factors[v].Scope, func(w int) bool { return q.Evidence[w] != Unseen }) {
			return nil, false
		}
	}
	placed := map[int]bool{}
	var place func(v int)
	place = func(v int) { // the observed ancestors of an observed variable, and then itself
		if placed[v] || q.Evidence[v] == Unseen {
			return
		}
		placed[v] = true
		for _, parent := range q.Factors[v].Scope[:len(q.Factors[v].Scope)-1] {
			place(parent)
		}
		g.observed = append(g.observed, v)
	}
	for v := range q.Variables {
		place(v)
	}
	return g, true
}

// Rows implements models.Generative.
func (g *Generative) Rows() [][]float64 {
	row := make([]float64, len(g.observed))
	for i, v := range g.observed {
		row[i] = float64(g.evidence[v])
	}
	return [][]float64{row}
}

// LogLikelihoodAt implements models.Generative.
func (g *Generative) LogLikelihoodAt(z int) float64 { return g.likelihood[z] }

// With implements models.Generative.
func (g *Generative) With(y [][]float64) models.Generative {
	other, model := *g, *g.Model
	other.Model, other.evidence = &model, slices.Clone(g.evidence)
	var seen []Factor
	for i, v := range g.observed {
		other.evidence[v] = int(y[0][i])
	}
	for _, v := range g.observed {
		seen = append(seen, clamp(g.factors[v], g.cards, other.evidence))
	}
	model.likelihood = logProducts(seen, g.free, g.cards)
	return &other
}

// Simulate implements models.Generative: it draws each observed variable given its parents, by the inverse of its distribution function at
// the probability below a normal number.
func (g *Generative) Simulate(z int, normals models.Normals) [][]float64 {
	values := configurationAt(g.space, z, g.free, len(g.cards))
	row := make([]float64, len(g.observed))
	for i, v := range g.observed {
		f, at := g.factors[v], 0
		for _, w := range f.Scope {
			at = at*g.cards[w] + values[w] // of v itself it is the first value
		}
		below, sum := math.Erfc(-normals.NormFloat64()/math.Sqrt2)/2, 0.0
		for value, p := range f.Values[at : at+g.cards[v]] {
			if p > 0 {
				values[v] = value
			}
			if sum += p; below < sum {
				break
			}
		}
		row[i] = float64(values[v])
	}
	return [][]float64{row}
}

// configurationAt returns the values that free variables have at a state, among those of all variables.
func configurationAt(space *grid.Lattice, state int, free []int, variables int) []int {
	values := make([]int, variables)
	for axis, v := range free {
		values[v] = space.Coord(state, axis)
	}
	return values
}
