package kernel_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/kernel"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// drawReversible draws a reversible kernel by its conductances w(x,y): T(x,y) = w(x,y) / p(x), with
// room left to stay. States are joined in a line or a tree, and at random; between parts of the
// states weakly or not at all; in two colours only those of different ones, of which then p is what
// leaves, so that little or nothing stays.
func drawReversible(t *rapid.T) (chains.Kernel, []float64) {
	n := rapid.IntRange(3, 200).Draw(t, "n")
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	shape := rapid.SampledFrom([]string{"sparse", "peaked", "halves", "thirds", "two colours",
		"nearly two colours", "ties", "reducible", "line"}).Draw(t, "shape")
	if shape == "peaked" {
		n = min(n, 40)
	}
	two := strings.HasSuffix(shape, "two colours")
	parts := map[string]int{"halves": 2, "thirds": 3, "reducible": 2}[shape]
	w := mat.NewSymDense(n, nil)
	join := func(x, y int) {
		v := 0.1 + random.Float64()
		switch {
		case shape == "ties":
			v = 1
		case x*parts/n != y*parts/n && shape == "reducible":
			v = 0
		case x*parts/n != y*parts/n:
			v = 1e-10 * float64(1+(x^y)%2)
		}
		w.SetSym(x, y, v)
	}
	for x := 1; x < n; x++ {
		if shape == "line" || two {
			join(x, x-1)
			continue
		}
		join(x, random.IntN(x))
	}
	for range 2 * n {
		if x, y := random.IntN(n), random.IntN(n); x != y && shape != "line" && !(two && (x+y)%2 == 0) {
			join(x, y)
		}
	}
	logf := make([]float64, n)
	most := 1.0
	for x := range n {
		row := mat.Row(nil, x, w)
		switch {
		case shape == "peaked":
			logf[x] = 6 * random.NormFloat64()
		case two:
			logf[x] = math.Log(floats.Sum(row) *
				(1 + map[string]float64{"nearly two colours": 1e-7}[shape]*random.Float64()))
		default:
			most = max(most, 1.25*floats.Sum(row))
		}
	}
	rows := make([][]chains.Entry, n)
	for x := range rows {
		total := 0.0
		for y := range n {
			v := w.At(x, y)
			if v == 0 {
				continue
			}
			if shape == "peaked" {
				v = math.Exp(min(0, logf[y]-logf[x])) / (4 * float64(n))
			} else {
				v *= math.Exp(-logf[x]) / most
			}
			rows[x] = append(rows[x], chains.Entry{To: y, P: v})
			total += v
		}
		if total < 1 && !(shape == "two colours" && total > 1-1e-12) {
			rows[x] = append(rows[x], chains.Entry{To: x, P: 1 - total})
		}
	}
	if rapid.Bool().Draw(t, "zeros") { // a state of zero probability, from which the chain goes to the first
		logf = append(logf, math.Inf(-1))
		rows = append(rows, []chains.Entry{{To: 0, P: 1}})
	}
	return chains.NewTabulated("drawn "+shape, len(rows), func(x int) []chains.Entry { return rows[x] }), logf
}

// TestSparseIsDense compares the methods for large spaces with all eigenvalues and with
// elimination: the gap is off by no more than what both state, it is not below the floor, and so
// are asymptotic variances.
func TestSparseIsDense(t *testing.T) {
	ctx := context.Background()
	exacttest.CheckSome(t, 25, func(t *rapid.T) {
		k, logf := drawReversible(t)
		want := longtest.Must(kernel.Diagnose(ctx, k, logf))(t)
		iterated := rapid.Bool().Draw(t, "without elimination")
		got := longtest.Must(kernel.DiagnoseSparsely(ctx, k, logf, iterated))(t)
		if got.Classes != want.Classes || got.Period != want.Period {
			t.Fatalf("%v", k)
		}
		if want.Classes != 1 {
			if !math.IsNaN(got.SpectralGap) || !math.IsNaN(got.GapError) || !math.IsNaN(got.GapFloor) {
				t.Fatalf("a reducible kernel has a gap of %v", got.SpectralGap)
			}
			return
		}
		if off := math.Abs(got.SpectralGap - want.SpectralGap); !(off <= got.GapError+want.GapError) {
			t.Fatalf("%v: gap %v +/- %v, by all eigenvalues %v +/- %v", k, got.SpectralGap, got.GapError,
				want.SpectralGap, want.GapError)
		}
		if !(got.GapFloor <= want.SpectralGap+want.GapError) || len(logf) > 20 && got.Period == 1 &&
			got.SpectralGap > 1e-9 && !(got.GapFloor >= got.SpectralGap/4) {
			t.Fatalf("%v: floor %v of the gap %v", k, got.GapFloor, want.SpectralGap)
		}
		if real(want.SecondEigen)*real(got.SecondEigen) < 0 &&
			math.Abs(real(want.SecondEigen)+real(got.SecondEigen)) > 1e-9 {
			t.Fatalf("%v: second eigenvalue %v, want %v", k, got.SecondEigen, want.SecondEigen)
		}
		g := make([]float64, len(logf))
		for x := range g {
			g[x] = rapid.Float64Range(-3, 3).Draw(t, "g")
		}
		v := longtest.Must(want.AsymptoticVariance(ctx, g))(t)
		u := longtest.Must(got.SparseVariance(ctx, g))(t)
		size := v.Asymptotic + v.Stationary
		if !(v.Stationary > 1e-20) {
			return // the function is constant to within rounding if the probability is
		}
		// The error of elimination is known to its size only: it also changes T(x,x) by rounding,
		// which the other method does not look at. The mean of g is rounded, which changes both by
		// a little where g varies by a little.
		rounded := 1e-14 * (size + math.Sqrt(v.Stationary)*(1+math.Abs(v.Autocorrelation)))
		if off := math.Abs(u.Asymptotic - v.Asymptotic); v.Error < 1 &&
			!(off <= u.Bound+16*v.Error*size+rounded) {
			t.Fatalf("%v: variance %v +/- %v of it, want %v +/- %v", k, u.Asymptotic, u.Error,
				v.Asymptotic, v.Error)
		}
		if got.GapFloor > 1e-6 && !(u.Bound < 1e-10*size) {
			t.Fatalf("%v: gap %v, variance %v +/- %v of it", k, got.SpectralGap, u.Asymptotic, u.Error)
		}
	})
}

// diagnosed returns the diagnosis of a kernel on a large space.
func diagnosed(t *testing.T, k chains.Kernel, logf []float64) *kernel.Diagnosis {
	t.Helper()
	return longtest.Must(kernel.Diagnose(context.Background(), k, logf))(t)
}

// held checks a gap against a closed form: the value to a relative error, the bound and the floor.
func held(t *testing.T, what string, d *kernel.Diagnosis, want, relative float64) {
	t.Helper()
	if math.Abs(d.SpectralGap/want-1) > relative || math.Abs(d.SpectralGap-want) > d.GapError+1e-16 ||
		d.GapError > max(1e-8*want, 1e-14) {
		t.Errorf("%s: gap %v +/- %v, want %v", what, d.SpectralGap, d.GapError, want)
	}
	if !(d.GapFloor <= want*(1+1e-12) && d.GapFloor > want/3) {
		t.Errorf("%s: floor %v of the gap %v", what, d.GapFloor, want)
	}
}

// TestLongLines: Metropolis on a path of n states under a flat target is a walk with the
// eigenvalues cos(pi k/n), and on a ring, lazy by half, (1 + cos(2 pi k/n))/2. Gaps of 1e-8, and
// with -long of 1e-9, keep their digits.
func TestLongLines(t *testing.T) {
	n := 1 << 14
	switch {
	case !longtest.Enabled():
		n = 1 << 12
	case longtest.More():
		n = 1 << 16
	}
	flat := make([]float64, n)
	sine := func(x float64) float64 { s := math.Sin(x); return s * s }
	path := diagnosed(t, kernels.Metropolis{Space: grid.MustNew(n)}, flat)
	held(t, "path", path, 2*sine(math.Pi/float64(2*n)), 1e-11)
	// The eigenfunction cos(pi (x + 1/2)/n) has the autocorrelation time (1 + l)/(1 - l) of its
	// eigenvalue l.
	slow := make([]float64, n)
	for x := range slow {
		slow[x] = math.Cos(math.Pi * (float64(x) + 0.5) / float64(n))
	}
	v, err := path.AsymptoticVariance(context.Background(), slow)
	if want := 1/sine(math.Pi/float64(2*n)) - 1; err != nil || math.Abs(v.Autocorrelation/want-1) > 1e-11 ||
		v.Error > 1e-11 {
		t.Errorf("autocorrelation %v, want %v; error %v; %v", v.Autocorrelation, want, v.Error, err)
	}
	ring := longtest.Must(grid.NewWrapped([]int{n}, []bool{true}))(t)
	held(t, "ring", diagnosed(t, kernels.Lazy(0.5, kernels.Metropolis{Space: ring}), flat),
		sine(math.Pi/float64(n)), 1e-11)
	if d := diagnosed(t, kernels.Metropolis{Space: ring}, flat); d.Period != 2 || d.SpectralGap != 0 ||
		d.SecondEigen != -1 {
		t.Errorf("a ring of an even number of states: gap %v, second eigenvalue %v, period %d", d.SpectralGap,
			d.SecondEigen, d.Period)
	}
}

// TestVectorsRunOut: a kernel that ends with heat bath has rows of low rank, so that its powers
// lead to few vectors, all but a rest of 1e-10 of their length. In what is then left of a vector
// the little that rounding puts along the distribution itself, which is no part of the system, must
// not grow.
func TestVectorsRunOut(t *testing.T) {
	ctx := context.Background()
	space := longtest.Must(grid.NewWrapped([]int{3, 3, 3}, []bool{false, false, true}))(t)
	logf := []float64{
		1.3878726930470293, 6, 2.1104319910518825, 0, 0.16673899169057005, 4.300373077392578,
		1.2189379564322766, 2.6616517967922846, 0,
		0.18784661604222208, -6, 5.469085515485208, -3.8508683691035457, -6, -6, -0.000247955322265625,
		-5.461932839465483, 0,
		0, -0.7259841098826652, 3.031960910069756, -2.0491575730147815, 0.8135840321348891,
		1.9073486328125e-06, 0, -0.24836167250396102, 1.003651854898635,
	}
	k := longtest.Must(kernels.Parse("compose:metropolis+heatbath-axis:0", space))(t)
	d := longtest.Must(kernel.DiagnoseSparsely(ctx, k, logf, true))(t)
	g := make([]float64, space.States())
	for x := range g {
		g[x] = math.Sin(float64(3 * x))
	}
	v := longtest.Must(d.SparseVariance(ctx, g))(t)
	if !(v.Error < 1e-11) {
		t.Errorf("the variance %v is known to %v of it only", v.Asymptotic, v.Error)
	}
}

// TestTooManyEntries: a matrix that is too large is refused before memory is taken for it, with its
// size and the limit.
func TestTooManyEntries(t *testing.T) {
	longtest.Only(t)
	const n = 1 << 14
	flat := make([]float64, n)
	for name, k := range map[string]chains.Kernel{
		"rows": kernels.Independence{P: flatLaw(n)},
		"Move": exacttest.MoveFunc(func(c chains.Chooser, _ []float64, _ int) int { return c.Uniform(n) }),
	} {
		_, err := kernel.Diagnose(context.Background(), k, flat)
		for _, words := range []string{
			"16384 states", "2.68e+08 entries", "12.9 GB", "the limit is 6.71e+07 entries", "(3.2 GB)"} {
			longtest.Refused(t, err, words, name)
		}
	}
}

func flatLaw(n int) []float64 {
	p := slices.Repeat([]float64{1 / float64(n)}, n)
	return p
}
