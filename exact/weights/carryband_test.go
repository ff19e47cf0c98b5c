package weights

import (
	"context"
	"math"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/stage"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// bandAt returns a band that has come to a stage of an annealing, with the move of that stage.
func bandAt(t testing.TB, k chains.Kernel, g []float64, stageAt int) (*tilted, stage.Operator) {
	t.Helper()
	path := longtest.Must(paths.NewGeometric(nil, g))(t)
	a := longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, k, 9))(t)
	f := newTilted(band{0, 0.3, 0.1, 20}, len(g))
	s := stage.NewStage(a)
	for at := 2; at <= stageAt; at++ {
		longtest.NoError(t, s.Load(context.Background(), at))
		if at == 2 {
			f.start(s.Origin(chains.Forward))
		}
		f.enter(s)
		f.tilt(s)
	}
	return f, s.Moves[0].Forward
}

// TestRedrawnLines: a heat bath along an axis falls into its lines, and adding these up is the same as taking each state through its row,
// but for the order of the sums; the work that is counted is the same. Kernels whose rows differ have no lines.
func TestRedrawnLines(t *testing.T) {
	space := grid.MustNew(3, 4)
	g := make([]float64, space.States())
	for x := range g {
		g[x] = 3 * math.Sin(float64(7*x))
	}
	for _, c := range []struct {
		kernel chains.Kernel
		lines  bool
	}{
		{kernels.HeatBathAxis{Space: space, Axis: 0}, true}, {kernels.HeatBathAxis{Space: space, Axis: 1}, true},
		{kernels.Metropolis{Space: space}, false}, {kernels.Barker{Space: space}, false},
	} {
		f, moves := bandAt(t, c.kernel, g, 5)
		if got := f.findLines(moves); got != c.lines {
			t.Errorf("%v: lines %v, want %v", c.kernel, got, c.lines)
		}
		if !c.lines {
			continue
		}
		before, work := slices.Clone(f.cur), f.work
		longtest.NoError(t, f.redraw(context.Background(), moves, 0.7))
		redrawn, redrawnWork := slices.Clone(f.cur), f.work-work
		copy(f.cur, before)
		work = f.work
		longtest.NoError(t, f.spread(context.Background(), moves, 0.7))
		if redrawnWork != f.work-work {
			t.Errorf("%v: work %v, and %v state by state", c.kernel, redrawnWork, f.work-work)
		}
		for i, want := range f.cur {
			if !(math.Abs(redrawn[i]-want) <= 1e-15) {
				t.Fatalf("%v: column %d of state %d is %v, and %v state by state", c.kernel, i%f.width, i/f.width, redrawn[i], want)
			}
		}
	}
}

// TestFadedPoints: points that have died out are left out from the end of the band alone, and count as zero.
func TestFadedPoints(t *testing.T) {
	space := grid.MustNew(3, 4)
	f, _ := bandAt(t, kernels.Metropolis{Space: space}, make([]float64, space.States()), 2)
	for _, dead := range []int{19, 18, 5} {
		for x := range f.delta {
			f.row(f.cur, x)[1+2*dead], f.row(f.cur, x)[2+2*dead] = diedOut/100, -diedOut/100
		}
	}
	f.row(f.cur, 11)[2+2*18] = diedOut // this one is alive still
	if f.fade(); f.alive != 19 {
		t.Fatalf("%d points are alive, want 19", f.alive)
	}
	if f.over(8) {
		t.Error("a band with points that are alive is over")
	}
	if values := f.result().values; values[19] != 0 || values[18] == 0 || values[5] == 0 {
		t.Errorf("values %v", values)
	}
}

// BenchmarkBand times a move of a band by a heat bath along one axis of a product of three states each, as clusterings have.
func BenchmarkBand(b *testing.B) {
	space := grid.MustNew(3, 3, 3, 3, 3, 3, 3)
	f, moves := bandAt(b, kernels.HeatBathAxis{Space: space, Axis: 3}, make([]float64, space.States()), 3)
	for name, by := range map[string]func(context.Context, stage.Operator, float64) error{"redraw": f.redraw, "spread": f.spread} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if !f.findLines(moves) {
					b.Fatal("no lines")
				}
				longtest.Must(0, by(context.Background(), moves, 1))(b)
			}
		})
	}
}
