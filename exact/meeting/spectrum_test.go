package meeting

import (
	"context"
	"fmt"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/couplings"
	"breadboard/chains/kernels"
	"breadboard/exact/averages"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// lawOf returns the distribution of the meeting time of a kernel from a start.
func lawOf(t *testing.T, k chains.Kernel, logf, start []float64, lag int) *Law {
	ctx := context.Background()
	chain := longtest.Must(averages.New(ctx, k, logf))(t)
	solved := longtest.Must(
		longtest.Must(New(ctx, longtest.Must(couplings.New("independent", k))(t), chain))(t).Solve(ctx),
	)(t)
	return longtest.Must(solved.Meet(ctx, start, lag))(t)
}

// flow is the rate with which a chain goes from one state to another, and back.
type flow struct {
	from, to int
	rate     float64
}

// flows is a chain on n states of equal probability.
func flows(n int, all ...flow) chains.Kernel {
	return chains.NewTabulated("flows", n, func(x int) (row []chains.Entry) {
		stay := 1.0
		for _, f := range all {
			if f.from == x || f.to == x {
				row = append(row, chains.Entry{To: f.from + f.to - x, P: f.rate})
				stay = stay - f.rate
			}
		}
		return append(row, chains.Entry{To: x, P: stay})
	})
}

// TestModesOfD: D by modes is that of adding up the distances move by move, on chains whose
// distributions turn, alternate or fall slowly in two modes that are nearly alike.
func TestModesOfD(t *testing.T) {
	ctx := context.Background()
	ts := []int64{0, 3, 1000}
	kernel := func(name string, space ...int) chains.Kernel {
		return longtest.Must(kernels.Parse(name, grid.MustNew(space...)))(t)
	}
	for name, c := range map[string]struct {
		kernel      chains.Kernel
		logf, start []float64
	}{
		"alternating": {flows(2, flow{0, 1, 1 - 5e-5}), []float64{0, 0}, []float64{0.9, 0.1}},
		"alternating, three": {flows(4, flow{0, 1, 1 - 0x1p-14}, flow{2, 3, 1 - 0x1p-10},
			flow{1, 2, 0x1p-14}), []float64{0, 0, 0, 0}, []float64{0.4, 0.1, 0.5, 0}},
		"two slow modes": {flows(3, flow{0, 1, 4.4e-5}, flow{1, 2, 4.7e-5}, flow{0, 2, 4.5e-5}),
			[]float64{0, 0, 0}, []float64{0.5, 0.5, 0}},
		"exact draws": {kernel("independence", 3), []float64{0, 0, 0}, []float64{1, 0, 0}},
		"steep":       {kernel("metropolis", 4), []float64{0, -8, -3, 1}, []float64{0, 0.5, 0.5, 0}},
		"ties": {
			kernel("heatbath", 3, 2), []float64{0, -6, 1, 1e-17, -6, 1}, []float64{1, 0, 0, 0, 0, 0}},
	} {
		for _, lag := range []int{1, 2, 7, 700} {
			if lag != 7 && !longtest.Enabled() {
				continue
			}
			m := lawOf(t, c.kernel, c.logf, c.start, lag)
			got, note, err := m.lagModes(ctx, ts)
			if err != nil || got == nil || note != "" && name != "alternating, three" {
				t.Errorf("%s, lag %d: no modes: %v %v", name, lag, note, err)
				continue
			}
			want, ends := moveByMove(m, ts, 0, 1e-20)
			if !ends {
				t.Fatalf("%s, lag %d: the distances do not end", name, lag)
			}
			for at := range ts {
				if !(math.Abs(got[at]-want[at]) <= 3e-11*want[at]+1e-17) {
					// of 1e5 roundings, which the modes do not have
					t.Errorf("%s, lag %d, t = %d: D is %.16g, and %.16g move by move", name, lag, ts[at],
						got[at], want[at])
				}
			}
		}
	}
}

// TestVariation: it is the sum, term by term, for parts that turn often and nearly cancel.
func TestVariation(t *testing.T) {
	for _, c := range [][2][]float64{
		{{1, -2, 1.0000001}, {-0.01, -0.0101, -0.0102}}, {{1, -1}, {-1e-3, math.Inf(-1)}},
		{{1, -4, 6, -4, 1}, {-0.01, -0.02, -0.04, -0.08, -0.16}},
		{nil, nil}, {{0, 2}, {-1, -2}},
	} {
		want := 0.0
		f := func(i float64) (sum float64) {
			for k, part := range c[0] {
				if i == 0 {
					sum += part
				} else {
					sum += part * math.Exp(i*c[1][k])
				}
			}
			return sum
		}
		for i := range 60_000 {
			want += math.Abs(f(float64(i)) - f(float64(i+1)))
		}
		if got, off := variation(c[0], c[1]); !(math.Abs(got-want) <= off+1e-11) || off > 1e-12 {
			t.Errorf("%s: %v up to %v, for %v", fmt.Sprint(c), got, off, want)
		}
	}
}
