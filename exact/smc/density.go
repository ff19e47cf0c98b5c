package smc

import "context"

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
	return newTraces(ms, len(d.logRatio), 0)
}
