package couplings

import (
	"cmp"
	"math"
	"slices"

	"breadboard/chains"
)

// A maximal coupling of two rows p and q: both states are z with probability min(p(z), q(z)), and
// else they are drawn from what remains, p - min(p, q) and q - min(p, q), which share no state. The
// chains then meet with probability 1 - TV(p, q), which no coupling exceeds. Maximal couplings
// differ in how they draw from the remains. Time is O(entries log entries) for a pair.
//
// Source: Lindvall 1992; Thorisson 2000.

// moves draws the two states after one transition from a pair of states.
type moves func(c chains.Chooser) (x2, y2 int)

// ofRows returns the form that couples the two rows of a kernel.
func ofRows(draw func(p, q []chains.Entry) moves) func(k chains.Kernel) (Coupling, error) {
	return func(k chains.Kernel) (Coupling, error) {
		rower, has := k.(chains.Rower)
		if !has {
			return nil, errNoRows
		}
		return rows{rower, draw}, nil
	}
}

// rows couples the two rows of a kernel.
type rows struct {
	rower chains.Rower
	draw  func(p, q []chains.Entry) moves
}

// Couple implements Coupling.
func (r rows) Couple(c chains.Chooser, logf []float64, x, y int) (x2, y2 int) {
	return r.rowMoves(logf, x, y)(c)
}

func (r rows) rowMoves(logf []float64, x, y int) moves {
	return r.draw(tidy(r.rower.AppendRow(nil, logf, x)), tidy(r.rower.AppendRow(nil, logf, y)))
}

// At returns how a coupling moves one pair of states. For repeated use: what does not depend on the
// choices is computed once, if that takes long.
func At(c Coupling, logf []float64, x, y int) func(c chains.Chooser) (x2, y2 int) {
	if f, is := c.(faithful); is && x != y {
		if r, is := f.apart.(rows); is {
			return r.rowMoves(logf, x, y)
		}
	}
	return func(chooser chains.Chooser) (x2, y2 int) { return c.Couple(chooser, logf, x, y) }
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

// overlap returns what draws the two states alike with the largest probability, the sum of min(p,
// q), and else leaves them to residuals, which draw from what remains of the two rows.
// Probabilities of one state that differ by rounding are equal. What remains at the state that the
// rows share most is not found as a difference where both rows are nearly sure to go there, since
// that has no digits, but as what the remains elsewhere lack of each other.
func overlap(p, q []chains.Entry, residuals func(p, q []chains.Entry) moves) moves {
	var shared, apart []chains.Entry // apart is p - q
	most := -1
	moreP := 0.0
	moreQ := 0.0
	for _, e := range aligned(p, q) {
		both := min(e.p, e.q)
		if both > 0 && (most < 0 || both > shared[most].P) {
			most = len(shared)
		}
		shared = append(shared, chains.Entry{To: e.to, P: both})
		apart = append(apart, chains.Entry{To: e.to, P: unlessTied(e.p, e.q)})
	}
	for i, e := range apart {
		if i != most {
			moreP, moreQ = moreP+max(0, e.P), moreQ+max(0, -e.P)
		}
	}
	if most >= 0 {
		if moreP+moreQ < shared[most].P {
			apart[most].P = unlessTied(moreQ, moreP)
		}
		moreP, moreQ = moreP+max(0, apart[most].P), moreQ+max(0, -apart[most].P)
	}
	rest := min(moreP, moreQ)
	if most < 0 {
		return residuals(scaled(apart, 1), scaled(apart, -1))
	}
	alike := drawn(shared)
	both := func(c chains.Chooser) (x2, y2 int) {
		x2 = alike(c)
		return x2, x2
	}
	if rest == 0 {
		return both
	}
	which := chosen([]float64{total(shared), rest})
	remains := residuals(scaled(apart, 1), scaled(apart, -1))
	return func(c chains.Chooser) (x2, y2 int) {
		if which(c) == 0 {
			return both(c)
		}
		return remains(c)
	}
}

// either is a state with its probabilities in two rows.
type either struct {
	to   int
	p, q float64
}

// aligned lists the states of two rows that are ordered by state.
func aligned(p, q []chains.Entry) (all []either) {
	for len(p) > 0 || len(q) > 0 {
		switch {
		case len(q) == 0 || len(p) > 0 && p[0].To < q[0].To:
			all = append(all, either{p[0].To, p[0].P, 0})
			p = p[1:]
		case len(p) == 0 || q[0].To < p[0].To:
			all = append(all, either{q[0].To, 0, q[0].P})
			q = q[1:]
		default:
			all = append(all, either{p[0].To, p[0].P, q[0].P})
			p = p[1:]
			q = q[1:]
		}
	}
	return all
}

// unlessTied returns the difference of two numbers, and 0 if it is rounding.
func unlessTied(a, b float64) float64 {
	if math.Abs(a-b) <= tie*max(a, b) {
		return 0
	}
	return a - b
}

// scaled returns the entries of a row that are above zero once they are multiplied by a factor.
func scaled(row []chains.Entry, factor float64) (out []chains.Entry) {
	for _, e := range row {
		if e.P*factor > 0 {
			out = append(out, chains.Entry{To: e.To, P: e.P * factor})
		}
	}
	return out
}

func total(row []chains.Entry) (sum float64) {
	for _, e := range row {
		sum += e.P
	}
	return sum
}

// drawn returns what draws a state of a row.
func drawn(row []chains.Entry) func(c chains.Chooser) int {
	at := chosen(masses(row))
	return func(c chains.Chooser) int { return row[at(c)].To }
}

// chosen returns what chooses an index in proportion to masses, without a choice if there is only
// one. It makes probabilities of the masses.
func chosen(masses []float64) func(c chains.Chooser) int {
	if len(masses) == 1 {
		return func(chains.Chooser) int { return 0 }
	}
	sum := 0.0
	for _, m := range masses {
		sum += m
	}
	for i := range masses {
		masses[i] /= sum
	}
	return func(c chains.Chooser) int { return c.Choose(masses) }
}

// independentResiduals is a maximal coupling in which what remains is independent.
func independentResiduals(p, q []chains.Entry) moves {
	return overlap(p, q, independentMoves)
}

// independentMoves draws from two rows independently.
func independentMoves(p, q []chains.Entry) moves {
	x, y := drawn(p), drawn(q)
	return func(c chains.Chooser) (x2, y2 int) {
		x2 = x(c)
		return x2, y(c)
	}
}

// comonotoneResiduals is a maximal coupling in which what remains is drawn by one uniform number.
func comonotoneResiduals(p, q []chains.Entry) moves {
	return overlap(p, q, comonotoneRows)
}

// comonotoneRows draws both states by one uniform number through their inverse distribution
// functions, in the order of the states.
func comonotoneRows(p, q []chains.Entry) moves {
	var draw func(c chains.Chooser) cell // found once, but only if it is asked for
	return func(c chains.Chooser) (x2, y2 int) {
		if draw == nil {
			draw = chosenCell(overlay(masses(p), masses(q)))
		}
		at := draw(c)
		return p[at.x].To, q[at.y].To
	}
}

// masses returns the probabilities of a row, which sum to one.
func masses(row []chains.Entry) []float64 {
	p := make([]float64, len(row))
	sum := total(row)
	for i, e := range row {
		p[i] = e.P / sum
	}
	return p
}
