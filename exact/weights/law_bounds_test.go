package weights

import (
	"context"
	"math"
	"math/cmplx"
	"strings"
	"sync/atomic"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/internal/stage"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// oneAtom is the distribution that is always at, known by n Fourier coefficients on a circle of
// period one from zero.
func oneAtom(at float64, n int) *fourier {
	s := &fourier{low: 0, high: 0.5, period: 1, mass: 1, mean: at, n: n}
	for k := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(k+1) * at)
		s.phi = append(s.phi, complex(cos, sin))
	}
	s.setCoefficients()
	return s
}

// TestVaalerBoundIsAttained: at an atom the bracket must hold what is below it, 0, and what is at
// most it, 1, and holds no more: there Vaaler's polynomial is off by exactly what bounds it. Away
// from the atom it closes in like 1/n.
func TestVaalerBoundIsAttained(t *testing.T) {
	for _, n := range []int{1, 7, 100, 1000} {
		for _, at := range []float64{0.1, 0.25, 0.3712345} {
			s := oneAtom(at, n)
			b := s.restBelow(at, false)
			if math.Abs(b.Low) > 1e-12 || math.Abs(b.High-1) > 1e-12 {
				t.Errorf("%d frequencies, at the atom %v: %v, want 0 to 1", n, at, b)
			}
			for x := 0.003; x < 0.5; x += 0.0071 {
				want := 0.0
				if x > at {
					want = 1
				}
				if b := s.restBelow(x, false); !(b.Low <= want+1e-13 && want <= b.High+1e-13) {
					t.Errorf("%d frequencies, the atom at %v: below %v is %v, want %v", n, at, x, b, want)
				}
			}
		}
	}
}

// TestBulkTailIsAttained: the lower end of the range that is inverted is where Chernoff's bound on
// what lies below comes down to exp(-42) = 6e-19 in the wider of the two directions, at the best of
// the powers that are tried.
func TestBulkTailIsAttained(t *testing.T) {
	g := make([]float64, 9)
	for x := range g {
		g[x] = 3 * math.Sin(1+12.9898*float64(x))
	}
	a := annealingOf(t, g, kernels.Metropolis{Space: grid.MustNew(3, 3)}, 200)
	p := newProblem(a, Options{})
	v := longtest.Must(p.survey(context.Background()))(t)
	var moments [2]*joint
	for d := range moments {
		moments[d] = longtest.Must(p.propagateMoments(context.Background(), chains.Direction(d)))(t)
	}
	low, high, err := p.bulk(context.Background(), v, moments[:], bothDirections())
	if err != nil || !(low > v.low && high <= v.high) {
		t.Fatalf("%v to %v of %v to %v, %v", low, high, v.low, v.high, err)
	}
	above, below := math.Inf(-1), math.Inf(-1)
	for d := range moments {
		_, m := moments[d].cumulants()
		bestAbove := math.Inf(1)
		bestBelow := math.Inf(1)
		for _, s := range []float64{2, 4, 8, 16} {
			s /= math.Sqrt(m.Variance)
			k := longtest.Must(
				computeCGF(context.Background(), p.Annealing, chains.Direction(d), []float64{s, -s}, true),
			)(t)
			bestAbove = min(bestAbove, k[0]-s*high)
			bestBelow = min(bestBelow, k[1]+s*low)
		}
		above, below = max(above, bestAbove), max(below, bestBelow)
	}
	// Above, where the likeliest states are, no value is as unlikely as that, and the range is
	// whole.
	if !(math.Abs(below+42) < 1e-9) || high != v.high || !(above > -42) {
		t.Errorf("beyond the ends are at most exp(%v) and exp(%v)", below, above)
	}
}

// TestFourierRounding: the stated loss by rounding is at least what was left out on purpose, the
// coefficients that count as nothing with the weights 1/k and the tails of both ends, and what was
// known to be wrong before.
func TestFourierRounding(t *testing.T) {
	const n, given = 1000, 1e-9
	s := &fourier{low: 0, high: 0.5, period: 1, mass: 1, mean: 0.25}
	whole := make([]complex128, n)
	for k := range whole {
		whole[k] = 0.9 * coefficientFloor
	}
	s.setRest(whole, make([]complex128, n), given, 1)
	if s.n != n || len(s.phi) != 0 {
		t.Errorf("%d coefficients of %d are kept, though all count as nothing", len(s.phi), s.n)
	}
	harmonic := 0.0
	for k := range n {
		harmonic += 1 / float64(k+1)
	}
	if least := (given + coefficientFloor) * harmonic; !(s.rounding >= least && s.rounding <= 1.3*least) {
		t.Errorf("the rounding is %v; what is given and left out comes to %v", s.rounding, least)
	}
	// Without anything given, what is left is the rounding of the rotations and the tails: four of
	// exp(-42).
	clean := &fourier{low: 0, high: 0.5, period: 1, mass: 1, mean: 0.25}
	clean.setRest(nil, nil, 0, 1)
	if tails := 4 * 5.749522264293556e-19; !(clean.rounding > tails && clean.rounding < 1e-13) {
		t.Errorf("with nothing left out the rounding is %v", clean.rounding)
	}
	// An angle that goes round a thousand times is known to a thousand units less.
	far := &fourier{low: 0, high: 0.5, period: 1, mass: 1, mean: 0.25}
	whole[n-1] = 1
	far.setRest(whole, make([]complex128, n), 0, 1000)
	if angles := 64 * 1000 * n * 0x1p-53; !(far.rounding > angles && far.rounding < 1.1*angles) {
		t.Errorf("the rounding is %v, that of the angles alone %v", far.rounding, angles)
	}
}

// TestLatticeRounding: each stage rounds a probability by half a unit in the last place for its
// product, for each term that is added to it, of which there may be one for each state, and for the
// entries of the row, which took a few operations themselves: n + 8 in all. The bracket is as wide
// as T of these, and what the rows' sums lack.
func TestLatticeRounding(t *testing.T) {
	longtest.Only(t)
	for _, T := range []int{10, 100, 1000} {
		space := grid.MustNew(4, 4)
		g := make([]float64, 16)
		for x := range g {
			g[x] = float64(x % 3)
		}
		w, defect := latticeOf(t, g, space, T)
		b := w.Forward.Below(1)
		counted := float64(T) * (16 + 8) * 0x1p-53
		if width := b.High - b.Value; !(width >= counted+defect && width <= 1.01*counted+2*defect) {
			t.Errorf("T = %d: a probability is known to %v; the roundings come to %v and the rows to %v",
				T, width, counted, defect)
		}
	}
}

func latticeOf(t *testing.T, g []float64, space *grid.Lattice, T int) (w *Laws, defect float64) {
	t.Helper()
	a := exacttest.Build(t, nil, g, schedules.Linear{}, kernels.Metropolis{Space: space}, T)
	var err error
	w, err = LawsOf(context.Background(), a, Options{})
	if err != nil || w.Method != MethodLattice {
		t.Fatal(w, err)
	}
	s := stage.NewStage(a)
	for step := 2; step <= T; step++ {
		longtest.NoError(t, s.Load(context.Background(), step))
		defect += s.Moves[0].Forward.Defect()
	}
	return w, defect
}

// TestTrimCounts: what is taken off both ends is the stated loss, and no probability from 1e-305 on
// is.
func TestTrimCounts(t *testing.T) {
	r := rung{p: []float64{0, 3e-306, 9.9e-306, 1e-305, 0, 0.5, 1e-305, 9e-306, 0}, from: 1, to: 8}
	if dropped := r.trim(); math.Abs(dropped/(3e-306+9.9e-306+9e-306)-1) > 1e-12 || r.from != 3 || r.to != 7 {
		t.Errorf("%v dropped, %d to %d kept", dropped, r.from, r.to)
	}
	if r.p[1] != 0 || r.p[2] != 0 || r.p[7] != 0 {
		t.Errorf("%v", r.p)
	}
}

// TestLatticeTolerance: increments that are off the lattice by just less than 1e-14 of the widest
// range are on it, and by just more they are not, so that no log weight is further from its point
// than that share of the whole range.
func TestLatticeTolerance(t *testing.T) {
	for _, c := range []struct {
		off float64
		on  bool
	}{{0, true}, {0.9e-14, true}, {1.2e-14, false}} {
		a := exacttest.Build(t, nil, []float64{0, 1 + 4*c.off, 4}, schedules.Linear{},
			kernels.Metropolis{Space: grid.MustNew(3)}, 2)
		v := longtest.Must(newProblem(a, Options{}).survey(context.Background()))(t)
		if (v.step > 0) != c.on {
			t.Errorf("off by %v of the range: step %v", c.off, v.step)
		}
	}
}

// TestWideLogWeights: for one sample the bounds are exact however far the log weights spread. A K
// for which the transforms do not give the bounds gets NaN and a note, and other K in the same call
// get their bounds.
func TestWideLogWeights(t *testing.T) {
	toy := "random:1000:1:2" // on which all bounds are known
	if longtest.More() {
		toy = "random:1000:1:2x2"
	}
	a := exacttest.Annealing(t, toy, "linear", "metropolis", 3)
	s := exacttest.Solve(t, a)
	bounds := longtest.Must(MultiSampleBounds(context.Background(), a, []int{1, 5, MaxSamples}, SampleOptions{}))(t)
	if b := bounds[0]; b.Forward != s.MeanLogWForward || b.Reverse != s.MeanLogWReverse ||
		b.Mixed != s.MeanLogWReverse || !(b.Error < 1e-8) || b.Note != "" {
		t.Errorf("one sample: %+v, the means of log w are %v and %v", b, s.MeanLogWForward, s.MeanLogWReverse)
	}
	if b := bounds[1]; longtest.More() && (!math.IsNaN(b.Forward) || !math.IsNaN(b.Reverse) ||
		!math.IsNaN(b.Mixed) || !(b.Error > maxSampleError) ||
		!strings.Contains(b.Note, "K = 5 are not known")) {
		t.Errorf("five samples: %+v", b)
	}
	if b := bounds[2]; !(b.Forward <= s.LogZRatio+b.Error && b.Reverse >= s.LogZRatio-b.Error) ||
		b.Note != "" {
		t.Errorf("very many samples: %+v", b)
	}
}

func hills(tb testing.TB, T int) *chains.Annealing {
	tb.Helper()
	plane := longtest.Must(grid.New(2, 3))(tb)
	return exacttest.Build(tb, nil, []float64{0, 1.3, -2, 0.4, math.Pi, -0.7}, schedules.Linear{},
		kernels.Metropolis{Space: plane}, T)
}

// TestDiedOut: if the propagation stops early because a transform has died out, the transform is
// indeed below diedOut.
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

// TestFindLattice: values that are whole multiples of one number make a lattice, also if the steps
// of the schedule differ. A value that is off by a part in a billion makes none.
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
		{[]float64{0, 1, 2, 3}, schedules.Power{P: 2}, 16 * 3},
		{[]float64{0, 3, -10 * (1 + 1e-9), 0}, schedules.Linear{}, 0},
		{[]float64{0, 1, math.Sqrt2, 0}, schedules.Linear{}, 0},
		{[]float64{0, 1, 2, 3}, schedules.Sigmoid{Delta: 4}, 0},
	} {
		a := exacttest.Build(t, nil, c.g, c.schedule, kernels.Metropolis{Space: line}, 5)
		v := longtest.Must(newProblem(a, Options{}).survey(context.Background()))(t)
		if _, ok := v.lattice(); ok != (c.span > 0) || ok && v.span != c.span {
			t.Errorf("g %v, %v: lattice %v of step %v and span %d, want span %d", c.g, c.schedule, ok, v.step,
				v.span, c.span)
		}
	}
}

// TestManyTransformsAreRefused: transforms whose values would take too much memory are refused with
// the size, before any is computed.
func TestManyTransformsAreRefused(t *testing.T) {
	a := annealingOf(t, []float64{0, 1, 2}, kernels.Metropolis{Space: grid.MustNew(3)}, 3)
	_, err := EndTransforms(context.Background(), a, []Vertical{{Points: 1e8}, {Points: 1}}, 1, nil)
	const want = "the transforms of log weights at 100000001 points for each of 3 states would take about " +
		"4.8 GB, and the limit is 4 GB"
	longtest.Refused(t, err, want)
}

// TestProgressOfTransforms: the steps that are reported add up.
func TestProgressOfTransforms(t *testing.T) {
	a := annealingOf(t, []float64{0, 1, 2}, kernels.Metropolis{Space: grid.MustNew(3)}, 3)
	var steps atomic.Int64
	if _, err := EndTransforms(context.Background(), a, []Vertical{{Step: 0.1, Points: 700}, {Points: 1}}, 2,
		func(n int) { steps.Add(int64(n)) }); err != nil || steps.Load() != LawProgress {
		t.Errorf("%d steps, want %d; %v", steps.Load(), LawProgress, err)
	}
}

func annealingOf(t longtest.Failer, g []float64, kernel chains.Kernel, T int) *chains.Annealing {
	t.Helper()
	return exacttest.Build(t, nil, g, schedules.Linear{}, kernel, T)
}

// TestCrooksByInversion: the transforms of both sides of Crooks' relation agree to all digits, and
// do not where the normalising constants are not those of the two ends.
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

// TestSamplesAreKnownOrNot: bounds of samples are given up to an error of 1e-6 and not beyond,
// where a note says what the error might be and what they lie between.
func TestSamplesAreKnownOrNot(t *testing.T) {
	for off, known := range map[float64]bool{
		0.9e-6: true, 1.1e-6: false, math.Inf(1): false, math.NaN(): false} {
		b := (&manySamples{transforms: &laplace{shift: off}, logZRatio: 3, low: -7, high: 5}).bounds(10)
		if (b.Note == "") != known || math.IsNaN(b.Mixed) == known || math.IsNaN(b.Error) {
			t.Errorf("an error of %v: %+v", off, b)
		}
		if !known && (!strings.Contains(b.Note, "for K = 10 are not known") ||
			!strings.Contains(b.Note, "from -7 to 5")) {
			t.Errorf("an error of %v: %q", off, b.Note)
		}
	}
}
