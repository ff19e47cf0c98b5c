// Package smc computes the exact distribution of an inference algorithm's output and of its
// estimate of Z, and its AIDE. It enumerates any particle.Algorithm of package chains/particle,
// propagates the distribution of few particles on an annealing, and gives the mean and variance of
// AIDE for any number of meta-inference runs. It also gives the transition matrix of particle
// Gibbs, which is conditional SMC as a kernel on the paths of a hidden Markov model.
//
// If there is no exact method, a note names the sizes to reduce.
package smc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/exact"
	"breadboard/exact/internal/stage"
)

// Setting describes sequential Monte Carlo; see particle.NewSMC.
type Setting struct {
	Particles int
	Scheme    particle.Scheme
	Threshold float64
}

// Validate returns an error if a field is out of range.
func (s Setting) Validate() error { return particle.CheckSMC(s.Particles, s.Threshold) }

// Never reports whether the particles are never resampled. The effective sample size is at least
// one, so that a threshold of at most 1/P is never reached.
func (s Setting) Never() bool { return s.Threshold < 1 && s.Threshold*float64(s.Particles) <= 1 }

// EveryStage reports whether the particles are resampled by the multinomial scheme at every stage,
// whatever their weights. The relative variance of such systems is known for any number of
// particles.
func (s Setting) EveryStage() bool { return s.Scheme == particle.Multinomial{} && s.Threshold == 1 }

// Options control how distributions are computed, and do not change the results. The zero value is
// the default.
type Options struct {
	// Workers is the number of goroutines that may share one computation; zero is one. The answer
	// is the same to the last bit.
	Workers int
	// Progress is called now and then with the number of stages since the last call; it may be nil.
	// The relative variance of one particle, and of a Setting.EveryStage, takes all stages once
	// more.
	Progress func(stages int)
}

// Method is the way in which a Law was computed.
type Method string

// The methods of Solve, in the order in which they are tried.
const (
	MethodAnnealing  Method = "annealing"  // one particle: package exact
	MethodIntegral   Method = "integral"   // never resampled: integrals over the distribution of the weight
	MethodDraws      Method = "draws"      // kernels that draw from p_t, so that the stages are independent
	MethodPairs      Method = "pairs"      // the distribution of two particles
	MethodTriples    Method = "triples"    // the distribution of three particles
	MethodQuadruples Method = "quadruples" // the distribution of four particles
	// the distribution of how many particles are in each of two or three states
	MethodCounts      Method = "counts"
	MethodEnumeration Method = "enumeration" // enumeration of all branches of a run
	MethodNone        Method = "none"        // there is no exact method; a note gives the reason
)

// Law has the exact results for sequential Monte Carlo on an annealing. Divergences and logarithms
// are in nats and may be infinite; Notes give the reason. They are NaN if there is no exact method.
type Law struct {
	Method   Method
	LogRatio []float64 // log q/p of each output with p > 0, NaN elsewhere; q sums to 1 - Extinct

	J    float64 // KLQP + KLPQ, of the runs that have an output
	KLQP float64 // KL(q||p)
	KLPQ float64 // KL(p||q)

	MeanLogZForward     float64 // E log Zhat of a run; -Inf if a run may be extinct
	MeanLogZConditional float64 // E log Zhat in meta-inference for an output from the target
	B                   float64 // MeanLogZConditional - MeanLogZForward
	LogZRatio           float64 // log Z_T/Z_1, the logarithm of E Zhat
	// the variance of Zhat over the square of its mean, which is Z unless the path gains states
	RelativeVariance float64
	Extinct          float64 // the probability that all weights become zero, so that a run has no output

	// These bound the rounding errors of J and its halves, of B, of both means of log Zhat, and of
	// RelativeVariance. They are zero for numbers that keep the stated accuracy.
	ErrorJ, ErrorB, ErrorMean, ErrorVariance float64

	// Identities are checks that hold for every distribution: the total mass, E Zhat = Z and
	// E[Zhat; x] = Z p(x).
	Identities []exact.Identity
	Notes      []string
}

// rounding bounds the rounding error of a log weight and of log q/p: a unit in the last place for
// each stage, and for each nat of the range of log f.
func rounding(a *chains.Annealing) float64 {
	return 0x1p-52 * (float64(a.Distributions()) + Span(a, 1) + Span(a, a.Distributions()))
}

// round sets the bounds on rounding errors of a distribution all of whose numbers are sums of terms
// that are small if log weights are.
func (l *Law) round(err float64) {
	l.ErrorJ, l.ErrorB, l.ErrorMean = number.Divergence(l.J, err).Error,
		number.Divergence(l.B, err).Error, err
}

// note adds a note.
func (l *Law) note(format string, args ...any) {
	l.Notes = append(l.Notes, fmt.Sprintf(format, args...))
}

// Solve returns the distribution of sequential Monte Carlo on an annealing, by the first of the
// methods that applies. With resampling at every stage these take two particles on at most 4096
// states, three or four on fewer, and any number on two or three states; without resampling, any
// number. If no method applies, or the work would be too much, the Method is none, a note names the
// sizes to reduce, and only LogZRatio is known, and RelativeVariance if the resampling is
// multinomial at every stage.
//
// A distribution of particles is propagated stage by stage: E[Zhat^s; particles] for s = 0, which
// gives q, and for s = 1, with its derivative in s, which gives p and the conditional mean of log
// Zhat. All terms are positive. Numbers of the size of J = 0.04 have 13 digits at T = 100. Memory
// does not depend on T.
//
// Solve fails if exact.Solve would, if the context ends, and if a setting is out of range.
func Solve(ctx context.Context, a *chains.Annealing, s Setting, o Options) (*Law, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if err := exact.Validate(a); err != nil {
		return nil, err
	}
	if s.Particles == 1 {
		return solveOne(ctx, a, o)
	}
	if s.Never() {
		return solveNever(ctx, a, s, o)
	}
	if s.Threshold == 1 {
		if drawsExactly(a) {
			return solveDraws(ctx, a, s.Particles, o)
		}
		if e := engineOf(a.States(), s); e != nil {
			l, err := propagate(ctx, a, s, e, o)
			var wide outOfRange
			if errors.As(err, &wide) {
				return solveByEnumeration(ctx, a, s, Options{Workers: o.Workers}, wide.why)
			}
			return l, err
		}
	}
	return solveByEnumeration(ctx, a, s, o, "")
}

// solveOne returns the distribution of one particle, which is annealed importance sampling for any
// scheme and threshold.
func solveOne(ctx context.Context, a *chains.Annealing, o Options) (*Law, error) {
	sol, err := exact.Solve(ctx, a, exact.Options{Workers: o.Workers, Progress: o.Progress})
	if err != nil {
		return nil, err
	}
	side, err := outputsOfChain(ctx, a, nil)
	if err != nil {
		return nil, err
	}
	l := &Law{
		Method:              MethodAnnealing,
		J:                   sol.J,
		KLQP:                sol.KLQP,
		KLPQ:                sol.KLPQ,
		MeanLogZForward:     sol.MeanLogWForward,
		MeanLogZConditional: sol.MeanLogWReverse,
		B:                   sol.B,
		LogZRatio:           sol.LogZRatio,
		Extinct:             side.extinct,
		LogRatio:            side.logRatio,
		Notes:               sol.Notes,
	}
	n := sol.Numbers()
	l.ErrorJ = n.J.Error
	l.ErrorB = n.B.Error
	l.ErrorMean = max(n.MeanLogWForward.Error, n.MeanLogWReverse.Error)
	if side.extinct > 0 { // J is that of the surviving chains, so that notes about all chains do not apply
		l.Notes = slices.DeleteFunc(slices.Clone(sol.Notes),
			func(n string) bool { return strings.HasPrefix(n, "KL(") || strings.Contains(n, "+Inf") })
		l.noteExtinct("the weight becomes zero")
		if math.IsInf(l.MeanLogZConditional, 1) {
			l.note("the mean of log Zhat is +Inf in meta-inference, and B too: the reverse chain may come " +
				"to states where an earlier distribution is zero")
		}
		l.diverge(side.logRatio, side.deviation, side.logP)
	}
	for x, v := range side.logP {
		if math.IsInf(v, -1) {
			l.LogRatio[x] = math.NaN()
		}
	}
	l.RelativeVariance, err = relativeVariance(ctx, a, 1, o)
	if err != nil {
		return nil, err
	}
	l.Identities, err = exact.Check(ctx, a, sol, nil)
	if err != nil {
		return nil, err
	}
	return l, nil
}

// noteExtinct says how often the event occurs that leaves no output.
func (l *Law) noteExtinct(event string) {
	l.note("the mean of log Zhat is -Inf in runs and B is +Inf: with probability %.10g %s, and there is "+
		"no output; J is that of the runs that survive",
		l.Extinct, event)
}

// diverge sets the divergences from log q/p and q/p - 1, of which q sums to 1 - Extinct, and the
// logarithm of p. They are those of q over its sum.
func (l *Law) diverge(logRatio, deviation, logP []float64) {
	survives := 1 - l.Extinct
	shift := -math.Log1p(-l.Extinct)
	var d stage.Divergences
	for x, v := range logP {
		if math.IsInf(v, -1) {
			continue
		}
		if math.IsInf(logRatio[x], -1) {
			d.Add(math.Exp(v), v, number.Wide{}, number.Scaled(-1, 0))
			continue
		}
		d.Add(math.Exp(v), v, number.WideExp(logRatio[x]+shift),
			number.Scaled((deviation[x]+l.Extinct)/survives, 0))
	}
	l.J, l.KLQP, l.KLPQ = d.Values()
	if d.Missing > 0 {
		l.note("KL(p||q) and J are +Inf: %s has no run, and KL(q||p) is %.10g",
			outputsWith(d.Missing, d.MissMass), l.KLQP)
	}
}

// outputsWith returns a clause such as "2 outputs with mass 0.25 under the target".
func outputsWith(count int, mass float64) string {
	if count == 1 {
		return fmt.Sprintf("one output, with mass %.6g under the target,", mass)
	}
	return fmt.Sprintf("each of %d outputs, with mass %.6g under the target,", count, mass)
}

// unknown returns a distribution without the numbers that depend on all particles.
func unknown(ctx context.Context, a *chains.Annealing, s Setting, o Options, why string) (*Law, error) {
	nan := math.NaN()
	l := &Law{
		Method:              MethodNone,
		J:                   nan,
		KLQP:                nan,
		KLPQ:                nan,
		MeanLogZForward:     nan,
		MeanLogZConditional: nan,
		B:                   nan,
		RelativeVariance:    nan,
		Extinct:             nan,
		LogZRatio:           logZRatio(a),
		LogRatio:            nans(a.States()),
	}
	instead := "the relative variance of Zhat is exact for any number of particles that are resampled by " +
		"the multinomial scheme at every stage"
	if s.EveryStage() {
		var err error
		l.RelativeVariance, err = relativeVariance(ctx, a, s.Particles, o)
		if err != nil {
			return nil, err
		}
		instead = "the relative variance of Zhat and log Z_T/Z_1 are exact"
	}
	l.note("there is no exact method: %s; %s", why, instead)
	return l, nil
}

// logZRatio returns log Z_T - log Z_1.
func logZRatio(a *chains.Annealing) float64 {
	p := stage.NewProblem(a, nil)
	s := stage.NewStage(p.Annealing)
	first := s.Here.LogZ
	s.LoadDensity(&s.Here, a.Distributions())
	return s.Here.LogZ - first + p.Offset
}

// mostTuples is the number of entries that the distribution of particles may have in one column: a
// quarter of a gigabyte.
const mostTuples = 1 << 25

// engineOf returns the way to propagate the distribution of particles that are resampled at every
// stage, and nil if there is none.
func engineOf(n int, s Setting) engine {
	_, multinomial := s.Scheme.(particle.Multinomial)
	_, residual := s.Scheme.(particle.Residual)
	switch P := s.Particles; {
	case P == 2 && math.Pow(float64(n), 2) <= mostTuples/2:
		return buildPairs(n, s.Scheme)
	case P == 3 && !multinomial && !residual && math.Pow(float64(n), 3) <= mostTuples:
		return newTriples(n, s.Scheme)
	case (P == 3 || P == 4) && (multinomial || residual) && multisetWork(n, P).entries <= mostTuples:
		return newMultisets(n, P, multinomial)
	case P > 4 && n <= 3 && multinomial && Multisets(P, n) <= mostCounts:
		return newCounts(n, P)
	case P > 4 && n <= 3 && residual && P <= mostResidual &&
		multisetWork(n, P).operations <= mostResidualWork:
		return newMultisets(n, P, false)
	}
	return nil
}

// solveByEnumeration returns the distribution of a setting by enumeration of runs, if that is not
// too much work. why is the reason against the other methods, if it is not the setting.
func solveByEnumeration(ctx context.Context, a *chains.Annealing, s Setting, o Options,
	why string) (*Law, error) {
	if why := tooWide(a); why != "" {
		return unknown(ctx, a, s, o, why)
	}
	j, err := EnumerateSMC(ctx, a, s, EnumerateOptions{})
	var large *TooLarge
	switch {
	case errors.As(err, &large):
		if why == "" {
			why = whyNot(a.States(), s, large)
		}
		return unknown(ctx, a, s, o, why)
	case err != nil:
		return nil, err
	}
	if o.Progress != nil {
		o.Progress(a.Distributions() - 1)
	}
	l := lawOf(j, logZRatio(a))
	l.round(rounding(a))
	l.ErrorVariance = number.Divergence(l.RelativeVariance, rounding(a)).Error
	return l, nil
}

// tooWide returns the reason if log f of the target spans too much for plain probabilities; else it
// is empty.
func tooWide(a *chains.Annealing) string {
	if span := Span(a, a.Distributions()); span > WidestEnumerated {
		return fmt.Sprintf("log f of the target spans %.6g nats, and more than %d are too much for plain probabilities",
			span, WidestEnumerated)
	}
	return ""
}

// WidestEnumerated is the largest range of log f of the target, in nats, for which runs are
// enumerated: the least probability is then a normal float64.
const WidestEnumerated = 650

// Span returns the range of log f_t in nats, without its zeros.
func Span(a *chains.Annealing, t int) float64 {
	logf := make([]float64, a.States())
	a.LogF(logf, t)
	low, high := number.Bounds(logf)
	return high - low
}

// lawOf returns the distribution that enumeration gives.
func lawOf(j *Joint, logZ float64) *Law {
	l := &Law{
		Method:              MethodEnumeration,
		LogRatio:            j.LogRatio(),
		MeanLogZForward:     j.MeanLogZForward(),
		MeanLogZConditional: j.MeanLogZConditional(),
		B:                   j.B(),
		LogZRatio:           logZ,
		RelativeVariance:    j.RelativeVariance(),
		Extinct:             j.Extinct(),
	}
	l.KLQP, l.KLPQ, l.J = j.divergences()
	mass := l.Extinct
	for _, q := range j.Q() {
		mass += q
	}
	l.Identities = []exact.Identity{exact.NewIdentity("total mass", mass, 1, exact.BaseTolerance)}
	return l
}

// whyNot says what would have to be smaller.
func whyNot(n int, s Setting, large *TooLarge) string {
	P := s.Particles
	runs := fmt.Sprintf("its runs have about %.1g branches, and at most %d are enumerated", large.Runs, large.Limit)
	if math.IsInf(large.Runs, 1) {
		runs = fmt.Sprintf("its runs have more than 1e308 branches, and at most %d are enumerated", large.Limit)
	}
	if s.Threshold < 1 {
		return fmt.Sprintf("carried weights have too many values for the other methods (threshold %v), and %s; take "+
			"fewer states or stages",
			s.Threshold, runs)
	}
	what := "sets of particles"
	tuples := Multisets(P, n)
	if _, multinomial := s.Scheme.(particle.Multinomial); !multinomial {
		if _, residual := s.Scheme.(particle.Residual); !residual && P > 2 {
			what = "rows of particles, which this scheme takes in order"
			tuples = math.Pow(float64(n), float64(P))
		}
	}
	return fmt.Sprintf("%d particles on %d states make %.3g %s, which would take %s or more; up to 4 particles "+
		"are propagated on few states, more on 2 or 3 if they make at most %d sets, and %s",
		P, n, tuples, what, errs.Memory(8*maxColumns*tuples), mostCounts, runs)
}

// solveNever returns the distribution of particles that are never resampled.
func solveNever(ctx context.Context, a *chains.Annealing, s Setting, o Options) (*Law, error) {
	if s.Particles > MaxParticles {
		return unknown(ctx, a, s, o,
			fmt.Sprintf("%d particles; without resampling at most %d are allowed", s.Particles, MaxParticles))
	}
	if why := tooWide(a); why != "" {
		return unknown(ctx, a, s, o, why)
	}
	side, err := NewNever(ctx, a, s.Particles, max(1, o.Workers))
	if err != nil {
		return nil, err
	}
	one, err := relativeVariance(ctx, a, 1, o)
	if err != nil {
		return nil, err
	}
	if o.Progress != nil {
		o.Progress(a.Distributions() - 1)
	}
	l := &Law{
		Method:              MethodIntegral,
		LogRatio:            append([]float64(nil), side.LogRatio()...),
		MeanLogZForward:     side.MeanLogZForward,
		MeanLogZConditional: side.MeanLogZConditional,
		B:                   side.B,
		LogZRatio:           side.LogZRatio,
		RelativeVariance:    one / float64(s.Particles),
		Extinct:             side.Extinct(),
		ErrorB:              2 * side.Error,
		ErrorMean:           side.Error,
	}
	if side.Note != "" {
		l.note("%s", side.Note)
		l.J = math.NaN()
		l.KLQP = math.NaN()
		l.KLPQ = math.NaN()
		return l, nil
	}
	l.diverge(l.LogRatio, side.Deviation(), side.logP)
	l.ErrorJ = number.Divergence(l.J, 4*rounding(a)).Error
	var mass number.Sum
	for x, v := range side.logP {
		if math.IsInf(v, -1) {
			l.LogRatio[x] = math.NaN()
			continue
		}
		mass.Add(math.Exp(v) * (1 + side.Deviation()[x]))
	}
	l.Identities = []exact.Identity{exact.NewIdentity("total mass",
		mass.Value()+l.Extinct, 1, exact.IdentityTolerance(a.Distributions())+2*side.Error)}
	if l.Extinct > 0 {
		l.noteExtinct("all weights are zero")
	}
	return l, nil
}
