package weights

import (
	"context"
	"math"
	"math/cmplx"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/exacttest"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

func hills(tb testing.TB, T int) *chains.Annealing {
	tb.Helper()
	plane := longtest.Must(grid.New(2, 3))(tb)
	return exacttest.Build(tb, nil, []float64{0, 1.3, -2, 0.4, math.Pi, -0.7}, schedules.Linear{}, kernels.Metropolis{Space: plane}, T)
}

// TestTransformIsCGF compares the transform at real points with tilted propagation, and its derivatives at zero, by
// Cauchy's integral over a circle, with the cumulants from the moments.
func TestTransformIsCGF(t *testing.T) {
	p := newProblem(hills(t, 40), Options{})
	ctx := context.Background()
	const points, radius = 32, 0.5
	for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
		var coefficients [5]complex128
		for j := range points {
			s := cmplx.Rect(radius, 2*math.Pi*(float64(j)+0.5)/points)
			f := longtest.Must(p.transform(ctx, d, band{real(s), imag(s), 1, 1}))(t)
			want := longtest.Must(CGF(ctx, p.Annealing, d, []float64{real(s)}))(t)
			if math.Abs(f.logScale-want[0]) > 1e-13 {
				t.Errorf("%s: log E[w^%v] = %v, want %v", d, real(s), f.logScale, want[0])
			}
			log := complex(f.logScale, 0) + cmplx.Log(f.values[0])
			for k := range coefficients {
				coefficients[k] += log * cmplx.Pow(s, complex(-float64(k), 0)) / points
			}
		}
		j := longtest.Must(p.propagateMoments(ctx, d))(t)
		_, m := j.cumulants()
		for k, want := range []float64{0, m.Mean, m.Variance, m.Third, m.Fourth} {
			if got := real(coefficients[k]) * math.Gamma(float64(k+1)); math.Abs(got-want) > 1e-11 {
				t.Errorf("%s: cumulant %d is %v, by the transform %v", d, k, want, got)
			}
		}
	}
}

// TestDiedOut: where the propagation stops early because a transform has died out, the transform is indeed below diedOut.
func TestDiedOut(t *testing.T) {
	stopped := 0
	for _, T := range []int{10, 20, 40, 80, 160, 320} {
		p := newProblem(hills(t, T), Options{})
		b := band{0, 200, 3, 5}
		f := longtest.Must(p.transform(context.Background(), chains.Reverse, b))(t)
		b.power = 1e-300 // never stops early
		whole := longtest.Must(p.transform(context.Background(), chains.Reverse, b))(t)
		if f.work < whole.work {
			stopped++
		}
		for j := range f.values {
			if cmplx.Abs(f.values[j]-whole.values[j]) > diedOut {
				t.Errorf("T = %d: %v, and %v to the end", T, f.values[j], whole.values[j])
			}
		}
	}
	if stopped == 0 {
		t.Error("no propagation stopped")
	}
}

// TestVaaler checks the bounds on laws of a few atoms, for any number of frequencies, at the atoms and between them.
func TestVaaler(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "n")
		values := rapid.SliceOfN(rapid.Float64Range(-3, 5), 1, 5).Draw(t, "values")
		law := &fourier{low: -3, high: 5, period: 8 * (1 + 0x1p-20), mass: 1, n: n, rounding: 1e-13 * float64(n)}
		for _, v := range values {
			law.mean += (v - law.low) / float64(len(values))
		}
		for k := 1; k <= n; k++ {
			z := complex(0, 0)
			for _, v := range values {
				z += cmplx.Rect(1/float64(len(values)), 2*math.Pi*float64(k)*(v-law.low)/law.period)
			}
			law.phi = append(law.phi, z)
		}
		law.weigh()
		x := rapid.Float64Range(-3, 5).Draw(t, "x")
		if rapid.Bool().Draw(t, "at an atom") {
			x = values[0]
		}
		below, atMost := 0.0, 0.0
		for _, v := range values {
			if v < x {
				below += 1 / float64(len(values))
			}
			if v <= x {
				atMost += 1 / float64(len(values))
			}
		}
		if b := law.below(x, false); below < b.Low-1e-12 || below > b.High+1e-12 {
			t.Fatalf("P(< %v) = %v is not in %v", x, below, b)
		}
		if b := law.below(x, true); atMost < b.Low-1e-12 || atMost > b.High+1e-12 {
			t.Fatalf("P(<= %v) = %v is not in %v", x, atMost, b)
		}
	})
}

// TestFindLattice: values that are whole multiples of one number make a lattice, also where the steps of the schedule
// differ. A value that is off by a part in a billion makes none.
func TestFindLattice(t *testing.T) {
	line := longtest.Must(grid.New(4))(t)
	points := longtest.Must(schedules.NewPoints("steps", []float64{0, 0.2, 0.3, 0.7, 1}))(t)
	for _, c := range []struct {
		g        []float64
		schedule chains.Schedule
		span     int // 0 for no lattice
	}{
		{[]float64{0, 3, -10, 0}, schedules.Linear{}, 4 * 13},
		{[]float64{0, 3 * math.E, -10 * math.E, math.Inf(-1)}, schedules.Linear{}, 4 * 13},
		{[]float64{0, 6, -20, 4}, schedules.Linear{}, 4 * 13}, {[]float64{0, 1, 2, 3}, points, 10 * 3},
		{[]float64{0, 1, 2, 3}, schedules.Power{P: 2}, 16 * 3}, {[]float64{0, 3, -10 * (1 + 1e-9), 0}, schedules.Linear{}, 0},
		{[]float64{0, 1, math.Sqrt2, 0}, schedules.Linear{}, 0}, {[]float64{0, 1, 2, 3}, schedules.Sigmoid{Delta: 4}, 0},
	} {
		a := exacttest.Build(t, nil, c.g, c.schedule, kernels.Metropolis{Space: line}, 5)
		v := longtest.Must(newProblem(a, Options{}).survey(context.Background()))(t)
		if _, ok := v.lattice(); ok != (c.span > 0) || ok && v.span != c.span {
			t.Errorf("g %v, %v: lattice %v of step %v and span %d, want span %d", c.g, c.schedule, ok, v.step, v.span, c.span)
		}
	}
}

// TestManyTransformsAreRefused: transforms whose values would take too much memory are refused with the size, before any is computed.
func TestManyTransformsAreRefused(t *testing.T) {
	a := annealingOf(t, []float64{0, 1, 2}, kernels.Metropolis{Space: grid.MustNew(3)}, 3)
	_, err := EndTransforms(context.Background(), a, []Vertical{{Points: 1e8}, {Points: 1}}, 1, nil)
	const want = "the transforms of log weights at 100000001 points for each of 3 states would take about 4.8 GB; the limit is 4 GB"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestProgressOfTransforms: the steps that are reported add up.
func TestProgressOfTransforms(t *testing.T) {
	a := annealingOf(t, []float64{0, 1, 2}, kernels.Metropolis{Space: grid.MustNew(3)}, 3)
	var steps atomic.Int64
	if _, err := EndTransforms(context.Background(), a, []Vertical{{Step: 0.1, Points: 700}, {Points: 1}}, 2, func(n int) { steps.Add(int64(n)) }); err != nil || steps.Load() != LawProgress {
		t.Errorf("%d steps, want %d; %v", steps.Load(), LawProgress, err)
	}
}

func annealingOf(t longtest.Failer, g []float64, kernel chains.Kernel, T int) *chains.Annealing {
	t.Helper()
	return exacttest.Build(t, nil, g, schedules.Linear{}, kernel, T)
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
	phi := longtest.Must(p.characteristic(context.Background(), 0.1, bothDirections()))(t)
	for off, want := range map[float64]float64{0: 0, 1e-3: 1e-3} {
		v := &Laws{LogZRatio: p.logZRatio() + off}
		longtest.NoError(t, v.checkCrooks(context.Background(), p, phi[chains.Reverse], 2*math.Pi/0.1))
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

// TestSamplesAreKnownOrNot: bounds of samples are given up to an error of 1e-6 and not beyond, where a note says what the
// error might be and what they lie between.
func TestSamplesAreKnownOrNot(t *testing.T) {
	for off, known := range map[float64]bool{0.9e-6: true, 1.1e-6: false, math.Inf(1): false, math.NaN(): false} {
		b := (&manySamples{transforms: &laplace{shift: off}, logZRatio: 3, low: -7, high: 5}).bounds(10)
		if (b.Note == "") != known || math.IsNaN(b.Mixed) == known || math.IsNaN(b.Error) {
			t.Errorf("an error of %v: %+v", off, b)
		}
		if !known && (!strings.Contains(b.Note, "for K = 10 are not known") || !strings.Contains(b.Note, "from -7 to 5")) {
			t.Errorf("an error of %v: %q", off, b.Note)
		}
	}
}
