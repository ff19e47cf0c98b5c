package kernel_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/kernel"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// dense is a transition matrix written out.
type dense [][]float64

func newDense(n int) dense {
	m := make(dense, n)
	for x := range m {
		m[x] = make([]float64, n)
	}
	return m
}

func (m dense) times(o dense) dense {
	out := newDense(len(m))
	for x := range m {
		for y := range m {
			for z := range m {
				out[x][z] += m[x][y] * o[y][z]
			}
		}
	}
	return out
}

// plus returns the sum with weights.
func plus(a float64, m dense, b float64, o dense) dense {
	out := newDense(len(m))
	for x := range m {
		for y := range m {
			out[x][y] = a*m[x][y] + b*o[x][y]
		}
	}
	return out
}

func identity(n int) dense {
	m := newDense(n)
	for x := range m {
		m[x][x] = 1
	}
	return m
}

// accepting returns the matrix that proposes y from x with probability q[x][y], accepts it with probability accept and
// stays otherwise.
func accepting(q dense, accept func(x, y int) float64) dense {
	m := newDense(len(q))
	for x := range q {
		m[x][x] = 1
		for y, p := range q[x] {
			if y != x {
				m[x][y] += p * accept(x, y)
				m[x][x] -= p * accept(x, y)
			}
		}
	}
	return m
}

// definitions makes the matrices of the kernels of the library from their documented definitions, on a rectangle with
// walls.
type definitions struct {
	rows, columns int
	f             []float64
}

func (d definitions) n() int                     { return d.rows * d.columns }
func (d definitions) at(r, c int) int            { return r*d.columns + c }
func (d definitions) rowColumn(x int) (r, c int) { return x / d.columns, x % d.columns }

// around proposes each of a list of steps with equal probability. A step that leads outside is no proposal.
func (d definitions) around(steps [][2]int) dense {
	q := newDense(d.n())
	for x := range q {
		r, c := d.rowColumn(x)
		for _, s := range steps {
			if y := [2]int{r + s[0], c + s[1]}; y[0] >= 0 && y[0] < d.rows && y[1] >= 0 && y[1] < d.columns {
				q[x][d.at(y[0], y[1])] += 1 / float64(len(steps))
			}
		}
	}
	return q
}

// others proposes each of the other states of the line through x along an axis with equal probability.
func (d definitions) others(axis int) dense {
	q := newDense(d.n())
	for x := range q {
		line := d.line(x, axis)
		for _, y := range line {
			if y != x {
				q[x][y] = 1 / float64(len(line)-1)
			}
		}
	}
	return q
}

func (d definitions) uniform() dense {
	q := newDense(d.n())
	for x := range q {
		for y := range q {
			q[x][y] = 1 / float64(d.n())
		}
	}
	return q
}

// metropolis accepts with probability min(1, f(y)/f(x)); states with f = 0 are never entered.
func (d definitions) metropolis(x, y int) float64 {
	switch {
	case d.f[y] == 0:
		return 0
	case d.f[x] == 0:
		return 1
	}
	return min(1, d.f[y]/d.f[x])
}

func (d definitions) barker(x, y int) float64 {
	if d.f[y] == 0 {
		return 0
	}
	return d.f[y] / (d.f[x] + d.f[y])
}

// line returns the states on the line through x along an axis: axis 0 goes from row to row.
func (d definitions) line(x, axis int) []int {
	r, c := d.rowColumn(x)
	var out []int
	if axis == 0 {
		for i := range d.rows {
			out = append(out, d.at(i, c))
		}
	} else {
		for i := range d.columns {
			out = append(out, d.at(r, i))
		}
	}
	return out
}

func (d definitions) heatbath(axis int) dense {
	m := newDense(d.n())
	for x := range m {
		total := 0.0
		for _, y := range d.line(x, axis) {
			total += d.f[y]
		}
		if total == 0 {
			m[x][x] = 1
			continue
		}
		for _, y := range d.line(x, axis) {
			m[x][y] = d.f[y] / total
		}
	}
	return m
}

// suwaTodo is equation 6 of Suwa and Todo 2010: with the weights w_1 >= all others, S_i = w_1 + ... + w_i, S_0 = S_n,
// the flow from i to j is max(0, min(D, w_i + w_j - D, w_i, w_j)) with D = S_i - S_(j-1) + w_1. State 1 is the one with
// the largest weight, and the others follow it in their order on the line, cyclically.
func (d definitions) suwaTodo(axis int) dense {
	m := newDense(d.n())
	for x := range m {
		line := d.line(x, axis)
		n, largest, total, at := len(line), 0, 0.0, 0
		for i, y := range line {
			if d.f[y] > d.f[line[largest]] {
				largest = i
			}
			total += d.f[y]
		}
		if d.f[x] == 0 || total == 0 {
			m[x] = d.heatbath(axis)[x]
			continue
		}
		order := make([]int, n)
		w, sums := make([]float64, n+1), make([]float64, n+1)
		for i := range order {
			order[i] = line[(largest+i)%n]
			w[i+1] = d.f[order[i]]
			sums[i+1] = sums[i] + w[i+1]
			if order[i] == x {
				at = i + 1
			}
		}
		sums[0] = sums[n]
		for j := 1; j <= n; j++ {
			delta := sums[at] - sums[j-1] + w[1]
			m[x][order[j-1]] += max(0, min(delta, w[at]+w[j]-delta, w[at], w[j])) / w[at]
		}
	}
	return m
}

// matrices returns every kernel of the library by its selector.
func (d definitions) matrices() map[string]dense {
	cross := [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}
	var square [][2]int
	for _, i := range []int{-1, 0, 1} {
		for _, j := range []int{-1, 0, 1} {
			if i != 0 || j != 0 {
				square = append(square, [2]int{i, j})
			}
		}
	}
	metropolis := accepting(d.around(cross), d.metropolis)
	barker := accepting(d.around(cross), d.barker)
	moore := accepting(d.around(square), d.metropolis)
	flip := plus(0.5, accepting(d.others(0), d.metropolis), 0.5, accepting(d.others(1), d.metropolis))
	independence := accepting(d.uniform(), d.metropolis)
	h0, h1 := d.heatbath(0), d.heatbath(1)
	s0, s1 := d.suwaTodo(0), d.suwaTodo(1)
	scan := h0.times(h1)
	suwa := plus(0.5, s0, 0.5, s1)
	return map[string]dense{
		"metropolis": metropolis, "barker": barker, "moore": moore, "flip": flip, "independence": independence, "stay": identity(d.n()),
		"jump:0.3":        plus(0.7, metropolis, 0.3, independence),
		"heatbath-axis:0": h0, "heatbath-axis:1": h1, "heatbath": plus(0.5, h0, 0.5, h1), "heatbath-scan": scan,
		"suwa-todo-axis:0": s0, "suwa-todo-axis:1": s1, "suwa-todo": suwa,
		"lazy:0.25:barker":                             plus(0.25, identity(d.n()), 0.75, barker),
		"lazy:0.25:suwa-todo":                          plus(0.25, identity(d.n()), 0.75, suwa),
		"repeat:3:metropolis":                          metropolis.times(metropolis).times(metropolis),
		"compose:metropolis+heatbath-axis:0":           metropolis.times(h0),
		"compose:suwa-todo-axis:0+barker+metropolis":   s0.times(barker).times(metropolis),
		"palindrome:heatbath-axis:1+metropolis":        h1.times(metropolis).times(h1),
		"palindrome:metropolis+barker+heatbath-axis:0": metropolis.times(barker).times(h0).times(barker).times(metropolis),
		"mixture:1*metropolis+3*heatbath-scan":         plus(0.25, metropolis, 0.75, scan),
		"mixture:0.5*barker+1.5*suwa-todo-axis:1":      plus(0.25, barker, 0.75, s1),
	}
}

// TestDefinitions compares every kernel of the library with matrices written out from its definition: in closed form,
// enumerated from Move, and the time reversal, which is p(y) T(y,x) / p(x) where p is positive. Spaces are rectangles,
// and f has ties and zeros.
func TestDefinitions(t *testing.T) {
	exacttest.CheckSome(t, 50, func(t *rapid.T) {
		d := definitions{rapid.IntRange(1, 3).Draw(t, "rows"), rapid.IntRange(2, 4).Draw(t, "columns"), nil}
		space := grid.MustNew(d.rows, d.columns)
		logf := make([]float64, d.n())
		for x := range logf {
			logf[x] = rapid.OneOf(rapid.Float64Range(-3, 3), rapid.SampledFrom([]float64{0, 1, math.Inf(-1)})).Draw(t, "log f")
			d.f = append(d.f, math.Exp(logf[x]))
		}
		all := d.matrices()
		if len(all) != 23 {
			t.Fatalf("%d kernels", len(all))
		}
		for selector, want := range all {
			k := longtest.Must(kernels.Parse(selector, space))(t)
			if fmt.Sprint(k) != selector {
				t.Fatalf("%s calls itself %v", selector, k)
			}
			compareDense(t, selector, k, logf, want)
			back := k
			if r, ok := k.(chains.Reverser); ok {
				back = r.Reversal()
			}
			compareReversal(t, selector, back, logf, d.f, want)
		}
	})
}

// compareDense compares a kernel's rows with a matrix, in closed form and enumerated.
func compareDense(t *rapid.T, what string, k chains.Kernel, logf []float64, want dense) {
	for name, form := range map[string]chains.Kernel{"closed form": k, "Move": exacttest.MoveOnly{Kernel: k}} {
		rows := longtest.Must(kernel.NewRows(context.Background(), form, logf))(t)
		for x := range want {
			for y, p := range want[x] {
				if math.Abs(rows.At(x, y)-p) > 1e-13 {
					t.Fatalf("%s, %s: T(%d,%d) = %v, by its definition %v", what, name, x, y, rows.At(x, y), p)
				}
			}
		}
	}
}

// compareReversal compares the reversal's rows from states of positive probability.
func compareReversal(t *rapid.T, what string, back chains.Kernel, logf, f []float64, forward dense) {
	for name, form := range map[string]chains.Kernel{"closed form": back, "Move": exacttest.MoveOnly{Kernel: back}} {
		rows := longtest.Must(kernel.NewRows(context.Background(), form, logf))(t)
		for x := range f {
			for y := range f {
				if f[x] == 0 {
					continue
				}
				if want := f[y] * forward[y][x] / f[x]; math.Abs(rows.At(x, y)-want) > 1e-12 {
					t.Fatalf("%s, reversal, %s: R(%d,%d) = %v, by its definition %v", what, name, x, y, rows.At(x, y), want)
				}
			}
		}
	}
}
