package smc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/exact/program"
)

// EnumerateOptions bound the work of Enumerate.
type EnumerateOptions struct {
	// Program bounds each enumeration. A cut of zero drops practically nothing here.
	Program program.Options
	// Constant is the constant Z of xi = Z q(u, x)/r(u; x) of the algorithm; it is one for
	// sequential Monte Carlo. If it is zero it is computed from meta-inference, so that the mean of
	// xi over all outputs is right by construction.
	Constant float64
	// Offset is a constant in nats that is left out of logTarget, and is added to log Z and log
	// Zhat. Constants of 10^12 then cost the distribution and xi no digits.
	Offset float64
	// Progress is called after the runs, and after meta-inference for each output, with 1; it may
	// be nil.
	Progress func(int)
}

// JointTrace is a trace with one output.
type JointTrace struct {
	Q     float64 // q(u, x), the probability that a run has the trace and the output
	R     float64 // r(u; x), the probability that meta-inference draws the trace for the output
	LogXi float64 // log xi from meta-inference, or from a run if meta-inference never draws the trace
	RunXi float64 // log xi from a run; LogXi if no run has the trace
}

// Joint is the joint distribution of the trace, the output and xi of an algorithm, in runs and in
// meta-inference. It is a Side.
type Joint struct {
	p         []float64 // the target
	logTarget []float64
	logZ      float64 // of the target, without the offset
	offset    float64
	logC      float64 // the constant Z of xi, as it was given or found
	q         []float64
	extinct   float64
	traces    [][]JointTrace // by output
	strays    []float64      // by output: the probability that meta-inference returns another output
	// by output: the largest difference of the values of xi for one trace, among runs or draws of
	// meta-inference
	twoXi     []float64
	remainder float64
}

// Enumerate returns the joint distribution of an algorithm with its meta-inference, by running it
// once for each sequence of outcomes of its choices, and also its meta-inference for every output.
// The target has the distribution p proportional to exp(logTarget), and Z is the sum of these. xi
// and meta-inference need not be right: see Findings.
//
// It fails with the error of program.Enumerate, which states about how many runs it would take if
// they are too many. Time is the number of runs, memory the number of traces.
//
//	q(u, x) = P(a run has the trace u and the output x), r(u; x) = P(meta-inference from x has u),
//
//	xi(u, x) = Z q(u, x)/r(u; x), so that E_r[xi; x] = Z q(x) if r covers q.
func Enumerate(ctx context.Context, alg particle.Algorithm, logTarget []float64,
	o EnumerateOptions) (*Joint, error) {
	if n := alg.Outputs(); n != len(logTarget) {
		return nil, fmt.Errorf("an algorithm has %d outputs and the target distribution %d", n, len(logTarget))
	}
	if o.Program.Cut == 0 {
		o.Program.Cut = math.SmallestNonzeroFloat64
	}
	if o.Program.Branches == 0 {
		o.Program.Branches = program.DefaultBranches
	}
	n := len(logTarget)
	j := &Joint{
		p:         append([]float64(nil), logTarget...),
		logTarget: logTarget,
		logZ:      number.LogTotal(logTarget),
		offset:    o.Offset,
		q:         make([]float64, n),
		traces:    make([][]JointTrace, n),
		strays:    make([]float64, n),
		twoXi:     make([]float64, n),
	}
	chains.Normalize(j.p)
	places := make([]map[particle.Trace]int, n)
	for x := range places {
		places[x] = map[particle.Trace]int{}
	}
	law, err := enumerateProgram(ctx, "a run", alg.Run, o)
	if err != nil {
		return nil, err
	}
	j.addRuns(law, places)
	for x := range n {
		law, err := enumerateProgram(ctx, fmt.Sprintf("meta-inference for output %d", x),
			func(c chains.Chooser) particle.Result { return alg.Meta(c, x) }, o)
		if err != nil {
			return nil, err
		}
		j.addMeta(law, x, places[x])
	}
	j.logC = number.Log(o.Constant)
	if o.Constant == 0 {
		j.logC = j.foundConstant()
	}
	return j, nil
}

// EnumerateSMC returns the joint distribution of sequential Monte Carlo on an annealing (see
// particle.NewSMC), with log Zhat an estimate of log Z_T/Z_1. The constant of its xi is one; the
// options' Constant and Offset are ignored.
func EnumerateSMC(ctx context.Context, a *chains.Annealing, s Setting, o EnumerateOptions) (*Joint, error) {
	// This is the number of joint first states of the particles. It is checked before memory is
	// taken for the states, which may be a billion.
	if limit := cmp.Or(o.Program.Branches, program.DefaultBranches); s.Particles > 1 {
		if about := math.Pow(float64(max(2, starts(a))), float64(s.Particles)); about > 64*float64(limit) {
			return nil, tooLarge("a run", about, limit, nil)
		}
	}
	flow, err := particle.NewAnnealed(a)
	if err != nil {
		return nil, err
	}
	run, err := particle.NewSMC(flow, s.Particles, s.Scheme, s.Threshold)
	if err != nil {
		return nil, err
	}
	o.Constant, o.Offset = 1, flow.Offset()
	return Enumerate(ctx, run, particle.LogTargets(flow), o)
}

// starts returns the number of states in which a chain may start.
func starts(a *chains.Annealing) (count int) {
	first := make([]float64, a.States())
	a.LogF(first, 1)
	for _, l := range first {
		if !math.IsInf(l, -1) {
			count++
		}
	}
	return count
}

// enumerateProgram returns the distribution of one program's results. It refuses far too much work
// at once.
func enumerateProgram(ctx context.Context, name string, f func(chains.Chooser) particle.Result,
	o EnumerateOptions) (*program.Law[particle.Result], error) {
	about := ways(f)
	if about > 64*float64(o.Program.Branches) {
		return nil, tooLarge(name, about, o.Program.Branches, nil)
	}
	law, err := program.Enumerate(ctx, f, o.Program)
	var why *program.Error
	switch {
	case errors.As(err, &why) && why.Kind == program.TooManyBranches:
		return nil, tooLarge(name, about, o.Program.Branches, err)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if o.Progress != nil {
		o.Progress(1)
	}
	return law, nil
}

// TooLarge is the error of an enumeration that would take too many runs.
type TooLarge struct {
	Runs  float64 // about how many
	Limit int
	text  string
	cause error
}

func (e *TooLarge) Error() string { return e.text }

// Unwrap returns the error of the enumeration, if it was begun.
func (e *TooLarge) Unwrap() error { return e.cause }

func tooLarge(name string, about float64, limit int, cause error) error {
	about = max(about, float64(limit))
	return &TooLarge{
		Runs: about, Limit: limit, cause: cause,
		text: fmt.Sprintf(
			"%s has about %.1g branches, and at most %d are enumerated; take fewer states, particles or stages",
			name,
			about,
			limit,
		),
	}
}

// ways returns about the number of branches of a program: the product of the numbers of outcomes
// along its likeliest branch. A program that panics has one.
func ways(f func(chains.Chooser) particle.Result) (product float64) {
	c := &likeliest{product: 1}
	defer func() {
		if recover() != nil {
			product = 1 // the enumeration will report the error
		}
	}()
	f(c)
	return c.product
}

// likeliest is a Chooser that takes the likeliest outcome of every choice, the first of them, and
// counts.
type likeliest struct {
	product float64
	choices int
}

// countOutcomes multiplies by a number of outcomes. It panics in a run that may have no end.
func (c *likeliest) countOutcomes(n int) {
	c.product *= float64(n)
	c.choices++
	if c.choices > chains.MaxChoices {
		panic("smc: too many choices")
	}
}

// Flip implements chains.Chooser.
func (c *likeliest) Flip(p float64) bool {
	if p > 0 && p < 1 {
		c.countOutcomes(2)
	} else {
		c.countOutcomes(1)
	}
	return p >= 0.5
}

// Uniform implements chains.Chooser.
func (c *likeliest) Uniform(n int) int {
	c.countOutcomes(n)
	return 0
}

// Choose implements chains.Chooser.
func (c *likeliest) Choose(p []float64) int {
	positive := 0
	best := 0
	for i, v := range p {
		if v > 0 {
			positive++
		}
		if v > p[best] {
			best = i
		}
	}
	c.countOutcomes(positive)
	return best
}

// addRuns adds the distribution of the runs.
func (j *Joint) addRuns(law *program.Law[particle.Result], places []map[particle.Trace]int) {
	j.remainder = law.Remainder()
	sums := make([]number.Sum, len(j.q))
	var extinct number.Sum
	for _, o := range law.Outcomes() {
		x := o.Value.Output
		if x < 0 || x >= len(j.q) {
			extinct.Add(o.P)
			continue
		}
		sums[x].Add(o.P)
		i := j.tracePlace(x, o.Value.Trace, places[x])
		t := &j.traces[x][i]
		if t.Q > 0 {
			j.twoXi[x] = max(j.twoXi[x], distance(t.RunXi, o.Value.LogXi))
		}
		t.Q += o.P
		t.LogXi, t.RunXi = o.Value.LogXi, o.Value.LogXi
	}
	for x := range sums {
		j.q[x] = sums[x].Value()
	}
	j.extinct = extinct.Value()
}

// addMeta adds the distribution of meta-inference for an output.
func (j *Joint) addMeta(law *program.Law[particle.Result], x int, places map[particle.Trace]int) {
	j.remainder = max(j.remainder, law.Remainder())
	for _, o := range law.Outcomes() {
		if o.Value.Output != x {
			j.strays[x] += o.P
			continue
		}
		t := &j.traces[x][j.tracePlace(x, o.Value.Trace, places)]
		if t.R > 0 {
			j.twoXi[x] = max(j.twoXi[x], distance(t.LogXi, o.Value.LogXi))
		}
		t.R += o.P
		t.LogXi = o.Value.LogXi
		if t.Q == 0 {
			t.RunXi = t.LogXi
		}
	}
}

// distance returns |a - b|, which is zero if both are the same infinity.
func distance(a, b float64) float64 {
	if a == b {
		return 0
	}
	return math.Abs(a - b)
}

// tracePlace returns the place of a trace.
func (j *Joint) tracePlace(x int, u particle.Trace, places map[particle.Trace]int) int {
	i, found := places[u]
	if !found {
		i = len(j.traces[x])
		places[u] = i
		j.traces[x] = append(j.traces[x], JointTrace{})
	}
	return i
}

// foundConstant returns log Z of xi: the sum of the means of xi over all outputs is Z times the
// probability of an output.
func (j *Joint) foundConstant() float64 {
	var logs []float64
	for x := range j.q {
		logs = append(logs, j.logMeanXi(x))
	}
	return number.LogTotal(logs) - math.Log1p(-j.extinct)
}

// logMeanXi returns the logarithm of the mean of xi in meta-inference for an output.
func (j *Joint) logMeanXi(x int) float64 {
	var logs []float64
	for _, t := range j.traces[x] {
		if t.R > 0 {
			logs = append(logs, number.Log(t.R)+t.LogXi)
		}
	}
	return number.LogTotal(logs)
}

// Underflows reports whether a trace of runs or of meta-inference has a probability that loses
// digits in float64. If one of the two never has the trace, its probability there is computed from
// xi = Z q/r. The lost part may be a large weight times a small probability, so a violated identity
// is then not a fault.
func (j *Joint) Underflows() bool {
	const least = 0x1p-1022
	lost := func(logP float64) bool { return logP < number.Log(least) }
	for _, traces := range j.traces {
		for _, t := range traces {
			switch {
			case t.Q > 0 && t.R > 0 && min(t.Q, t.R) < least,
				t.R == 0 && !math.IsInf(t.RunXi, 0) && lost(number.Log(t.Q)+j.logC-t.RunXi),
				t.Q == 0 && !math.IsInf(t.LogXi, 0) && lost(number.Log(t.R)-j.logC+t.LogXi):
				return true
			}
		}
	}
	return false
}

// Target returns p(x) of every output. Do not change it.
func (j *Joint) Target() []float64 { return j.p }

// Q returns the probability of every output in a run; they sum to one minus Extinct. Do not change
// it.
func (j *Joint) Q() []float64 { return j.q }

// Extinct implements Mortal.
func (j *Joint) Extinct() float64 { return j.extinct }

// LogZ returns log Z of the target, with the offset.
func (j *Joint) LogZ() float64 { return j.logZ + j.offset }

// logZhat returns log Zhat = log p~(x)/(xi/Z) of a trace, without the offset.
func (j *Joint) logZhat(x int, logXi float64) float64 { return j.logTarget[x] - (logXi - j.logC) }

// MeanLogZForward returns the mean of log Zhat of a run; it is -Inf if runs may be extinct.
func (j *Joint) MeanLogZForward() float64 {
	if j.extinct > 0 {
		return math.Inf(-1)
	}
	var sum number.Sum
	for x, traces := range j.traces {
		for _, t := range traces {
			if t.Q > 0 {
				sum.Add(t.Q * j.logZhat(x, t.RunXi))
			}
		}
	}
	return sum.Value() + j.offset
}

// MeanLogZConditional returns the mean of log Zhat in meta-inference for an output from the target.
func (j *Joint) MeanLogZConditional() float64 {
	var sum number.Sum
	for x, traces := range j.traces {
		for _, t := range traces {
			if t.R > 0 && j.p[x] > 0 {
				sum.Add(j.p[x] * t.R * j.logZhat(x, t.LogXi))
			}
		}
	}
	return sum.Value() + j.offset
}

// RelativeVariance returns the variance of Zhat/Z of a run, with zero for an extinct run.
func (j *Joint) RelativeVariance() float64 {
	var sum number.Sum
	sum.Add(j.extinct)
	for x, traces := range j.traces {
		for _, t := range traces {
			if t.Q > 0 {
				d := math.Expm1(j.logZhat(x, t.RunXi) - j.logZ)
				sum.Add(t.Q * d * d)
			}
		}
	}
	return sum.Value()
}

// divergences returns KL(q||p), KL(p||q) and their sum J, of the runs that have an output.
func (j *Joint) divergences() (klqp, klpq, both float64) {
	return Divergences(j.p, j, NewExact(len(j.p)))
}

// B returns MeanLogZConditional - MeanLogZForward; the offset cancels. It is the mean of AIDE with
// one trace and exact draws as the gold standard.
func (j *Joint) B() float64 {
	without := *j
	without.offset = 0
	return without.MeanLogZConditional() - without.MeanLogZForward()
}

// LogRatio implements Side.
func (j *Joint) LogRatio() []float64 {
	out := make([]float64, len(j.q))
	for x, q := range j.q {
		out[x] = number.Log(q) - number.Log(j.p[x])
		if q == 0 {
			out[x] = math.Inf(-1)
		}
	}
	return out
}

// Traces implements Side. It fails if meta-inference, or xi, is not right (see Findings).
func (j *Joint) Traces(ctx context.Context, ms []int) ([]Traces, error) {
	laws := make([]TraceLaw, len(j.q))
	for x := range laws {
		laws[x] = j.traceLaw(x)
	}
	a, err := NewAtoms(j.LogRatio(), laws)
	if err != nil {
		return nil, fmt.Errorf("meta-inference is not right: %w", err)
	}
	return a.Traces(ctx, ms)
}

// traceLaw returns the distribution of W = xi/(Z q(x)) at an output.
func (j *Joint) traceLaw(x int) TraceLaw {
	var l TraceLaw
	for _, t := range j.traces[x] {
		if t.R > 0 {
			l.Atoms = append(l.Atoms, Atom{LogW: t.LogXi - j.logC - number.Log(j.q[x]), P: t.R})
		} else {
			l.RunOnly += t.Q / j.q[x]
		}
	}
	return l
}
