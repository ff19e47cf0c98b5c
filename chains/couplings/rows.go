package couplings

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/grid"
)

// ofRows returns the form that couples the two rows of a kernel.
func ofRows(draw func(c chains.Chooser, p, q []chains.Entry) (x2, y2 int)) func(k chains.Kernel) (Coupling, error) {
	return func(k chains.Kernel) (Coupling, error) {
		rower, has := k.(chains.Rower)
		if !has {
			return nil, errNoRows
		}
		return Func(func(c chains.Chooser, logf []float64, x, y int) (x2, y2 int) {
			return draw(c, tidy(rower.AppendRow(nil, logf, x)), tidy(rower.AppendRow(nil, logf, y)))
		}), nil
	}
}

// tidy orders a row by state, and puts the entries of one state together.
func tidy(row []chains.Entry) []chains.Entry {
	slices.SortStableFunc(row, func(a, b chains.Entry) int { return cmp.Compare(a.To, b.To) })
	out := row[:0]
	for _, e := range row {
		switch {
		case len(out) > 0 && out[len(out)-1].To == e.To:
			out[len(out)-1].P += e.P
		case e.P > 0:
			out = append(out, e)
		}
	}
	return out
}

// overlap draws the two states alike with the largest probability, the sum of min(p, q), and else leaves them to residuals, which draws from
// what remains of the two rows. The sums of what remains are sums of positive terms, so that a small one keeps its digits.
func overlap(c chains.Chooser, p, q []chains.Entry, residuals func(c chains.Chooser, p, q []chains.Entry) (x2, y2 int)) (x2, y2 int) {
	var shared, moreP, moreQ []chains.Entry
	for len(p) > 0 || len(q) > 0 {
		switch {
		case len(q) == 0 || len(p) > 0 && p[0].To < q[0].To:
			moreP, p = append(moreP, p[0]), p[1:]
		case len(p) == 0 || q[0].To < p[0].To:
			moreQ, q = append(moreQ, q[0]), q[1:]
		default:
			a, b := p[0], q[0]
			p, q = p[1:], q[1:]
			shared = append(shared, chains.Entry{To: a.To, P: min(a.P, b.P)})
			switch {
			case a.P > b.P:
				moreP = append(moreP, chains.Entry{To: a.To, P: a.P - b.P})
			case b.P > a.P:
				moreQ = append(moreQ, chains.Entry{To: a.To, P: b.P - a.P})
			}
		}
	}
	alike, apart := total(shared), min(total(moreP), total(moreQ))
	if together(c, alike, apart) {
		x2 = draw(c, shared)
		return x2, x2
	}
	return residuals(c, moreP, moreQ)
}

// residual is the probability below which what remains of two rows is rounding: they are equal.
const residual = 1e-17

// together decides between two events whose probabilities are a and b up to rounding, without a choice where one of them is impossible.
func together(c chains.Chooser, a, b float64) bool {
	switch {
	case b < residual:
		return true
	case a < residual:
		return false
	}
	return c.Choose([]float64{a / (a + b), b / (a + b)}) == 0
}

func total(row []chains.Entry) (sum float64) {
	for _, e := range row {
		sum += e.P
	}
	return sum
}

func draw(c chains.Chooser, row []chains.Entry) int {
	p := make([]float64, len(row))
	for i, e := range row {
		p[i] = e.P
	}
	return row[choose(c, p)].To
}

// choose chooses an index in proportion to masses, without a choice where there is only one. It makes probabilities of the masses.
func choose(c chains.Chooser, masses []float64) int {
	if len(masses) == 1 {
		return 0
	}
	sum := 0.0
	for _, m := range masses {
		sum += m
	}
	for i := range masses {
		masses[i] /= sum
	}
	return c.Choose(masses)
}

// independentResiduals is a maximal coupling in which what remains is independent.
func independentResiduals(c chains.Chooser, p, q []chains.Entry) (x2, y2 int) {
	return overlap(c, p, q, func(c chains.Chooser, p, q []chains.Entry) (x2, y2 int) {
		x2 = draw(c, p)
		return x2, draw(c, q)
	})
}

// comonotoneResiduals is a maximal coupling in which what remains is drawn by one uniform number.
func comonotoneResiduals(c chains.Chooser, p, q []chains.Entry) (x2, y2 int) {
	return overlap(c, p, q, comonotoneRows)
}

// comonotoneRows draws both states by one uniform number through their inverse distribution functions, in the order of the states. A cell of
// the two partitions that is smaller than residual is rounding and left out on both sides.
func comonotoneRows(c chains.Chooser, p, q []chains.Entry) (x2, y2 int) {
	type cell struct{ x, y int }
	var cells []cell
	var masses []float64
	i, j, sumP, sumQ := 0, 0, total(p), total(q)
	leftP, leftQ := p[0].P/sumP, q[0].P/sumQ
	for {
		step := min(leftP, leftQ)
		if step > residual {
			cells, masses = append(cells, cell{p[i].To, q[j].To}), append(masses, step)
		}
		leftP, leftQ = leftP-step, leftQ-step
		if leftP <= residual {
			if i++; i == len(p) {
				break
			}
			leftP = p[i].P / sumP
		}
		if leftQ <= residual {
			if j++; j == len(q) {
				break
			}
			leftQ = q[j].P / sumQ
		}
	}
	at := cells[choose(c, masses)]
	return at.x, at.y
}

// ofProposals couples the proposals of a kernel maximally: the laws of the proposed state, where a step off the space proposes the state
// itself, which is always accepted. What remains of the two laws is independent. One uniform number decides about both proposals. Of a
// heat bath, one axis is drawn for both, and the laws along the two lines are coupled maximally.
func ofProposals(k chains.Kernel) (Coupling, error) {
	switch k := k.(type) {
	case kernels.Metropolis:
		return proposals{k.Space, func(from, to float64) float64 { return math.Exp(min(0, to-from)) }}, nil
	case kernels.Barker:
		return proposals{k.Space, func(from, to float64) float64 { return 1 / (1 + math.Exp(from-to)) }}, nil
	}
	if parts, combined := chains.PartsOf(k); combined && !parts.Sequential {
		lines := make([]Coupling, len(parts.Kernels))
		for i, part := range parts.Kernels {
			if _, line := part.(kernels.HeatBathAxis); !line {
				return nil, errProposals
			}
			lines[i], _ = ofRows(independentResiduals)(part)
		}
		weights := parts.Weights
		return Func(func(c chains.Chooser, logf []float64, x, y int) (x2, y2 int) {
			at := 0
			if len(lines) > 1 {
				at = c.Choose(weights)
			}
			return faithful{parts.Kernels[at], lines[at]}.Couple(c, logf, x, y)
		}), nil
	}
	return nil, errProposals
}

var errProposals = errors.New("it proposes no neighbour; proposals is for metropolis, barker and heatbath, and all other couplings are for any kernel")

// proposals couples a kernel that proposes a neighbour and accepts it by a rule.
type proposals struct {
	space  grid.Graph
	accept func(from, to float64) float64 // of a state where f is positive
}

// Couple implements Coupling.
func (k proposals) Couple(c chains.Chooser, logf []float64, x, y int) (x2, y2 int) {
	px, py := overlap(c, k.law(x), k.law(y), func(c chains.Chooser, p, q []chains.Entry) (int, int) {
		px := draw(c, p)
		return px, draw(c, q)
	})
	a, b := k.accepted(logf, x, px), k.accepted(logf, y, py)
	both, either := min(a, b), max(a, b)
	switch decide(c, both, either-both, 1-either) {
	case 0:
		return px, py
	case 1:
		if a > b {
			return px, y
		}
		return x, py
	}
	return x, y
}

// law returns the law of the proposed state.
func (k proposals) law(x int) []chains.Entry {
	directions := k.space.Directions()
	row := make([]chains.Entry, directions)
	for d := range directions {
		row[d] = chains.Entry{To: x, P: 1 / float64(directions)}
		if y, inside := k.space.Neighbour(x, d); inside {
			row[d].To = y
		}
	}
	return tidy(row)
}

// accepted returns the probability with which the proposal of a state is accepted.
func (k proposals) accepted(logf []float64, from, to int) float64 {
	switch {
	case from == to:
		return 1
	case math.IsInf(logf[to], -1):
		return 0
	case math.IsInf(logf[from], -1):
		return 1
	}
	return k.accept(logf[from], logf[to])
}

// decide chooses among events in proportion to their masses, of which those up to residual are rounding.
func decide(c chains.Chooser, p ...float64) int {
	var possible []int
	var masses []float64
	for i, mass := range p {
		if mass > residual {
			possible, masses = append(possible, i), append(masses, mass)
		}
	}
	return possible[choose(c, masses)]
}
