package operator

import "breadboard/grid"

// lines is the heat bath on one axis: every state of a line gets the mean of the line under f.
type lines struct {
	side, stride int
	f            []float64
	perSum       []float64 // one over the sum of f over a line, by line
	sums         []float64 // memory for stride lines
}

func newLines(space *grid.Lattice, axis int) *lines {
	side, stride := space.Side(axis), space.Stride(axis)
	return &lines{
		side: side, stride: stride, perSum: make([]float64, space.States()/side),
		sums: make([]float64, stride),
	}
}

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
	for line := 0; line < len(l.perSum); line += l.stride {
		at, size := line*l.side, l.side*l.stride
		l.mean(dst[at:][:size], v[at:][:size], l.f[at:][:size], l.perSum[line:][:l.stride])
	}
}

// mean writes the means of stride lines that begin next to each other.
func (l *lines) mean(dst, v, f, perSum []float64) {
	if l.stride == 1 {
		sum := 0.0
		for i, fi := range f {
			sum += fi * v[i]
		}
		sum *= perSum[0]
		for i := range dst {
			dst[i] = sum
		}
		return
	}
	sums := l.sums[:len(perSum)]
	clear(sums)
	for at := 0; at < len(f); at += l.stride {
		fRow, vRow := f[at:][:len(sums)], v[at:][:len(sums)]
		for i := range sums {
			sums[i] += fRow[i] * vRow[i]
		}
	}
	for i, per := range perSum {
		sums[i] *= per
	}
	for at := 0; at < len(dst); at += l.stride {
		copy(dst[at:][:len(sums)], sums)
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
