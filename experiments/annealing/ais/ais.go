package ais

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/simulate"
	"breadboard/exact"
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
		return errs.New("%d chains; a standard error needs at least 2", o.Chains)
	case need > maxMemory && cases <= 1:
		return errs.New("%d chains need %s, and the limit is %.2g GB; give fewer chains", o.Chains,
			errs.Memory(need), maxMemory/1e9)
	case need > maxMemory:
		return errs.New("%d chains of %d annealings need %s, and the limit is %.2g GB; give fewer chains, or "+
			"one annealing at a time",
			o.Chains,
			cases, errs.Memory(need), maxMemory/1e9)
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
	r.estimateQuantities(s.law)
	r.shiftWeights(s.offset)
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

// shiftWeights adds a constant in nats to every log weight of the row, and to everything computed
// from log weights.
func (r *Row) shiftWeights(offset float64) {
	for i := range r.Quantities {
		r.Quantities[i].computeZ(offset)
	}
	r.Exact.MeanLogWForward += offset
	r.Exact.MeanLogWReverse += offset
	r.Exact.LogZRatio += offset
	for _, b := range []*simulate.Batch{r.Forward, r.Reverse} {
		if b != nil {
			shiftLogs(b.LogW, offset)
		}
	}
}

// shiftLogs adds a constant to log weights.
func shiftLogs(logw []float64, offset float64) {
	for i := range logw {
		logw[i] += offset
	}
}
