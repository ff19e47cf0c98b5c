package smc

import (
	"context"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/crew"
	"breadboard/exact/weights"
)

// powersOf returns E_run[(Zhat/Z)^s; x] for each power s, and for each output x.
type powersOf func(ctx context.Context, powers []complex128) ([][]complex128, error)

// newPowers returns the Side of an algorithm on an annealing whose transform is given by plain
// powers, such as sequential Monte Carlo with two particles. Zhat must lie between the least and
// the greatest weight of a chain, and meta-inference must lead one path back from the output by the
// reversed kernels, as conditional SMC does. rounding bounds the error of a transform, relative to
// that at the real part of the power.
func newPowers(ctx context.Context, a *chains.Annealing, transform powersOf, rounding float64,
	workers int) (*Transformed, error) {
	o, err := outputsOfChain(ctx, a, nil)
	if err != nil {
		return nil, err
	}
	q, err := transform(ctx, []complex128{0})
	if err != nil {
		return nil, err
	}
	var mass number.Sum
	for x, l := range o.logP {
		o.logRatio[x], o.deviation[x] = math.Inf(-1), 0
		mass.Add(real(q[0][x]))
		if !math.IsInf(l, -1) {
			o.logRatio[x] = number.Log(real(q[0][x])) - l
			o.deviation[x] = math.Expm1(o.logRatio[x])
		}
	}
	if o.extinct > 0 {
		o.extinct = max(0, 1-mass.Value())
	}
	return &Transformed{outputs: *o, workers: workers, tilts: transform.tilts(rounding)}, nil
}

// powersBlock is the number of powers that share the rows of the kernel and what else is the same
// for all of them. With two particles each takes 32 bytes for each pair of states.
const powersBlock = 16

// inBlocks is powersOf that shares the powers out among the given number of workers, in blocks;
// zero workers stand for one for each processor.
func inBlocks(ctx context.Context, powers []complex128, workers int,
	transform powersOf) ([][]complex128, error) {
	out := make([][]complex128, len(powers))
	blocks := slices.Collect(slices.Chunk(powers, powersBlock))
	err := crew.Jobs(ctx, len(blocks), workers, func(ctx context.Context, i int) error {
		block, err := transform(ctx, blocks[i])
		copy(out[i*powersBlock:], block)
		return err
	})
	return out, err
}

// tilts returns the transform along lines.
func (transform powersOf) tilts(rounding float64) tilts {
	return func(ctx context.Context, lines []weights.Vertical) ([]lineValues, error) {
		var powers []complex128
		for _, l := range lines {
			for k := range l.Points {
				powers = append(powers, complex(l.Power, float64(k)*l.Step))
			}
		}
		values, err := transform(ctx, powers)
		if err != nil {
			return nil, err
		}
		var out []lineValues
		for _, l := range lines {
			out = append(out, alongLine(values[:l.Points], rounding))
			values = values[l.Points:]
		}
		return out, nil
	}
}

// alongLine orders values by output, relative to the first, which is that at the real power.
func alongLine(values [][]complex128, rounding float64) lineValues {
	n := len(values[0])
	f := lineValues{EndTransform: weights.EndTransform{
		LogScale: make([]float64, n),
		Values:   make([][]complex128, n),
		Rounding: rounding,
	}}
	for x, scale := range values[0] {
		f.LogScale[x] = number.Log(real(scale))
		f.Values[x] = make([]complex128, len(values))
		for k := range values {
			if real(scale) > 0 {
				f.Values[x][k] = values[k][x] / scale
			}
		}
	}
	return f
}
