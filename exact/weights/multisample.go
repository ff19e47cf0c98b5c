package weights

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact"
	"breadboard/exact/internal/mellin"
)

// MultiSample holds the expectations of three bounds on log(Z_T/Z_1) that are made from K weights,
// in nats: w_i are the weights of forward chains, v_i those of reverse chains, all independent.
type MultiSample struct {
	K       int     // the number of weights
	Forward float64 // E log(1/K sum w_i), a lower bound
	Reverse float64 // -E log(1/K sum 1/v_i), an upper bound (bidirectional Monte Carlo)
	Mixed   float64 // E log(1/K (v_1 + w_2 + ... + w_K)), an upper bound
	// Error bounds the errors of the finite ones of the three. If it is above 1e-6 the three are
	// not known: they are NaN.
	Error float64
	// Note gives the reason, if the three are not known, and the values between which they lie.
	Note string
}

// MaxSamples is the largest K of MultiSampleBounds.
const MaxSamples = 1_000_000_000

// maxSampleError is the error, in nats, above which a bound counts as not known.
const maxSampleError = 1e-6

// MultiSampleBounds returns the bounds for each K in ks, from 1 to MaxSamples. For K = 1 they are
// the means of log w of exact.Solve, for any spread of the log weights. For other K they come from
// the Laplace transforms of the distributions of w, 1/v and v, through
//
//	E log S = integral over t > 0 of (exp(-t) - E exp(-t S))/t dt,
//
// where S is the sum of K weights and E exp(-t S) a product of K transforms. On a lattice (see
// LawsOf) a transform is a sum over the points, else an integral of E[w^s] along a vertical line
// (see the documentation of the package); no distribution is smoothed. It fails if exact.Solve
// does, and for a K out of range.
//
// Source: Burda, Grosse and Salakhutdinov 2016 for the lower bound; Grosse, Ghahramani and Adams
// 2015 for the reverse one; Brekelmans et al. 2022, section 3, for the mixed one.
func MultiSampleBounds(ctx context.Context, a *chains.Annealing, ks []int,
	o SampleOptions) ([]MultiSample, error) {
	for _, k := range ks {
		if k < 1 || k > MaxSamples {
			return nil, errs.New("%d samples; a bound takes from 1 to %d", k, MaxSamples)
		}
	}
	if err := exact.Validate(a); err != nil {
		return nil, err
	}
	var one *exact.Solution
	var many *manySamples
	var err error
	out := make([]MultiSample, len(ks))
	for i, k := range ks {
		switch {
		case k == 1 && one == nil:
			one, err = exact.Solve(ctx, a, exact.Options{})
		case k > 1 && many == nil:
			many, err = newManySamples(
				ctx,
				newProblem(a, Options{Progress: o.Progress, Inversion: o.Inversion, Workers: o.Workers}),
			)
		}
		if err != nil {
			return nil, err
		}
		if k == 1 {
			out[i] = oneSample(one, a.Distributions())
		} else {
			out[i] = many.bounds(k)
		}
	}
	return out, nil
}

// oneSample returns the bounds of one sample of an annealing with T distributions, which are the
// means of log w. Their error is the tolerance of exact.Check for these means.
func oneSample(s *exact.Solution, T int) MultiSample {
	forward, reverse := s.MeanLogWForward, s.MeanLogWReverse
	return MultiSample{
		K:       1,
		Forward: forward,
		Reverse: reverse,
		Mixed:   reverse,
		Error:   exact.MeanTolerance(T, forward, reverse) + 4*s.ErrorLogW,
	}
}

// manySamples holds the data for the bounds of more than one sample.
type manySamples struct {
	transforms *laplace
	logZRatio  float64 // log(Z_T/Z_1): the transforms are those of weights relative to it
	low, high  float64 // bounds on log w
}

// newManySamples computes the transforms, as sums over a lattice or as integrals.
func newManySamples(ctx context.Context, p *problem) (*manySamples, error) {
	v, err := p.survey(ctx)
	if err != nil {
		return nil, err
	}
	logZRatio := p.logZRatio()
	var l *laplace
	if lattice, ok := v.lattice(); ok && !p.Inversion {
		l, err = p.laplaceOnLattice(ctx, lattice, logZRatio)
	} else {
		l, err = p.laplaceByMellin(ctx, v, logZRatio)
	}
	if err != nil {
		return nil, err
	}
	return &manySamples{l, logZRatio + p.Offset, v.low + p.Offset, v.high + p.Offset}, nil
}

// bounds returns the bounds of k samples. If they are not known they are NaN, and a note says
// between what values they lie: every bound comes closer to log(Z_T/Z_1) as K grows (Burda, Grosse
// and Salakhutdinov 2016, theorem 1).
func (m *manySamples) bounds(k int) MultiSample {
	out := m.transforms.bounds(k)
	all := []*float64{&out.Forward, &out.Reverse, &out.Mixed}
	if out.Error <= maxSampleError {
		for _, b := range all {
			*b += m.logZRatio
		}
		return out
	}
	if math.IsNaN(out.Error) {
		out.Error = math.Inf(1)
	}
	for _, b := range all {
		*b = math.NaN()
	}
	out.Note = fmt.Sprintf(
		"the bounds for K = %d are not known: their error might be %.2g, as the log weights spread from "+
			"%.6g to %.6g; each lies between that for K = 1 and log(Z_T/Z_1)",
		k,
		out.Error,
		m.low,
		m.high,
	)
	return out
}

// laplace holds the Laplace transforms of w/R, of R/v and of v/R, with R = Z_T/Z_1, at t = exp(tau)
// for tau = low + i laplaceStep.
type laplace struct {
	low            float64
	w, inverseV, v []mellin.Transform
	// lostForward says that a forward weight may be zero, and lostReverse that a reverse weight may
	// be infinite.
	lostForward, lostReverse bool
	// shift bounds the error of the logarithms of the weights.
	shift float64
}

// laplaceStep is the step in tau = log t of the integral over t. The integrand is analytic for |Im
// tau| < pi/2, where its modulus is at most two, so that the error of the trapezoidal rule is
// exp(-pi^2/laplaceStep) = 1e-21 of the range.
const laplaceStep = 0.2

// newLaplace returns an empty laplace with the lower end of the integral, and the number of its
// points. Left of that end the integrand is negligible: it is at most K t E[S] for S = w/R and S =
// R/v, whose means are at most one, and t v/R is as small. Right of the last point exp(-t S) is
// negligible even for the least possible S.
func newLaplace(v *survey, logZRatio float64) (l *laplace, n int) {
	low, high := v.low-logZRatio, v.high-logZRatio
	l = &laplace{low: -40 - number.Log(MaxSamples) - max(0, high)}
	last := 5 + max(0, -low, high)
	return l, 1 + int((last-l.low)/laplaceStep)
}

// tau returns log t of the i-th point of the integral.
func (l *laplace) tau(i int) float64 { return l.low + float64(i)*laplaceStep }

// bounds returns the bounds of k samples minus log(Z_T/Z_1).
func (l *laplace) bounds(k int) MultiSample {
	out := MultiSample{K: k}
	var forward, reverse, mixed, errors number.Sum
	n := float64(k)
	for i := range l.w {
		t := math.Exp(l.tau(i))
		w := l.w[i]
		u := l.inverseV[i]
		v := l.v[i]
		e := math.Expm1(-t)
		a, errA := w.Power(n)
		b, errB := u.Power(n)
		c, errC := w.Power(n - 1)
		forward.Add(e - a)
		reverse.Add(e - b)
		// 1 - Phi_v Phi_w^(K-1) = (1 - Phi_v) + Phi_v (1 - Phi_w^(K-1))
		mixed.Add(e + v.Rise + v.Phi*-c)
		errors.Add(max(errA, errB, min(1, v.Err)+errC))
	}
	out.Forward = laplaceStep*forward.Value() - number.Log(n)
	out.Reverse = -(laplaceStep*reverse.Value() - number.Log(n))
	out.Mixed = laplaceStep*mixed.Value() - number.Log(n)
	out.Error = laplaceStep*errors.Value() + 1e-15*(1+float64(len(l.w))) + l.shift
	if l.lostForward {
		out.Forward = math.Inf(-1)
	}
	if l.lostReverse {
		out.Reverse = math.Inf(1)
		out.Mixed = math.Inf(1)
	}
	return out
}

// Trials are the moments of the estimate of log(Z_T/Z_1), in nats, from K independent chains in one
// direction: the logarithm of the mean of their weights forward, and minus the logarithm of the
// mean of the reciprocal weights in reverse.
type Trials struct {
	// as MultiSample.Forward or MultiSample.Reverse; infinite if a weight may be zero or infinite
	Mean    float64
	SD      float64 // the standard deviation of the logarithm; NaN if the mean is infinite
	LogMean float64 // the logarithm of the mean of the estimate of Z_T/Z_1 itself
	// bounds the errors of Mean and of the variance; if it is above 1e-6 they are not known, and
	// are NaN
	Error float64
	Note  string // why something is not known
}

// TrialsOf returns the moments for each K in ks, from 2 to MaxSamples; for one chain see
// CumulantsOf and CGF. It takes a sweep of O(T entries) time for each of some hundred to some
// thousand points of a transform, a third of the time of MultiSampleBounds. It fails if
// MultiSampleBounds does.
//
// Source: Grosse, Ghahramani and Adams 2015, footnote 5.
func TrialsOf(ctx context.Context, a *chains.Annealing, d chains.Direction, ks []int,
	o SampleOptions) ([]Trials, error) {
	most := 2
	for _, k := range ks {
		if k < 2 || k > MaxSamples {
			return nil, errs.New("%d trials; several are from 2 to %d", k, MaxSamples)
		}
		most = max(most, k)
	}
	if err := exact.Validate(a); err != nil {
		return nil, err
	}
	p := newProblem(a, Options{Progress: o.Progress, Inversion: o.Inversion, Workers: o.Workers})
	s, err := p.newSingle(ctx, d, most)
	if err != nil {
		return nil, err
	}
	out := make([]Trials, len(ks))
	for i, k := range ks {
		out[i] = s.trials(k)
		out[i].Mean += p.Offset
		out[i].LogMean += p.Offset
	}
	return out, nil
}

// single holds the transform of one variable: of U = w/R forward, and of U = R/v in reverse, with R
// = Z_T/Z_1.
type single struct {
	variable
	logZRatio  float64
	zero, mean float64 // P(U = 0), and the mean of U
	low, high  float64 // bounds on the logarithms of the weights over R
	from       float64 // the logarithm of the first t
	transform  []mellin.Transform
	shift      float64 // how far the logarithms of the weights may be off
}

// newSingle computes the transform, as a sum over a lattice or as an integral, for means of up to
// the given number of variables.
func (p *problem) newSingle(ctx context.Context, d chains.Direction, most int) (*single, error) {
	v, err := p.survey(ctx)
	if err != nil {
		return nil, err
	}
	var moments [2]*joint
	var mass [2]float64
	for i := range moments {
		moments[i], err = p.propagateMoments(ctx, chains.Direction(i))
		if err != nil {
			return nil, err
		}
		mass[i], _ = moments[i].cumulants()
	}
	s := &single{variable: variables()[d], logZRatio: p.logZRatio(), zero: 1 - mass[d], mean: mass[1-d]}
	s.low, s.high = v.low-s.logZRatio, v.high-s.logZRatio
	// The integrand is negligible left and right of these points for the reasons that newLaplace
	// gives.
	s.from = -40 - number.Log(float64(most)) - max(0, s.high, -s.low)
	points := 1 + int((5+max(0, -s.low, s.high)-s.from)/laplaceStep)
	if l, ok := v.lattice(); ok && !p.Inversion {
		s.shift = latticeTolerance * (v.high - v.low)
		return s, s.onLattice(ctx, p, l, points)
	}
	return s, s.byMellin(ctx, p, moments[d], points)
}

// onLattice computes the transform as a sum over a lattice.
func (s *single) onLattice(ctx context.Context, p *problem, v *survey, points int) error {
	law, err := p.propagateLattice(ctx, s.direction, v, p.portions(p.Annealing.Distributions()-1))
	if err != nil {
		return err
	}
	for j := range points {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.transform = append(s.transform, law.laplace(s.tau(j)-s.sign*s.logZRatio, s.sign))
	}
	return nil
}

// byMellin computes the transform as an integral along lines.
func (s *single) byMellin(ctx context.Context, p *problem, j *joint, points int) error {
	lines := p.linesOf(j, s.variable, s.low, s.high)
	lines.Mean = s.mean
	// A line left of the second pole serves means of very many variables alone.
	lines.Lines = slices.DeleteFunc(
		lines.Lines,
		func(l mellin.Line) bool { return l.Order == 2 && -s.from < manyLines },
	)
	if err := p.fillContours(ctx, []mellin.Lines{lines}, []variable{s.variable}, s.logZRatio); err != nil {
		return err
	}
	for j := range points {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.transform = append(s.transform, lines.Best(s.tau(j)))
	}
	return nil
}

// manyLines is minus the logarithm of the least t from which on a line left of the second pole is
// worth its time.
const manyLines = 60

// tau returns log t of the i-th point of the transform.
func (s *single) tau(i int) float64 { return s.from + float64(i)*laplaceStep }

// trials returns the moments of k chains.
func (s *single) trials(k int) Trials {
	m := mellin.LogMomentsOf(s.transform, s.from, laplaceStep, k)
	out := Trials{
		Mean:    s.logZRatio + s.sign*m.Mean,
		SD:      m.SD(),
		LogMean: s.logZRatio + number.Log(s.mean),
		Error:   m.Error + s.shift,
	}
	if s.direction == chains.Reverse {
		out.LogMean = s.logZRatio + m.LogReciprocal()
	}
	switch {
	case s.zero > 0:
		out.Mean = math.Inf(-int(s.sign))
		out.SD = math.NaN()
		if s.direction == chains.Reverse {
			out.LogMean = math.Inf(1)
		}
	case !(out.Error <= maxSampleError):
		out.Mean = math.NaN()
		out.SD = math.NaN()
		out.Note = fmt.Sprintf(
			"the moments of %d trials are not known: their error might be %.2g, as the log weights spread "+
				"from %.6g to %.6g",
			k,
			out.Error,
			s.low+s.logZRatio,
			s.high+s.logZRatio,
		)
	case math.IsNaN(out.LogMean):
		out.Note = fmt.Sprintf("log E Z-hat of %d trials is not known, as the log weights spread from %.6g to %.6g",
			k, s.low+s.logZRatio, s.high+s.logZRatio)
	}
	return out
}
