package stage

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/work"
	"breadboard/exact/kernel"
)

// Returns gives the place of the reverse entry for each entry of the matrix of a direction: its
// place in the entries of the matrix of the other direction, -1 if there is none. It fails if the
// context ends while they are computed, which is once for many calls.
func (m *Move) Returns(ctx context.Context, d chains.Direction) ([]int32, error) {
	if !m.Reversed() {
		d = chains.Forward
	}
	if !m.known[d] {
		returns, err := m.Along(d).Rows.Returns(ctx, m.returns[d], m.Along(1-d).Rows)
		if err != nil {
			return nil, err
		}
		m.returns[d], m.known[d] = returns, true
	}
	return m.returns[d], nil
}

// takeTiny moves the entries that are too small for float64 to lists of logarithms.
func (s *Stage) takeTiny(ctx context.Context, m *Move) (err error) {
	m.Backward.Tiny, err = s.appendTiny(ctx, m.Backward.Tiny, m, chains.Reverse)
	if err != nil {
		return err
	}
	m.Forward.Tiny = m.Backward.Tiny
	if m.Reversed() {
		m.Forward.Tiny, err = s.appendTiny(ctx, nil, m, chains.Forward)
	}
	return err
}

// appendTiny moves the entries of the rows of a direction that are too small for float64 to a list
// of logarithms, which it appends to dst in the order of the states that they lead to. It finds
// them from the entries of the other direction, through p(y) rows(y,x) = p(x) reversal(x,y).
func (s *Stage) appendTiny(ctx context.Context, dst []TinyEntry, m *Move,
	d chains.Direction) ([]TinyEntry, error) {
	rows := m.Along(d).Rows
	reversal := m.Along(1 - d).Rows
	returns, err := m.Returns(ctx, 1-d)
	if err != nil {
		return dst, err
	}
	i := -1
	for x := range s.Logf {
		for _, e := range reversal.Row(x) {
			i++
			y := e.To
			at := returns[i]
			if y == x || e.P < kernel.Tiny || !s.Here.On(x) || !s.Here.On(y) ||
				at >= 0 && rows.Entries[at].P >= kernel.Tiny {
				continue
			}
			if at >= 0 {
				rows.Entries[at].P = 0
			}
			dst = append(dst, TinyEntry{y, x, number.Log(e.P) + s.Logf[x] - s.Logf[y]})
		}
	}
	return dst, nil
}

// checkBalance returns an error unless p(x) T(x,y) = p(y) R(y,x) for the kernel T of a move and its
// time reversal R, and unless no state of positive probability leads to one of zero.
func (s *Stage) checkBalance(ctx context.Context, m *Move) error {
	for d := chains.Forward; d <= chains.Reverse; d++ {
		if d == chains.Reverse && !m.Reversed() {
			break
		}
		returns, err := m.Returns(ctx, d)
		if err != nil {
			return err
		}
		if err := s.checkFlows(ctx, m.Kernel, m.Along(d).Rows, m.Along(1-d).Rows, returns); err != nil {
			return err
		}
	}
	return nil
}

// lookEvery is about the number of entries between two checks of the context.
const lookEvery = 1 << 14

// checkFlows checks the flows along rows against those of the time reversal.
func (s *Stage) checkFlows(ctx context.Context, k chains.Kernel, rows, reversal *kernel.Rows,
	returns []int32) error {
	i := -1
	for x := range s.Logf {
		for _, e := range rows.Row(x) {
			i++
			if i%lookEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if e.P == 0 || !s.Here.On(x) {
				continue
			}
			if !s.Here.On(e.To) {
				return kernel.ErrToZero(k, x, e.To)
			}
			there := s.Here.P[x] * e.P
			back := 0.0
			if at := returns[i]; at >= 0 {
				back = s.Here.P[e.To] * reversal.Entries[at].P
			}
			if there > 1e-280 && math.Abs(there-back) > kernel.BalanceTolerance*max(there, back) {
				err := errs.New("kernel %s is not reversible: the flow from state %d to state %d is %v and the flow "+
					"back is %v; either the kernel or its stated time reversal is wrong",
					chains.NameOf(k), x, e.To, there, back)
				return chains.NewFault(work.AtStates(err, x, e.To))
			}
		}
	}
	return nil
}

// Back returns the probability R(y,x) of the time reversal to go from y to x, where forward is
// T(x,y) and at is the place of the reverse entry in the rows of R (see Returns), or -1.
func (s *Stage) Back(m *Move, at int32, y, x int, forward number.Wide) number.Wide {
	if s.Outside && s.Here.On(y) {
		if !s.Here.On(x) {
			return number.Wide{}
		}
		return forward.Mul(number.WideExp(s.Here.Log[x] - s.Here.Log[y]))
	}
	if at < 0 {
		return m.Backward.Probability(y, x)
	}
	return m.Backward.probabilityAt(at, y, x)
}

// Reaches reports whether the forward chain can move from x to y, given the place of the entry in
// its rows (see Returns), or -1.
func (m *Move) Reaches(at int32, x, y int) bool { return m.Forward.probabilityAt(at, x, y).M != 0 }
