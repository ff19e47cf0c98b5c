package smc

import (
	"context"
	"math"
	"math/cmplx"

	"breadboard/chains/number"
	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/lanes"
	"breadboard/exact/weights"
)

// filterBatch is the number of points of a transform that are propagated together. With the power
// of the line they fill four blocks.
const filterBatch = 15

// piece are the points from..to-1 of a line, which are propagated together with the power of the
// line alone, to which they are relative.
type piece struct{ line, from, to int }

// piecesOf divides lines into pieces.
func piecesOf(lines []weights.Vertical) []piece {
	var pieces []piece
	for i, line := range lines {
		for from := 0; from < line.Points; from += filterBatch {
			pieces = append(pieces, piece{i, from, min(line.Points, from+filterBatch)})
		}
	}
	return pieces
}

// newLineValues takes the memory for the values along lines. A transform is zero until it is filled
// in.
func newLineValues(lines []weights.Vertical, outputs int) []lineValues {
	out := make([]lineValues, len(lines))
	for i, line := range lines {
		out[i].LogScale, out[i].Values = make([]float64, outputs), make([][]complex128, outputs)
		for x := range outputs {
			out[i].LogScale[x] = math.Inf(-1)
			out[i].Values[x] = make([]complex128, line.Points)
		}
	}
	return out
}

// highest returns the greatest absolute value of s on a line, or of s - 1.
func highest(line weights.Vertical) float64 {
	return 1 + math.Abs(line.Power) + float64(line.Points)*line.Step
}

// tilts returns E_run[(Zhat/Z)^s; x] = p(x) E_meta[(Zhat/Z)^(s-1) | x] at the points of lines.
func (l *FilterLaw) tilts(ctx context.Context, lines []weights.Vertical) ([]lineValues, error) {
	out := newLineValues(lines, len(l.p))
	for i, line := range lines {
		const turns = 4 * filterBatch // the rounding error of the factors of a piece
		out[i].Rounding = float64(len(l.tables.levels)) * (float64(len(l.tables.begin)+16+turns) +
			highest(line)*max(math.Abs(l.low), math.Abs(l.high))) * 0x1p-53
	}
	pieces := piecesOf(lines)
	err := crew.Jobs(ctx, len(pieces), l.workers, func(ctx context.Context, i int) error {
		q := pieces[i]
		if l.Progress != nil {
			defer l.Progress(1)
		}
		return l.tilt(ctx, lines[q.line], q, &out[q.line])
	})
	return out, err
}

// complexes is the number of complex numbers in a block: first are their real parts, then their
// imaginary parts.
const complexes = lanes.Width / 2

// tilt computes a piece of a line.
func (l *FilterLaw) tilt(ctx context.Context, line weights.Vertical, q piece, out *lineValues) error {
	factors := l.factors(line, q)
	sweep := &pathSweep{
		FilterLaw: l,
		blocks:    (1 + q.to - q.from + complexes - 1) / complexes,
		join:      joinComplex,
	}
	sweep.narrow = l.span*math.Abs(line.Power-1) < maxSpan
	for j := range complexes {
		sweep.one[j] = 1
	}
	sweep.weigh = func(t, k int, to, v []pathBlock) {
		by := factors[t][k]
		for i := range v {
			f := &by[i]
			u := &v[i]
			w := &to[i]
			for j := range complexes {
				re, im := u[j], u[complexes+j]
				w[j], w[complexes+j] = float64(re*f[j])-float64(im*f[complexes+j]),
					float64(re*f[complexes+j])+float64(im*f[j])
			}
		}
	}
	sweep.leaf = func(x int, sums []pathBlock, scale []int) { out.fillBlocks(x, q, sums, scale, l.logP[x]) }
	return sweep.sweepPaths(ctx)
}

// fillBlocks writes the values of a piece at an output, from sums that have been divided by
// exp(logScale).
func (v *lineValues) fillBlocks(x int, q piece, sums []pathBlock, scale []int, logScale float64) {
	if q.from == 0 {
		v.LogScale[x] = number.Log(sums[0][0]) + logScale + float64(scale[0])*math.Ln2
	}
	values := v.Values[x][q.from:q.to]
	for b := range sums {
		by := math.Ldexp(1/sums[0][0], scale[b]-scale[0])
		for i := range complexes {
			if j := complexes*b + i - 1; j >= 0 && j < len(values) {
				values[j] = complex(sums[b][i]*by, sums[b][complexes+i]*by)
			}
		}
	}
}

// joinComplex returns the sums of the products of complex numbers.
func joinComplex(a, b []pathBlock) (sum pathBlock) {
	b = b[:len(a)]
	for j := range complexes { // one after another, so that the sums stay in registers
		var re, im float64
		for c := range a {
			u, v := &a[c], &b[c]
			re += float64(u[j]*v[j]) - float64(u[complexes+j]*v[complexes+j])
			im += float64(u[j]*v[complexes+j]) + float64(u[complexes+j]*v[j])
		}
		sum[j], sum[complexes+j] = re, im
	}
	return sum
}

// factors returns the factors of the blocks of a piece, by stage and type.
func (l *FilterLaw) factors(line weights.Vertical, q piece) [][][]pathBlock {
	out := make([][][]pathBlock, len(l.tables.levels))
	var row []complex128
	for t, level := range l.tables.levels {
		out[t] = make([][]pathBlock, len(level.logMean))
		for k, means := range level.logMean {
			if math.IsInf(level.logOwn[k], 0) {
				continue
			}
			n := len(means)
			blocks := make([]pathBlock, n*((1+q.to-q.from+complexes-1)/complexes))
			for c, mean := range means {
				row = q.appendFactors(row[:0], line.Power-1, line.Step, mean)
				for j, z := range row {
					b := &blocks[j/complexes*n+c]
					b[j%complexes], b[complexes+j%complexes] = real(z), imag(z)
				}
			}
			out[t][k] = blocks
		}
	}
	return out
}

// appendFactors appends the factors of the columns of a piece for a given log(Zhat/Z): first for
// the power alone.
func (q piece) appendFactors(row []complex128, power, step, log float64) []complex128 {
	size := math.Exp(power * log)
	row = append(row, complex(size, 0))
	z := cmplx.Rect(size, float64(q.from)*step*log)
	turn := cmplx.Rect(1, step*log)
	for range q.to - q.from {
		row = append(row, z)
		z *= turn
	}
	return row
}
