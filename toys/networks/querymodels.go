package networks

import (
	"math"
	"slices"

	"breadboard/grid"
	"breadboard/toys/models"
)

// Model is a Bayesian network with evidence as a model of data: the evidence is the data, and the
// free variables are latent.
//
// Its prior is the distribution of the free variables in the mutilated network: the product of
// their own tables, in which observed parents have the values that were seen. It is the
// distribution from which likelihood weighting draws (Fung and Chang 1990; Shachter and Peot 1990).
// The likelihood is the product of the tables of the observed variables. Of hidden variables, prior
// and joint distribution are summed over them, and the likelihood is the ratio of the two sums.
type Model struct {
	space             *grid.Lattice
	axes              []models.Axis
	prior, likelihood []float64
}

var _ models.Named = (*Model)(nil)

// model makes the model of a query about a Bayesian network.
func (q *Query) model(t *Target, free []int) (*Model, error) {
	m := &Model{space: t.Space, axes: t.Axes}
	own, seen := q.Parts()
	var err error
	m.prior, err = q.summed(free, own)
	if err != nil {
		return nil, err
	}
	switch {
	case seen == nil:
		m.likelihood = make([]float64, len(m.prior))
	case !slices.Contains(q.Hidden, true):
		m.likelihood = logProducts(seen, free, q.Cards())
	default:
		m.likelihood, err = q.summed(free, append(own, seen...))
		if err != nil {
			return nil, err
		}
		for x, prior := range m.prior {
			if math.IsInf(prior, -1) {
				m.likelihood[x] = 0 // the state is impossible, and no data have a likelihood there
			} else {
				m.likelihood[x] -= prior
			}
		}
	}
	return m, nil
}

// Parts returns the factors of Clamped in two parts, whose products are the prior and the
// likelihood of a Bayesian network (see Model). Those of a Markov network are all in the second.
func (q *Query) Parts() (prior, likelihood []Factor) {
	for v, f := range q.Clamped() {
		if q.Bayes && q.Evidence[v] == Unseen {
			prior = append(prior, f)
		} else {
			likelihood = append(likelihood, f)
		}
	}
	return prior, likelihood
}

// possible reports whether the data have a positive probability.
func (m *Model) possible() bool {
	for x, prior := range m.prior {
		if !math.IsInf(prior, -1) && !math.IsInf(m.likelihood[x], -1) {
			return true
		}
	}
	return false
}

// Space implements models.Model.
func (m *Model) Space() *grid.Lattice { return m.space }

// Axes implements models.Named.
func (m *Model) Axes() []models.Axis { return m.axes }

// LogPrior implements models.Model.
func (m *Model) LogPrior() []float64 { return slices.Clone(m.prior) }

// LogLikelihood implements models.Model. As no variable is continuous, the power b is that of the
// likelihood.
func (m *Model) LogLikelihood(b float64) []float64 {
	out := make([]float64, len(m.likelihood))
	if b == 0 {
		return out
	}
	for x, v := range m.likelihood {
		out[x] = b * v
	}
	return out
}

// Generative is a Model whose evidence can be drawn anew, given the free variables. No child of an
// observed variable is free, so its prior does not depend on the evidence, and no variable is
// hidden. Its data are one row: the numbers of the observed values.
type Generative struct {
	*Model
	factors  []Factor
	cards    []int
	free     []int
	observed []int // each behind its parents
	evidence []int
}

var _ models.Generative = (*Generative)(nil)

// Generative returns the model of a target whose evidence can be drawn anew, and false if it
// cannot, or if there is none.
func (q *Query) Generative(t *Target) (*Generative, bool) {
	g := &Generative{
		Model:    t.Model,
		factors:  q.Factors,
		cards:    q.Cards(),
		free:     q.Free(),
		evidence: q.Evidence,
	}
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

// With implements models.Generative.
func (g *Generative) With(y [][]float64) models.Generative {
	other := *g
	model := *g.Model
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

// Simulate implements models.Generative: it draws each observed variable given its parents, by the
// inverse of its distribution function at the probability below a normal number.
func (g *Generative) Simulate(z int, normals models.Normals) [][]float64 {
	values := configurationAt(g.space, z, g.free, len(g.cards))
	row := make([]float64, len(g.observed))
	for i, v := range g.observed {
		f := g.factors[v]
		at := 0
		for _, w := range f.Scope {
			at = at*g.cards[w] + values[w] // of v itself it is the first value
		}
		below := math.Erfc(-normals.NormFloat64()/math.Sqrt2) / 2
		sum := 0.0
		for value, p := range f.Values[at : at+g.cards[v]] {
			if p > 0 {
				values[v] = value
			}
			sum += p
			if below < sum {
				break
			}
		}
		row[i] = float64(values[v])
	}
	return [][]float64{row}
}

// Possible returns all data that can be observed, including those of probability zero; nil if there
// are more than most.
func (g *Generative) Possible(most int) (all [][][]float64) {
	all = [][][]float64{{make([]float64, len(g.observed))}}
	for i, v := range g.observed {
		var next [][][]float64
		for _, y := range all {
			for value := range g.cards[v] {
				row := slices.Clone(y[0])
				row[i] = float64(value)
				next = append(next, [][]float64{row})
			}
		}
		all = next
		if len(all) > most {
			return nil
		}
	}
	return all
}

// configurationAt returns the values that free variables have at a state, among those of all
// variables.
func configurationAt(space *grid.Lattice, state int, free []int, variables int) []int {
	values := make([]int, variables)
	for axis, v := range free {
		values[v] = space.Coord(state, axis)
	}
	return values
}
