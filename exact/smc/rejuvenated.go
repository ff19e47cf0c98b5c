package smc

import (
	"context"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/exact/internal/crew"
	"breadboard/exact/weights"
)

// partitionChain is one particle of a filter with scans, as a Markov chain on the partitions.
type partitionChain struct {
	// log weights by stage, from 0, and state, less log Z shared out evenly among the points
	logw  [][]float64
	moves [][][]branch
}

// NewRejuvenated returns the distribution of a filter with Gibbs scans and one particle, by
// propagating the probability of each partition and E[(Zhat/Z)^s; x]. Zero workers means one for
// each processor. Time and memory are O(points^2 Bell(points) clusters); it fails if that is too
// much.
//
// With w_t the factor of the weight and M_t the scan of the partitions of the first t points,
//
//	E[(Zhat/Z)^s; x after scan t] = sum over y of E[(Zhat/Z)^s; y before it] w_t(y)^s M_t(y, x),
//
// in which a scan is the product of the moves of its points, each a sparse matrix.
func NewRejuvenated(ctx context.Context, f *particle.Rejuvenated, workers int) (*FilterLaw, error) {
	entries := 0
	for t := 1; t <= f.Stages(); t++ {
		entries += f.Parts(t) * f.States(t) * t
		if entries > maxFilterEntries {
			return nil,
				errs.New("the exact distribution of a filter with Gibbs scans takes more than %d probabilities "+
					"for %d points; take fewer points, or sample",
					maxFilterEntries, f.Stages())
		}
	}
	targets := make([]float64, f.Outputs())
	for x := range targets {
		targets[x] = f.LogTarget(x)
	}
	logZ := number.LogSumExp(targets)
	chain, err := newPartitionChain(ctx, f, logZ)
	if err != nil {
		return nil, err
	}
	l := newFilterLaw(f, logZ, workers)
	for _, logw := range chain.logw {
		l.low += slices.Min(logw)
		l.high += slices.Max(logw)
	}
	l.Transformed.tilts = func(ctx context.Context, lines []weights.Vertical) ([]lineValues, error) {
		return chain.tilts(ctx, lines, len(targets), workers)
	}
	if err := chain.fillMoments(ctx, l); err != nil {
		return nil, err
	}
	l.average()
	return l, nil
}

func newPartitionChain(ctx context.Context, f *particle.Rejuvenated, logZ float64) (*partitionChain, error) {
	chain := &partitionChain{}
	for t := 1; t <= f.Stages(); t++ {
		logw := make([]float64, f.States(t))
		for x := range logw {
			logw[x] = f.LogWeight(t, x) - logZ/float64(f.Stages())
		}
		var parts [][]branch
		for part := range f.Parts(t) {
			rows := make([]branch, f.States(t))
			for x := range rows {
				var err error
				rows[x], err = branchOf(ctx, func(c chains.Chooser) int { return f.MovePart(c, t, part, x) })
				if err != nil {
					return nil, err
				}
			}
			parts = append(parts, rows)
		}
		chain.logw, chain.moves = append(chain.logw, logw), append(chain.moves, parts)
	}
	return chain, nil
}

// propagate takes columns of numbers, which begin as the given ones, along the chain. They are
// weighed by weigh, and come out by state and divided by exp(logScale), which is one number for
// each group of columns of the given width.
func (chain *partitionChain) propagate(ctx context.Context, begin []float64, width int,
	weigh func(log float64, v []float64)) (v, logScale []float64,
	err error) {
	columns := len(begin)
	logScale = make([]float64, columns/width)
	v = append(v, begin...)
	for t, parts := range chain.moves {
		for x, log := range chain.logw[t] {
			weigh(log, v[x*columns:(x+1)*columns])
		}
		for g := range logScale {
			logScale[g] += shrink(v, g*width, width, columns)
		}
		for _, rows := range parts {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			v = moveColumns(v, rows, columns)
		}
	}
	return v, logScale, nil
}

// shrink divides a group of columns by the greatest number in its first column, and returns the
// logarithm of that.
func shrink(v []float64, first, width, columns int) float64 {
	most := 0.0
	for at := first; at < len(v); at += columns {
		most = max(most, v[at])
	}
	for at := first; at < len(v); at += columns {
		for i := range width {
			v[at+i] /= most
		}
	}
	return number.Log(most)
}

// moveColumns takes columns through a kernel.
func moveColumns(v []float64, rows []branch, columns int) []float64 {
	states := 0
	for _, row := range rows {
		states = max(states, row.types[len(row.types)-1]+1)
	}
	out := make([]float64, states*columns)
	for x, row := range rows {
		in := v[x*columns : (x+1)*columns]
		for k, y := range row.types {
			to := out[y*columns : (y+1)*columns]
			for i, u := range in {
				to[i] += row.p[k] * u
			}
		}
	}
	return out
}

// fillMoments fills in q/p and the moments of log Zhat given each output.
func (chain *partitionChain) fillMoments(ctx context.Context, l *FilterLaw) error {
	v, logScale, err := chain.propagate(ctx, []float64{1, 0, 0, 1, 0, 0}, 3, func(log float64, v []float64) {
		for g, w := range [2]float64{1, math.Exp(log)} { // the second group is weighed by Zhat/Z
			tiltMoments(v[3*g:3*g+3], w, log)
		}
	})
	if err != nil {
		return err
	}
	for x := range l.p {
		u := v[6*x : 6*x+6]
		l.logRatio[x] = number.Log(u[0]) + logScale[0] - l.logP[x]
		l.deviation[x] = math.Expm1(l.logRatio[x])
		l.run[x] = [2]float64{u[1] / u[0], u[2] / u[0]}
		l.meta[x] = [2]float64{u[4] / u[3], u[5] / u[3]}
	}
	return nil
}

// tilts returns E_run[(Zhat/Z)^s; x] at the points of lines.
func (chain *partitionChain) tilts(ctx context.Context, lines []weights.Vertical,
	outputs, workers int) ([]lineValues, error) {
	out := newLineValues(lines, outputs)
	pieces := piecesOf(lines)
	spread := 0.0
	for _, logw := range chain.logw {
		spread += max(math.Abs(slices.Min(logw)), math.Abs(slices.Max(logw)))
	}
	for i, line := range lines {
		out[i].Rounding = (float64((40+4*filterBatch)*len(chain.logw)) + highest(line)*spread) * 0x1p-53
	}
	err := crew.Jobs(ctx, len(pieces), workers, func(ctx context.Context, i int) error {
		q := pieces[i]
		line := lines[q.line]
		columns := 1 + 2*(q.to-q.from)
		var factors []complex128
		v, logScale, err := chain.propagate(ctx, ones(q.to-q.from), columns, func(log float64, v []float64) {
			factors = q.appendFactors(factors[:0], line.Power, line.Step, log)
			weighColumns(v, factors)
		})
		if err != nil {
			return err
		}
		for x := range outputs {
			out[q.line].writeValues(x, q, v[x*columns:], logScale[0])
		}
		return nil
	})
	return out, err
}

// ones returns the initial columns of the given number of points: one for the power of the line
// alone, and two for the real and the imaginary part at each point.
func ones(points int) []float64 {
	v := make([]float64, 1+2*points)
	v[0] = 1
	for j := range points {
		v[1+2*j] = 1
	}
	return v
}

// weighColumns multiplies the columns of a piece by factors: the first is that of the power alone,
// which is real.
func weighColumns(v []float64, factors []complex128) {
	v[0] *= real(factors[0])
	for i := 1; i < len(v); i += 2 {
		w := factors[1+i/2] * complex(v[i], v[i+1])
		v[i], v[i+1] = real(w), imag(w)
	}
}

// writeValues writes the values of a piece at an output, from columns that have been divided by
// exp(logScale).
func (v *lineValues) writeValues(x int, q piece, columns []float64, logScale float64) {
	if q.from == 0 {
		v.LogScale[x] = number.Log(columns[0]) + logScale
	}
	for j := range q.to - q.from {
		v.Values[x][q.from+j] = complex(columns[1+2*j]/columns[0], columns[2+2*j]/columns[0])
	}
}
