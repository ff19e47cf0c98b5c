package operator

import "breadboard/exact/internal/lanes"

const (
	// tileStates is the largest number of states of a tile, which should stay in a near cache with
	// f and the function.
	tileStates = 1 << 13
	// tileWidth is the number of neighbouring states that a row of a tile has: some lines of cache.
	tileWidth = 32
)

// tiles are heat baths on several axes of a large space, one after another. The axes follow one
// another in the numbers of the states, so that lines along all of them together are rows that step
// apart. Some neighbouring lines are one tile, on which all the heat baths are applied at once:
// memory is read and written once.
//
// v becomes T_i v for i = 1, ..., k, (T_i v)(x) = sum of f v/sum of f over the line of x on axis i.
//
// Time is O(k states), and memory is read and written once instead of k times.
type tiles struct {
	*means
	lines      []*lines // in the order in which they are applied
	step, rows int      // between the rows of a tile, and their number
}

// tileMemory holds f, a function, and what heat needs.
type tileMemory [3][tileStates]float64

// tiled returns the operators of a round with adjacent heat baths on axes of a large space as
// tiles.
func tiled(round []Operator) (out []Operator) {
	for _, o := range round {
		l, is := o.(*lines)
		if !is || !l.Unsummed {
			out = append(out, o)
			continue
		}
		if len(out) > 0 {
			if t, is := out[len(out)-1].(*tiles); is && t.addBath(l) {
				continue
			}
		}
		out = append(out, &tiles{l.means, []*lines{l}, l.stride, l.side})
	}
	return out
}

// TilesFit reports whether rows that are a step apart can be tiles.
func TilesFit(rows, step int) bool { return rows*min(step, tileWidth) <= tileStates }

// addBath adds a heat bath to be applied after the others, and reports whether there is place for
// it.
func (t *tiles) addBath(l *lines) bool {
	rows := t.rows * l.side
	step := min(t.step, l.stride)
	if !TilesFit(rows, step) || l.stride*l.side != t.step && t.step*t.rows != l.stride {
		return false
	}
	t.lines = append(t.lines, l)
	t.rows = rows
	t.step = step
	return true
}

// Twin implements Operator.
func (t *tiles) Twin() Operator { return t }

// Reversal implements Operator. A sequence reverses its parts instead.
func (t *tiles) Reversal() Operator {
	panic("operator: the reversal of tiles is that of their sequence")
}

// Load implements Operator.
func (t *tiles) Load(d *Distribution) { t.f = d.F }

// AddChange implements Operator. A sequence adds the change by all of its parts instead.
func (t *tiles) AddChange(_, _ []float64, _ float64) { panic("operator: a change by tiles") }

// AverageTerms implements Operator.
func (t *tiles) AverageTerms(dst, v []float64) { t.Average(dst, v) }

// Average implements Operator.
func (t *tiles) Average(dst, v []float64) {
	width := min(t.step, max(1, tileStates/t.rows))
	across := (t.step + width - 1) / width // tiles next to each other
	tile := func(i int) {
		from := i % across * width
		t.averageTile(dst, v, i/across*t.step*t.rows+from, min(width, t.step-from))
	}
	n := len(v) / (t.step * t.rows) * across
	if t.crew != nil {
		t.crew.Run(n, tile)
		return
	}
	for i := range n {
		tile(i)
	}
}

// averageTile applies the heat baths to a tile whose rows have the given width, the first from
// state at on.
func (t *tiles) averageTile(dst, v []float64, at, width int) {
	memory, _ := t.memory.Get().(*tileMemory)
	if memory == nil {
		memory = new(tileMemory)
	}
	defer t.memory.Put(memory)
	n := t.rows * width
	f := t.f[at : at+n]
	u := memory[1][:n]
	per := memory[2][:linesAtOnce]
	if t.step > 1 {
		f = memory[0][:n]
	}
	for row := range t.rows {
		x := at + row*t.step
		if t.step > 1 {
			copy(f[row*width:], t.f[x:x+width])
		}
		copy(u[row*width:], v[x:x+width])
	}
	for _, l := range t.lines {
		l.heat(f, u, per, l.stride/t.step*width)
	}
	for row := range t.rows {
		copy(dst[at+row*t.step:][:width], u[row*width:])
	}
}

// heat replaces each of u by its mean under f over its line of states that are stride apart.
func (l *lines) heat(f, u, per []float64, stride int) {
	side := l.side
	for at := 0; at < len(f); at += stride * side {
		if side != 2 || stride < lanes.Width {
			for x := at; x < at+stride; x++ {
				total := 0.0
				sum := 0.0
				for y := x; y < x+stride*side; y += stride {
					total += f[y]
					sum += float64(f[y] * u[y])
				}
				sum *= 1 / total
				for y := x; y < x+stride*side; y += stride {
					u[y] = sum
				}
			}
			continue
		}
		for x := at; x < at+stride; x += len(per) {
			n := min(len(per), at+stride-x)
			y := x + stride
			l.unit.Inverse(per[:n], f[x:], f[y:])
			l.unit.Mean(u[x:x+n], f[x:], f[y:], u[x:], u[y:], per)
			copy(u[y:y+n], u[x:])
		}
	}
}
