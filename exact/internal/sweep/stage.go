package sweep

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/exact/internal/number"
	"breadboard/exact/kernel"
)

// Stage holds what one step of the annealing needs: the distributions p_{t-1} and p_t, and the kernel T_t with its time
// reversal. Load moves it to any stage t, in any order.
type Stage struct {
	Annealing *chains.Annealing
	Kernel    chains.Kernel // T_t

	t            int
	Logf         []float64 // log f_t of each state
	Delta        []float64 // log f_t - log f_{t-1} of each state
	Before, Here Density   // p_{t-1} and p_t
	// Lambda is log(p_{t-1}/p_t) of each state at which both are positive.
	Lambda []float64
	// Partial says that p_{t-1} and p_t are not positive on the same states.
	Partial bool

	Outside  bool         // whether the kernel is not of the library
	flows    kernel.Flows // examines the rows of a kernel that is not of the library
	Forward  Operator     // T_t
	Backward Operator     // the time reversal of T_t, with the rows of Forward themselves where the kernel is reversible
	separate *kernel.Rows // memory for the time reversal of a kernel of the library that is not reversible
}

// NewStage returns a stage that holds p_1 as Here, and no kernel yet.
func NewStage(a *chains.Annealing) *Stage {
	n := a.States()
	s := &Stage{
		Annealing: a,
		Logf:      make([]float64, n), Delta: make([]float64, n), Lambda: make([]float64, n),
		Before:  Density{Log: make([]float64, n), P: make([]float64, n)},
		Here:    Density{Log: make([]float64, n), P: make([]float64, n)},
		Forward: Operator{Rows: &kernel.Rows{}},
	}
	s.Backward = s.Forward
	s.LoadDensity(&s.Here, 1)
	s.t = 1
	return s
}

// LoadDensity computes p_t into d, and leaves log f_t in s.Logf.
func (s *Stage) LoadDensity(d *Density, t int) {
	s.Annealing.LogF(s.Logf, t)
	d.LogZ = number.LogSumExp(s.Logf)
	for x, v := range s.Logf {
		d.Log[x] = v - d.LogZ
		d.P[x] = math.Exp(d.Log[x])
	}
}

// Reversed reports whether the time reversal has rows of its own: the kernel is then not reversible.
func (s *Stage) Reversed() bool { return s.Backward.Rows != s.Forward.Rows }

// Load moves the stage to t, 2 <= t <= T, with the rows of T_t and its reversal. It looks at the context at every row.
// It fails where the context ends and where the kernel does not do what it says.
func (s *Stage) Load(ctx context.Context, t int) error {
	s.LoadPath(t)
	return s.loadRows(ctx)
}

// LoadPath moves the stage to t without loading the rows of the kernel.
func (s *Stage) LoadPath(t int) {
	if s.t != t-1 {
		s.LoadDensity(&s.Here, t-1)
	}
	s.Before, s.Here = s.Here, s.Before
	s.LoadDensity(&s.Here, t)
	s.t = t
	s.compare()
}

// compare computes Delta, Partial and Lambda, which is log(Z_t/Z_{t-1}) minus Delta. It first subtracts from both the
// Delta of a reference state, the likeliest one under p_{t-1} at which p_t is positive too. So the rest keeps its
// digits where nearly all mass is on one state. The log of the ratio of normalisers is then the logarithm of one plus a
// small sum:
//
//	Z_t/Z_{t-1} = (sum of p_{t-1}(x) f_t(x)/f_{t-1}(x) where both are positive) / (1 - p_t(where p_{t-1} is zero)).
func (s *Stage) compare() {
	s.Annealing.LogRatio(s.Delta, s.t)
	reference := s.Delta[s.likeliestOfBoth()]
	s.Partial = false
	rise, gained, lost := 0.0, 0.0, 0.0
	for x, d := range s.Delta {
		switch was, is := s.Before.On(x), s.Here.On(x); {
		case was && is:
			rise += s.increase(x, d-reference)
		case was:
			s.Partial = true
			lost += s.Before.P[x]
		case is:
			s.Partial = true
			gained += s.Here.P[x]
		}
	}
	// Where much of the mass is lost or gained, the sums lose digits. No Lambda is small then, so that the difference of
	// two logs keeps its digits.
	if math.IsInf(rise, 1) || rise-lost < -0.5 || gained > 0.5 {
		for x := range s.Lambda {
			s.Lambda[x] = s.Before.Log[x] - s.Here.Log[x]
		}
		return
	}
	shift := math.Log1p(rise-lost) - math.Log1p(-gained)
	for x, d := range s.Delta {
		s.Lambda[x] = shift - (d - reference)
	}
}

// likeliestOfBoth returns the state that is likeliest under p_{t-1} among those where p_t is positive too; 0 where
// there is none.
func (s *Stage) likeliestOfBoth() int {
	likeliest := -1
	for x, p := range s.Before.Log {
		if s.Here.On(x) && s.Before.On(x) && (likeliest < 0 || p > s.Before.Log[likeliest]) {
			likeliest = x
		}
	}
	return max(0, likeliest)
}

// increase returns p_{t-1}(x) (exp(d) - 1), also where p_{t-1} has underflowed and exp(d) overflows.
func (s *Stage) increase(x int, d float64) float64 {
	if d > 1 {
		return math.Exp(s.Before.Log[x]+d) - s.Before.P[x]
	}
	return s.Before.P[x] * math.Expm1(d)
}

// Both reports whether p_{t-1} and p_t are both positive at x.
func (s *Stage) Both(x int) bool { return s.Before.On(x) && s.Here.On(x) }

// loadRows loads the rows of T_t and of its time reversal, and moves their tiny entries to the lists. It checks detailed
// balance at some of the stages (see kernel.BalanceChecks).
func (s *Stage) loadRows(ctx context.Context) error {
	s.Kernel, s.Backward.Rows = s.Annealing.KernelAt(s.t), s.Forward.Rows
	s.Outside = !chains.OfLibrary(s.Kernel)
	if err := s.Forward.Fill(ctx, s.Kernel, s.Logf); err != nil {
		return s.Wrap(err)
	}
	if err := s.loadReversal(ctx); err != nil {
		return s.Wrap(err)
	}
	var err error
	if s.Backward.Tiny, err = s.takeTiny(ctx, s.Backward.Tiny[:0], s.Backward.Rows, s.Forward.Rows); err != nil {
		return err
	}
	s.Forward.Tiny = s.Backward.Tiny
	if s.Reversed() {
		if s.Forward.Tiny, err = s.takeTiny(ctx, s.Forward.Tiny[:0:0], s.Forward.Rows, s.Backward.Rows); err != nil {
			return err
		}
	}
	if every := 1 + s.Annealing.Distributions()/kernel.BalanceChecks; !s.Outside && (s.t == 2 || s.t == s.Annealing.Distributions() || s.t%every == 0) {
		return s.Wrap(s.checkBalance(ctx))
	}
	return nil
}

// loadReversal finds the time reversal. A kernel of the library knows it; for any other kernel it is made from the rows.
func (s *Stage) loadReversal(ctx context.Context) error {
	if s.Outside {
		var err error
		s.Backward.Rows, err = s.flows.Turn(ctx, s.Kernel, s.Forward.Rows, s.Logf)
		return err
	}
	if _, ok := s.Kernel.(chains.Reverser); !ok {
		return nil
	}
	reversal, _ := chains.ReversalOf(s.Kernel)
	if s.separate == nil {
		s.separate = &kernel.Rows{}
	}
	s.Backward.Rows = s.separate
	return s.Backward.Fill(ctx, reversal, s.Logf)
}

// Wrap adds to an error at which stage it has occurred; nil stays nil.
func (s *Stage) Wrap(err error) error { return WrapStage(s.Annealing, s.t, err) }

// WrapStage adds to an error that it has occurred at stage t; nil stays nil.
func WrapStage(a *chains.Annealing, t int, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("stage t = %d of %d (beta %v): %w", t, a.Distributions(), a.Beta(t), err)
}

// takeTiny moves the entries of rows that are too small for float64 to a list of logarithms, which it appends to dst. It
// finds them from the entries of the time reversal, through p(y) rows(y,x) = p(x) reversal(x,y).
func (s *Stage) takeTiny(ctx context.Context, dst []TinyEntry, rows, reversal *kernel.Rows) ([]TinyEntry, error) {
	if low, high := number.Bounds(s.Here.Log); high-low < kernel.Narrow {
		return dst, nil
	}
	for x := range s.Logf {
		if err := ctx.Err(); err != nil { // a state takes long: each of its entries is searched in a row of the other matrix
			return nil, err
		}
		for _, e := range reversal.Row(x) {
			y := e.To
			if y == x || e.P < kernel.Tiny || !s.Here.On(x) || !s.Here.On(y) || rows.At(y, x) >= kernel.Tiny {
				continue
			}
			rows.Drop(y, x)
			dst = append(dst, TinyEntry{y, x, math.Log(e.P) + s.Logf[x] - s.Logf[y]})
		}
	}
	return dst, nil
}

// checkBalance returns an error unless p(x) T(x,y) = p(y) R(y,x) for the kernel T and its time reversal R, and unless no
// state of positive probability leads to one of zero.
func (s *Stage) checkBalance(ctx context.Context) error {
	for x := range s.Logf {
		if err := ctx.Err(); err != nil { // a state takes long: each of its entries is searched in a row of the other matrix
			return err
		}
		if !s.Here.On(x) {
			continue
		}
		if err := s.balanceFrom(x, s.Forward.Rows, s.Backward.Rows); err != nil {
			return err
		}
		if s.Reversed() {
			if err := s.balanceFrom(x, s.Backward.Rows, s.Forward.Rows); err != nil {
				return err
			}
		}
	}
	return nil
}

// balanceFrom checks the flows from state x along its row.
func (s *Stage) balanceFrom(x int, rows, reversal *kernel.Rows) error {
	for _, e := range rows.Row(x) {
		if !s.Here.On(e.To) {
			return kernel.ErrToZero(s.Kernel, x, e.To)
		}
		there, back := s.Here.P[x]*e.P, s.Here.P[e.To]*reversal.At(e.To, x)
		if there > 1e-280 && math.Abs(there-back) > kernel.BalanceTolerance*max(there, back) {
			err := fmt.Errorf("kernel %s is not reversible: the flow from state %d to state %d is %v and the flow back is %v; either the kernel is wrong, or the time reversal that it gives", chains.NameOf(s.Kernel), x, e.To, there, back)
			return chains.NewFault(chains.AtStates(err, x, e.To))
		}
	}
	return nil
}

// Origin returns the distribution from which a chain in the given direction starts when this stage is its first: p_{t-1}
// for the forward chain and p_t for the reverse chain.
func (s *Stage) Origin(d chains.Direction) *Density {
	if d == chains.Forward {
		return &s.Before
	}
	return &s.Here
}

// Tilt multiplies each mass by (f_t/f_{t-1})^power, and reports whether the result is infinite for one of them. With
// finiteOnly it sets masses to zero where f_t/f_{t-1} is zero or infinite, so that only finite log weights are left.
func (s *Stage) Tilt(mass []number.Wide, power float64, finiteOnly bool) (infinite bool) {
	for x := range mass {
		switch {
		case s.Both(x):
			mass[x] = mass[x].Mul(number.WideExp(power * s.Delta[x]))
		case finiteOnly:
			mass[x] = number.Wide{}
		case power == 0: // x^0 = 1
		case s.Before.On(x) == (power > 0): // f_t/f_{t-1} is zero and the power positive, or infinite and the power negative
			mass[x] = number.Wide{}
		default:
			infinite = infinite || mass[x].M != 0
		}
	}
	return infinite
}

// Roundings returns how many roundings there are in p_{t-1}, p_t and log f_t at x, in units of one usual rounding of
// float64. A logarithm counts as one more rounding for each eight nats, since its rounding grows with its size.
func (s *Stage) Roundings(x int) float64 {
	return 1 + max(math.Abs(s.Logf[x]), -s.Before.Log[x], -s.Here.Log[x])/8
}

// StageOf returns the stage at which a chain takes a step. Both are counted from 2 to T; the reverse chain takes the
// stages in the opposite order.
func StageOf(d chains.Direction, step, T int) int {
	if d == chains.Reverse {
		return T + 2 - step
	}
	return step
}
