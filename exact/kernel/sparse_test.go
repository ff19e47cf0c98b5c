package kernel_test

import (
	"context"
	"math"
	"testing"
	"time"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/kernel"
	"breadboard/grid"
)

func TestTry(t *testing.T) {
	for _, sel := range []string{"metropolis", "lazy:0.5:metropolis", "heatbath", "barker", "flip"} {
		space := grid.MustNew(7, 8)
		k, err := kernels.Parse(sel, space)
		if err != nil {
			t.Fatal(err)
		}
		logf := make([]float64, 56)
		for x := range logf {
			logf[x] = 3 * math.Sin(float64(x*x))
		}
		for _, scale := range []float64{0, 1, 5} {
			l := make([]float64, 56)
			for x := range l {
				l[x] = logf[x] * scale
			}
			try(t, sel, k, l, logf)
		}
	}
}

func try(t *testing.T, name string, k chains.Kernel, logf, g []float64) {
	ctx := context.Background()
	a, err := kernel.Diagnose(ctx, k, logf)
	if err != nil {
		t.Fatal(err)
	}
	b, err := kernel.DiagnoseSparsely(ctx, k, logf)
	if err != nil {
		t.Fatal(err)
	}
	v, err := a.AsymptoticVariance(ctx, g)
	if err != nil {
		t.Fatal(err)
	}
	w, err := b.SparseVariance(ctx, g)
	t.Logf("%s: gap %v +- %v; %v +- %v floor %v; second %v %v; var %v %v +- %v; %v", name, a.SpectralGap, a.GapError, b.SpectralGap, b.GapError, b.GapFloor, a.SecondEigen, b.SecondEigen, v.Asymptotic, w.Asymptotic, w.Error*w.Asymptotic, err)
}

func TestLargeTry(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name, sel string
		space     *grid.Lattice
	}{{"path", "metropolis", grid.MustNew(65536)}, {"path", "lazy:0.5:metropolis", grid.MustNew(65536)}, {"plane", "metropolis", grid.MustNew(256, 256)}, {"cube", "flip", grid.MustNew(2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2)}, {"cube", "metropolis", grid.MustNew(2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2)}} {
		for _, scale := range []float64{0, 1} {
			k, err := kernels.Parse(c.sel, c.space)
			if err != nil {
				t.Fatal(err)
			}
			n := c.space.States()
			logf, g := make([]float64, n), make([]float64, n)
			for x := range logf {
				if c.name == "cube" {
					for i := range 16 {
						r, q := i/4, i%4
						s := func(r, q int) float64 { return float64(2*c.space.Coord(x, (r%4)*4+q%4) - 1) }
						logf[x] += 0.44068679350977147 * s(r, q) * (s(r+1, q) + s(r, q+1))
					}
				} else {
					logf[x] = math.Sin(float64(x) / 5000)
				}
				g[x] = logf[x]
				logf[x] *= scale
			}
			start := time.Now()
			d, err := kernel.Diagnose(ctx, k, logf)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s %s %v: %v gap %v +- %v floor %v second %v period %d, %s", c.name, c.sel, scale, time.Since(start), d.SpectralGap, d.GapError, d.GapFloor, d.SecondEigen, d.Period, d.GapMissing)
			start = time.Now()
			v, err := d.AsymptoticVariance(ctx, g)
			t.Logf("   %v %+v %v", time.Since(start), v, err)
		}
	}
}
