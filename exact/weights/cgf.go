package weights

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/exact/internal/stage"
)

// CGF returns K(l) = log E[w^l] of the weight w of one chain in the given direction, for each l, by
// tilted propagation: the mass that reaches a state is multiplied by (f_t/f_{t-1})^l on its way. K
// is +Inf if a weight to a negative power (forward) or a positive one (reverse) is infinite with
// positive probability.
//
// Forward, K(1) = log(Z_T/Z_1), and E[w^2]/E[w]^2 - 1 is the relative variance of w; in reverse,
// K(-1) = -log(Z_T/Z_1). It takes one sweep of O(T entries len(l)) time, and O(entries + states
// len(l)) memory.
func CGF(ctx context.Context, a *chains.Annealing, d chains.Direction, l []float64) ([]float64, error) {
	return computeCGF(ctx, a, d, l, false)
}

// FiniteCGF returns log E[w^l; 0 < w < Inf], the same over the chains with a finite and positive
// weight only. At l = 0 it is the log probability of such a weight.
func FiniteCGF(ctx context.Context, a *chains.Annealing, d chains.Direction, l []float64) ([]float64, error) {
	return computeCGF(ctx, a, d, l, true)
}

func computeCGF(ctx context.Context, a *chains.Annealing, d chains.Direction, l []float64,
	finiteOnly bool) ([]float64, error) {
	p := newProblem(a, Options{})
	t := &tiltedMasses{powers: l, finiteOnly: finiteOnly}
	if err := p.propagate(ctx, d, t, p.Step); err != nil {
		return nil, err
	}
	p.Flush()
	return t.logMeanPowers(p.Offset), nil
}

// logMeanPowers returns log E[w^l] for each power l, given what centring has taken from log w.
func (m *tiltedMasses) logMeanPowers(offset float64) []float64 {
	out := make([]float64, len(m.powers))
	for i, l := range m.powers {
		out[i] = stage.Total(m.mass[i]).Log() + l*offset
		if m.infinite[i] {
			out[i] = math.Inf(1)
		}
	}
	return out
}

// EndCGF returns log E[w^l; 0 < w < Inf, the chain ends at x] for each l and each state x, where a
// forward chain ends at x_T and a reverse one at x_1: the joint distribution of the weight and the
// last state. It is -Inf if no chain of finite and positive weight ends at x. Time and memory are
// as for CGF.
//
// As the path distributions of both directions have the ratio w Z_1/Z_T on the paths of finite and
// positive weight, it also gives the joint distribution of the weight and of the first state:
// E_fwd[w^l; x_1 = x] = Z_T/Z_1 E_rev[w^(l-1); x_1 = x].
func EndCGF(ctx context.Context, a *chains.Annealing, d chains.Direction, l []float64) ([][]float64, error) {
	p := newProblem(a, Options{})
	t := &tiltedMasses{powers: l, finiteOnly: true}
	if err := p.propagate(ctx, d, t, p.Step); err != nil {
		return nil, err
	}
	out := make([][]float64, len(l))
	for i := range out {
		out[i] = make([]float64, len(t.mass[i]))
		for x, v := range t.mass[i] {
			out[i][x] = v.Log() + l[i]*p.Offset
		}
	}
	p.Flush()
	return out, nil
}

// Renyi returns the Rényi divergences of order alpha between the distributions of the whole forward
// and the whole reverse chain, in nats: forward is D_alpha(path_fwd || path_rev), and reverse is
// D_alpha(path_rev || path_fwd). Alpha must be above zero and not one; as it tends to one, they
// tend to the two divergences whose sum is B (see exact.Solution). The probability of a path in the
// reverse chain is w Z_1/Z_T times that in the forward chain, so that both divergences follow from
// E[w^s] (see CGF). D_2(path_rev || path_fwd) is the logarithm of one plus the relative variance of
// w. Renyi fails if CGF does and for any other alpha.
//
// Source: van Erven and Harremoes 2014, Eq. 4.
func Renyi(ctx context.Context, a *chains.Annealing, alpha float64) (forward, reverse float64, err error) {
	if !(alpha > 0) || alpha == 1 {
		return 0, 0, errs.New("weights: Rényi divergence of order %v; the order is above 0 and not 1", alpha)
	}
	r := newProblem(a, Options{})
	logZRatio := r.logZRatio() + r.Offset
	f, err := CGF(ctx, a, chains.Forward, []float64{1 - alpha})
	if err != nil {
		return 0, 0, err
	}
	v, err := CGF(ctx, a, chains.Reverse, []float64{alpha - 1})
	if err != nil {
		return 0, 0, err
	}
	return f[0]/(alpha-1) + logZRatio, v[0]/(alpha-1) - logZRatio, nil
}

// Cumulants are the first four cumulants of the log weight of one chain, in nats, nats squared and
// so on. If a weight is zero or infinite with positive probability, the mean is -Inf or +Inf and
// the others are NaN.
type Cumulants struct{ Mean, Variance, Third, Fourth float64 }

// CumulantsOf returns the cumulants of log w in the given direction, by propagating E[s^k; x], k =
// 0..4, of the partial sum s together with the distribution of the state x, with the mean
// subtracted at every stage. It takes one sweep of O(T entries) time and O(entries) memory. The
// k-th is accurate to about 1e-10 of the k-th power of the standard deviation.
func CumulantsOf(ctx context.Context, a *chains.Annealing, d chains.Direction) (Cumulants, error) {
	p := newProblem(a, Options{})
	j, err := p.propagateMoments(ctx, d)
	if err != nil {
		return Cumulants{}, err
	}
	p.Flush()
	return j.ofAll(d, p.Offset), nil
}

// ofAll returns the cumulants of all chains in a direction, given what centring has taken from log
// w.
func (j *joint) ofAll(d chains.Direction, offset float64) Cumulants {
	if j.lost {
		return Cumulants{math.Inf(2*int(d) - 1), math.NaN(), math.NaN(), math.NaN()}
	}
	_, m := j.cumulants()
	m.Mean += offset
	return m
}

// CumulantsAndCGF returns the results of CumulantsOf and CGF from one sweep: on large spaces making
// the rows of the kernel takes longer than applying them.
func CumulantsAndCGF(ctx context.Context, a *chains.Annealing, d chains.Direction,
	l []float64) (Cumulants, []float64, error) {
	p := newProblem(a, Options{})
	j := &joint{}
	t := &tiltedMasses{powers: l}
	if err := p.propagate(ctx, d, together{j, t}, p.Step); err != nil {
		return Cumulants{}, nil, err
	}
	p.Flush()
	return j.ofAll(d, p.Offset), t.logMeanPowers(p.Offset), nil
}

// together is a moment carrier and one of tilted masses that are propagated together.
type together struct {
	*joint
	masses *tiltedMasses
}

// start implements carrier.
func (c together) start(first *stage.Density) {
	c.joint.start(first)
	c.masses.start(first)
}

// tilt implements carrier.
func (c together) tilt(s *stage.Stage) {
	c.joint.tilt(s)
	c.masses.tilt(s)
}

// carryMove implements carrier.
func (c together) carryMove(ctx context.Context, moves stage.Matrix) error {
	if err := c.joint.carryMove(ctx, moves); err != nil {
		return err
	}
	return c.masses.carryMove(ctx, moves)
}

// propagateMoments takes the moments of the chains of finite and positive weight through all
// stages.
func (p *problem) propagateMoments(ctx context.Context, d chains.Direction) (*joint, error) {
	j := &joint{}
	return j, p.propagate(ctx, d, j, p.Step)
}
