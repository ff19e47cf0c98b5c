package ais

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/simulate"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// TraceOptions are the options of Trace.
type TraceOptions struct {
	Options
	Paths  int   // the number of chains in each direction whose states are reported
	Stages []int // the stages at which these states are reported, from 1 to T
	// the numbers of chains at which estimates are reported, in ascending order; see RunningCounts
	Counts []int
}

// MaxPathStates is the largest number of states of paths that are reported in each direction.
const MaxPathStates = 1 << 22

// RunningCounts returns 1, 2, 5, 10, 20, 50 and so on up to a number of chains, and that number.
func RunningCounts(chains int) []int {
	var out []int
	for power := 1; power < chains; power *= 10 {
		for _, n := range []int{power, 2 * power, 5 * power} {
			if n < chains {
				out = append(out, n)
			}
		}
	}
	return append(out, chains)
}

// Validate returns an error that names invalid options for an annealing with T distributions.
func (o TraceOptions) Validate(T int) error {
	if err := o.Options.Validate(1); err != nil {
		return err
	}
	if o.Paths < 0 || o.Paths > o.Chains {
		return errs.New("the paths of %d chains; give a number from 0 to %d, the number of chains", o.Paths, o.Chains)
	}
	if states := float64(o.Paths) * float64(len(o.Stages)); states > MaxPathStates {
		return errs.New("%d paths of %d stages have more than %d states; give fewer of either", o.Paths,
			len(o.Stages), MaxPathStates)
	}
	for _, t := range o.Stages {
		if t < 1 || t > T {
			return errs.New("stage %d of an annealing with %d distributions; stages are 1 to %d", t, T, T)
		}
	}
	last := 0
	for _, n := range o.Counts {
		if n <= last || n > o.Chains {
			return errs.New(
				"estimates after %d chains, after the number %d; give numbers of chains in ascending order, up to %d",
				n,
				last,
				o.Chains,
			)
		}
		last = n
	}
	return nil
}

// Path is the path of one chain.
type Path struct {
	Direction chains.Direction
	Chain     int     // from 0, in its direction
	States    []int32 // at the stages of the options, in their order
	LogW      float64 // in nats
}

// Running is a report after a number of chains in each direction.
type Running struct {
	// Estimates has the quantities of the first Chains chains, but not the chains themselves.
	Estimates Row
	// Forward and Reverse are the chains since the last report. Paths are those that
	// TraceOptions.Paths asks for, all forward ones first.
	Forward, Reverse *simulate.Batch
	Paths            []Path
}

// Trace runs the chains of one case with the random numbers of the study, and reports estimates
// whenever the number of chains reaches one of Counts. Chains are simulated in blocks of up to
// 32,768, so that the reports of a block come together. The reports are the same for any number of
// workers. They come one after another, possibly from several goroutines; an error from one ends
// the run, and is returned.
//
// It returns the row of the study for these options. Errors are returned, not set in Err.
func Trace(ctx context.Context, c subject.Case, o TraceOptions, h study.How,
	report func(*Running) error) (*Row, error) {
	if err := cmp.Or(h.Validate(), o.Validate(c.Distributions())); err != nil {
		return nil, err
	}
	r := &Row{Case: c, Chains: o.Chains, Seed: o.Seed}
	if err := r.runChains(ctx, o, h, report); err != nil {
		return nil, c.Toy.Explain(err)
	}
	return r, nil
}

// gathering joins the blocks of chains of one case in their order, and reports as they come.
type gathering struct {
	*sampling
	options TraceOptions
	report  func(*Running) error // nil if there are no Counts
	row     *Row

	mu sync.Mutex
	// the number of parts of the distribution of the weights that are not yet known
	lawsLeft int
	waiting  [2]map[int]*blockOfRuns // by direction, the blocks that are done, but not joined
	joined   int                     // the number of blocks that have been joined
	shown    []Path                  // the paths of joined chains that have not been reported
	reported int                     // the number of chains that have been reported
}

// blockOfRuns is a block of chains of one direction.
type blockOfRuns struct {
	*simulate.Batch
	paths []Path
}

func newGathering(s *sampling, o TraceOptions, report func(*Running) error, row *Row) *gathering {
	g := &gathering{sampling: s, options: o, report: report, row: row}
	for d, to := range []**simulate.Batch{&row.Forward, &row.Reverse} {
		g.waiting[d] = map[int]*blockOfRuns{}
		*to = &simulate.Batch{
			First: make([]int32, 0, o.Chains),
			Last:  make([]int32, 0, o.Chains),
			LogW:  make([]float64, 0, o.Chains),
		}
	}
	return g
}

// jobs returns the functions that run all blocks of both directions, and find the distribution of
// the weights.
func (g *gathering) jobs() (jobs []func(context.Context) error) {
	for block := range g.blockCount() {
		for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
			jobs = append(jobs, func(ctx context.Context) error {
				b, err := g.runBlock(ctx, d, block)
				if err != nil {
					return err
				}
				return g.update(func() { g.waiting[d][block] = b })
			})
		}
	}
	if g.solved == nil {
		return jobs
	}
	laws := g.law.jobs(g.solved)
	g.lawsLeft = len(laws)
	for i, job := range laws {
		laws[i] = func(ctx context.Context) error {
			if err := job(ctx); err != nil {
				return err
			}
			return g.update(func() { g.lawsLeft-- })
		}
	}
	if g.report == nil {
		return append(jobs, laws...)
	}
	return append(laws, jobs...) // every report needs them
}

// runBlock runs a block of chains, and keeps the requested paths.
func (g *gathering) runBlock(ctx context.Context, d chains.Direction, block int) (*blockOfRuns, error) {
	first := g.firstChain(block)
	b := &blockOfRuns{}
	for i := first; i < min(g.options.Paths, g.firstChain(block+1)); i++ {
		b.paths = append(b.paths, Path{Direction: d, Chain: i, States: make([]int32, len(g.options.Stages))})
	}
	var see func(t int, states []int32)
	if len(b.paths) > 0 {
		see = b.pathRecorder(g.options.Stages)
	}
	var err error
	b.Batch, err = g.simulateBlock(ctx, d, block, see)
	if err != nil {
		return nil, err
	}
	for i := range b.paths {
		b.paths[i].LogW = b.LogW[i] + g.offset
	}
	return b, nil
}

// pathRecorder returns a function for simulate.Watch that keeps the states of the paths at the
// given stages.
func (b *blockOfRuns) pathRecorder(stages []int) func(t int, states []int32) {
	places := map[int][]int{}
	for i, t := range stages {
		places[t] = append(places[t], i)
	}
	return func(t int, states []int32) {
		for _, at := range places[t] {
			for i := range b.paths {
				b.paths[i].States[at] = states[i]
			}
		}
	}
}

// update applies a change to the state, joins the blocks whose turn it is, and reports.
func (g *gathering) update(change func()) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	change()
	for g.waiting[0][g.joined] != nil && g.waiting[1][g.joined] != nil {
		for d, to := range []*simulate.Batch{g.row.Forward, g.row.Reverse} {
			b := g.waiting[d][g.joined]
			to.First, to.Last, to.LogW = append(to.First, b.First...), append(to.Last, b.Last...),
				append(to.LogW, b.LogW...)
			g.shown = append(g.shown, b.paths...)
			delete(g.waiting[d], g.joined) // so that its memory is free
		}
		g.joined++
	}
	if g.lawsLeft > 0 || g.report == nil {
		return nil
	}
	for _, n := range g.options.Counts {
		if n <= g.reported || n > len(g.row.Forward.LogW) {
			continue
		}
		if err := g.report(g.runningReport(n)); err != nil {
			g.report = nil // running blocks still arrive, without a report
			return err
		}
		g.reported = n
	}
	return nil
}

// runningReport returns the state after the first n chains, with those that have not been reported.
func (g *gathering) runningReport(n int) *Running {
	solution := *g.row.Exact // a copy for each report, since raise changes it
	upTo := Row{
		Case:      g.row.Case,
		Chains:    n,
		Seed:      g.row.Seed,
		Forward:   part(g.row.Forward, 0, n),
		Reverse:   part(g.row.Reverse, 0, n),
		Exact:     &solution,
		logZRatio: g.row.logZRatio,
		states:    g.row.states,
	}
	upTo.estimateQuantities(g.law)
	upTo.Forward = nil
	upTo.Reverse = nil
	upTo.shiftWeights(g.offset)
	r := &Running{
		Estimates: upTo,
		Forward:   part(g.row.Forward, g.reported, n),
		Reverse:   part(g.row.Reverse, g.reported, n),
	}
	for _, b := range []*simulate.Batch{r.Forward, r.Reverse} {
		b.LogW = slices.Clone(b.LogW)
		shiftLogs(b.LogW, g.offset)
	}
	for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
		for _, p := range g.shown {
			if p.Direction == d && p.Chain < n {
				r.Paths = append(r.Paths, p)
			}
		}
	}
	g.shown = slices.DeleteFunc(g.shown, func(p Path) bool { return p.Chain < n })
	return r
}

// part returns the chains from first to last of a batch, whose memory it shares.
func part(b *simulate.Batch, first, last int) *simulate.Batch {
	return &simulate.Batch{First: b.First[first:last], Last: b.Last[first:last], LogW: b.LogW[first:last]}
}
