package couplings

import (
	"cmp"
	"slices"

	"breadboard/chains"
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

// total returns the sum of the probabilities of entries.
func total(row []chains.Entry) (sum float64) {
	for _, e := range row {
		sum += e.P
	}
	return sum
}

// draw draws a state in proportion to the probabilities of entries.
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
