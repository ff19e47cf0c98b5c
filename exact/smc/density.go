package smc

import (
	"context"
	"fmt"
)

// Density is the Side of an algorithm whose density is known, such as exact draws from the target, or a variational
// approximation. It has no traces.
type Density struct{ logRatio []float64 }

// NewDensity returns the side of an algorithm of which log q(x)/p(x) is given for every output, in nats. It keeps the slice.
func NewDensity(logRatio []float64) *Density { return &Density{logRatio} }

// NewExact returns the side of exact draws from a target with n outputs.
func NewExact(n int) *Density { return &Density{make([]float64, n)} }

// LogRatio implements Side.
func (d *Density) LogRatio() []float64 { return d.logRatio }

// Traces implements Side. All moments are zero, whatever the number of traces, since S is one.
func (d *Density) Traces(_ context.Context, ms []int) ([]Traces, error) {
	out := make([]Traces, len(ms))
	for i, m := range ms {
		if err := checkTraces(m); err != nil {
			return nil, err
		}
		zero := make([]float64, len(d.logRatio))
		out[i] = Traces{M: m, Meta: zero, Meta2: zero, Run: zero, Run2: zero}
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
