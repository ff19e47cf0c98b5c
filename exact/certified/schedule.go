package certified

import (
	"fmt"
	"math/big"

	"breadboard/chains"
	"breadboard/chains/schedules"
)

// steps returns the function that gives b_t - b_{t-1} for t = 2..T with guard more bits. Its relative error is at most
// 2^-(bits+20), so that its product with a log f of thousands of nats is right to a fraction of a unit of 2^-bits. The
// betas are the exact values of the schedule's formula, or the given float64 numbers for schedules.Points.
func (a arithmetic) steps(schedule chains.Schedule, T int) (func(t int) *big.Float, error) {
	w := a.wider()
	ratio := func(i, j int) *big.Float { return w.zero().Quo(whole(int64(i), w.bits), whole(int64(j), w.bits)) }
	switch s := schedule.(type) {
	case schedules.Linear:
		step := ratio(1, T-1)
		return func(int) *big.Float { return step }, nil
	case *schedules.Points:
		return func(t int) *big.Float { return w.zero().Sub(w.fromFloat(s.Beta(t, T)), w.fromFloat(s.Beta(t-1, T))) }, nil
	case schedules.Power:
		power := func(i, j int) *big.Float { return w.zero().Mul(w.fromFloat(s.P), w.log(ratio(i, j))) }
		return func(t int) *big.Float {
			if t == 2 {
				return w.exp(power(1, T-1))
			}
			return w.zero().Mul(w.exp(power(t-2, T-1)), w.expm1(power(t-1, t-2)))
		}, nil
	case schedules.Sigmoid:
		return a.sigmoid(s, T), nil
	case *schedules.Curve:
		return a.curve(s, T), nil
	}
	return nil, fmt.Errorf("schedule %v cannot be certified; linear, sigmoid, power, curve and points from a file can", schedule)
}

// curve returns the steps of schedules.Curve: the end of a line, whole lines and the beginning of another line, none of which is negative,
// so that nothing cancels in their sum.
func (a arithmetic) curve(s *schedules.Curve, T int) func(t int) *big.Float {
	w := a.wider()
	rise := func(from, to int) *big.Float {
		return w.zero().Sub(w.fromFloat(s.Point(to)), w.fromFloat(s.Point(from)))
	}
	part := func(k, of int) *big.Float { // of/(T-1) of the line from point k on
		if of == 0 {
			return w.zero()
		}
		return w.zero().Quo(w.zero().Mul(rise(k, k+1), whole(int64(of), w.bits)), whole(int64(T-1), w.bits))
	}
	return func(t int) *big.Float {
		from, left := s.Place(t-1, T)
		to, right := s.Place(t, T)
		if from == to {
			return part(from, right-left)
		}
		step := w.zero().Add(part(from, T-1-left), rise(from+1, to))
		return step.Add(step, part(to, right))
	}
}

// sigmoid returns the steps of schedules.Sigmoid through
// s(a) - s(b) = sinh((a-b)/2) / (2 cosh(a/2) cosh(b/2)), in which nothing cancels.
func (a arithmetic) sigmoid(s schedules.Sigmoid, T int) func(t int) *big.Float {
	w := a.wider()
	part := func(i int) *big.Float { // Delta i/T
		return w.zero().Quo(w.zero().Mul(w.fromFloat(s.Delta), whole(int64(i), w.bits)), whole(int64(T), w.bits))
	}
	sinh := func(x *big.Float) *big.Float { // 2 sinh(x)
		m := w.expm1(x)
		return w.zero().Add(m, w.zero().Quo(m, w.exp(x)))
	}
	cosh := func(t int) *big.Float { // 2 cosh(a_t/2)
		e := w.exp(w.zero().Sub(part(t), w.zero().Mul(w.fromFloat(s.Delta), w.fromFloat(0.5))))
		return w.zero().Add(e, w.zero().Quo(w.one, e))
	}
	scale := w.zero().Quo(w.zero().Mul(cosh(T), cosh(1)), sinh(part(T-1)))
	scale.Mul(scale, sinh(part(1)))
	return func(t int) *big.Float { return w.zero().Quo(scale, w.zero().Mul(cosh(t), cosh(t-1))) }
}
