package chains_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/grid"
)

// rowers are the kernels with rows in closed form, on a space.
func rowers(l *grid.Lattice) []chains.Rower {
	return []chains.Rower{chains.Metropolis{Space: l}, chains.Barker{Space: l}}
}

// logF draws log f of every state, some of them zeros of f.
func logF(t *rapid.T, n int) []float64 {
	logf := make([]float64, n)
	for x := range logf {
		logf[x] = rapid.Float64Range(-30, 30).Draw(t, "log f")
		if rapid.IntRange(0, 5).Draw(t, "zero") == 0 {
			logf[x] = math.Inf(-1)
		}
	}
	return logf
}

func row(k chains.Rower, logf []float64, x int) map[int]float64 {
	out := map[int]float64{}
	for _, e := range k.AppendRow(nil, logf, x) {
		out[e.To] += e.P
	}
	return out
}

func TestRowsBalance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, err := grid.NewWrapped([]int{rapid.IntRange(1, 4).Draw(t, "rows"), 3}, []bool{false, rapid.Bool().Draw(t, "ring")})
		if err != nil {
			t.Fatal(err)
		}
		logf := logF(t, l.States())
		for _, k := range rowers(l) {
			for x := range logf {
				total := 0.0
				for y, p := range row(k, logf, x) {
					total += p
					if p < 0 || p > 1+1e-15 {
						t.Fatalf("%v: T(%d,%d) = %v", k, x, y, p)
					}
					there := math.Exp(logf[x]) * p
					back := math.Exp(logf[y]) * row(k, logf, y)[x]
					if math.Abs(there-back) > 1e-13*there {
						t.Fatalf("%v: flow %v from %d to %d, %v back", k, there, x, y, back)
					}
				}
				if math.Abs(total-1) > 1e-15*4 {
					t.Fatalf("%v: row %d sums to %v", k, x, total)
				}
			}
		}
	})
}

// TestPublishedRows checks a case done by hand: the corner of a 2x2 grid with f = 1, 2, 4, 8.
func TestPublishedRows(t *testing.T) {
	logf := []float64{0, math.Log(2), math.Log(4), math.Log(8)}
	l := grid.MustNew(2, 2)
	for _, c := range []struct {
		kernel chains.Rower
		x      int
		want   map[int]float64
	}{
		{chains.Metropolis{Space: l}, 0, map[int]float64{0: 0.5, 1: 0.25, 2: 0.25}},
		{chains.Metropolis{Space: l}, 3, map[int]float64{1: 0.0625, 2: 0.125, 3: 0.8125}},
		{chains.Barker{Space: l}, 3, map[int]float64{1: 0.05, 2: 0.25 / 3, 3: 1 - 0.05 - 0.25/3}},
	} {
		got := row(c.kernel, logf, c.x)
		for y, p := range c.want {
			if math.Abs(got[y]-p) > 1e-15 {
				t.Errorf("%v: T(%d,%d) = %v, want %v", c.kernel, c.x, y, got[y], p)
			}
		}
		if len(got) != len(c.want) {
			t.Errorf("%v: row %d is %v, want %v", c.kernel, c.x, got, c.want)
		}
	}
}

// TestSampledMoves draws from Move and compares frequencies with rows. By Hoeffding's inequality a frequency
// of N draws is off by more than sqrt(log(2/d)/2N) with probability below d; d is 1e-12 for each of fewer than
// 1000 frequencies, so the test fails by chance with probability below 1e-9. The seed is fixed.
func TestSampledMoves(t *testing.T) {
	const draws = 40_000
	bound := math.Sqrt(math.Log(2/1e-12) / (2 * draws))
	l := grid.MustNew(3, 3)
	logf := []float64{0, 1, 2, math.Inf(-1), 0.5, -1, 3, 0, -2}
	for _, k := range rowers(l) {
		c := chains.NewSampler(rand.NewPCG(1, 2))
		for x := range logf {
			counts := map[int]int{}
			for range draws {
				counts[k.Move(c, logf, x)]++
			}
			want := row(k, logf, x)
			for y := range logf {
				if f := float64(counts[y]) / draws; math.Abs(f-want[y]) > bound {
					t.Errorf("%v: from %d to %d in %v of draws, probability %v", k, x, y, f, want[y])
				}
				if counts[y] > 0 && want[y] == 0 {
					t.Errorf("%v: went from %d to %d, which has probability zero", k, x, y)
				}
			}
		}
	}
}

// TestSampler checks the choices themselves, by the same bound.
func TestSampler(t *testing.T) {
	const draws = 40_000
	bound := math.Sqrt(math.Log(2/1e-12) / (2 * draws))
	c := chains.NewSampler(rand.NewPCG(3, 4))
	p := []float64{0, 0.5, 0, 0.2, 0.3, 0}
	counts := make([]float64, len(p))
	heads, uniform := 0.0, make([]float64, 5)
	for range draws {
		counts[c.Choose(p)] += 1.0 / draws
		uniform[c.Uniform(5)] += 1.0 / draws
		if c.Flip(0.3) {
			heads += 1.0 / draws
		}
	}
	for i := range p {
		if math.Abs(counts[i]-p[i]) > bound || (p[i] == 0 && counts[i] > 0) {
			t.Errorf("Choose gives %d in %v of draws, probability %v", i, counts[i], p[i])
		}
	}
	for i, f := range uniform {
		if math.Abs(f-0.2) > bound {
			t.Errorf("Uniform(5) gives %d in %v of draws", i, f)
		}
	}
	if math.Abs(heads-0.3) > bound {
		t.Errorf("Flip(0.3) is true in %v of draws", heads)
	}
	if c.Flip(0) || !c.Flip(1) {
		t.Error("Flip(0) or Flip(1) is not certain")
	}
}

// TestSamplerStream pins the stream: the same seed gives the same choices for ever.
func TestSamplerStream(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(1, 2))
	var got [8]int
	for i := range got {
		got[i] = c.Uniform(100)
	}
	if want := [8]int{76, 61, 78, 79, 23, 4, 49, 44}; got != want {
		t.Errorf("the first draws are %v, want %v", got, want)
	}
}

func TestChooseWithoutMassPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	chains.NewSampler(rand.NewPCG(1, 2)).Choose([]float64{0, 0})
}
