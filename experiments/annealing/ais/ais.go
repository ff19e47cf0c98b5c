package ais

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/simulate"
	"breadboard/exact"
	"breadboard/exact/weights"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// These constants bound the memory of a study, in bytes: what a chain keeps in both directions, and
// what it needs while it runs.
const (
	keptPerChain = 32
	workPerChain = 64
	maxMemory    = 8e9
)

// blockChains is the approximate number of chains that share a stream and the tables of a stage. It
// must not depend on the number of workers.
const blockChains = 1 << 15

// Options are the numbers of chains and their seed.
type Options struct {
	Chains int    // the number of chains in each direction
	Seed   uint64 // the seed of all random streams
}

// Validate returns an error that names invalid options for the given number of cases.
func (o Options) Validate(cases int) error {
	need := float64(o.Chains) * (workPerChain + keptPerChain*float64(max(0, cases-1)))
	switch {
	case o.Chains < 2:
		return fmt.Errorf("%d chains; a standard error needs at least 2", o.Chains)
	case need > maxMemory && cases <= 1:
		return fmt.Errorf("%d chains need about %.3g GB; the limit is %.2g GB: give fewer chains", o.Chains,
			need/1e9, maxMemory/1e9)
	case need > maxMemory:
		return fmt.Errorf(
			"%d chains of %d annealings need about %.3g GB; the limit is %.2g GB: give fewer chains, or "+
				"one annealing at a time",
			o.Chains,
			cases, need/1e9, maxMemory/1e9)
	}
	return nil
}

// Row holds the estimates of bidirectional Monte Carlo for one annealing, and their exact values.
type Row struct {
	subject.Case
	Chains           int
	Seed             uint64
	Forward, Reverse *simulate.Batch // Reverse is nil if there are no exact draws to start from
	Exact            *exact.Solution
	// the number of classes of states on which the exact solution was found; 0 for the states
	// themselves
	Classes    int
	Quantities []Quantity
	// the fault of the kernel, because of which there are no estimates; nil if there is none
	Err       error
	logZRatio float64 // log(Z_T/Z_1) on the centred path
	states    int     // the number of states with positive target probability
}

// Quantity is an estimate and its exact expectation.
type Quantity struct {
	Name          string
	Exact         float64
	Estimate      float64
	StandardError float64
	// whether the standard error is estimated from the sample; otherwise it is exact for many
	// chains
	FromSample bool
	Bias       float64 // the bias of the estimator, to first order in 1/chains
	Note       string

	ofLogW bool // whether a constant in log f shifts the quantity
	z      float64
}

// Z returns how many standard errors the estimate is from its expectation, bias included. It is NaN
// if the standard error is unknown or as small as rounding, and for J_plugin, whose bias is not
// known well enough.
func (q *Quantity) Z() float64 { return q.z }

// computeZ computes z, and then adds the constant that centring removed from every log weight. The
// order matters: next to a large constant, Estimate - Exact would lose its digits.
func (q *Quantity) computeZ(offset float64) {
	q.z = math.NaN()
	if q.StandardError > 1e-12*(1+math.Abs(q.Exact)) && q.Name != plugIn {
		q.z = (q.Estimate - q.Exact - q.Bias) / q.StandardError
	}
	if q.ofLogW {
		q.Estimate = q.Estimate + offset
		q.Exact = q.Exact + offset
	}
}

// plan runs chains of one case after another in both directions, and compares estimates with exact
// values. The numbers depend on the seed, on the case (see Case.Key) and on the number of chains,
// but not on the number of workers. Err holds the error of a case whose kernel is at fault; the
// other cases continue.
//
// Source: Grosse, Ancha and Roy 2016, sections 2.2 and 3.1.
func plan(_ context.Context, cases []subject.Case, o *Options) (study.Plan[Row], error) {
	p := study.Plan[Row]{Run: func(ctx context.Context, h study.How) ([]Row, error) {
		rows := make([]Row, len(cases))
		for i, c := range cases {
			rows[i] = Row{Case: c, Chains: o.Chains, Seed: o.Seed}
			if c.Factored() != nil {
				rows[i], rows[i].Err = OnFactors(ctx, c, *o, h)
			} else {
				rows[i].Err = c.Toy.Explain(rows[i].runChains(ctx, TraceOptions{Options: *o}, h, nil))
			}
			if ctx.Err() != nil {
				return rows[:i], subject.NewUnfinished(i, len(cases), ctx.Err())
			}
		}
		return rows, nil
	}}
	for i := range cases {
		p.Steps += 2 * o.Chains * (cases[i].Distributions() - 1)
	}
	return p, o.Validate(len(cases))
}

// runChains runs the blocks of chains of both directions and the exact solution concurrently, and
// reports as described at Trace if there is a function for that.
func (r *Row) runChains(ctx context.Context, o TraceOptions, h study.How, report func(*Running) error) error {
	s, err := newSampling(ctx, &r.Case, o.Options, h)
	if err != nil {
		return err
	}
	r.Exact = s.exact
	r.logZRatio = s.logZRatio
	r.states = s.states
	if s.solved != nil && s.solved.States() < s.a.States() {
		r.Classes = s.solved.States()
	}
	g := newGathering(s, o, report, r)
	jobs := g.jobs()
	if err := subject.Parallel(ctx, len(jobs), h.Workers,
		func(ctx context.Context, i int) error { return jobs[i](ctx) }); err != nil {
		return err
	}
	r.estimate(s.law)
	r.raise(s.offset)
	return nil
}

// sampling is what all blocks of chains of one case share.
type sampling struct {
	options Options
	how     study.How
	key     string            // of the case
	a       *chains.Annealing // on the centred path, with the time reversal of every stage
	offset  float64           // the constant that centring removes from every log weight
	// logZRatio is log(Z_T/Z_1) by sums over all states; it needs no exact solution.
	logZRatio float64
	states    int // the number of states with positive target probability
	// exact is the solution of a. It is empty if only the estimates are wanted.
	exact *exact.Solution
	law   weightLaw // of a
	// its distribution of weights equals that of a; on classes of states, if there are far fewer
	solved *chains.Annealing
}

// newSampling solves the annealing, which also checks the kernel.
func newSampling(ctx context.Context, c *subject.Case, o Options, h study.How) (*sampling, error) {
	s := &sampling{options: o, how: h, key: c.Key()}
	s.a, s.offset = c.Annealing().Centred()
	s.setEnds()
	if s.chainsAlone() {
		s.exact, s.law = unknown(math.NaN())
	} else if err := s.solve(ctx, c); err != nil {
		return nil, err
	}
	var err error
	// Reverse chains use the time reversal, which an external kernel may not have.
	s.a, err = exact.WithReversal(ctx, s.a)
	return s, err
}

// setEnds computes logZRatio and states from the ends of the path.
func (s *sampling) setEnds() {
	logf := make([]float64, s.a.States())
	s.a.LogF(logf, 1)
	first := number.LogSumExp(logf)
	s.a.LogF(logf, s.a.Distributions())
	s.logZRatio = number.LogSumExp(logf) - first
	for _, v := range logf {
		if !math.IsInf(v, -1) {
			s.states++
		}
	}
}

// chainsAlone reports whether no requested column needs the exact solution. J_plugin does, unless
// there are too few chains for a histogram. An external kernel is solved all the same, as a check.
func (s *sampling) chainsAlone() bool {
	kernel := s.a.Kernel()
	return s.how.Columns.Within(sampled()) && s.options.Chains < s.states && kernel != nil &&
		chains.OfLibrary(kernel)
}

// solve computes the exact solution, on classes of states if the kernel treats many states alike.
// If the kernel does not reach all classes, the solution on the states determines which states it
// reaches.
func (s *sampling) solve(ctx context.Context, c *subject.Case) (err error) {
	if classes, lumped, is := subject.LumpedAnnealing(c.Toy, s.a); is {
		s.solved = lumped
		s.exact, err = exact.Solve(ctx, lumped, exact.Options{})
		if err == nil && s.exact.Reach == nil {
			s.exact.Output, s.exact.Target = classes.OnStates(s.exact.Output),
				classes.OnStates(s.exact.Target)
			return nil
		}
	}
	s.solved = s.a
	s.exact, err = exact.Solve(ctx, s.a, exact.Options{})
	return err
}

// blockCount returns the number of blocks of chains in each direction; first is the number of the
// first chain of a block.
func (s *sampling) blockCount() int { return (s.options.Chains + blockChains - 1) / blockChains }

func (s *sampling) firstChain(block int) int { return block * s.options.Chains / s.blockCount() }

// simulateBlock runs the chains of one block with its own random stream. The function see is that
// of simulate.Watch; it may be nil.
func (s *sampling) simulateBlock(ctx context.Context, d chains.Direction, block int,
	see func(t int, states []int32)) (*simulate.Batch, error) {
	k := s.firstChain(block+1) - s.firstChain(block)
	stream := simulate.ChainStream(s.options.Seed, "ais "+s.key, d, block)
	watch := &simulate.Watch{Look: ctx.Err, See: see, Stage: func() { s.how.Add(k) }}
	return simulate.Fastest(s.a, d, stream, k, watch)
}

// raise adds a constant in nats to every log weight of the row, and to everything computed from log
// weights.
func (r *Row) raise(offset float64) {
	for i := range r.Quantities {
		r.Quantities[i].computeZ(offset)
	}
	r.Exact.MeanLogWForward += offset
	r.Exact.MeanLogWReverse += offset
	r.Exact.LogZRatio += offset
	for _, b := range []*simulate.Batch{r.Forward, r.Reverse} {
		if b != nil {
			raise(b.LogW, offset)
		}
	}
}

// raise adds a constant to log weights.
func raise(logw []float64, offset float64) {
	for i := range logw {
		logw[i] += offset
	}
}

// weightLaw holds the exact properties of the weights that determine the standard errors.
type weightLaw struct{ forward, reverse weights.Spread }

// unknown returns a solution and a distribution of which only log(Z_T/Z_1) is known, or NaN.
func unknown(logZRatio float64) (*exact.Solution, weightLaw) {
	none := math.NaN()
	spread := weights.Spread{LogMean: none, Variance: none, Relative: none}
	return &exact.Solution{
		J:               none,
		B:               none,
		MeanLogWForward: none,
		MeanLogWReverse: none,
		LogZRatio:       logZRatio,
	}, weightLaw{spread, spread}
}

// jobs returns the functions that together compute the distribution. They may run at the same time.
func (w *weightLaw) jobs(a *chains.Annealing) []func(context.Context) error {
	spread := func(d chains.Direction, to *weights.Spread) func(context.Context) error {
		return func(ctx context.Context) (err error) {
			*to, err = weights.SpreadOf(ctx, a, d)
			return err
		}
	}
	return []func(context.Context) error{
		spread(chains.Forward, &w.forward), spread(chains.Reverse, &w.reverse)}
}

// estimate computes the quantities of the row.
func (r *Row) estimate(law weightLaw) {
	k := float64(r.Chains)
	s := r.Exact
	forward, reverse := law.forward, law.reverse
	f := Mean(r.Forward.LogW)
	add := func(name string, want float64, got Estimate, variance float64) *Quantity {
		q := Quantity{Name: name, Exact: want, Estimate: got.Value, StandardError: math.Sqrt(variance / k)}
		if math.IsNaN(variance) {
			q.StandardError = got.StandardError
			q.FromSample = true
		} else if math.IsInf(variance, 0) {
			q.StandardError = math.NaN()
		}
		r.Quantities = append(r.Quantities, q)
		return &r.Quantities[len(r.Quantities)-1]
	}
	logMean := func() {
		q := add("log_mean_w_forward", forward.LogMean, LogMeanExp(r.Forward.LogW, 1), forward.Relative)
		q.ofLogW = true
		q.explain(forward.Relative/k, s.LogZRatio)
	}
	add("mean_log_w_forward", s.MeanLogWForward, f, forward.Variance).ofLogW = true
	if r.Reverse == nil {
		r.withholdErrors()
		logMean()
		return
	}
	v := Mean(r.Reverse.LogW)
	both := Estimate{v.Value - f.Value, math.Hypot(f.StandardError, v.StandardError)}
	add("mean_log_w_reverse", s.MeanLogWReverse, v, reverse.Variance).ofLogW = true
	add("B", s.B, both, forward.Variance+reverse.Variance)
	add("kl_q_p_upper", s.LogZRatio-s.MeanLogWForward, Estimate{r.logZRatio - f.Value, f.StandardError},
		forward.Variance)
	add("kl_p_q_upper", s.MeanLogWReverse-s.LogZRatio, Estimate{v.Value - r.logZRatio, v.StandardError},
		reverse.Variance)
	logMean()
	harmonic := LogMeanExp(r.Reverse.LogW, -1)
	harmonic.Value = -harmonic.Value
	q := add("log_mean_w_reverse", -reverse.LogMean, harmonic, reverse.Relative)
	q.ofLogW = true
	q.explain(reverse.Relative/k, s.LogZRatio)
	q.Bias = -q.Bias
	r.withholdErrors()
	bar := add("bar", s.LogZRatio, BAR(r.Forward.LogW, r.Reverse.LogW), math.NaN())
	bar.ofLogW = true
	if math.IsNaN(bar.StandardError) {
		bar.Note = "the two samples hardly overlap: do not trust the estimate"
	}
	if r.Annealing() != nil {
		r.addPlugIn()
	}
}

// withholdErrors removes the standard errors of mean log weights that rest on few chains. If nearly
// all log weights of a sample are equal, its variance comes from a few rare ones, whose number in
// the sample could as well be zero or twice as large.
func (r *Row) withholdErrors() {
	samples := map[string][]*simulate.Batch{
		"mean_log_w_forward": {r.Forward}, "kl_q_p_upper": {r.Forward}, "mean_log_w_reverse": {r.Reverse},
		"kl_p_q_upper": {r.Reverse}, "B": {r.Forward, r.Reverse},
	}
	for i := range r.Quantities {
		q := &r.Quantities[i]
		for _, of := range samples[q.Name] {
			if n := resting(of.LogW); q.FromSample && n < min(leastResting, float64(r.Chains)/6) {
				q.StandardError = math.NaN()
				q.Note = fmt.Sprintf(
					"too few chains for a standard error: it would rest on about %.0f chains whose log "+
						"weights are far from the others", n)
				if n == 0 {
					q.Note = "too few chains for a standard error: all have the same log weight"
				}
			}
		}
	}
}

// leastResting is the smallest number of chains on which the variance of a sample may rest. With
// fewer, the variance is known to no better than about a half.
const leastResting = 10

// resting returns the effective number of values on which the variance of a sample rests: the
// square of the sum of squared deviations from the mean over the sum of their fourth powers. It is
// a third of the sample size for normal values, zero if all values are equal, and NaN if one is
// infinite.
func resting(values []float64) float64 {
	mean := Mean(values).Value
	squares := 0.0
	fourths := 0.0
	for _, v := range values {
		d := (v - mean) * (v - mean)
		squares = squares + d
		fourths = fourths + d*d
	}
	if squares == 0 {
		return 0
	}
	return squares / fourths * squares
}

// explain sets the bias of the logarithm of a mean. It adds a note if the delta method does not
// hold, or if the expectation is not log(Z_T/Z_1) because f has zeros.
func (q *Quantity) explain(relativeVariance, logZRatio float64) {
	q.Bias = -relativeVariance / 2
	switch {
	case math.IsNaN(q.Exact): // only the estimate is wanted
	case !(relativeVariance < 0.1):
		q.Bias = 0
		q.StandardError = math.NaN()
		q.Note = "too few chains for a standard error: rare large weights dominate the mean"
	case math.Abs(q.Exact-logZRatio) > 1e-9*(1+math.Abs(logZRatio)):
		q.Note = fmt.Sprintf(
			"zeros of f exclude part of the paths: the expectation is log(Z_T/Z_1) %+.6g", q.Exact-logZRatio)
	}
}

// plugIn is the name of the quantity that addPlugIn adds, and plugInNote the note that it has
// wherever it is shown.
const (
	plugIn     = "J_plugin"
	plugInNote = "has a bias, given to first order"
)

// addPlugIn adds the divergence of the histogram of forward final states from the target.
func (r *Row) addPlugIn() {
	counts := make([]int, r.Annealing().States())
	for _, x := range r.Forward.Last {
		counts[x]++
	}
	q := r.Exact.Output
	p := r.Exact.Target
	k := float64(r.Chains)
	if none := math.NaN(); r.Chains < r.states {
		r.Quantities = append(r.Quantities, Quantity{
			Name:          plugIn,
			Exact:         r.Exact.J,
			Estimate:      none,
			StandardError: none,
			Bias:          none,
			Note:          "too few chains for a histogram: fewer chains than states",
		})
		return
	}
	out := Quantity{Name: plugIn, Exact: r.Exact.J, Estimate: PlugInJ(counts, p), Note: plugInNote}
	if math.IsInf(r.Exact.J, 0) {
		out.StandardError = math.NaN()
		out.Bias = math.NaN()
		out.Note = "the exact J is infinite"
		r.Quantities = append(r.Quantities, out)
		return
	}
	// J is a function of q with gradient log(q/p) + 1 - p/q and second derivatives 1/q + p/q^2. The
	// half draws that PlugInJ adds to each state move q by (1/2 - n q/2)/k. The variance has a term
	// from the gradient and the term 1/2 tr(H S H S) from the second derivatives H, with S the
	// covariance of the histogram. Near q = p the gradient vanishes and only the second term
	// remains.
	mean := 0.0
	square := 0.0
	n := float64(len(q))
	curved := 0.0
	cross := 0.0
	for x := range q {
		if p[x] == 0 || q[x] == 0 {
			continue
		}
		gradient := number.LogRatio(q[x], p[x]) + 1 - p[x]/q[x]
		mean += q[x] * gradient
		square += q[x] * gradient * gradient
		curvature := 1/q[x] + p[x]/(q[x]*q[x])
		curved += curvature * curvature * q[x] * q[x] * (1 - 2*q[x])
		cross += curvature * q[x] * q[x]
		out.Bias += curvature*q[x]*(1-q[x])/(2*k) + gradient*(0.5-n*q[x]/2)/k
	}
	linear := max(0, square-mean*mean) / k
	quadratic := (curved + cross*cross) / (2 * k * k)
	out.StandardError = math.Sqrt(linear + quadratic)
	if quadratic > linear/4 {
		out.Note = "J is no larger than its bias: the error is not normal, and the bias is rough"
	}
	for x := range q {
		if k*q[x] < 5 && k*p[x] >= 0.01 || k*q[x] < 1 && q[x] > 0 {
			out.Note = "bias and standard error are rough: some states have fewer than five expected chains"
			if none := math.NaN(); out.Bias > r.Exact.J/2 {
				out.Estimate = none
				out.StandardError = none
				out.Bias = none
				out.Note = "too few chains for a histogram: some states have fewer than five expected " +
					"chains, and the bias would exceed half of J"
				break
			}
		}
	}
	r.Quantities = append(r.Quantities, out)
}
