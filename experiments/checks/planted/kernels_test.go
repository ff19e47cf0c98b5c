package planted_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/kernel"
	"breadboard/exact/program"
	"breadboard/experiments/checks/planted"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// accept is the probability of Metropolis to go from x to y.
func accept(logf []float64, x, y int) float64 {
	switch {
	case math.IsInf(logf[y], -1):
		return 0
	case math.IsInf(logf[x], -1):
		return 1
	}
	return math.Exp(min(0, logf[y]-logf[x]))
}

// looping is a kernel that draws proposals in a loop, one round a step, so that its distribution
// can be propagated without a last round.
type looping struct {
	space  grid.Graph
	logf   []float64
	x      int
	rounds int
	until  func(c chains.Chooser, y int, inside bool) bool // says whether a proposal ends the loop
}

// round is the proposal with which the loop has ended, or -1.
type round struct{ y int }

func (l looping) Steps() int                 { return l.rounds }
func (l looping) Start(chains.Chooser) round { return round{-1} }

func (l looping) Step(c chains.Chooser, _ int, s round) (round, float64) {
	if s.y >= 0 {
		return s, 0
	}
	if y, inside := l.space.Neighbour(l.x, c.Uniform(l.space.Directions())); l.until(c, y, inside) {
		return round{y}, 0
	}
	return s, 0
}

// ended returns the distribution of the proposal with which the loop ends.
func (l looping) ended(t *rapid.T) []float64 {
	got := longtest.Sure(program.Propagate(context.Background(), l, program.NewMoments(), program.Options{}))
	p := make([]float64, l.space.States())
	for y := range p {
		p[y] = got.At(round{y}).Mass
	}
	if left := got.At(round{-1}).Mass; left > 1e-13 {
		t.Fatalf("the loop goes on with probability %v", left)
	}
	return p
}

func rowOf(t *rapid.T, k chains.Kernel, logf []float64, x int) []float64 {
	row, _, err := kernel.Row(context.Background(), k, logf, x)
	longtest.NoError(t, err)
	p := make([]float64, len(logf))
	for _, e := range row {
		if math.IsNaN(e.P) {
			t.Fatalf("%T: a probability from %d is NaN", k, x)
		}
		p[e.To] += e.P
	}
	return p
}

func same(t *rapid.T, what string, got, want []float64) {
	for y := range want {
		if !(math.Abs(got[y]-want[y]) <= 1e-12) {
			t.Fatalf("%s: to %d with probability %v, want %v", what, y, got[y], want[y])
		}
	}
}

func drawSpace(t *rapid.T) (*grid.Lattice, []float64, int) {
	rows, columns := rapid.IntRange(1, 3).Draw(t, "rows"), rapid.IntRange(2, 3).Draw(t, "columns")
	space := longtest.Sure(
		grid.NewWrapped([]int{rows, columns}, []bool{false, columns == 3 && rapid.Bool().Draw(t, "wraps")}),
	)
	values := rapid.OneOf(rapid.Float64Range(-2, 1), rapid.SampledFrom([]float64{0, 1, math.Inf(-1)}))
	logf := rapid.SliceOfN(values, space.States(), space.States()).Draw(t, "log f")
	return space, logf, rapid.IntRange(0, space.States()-1).Draw(t, "from")
}

// TestLoops compares the kernels that say what a loop comes to with programs that loop.
func TestLoops(t *testing.T) {
	longtest.Only(t)
	rapid.Check(t, func(t *rapid.T) {
		space, logf, x := drawSpace(t)
		drawn := looping{
			space, logf, x, 200, func(_ chains.Chooser, _ int, inside bool) bool { return inside }}.ended(t)
		want := make([]float64, len(drawn))
		for y, p := range drawn { // a draw inside is then accepted or not
			a := accept(logf, x, y)
			want[y] += p * a
			want[x] += p * (1 - a)
		}
		same(t, "Redrawn", rowOf(t, planted.Redrawn{Space: space}, logf, x), want)

		hopeless := true
		for y := range grid.Neighbours(space, x) {
			hopeless = hopeless && accept(logf, x, y) == 0
		}
		want = make([]float64, len(drawn))
		want[x] = 1
		if !hopeless {
			want = looping{space, logf, x, 3000, func(c chains.Chooser, y int, inside bool) bool {
				return inside && c.Flip(accept(logf, x, y))
			}}.ended(t)
		}
		same(t, "UntilAccepted", rowOf(t, planted.UntilAccepted{Space: space}, logf, x), want)
	})
}

// TestKernels compares each of the other kernels with the row that its bug makes, worked out from
// proposals and acceptances.
func TestKernels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space, logf, x := drawSpace(t)
		n := space.Directions()
		even := slices.Repeat([]float64{1 / float64(n)}, n)
		row := func(proposal []float64, accept func(y int) float64) []float64 {
			p := make([]float64, space.States())
			for d, v := range proposal {
				y, inside := space.Neighbour(x, d)
				if !inside {
					p[x] += v
					continue
				}
				a := accept(y)
				p[y] += v * a
				p[x] += v * (1 - a)
			}
			return p
		}
		f := func(v float64) float64 { return math.Exp(v) }
		metropolis := func(y int) float64 {
			if f(logf[x]) == 0 {
				return f(logf[y]) / f(max(logf[y], -700)) // one, and zero if there is not a probability
			}
			return min(1, f(logf[y])/f(logf[x]))
		}
		skewed := slices.Repeat([]float64{1 / float64(n+1)}, n)
		skewed[0] *= 2
		uneven := make([]float64, n)
		for d := range uneven {
			uneven[d] = float64(d+1) / float64(n*(n+1)/2)
		}
		tenths := func(y int) float64 {
			if math.IsInf(logf[x], -1) || math.IsInf(logf[y], -1) {
				return metropolis(y)
			}
			return min(1, f(math.Trunc(logf[y]/0.1)*0.1-math.Trunc(logf[x]/0.1)*0.1))
		}
		back := func(y int) float64 {
			switch {
			case f(logf[x]) == 0:
				return 0
			case f(logf[y]) == 0:
				return 1
			}
			return min(1, f(logf[x])/f(logf[y]))
		}
		same(t, "Metropolis", rowOf(t, kernels.Metropolis{Space: space}, logf, x), row(even, metropolis))
		same(t, "Skewed", rowOf(t, planted.Skewed{Space: space}, logf, x), row(skewed, metropolis))
		same(t, "Truncated", rowOf(t, planted.Truncated{Space: space, Grain: 0.1}, logf, x), row(even, tenths))
		same(t, "AlwaysAccepted", rowOf(t, planted.AlwaysAccepted{Space: space}, logf, x),
			row(even, func(int) float64 { return 1 }))
		same(t, "TurnedRatio", rowOf(t, planted.TurnedRatio{Space: space}, logf, x), row(even, back))
		same(t, "Rounded", rowOf(t, planted.Rounded{Space: space, Grain: 0.1}, logf, x),
			row(even, func(y int) float64 { return math.Floor(accept(logf, x, y)*10+0.5) / 10 }))
	})
}

// TestFloating: with the numbers of float32 it is the conversion of the language, from subnormal
// numbers to what overflows, and numbers of float16 and bfloat16 are those that IEEE 754 and NumPy
// give.
func TestFloating(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := math.Float64frombits(rapid.Uint64().Draw(t, "bits"))
		if rapid.Bool().Draw(t, "small") { // half of all bits have a magnitude that float32 has too
			v = math.Ldexp(rapid.Float64Range(-2, 2).Draw(t, "v"), rapid.IntRange(-160, 130).Draw(t, "exponent"))
		}
		if got, want := planted.Floating(v, 24, 126), float64(float32(v)); got != want &&
			!(math.IsNaN(got) && math.IsNaN(want)) {
			t.Fatalf("%v becomes %v, want %v", v, got, want)
		}
	})
	for _, c := range []struct{ v, half, brain float64 }{
		{1.2345, 1.234375, 1.234375},
		{-3.14159, -3.140625, -3.140625},
		{1.00390625, 1.00390625, 1}, // a tie of bfloat16
		{2049, 2048, 2048},          // a tie of float16
		{2051, 2052, 2048},
		{65519, 65504, 65536},
		{65520, math.Inf(1), 65536},
		{-70000, math.Inf(-1), -70144},
		{6.1e-8, math.Ldexp(1, -24), 0.00000006100162863731384},
		{1e-8, 0, 1.0011717677116394e-08},
	} {
		if got := planted.Floating(c.v, 11, 14); got != c.half {
			t.Errorf("%v in float16 is %v, want %v", c.v, got, c.half)
		}
		if got := planted.Floating(c.v, 8, 126); got != c.brain {
			t.Errorf("%v in bfloat16 is %v, want %v", c.v, got, c.brain)
		}
	}
}
