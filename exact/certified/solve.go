package certified

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/paths"
)

const (
	// Bits is the precision of a certificate.
	Bits = 256
	// CheckBits is the precision of a second computation, whose results must overlap with the
	// certificate.
	CheckBits = 320
)

// maxLogRange is the largest range of log f, in nats, for which the bound on the error is derived.
const maxLogRange = 10_000

// Solution holds the numbers of an annealing to many digits, in nats, each with a bound on its
// error.
//
// Forward masses q_t and the adjoints of the reverse chain go through the stages in numbers of Bits
// bits, and
//
//	J = KL(q_T||p_T) + KL(p_T||q_T), B = E_rev[log w] - E_fwd[log w]
//
// are sums of terms that are not negative, so that the bound is a number of roundings times the
// sums. Time is O(T edges) products of such numbers.
type Solution struct {
	Bits             uint  // the precision of the computation
	J, KLQP, KLPQ, B Value // as in exact.Solution
}

// Supported returns nil if an annealing can be certified, and otherwise an error with the reason.
// Certification supports the kernels metropolis and barker, also on quotients; the geometric path
// from a uniform start to a target without zeros whose log f spans at most 10,000 nats; and
// schedules that are linear, sigmoid, a power or given point by point.
func Supported(a *chains.Annealing) error {
	path, ok := a.Path().(*paths.Geometric)
	if !ok {
		return errs.New("path %v cannot be certified; geometric can", a.Path())
	}
	c, err := classesOf(a)
	if err != nil {
		return err
	}
	if c == nil && !path.Uniform() {
		return errors.New("an initial distribution that is not uniform cannot be certified")
	}
	if a.Path().Zeros() {
		return errors.New("a target with zeros cannot be certified: its B is infinite")
	}
	if g := path.Difference(); !(slices.Max(g)-slices.Min(g) <= maxLogRange) {
		return errs.New("log f spans %.6g nats; the bound on the error holds up to %d",
			slices.Max(g)-slices.Min(g), maxLogRange)
	}
	if _, _, err := local(a.Kernel()); err != nil {
		return err
	}
	_, err = newArithmetic(Bits).betaSteps(a.Schedule(), a.Distributions())
	return err
}

// Solve computes an annealing in floating point with the given number of bits. It fails if the
// annealing is not Supported, if the bits are too few for T, and if the context ends. Progress is
// called with numbers of steps that add up to T - 1. Time is O(T edges): some 50 microseconds a
// step on 7x7 at 256 bits if all steps of the schedule are equal, and twenty times that otherwise.
// Memory is O(edges).
func Solve(ctx context.Context, a *chains.Annealing, bits uint, progress func(steps int)) (*Solution, error) {
	if err := Supported(a); err != nil {
		return nil, err
	}
	s, err := newSweep(ctx, a, bits)
	if err != nil {
		return nil, err
	}
	done := 0
	for t := 2; t <= a.Distributions(); t++ {
		if err := s.moveChains(ctx, t); err != nil {
			return nil, err
		}
		done++
		if done == pulse || t == a.Distributions() {
			progress(done)
			done = 0
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
	}
	return s.solution(ctx)
}

// pulse is the number of steps, and within a step the number of states or edges, between checks of
// the context.
const pulse = 32

// sweep takes the forward distribution q and the reverse chain's adjoint from stage to stage.
type sweep struct {
	arithmetic
	steps   func(t int) *big.Float
	rule    rule
	edges   []*edge
	nodes   []*node
	share   *big.Float // the probability of one direction
	last    *big.Float // the step for which the factors of the edges have been computed
	forward *sum       // F of the package documentation
	k       float64    // K of the package documentation, the largest number of roundings

	product, both, mean, scaled, scaledToo *big.Float // memory
}

// node is what the sweep holds for one state.
type node struct {
	top     *big.Float // g minus its maximum, with guard more bits
	g, rise *big.Float // g minus its minimum, and the product of that with the step
	members *big.Float // of a class; nil for a state
	refused *sum       // the sum over the directions of the probability to reject a proposal

	q, adjoint           *sum
	shareQ, shareAdjoint *big.Float // q and adjoint before the move, times share
}

// sum is a running sum. spare is memory for its next value, since math/big would allocate memory
// for a sum in place.
type sum struct{ value, spare *big.Float }

// newSum returns a sum of zero.
func (a arithmetic) newSum() *sum { return &sum{a.zero(), a.zero()} }

// addTerm adds v to the sum.
func (s *sum) addTerm(v *big.Float) {
	s.spare.Add(s.value, v)
	s.value, s.spare = s.spare, s.value
}

// scale multiplies the sum by a factor.
func (s *sum) scale(factor *big.Float) {
	s.spare.Mul(s.value, factor)
	s.value, s.spare = s.spare, s.value
}

// newSweep returns the sweep of an annealing at t = 1.
func newSweep(ctx context.Context, a *chains.Annealing, bits uint) (*sweep, error) {
	s := &sweep{arithmetic: newArithmetic(bits)}
	space, rule, err := local(a.Kernel())
	if err != nil {
		return nil, err
	}
	s.steps, err = s.arithmetic.betaSteps(a.Schedule(), a.Distributions())
	if err != nil {
		return nil, err
	}
	c, err := classesOf(a)
	if err != nil {
		return nil, err
	}
	T := float64(a.Distributions())
	n := float64(a.States())
	d := float64(space.Directions())
	s.k = (d+6)/2*T*T + (2*d+20)*T + 2*n + 16
	g := make([]float64, a.States())
	a.Path().LogF(g, chains.At(1))
	if c != nil {
		// log f of a member of each class, apart from a constant
		g = a.Path().(*paths.Geometric).Difference()
		d = float64(c.proposals)
		moves := float64(c.widest)
		s.k = (moves+6)/2*T*T + (2*moves+24)*T + 4*n + 32
	}
	if s.k*math.Ldexp(1, -int(bits)) > 0x1p-40 {
		return nil, fmt.Errorf("%d bits are too few for %v distributions", bits, T)
	}
	low, high := slices.Min(g), slices.Max(g)
	w := s.wider()
	for x, v := range g {
		if x%pulse == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s.nodes = append(s.nodes, &node{
			top:          w.zero().Sub(w.fromFloat(v), w.fromFloat(high)),
			g:            s.zero().Sub(s.fromFloat(v), s.fromFloat(low)),
			rise:         s.zero(),
			refused:      s.newSum(),
			q:            s.newSum(),
			adjoint:      s.newSum(),
			shareQ:       s.zero(),
			shareAdjoint: s.zero(),
		})
		s.nodes[x].q.value.Quo(s.one, s.fromFloat(n))
	}
	s.rule, s.share, s.forward = rule, s.zero().Quo(s.one, s.fromFloat(d)), s.newSum()
	s.product, s.both, s.mean, s.scaled, s.scaledToo = s.zero(), s.zero(), s.zero(), s.zero(), s.zero()
	if c == nil {
		s.edges = s.join(space, g)
		return s, nil
	}
	s.edges = c.join(s, g)
	s.sumClassMasses(c)
	return s, nil
}

// sumClassMasses gives every class the mass of its members.
func (s *sweep) sumClassMasses(c *classes) {
	total := s.newSum()
	for x, n := range s.nodes {
		n.members = c.members(s, x)
		total.addTerm(n.members)
	}
	for _, n := range s.nodes {
		n.q.value.Quo(n.members, total.value)
	}
}

// moveChains takes both chains from t-1 to t. On a large space a step is seconds of work, so that
// the context is checked within it.
func (s *sweep) moveChains(ctx context.Context, t int) error {
	if err := s.setStep(ctx, s.steps(t)); err != nil {
		return err
	}
	mean := s.newSum()
	for i, n := range s.nodes {
		if i%pulse == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s.product.Mul(n.q.value, n.rise)
		mean.addTerm(s.product)
		n.adjoint.addTerm(n.rise)
		n.shareQ.Mul(s.share, n.q.value)
		n.shareAdjoint.Mul(s.share, n.adjoint.value)
		n.q.value.SetInt64(0)
		n.adjoint.value.SetInt64(0)
	}
	s.forward.addTerm(mean.value)
	for i, e := range s.edges {
		if i%pulse == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s.rule(s, e)
	}
	for i, n := range s.nodes {
		if i%pulse == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s.addProduct(n.q, n.refused.value, n.shareQ)
		s.addProduct(n.adjoint, n.refused.value, n.shareAdjoint)
	}
	return nil
}

// setStep computes what depends on the step alone, unless the step equals the last one.
func (s *sweep) setStep(ctx context.Context, step *big.Float) error {
	if s.last != nil && step.Cmp(s.last) == 0 {
		return nil
	}
	s.last = step
	for _, n := range s.nodes {
		n.rise.Mul(step, n.g)
	}
	for i, e := range s.edges {
		if i%pulse == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s.arithmetic.setStep(e, step)
	}
	return nil
}

// addProduct adds a b to a sum.
func (s *sweep) addProduct(to *sum, a, b *big.Float) {
	s.product.Mul(a, b)
	to.addTerm(s.product)
}

// solution computes the divergences by their definitions, each with the bound of the package
// documentation.
func (s *sweep) solution(ctx context.Context) (*Solution, error) {
	z := s.newSum()
	var p []*big.Float
	for i, n := range s.nodes {
		if i%pulse == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p = append(p, s.exp(n.top))
		if n.members != nil {
			p[i].Mul(p[i], n.members)
		}
		z.addTerm(p[len(p)-1])
	}
	reverse := s.newSum()
	qp := s.newSum()
	pq := s.newSum()
	absQP := s.newSum()
	absPQ := s.newSum()
	for x, n := range s.nodes {
		if x%pulse == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		q := n.q.value
		p := s.zero().Quo(p[x], z.value)
		s.addProduct(reverse, p, n.adjoint.value)
		l := s.log(s.zero().Quo(q, p))
		s.addProduct(qp, q, l)
		l.Neg(l)
		s.addProduct(pq, p, l)
		l.Abs(l)
		s.addProduct(absQP, q, l)
		s.addProduct(absPQ, p, l)
	}
	ku := s.k * math.Ldexp(1, -int(s.bits))
	divergence := func(v, abs *sum) Value { return Value{v.value, 4 * ku * (1 + float(abs.value))} }
	out := &Solution{
		Bits: s.bits, KLQP: divergence(qp, absQP), KLPQ: divergence(pq, absPQ),
		B: Value{s.zero().Sub(reverse.value, s.forward.value),
			2 * ku * (float(reverse.value) + float(s.forward.value))},
	}
	out.J = Value{s.zero().Add(out.KLQP.Number, out.KLPQ.Number), out.KLQP.Error + out.KLPQ.Error}
	return out, nil
}

// float returns the float64 nearest to x.
func float(x *big.Float) float64 {
	v, _ := x.Float64()
	return v
}
