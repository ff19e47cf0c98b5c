package smc

import (
	"context"
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains/number"
	"breadboard/exact/internal/crew"
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
		v.LogScale[x] = number.Log(columns[0]) + logScale
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
	pieces, middle := piecesOf(lines), l.newMiddle()
	err := crew.Jobs(ctx, len(pieces), l.workers, func(ctx context.Context, i int) error {
		q := pieces[i]
		return l.tilt(ctx, lines[q.line], q, middle, &out[q.line])
	})
	return out, err
}

// tilt computes a piece of a line. It goes from the beginning of the paths to a stage in the middle, and from their end back to it, where
// the products of both are summed. Paths that go on alike from there share the way back.
func (l *FilterLaw) tilt(ctx context.Context, line weights.Vertical, q piece, m *middle, out *lineValues) error {
	points := q.to - q.from
	columns := 1 + 2*points
	factors := l.factors(line, q)
	ends := l.back(ctx, factors, m, columns)
	if err := ctx.Err(); err != nil {
		return err
	}
	sweep := &pathSweep{tables: l.tables, tree: l.tree, groups: 1, width: columns, until: m.stage}
	sweep.weigh = func(t, k, c int, v []float64) { weighColumns(v, factors[t][k][c*(1+points):]) }
	sums := make([]float64, columns)
	sweep.meet = func(x int, v []float64, scale []int) {
		for j, end := range ends[l.tree.types[m.stage][x]] {
			if end.v == nil {
				continue // no run that has an output takes this path
			}
			join(sums, v, end.v)
			leaf := m.leaves[x][j]
			out.fill(leaf, q, sums, l.logP[leaf]+float64(scale[0]+end.scale)*math.Ln2)
		}
	}
	return sweep.run(ctx, ones(points))
}

// appendFactors appends what the columns of a piece are multiplied by where Zhat/Z has this logarithm: first for the power alone.
func (q piece) appendFactors(row []complex128, power, step, log float64) []complex128 {
	size := math.Exp(power * log)
	row = append(row, complex(size, 0))
	for j := q.from; j < q.to; j++ {
		row = append(row, complex(size, 0)*cmplx.Rect(1, float64(j)*step*log))
	}
	return row
}

// weighColumns multiplies the columns of a piece by factors: the first is that of the power alone, which is real.
func weighColumns(v []float64, factors []complex128) {
	v[0] *= real(factors[0])
	for i := 1; i < len(v); i += 2 {
		w := factors[1+i/2] * complex(v[i], v[i+1])
		v[i], v[i+1] = real(w), imag(w)
	}
}

// join writes the sums of the products of columns over all multisets.
func join(sums, a, b []float64) {
	clear(sums)
	columns := len(sums)
	for at := 0; at < len(a); at += columns {
		u, v := a[at:at+columns], b[at:at+columns]
		sums[0] += u[0] * v[0]
		for i := 1; i+1 < columns; i += 2 {
			sums[i] += u[i]*v[i] - u[i+1]*v[i+1]
			sums[i+1] += u[i]*v[i+1] + u[i+1]*v[i]
		}
	}
}

// pathEnd has, for each multiset at a stage, the columns of a path from there to its end, weighed, to be multiplied by 2^scale. v is nil
// where the path has a weight of zero.
type pathEnd struct {
	v     []float64
	scale int
}

// back returns the ends of the paths from the middle, by the type of their first state and in the order of the tree.
func (l *FilterLaw) back(ctx context.Context, factors [][][]complex128, m *middle, columns int) [][]pathEnd {
	last := len(l.tables.levels) - 1
	var ends [][]pathEnd
	for t := last; t >= m.stage; t-- {
		level := &l.tables.levels[t]
		here := make([][]pathEnd, len(level.logOwn))
		for k := range here {
			if t == last {
				here[k] = []pathEnd{{}}
			} else {
				for _, child := range m.childTypes[t][k] {
					here[k] = append(here[k], ends[child]...)
				}
			}
			for j := range here[k] {
				if ctx.Err() != nil {
					return nil
				}
				l.extend(&here[k][j], level, k, factors[t][k], columns, t == last)
			}
		}
		ends = here
	}
	return ends
}

// extend takes the end of a path back through a stage, at which the path's particle is of type k.
func (l *FilterLaw) extend(end *pathEnd, level *filterLevel, k int, factors []complex128, columns int, last bool) {
	after := end.v
	if end.v = nil; math.IsInf(level.logOwn[k], 0) || after == nil && !last {
		return
	}
	points := 1 + columns/2
	v := make([]float64, len(level.logMean[k])*columns)
	for c := range level.logMean[k] {
		out := v[c*columns : (c+1)*columns]
		switch {
		case last:
			copy(out, ones(columns/2))
		case level.next == nil:
			copy(out, after)
		default:
			row := level.next[k][c]
			for j, column := range row.columns {
				floats.AddScaled(out, row.p[j], after[int(column)*columns:][:columns])
			}
		}
		weighColumns(out, factors[c*points:])
	}
	scale := []int{end.scale}
	(&pathSweep{groups: 1, width: columns}).rescale(v, scale)
	end.v, end.scale = v, scale[0]
}

// middle is the stage, from 0, at which the way from the beginning of the paths meets the way back from their ends.
type middle struct {
	stage      int
	childTypes [][][]int // by stage and type, from the middle on
	leaves     [][]int   // the outputs that continue each state in the middle, in the order of the tree
}

// maxEnds is the number of numbers that the ends of paths may take at a stage, for each worker.
const maxEnds = 1 << 24

// newMiddle chooses the middle with the fewest products.
func (l *FilterLaw) newMiddle() *middle {
	levels := l.tables.levels
	last := len(levels) - 1
	children := make([][][]int, len(levels))
	forth, back := make([]float64, len(levels)), make([]float64, len(levels)) // up to a stage, and from it
	for t := range last {
		forth[t+1] = forth[t]
		for _, k := range l.tree.types[t] {
			forth[t+1] += levels[t].entries(int(k))
		}
	}
	best, ends := last, make([]float64, len(levels[last].logOwn)) // ends counts the paths on from each type
	for k := range ends {
		ends[k] = 1
	}
	for t := last - 1; t >= 0; t-- {
		lists, same := l.tree.childTypes(t, len(levels[t].logOwn))
		if !same {
			break
		}
		here, total, size := make([]float64, len(lists)), 0.0, 1.0
		for k, list := range lists {
			for _, child := range list {
				here[k] += ends[child]
			}
			back[t] += here[k] * levels[t].entries(k)
			total += here[k]
			size = max(size, float64(len(levels[t].logMean[k])))
		}
		if back[t] += back[t+1]; total*size*(1+2*filterBatch) > maxEnds {
			break
		}
		if children[t] = lists; forth[t]+back[t] < forth[best]+back[best] {
			best = t
		}
		ends = here
	}
	m := &middle{stage: best, childTypes: children}
	for x := range l.tree.types[best] {
		m.leaves = append(m.leaves, l.tree.leaves(best, x))
	}
	return m
}

// entries returns the number of probabilities after all multisets beside a particle of a type.
func (l *filterLevel) entries(k int) float64 {
	if l.next == nil {
		return 1
	}
	n := 0
	for _, row := range l.next[k] {
		n += len(row.p)
	}
	return float64(n)
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
			for _, mean := range means {
				out[t][k] = q.appendFactors(out[t][k], line.Power-1, line.Step, mean)
			}
		}
	}
	return out
}
