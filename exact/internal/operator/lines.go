package operator

import "breadboard/grid"

// lines is the heat bath on one axis: every state of a line gets the mean of the line under f.
type lines struct {
	*means
	sums []float64 // memory for stride lines
}

// means is what lines and their twins share.
type means struct {
	side, stride int
	f            []float64
	perSum       []float64 // one over the sum of f over a line, by line
}

func newLines(space *grid.Lattice, axis int) *lines {
	side, stride := space.Side(axis), space.Stride(axis)
	return &lines{&means{side: side, stride: stride, perSum: make([]float64, space.States()/side)}, make([]float64, stride)}
}

// Twin implements Operator.
func (l *lines) Twin() Operator { return &lines{l.means, make([]float64, l.stride)} }

// Load implements Operator.
func (l *lines) Load(d *Distribution) {
	f := d.F
	l.f = f
	for line := 0; line < len(l.perSum); line += l.stride {
		block := f[line*l.side:][:l.side*l.stride]
		sums := l.perSum[line:][:l.stride]
		copy(sums, block)
		for at := l.stride; at < len(block); at += l.stride {
			row := block[at:][:len(sums)]
			for i := range sums {
				sums[i] += row[i]
			}
		}
		for i, v := range sums {
			sums[i] = 1 / v
		}
	}
}

// Reversal implements Operator: the kernel is reversible.
func (l *lines) Reversal() Operator { return l }

// Average implements Operator.
func (l *lines) Average(dst, v []float64) { l.AverageTerms(dst, v) }

// AverageTerms implements Operator.
func (l *lines) AverageTerms(dst, v []float64) {
	if l.stride == 1 {
		for line := range l.perSum {
			mean, row := l.along(v, line), dst[line*l.side:][:l.side]
			for i := range row {
				row[i] = mean
			}
		}
		return
	}
	l.each(v, func(at int, means []float64) {
		for block := dst[at:][:l.side*l.stride]; len(block) > 0; block = block[l.stride:] {
			copy(block, means)
		}
	})
}

// AddChange implements Operator.
func (l *lines) AddChange(dst, v []float64, weight float64) {
	if l.stride == 1 {
		for line := range l.perSum {
			mean, row, own := l.along(v, line), dst[line*l.side:][:l.side], v[line*l.side:][:l.side]
			for i, v := range own {
				row[i] += weight * (mean - v)
			}
		}
		return
	}
	l.each(v, func(at int, means []float64) {
		dst, v := dst[at:][:l.side*l.stride], v[at:][:l.side*l.stride]
		for ; len(dst) > 0; dst, v = dst[l.stride:], v[l.stride:] {
			dst, v := dst[:len(means)], v[:len(means)]
			for i, mean := range means {
				dst[i] += weight * (mean - v[i])
			}
		}
	})
}

// along returns the mean of a line of states that follow one another. Such lines are not left to each, which would take longer
// to begin with each of them than to add it up.
func (l *lines) along(v []float64, line int) float64 {
	f, v := l.f[line*l.side:][:l.side], v[line*l.side:][:l.side]
	sum := 0.0
	for i, fi := range f {
		sum += fi * v[i]
	}
	return sum * l.perSum[line]
}

// each calls what with the means of every stride lines that begin next to each other, and the first state of the first.
func (l *lines) each(v []float64, what func(at int, means []float64)) {
	size := l.side * l.stride
	for line := 0; line < len(l.perSum); line += l.stride {
		at := line * l.side
		f, v, sums, perSum := l.f[at:][:size], v[at:][:size], l.sums, l.perSum[line:][:len(l.sums)]
		clear(sums)
		for ; len(f) > 0; f, v = f[len(sums):], v[len(sums):] {
			f, v := f[:len(sums)], v[:len(sums)]
			for i := range sums {
				sums[i] += f[i] * v[i]
			}
		}
		for i, per := range perSum {
			sums[i] *= per
		}
		what(at, sums)
	}
}

// Derived implements Operator. The mean of v over a line changes by its covariance with the slope.
func (l *lines) Derived(m, v []float64, along Direction) (total float64, kinked bool) {
	for line, per := range l.perSum {
		first := line/l.stride*l.stride*l.side + line%l.stride
		vFirst, slopeFirst := v[first], along.Slope[first]
		var sumM, sumV, sumSlope, product float64
		for i := range l.side {
			x := first + i*l.stride
			f, dv, slope := l.f[x], v[x]-vFirst, along.Slope[x]-slopeFirst
			sumM += f * m[x]
			sumV += f * dv
			sumSlope += f * slope
			product += f * dv * slope
		}
		total += sumM * (product*per - (sumV*per)*(sumSlope*per))
	}
	return total, false
}
