package weights

import (
	"context"
	"math"
	"math/cmplx"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/number"
	"breadboard/grid"
)

func annealingOf(t *testing.T, g []float64, kernel chains.Kernel, T int) *chains.Annealing {
	t.Helper()
	path, err := paths.NewGeometric(nil, g)
	if err != nil {
		t.Fatal(err)
	}
	a, err := chains.NewAnnealing(path, schedules.Linear{}, kernel, T)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestContourSize: the values of a contour are known relative to 1/pi times the integral of |Gamma| along it.
func TestContourSize(t *testing.T) {
	a := annealingOf(t, []float64{0, 1, math.Sqrt2}, kernels.Metropolis{Space: grid.MustNew(3)}, 3)
	p := newProblem(a, Options{})
	var sets [3]contours
	for i := range sets {
		sets[i] = contours{low: -3, high: 3}
		sets[i].draw(2)
	}
	if err := p.fillContours(context.Background(), &sets, 0.7); err != nil {
		t.Fatal(err)
	}
	for i := range sets {
		for _, l := range sets[i].lines {
			want := quad.Fixed(func(y float64) float64 { return cmplx.Abs(number.Gamma(complex(l.c, y))) }, 0, mellinHeight, 2000, nil, 0) / math.Pi
			if !(math.Abs(l.size/want-1) < 1e-6) || l.angle != 0.7 || len(l.values) != 1+int(26/l.step) {
				t.Errorf("the line at %v has size %v, want %v; angle %v, %d values a step %v apart", l.c, l.size, want, l.angle, len(l.values), l.step)
			}
		}
	}
}

// TestLinesAreChosen: the step gives a period in log x of 42 over the distance from the poles, or of the whole range and
// 60 nats, whichever is more; a law as wide as hundred nats has lines as near to the axis as 2/100.
func TestLinesAreChosen(t *testing.T) {
	for _, c := range []struct{ deviation, low, high, at, period float64 }{
		{1, -3, 3, 0.5, 84}, {4, -3, 3, 0.5, 84}, {8, -3, 3, 0.25, 168}, {1, -20, 20, 0.5, 100}, {100, -20, 20, 0.02, 2100}, {1000, 0, 0, 0.01, 4200},
	} {
		s := &contours{low: c.low, high: c.high}
		s.draw(c.deviation)
		if l := s.lines[0]; !(math.Abs(l.c-c.at) < 1e-15) || !(math.Abs(2*math.Pi/l.step-c.period) < 1e-9) {
			t.Errorf("%+v: the first line is at %v with a period of %v", c, l.c, 2*math.Pi/l.step)
		}
		lines := 4
		if c.at == 0.5 {
			lines = 3
		}
		if len(s.lines) != lines {
			t.Errorf("%+v: %d lines, want %d", c, len(s.lines), lines)
		}
	}
}

// TestCrooksByInversion: the transforms of both sides of Crooks' relation agree to all digits, and do not where the
// normalising constants are not those of the two ends.
func TestCrooksByInversion(t *testing.T) {
	g := []float64{0, 1, math.Sqrt2, 0.3, -0.7, 2}
	a := annealingOf(t, g, kernels.Metropolis{Space: grid.MustNew(2, 3)}, 20)
	w, err := LawsOf(context.Background(), a, Options{Inversion: true, Frequencies: 256})
	if err != nil || !(w.Crooks < 1e-12 && w.Crooks > 0) {
		t.Fatalf("Crooks' relation is violated by %v, %v", w.Crooks, err)
	}
	p := newProblem(a, Options{Frequencies: 256})
	phi, err := p.characteristic(context.Background(), 0.1)
	if err != nil {
		t.Fatal(err)
	}
	for off, want := range map[float64]float64{0: 0, 1e-3: 1e-3} {
		v := &Laws{LogZRatio: p.logZRatio() + off}
		if err := v.checkCrooks(context.Background(), p, phi[chains.Reverse], 2*math.Pi/0.1); err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(v.Crooks-want) <= 1e-5*off+1e-12) && !(off > 0 && math.Abs(v.Crooks/off-1) < 0.01) {
			t.Errorf("log(Z_T/Z_1) off by %v: violated by %v", off, v.Crooks)
		}
	}
}

// TestTransformRounding is what it says: in units in the last place, T times 32 and one for each state.
func TestTransformRounding(t *testing.T) {
	a := annealingOf(t, make([]float64, 6), kernels.Metropolis{Space: grid.MustNew(2, 3)}, 50)
	if got, want := transformRounding(a.States(), a.Distributions()-1), 50*(32+6)*0x1p-53; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}
