package smc

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Side is what AIDE needs to know of one of the two algorithms that it compares. Outputs are 0..n-1, and all laws are given
// relative to one reference law p over them, which is the target.
type Side interface {
	// LogRatio returns log q(x)/p(x) of every output with p(x) > 0: -Inf where the algorithm never returns it. Runs that are
	// extinct have no output, so that q may sum to less than one.
	LogRatio() []float64
	// Traces returns, for each number M of traces, the moments that traces contribute.
	Traces(ctx context.Context, ms []int) ([]Traces, error)
}

// Traces holds moments of log S, by output x, in nats. S is the mean of q(u_k | x)/r(u_k; x) over M traces u_k. In Meta all
// traces are from meta-inference r(.; x), so that S has mean one; in Run the first is the trace of a run that returned x, from
// q(. | x), and the others are from meta-inference. All are zero for an algorithm without traces, such as a density. They
// are NaN where q(x) is zero.
//
// Meta is at most zero and Run at least zero: minus Meta is the Kullback-Leibler divergence of Eq. 25 of the supplement of
// Cusumano-Towner and Mansinghka 2017, and Run that of Eq. 26.
type Traces struct {
	M           int
	Meta, Meta2 []float64 // E log S and E (log S)^2, all traces from meta-inference
	Run, Run2   []float64 // the same, the first trace from the run
	Error       float64   // bounds the error of Meta and of Run, in nats
	Note        string    // says why the moments are not known, where they are NaN for an output of positive probability
}

// forget makes the moments at an output NaN.
func (t *Traces) forget(x int) {
	t.Meta[x], t.Meta2[x], t.Run[x], t.Run2[x] = math.NaN(), math.NaN(), math.NaN(), math.NaN()
}

// newTraces returns moments for each number of traces, all of which have one value. It fails for a number that cannot be had.
func newTraces(ms []int, outputs int, value float64) ([]Traces, error) {
	var out []Traces
	for _, m := range ms {
		if err := checkTraces(m); err != nil {
			return nil, err
		}
		all := func() []float64 { return slices.Repeat([]float64{value}, outputs) }
		out = append(out, Traces{M: m, Meta: all(), Meta2: all(), Run: all(), Run2: all()})
	}
	return out, nil
}

// MaxTraces is the largest number of traces that AIDE is computed for.
const MaxTraces = 1_000_000_000

// checkTraces fails for a number of traces that cannot be had.
func checkTraces(m int) error {
	if m < 1 || m > MaxTraces {
		return fmt.Errorf("%d traces of meta-inference; give a number from 1 to %d", m, MaxTraces)
	}
	return nil
}
