package kernel

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"breadboard/chains"
	"breadboard/chains/frames"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/exact/internal/linear"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// ofPath returns the diagnosis by the methods for large spaces of Metropolis on a path under a
// target that is not flat.
func ofPath(t *testing.T) *Diagnosis {
	t.Helper()
	logf := []float64{0, 1, -0.5, 0.3, 2, -1, 0.7}
	return longtest.Must(DiagnoseSparsely(
		context.Background(),
		kernels.Metropolis{Space: grid.MustNew(len(logf))},
		logf,
		true,
	))(t)
}

// TestVarianceBoundIsAttained: what conjugate gradients lack of <c, (I - S)^-1 c> is the residual
// squared over the smallest eigenvalue, to all digits, where c is the eigenvector of that and no
// step is made: value 0, and 1/m is lacking. What GMRES may be off by is attained in the same way.
func TestVarianceBoundIsAttained(t *testing.T) {
	d := ofPath(t)
	f := d.large
	n := f.n()
	a := mat.NewSymDense(n, nil)
	unit := make([]float64, n)
	image := make([]float64, n)
	for i := range n {
		clear(unit)
		unit[i] = 1
		f.applyMinus(image, unit)
		for j := range n {
			a.SetSym(i, j, image[j])
		}
	}
	var e mat.EigenSym
	if !e.Factorize(a, true) {
		t.Fatal("no eigenvalues")
	}
	var q mat.Dense
	e.VectorsTo(&q)
	// the one before it is zero
	smallest := e.Values(nil)[1]
	c := mat.Col(nil, 1, &q)
	if math.Abs(d.upper.value/smallest-1) > 1e-12 {
		t.Fatalf("smallest eigenvalue %v, want %v", d.upper.value, smallest)
	}
	d.upper.floor = smallest
	for name, made := range map[string]float64{
		"nothing solved": 0, "half solved": 0.5, "nearly solved": 0.999} {
		h := make([]float64, n)
		for i := range h {
			h[i] = made * c[i] / smallest
		}
		square := longtest.Must(residualOf(watched(context.Background(), f.applyMinus), f.space(), c, h))(t)
		value := 2*number.Dot(c, h) - f.energy(h)
		lacks := over(square, smallest)
		if math.Abs((value+lacks)*smallest-1) > 1e-12 || lacks < 0.9*(1-made)*(1-made)/smallest {
			t.Errorf("%s: from %v to %v, want %v", name, value, value+lacks, 1/smallest)
		}
		if off := linear.Norm(c) * math.Sqrt(square) /
			smallest; math.Abs((number.Dot(c, h)+off)*smallest-1) > 1e-12 {
			t.Errorf("%s: %v + %v, want %v", name, number.Dot(c, h), off, 1/smallest)
		}
	}
}

// TestFloorIsAttained: the smaller eigenvalue of two rows is what the floor supposes at worst, and
// it is no less than that of a matrix which has it.
func TestFloorIsAttained(t *testing.T) {
	for _, c := range [][3]float64{
		{1, 0.5, 3}, {1, 1e-9, 1.5}, {1e-9, 1e-13, 0.1}, {2, 0.1, 1}, {1, 0.3, 1}} {
		var e mat.EigenSym
		if !e.Factorize(mat.NewSymDense(2, []float64{c[0], c[1], c[1], c[2]}), false) {
			t.Fatal("no eigenvalues")
		}
		if got, want := smallerOf(c[0], c[1], c[2]),
			e.Values(nil)[0]; math.Abs(got-want) > 1e-15*math.Hypot(c[0], c[2]) {
			t.Errorf("%v: %v, want %v", c, got, want)
		}
	}
	if got := smallerOf(1e-9, 1e-15, 1); math.Abs(got/1e-9-1) > 1e-15 {
		t.Errorf("digits are lost: %v", got)
	}
	// The vector (1, 0) of the matrix with the rows (1, r) and (r, 3), and the rest, in which
	// nothing is below 3.
	const r = 0.25
	f := found{vectors: [][]float64{{1, 0}}, values: []float64{1}, residuals: [][]float64{{0, r}}}
	if got, want := f.result(3).floor, 2-math.Hypot(1, r); math.Abs(got-want) > 1e-15 {
		t.Errorf("floor %v, want %v", got, want)
	}
	// Two vectors that are not quite eigenvectors: (1, b) and (b, 1) have the eigenvalue 1 - b.
	const b = 0.125
	f = found{
		vectors:   [][]float64{{1, 0}, {0, 1}},
		values:    []float64{1, 1},
		residuals: [][]float64{{0, b}, {b, 0}},
	}
	if got := f.result(math.Inf(1)).floor; math.Abs(got-(1-b)) > 1e-15 {
		t.Errorf("floor %v, want %v", got, 1-b)
	}
}

// TestResidualBoundIsAttained: the gap of two states whose vector was found wrong is off by all of
// the residual.
func TestResidualBoundIsAttained(t *testing.T) {
	const r = 0.25 // the matrix (1, r), (r, 1) has the eigenvalues 1 - r and 1 + r
	s := search{
		energy: func(v []float64) float64 { return v[0]*v[0] + v[1]*v[1] + 2*r*v[0]*v[1] },
		apply: func(dst, v []float64) error {
			dst[0], dst[1] = v[0]+r*v[1], r*v[0]+v[1]
			return nil
		},
	}
	var f found
	longtest.NoError(t, f.addVector(s, []float64{1, 0}))
	if got := f.result(2); math.Abs(got.value-got.residual-(1-r)) > 1e-15 {
		t.Errorf("%v +/- %v, want %v", got.value, got.residual, 1-r)
	}
}

// onwards goes to the next state of a ring.
type onwards struct{}

func (onwards) Move(_ chains.Chooser, logf []float64, x int) int { return (x + 1) % len(logf) }

// TestBoundWhereAutocorrelationsCancel: on a ring that is walked round, every function averages
// itself out, and its asymptotic variance is zero. What is computed in its place is rounding, and
// the bound must say so, though the number itself is tiny, and not below zero.
func TestBoundWhereAutocorrelationsCancel(t *testing.T) {
	for _, n := range []int{2, 3, 16, 49} {
		logf := make([]float64, n)
		d := longtest.Must(Diagnose(context.Background(), onwards{}, logf))(t)
		rng := rand.New(rand.NewPCG(1, uint64(n)))
		for range 50 {
			g := make([]float64, n)
			for x := range g {
				g[x] = rng.NormFloat64()
			}
			v := longtest.Must(d.AsymptoticVariance(context.Background(), g))(t)
			if !(v.Asymptotic >= 0 && v.Asymptotic <= v.Bound && v.Autocorrelation >= 0) ||
				v.Bound > 1e-9*v.Stationary {
				t.Errorf("%d states: asymptotic variance %v, with a bound of %v; zero is right",
					n, v.Asymptotic, v.Bound)
			}
		}
	}
}

// TestGrowth: a quarter of the entries that are allowed is made before the rows to come are taken
// to be like those before.
func TestGrowth(t *testing.T) {
	k := kernels.Stay{}
	for _, c := range []struct {
		made, states, entries int
		refused               bool
	}{
		{1, 1 << 20, MaxEntries/4 - 1, false}, {1, 1 << 20, MaxEntries / 4, true},
		{500, 1000, MaxEntries / 2, false}, {499, 1000, MaxEntries / 2, true},
	} {
		if err := checkGrowth(k, c.made, c.states, c.entries); (err != nil) != c.refused {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestLeast: the least positive entry, and all others, of rows with a frame and without.
func TestLeast(t *testing.T) {
	ctx := context.Background()
	logf := []float64{0, -3, 0}
	k := kernels.Metropolis{Space: grid.MustNew(3)}
	f := longtest.Must(FrameOf(ctx, k, 3))(t)
	var v frames.Values
	v.Load(logf)
	var framed, plain Rows
	longtest.NoError(t, errors.Join(framed.FillFrame(ctx, k, f, &v), plain.Fill(ctx, k, logf)))
	if a, b := framed.Least(), plain.Least(); !(a > 0.0248 && a < 0.0249) || !(b > 0.0248 && b < 0.0249) {
		t.Errorf("%v with a frame, %v without; it is exp(-3)/2", a, b)
	}
	for x := range logf {
		for y := range logf {
			if a, b := framed.EntryAt(x, y), plain.EntryAt(x, y); math.Abs(a-b) > 1e-16 ||
				(x-y == 2 || y-x == 2) && a != 0 {
				t.Errorf("T(%d,%d) is %v with a frame, %v without", x, y, a, b)
			}
		}
	}
	if err := framed.Fill(ctx, kernels.Stay{}, logf); err != nil || framed.Least() != 1 ||
		len(f.Entries) != 7 {
		t.Errorf("%v: filled again without the frame the least entry is %v", err, framed.Least())
	}
}

// TestReturnsAreInterrupted: in each of its three passes over the entries Returns looks at the
// context, and does no more work once that has ended.
func TestReturnsAreInterrupted(t *testing.T) {
	k := kernels.Metropolis{Space: grid.MustNew(framePortion)}
	r := longtest.Must(NewRows(context.Background(), k, make([]float64, framePortion)))(t)
	// of two portions of entries, and of four in the pass over the entries of both matrices
	const looks = 1 + 1 + 3
	for left := range looks {
		ctx := longtest.EndsAfter(left)
		if _, err := r.Returns(ctx, nil, r); !errors.Is(err, context.Canceled) || ctx.Looks() != 1 {
			t.Errorf("a context that ends at look %d: %v, looked at %d times then", left+1, err, ctx.Looks())
		}
	}
	ctx := longtest.EndsAfter(looks)
	if _, err := r.Returns(ctx, nil, r); err != nil || ctx.Err() == nil {
		t.Errorf("%v, or fewer looks than expected", err)
	}
}

// DiagnoseSparsely returns the diagnosis of a kernel by the methods for more than DenseStates
// states, for spaces of any size. Iterated leaves elimination out. The variances of the result are
// those of SparseVariance.
func DiagnoseSparsely(ctx context.Context, k chains.Kernel, logf []float64,
	iterated bool) (*Diagnosis, error) {
	d, into, err := examineRows(ctx, k, logf)
	if err != nil || d.Classes != 1 || len(d.on) < 2 {
		return d, err
	}
	d.large, err = d.newForm(ctx, into)
	if err != nil {
		return nil, err
	}
	d.large.direct.known = iterated
	return d, d.sparseSpectrum(ctx, into)
}

// kept is a kernel that keeps its rows.
type kept struct {
	chains.Kernel
	starts  []int
	entries []chains.Entry
}

func (k *kept) Rows() ([]int, []chains.Entry) { return k.starts, k.entries }

// TestKept: rows that a kernel keeps are read where they are, checked, and not written to.
func TestKept(t *testing.T) {
	k := &kept{
		kernels.Stay{}, []int{0, 2, 3}, []chains.Entry{{To: 0, P: 0.25}, {To: 1, P: 0.75}, {To: 0, P: 1}}}
	logf := []float64{0, 1}
	r := longtest.Must(NewRows(t.Context(), k, logf))(t)
	if &r.Entries[0] != &k.entries[0] || r.choices != 2 || r.Least() != 0.25 {
		t.Errorf("%v", r)
	}
	longtest.NoError(t, r.Fill(t.Context(), kernels.Stay{}, logf))
	if k.entries[1].P != 0.75 {
		t.Errorf("the rows of the kernel became %v", k.entries)
	}
	k.entries[2].P = 0.5
	longtest.Refuses(NewRows(t.Context(), k, logf))(t, "sum to 0.5")
}

// SparseVariance returns the variances of g by the methods for more than DenseStates states.
func (d *Diagnosis) SparseVariance(ctx context.Context, g []float64) (Variance, error) {
	out, centred := d.centred(g)
	return d.sparseVariance(ctx, centred, out)
}
