package exact

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/internal/lanes"
	"breadboard/exact/internal/stage"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// solvedBy returns the solution of the stencil with that many workers on a unit.
func solvedBy(t testing.TB, a *chains.Annealing, workers int, unit *lanes.Unit) *Solution {
	t.Helper()
	p := stage.NewProblem(a, nil)
	var sol *Solution
	var ok bool
	var err error
	if n := newNarrow(p.Annealing, unit, 1); n != nil {
		sol, ok, err = n.solve(context.Background(), p)
	} else {
		s := newStencil(p.Annealing, workers, unit, 1)
		defer s.crew.Dismiss()
		sol, ok, err = s.solve(context.Background(), p)
	}
	if err != nil || !ok {
		t.Fatalf("the stencil does not solve it: %v", err)
	}
	return sol
}

// TestSameBytes: the bytes of every result are the same for any number of workers, with vectors and
// without.
func TestSameBytes(t *testing.T) {
	longtest.Only(t)
	cube := longtest.Must(grid.NewHypercube(15))(t)
	ring := longtest.Must(grid.NewWrapped([]int{5, 40, 90}, []bool{true, false, true}))(t)
	T := longtest.Times(20, 40)
	list := []chains.Kernel{kernels.Moore{Space: grid.MustNew(7, 7)}}
	for _, space := range []grid.Graph{
		grid.MustNew(7, 7), grid.MustNew(130, 150), grid.MustNew(20, 30, 31), cube, ring} {
		list = append(list, kernels.Metropolis{Space: space})
	}
	for _, kernel := range list {
		g := make([]float64, kernel.(interface{ States() int }).States())
		for x := range g {
			g[x] = 2 * math.Sin(1+12.9898*float64(x))
		}
		a := annealingOf(t, g, kernel, T)
		want := ""
		for _, unit := range lanes.Units() {
			for _, workers := range []int{1, 3, 8} {
				got := fmt.Sprintf("%+v", *solvedBy(t, a, workers, unit))
				if want == "" {
					want = got
				}
				if got != want {
					t.Errorf("%v, %d states, %d workers, %v: another result", kernel, len(g), workers, unit)
				}
			}
		}
	}
}

// TestRecalled: what is remembered of a number is what was computed of it, also if two numbers have
// one place.
func TestRecalled(t *testing.T) {
	var known recalled[float64]
	computed := 0
	half := func(v float64) float64 { computed++; return v / 2 }
	for v := range 2000 {
		if got := known.valueAt(float64(v%1000), half); got != float64(v%1000)/2 {
			t.Fatalf("half of %d is %v", v%1000, got)
		}
	}
	if before := computed; known.valueAt(999, half) != 499.5 || computed != before {
		t.Error("the last number is computed again")
	}
}

// behindWall is a line of states of which the last, behind a wall, has nearly all the mass of the
// target, and of the output little more than its share at the start.
func behindWall(t *testing.T, n int) *chains.Annealing {
	t.Helper()
	g := make([]float64, n)
	g[n-2], g[n-1] = -20, 12
	return annealingOf(t, g, kernels.Metropolis{Space: grid.MustNew(n)}, 200)
}

// TestMaxCondition: ratios are boosted where an error of every ratio q/p, of its own size,
// may become more than 64 times as large a part of KL(p||q), and not before. How large it becomes
// is found from the output here: the derivative of KL(p||q) = -sum p log(1+u) by u, which is -p
// u/(1+u) to second order about u = 0, times u.
func TestMaxCondition(t *testing.T) {
	met := [2]bool{}
	step := 25
	if !longtest.Enabled() {
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
		_, ok, err := solveBoosted(context.Background(), stage.NewProblem(a, nil), Options{}, 1)
		longtest.NoError(t, err)
		if ratio > 60 && ratio < 68 {
			met[0] = met[0] || ok
			met[1] = met[1] || !ok
		}
		if ok != (ratio <= 64) && math.Abs(ratio-64) > 0.1 {
			t.Errorf("%d states: amplified by %v, solved without a boost: %v", n, ratio, ok)
		}
	}
	if !met[0] || !met[1] {
		t.Errorf("no case is just within the limit and just beyond it: %v", met)
	}
}

// TestMethodLimits: the specialised methods take a range of up to 600, and steps of up to ten nats
// and of up to four, and no more; next to all limits their numbers are those of the general method.
func TestMethodLimits(t *testing.T) {
	space := grid.MustNew(2, 3)
	metropolis := kernels.Metropolis{Space: space}
	barker := kernels.Barker{Space: space}
	for _, c := range []struct {
		span   float64
		T      int
		kernel chains.Kernel
		want   Method
	}{
		{600, 2402, metropolis, MethodStencil}, {600.1, 2402, metropolis, MethodGeneral},
		{590, 2361, metropolis, MethodStencil},
		{10, 2, metropolis, MethodStencil}, {10.1, 2, metropolis, MethodGeneral},
		{12, 4, barker, MethodApplied}, {12.1, 4, barker, MethodGeneral},
	} {
		g := []float64{0.999 * c.span, 0.9995 * c.span, 0, c.span, 0.99 * c.span, 0.997 * c.span}
		a := annealingOf(t, g, c.kernel, c.T)
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

// TestAnchors: each step rounds f, and 1/f, by half a unit in the last place for the product, and
// by as much again for the factor, which is rounded the same way every time. After 128 steps that
// is 128 units at most; here it comes to more than 60. If a step changes f by less than half a unit
// it comes to more than 50. Then f is computed afresh. geometric.advance adds to f instead; its
// roundings go to either side, and come to less than ten.
func TestAnchors(t *testing.T) {
	for _, c := range []struct {
		scale, above, below float64
		reweight            bool
	}{{1, 60, 128, true}, {0.7e-11, 50, 128, true}, {1, 2, 10, false}, {0.7e-11, 50, 64, false}} {
		g := []float64{0, 1.1 * c.scale, 2.3 * c.scale, 0.7 * c.scale, 3.1 * c.scale, 1.9 * c.scale}
		a := annealingOf(t, g, kernels.Metropolis{Space: grid.MustNew(2, 3)}, 100_001)
		s := newGeometric(a, 6, 6, 0)
		worst := 0.0
		first := make([]float64, 6)
		for t := 2; t < 2+3*128; t++ {
			if err := s.prepareStep(context.Background(), t); err != nil {
				panic(err)
			}
			if (t-2)%128 == 0 {
				copy(first, s.f)
			}
			if c.reweight {
				memory := make([]float64, 2*s.slots)
				s.unit.Reweight(&lanes.Stage{
					F:     s.f,
					Grow:  s.grow,
					Back:  s.back,
					Shift: s.shift,
					U:     memory[:s.slots],
					A:     memory[s.slots:],
				})
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

// TestExpm1 compares with the power series in 200 bits: the result is right to two units in the
// last place up to the step that the stencil takes, and beyond.
func TestExpm1(t *testing.T) {
	longtest.Only(t)
	half := longtest.Times(500, 2000)
	for i := range 2*half + 1 {
		v := float64(i-half) / float64(half) * 0.3
		for _, v := range []float64{v, v / 100, v * 1e-9} {
			x := new(big.Float).SetPrec(200).SetFloat64(v)
			sum := new(big.Float).SetPrec(200)
			term := new(big.Float).SetPrec(200).SetInt64(1)
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

// TestFarRatios: with few steps of many nats, and with ratios q/p far from one, the stencil gives
// what the general method gives, on wide and on narrow boxes, or gives up.
func TestFarRatios(t *testing.T) {
	far := 0
	rapid.Check(t, func(t *rapid.T) {
		sides := rapid.SampledFrom([][]int{{6, 6}, {20}, {3, 4, 5}, {2, 2, 2, 2, 2}, {12, 11}}).Draw(t, "sides")
		space := grid.MustNew(sides...)
		span := rapid.Float64Range(1, 300).Draw(t, "span")
		tilt := rapid.Float64Range(1, 100).Draw(t, "tilt")
		g := make([]float64, space.States())
		for x := range g {
			g[x] = span * math.Pow(math.Sin(1+tilt*float64(x)), 4)
		}
		a := annealingOf(t, g, kernels.Metropolis{Space: space}, 2+rapid.IntRange(int(span/10), 200).Draw(t, "stages"))
		want := longtest.Must(Solve(context.Background(), a, Options{General: true}))(t)
		for _, boost := range []float64{1, farBoost} {
			got, ok, err := solveBoosted(context.Background(), stage.NewProblem(a, nil), Options{Workers: 1}, boost)
			longtest.NoError(t, err)
			if !ok {
				continue
			}
			if boost > 1 {
				far++
			}
			for i, v := range [][2]float64{
				{got.J, want.J}, {got.B, want.B}, {got.KLPQ, want.KLPQ}, {got.KLQP, want.KLQP}} {
				if !(math.Abs(v[0]-v[1]) <= 1e-12*v[1]) {
					t.Errorf("boost %v: number %d is %v, by the general method %v", boost, i, v[0], v[1])
				}
			}
		}
	})
	if far < 10 {
		t.Errorf("ratios were boosted %d times", far)
	}
}
