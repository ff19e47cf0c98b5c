package exact

import (
	"context"
	"math"
	"math/big"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/internal/lanes"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// behindWall is a line of states of which the last, behind a wall, has nearly all the mass of the target, and of the
// output little more than its share at the start.
func behindWall(t *testing.T, n int) *chains.Annealing {
	t.Helper()
	g := make([]float64, n)
	g[n-2], g[n-1] = -20, 12
	return annealingOf(t, g, kernels.Metropolis{Space: grid.MustNew(n)}, 200)
}

// TestMaxCondition: another method takes over where an error of every ratio q/p, of its own size, may become more
// than 64 times as large a part of KL(p||q), and not before. How large it becomes is found from the output here: the
// derivative of KL(p||q) = -sum p log(1+u) by u, which is -p u/(1+u) to second order about u = 0, times u.
func TestMaxCondition(t *testing.T) {
	met := [2]bool{}
	step := 25
	if longtest.Short() {
		step = 75
	}
	for n := 150; n <= 900; n += step {
		a := behindWall(t, n)
		s := longtest.Must(Solve(context.Background(), a, Options{}))(t)
		amplified := 0.0
		for x, q := range s.Output {
			if v := q/s.Target[x] - 1; v <= 0.5 {
				amplified += s.Target[x] * v * v / (1 + v)
			}
		}
		ratio := amplified / s.KLPQ
		if ratio > 60 && ratio < 68 {
			met[0] = met[0] || s.Method == MethodStencil
			met[1] = met[1] || s.Method == MethodApplied
		}
		if (s.Method == MethodStencil) != (ratio <= 64) && math.Abs(ratio-64) > 0.1 {
			t.Errorf("%d states: amplified by %v, solved by the %s", n, ratio, s.Method)
		}
	}
	if !met[0] || !met[1] {
		t.Errorf("no case is just within the limit and just beyond it: %v", met)
	}
}

// TestMethodLimits: the specialised methods take a range of up to 600, and steps of up to a quarter of a nat and of up to
// four, and no more; next to all limits their numbers are those of the general method.
func TestMethodLimits(t *testing.T) {
	for _, c := range []struct {
		span float64
		T    int
		want Method
	}{
		{600, 2402, MethodStencil}, {600.1, 2402, MethodGeneral}, {10, 41, MethodStencil}, {10, 40, MethodApplied}, {590, 2361, MethodStencil},
		{12, 4, MethodApplied}, {12.1, 4, MethodGeneral},
	} {
		g := []float64{0, 0.3 * c.span, 0.1 * c.span, c.span, 0.9 * c.span, 0.97 * c.span}
		a := annealingOf(t, g, kernels.Metropolis{Space: grid.MustNew(2, 3)}, c.T)
		s := longtest.Must(Solve(context.Background(), a, Options{}))(t)
		general := longtest.Must(Solve(context.Background(), a, Options{General: true}))(t)
		if s.Method != c.want {
			t.Errorf("a range of %v in %d distributions is solved by the %s", c.span, c.T, s.Method)
		}
		if !(math.Abs(s.B/general.B-1) < 1e-12 && math.Abs(s.J/general.J-1) < 1e-12) {
			t.Errorf("a range of %v: J %v and %v, B %v and %v", c.span, s.J, general.J, s.B, general.B)
		}
	}
}

// TestAnchors: each step rounds f, and 1/f, by half a unit in the last place for the product, and by as much again for the
// factor, which is rounded the same way every time. After 128 steps that is 128 units at most; here it comes to more than 60.
// Where a step changes f by less than half a unit it comes to more than 50. Then f is computed afresh. geometric.advance adds
// to f instead; its roundings go to either side, and come to less than ten.
func TestAnchors(t *testing.T) {
	for _, c := range []struct {
		scale, above, below float64
		turn                bool
	}{{1, 60, 128, true}, {0.7e-11, 50, 128, true}, {1, 2, 10, false}, {0.7e-11, 50, 64, false}} {
		g := []float64{0, 1.1 * c.scale, 2.3 * c.scale, 0.7 * c.scale, 3.1 * c.scale, 1.9 * c.scale}
		a := annealingOf(t, g, kernels.Metropolis{Space: grid.MustNew(2, 3)}, 100_001)
		s := newGeometric(a, 6, 6, 0)
		worst := 0.0
		first := make([]float64, 6)
		for t := 2; t < 2+3*128; t++ {
			if err := s.load(context.Background(), t); err != nil {
				panic(err)
			}
			if (t-2)%128 == 0 {
				copy(first, s.f)
			}
			if c.turn {
				memory := make([]float64, 2*s.slots)
				s.unit.Turn(&lanes.Stage{F: s.f, Grow: s.grow, Back: s.back, Shift: s.shift, U: memory[:s.slots], A: memory[s.slots:]})
			} else {
				s.advance()
				for x := range first {
					worst = max(worst, math.Abs(s.inverse[x]*s.f[x]-1)/2/0x1p-52)
				}
			}
			for x := range first {
				since := float64((t-2)%128+1) * a.Step(t)
				rise := math.Expm1(since * s.centred[x])
				worst = max(worst, math.Abs(s.f[x]-first[x]-first[x]*rise)/first[x]/0x1p-52)
			}
		}
		if !(worst <= c.below && worst > c.above) {
			t.Errorf("f is off by %v units in the last place", worst)
		}
	}
}

// TestExpm1 compares with the power series in 200 bits: the result is right to two units in the last place up to the step
// that the stencil takes, and beyond.
func TestExpm1(t *testing.T) {
	longtest.NotShort(t)
	half := longtest.Times(500, 2000)
	for i := range 2*half + 1 {
		v := float64(i-half) / float64(half) * 0.3
		for _, v := range []float64{v, v / 100, v * 1e-9} {
			x := new(big.Float).SetPrec(200).SetFloat64(v)
			sum, term := new(big.Float).SetPrec(200), new(big.Float).SetPrec(200).SetInt64(1)
			for k := 1.0; k < 40; k++ {
				term.Mul(term, x)
				term.Quo(term, big.NewFloat(k))
				sum.Add(sum, term)
			}
			want, _ := sum.Float64()
			if got := expm1(v); math.Abs(got-want) > 2*0x1p-52*math.Abs(want) {
				t.Fatalf("expm1(%v) is %v, want %v", v, got, want)
			}
		}
	}
}
