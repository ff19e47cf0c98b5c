package kernels_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/internal/chainstest"
	"breadboard/chains/kernels"
	"breadboard/exact/kernel"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestInformedRowsByHand: rows that were worked out by hand from the formulas.
func TestInformedRowsByHand(t *testing.T) {
	ln := math.Log
	square, line, pair := grid.MustNew(2, 2), grid.MustNew(3), grid.MustNew(2)
	up := []float64{0, ln(4), ln(16), ln(64)} // Z by sqrt is 6, 9/2, 9/4 and 3/4
	zero := []float64{math.Inf(-1), ln(4), ln(16), ln(64)}
	for _, c := range []struct {
		space    *grid.Lattice
		selector string
		logf     []float64
		x        int
		want     map[int]float64
	}{
		{square, "balanced:sqrt", up, 0, map[int]float64{1: 1. / 3, 2: 2. / 3}},
		{square, "balanced:sqrt", up, 3, map[int]float64{1: 1. / 18, 2: 2. / 9, 3: 13. / 18}},
		{square, "balanced:min", up, 3, map[int]float64{1: 1. / 20, 2: 4. / 17, 3: 19./20 - 4./17}},
		{square, "balanced:barker", up, 3, map[int]float64{1: 5. / 97, 2: 17. / 73, 3: 92./97 - 17./73}},
		{square, "balanced:sqrt", zero, 0, map[int]float64{1: 1. / 3, 2: 2. / 3}},
		{square, "balanced:min", zero, 0, map[int]float64{1: 1. / 2, 2: 1. / 2}},
		{line, "balanced:sqrt:flip", up[:3], 2, map[int]float64{0: 1. / 24, 1: 1. / 5, 2: 91. / 120}},
		// The slope is 0, and at the neighbours log 4 and -log 4, towards the middle.
		{line, "gradient", []float64{0, ln(4), 0}, 1, map[int]float64{0: 1. / 4, 1: 1. / 2, 2: 1. / 4}},
		// Half of the sets are empty, and allow nothing for a step.
		{pair, "tabu:1", up[:2], 1, map[int]float64{0: 1. / 8, 1: 7. / 8}},
		{pair, "tabu:2", up[:2], 0, map[int]float64{1: 1}},
		{pair, "tabu:2", up[:2], 1, map[int]float64{0: 1. / 4, 1: 3. / 4}},
		// From 4 over 1 to 3: 1/2 up, 3/4 refused, 1/2 up again, (3-1)/(4-1) accepted.
		{line, "delayed-rejection", []float64{ln(4), 0, ln(3)}, 0, map[int]float64{0: 3. / 4, 1: 1. / 8, 2: 1. / 8}},
		{line, "delayed-rejection", []float64{ln(4), math.Inf(-1), ln(3)}, 0, map[int]float64{0: 13. / 16, 2: 3. / 16}},
		{line, "delayed-rejection", []float64{math.Inf(-1), math.Inf(-1), 0}, 0, map[int]float64{0: 3. / 4, 2: 1. / 4}},
	} {
		got := chainstest.Row(longtest.Must(kernels.Parse(c.selector, c.space))(t).(chains.Rower), c.logf, c.x)
		if len(got) != len(c.want) {
			t.Errorf("%s: row %d is %v, want %v", c.selector, c.x, got, c.want)
		}
		for y, p := range c.want {
			if math.Abs(got[y]-p) > 1e-15 {
				t.Errorf("%s: T(%d,%d) = %v, want %v", c.selector, c.x, y, got[y], p)
			}
		}
	}
}

// informedSelectors are the kernels that look at several values of f before they move.
func informedSelectors() []string {
	return []string{
		"balanced:sqrt", "balanced:barker", "balanced:min", "balanced:sqrt:flip", "balanced:barker:flip", "balanced:min:flip",
		"gradient", "tabu:1", "tabu:2:barker", "tabu:3:min", "delayed-rejection",
	}
}

// TestInformedRows: on targets of every size, with ties and zeros, the rows are those of the
// enumerated Move; they sum to one; and the flows between all pairs of states are even, in their
// logarithms, which are off by some roundings of 4e-13 where log f is 3000.
func TestInformedRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space := rapid.SampledFrom([]*grid.Lattice{
			grid.MustNew(3, 3), grid.MustNew(1, 5), grid.MustNew(2, 2, 2), longtest.Sure(grid.NewWrapped([]int{3, 2}, []bool{true, false})), grid.MustNew(1),
		}).Draw(t, "space")
		k := longtest.Must(kernels.Parse(rapid.SampledFrom(informedSelectors()).Draw(t, "kernel"), space))(t)
		logf := drawLogF(t, space.States())
		rows := make([][]float64, len(logf))
		for x := range logf {
			rows[x] = row(k, logf, x)
			total := 0.0
			walked := longtest.Must(walk(k, logf, x))(t)
			for y, p := range rows[x] {
				total += p
				if !(math.Abs(p-walked[y]) <= 1e-15) {
					t.Fatalf("%v, log f %v: T(%d,%d) = %v, enumerated %v", k, logf, x, y, p, walked[y])
				}
			}
			if !(math.Abs(total-1) <= 1e-14) {
				t.Fatalf("%v, log f %v: row %d sums to %v", k, logf, x, total)
			}
		}
		for x, from := range logf {
			for y, p := range rows[x] {
				if back := rows[y][x]; !math.IsInf(from, -1) && p > 1e-250 && back > 1e-250 {
					if there, again := from+math.Log(p), logf[y]+math.Log(back); math.Abs(there-again) > 3e-12 {
						t.Fatalf("%v, log f %v: flows from %d to %d are exp(%v) and exp(%v)", k, logf, x, y, there, again)
					}
				} else if math.IsInf(logf[y], -1) && !math.IsInf(from, -1) && p > 0 {
					t.Fatalf("%v, log f %v: from %d it goes to %d, where f is zero", k, logf, x, y)
				}
			}
		}
	})
}

// walk returns a row by way of Move.
func walk(k chains.Kernel, logf []float64, x int) ([]float64, error) {
	entries, _, err := kernel.Row(context.Background(), struct{ chains.Kernel }{k}, logf, x)
	p := make([]float64, len(logf))
	for _, e := range entries {
		p[e.To] += e.P
	}
	return p, err
}

// plain is the matrix of a kernel by its definition, in plain numbers and without any care for
// their range.
type plain [][]float64

// staying returns a matrix of moves with what is left of each row on the diagonal.
func staying(n int, move func(x, y int) float64) plain {
	T := make(plain, n)
	for x := range T {
		T[x] = make([]float64, n)
		left := 1.0
		for y := range T {
			if y != x {
				T[x][y] = move(x, y)
				left -= T[x][y]
			}
		}
		T[x][x] = left
	}
	return T
}

// balancing are the three functions of a ratio.
func balancing() map[string]func(r float64) float64 {
	return map[string]func(r float64) float64{"sqrt": math.Sqrt, "barker": func(r float64) float64 { return r / (1 + r) },
		"min": func(r float64) float64 { return min(1, r) }}
}

// weighed is the kernel that proposes in proportion to weights and accepts as Metropolis and
// Hastings do, which is Zanella's definition.
func weighed(f []float64, w func(x, y int) float64) plain {
	q := func(x, y int) float64 {
		z := 0.0
		for to := range f {
			z += w(x, to)
		}
		return w(x, y) / z
	}
	return staying(len(f), func(x, y int) float64 {
		if w(x, y) == 0 {
			return 0
		}
		return q(x, y) * min(1, f[y]*q(y, x)/(f[x]*q(x, y)))
	})
}

// balanced returns the weights g(f(y)/f(x)), for a number of ways between states.
func balanced(g func(r float64) float64, f []float64, ways func(x, y int) int) func(x, y int) float64 {
	return func(x, y int) float64 { return float64(ways(x, y)) * g(f[y]/f[x]) }
}

// delayed is the kernel of Tierney and Mira, with acceptances instead of differences of f.
func delayed(f []float64, D int, ways func(x, y int) int) plain {
	q := func(x, y int) float64 { return float64(ways(x, y)) / float64(D) }
	a := func(x, y int) float64 { return min(1, f[y]/f[x]) }
	return staying(len(f), func(x, y int) float64 {
		p := q(x, y) * a(x, y)
		for over := range f {
			if a(x, over) < 1 {
				p += q(x, over) * (1 - a(x, over)) * q(over, y) * min(1, f[y]*(1-a(y, over))/(f[x]*(1-a(x, over))))
			}
		}
		return p
	})
}

// tabu is the sampler on states and sets of axes, made with its whole matrix; state x with set A
// has the number x 2^d + A.
func tabu(g func(r float64) float64, f []float64, l *grid.Lattice, steps int) plain {
	sets := 1 << l.Dims()
	weight := func(x, y, A int) (w float64, axis int) {
		apart := 0
		for k := range l.Dims() {
			if l.Coord(x, k) != l.Coord(y, k) {
				apart, axis = apart+1, k
			}
		}
		if apart != 1 || A>>axis&1 == 0 {
			return 0, axis
		}
		return g(f[y] / f[x]), axis
	}
	z := func(x, A int) (total float64) {
		for y := range f {
			w, _ := weight(x, y, A)
			total += w
		}
		return total
	}
	P := make(plain, len(f)*sets)
	for s := range P {
		P[s] = make([]float64, len(P))
		x, A, left := s/sets, s%sets, 1.0
		for y := range f {
			if w, axis := weight(x, y, A); w > 0 {
				p := w / z(x, A) * min(1, z(x, A)/z(y, sets-1-A+1<<axis))
				P[s][y*sets+A-1<<axis] += p
				left -= p
			}
		}
		P[s][x*sets+sets-1-A] += left
	}
	T := make(plain, len(f))
	for x := range T {
		law := make([]float64, len(P))
		for A := range sets {
			law[x*sets+A] = 1 / float64(sets)
		}
		for range steps {
			next := make([]float64, len(P))
			for s, p := range law {
				for r, q := range P[s] {
					next[r] += p * q
				}
			}
			law = next
		}
		T[x] = make([]float64, len(f))
		for s, p := range law {
			T[x][s/sets] += p
		}
	}
	return T
}

// slopes returns the weights of Gibbs with gradients on a line or ring.
func slopes(f []float64, l *grid.Lattice) func(x, y int) float64 {
	return func(x, y int) float64 {
		down, below := l.Neighbour(x, 0)
		up, above := l.Neighbour(x, 1)
		ratio := 1.0 // of f after a step up and before it, as the slope has it
		switch {
		case below && above:
			ratio = math.Sqrt(f[up] / f[down])
		case above:
			ratio = f[up] / f[x]
		case below:
			ratio = f[x] / f[down]
		}
		switch {
		case above && y == up:
			return math.Sqrt(ratio)
		case below && y == down:
			return 1 / math.Sqrt(ratio)
		}
		return 0
	}
}

// doubled is a graph with a second direction between an even and an odd state that are neighbours.
type doubled struct{ grid.Graph }

func (g doubled) Directions() int { return 2 * g.Graph.Directions() }

func (g doubled) Neighbour(x, d int) (int, bool) {
	y, inside := g.Graph.Neighbour(x, d/2)
	return y, inside && (d%2 == 0 || (x+y)%2 == 1)
}

// TestInformedAgainstPlain compares the kernels on spaces of four to nine states with matrices
// straight from the papers' formulas.
func TestInformedAgainstPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := rapid.SampledFrom([]*grid.Lattice{grid.MustNew(2, 3), grid.MustNew(2, 2, 2), grid.MustNew(3, 3), grid.MustNew(5),
			longtest.Sure(grid.NewWrapped([]int{4}, []bool{true}))}).Draw(t, "space")
		compare := func(selector string, space grid.Graph, logf []float64, want plain) {
			k := longtest.Must(kernels.Parse(selector, space))(t)
			for x := range want {
				for y, p := range row(k, logf, x) {
					if math.Abs(p-want[x][y]) > 1e-12 {
						t.Fatalf("%s, log f %v: T(%d,%d) = %v, by its formula %v", selector, logf, x, y, p, want[x][y])
					}
				}
			}
		}
		draw := func(n int) (logf, f []float64) {
			logf = rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-5, 5), rapid.SampledFrom([]float64{0, 1})), n, n).Draw(t, "log f")
			for _, v := range logf {
				f = append(f, math.Exp(v))
			}
			return logf, f
		}
		count := func(space grid.Graph) func(x, y int) int {
			return func(x, y int) (n int) {
				for to := range grid.Neighbours(space, x) {
					if to == y {
						n++
					}
				}
				return n
			}
		}
		logf, f := draw(l.States())
		steps := rapid.IntRange(1, 4).Draw(t, "steps")
		for rule, g := range balancing() {
			compare("balanced:"+rule, l, logf, weighed(f, balanced(g, f, count(l))))
			compare("balanced:"+rule+":flip", l, logf, weighed(f, balanced(g, f, count(kernels.OtherValues{Lattice: l}))))
			compare((kernels.Tabu{Space: l, Steps: steps, Rule: rule}).String(), l, logf, tabu(g, f, l, steps))
		}
		compare("delayed-rejection", l, logf, delayed(f, l.Directions(), count(l)))
		if l.Dims() == 1 {
			compare("gradient", l, logf, weighed(f, slopes(f, l)))
		}
		on := doubled{longtest.Must(grid.NewAdjacency(nil, [][]int{{1, 2}, {0}, {0, 3}, {2}}))(t)}
		logf, f = draw(on.States())
		compare("balanced:sqrt", on, logf, weighed(f, balanced(math.Sqrt, f, count(on))))
		compare("delayed-rejection", on, logf, delayed(f, on.Directions(), count(on)))
	})
}

// TestGradientOfTwoValues: on axes of two values slopes are exact, zeros of f too, and the kernel
// is that of the exact ratios.
func TestGradientOfTwoValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space := grid.MustNew(2, 1, 2, 2)
		logf := drawLogF(t, space.States())
		for x := range logf {
			exact := row(kernels.Informed{Space: space, Rule: "sqrt"}, logf, x)
			for y, p := range row(kernels.Informed{Space: space, Rule: "slope"}, logf, x) {
				if p != exact[y] {
					t.Fatalf("log f %v: T(%d,%d) = %v by the gradient, %v by ratios", logf, x, y, p, exact[y])
				}
			}
		}
	})
}

// TestInformedRefusals: selectors that name no kernel, with the reason.
func TestInformedRefusals(t *testing.T) {
	complete := longtest.Must(grid.NewComplete(5))(t)
	for selector, want := range map[string]string{
		"balanced:root": "there are sqrt, barker and min", "balanced:sqrt:flop": "only flip", "gradient": "needs a grid", "tabu:65": "from 1 to 64",
		"tabu:1:root": "there are sqrt",
	} {
		longtest.Refuses(kernels.Parse(selector, complete))(t, want, selector)
	}
	longtest.Refuses(kernels.Parse("tabu:2", grid.MustNew(2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2)))(t, "so does one step")
}
