package exact

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/stage"
)

// Solution is the exact answer for an annealing: the distance of its output from the target, and
// the expectation of the bidirectional Monte Carlo bound on it. Divergences and log weights are in
// nats and may be infinite. Notes give the reason why a number is infinite, and the number of right
// digits if the stated accuracy is not reached.
//
// Source: Grosse, Ancha and Roy 2016, section 3.1 and Appendix B.
type Solution struct {
	J    float64 // KLQP + KLPQ, the Jeffreys divergence between sampler output and target
	KLQP float64 // KL(q_fwd(x_T) || p_T)
	KLPQ float64 // KL(p_T || q_fwd(x_T))
	// B = E_rev[log w] - E_fwd[log w] >= J is the Jeffreys divergence between the forward and the
	// reverse chain as a whole (Eqs. 21-23), and the expectation of the bound of section 3.1.
	B               float64
	MeanLogWForward float64 // E_fwd[log w] <= LogZRatio
	MeanLogWReverse float64 // E_rev[log w] >= LogZRatio
	LogZRatio       float64 // log Z_T - log Z_1

	// ErrorB and ErrorLogW are about the largest rounding errors, in nats, of B and of the expected
	// log weights if these are small differences of large terms. They are zero if nothing cancels.
	// Numbers has the error of each number.
	ErrorB, ErrorLogW float64
	// ErrorJ is about the largest relative rounding error of J and both divergences if it is above
	// the stated accuracy, and otherwise zero. From 0.1 on no digit is known.
	ErrorJ float64
	// resolution is about the error of the final deviations q/p_T - 1, errors are those of the
	// expected log weights apart from errorZ, that of LogZRatio, and invariance is a relative error
	// of all numbers.
	resolution, invariance, errorZ float64
	errors                         [2]float64

	Output []float64 // q_fwd(x_T), one probability for each state
	Target []float64 // p_T

	// Drift is the total mass of Output minus one. It is reported, not repaired; beyond 1e-12 Solve
	// fails.
	Drift  float64
	Method Method   // the method of Solve that gave these numbers
	Notes  []string // reasons for infinite numbers, loss of digits, and states that the kernel does not reach
	// the classes between which the kernel never moves; nil if there is only one, or if they are
	// unknown
	Reach *Reach
}

// Method is how a Solution was computed. The documentation of the package describes when each
// method applies, and its cost.
type Method string

const (
	MethodStencil Method = "stencil" // moves to neighbours on a lattice, on a path without zeros
	MethodApplied Method = "applied" // a kernel of the library, applied without its rows, on such a path
	MethodGeneral Method = "general" // the rows of any kernel, on any path
)

// loss is the probability of a chain or a distribution on states where a divergence or a log weight
// is infinite.
type loss struct {
	States int     // the number of such states
	Mass   float64 // their total probability
}

// lossClause returns a clause such as "the target has mass 0.25 on 2 states".
func (l loss) lossClause(who, verb string) string {
	states := "states"
	if l.States == 1 {
		states = "state"
	}
	return fmt.Sprintf("%s %s mass %.6g on %d %s", who, verb, l.Mass, l.States, states)
}

// promise is the largest relative error of J, B and both divergences of a Solution without a note.
const promise = 1e-12

// driftTolerance is how far the total mass of the output may be from one.
const driftTolerance = 1e-12

// shift adds a constant to every log weight.
func (s *Solution) shift(offset float64) {
	s.LogZRatio += offset
	s.errorZ += 0x1p-52 * math.Abs(offset)
	s.MeanLogWForward += offset
	s.MeanLogWReverse += offset
}

// setLogZ sets the difference of two log Z, each of which is rounded.
func (s *Solution) setLogZ(last, first float64) {
	s.LogZRatio = last - first
	s.errorZ = 0x1p-52 * (2 + math.Abs(last) + math.Abs(first))
}

// note adds a note.
func (s *Solution) note(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

// rounding is about the error of the final deviations q/p_T - 1, relative to the change by a step.
const rounding = 8 * 0x1p-53

// setResolution sets the rounding error of the divergences, which may be so small, compared with
// the changes by the steps, that they lack digits of the stated accuracy. The steps change the
// deviations q/p - 1 by p_{t-1}/p_t - 1, including its rounding, and the divergences are of second
// order in what remains of these changes after the moves. largestChange is the largest root mean
// square of p_{t-1}/p_t - 1 under p_t over the stages, where a state that loses probability counts
// with at most p_{t-1}. The drift is a deviation that no move makes smaller. It adds about its
// square to J.
func (s *Solution) setResolution(largestChange float64) {
	s.resolution = rounding * largestChange
	least := min(s.J, s.KLQP, s.KLPQ)
	if lost := max(s.resolution/math.Sqrt(least), s.Drift*s.Drift/least); largestChange != 0 &&
		!(lost < promise) {
		s.ErrorJ = lost
	}
}

// setCancellation sets ErrorB and ErrorLogW: on a path that leads away from both ends, B and the
// expected log weights are small differences of large terms. sizes are the sums of the absolute
// values of the terms, each times its number of roundings, for the forward and the reverse chain.
func (s *Solution) setCancellation(sizes [2]float64) {
	s.errors = [2]float64{rounding * sizes[0], rounding * sizes[1]}
	s.ErrorB = s.errors[0] + s.errors[1]
	s.ErrorLogW = max(s.errors[0], s.errors[1])
}

// Numbers are the numbers of a Solution, each with a bound on its error if the stated accuracy is
// not reached.
type Numbers struct {
	J, KLQP, KLPQ, B, MeanLogWForward, MeanLogWReverse, LogZRatio number.Bounded
}

// Numbers returns the numbers with bounds on their rounding errors.
func (s *Solution) Numbers() Numbers {
	divergence := func(v float64) number.Bounded {
		if s.ErrorJ == 0 || math.IsInf(v, 0) {
			return number.Exactly(v)
		}
		e := s.resolution*s.resolution + s.Drift*s.Drift // it is of second order in the deviations
		if v != 0 {
			e += v * s.ErrorJ
		}
		return number.Bounded{Value: v, Error: e}
	}
	n := Numbers{
		J:               divergence(s.J),
		KLQP:            divergence(s.KLQP),
		KLPQ:            divergence(s.KLPQ),
		B:               bounded(s.B, s.ErrorB, promise*math.Abs(s.B)),
		MeanLogWForward: bounded(s.MeanLogWForward, s.errors[0]+s.errorZ, promise*math.Abs(s.MeanLogWForward)),
		MeanLogWReverse: bounded(s.MeanLogWReverse, s.errors[1]+s.errorZ, promise*math.Abs(s.MeanLogWReverse)),
		LogZRatio:       bounded(s.LogZRatio, s.errorZ, promise*math.Abs(s.LogZRatio)),
	}
	if s.invariance > 0 { // it is a relative error of all of them
		for _, b := range []*number.Bounded{
			&n.J, &n.KLQP, &n.KLPQ, &n.B, &n.MeanLogWForward, &n.MeanLogWReverse} {
			b.Error += number.Finite(b.Value) * s.invariance
		}
	}
	return n
}

// Divergence returns a sum of divergences between distributions of the chains, such as those of
// stages, with a bound on its error: their deviations round like the final ones. The root is by
// Cauchy's inequality.
func (s *Solution) Divergence(v float64, terms int) number.Bounded {
	d := number.Divergence(v, s.resolution*math.Sqrt(float64(terms)))
	return number.UpTo(v, d.Error+s.Drift*s.Drift+math.Abs(v)*s.invariance)
}

// Alike is the largest difference of log f, in nats, between states that count as equally good.
const Alike = 1e-9

// Best returns the states with the largest log f, within Alike.
func Best(logf []float64) (states []int) {
	least := slices.Max(logf) - Alike
	for x, v := range logf {
		if v >= least {
			states = append(states, x)
		}
	}
	return states
}

// Missed returns -log of the probability that the target is largest at x_T, in nats. Output and
// Target determine it.
func (s *Solution) Missed() number.Bounded {
	best := slices.Max(s.Target) * math.Exp(-Alike)
	var there, elsewhere, target number.Sum
	for x, p := range s.Target {
		if p >= best {
			there.Add(s.Output[x])
			target.Add(p)
		} else {
			elsewhere.Add(s.Output[x])
		}
	}
	p := there.Value()
	if p < 0.5 {
		v := -number.Log(p)
		return bounded(v, s.resolution*target.Value()/p, promise*v)
	}
	v := -math.Log1p(-elsewhere.Value())
	return bounded(v, s.resolution*(1-target.Value())/p, promise*v)
}

// bounded returns a number with its error if that is above the stated accuracy, and else as an
// exact number.
func bounded(v, e, promised float64) number.Bounded {
	if e <= promised {
		return number.Exactly(v)
	}
	return number.Bounded{Value: v, Error: e}
}

// setDivergences sets the divergences of the output from the target.
func (s *Solution) setDivergences(d *stage.Divergences) {
	s.J, s.KLQP, s.KLPQ = d.Values()
	s.Drift = d.Drift()
}

// infinities are the states at which numbers become infinite.
type infinities struct {
	*stage.Divergences
	lost   loss // mass of the forward chain on zeros of a later distribution
	doomed loss // mass of starts of the reverse chain from which it reaches zeros of an earlier distribution
}

// noteInfinities adds a note that states which numbers are infinite and why, with advice if there
// is any.
func (s *Solution) noteInfinities(at infinities, cure string) {
	var positive, others, causes []string
	add := func(l loss, who, verb, where string) {
		if l.States > 0 {
			causes = append(causes, l.lossClause(who, verb)+" "+where)
		}
	}
	if at.OffStates > 0 || at.Missing > 0 {
		positive = append(positive, "J")
	}
	if at.lost.States > 0 || at.doomed.States > 0 {
		positive = append(positive, "B")
	}
	if positive == nil {
		return
	}
	if at.lost.States > 0 {
		others = append(others, " and E_fwd[log w] is -Inf")
	}
	if at.doomed.States > 0 {
		others = append(others, " and E_rev[log w] is +Inf")
	}
	add(at.lost, "the forward chain", "puts", "where a later distribution is zero")
	add(loss{at.OffStates, at.OffMass}, "the sampler's output", "has", "where the target is zero")
	add(loss{at.Missing, at.MissMass}, "the target", "has", "that the sampler never reaches")
	add(at.doomed, "the target", "has",
		"from which the reverse chain reaches an earlier distribution's zeros")
	switch {
	case at.OffStates > 0 && at.Missing == 0:
		causes = append(causes, fmt.Sprintf("KL(p||q) is %.6g", s.KLPQ))
	case at.Missing > 0 && at.OffStates == 0:
		causes = append(causes, fmt.Sprintf("KL(q||p) is %.6g", s.KLQP))
	}
	if cure != "" {
		causes = append(causes, cure)
	}
	verb := "is"
	if len(positive) > 1 {
		verb = "are"
	}
	s.note("%s %s +Inf%s: %s", strings.Join(positive, " and "), verb, strings.Join(others, ""),
		strings.Join(causes, "; "))
}

// startInside is the advice for infinities from a path whose ends are zero at different states:
// chains that start in the support of the target, and can start anywhere in it, never leave it and
// reach all of it.
const startInside = "start inside the support of the target, with the initial distribution tempered:0.1"

// cureOf returns the advice for infinities of an annealing, and "" if there is none: the ends of
// its path then have the same zeros, and zeros on the way are the cause.
func cureOf(p chains.Path) string {
	first, last := make([]float64, p.States()), make([]float64, p.States())
	p.LogF(first, chains.At(0))
	p.LogF(last, chains.At(1))
	for x := range first {
		if math.IsInf(first[x], -1) != math.IsInf(last[x], -1) {
			return startInside
		}
	}
	return ""
}

// checkMass returns an error unless the output's total mass is one to 1e-12 and no number is NaN.
func (s *Solution) checkMass() error {
	if math.Abs(s.Drift) > driftTolerance {
		return chains.NewFault(
			fmt.Errorf("the output's total mass is off by %.3g, beyond %g: the numbers cannot be trusted",
				s.Drift, driftTolerance),
		)
	}
	for _, v := range []float64{s.J, s.KLQP, s.KLPQ, s.B, s.LogZRatio} {
		if math.IsNaN(v) {
			return fmt.Errorf(
				"the solution is not a number (J %v, B %v, log Z ratio %v): log f of the target spans too "+
					"much for the solver",
				s.J,
				s.B,
				s.LogZRatio,
			)
		}
	}
	return nil
}
