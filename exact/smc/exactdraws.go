package smc

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/exact"
	"breadboard/exact/internal/stage"
)

// drawsExactly reports whether the kernel of every stage draws from its distribution, from any
// state: the heat bath on a line.
func drawsExactly(a *chains.Annealing) bool {
	for t := 2; t <= a.Distributions(); t++ {
		k, ok := a.KernelAt(t).(kernels.HeatBathAxis)
		if !ok || k.Space.Sides()[k.Axis] != a.States() {
			return false
		}
		if a.Kernel() != nil {
			break // it is the same at every stage
		}
	}
	return true
}

// solveDraws returns the distribution of particles that are resampled at every stage and then drawn
// from p_t. For any scheme they are independent draws, so that q = p, and Zhat is the product of
// independent means of P weights, one for each stage. In meta-inference one of the weights of each
// stage is drawn with its probability times the weight.
//
// With w_t = f_t/f_(t-1) over Z_t/Z_(t-1) at draws x_1, ..., x_P from p_(t-1),
//
//	Zhat/Z = product over t of (w_t(x_1) + ... + w_t(x_P))/P,
//
//	1 + relative variance = product over t of (1 + Var w_t/(P (E w_t)^2)),
//
//	P(extinct) = 1 - product over t of (1 - P(w_t = 0)^P).
//
// The means of the logarithms are those of NewAtoms, one stage at a time. Time is O(T n) besides
// these.
func solveDraws(ctx context.Context, a *chains.Annealing, P int, o Options) (*Law, error) {
	p := stage.NewProblem(a, o.Progress)
	s := stage.NewStage(p.Annealing)
	first := s.Here.LogZ
	l := &Law{Method: MethodDraws, LogRatio: make([]float64, a.States())}
	var forward, conditional, survives, spread, mean number.Sum
	for t := 2; t <= a.Distributions(); t++ {
		if err := p.Step(ctx); err != nil {
			return nil, err
		}
		s.LoadPath(t)
		d := drawnStage(s)
		side, err := NewAtoms([]float64{0}, []TraceLaw{d.law})
		if err != nil {
			return nil, stage.WrapStage(a, t, err)
		}
		moments, err := side.Traces(ctx, []int{P})
		if err != nil {
			return nil, err
		}
		forward.Add(moments[0].Meta[0])
		conditional.Add(moments[0].Run[0])
		survives.Add(math.Log1p(-math.Pow(d.zero, float64(P))))
		spread.Add(math.Log1p(d.variance / d.mean / d.mean / float64(P)))
		mean.Add(number.Log(d.mean))
	}
	p.Flush()
	l.LogZRatio = s.Here.LogZ - first + p.Offset
	l.Extinct = 0 - math.Expm1(survives.Value()) // 0 - 0 has no sign, as -0 has
	l.RelativeVariance = math.Expm1(spread.Value())
	l.MeanLogZForward, l.MeanLogZConditional = l.LogZRatio+forward.Value(), l.LogZRatio+conditional.Value()
	l.B = conditional.Value() - forward.Value()
	l.round(rounding(a))
	for x := range l.LogRatio {
		l.LogRatio[x] = math.Log1p(-l.Extinct)
		if !s.Here.On(x) {
			l.LogRatio[x] = math.NaN()
		}
	}
	if l.Extinct > 0 {
		l.noteExtinct("all particles are where a later distribution is zero")
	}
	if math.IsInf(conditional.Value(), 1) {
		l.note("the mean of log Zhat is +Inf in meta-inference, and B too: the target has mass where an " +
			"earlier distribution is zero")
	} else {
		l.Identities = []exact.Identity{exact.NewIdentity("E Zhat = Z",
			math.Exp(mean.Value()), 1, exact.IdentityTolerance(a.Distributions()))}
	}
	return l, nil
}

// drawn is the distribution of the weight of a draw from p_{t-1}, over Z_t/Z_{t-1}.
type drawn struct {
	law                  TraceLaw
	zero, mean, variance float64
}

func drawnStage(s *stage.Stage) (d drawn) {
	var zero, rise, square, gained number.BlockSum
	for x, p := range s.Before.P {
		w := Atom{LogW: math.Inf(-1), P: p}
		switch {
		case s.Both(x):
			w.LogW = -s.Lambda[x]
		case s.Before.On(x):
			zero.Add(p)
		default:
			gained.Add(s.Here.P[x])
			continue
		}
		e := math.Expm1(w.LogW)
		rise.Add(p * e)
		square.Add(p * e * e)
		d.law.Atoms = append(d.law.Atoms, w)
	}
	d.zero, d.law.RunOnly = zero.Value(), gained.Value()
	r := rise.Value()
	d.mean, d.variance = 1+r, square.Value()-r*r
	return d
}
