package sweep

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/exact/internal/number"
	"breadboard/exact/kernel"
)

// Stage is what one step of the annealing needs: the distributions p_{t-1} and p_t, and the kernel T_t with
// its time reversal. It is moved through t by load, in any order.
type Stage struct {
	Annealing *chains.Annealing
	Kernel    chains.Kernel

	t            int
	Logf, Delta  []float64
	Before, Here Density
	// lambda is log(p_{t-1}/p_t), where both are positive.
	Lambda []float64
	// partial is set where p_{t-1} and p_t are not positive on the same states.
	Partial bool

	Outside  bool         // whether the kernel is not of the library
	flows    kernel.Flows // of such a kernel
	Forward  *kernel.Rows // T_t
	Backward *kernel.Rows // its time reversal; equal to forward where the kernel is reversible
	separate *kernel.Rows // memory for one of the library that is not
	// Entries off the diagonal so small that float64 loses them or their digits.
	TinyForward, TinyBackward []TinyEntry
}

// TinyEntry is one transition probability kept as its logarithm.
type TinyEntry struct {
	From, To int
	LogP     float64
}

func NewStage(a *chains.Annealing) *Stage {
	n := a.States()
	s := &Stage{
		Annealing: a,
		Logf:      make([]float64, n), Delta: make([]float64, n), Lambda: make([]float64, n),
		Before:  Density{Log: make([]float64, n), P: make([]float64, n)},
		Here:    Density{Log: make([]float64, n), P: make([]float64, n)},
		Forward: &kernel.Rows{},
	}
	s.Backward = s.Forward
	s.LoadDensity(&s.Here, 1)
	s.t = 1
	return s
}

// LoadDensity computes p_t, and leaves log f_t in s.logf.
func (s *Stage) LoadDensity(d *Density, t int) {
	s.Annealing.LogF(s.Logf, t)
	d.LogZ = number.LogSumExp(s.Logf)
	for x, v := range s.Logf {
		d.Log[x] = v - d.LogZ
		d.P[x] = math.Exp(d.Log[x])
	}
}

// Load moves the stage to t, 2 <= t <= T, with the rows of T_t and its reversal. It looks at the context at every row.
func (s *Stage) Load(ctx context.Context, t int) error {
	s.LoadPath(t)
	return s.loadRows(ctx)
}

// LoadPath moves the stage to t without the rows.
func (s *Stage) LoadPath(t int) {
	if s.t != t-1 {
		s.LoadDensity(&s.Here, t-1)
	}
	s.Before, s.Here = s.Here, s.Before
	s.LoadDensity(&s.Here, t)
	s.t = t
	s.compare()
}

// compare computes lambda, which is log(Z_t/Z_{t-1}) less the log ratio of f. That of the state which is likeliest under
// p_{t-1}, among those that p_t has too, is taken out of both first, so that where nearly all mass is there, what it
// lacks keeps its digits. The log of the ratio of normalisers is then the logarithm of one plus a small sum:
//
//	Z_t/Z_{t-1} = (sum over x in both of p_{t-1}(x) f_t(x)/f_{t-1}(x)) / (1 - p_t(states that p_{t-1} has not)).
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
	if math.IsInf(rise, 1) || rise-lost < -0.5 || gained > 0.5 { // the sums cancel, and no lambda is small
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

// likeliestOfBoth returns the state that is likeliest under p_{t-1} among those that p_t has too; 0 where there is none.
func (s *Stage) likeliestOfBoth() int {
	likeliest := -1
	for x, p := range s.Before.Log {
		if s.Here.On(x) && s.Before.On(x) && (likeliest < 0 || p > s.Before.Log[likeliest]) {
			likeliest = x
		}
	}
	return max(0, likeliest)
}

// increase returns p_{t-1}(x) (exp(d) - 1), also where p_{t-1} has underflowed and exp(d) is as large.
func (s *Stage) increase(x int, d float64) float64 {
	if d > 1 {
		return math.Exp(s.Before.Log[x]+d) - s.Before.P[x]
	}
	return s.Before.P[x] * math.Expm1(d)
}

// Both reports whether p_{t-1} and p_t are both positive at x.
func (s *Stage) Both(x int) bool { return s.Before.On(x) && s.Here.On(x) }

func (s *Stage) loadRows(ctx context.Context) error {
	s.Kernel, s.Backward = s.Annealing.KernelAt(s.t), s.Forward
	s.Outside = !chains.OfLibrary(s.Kernel)
	if err := s.Forward.Fill(ctx, s.Kernel, s.Logf); err != nil {
		return s.Wrap(err)
	}
	if err := s.loadReversal(ctx); err != nil {
		return s.Wrap(err)
	}
	var err error
	if s.TinyBackward, err = s.takeTiny(ctx, s.TinyBackward[:0], s.Backward, s.Forward); err != nil {
		return err
	}
	s.TinyForward = s.TinyBackward
	if s.Backward != s.Forward {
		if s.TinyForward, err = s.takeTiny(ctx, s.TinyForward[:0:0], s.Forward, s.Backward); err != nil {
			return err
		}
	}
	if every := 1 + s.Annealing.Distributions()/kernel.BalanceChecks; !s.Outside && (s.t == 2 || s.t == s.Annealing.Distributions() || s.t%every == 0) {
		return s.Wrap(s.checkBalance(ctx))
	}
	return nil
}

// loadReversal finds the time reversal: a kernel of the library knows it, of any other it is found from the rows.
func (s *Stage) loadReversal(ctx context.Context) error {
	if s.Outside {
		var err error
		s.Backward, err = s.flows.Turn(ctx, s.Kernel, s.Forward, s.Logf)
		return err
	}
	if _, ok := s.Kernel.(chains.Reverser); !ok {
		return nil
	}
	reversal, _ := chains.ReversalOf(s.Kernel)
	if s.separate == nil {
		s.separate = &kernel.Rows{}
	}
	s.Backward = s.separate
	return s.Backward.Fill(ctx, reversal, s.Logf)
}

func (s *Stage) Wrap(err error) error { return WrapStage(s.Annealing, s.t, err) }

// WrapStage says at which stage an error has occurred.
func WrapStage(a *chains.Annealing, t int, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("stage t = %d of %d (beta %v): %w", t, a.Distributions(), a.Beta(t), err)
}

// takeTiny moves the entries of rows that are below the range of float64 to a list of logarithms, as found
// from the entries of its time reversal: p(y) rows(y,x) = p(x) reversal(x,y).
func (s *Stage) takeTiny(ctx context.Context, dst []TinyEntry, rows, reversal *kernel.Rows) ([]TinyEntry, error) {
	if low, high := number.Bounds(s.Here.Log); high-low < kernel.Narrow {
		return dst, nil
	}
	for x := range s.Logf {
		if err := ctx.Err(); err != nil { // rows are searched for each entry
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

// checkBalance checks p(x) T(x,y) = p(y) R(y,x) for the kernel T and its time reversal R, and that no state
// of positive probability leads to one of zero.
func (s *Stage) checkBalance(ctx context.Context) error {
	for x := range s.Logf {
		if err := ctx.Err(); err != nil { // rows are searched for each entry
			return err
		}
		if !s.Here.On(x) {
			continue
		}
		if err := s.balanceFrom(x, s.Forward, s.Backward); err != nil {
			return err
		}
		if s.Backward != s.Forward {
			if err := s.balanceFrom(x, s.Backward, s.Forward); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Stage) balanceFrom(x int, rows, reversal *kernel.Rows) error {
	for _, e := range rows.Row(x) {
		if !s.Here.On(e.To) {
			return kernel.ErrToZero(s.Kernel, x, e.To)
		}
		there, back := s.Here.P[x]*e.P, s.Here.P[e.To]*reversal.At(e.To, x)
		if there > 1e-280 && math.Abs(there-back) > kernel.BalanceTolerance*max(there, back) {
			return chains.NewFault(fmt.Errorf("kernel %s is not reversible: from state %d to %d flows %v, back flows %v; it is wrong, or what it says its time reversal is", kernel.Name(s.Kernel), x, e.To, there, back))
		}
	}
	return nil
}

// Tilt multiplies masses by (f_t/f_{t-1})^power, and reports whether that is infinite for one of them; with
// finiteOnly it takes those away whose weight becomes zero or infinite.
func (s *Stage) Tilt(mass []number.Wide, power float64, finiteOnly bool) (infinite bool) {
	for x := range mass {
		switch {
		case s.Both(x):
			mass[x] = mass[x].Mul(number.WideExp(power * s.Delta[x]))
		case finiteOnly:
			mass[x] = number.Wide{}
		case power == 0: // x^0 = 1
		case s.Before.On(x) == (power > 0): // the weight is 0 or infinite here, and the power 0
			mass[x] = number.Wide{}
		default:
			infinite = infinite || mass[x].M != 0
		}
	}
	return infinite
}

// Roundings returns how many times the usual rounding there is in what is known of x at a stage: each eight nats of a
// logarithm round it once more.
func (s *Stage) Roundings(x int) float64 {
	return 1 + max(math.Abs(s.Logf[x]), -s.Before.Log[x], -s.Here.Log[x])/8
}

// StageOf returns the stage of a chain's step, both counted from 2 to T.
func StageOf(d chains.Direction, step, T int) int {
	if d == chains.Reverse {
		return T + 2 - step
	}
	return step
}

// Origin returns the distribution that a chain starts from when the stage is its first.
func (s *Stage) Origin(d chains.Direction) *Density {
	if d == chains.Forward {
		return &s.Before
	}
	return &s.Here
}
