package stage_test

import (
	"context"
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/stage"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// stageOf returns the loaded stage t = 2 of an annealing with T = 3 to a target.
func stageOf(t rapid.TB, space *grid.Lattice, selector string, initial, target []float64) *stage.Stage {
	t.Helper()
	k := longtest.Must(kernels.Parse(selector, space))(t)
	path := longtest.Must(paths.NewGeometric(initial, target))(t)
	a := longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, k, 3))(t)
	s := stage.NewStage(a)
	longtest.NoError(t, s.Load(context.Background(), 2))
	return s
}

func drawTarget(t *rapid.T, n int, size float64) []float64 {
	g := make([]float64, n)
	for x := range g {
		g[x] = size * rapid.SampledFrom(
			[]float64{0, 1, -1, rapid.Float64Range(-1, 1).Draw(t, "log f")},
		).Draw(t, "value")
	}
	return g
}

// TestParts: which sequences are taken apart, and which are cheaper as one matrix.
func TestParts(t *testing.T) {
	plane := grid.MustNew(7, 7)
	for _, c := range []struct {
		selector string
		moves    int
	}{
		{"metropolis", 1}, {"heatbath-scan", 2}, {"repeat:3:metropolis", 3}, {"repeat:300:metropolis", 300},
		{"palindrome:metropolis+moore", 3},
		{"repeat:10000:heatbath", 1}, // 637 entries 10,000 times, where a product has 2,401
		{"lazy:0.5:repeat:3:metropolis", 1},
	} {
		s := stageOf(t, plane, c.selector, nil, make([]float64, 49))
		if len(s.Moves) != c.moves {
			t.Errorf("%s: %d moves", c.selector, len(s.Moves))
		}
		var along []*stage.Move
		for m := range s.Along(chains.Reverse) {
			along = append(along, m)
		}
		slices.Reverse(along)
		if !slices.Equal(along, s.Moves) {
			t.Errorf("%s: the reverse chain makes other moves", c.selector)
		}
	}
}

// TestPlainLeavesNothingOut: an entry of exp(-600) and a ratio of exp(-170) have a product that
// float64 does not hold.
func TestPlainLeavesNothingOut(t *testing.T) {
	s := stageOf(t, grid.MustNew(3), "metropolis", []float64{0, -600, 0}, []float64{0, -600, 0})
	r := stage.NewRatios(&s.Here)
	for x, h := range []number.Wide{{}, number.WideExp(-170), {}} {
		r.SetRatio(x, h)
	}
	m := s.Moves[0]
	r.Move(&s.Here, m.Forward, m.Backward)
	if want := -770 - math.Ln2; !(math.Abs(r.H[0].Log()-want) <= 1e-12) {
		t.Errorf("log of the ratio is %v, want %v", r.H[0].Log(), want)
	}
}

// TestStaying: the probability to stay is that of a distribution that has gone through all moves.
func TestStaying(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space := grid.MustNew(3, 4)
		target := drawTarget(t, 12, rapid.SampledFrom([]float64{0, 1, 100}).Draw(t, "size"))
		if rapid.Bool().Draw(t, "zero") {
			target[3] = math.Inf(-1)
		}
		selector := rapid.SampledFrom([]string{"metropolis", "heatbath-scan", "repeat:3:metropolis",
			"compose:suwa-todo-axis:0+suwa-todo-axis:1+barker"}).Draw(t, "kernel")
		s := stageOf(t, space, selector, nil, target)
		stay := make([]float64, 12)
		s.Staying(stay)
		for x, got := range stay {
			law := make([]float64, 12)
			law[x] = 1
			for m := range s.Along(chains.Forward) {
				next := make([]float64, 12)
				for y, v := range law {
					for _, e := range m.Forward.Row(y) {
						next[e.To] += v * e.P
					}
				}
				law = next
			}
			if want := law[x]; s.Here.On(x) && !(math.Abs(got-want) <= 1e-13*want+1e-16) {
				t.Fatalf("%s at %d: %v, in the product %v", selector, x, got, want)
			}
		}
	})
}

// TestStagesInAnyOrder: a stage that has been at others gives the same rows, with kernels of its
// own at each stage too.
func TestStagesInAnyOrder(t *testing.T) {
	space := grid.MustNew(2, 3)
	path := longtest.Must(paths.NewGeometric(nil, []float64{0, 2, 1, -1, 3, 600}))(t)
	var list []chains.Kernel
	for _, selector := range []string{
		"metropolis", "heatbath-scan", "suwa-todo", "suwa-todo", "metropolis", "jump:0.5"} {
		k := longtest.Must(kernels.Parse(selector, space))(t)
		list = append(list, k)
	}
	a := longtest.Must(chains.NewAnnealingBy(path, schedules.Linear{}, chains.ByStage("several", list), 7))(t)
	again := stage.NewStage(a)
	for _, at := range []int{2, 7, 3, 4, 5, 6, 2, 3} {
		once := stage.NewStage(a)
		for _, s := range []*stage.Stage{again, once} {
			longtest.NoError(t, s.Load(context.Background(), at))
		}
		if len(again.Moves) != len(once.Moves) {
			t.Fatalf("stage %d: %d moves and %d", at, len(again.Moves), len(once.Moves))
		}
		for i, m := range once.Moves {
			n := again.Moves[i]
			for d := chains.Forward; d <= chains.Reverse; d++ {
				if !slices.Equal(m.Along(d).Entries, n.Along(d).Entries) ||
					!slices.Equal(m.Along(d).Tiny, n.Along(d).Tiny) {
					t.Errorf("stage %d, %v: other rows", at, d)
				}
			}
		}
	}
}

// TestCheckpoints goes backwards through a recursion and compares with all of its values, which it
// has kept in a list. It counts the values that are kept and the steps that are taken again.
func TestCheckpoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 300).Draw(t, "steps")
		step := func(i, v int) int { return (31*v + i) % 1009 }
		all := []int{7}
		c := stage.NewCheckpoints[int](n)
		kept := 0
		v := 7
		for i := 1; i <= n; i++ {
			if c.Begins(i) {
				c.Keep(v)
				kept++
			}
			v = step(i, v)
			all = append(all, v)
		}
		if kept > c.Stride {
			t.Fatalf("%d values are kept, for stretches of %d steps", kept, c.Stride)
		}
		var got []int
		again := 0
		for s, v := range c.Stretches() {
			if s.Final != (s.Last == n) || s.Last-s.First >= c.Stride {
				t.Fatalf("stretch %+v of %d steps", s, n)
			}
			values := []int{}
			for i := s.First; i <= s.Last; i++ {
				v = step(i, v)
				again++
				values = append(values, v)
			}
			slices.Reverse(values)
			got = append(got, values...)
		}
		slices.Reverse(all)
		if !slices.Equal(got, all[:n]) || again != n {
			t.Fatalf("%v, want %v; %d steps again", got, all[:n], again)
		}
	})
}

// TestExcesses compares the three functions of small arguments with their power series in 200 bits.
func TestExcesses(t *testing.T) {
	big200 := func(v float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(v) }
	series := func(u float64, divisor func(k int) float64) float64 {
		total := big200(0)
		power := big200(1)
		for k := 1; k < 400; k++ {
			power.Mul(power, big200(u))
			if k >= 2 {
				term := new(big.Float).SetPrec(200).Quo(power, big200(divisor(k)))
				total.Add(total, term)
			}
		}
		v, _ := total.Float64()
		return v
	}
	factorial := 1.0
	factorials := map[int]float64{}
	for k := 1; k < 400; k++ {
		factorial *= float64(k)
		factorials[k] = min(factorial, math.MaxFloat64)
	}
	for _, u := range []float64{
		1e-12, -1e-12, 1e-5, -3e-4, 0.01, -0.05, 0.1249, -0.1249, 0.126, -0.126, 0.3, -0.5, 0.5} {
		_, above, below := stage.Expm1Excess(u)
		forward, reverse := stage.Excesses(u)
		for name, pair := range map[string][2]float64{
			"above":   {above, stage.Excess(u)},
			"below":   {below, stage.Excess(-u)},
			"excess":  {stage.Excess(u), series(u, func(k int) float64 { return factorials[k] })},
			"forward": {forward, series(-u, func(k int) float64 { return float64(k * (k - 1)) })},
			"reverse": {reverse, series(-u, func(k int) float64 { return float64(k) })},
		} {
			if e := math.Abs(pair[0]-pair[1]) / pair[1]; e > 1e-14 {
				t.Errorf("%s(%v) = %v, want %v: error %.2g", name, u, pair[0], pair[1], e)
			}
		}
	}
}
