package aide

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/chains/simulate"
	"breadboard/experiments/subject"
)

// mostRuns is the largest number of runs, since their results are stored.
const mostRuns = 1e8

// Maker makes an algorithm. It is called for every block of runs, since only one goroutine may use
// an algorithm.
type Maker func() (particle.Algorithm, error)

// EstimateOptions are the options of sampled AIDE.
type EstimateOptions struct {
	Runs           int // the number N of runs of each algorithm
	Meta, GoldMeta int // the number M of traces for each output, of the target and of the gold standard
	// WithoutFirstTrace omits the trace that made the output and draws all M traces from
	// meta-inference. This mistake occurs in practice; its result bounds nothing.
	WithoutFirstTrace bool
	Seed              uint64
	Purpose           string // identifies the random numbers of a study
	Workers           int    // 0 is one for each processor
	// called with the number of runs that are done, of twice Runs; it may be nil
	Progress func(runs int)
}

// Validate returns an error for invalid options, and nil if they are valid.
func (o EstimateOptions) Validate() error {
	switch {
	case o.Runs < 2 || o.Runs > mostRuns:
		return errs.New("%d runs; give 2, for a standard error, to %.0e", o.Runs, mostRuns)
	case o.Meta < 1 || o.Meta > MaxMeta:
		return errs.New("%d traces of the target; give 1 to %d", o.Meta, MaxMeta)
	case o.GoldMeta < 1 || o.GoldMeta > MaxMeta:
		return errs.New("%d traces of the gold; give 1 to %d", o.GoldMeta, MaxMeta)
	case o.Workers < 0:
		return errs.New("%d workers; give a number, or 0 for one on each core", o.Workers)
	}
	return nil
}

// Estimate is the result of runs of AIDE, in nats.
type Estimate struct {
	// Value is the mean of N estimates, each from one run of each algorithm, and StandardError its
	// standard error from the sample. Value is +Inf, and the standard error NaN, if a run had no
	// output, or an output that the other algorithm never returns.
	Value, StandardError float64
	Target, Gold         Half // on the outputs of the target, and on those of the gold
}

// Half is one of the two averages whose sum is AIDE. Its terms are logarithms of xi, so that
// different Z of the algorithms shift the two halves by the same constant with opposite signs.
type Half struct {
	Mean, Variance float64 // of a single run, in nats and their square
}

// Z returns the distance of the estimate from its exact mean in standard errors.
func (e *Estimate) Z(mean float64) float64 { return (e.Value - mean) / e.StandardError }

// Sampled runs AIDE. Each half makes N runs of one algorithm; for each output it takes M traces of
// its own algorithm, the first of which is that of the run, and M traces of the other one, all from
// meta-inference. The numbers are the same for any number of workers. It fails with the context's
// error when that ends.
//
// Source: Cusumano-Towner and Mansinghka 2017, Eq. 8, and Eq. 37 of the supplement.
func Sampled(ctx context.Context, target, gold Maker, o EstimateOptions) (*Estimate, error) {
	halves, err := sampleHalves(ctx, target, gold, o)
	if err != nil {
		return nil, err
	}
	e := &Estimate{Target: halves[0].summary(), Gold: halves[1].summary()}
	e.Value = e.Target.Mean + e.Gold.Mean
	e.StandardError = math.Sqrt((e.Target.Variance + e.Gold.Variance) / float64(o.Runs))
	return e, nil
}

// sampleHalves makes the runs of both halves.
func sampleHalves(ctx context.Context, target, gold Maker, o EstimateOptions) ([]half, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	size := max(1, min(o.Runs, blockTraces/max(o.Meta, o.GoldMeta)))
	blocks := (o.Runs + size - 1) / size
	halves := []half{
		{name: "target", own: target, other: gold, traces: o.Meta, otherTraces: o.GoldMeta},
		{name: "gold", own: gold, other: target, traces: o.GoldMeta, otherTraces: o.Meta},
	}
	for i := range halves {
		halves[i].terms = make([]float64, o.Runs)
	}
	err := subject.Parallel(ctx, 2*blocks, o.Workers, func(ctx context.Context, i int) error {
		h := &halves[i%2]
		block := i / 2
		terms := h.terms[block*size : min(o.Runs, (block+1)*size)]
		err := h.runBlock(ctx, o, block, terms)
		if err == nil && o.Progress != nil {
			o.Progress(len(terms))
		}
		return err
	})
	return halves, err
}

// blockTraces is the approximate number of traces made at a time. It must not depend on the number
// of workers.
const blockTraces = 1 << 12

// half makes the runs of one algorithm.
type half struct {
	name                string
	own, other          Maker
	traces, otherTraces int // for each output
	// by run: log mean xi of the own traces minus that of the other algorithm's; +Inf without an
	// output
	terms []float64
}

// runBlock makes the runs of one block. The term of a run without an output is +Inf.
func (h *half) runBlock(ctx context.Context, o EstimateOptions, block int,
	terms []float64) error {
	own, err := h.own()
	if err != nil {
		return err
	}
	other, err := h.other()
	if err != nil {
		return err
	}
	if own.Outputs() != other.Outputs() {
		return fmt.Errorf("the target and the gold standard have different numbers of outputs: %d and %d",
			own.Outputs(), other.Outputs())
	}
	src := simulate.NewStream(o.Seed, "aide "+o.Purpose+" "+h.name, block)
	watch := &simulate.Watch{Look: ctx.Err}
	all, logXi, err := particle.SampleRuns(own, src, len(terms), watch)
	if err != nil {
		return err
	}
	var outputs []int32
	var first []float64
	for i, x := range all {
		if x >= 0 {
			outputs, first = append(outputs, x), append(first, logXi[i])
		}
	}
	mine := newMeans(len(outputs))
	theirs := newMeans(len(outputs))
	traces := h.traces
	if !o.WithoutFirstTrace {
		mine.addLogs(first)
		traces--
	}
	draw := func(alg particle.Algorithm, traces int, to *means) error {
		return metas(alg, outputs, traces,
			to, func(of []int32) ([]float64, error) { return particle.Metas(alg, src, of, watch) })
	}
	if err := draw(own, traces, mine); err != nil {
		return err
	}
	if err := draw(other, h.otherTraces, theirs); err != nil {
		return err
	}
	at := 0
	for i, x := range all {
		if x < 0 {
			terms[i] = math.Inf(1)
			continue
		}
		terms[i] = mine.log(at, h.traces) - theirs.log(at, h.otherTraces)
		at++
	}
	return nil
}

// metas adds a number of traces for each output. All traces of a density are equal, so that one
// represents all.
func metas(alg particle.Algorithm, outputs []int32, traces int, to *means,
	draw func(of []int32) ([]float64, error)) error {
	if len(outputs) == 0 || traces == 0 {
		return nil
	}
	if _, is := alg.(*particle.Density); is {
		logXi, err := draw(outputs)
		if err == nil {
			to.addTimes(logXi, traces)
		}
		return err
	}
	for done := 0; done < traces; {
		times := min(traces-done, max(1, blockTraces/len(outputs)))
		repeated := make([]int32, 0, times*len(outputs))
		for range times {
			repeated = append(repeated, outputs...)
		}
		logXi, err := draw(repeated)
		if err != nil {
			return err
		}
		for k := range times {
			to.addLogs(logXi[k*len(outputs) : (k+1)*len(outputs)])
		}
		done += times
	}
	return nil
}

// means adds numbers of a wide range, by output, given by their logarithms.
type means struct{ top, sum []float64 }

func newMeans(n int) *means {
	m := &means{make([]float64, n), make([]float64, n)}
	for i := range m.top {
		m.top[i] = math.Inf(-1)
	}
	return m
}

func (m *means) addLogs(logs []float64) { m.addTimes(logs, 1) }

func (m *means) addTimes(logs []float64, times int) {
	for i, l := range logs {
		switch {
		case math.IsInf(l, -1):
		case l > m.top[i]:
			m.sum[i] = m.sum[i]*math.Exp(m.top[i]-l) + float64(times)
			m.top[i] = l
		default:
			m.sum[i] += float64(times) * math.Exp(l-m.top[i])
		}
	}
}

// log returns the logarithm of the mean of n numbers for an output.
func (m *means) log(i, n int) float64 { return m.top[i] + number.Log(m.sum[i]/float64(n)) }

// summary returns the mean and the variance of the terms.
func (h *half) summary() Half {
	s := Half{}
	n := float64(len(h.terms))
	for _, v := range h.terms {
		s.Mean += v / n
	}
	for _, v := range h.terms {
		s.Variance += (v - s.Mean) * (v - s.Mean) / (n - 1)
	}
	return s
}
