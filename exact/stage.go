package exact

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
)

const (
	// tiny is the probability below which float64 may have lost digits of an entry of a row.
	tiny = 1e-290
	// narrow is the range of log p within which no entry can be tiny that matters.
	narrow = 500
	// balanceTolerance is the relative violation of detailed balance above which a kernel of the library is refused.
	balanceTolerance = 1e-9
	// balanceChecks is about how many of the stages of a solve are checked for detailed balance where the kernel is of
	// the library; of other kernels every stage is examined (see flows).
	balanceChecks = 16
)

// stage is what one step of the annealing needs: the distributions p_{t-1} and p_t, and the kernel T_t with
// its time reversal. It is moved through t by load, in any order.
type stage struct {
	a      *chains.Annealing
	kernel chains.Kernel

	t            int
	logf, delta  []float64
	before, here density
	// lambda is log(p_{t-1}/p_t), where both are positive.
	lambda []float64
	// partial is set where p_{t-1} and p_t are not positive on the same states.
	partial bool

	outside  bool  // whether the kernel is not of the library
	flows    flows // of such a kernel
	forward  *Rows // T_t
	backward *Rows // its time reversal; equal to forward where the kernel is reversible
	separate *Rows // memory for one of the library that is not
	// Entries off the diagonal so small that float64 loses them or their digits.
	tinyForward, tinyBackward []tinyEntry
}

// density is a distribution over the states.
type density struct {
	log  []float64 // -Inf where zero
	p    []float64 // exp(log), possibly underflowed
	logZ float64
}

func (d *density) on(x int) bool { return !math.IsInf(d.log[x], -1) }

// tinyEntry is one transition probability kept as its logarithm.
type tinyEntry struct {
	from, to int
	logP     float64
}

func newStage(a *chains.Annealing) *stage {
	n := a.States()
	s := &stage{
		a:    a,
		logf: make([]float64, n), delta: make([]float64, n), lambda: make([]float64, n),
		before:  density{log: make([]float64, n), p: make([]float64, n)},
		here:    density{log: make([]float64, n), p: make([]float64, n)},
		forward: &Rows{},
	}
	s.backward = s.forward
	s.loadDensity(&s.here, 1)
	s.t = 1
	return s
}

// loadDensity computes p_t, and leaves log f_t in s.logf.
func (s *stage) loadDensity(d *density, t int) {
	s.a.LogF(s.logf, t)
	d.logZ = logSumExp(s.logf)
	for x, v := range s.logf {
		d.log[x] = v - d.logZ
		d.p[x] = math.Exp(d.log[x])
	}
}

// load moves the stage to t, 2 <= t <= T, with the rows of T_t and its reversal. It looks at the context at every row.
func (s *stage) load(ctx context.Context, t int) error {
	s.loadPath(t)
	return s.loadRows(ctx)
}

// loadPath moves the stage to t without the rows.
func (s *stage) loadPath(t int) {
	if s.t != t-1 {
		s.loadDensity(&s.here, t-1)
	}
	s.before, s.here = s.here, s.before
	s.loadDensity(&s.here, t)
	s.t = t
	s.compare()
}

// compare computes lambda, which is log(Z_t/Z_{t-1}) less the log ratio of f. That of the state which is likeliest under
// p_{t-1}, among those that p_t has too, is taken out of both first, so that where nearly all mass is there, what it
// lacks keeps its digits. The log of the ratio of normalisers is then the logarithm of one plus a small sum:
//
//	Z_t/Z_{t-1} = (sum over x in both of p_{t-1}(x) f_t(x)/f_{t-1}(x)) / (1 - p_t(states that p_{t-1} has not)).
func (s *stage) compare() {
	s.a.LogRatio(s.delta, s.t)
	reference := s.delta[s.likeliestOfBoth()]
	s.partial = false
	rise, gained, lost := 0.0, 0.0, 0.0
	for x, d := range s.delta {
		switch was, is := s.before.on(x), s.here.on(x); {
		case was && is:
			rise += s.increase(x, d-reference)
		case was:
			s.partial = true
			lost += s.before.p[x]
		case is:
			s.partial = true
			gained += s.here.p[x]
		}
	}
	if math.IsInf(rise, 1) || rise-lost < -0.5 || gained > 0.5 { // the sums cancel, and no lambda is small
		for x := range s.lambda {
			s.lambda[x] = s.before.log[x] - s.here.log[x]
		}
		return
	}
	shift := math.Log1p(rise-lost) - math.Log1p(-gained)
	for x, d := range s.delta {
		s.lambda[x] = shift - (d - reference)
	}
}

// likeliestOfBoth returns the state that is likeliest under p_{t-1} among those that p_t has too; 0 where there is none.
func (s *stage) likeliestOfBoth() int {
	likeliest := -1
	for x, p := range s.before.log {
		if s.here.on(x) && s.before.on(x) && (likeliest < 0 || p > s.before.log[likeliest]) {
			likeliest = x
		}
	}
	return max(0, likeliest)
}

// increase returns p_{t-1}(x) (exp(d) - 1), also where p_{t-1} has underflowed and exp(d) is as large.
func (s *stage) increase(x int, d float64) float64 {
	if d > 1 {
		return math.Exp(s.before.log[x]+d) - s.before.p[x]
	}
	return s.before.p[x] * math.Expm1(d)
}

// both reports whether p_{t-1} and p_t are both positive at x.
func (s *stage) both(x int) bool { return s.before.on(x) && s.here.on(x) }

func (s *stage) loadRows(ctx context.Context) error {
	s.kernel, s.backward = s.a.KernelAt(s.t), s.forward
	s.outside = !chains.OfLibrary(s.kernel)
	if err := s.forward.fill(ctx, s.kernel, s.logf); err != nil {
		return s.wrap(err)
	}
	if err := s.loadReversal(ctx); err != nil {
		return s.wrap(err)
	}
	var err error
	if s.tinyBackward, err = s.takeTiny(ctx, s.tinyBackward[:0], s.backward, s.forward); err != nil {
		return err
	}
	s.tinyForward = s.tinyBackward
	if s.backward != s.forward {
		if s.tinyForward, err = s.takeTiny(ctx, s.tinyForward[:0:0], s.forward, s.backward); err != nil {
			return err
		}
	}
	if every := 1 + s.a.Distributions()/balanceChecks; !s.outside && (s.t == 2 || s.t == s.a.Distributions() || s.t%every == 0) {
		return s.wrap(s.checkBalance(ctx))
	}
	return nil
}

// loadReversal finds the time reversal: a kernel of the library knows it, of any other it is found from the rows.
func (s *stage) loadReversal(ctx context.Context) error {
	if s.outside {
		var err error
		s.backward, err = s.flows.turn(ctx, s.kernel, s.forward, s.logf)
		return err
	}
	if _, ok := s.kernel.(chains.Reverser); !ok {
		return nil
	}
	reversal, _ := chains.ReversalOf(s.kernel)
	if s.separate == nil {
		s.separate = &Rows{}
	}
	s.backward = s.separate
	return s.backward.fill(ctx, reversal, s.logf)
}

func (s *stage) wrap(err error) error { return wrapStage(s.a, s.t, err) }

// wrapStage says at which stage an error has occurred.
func wrapStage(a *chains.Annealing, t int, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("stage t = %d of %d (beta %v): %w", t, a.Distributions(), a.Beta(t), err)
}

// takeTiny moves the entries of rows that are below the range of float64 to a list of logarithms, as found
// from the entries of its time reversal: p(y) rows(y,x) = p(x) reversal(x,y).
func (s *stage) takeTiny(ctx context.Context, dst []tinyEntry, rows, reversal *Rows) ([]tinyEntry, error) {
	if low, high := bounds(s.here.log); high-low < narrow {
		return dst, nil
	}
	for x := range s.logf {
		if err := ctx.Err(); err != nil { // rows are searched for each entry
			return nil, err
		}
		for _, e := range reversal.Row(x) {
			y := e.To
			if y == x || e.P < tiny || !s.here.on(x) || !s.here.on(y) || rows.At(y, x) >= tiny {
				continue
			}
			rows.drop(y, x)
			dst = append(dst, tinyEntry{y, x, math.Log(e.P) + s.logf[x] - s.logf[y]})
		}
	}
	return dst, nil
}

// checkBalance checks p(x) T(x,y) = p(y) R(y,x) for the kernel T and its time reversal R, and that no state
// of positive probability leads to one of zero.
func (s *stage) checkBalance(ctx context.Context) error {
	for x := range s.logf {
		if err := ctx.Err(); err != nil { // rows are searched for each entry
			return err
		}
		if !s.here.on(x) {
			continue
		}
		if err := s.balanceFrom(x, s.forward, s.backward); err != nil {
			return err
		}
		if s.backward != s.forward {
			if err := s.balanceFrom(x, s.backward, s.forward); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *stage) balanceFrom(x int, rows, reversal *Rows) error {
	for _, e := range rows.Row(x) {
		if !s.here.on(e.To) {
			return errToZero(s.kernel, x, e.To)
		}
		there, back := s.here.p[x]*e.P, s.here.p[e.To]*reversal.At(e.To, x)
		if there > 1e-280 && math.Abs(there-back) > balanceTolerance*max(there, back) {
			return chains.NewFault(fmt.Errorf("kernel %s is not reversible: from state %d to %d flows %v, back flows %v; it is wrong, or what it says its time reversal is", name(s.kernel), x, e.To, there, back))
		}
	}
	return nil
}
