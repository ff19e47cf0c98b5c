package operator

import (
	"sync"

	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/lanes"
	"breadboard/grid"
)

// lines is the heat bath on one axis: every state of a line gets the mean of the line under f.
//
//	(T v)(x) = (sum over y in the line of x of f(y) v(y))/(sum over these y of f(y))
//
// Time is O(states), whatever the side. Along a slope s of log f the mean of v changes by the
// covariance of v and s under f on the line.
type lines struct {
	*means
	sums []float64 // memory for the lines that are taken at a time
}

// linesAtOnce is the most lines that are taken at a time, so that their sums stay in the nearest
// cache.
const linesAtOnce = 512

// means is what lines and their twins share.
type means struct {
	side, stride int
	unit         *lanes.Unit
	f            []float64
	perSum       []float64 // one over the sum of f over a line, by line
	// Unsummed says that the heat bath is applied by tiles, so that perSum is made only on demand.
	Unsummed bool
	stale    bool // whether perSum is to be made
	making   sync.Mutex
	crew     *crew.Crew // works on the tiles; see Share
	memory   sync.Pool  // of tileMemory
}

// NewLines returns the heat bath on an axis of a grid.
func NewLines(space *grid.Lattice, axis int) *lines {
	side := space.Side(axis)
	stride := space.Stride(axis)
	m := &means{side: side, stride: stride, unit: lanes.Widest()}
	return &lines{m, make([]float64, min(stride, linesAtOnce))}
}

// Twin implements Operator.
func (l *lines) Twin() Operator { return &lines{l.means, make([]float64, len(l.sums))} }

// Load implements Operator.
func (l *lines) Load(d *Distribution) {
	l.f = d.F
	l.stale = true
	if !l.Unsummed {
		l.setPerSum()
	}
}

// setPerSum makes perSum.
func (l *lines) setPerSum() {
	l.making.Lock()
	defer l.making.Unlock()
	if !l.stale {
		return
	}
	l.stale = false
	if l.perSum == nil {
		l.perSum = make([]float64, len(l.f)/l.side)
	}
	f := l.f
	if l.areClose() {
		for line := range l.perSum {
			x := l.pair(line)
			l.perSum[line] = 1 / (f[x] + f[x+l.stride])
		}
		return
	}
	for line := 0; line < len(l.perSum); line += l.stride {
		block := f[line*l.side:][:l.side*l.stride]
		sums := l.perSum[line:][:l.stride]
		if l.side == 2 {
			l.unit.Inverse(sums, block[:l.stride], block[l.stride:])
			continue
		}
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
	l.setPerSum()
	if l.areClose() {
		l.averagePairs(dst, v)
		return
	}
	if l.stride == 1 {
		for line := range l.perSum {
			mean := l.lineMean(v, line)
			row := dst[line*l.side:][:l.side]
			for i := range row {
				row[i] = mean
			}
		}
		return
	}
	l.eachLine(v, func(at int, means []float64) {
		for k := range l.side {
			copy(dst[at+k*l.stride:][:len(means)], means)
		}
	})
}

// AddChange implements Operator.
func (l *lines) AddChange(dst, v []float64, weight float64) {
	l.setPerSum()
	if l.stride == 1 {
		for line := range l.perSum {
			mean := l.lineMean(v, line)
			row := dst[line*l.side:][:l.side]
			own := v[line*l.side:][:l.side]
			for i, v := range own {
				row[i] += weight * (mean - v)
			}
		}
		return
	}
	l.eachLine(v, func(at int, means []float64) {
		for k := range l.side {
			dst := dst[at+k*l.stride:][:len(means)]
			v := v[at+k*l.stride:][:len(means)]
			for i, mean := range means {
				dst[i] += weight * (mean - v[i])
			}
		}
	})
}

// lineMean returns the mean of a line of consecutive states. The function each would take longer to
// start on such a line than to add it up.
func (l *lines) lineMean(v []float64, line int) float64 {
	f := l.f[line*l.side:][:l.side]
	v = v[line*l.side:][:l.side]
	sum := 0.0
	for i, fi := range f {
		sum += fi * v[i]
	}
	return sum * l.perSum[line]
}

// areClose reports whether lines have two states that are less than a vector apart, and a power of
// two.
func (m *means) areClose() bool {
	return m.side == 2 && m.stride < lanes.Width && m.stride&(m.stride-1) == 0
}

// pair returns the first state of such a line.
func (m *means) pair(line int) int {
	low := m.stride - 1
	return line&^low<<1 | line&low
}

// averagePairs is AverageTerms for lines of two states that are close.
func (l *lines) averagePairs(dst, v []float64) {
	f := l.f[:len(v)]
	for line, per := range l.perSum {
		x := l.pair(line)
		y := x + l.stride
		mean := (f[x]*v[x] + f[y]*v[y]) * per
		dst[x], dst[y] = mean, mean
	}
}

// eachLine calls what with the means of some lines that begin next to each other, and the first
// state of the first.
func (l *lines) eachLine(v []float64, what func(at int, means []float64)) {
	for first := range len(l.perSum) / l.stride {
		for from := 0; from < l.stride; from += len(l.sums) {
			line := first*l.stride + from
			at := first*l.side*l.stride + from
			perSum := l.perSum[line:][:min(len(l.sums), l.stride-from)]
			sums := l.sums[:len(perSum)]
			f := l.f[at:]
			v := v[at:]
			if l.side == 2 {
				l.unit.Mean(sums, f, f[l.stride:], v, v[l.stride:], perSum)
				what(at, sums)
				continue
			}
			clear(sums)
			for k := range l.side {
				f := f[k*l.stride:][:len(sums)]
				v := v[k*l.stride:][:len(sums)]
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
}

// Derived implements Operator. The mean of v over a line changes by its covariance with the slope.
func (l *lines) Derived(m, v []float64, along Direction) (total float64, kinked bool) {
	l.setPerSum()
	for line, per := range l.perSum {
		first := line/l.stride*l.stride*l.side + line%l.stride
		vFirst := v[first]
		slopeFirst := along.Slope[first]
		var sumM, sumV, sumSlope, product float64
		for i := range l.side {
			x := first + i*l.stride
			f := l.f[x]
			dv := v[x] - vFirst
			slope := along.Slope[x] - slopeFirst
			sumM += f * m[x]
			sumV += f * dv
			sumSlope += f * slope
			product += f * dv * slope
		}
		total += sumM * (product*per - (sumV*per)*(sumSlope*per))
	}
	return total, false
}
