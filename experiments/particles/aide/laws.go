package aide

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/particle"
	"breadboard/exact/program"
	"breadboard/exact/smc"
	"breadboard/experiments/subject"
	"breadboard/grid"
)

// Law has the exact results about an algorithm on an annealing.
type Law struct {
	Side   smc.Side // nil if the distribution of the traces has no exact method; the notes have the reason
	Solved *smc.Law // the means of log Zhat if only these are known; otherwise nil
	Method string
	Notes  []string
}

// Methods of distributions: those of package smc, by their names there, and others.
const (
	methodDensity     = "density"                     // the distribution is given
	methodAnnealing   = string(smc.MethodAnnealing)   // one particle, propagated
	methodMoves       = "moves"                       // a chain under its target
	methodIntegral    = string(smc.MethodIntegral)    // particles that are never resampled
	methodEnumeration = string(smc.MethodEnumeration) // every run
	methodNone        = string(smc.MethodNone)        // no exact method applies
)

// maxPairStates is the largest number of states for which the traces of two particles are computed.
// Time grows like its cube: 100 stages take seconds on 49 states, and minutes at this limit. Above
// it only the means of log Zhat are known.
const maxPairStates = 150

// widestSpan returns the largest range of log f of the first and of the last distribution in nats,
// zeros apart.
func widestSpan(a *chains.Annealing) float64 {
	return max(smc.Span(a, 1), smc.Span(a, a.Distributions()))
}

// maxSampled is the largest number of particles and of steps that are simulated one by one.
const maxSampled = 1_000_000

// checkCase returns an error if the algorithm does not fit a case, or cannot be simulated there.
func (c Choice) checkCase(on *subject.Case, runs bool) error {
	if runs && (c.Particles > maxSampled || c.Moves > maxSampled) {
		return errs.New(
			"a run of %s makes more than %d steps; leave {chains} out, or give fewer particles or steps",
			c.Name,
			maxSampled,
		)
	}
	if _, lattice := on.Toy.Space.(*grid.Lattice); c.Kind == MeanField && !lattice {
		return errs.New("meanfield is a product over the axes of a grid, and the space of this toy has no axes; " +
			"choose another algorithm")
	}
	return nil
}

// setting returns the setting of sequential Monte Carlo.
func (c Choice) setting() smc.Setting {
	return smc.Setting{Particles: c.Particles, Scheme: c.Scheme, Threshold: c.Threshold}
}

// oneChain reports whether the algorithm is annealed importance sampling, by whatever name.
func (c Choice) oneChain() bool { return c.Kind == ais || c.Kind == SMC && c.Particles == 1 }

// ExactLaw returns what is known exactly about the algorithm on a case. Up to workers goroutines
// share the work; 0 is one for each processor. If the algorithm is one chain, whose traces take
// long on a large space, progress is called as at particle.NewChain; it may be nil.
func (c Choice) ExactLaw(ctx context.Context, on *subject.Case, workers int,
	progress func(steps int)) (*Law, error) {
	a := on.Annealing()
	if span := widestSpan(a); c.Kind != Exact && span > smc.WidestEnumerated {
		why := fmt.Sprintf(
			"%s has no exact method here: log f spans %.6g nats, and the distributions of traces need at "+
				"most %d; give a target with a smaller range",
			c.Name,
			span,
			smc.WidestEnumerated,
		)
		return &Law{Method: methodNone, Notes: []string{why}}, nil
	}
	switch {
	case c.Kind == Exact:
		return &Law{Side: smc.NewExact(a.States()), Method: methodDensity}, nil
	case c.Kind == MeanField:
		logRatio, err := meanField(ctx, on)
		return &Law{Side: smc.NewDensity(logRatio), Method: methodDensity}, err
	case c.oneChain():
		side, err := smc.NewChain(ctx, a, workers, progress)
		return &Law{Side: side, Method: methodAnnealing}, err
	case c.Kind == MH:
		side, err := smc.NewMH(ctx, a, c.Moves)
		return &Law{Side: side, Method: methodMoves}, err
	case c.Kind == sir && c.Particles == 1 && covered(a):
		return &Law{Side: smc.NewDensity(initialRatio(a)), Method: methodDensity}, nil
	case c.Kind == SMC && c.Particles == 2 && c.Threshold == 1 && a.States() <= maxPairStates:
		side, err := smc.NewPairs(ctx, a, c.Scheme, workers)
		return &Law{Side: side, Method: string(smc.MethodPairs)}, err
	case c.Kind == sir:
		return Independent(ctx, particle.NewProposed(logF(a, 1), logF(a, a.Distributions())), c.Particles, workers)
	case c.Kind == SMC && c.setting().Never():
		side, err := smc.NewNever(ctx, a, c.Particles, workers)
		if err != nil {
			return nil, err
		}
		return independentLaw(side), nil
	}
	if c.Kind == SMC {
		solved, err := smc.Solve(ctx, a, c.setting(), smc.Options{Workers: workers})
		if err != nil {
			return nil, err
		}
		if solved.Method != smc.MethodNone && solved.Method != smc.MethodEnumeration {
			side, err := smc.NewResampled(ctx, a, c.setting(), workers)
			if err != nil {
				return nil, err
			}
			if side != nil {
				return &Law{Side: side, Method: string(solved.Method), Notes: solved.Notes}, nil
			}
			const more = "only the mean with one meta-inference run against an exact gold standard is " +
				"known, since the distribution of the traces takes too long; give fewer particles, states or stages"
			return &Law{
				Solved: solved,
				Method: string(solved.Method),
				Notes:  slices.Concat(solved.Notes, []string{more}),
			}, nil
		}
	}
	return c.enumerated(ctx, on)
}

// Means returns the numbers that the means of log Zhat determine: J, and with one meta-inference
// run the mean of AIDE against an exact gold standard, and its halves.
func (l *Law) Means(meta int) Numbers {
	n := Unknown()
	if l.Solved == nil {
		return n
	}
	n.J = l.Solved.J
	if meta == 1 {
		n.Error = 2 * l.Solved.ErrorMean
		n.KLQPUpper = l.Solved.LogZRatio - l.Solved.MeanLogZForward
		n.KLPQUpper = l.Solved.MeanLogZConditional - l.Solved.LogZRatio
		n.Mean = l.Solved.B
		n.Bias = l.Solved.B - l.Solved.J
		n.LowerHalf = n.KLQPUpper - l.Solved.KLQP
		n.UpperHalf = n.KLPQUpper - l.Solved.KLPQ
	}
	return n
}

// LogRatio returns log q(x)/p(x) of every output, and nil if it is not known.
func (l *Law) LogRatio() []float64 {
	switch {
	case l.Side != nil:
		return l.Side.LogRatio()
	case l.Solved != nil:
		return l.Solved.LogRatio
	}
	return nil
}

// Independent returns the distribution of importance resampling.
func Independent(ctx context.Context, flow *particle.Proposed, particles, workers int) (*Law, error) {
	side, err := smc.NewSIR(ctx, flow, particles, workers)
	if err != nil {
		return nil, err
	}
	return independentLaw(side), nil
}

// independentLaw returns the distribution of particles that are never resampled.
func independentLaw(side *smc.Independent) *Law {
	l := &Law{Side: side, Method: methodIntegral}
	if side.Note != "" {
		l.Notes = []string{side.Note}
	}
	return l
}

// covered reports whether the target has mass wherever the initial distribution has. Elsewhere a
// draw has no weight, and a run of one particle is extinct.
func covered(a *chains.Annealing) bool {
	logp := logF(a, a.Distributions())
	for x, l := range logF(a, 1) {
		if math.IsInf(logp[x], -1) && !math.IsInf(l, -1) {
			return false
		}
	}
	return true
}

// initialRatio returns log p_1(x)/p(x), for a single draw from the initial distribution, which has
// a trivial trace. The target must have mass wherever the initial distribution has (see covered);
// if neither has, the ratio is -Inf.
func initialRatio(a *chains.Annealing) []float64 {
	logp1 := logF(a, 1)
	logp := logF(a, a.Distributions())
	shift := floats.LogSumExp(logp) - floats.LogSumExp(logp1)
	for x := range logp1 {
		if !math.IsInf(logp1[x], -1) {
			logp1[x] += shift - logp[x]
		}
	}
	return logp1
}

// maxEnumerated is the largest number of runs that are enumerated for one row of a table; this
// takes seconds.
const maxEnumerated = 1 << 21

// enumerated returns the distribution of an algorithm by enumerating its runs, if these are few
// enough.
func (c Choice) enumerated(ctx context.Context, on *subject.Case) (*Law, error) {
	none := &Law{Method: methodNone, Notes: []string{c.whyNone()}}
	if c.Particles > maxEnumeratedParticles || c.Moves > maxEnumeratedParticles {
		return none, nil
	}
	alg, err := c.New(on)
	if err != nil {
		return nil, err
	}
	particles := alg.(*particle.SMC)
	joint, err := smc.Enumerate(ctx, particles, particle.LogTargets(particles.Flow()), smc.EnumerateOptions{
		Constant: 1, Program: program.Options{Branches: maxEnumerated},
	})
	if _, large := errors.AsType[*smc.TooLarge](err); large {
		return none, nil
	}
	if err != nil {
		return nil, err
	}
	return &Law{Side: joint, Method: methodEnumeration}, nil
}

// maxEnumeratedParticles is the number of particles above which an algorithm has too many runs to
// even estimate their number.
const maxEnumeratedParticles = 30

// whyNone returns the reason why an algorithm has no exact method, and what has to be smaller.
func (c Choice) whyNone() string {
	what := "more than a few particles are exact only on a space with few states"
	if c.Kind == SMC && c.Threshold > 0 {
		what += ", at most three with a threshold of 1"
	}
	return fmt.Sprintf("%s has no exact method here: %s; give fewer particles or a smaller space", c.Name, what)
}

// LogZError returns E log Zhat - log Z, where xi = p~(x)/Zhat: for a density q that of p~(x)/q(x),
// which is minus KL(q||p). It comes from the traces, since log W = log Z/Zhat - log q/p. It is -Inf
// if a run may be extinct, and NaN if nothing is known. The ratios of the side are relative to the
// distribution p.
func (l *Law) LogZError(ctx context.Context, p []float64) (float64, error) {
	switch {
	case l.Solved != nil:
		return l.Solved.MeanLogZForward - l.Solved.LogZRatio, nil
	case l.Side == nil:
		return math.NaN(), nil
	}
	if m, mortal := l.Side.(smc.Mortal); mortal && m.Extinct() > 0 {
		return math.Inf(-1), nil
	}
	traces, err := l.Side.Traces(ctx, []int{1})
	if err != nil {
		return 0, err
	}
	terms := make([]float64, len(p))
	for x, ratio := range l.Side.LogRatio() {
		if q := p[x] * math.Exp(ratio); q != 0 { // NaN if it is not known
			terms[x] = -q * (traces[0].Run[x] + ratio)
		}
	}
	return floats.SumCompensated(terms), nil
}

// meanField returns log q/p of the product over the axes found by coordinate ascent.
func meanField(ctx context.Context, on *subject.Case) ([]float64, error) {
	a := on.Annealing()
	logf := logF(a, a.Distributions())
	logQ, err := smc.FitMeanField(ctx, on.Toy.Space.(*grid.Lattice), logf)
	if err != nil {
		return nil, err
	}
	logZ := floats.LogSumExp(logf)
	for x, l := range logf {
		logf[x] = logQ[x] - (l - logZ)
		if math.IsInf(l, -1) {
			logf[x] = math.Inf(-1)
		}
	}
	return logf, nil
}
