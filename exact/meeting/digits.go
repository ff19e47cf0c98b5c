package meeting

import (
	"context"
	"math"
)

// lostDigits bounds the relative error that the mean numbers of moves have from the rows of the
// coupling, to first order. Small probabilities of a coupling are differences, with few digits, if
// the kernel makes a choice by a probability near one. Each chain by itself must move by the rows
// of the kernel, which have all digits: the relative error of the moves to a state is that of the
// marginal probability.
//
// With V the mean numbers of moves, Q the moves of pairs that have not met, and e_x(x') the
// relative error of the marginal probability of x' from x, the error of V is at most
//
//	(I - Q)^-1 u, u(x,y) = sum over x', y' of P(x',y'|x,y) (e_x(x') + e_y(y')) |V(x',y') - V(x,y)|.
//
// Time is O(entries of the pairs), and one solution of their equations.
func (s *Solved) lostDigits(ctx context.Context) (lost float64, err error) {
	p := s.ordered
	n := s.ordered.Chain.States()
	never := s.systems.never()
	off := make([]float64, len(s.V)) // the term of a move in the mean
	first := make([]float64, n)
	second := make([]float64, n)
	rows := make([]float64, n*n)
	for x := range n {
		for _, e := range p.Chain.Rows.Row(x) {
			rows[x*n+e.To] = e.P
		}
	}
	for _, xy := range p.states {
		x, y := int(xy[0]), int(xy[1])
		at := s.pairs.number[x*n+y]
		if never[at] || math.IsInf(s.V[at], 1) {
			continue
		}
		row := p.RowOf(x, y)
		for _, e := range row {
			first[e.To/n] += e.P
			second[e.To%n] += e.P
		}
		missing(first, rows[x*n:(x+1)*n])
		missing(second, rows[y*n:(y+1)*n])
		sum := 0.0
		for _, e := range row {
			sum += e.P * (first[e.To/n] + second[e.To%n]) * math.Abs(s.MeanTime(e.To/n, e.To%n)-s.V[at])
		}
		for _, e := range row {
			first[e.To/n], second[e.To%n] = 0, 0
		}
		off[at] = max(off[at], sum)
	}
	if greatest(off) == 0 {
		return 0, ctx.Err()
	}
	errors, err := s.systems.about(ctx, off)
	if err != nil {
		return 0, err
	}
	for at, v := range s.V {
		if !never[at] && !math.IsInf(v, 1) {
			lost = max(lost, errors[at]/v)
		}
	}
	return lost, nil
}

// missing replaces the marginal probabilities of one chain by their relative errors against those
// of the kernel.
func missing(marginal, row []float64) {
	for to, got := range marginal {
		if want := row[to]; got > 0 && want > 0 {
			marginal[to] = math.Abs(got-want) / min(got, want)
		} else if got > 0 {
			marginal[to] = 1
		}
	}
}
