package aide

import (
	"fmt"

	"breadboard/chains"
	"breadboard/experiments"
)

// MaxMeta is the largest number of meta-inference runs. The moments of AIDE keep their digits up to here.
const MaxMeta = 1_000_000_000

// Row is what AIDE says of one pair of algorithms on one annealing, for one number of meta-inference runs on each side. All
// is in nats. A number without an exact route is NaN, and Notes say why.
type Row struct {
	experiments.Case
	Target, Gold   string // the algorithms that are compared, in canonical form
	Meta, GoldMeta int    // the numbers of meta-inference runs
	Numbers
	Method string  // how the law of the target algorithm, and then that of the gold, is known
	Sample *Sample // what runs of the estimator say; nil without runs
	Notes  []string
}

// Numbers are the exact values of a row, in nats.
type Numbers struct {
	J              float64 // the symmetric Kullback-Leibler divergence between the outputs
	Mean, SD, Bias float64 // of one estimate, and Mean - J
	// UpperHalf and LowerHalf are what the target's M traces add to the mean: Kullback-Leibler divergences of the laws of the
	// traces, those of Eqs. 25 and 26 of Cusumano-Towner and Mansinghka 2017 (supplement), averaged over the outputs. In the
	// first all traces are from meta-inference for outputs of the gold, in the second one is from the run.
	UpperHalf, LowerHalf float64
	// KLQPLower <= KL(target||gold) <= KLQPUpper and KL(gold||target) <= KLPQUpper. The lower one is known where the gold is a
	// density, and NaN elsewhere. Without the first trace none of them is a bound.
	KLQPLower, KLQPUpper, KLPQUpper float64
}

// Sample is what runs of the estimator say.
type Sample struct {
	Estimate, StandardError float64
	Z                       float64 // (Estimate - Mean)/StandardError; NaN where the mean is not known
}

// Options say which question is asked.
type Options struct {
	Target, Gold      string          // selectors, for Parse
	Metas, GoldMetas  []int           // numbers of meta-inference runs
	WithoutFirstTrace bool            // the faulty variant, in which a run's own trace is left out
	Runs              int             // how often the estimator is run; 0 is not at all
	Seed              uint64          // of the runs
	Workers           int             // the number of computations at once; 0 is one for each processor
	Progress          func(steps int) // called from several goroutines at once; may be nil
}

// Validate returns an error that says what is wrong with the options, and nil where they are valid.
func (o *Options) Validate() error {
	if o.Workers < 0 {
		return chains.NewAdvice("{workers} %d; give a number, or 0 for one on each core", o.Workers)
	}
	if o.Runs == 1 || o.Runs < 0 {
		return chains.NewAdvice("{runs} %d; one run has no standard error: give 2 or more, or leave it out", o.Runs)
	}
	for _, m := range append(append([]int(nil), o.Metas...), o.GoldMetas...) {
		if m < 1 || m > MaxMeta {
			return fmt.Errorf("%d runs of meta-inference; give 1 to 1e9", m)
		}
	}
	return nil
}
