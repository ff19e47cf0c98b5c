package particle

import (
	"context"
	"math"
	"math/cmplx"

	"breadboard/exact/weights"
)

// filterBatch is the number of points of a transform that are propagated together.
const filterBatch = 16

// piece are the points from..to-1 of a line, which are propagated together: in one column of numbers for the power of the line alone,
// and in two, for the real and the imaginary part, for each point.
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

// ones returns what the columns of so many points begin with.
func ones(points int) []float64 {
	v := make([]float64, 1+2*points)
	v[0] = 1
	for j := range points {
		v[1+2*j] = 1
	}
	return v
}

// newLineValues makes room for the values along lines. A transform is zero until it is filled in.
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

// fill writes the values of a piece at an output, from columns that have been divided by exp(logScale).
func (v *lineValues) fill(x int, q piece, columns []float64, logScale float64) {
	if q.from == 0 {
		v.LogScale[x] = math.Log(columns[0]) + logScale
	}
	for j := range q.to - q.from {
		v.Values[x][q.from+j] = complex(columns[1+2*j]/columns[0], columns[2+2*j]/columns[0])
	}
}

// highest returns the greatest absolute value of s on a line, or of s - 1.
func highest(line weights.Vertical) float64 {
	return 1 + math.Abs(line.Power) + float64(line.Points)*line.Step
}

// tilts returns E_run[(Zhat/Z)^s; x] = p(x) E_meta[(Zhat/Z)^(s-1) | x] at the points of lines.
func (l *FilterLaw) tilts(ctx context.Context, lines []weights.Vertical) ([]lineValues, error) {
	out := newLineValues(lines, len(l.p))
	for i, line := range lines {
		out[i].Rounding = float64(len(l.tables.levels)) * (float64(len(l.tables.begin)+16) + highest(line)*max(math.Abs(l.low), math.Abs(l.high))) * 0x1p-53
	}
	pieces := piecesOf(lines)
	err := inParallel(ctx, len(pieces), l.workers, func(i int) {
		q := pieces[i]
		l.tilt(ctx, lines[q.line], q, &out[q.line])
	})
	return out, err
}

// tilt computes a piece of a line. It ends early where the context ends.
func (l *FilterLaw) tilt(ctx context.Context, line weights.Vertical, q piece, out *lineValues) {
	points := q.to - q.from
	sweep := &pathSweep{tables: l.tables, tree: l.tree, groups: 1, width: 1 + 2*points}
	factors := l.factors(line, q)
	sweep.weigh = func(t, k, c int, v []float64) {
		at := factors[t][k][c*(1+points):]
		v[0] *= real(at[0])
		for j := range points {
			w := at[1+j] * complex(v[1+2*j], v[2+2*j])
			v[1+2*j], v[2+2*j] = real(w), imag(w)
		}
	}
	sweep.leaf = func(x int, sums []float64, scale []int) {
		out.fill(x, q, sums, l.logP[x]+float64(scale[0])*math.Ln2)
	}
	_ = sweep.run(ctx, ones(points)) // it fails only where the context ends, which inParallel sees
}

// factors returns what the columns of tilt are multiplied by, by stage, type and multiset.
func (l *FilterLaw) factors(line weights.Vertical, q piece) [][][]complex128 {
	out := make([][][]complex128, len(l.tables.levels))
	for t, level := range l.tables.levels {
		out[t] = make([][]complex128, len(level.logMean))
		for k, means := range level.logMean {
			if math.IsInf(level.logOwn[k], 0) {
				continue
			}
			var row []complex128
			for _, mean := range means {
				size := math.Exp((line.Power - 1) * mean)
				row = append(row, complex(size, 0))
				for j := q.from; j < q.to; j++ {
					row = append(row, complex(size, 0)*cmplx.Rect(1, float64(j)*line.Step*mean))
				}
			}
			out[t][k] = row
		}
	}
	return out
}
