package linear_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"breadboard/exact/internal/linear"
	"breadboard/grid/longtest"
)

// problem is a symmetric matrix with a known spectrum, as a dense matrix and as an operator.
type problem struct {
	kind   string
	values []float64
	q      *mat.Dense // the eigenvectors, one a column
	a      *mat.Dense
}

// drawProblem draws a spectrum in [0, 2] with ties, clusters and values near zero, and eigenvectors
// in random directions.
func drawProblem(t *rapid.T) problem {
	n := rapid.IntRange(2, 40).Draw(t, "n")
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	kind := rapid.SampledFrom([]string{"spread", "ties", "cluster", "tiny"}).Draw(t, "spectrum")
	p := problem{kind: kind, values: make([]float64, n)}
	for i := range p.values {
		v := 2 * random.Float64()
		switch kind {
		case "ties":
			v = math.Round(2*v) / 2
		case "cluster":
			v = 0.3 + 1e-7*v*float64(1+i%2*1e6)
		case "tiny":
			v = math.Pow(10, -10*random.Float64())
		}
		p.values[i] = v
	}
	slices.Sort(p.values)
	normal := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			normal.Set(i, j, random.NormFloat64())
		}
	}
	var qr mat.QR
	qr.Factorize(normal)
	p.q = mat.NewDense(n, n, nil)
	qr.QTo(p.q)
	p.a = mat.NewDense(n, n, nil)
	p.a.Mul(p.q, mat.NewDiagDense(n, p.values))
	p.a.Mul(p.a, p.q.T())
	return p
}

func apply(a *mat.Dense) linear.Operator {
	return func(dst, src []float64) error {
		mat.NewVecDense(len(dst), dst).MulVec(a, mat.NewVecDense(len(src), src))
		return nil
	}
}

func (p problem) n() int                 { return len(p.values) }
func (p problem) vector(i int) []float64 { return mat.Col(nil, i, p.q) }

// nearest returns the distance of a number to the nearest eigenvalue.
func (p problem) nearest(v float64) float64 {
	least := math.Inf(1)
	for _, e := range p.values {
		least = min(least, math.Abs(e-v))
	}
	return least
}

// TestLanczosVector: the vector of the first step at which the residual is small has that residual,
// and some eigenvalue is within it.
func TestLanczosVector(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		l := linear.NewLanczos(apply(p.a), linear.Space{N: p.n()}, 7)
		for {
			longtest.NoError(t, l.Step())
			r := l.Smallest()
			if r.Residual > 1e-9 && l.Steps() < 6*p.n() {
				continue
			}
			v := longtest.Must(l.Vector(r))(t)
			image := make([]float64, p.n())
			longtest.NoError(t, apply(p.a)(image, v))
			for i := range image {
				image[i] -= r.Value * v[i]
			}
			residual := linear.Norm(image)
			if math.Abs(residual-r.Residual) > 1e-9 || math.Abs(linear.Norm(v)-1) > 1e-14 ||
				p.nearest(r.Value) > residual+1e-14 {
				t.Fatalf("value %v, residual %v, said to be %v; the next eigenvalue is %v away", r.Value,
					residual, r.Residual, p.nearest(r.Value))
			}
			return
		}
	})
}

// TestLanczosGoesOnAfterAnInvariantSpace: the matrix of ones has two eigenvalues, and after two
// steps nothing is left.
func TestLanczosGoesOnAfterAnInvariantSpace(t *testing.T) {
	double := func(dst, src []float64) error {
		for i, v := range src {
			dst[i] = 2 * v
		}
		return nil
	}
	l := linear.NewLanczos(double, linear.Space{N: 5}, 3)
	for range 12 {
		longtest.NoError(t, l.Step())
	}
	if low, high := l.Smallest().Value, l.Largest().Value; math.Abs(low-2) > 1e-14 ||
		math.Abs(high-2) > 1e-14 {
		t.Errorf("from %v to %v, want 2", low, high)
	}
}

// TestMissed holds the bound to its formula, written out for one case, and StepsFor to it.
func TestMissed(t *testing.T) {
	// ln(1.648 x 100 / 0.01) = 9.70990; divided by 2 x 50 - 1, and squared.
	if got := linear.Missed(10000, 50, 0.01); math.Abs(got-0.0096196) > 1e-6 {
		t.Errorf("missed %v", got)
	}
	if linear.Missed(100, 0, 0.1) != 1 || linear.Missed(100, 1, 1e-9) != 1 {
		t.Error("a few steps say something")
	}
	for _, e := range []float64{0.5, 0.01, 3e-7} {
		k := int(linear.StepsFor(5000, e, 1e-12))
		if linear.Missed(5000, k, 1e-12) > e || linear.Missed(5000, k-1, 1e-12) <= e {
			t.Errorf("%d steps for %v", k, e)
		}
	}
}

// solved returns the solution from the eigenvectors, on the space without the one with the given
// index.
func (p problem) solved(c []float64, without int) []float64 {
	h := make([]float64, p.n())
	for i, value := range p.values {
		if i == without {
			continue
		}
		v := p.vector(i)
		part := linear.Dot(v, c) / value
		for j := range h {
			h[j] += part * v[j]
		}
	}
	return h
}

// TestConjugate compares with the solution from the eigenvectors, and holds the product, which
// grows to <c, A^-1 c>.
func TestConjugate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		out := rapid.IntRange(0, p.n()-1).Draw(t, "without")
		if p.values[0] < 1e-6 || out == 0 && p.values[min(1, p.n()-1)] < 1e-6 {
			t.Skip("this small an eigenvalue leaves few digits")
		}
		space := linear.Space{N: p.n(), Without: [][]float64{p.vector(out)}}
		c := linear.Start(space, 9)
		last := 0.0
		want := linear.Dot(c, p.solved(c, out))
		h := longtest.Must(linear.Conjugate(apply(p.a), space, c, 20*p.n(), func(square, product float64) bool {
			if product < last-1e-12*want || product > want*(1+1e-9) {
				t.Fatalf("the product goes from %v to %v; the limit is %v", last, product, want)
			}
			last = product
			return square < 1e-28
		}))(t)
		for i, v := range p.solved(c, out) {
			if math.Abs(h[i]-v) > 1e-8*linear.Norm(h) {
				t.Fatalf("h[%d] = %v, want %v", i, h[i], v)
			}
		}
	})
}

// TestGMRES compares with gonum's solution of systems whose matrix has a positive definite
// symmetric part and any antisymmetric one.
func TestGMRES(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		n := p.n()
		a := mat.DenseCopyOf(p.a)
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "antisymmetric"), 2))
		for i := range n {
			a.Set(i, i, a.At(i, i)+0.05)
			for j := range i {
				v := random.NormFloat64() / float64(n)
				a.Set(i, j, a.At(i, j)+v)
				a.Set(j, i, a.At(j, i)-v)
			}
		}
		c := linear.Start(linear.Space{N: n}, 4)
		h := longtest.Must(linear.GMRES(apply(a), linear.Space{N: n}, c, 4000, 1e-13))(t)
		var want mat.VecDense
		longtest.NoError(t, want.SolveVec(a, mat.NewVecDense(n, c)))
		for i := range h {
			if math.Abs(h[i]-want.AtVec(i)) > 1e-10*linear.Norm(h) {
				t.Fatalf("h[%d] = %v, want %v", i, h[i], want.AtVec(i))
			}
		}
	})
}

// TestErrorsOfTheOperatorEndTheWork: whatever an operator fails with is returned.
func TestErrorsOfTheOperatorEndTheWork(t *testing.T) {
	stop := errors.New("stop")
	fail := func(_, _ []float64) error { return stop }
	space := linear.Space{N: 3}
	c := []float64{1, 2, 3}
	if err := linear.NewLanczos(fail, space, 1).Step(); !errors.Is(err, stop) {
		t.Error(err)
	}
	if _, err := linear.Conjugate(fail, space, c, 5, func(_, _ float64) bool { return false }); !errors.Is(err, stop) {
		t.Error(err)
	}
	if _, err := linear.GMRES(fail, space, c, 5, 0); !errors.Is(err, stop) {
		t.Error(err)
	}
}

// TestBiCGStab: a system that is not symmetric is solved to the tolerance, with a preconditioner
// and without one, and one that breaks down ends.
func TestBiCGStab(t *testing.T) {
	const n = 30
	random := rand.New(rand.NewPCG(1, 2))
	a := mat.NewDense(n, n, nil)
	c := make([]float64, n)
	for i := range n {
		for j := range n {
			a.Set(i, j, random.NormFloat64()/20)
		}
		a.Set(i, i, 1+float64(i))
		c[i] = random.NormFloat64()
	}
	apply := func(dst, src []float64) error {
		mat.NewVecDense(n, dst).MulVec(a, mat.NewVecDense(n, src))
		return nil
	}
	nothing := func(dst, src []float64) error { copy(dst, src); return nil }
	diagonal := func(dst, src []float64) error {
		for i, v := range src {
			dst[i] = v / a.At(i, i)
		}
		return nil
	}
	for name, preconditioner := range map[string]linear.Operator{"none": nothing, "diagonal": diagonal} {
		h := longtest.Must(linear.BiCGStab(apply, preconditioner, c, 200, 1e-10))(t)
		left := make([]float64, n)
		_ = apply(left, h)
		for i := range left {
			left[i] -= c[i]
		}
		if linear.Norm(left) > 2e-10 {
			t.Errorf("%s: the residual is %v", name, linear.Norm(left))
		}
	}
	turn := func(dst, src []float64) error { dst[0], dst[1] = src[1], -src[0]; return nil }
	for _, v := range longtest.Must(linear.BiCGStab(turn, nothing, []float64{1, 0}, 10, 0))(t) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Error("where it breaks down the solution is", v)
		}
	}
}

// graphOf returns the graph of a list of edges, and the place of the entry of each ordered pair.
func graphOf(n int, edges [][2]int) (linear.Graph, map[[2]int]int) {
	next := make([][]int32, n)
	for _, e := range edges {
		next[e[0]] = append(next[e[0]], int32(e[1]))
		next[e[1]] = append(next[e[1]], int32(e[0]))
	}
	g := linear.Graph{Start: []int{0}}
	at := map[[2]int]int{}
	for x := range n {
		for _, y := range next[x] {
			at[[2]int{x, int(y)}] = len(g.To)
			g.To = append(g.To, y)
		}
		g.Start = append(g.Start, len(g.To))
	}
	return g, at
}

func ring(n int) (edges [][2]int) {
	for x := range n {
		edges = append(edges, [2]int{x, (x + 1) % n})
	}
	return edges
}

func plane(r, c int) (edges [][2]int) {
	for x := range r * c {
		if x%c+1 < c {
			edges = append(edges, [2]int{x, x + 1})
		}
		if x+c < r*c {
			edges = append(edges, [2]int{x, x + c})
		}
	}
	return edges
}

func TestColours(t *testing.T) {
	for n, want := range map[int]bool{6: true, 7: false} {
		g, _ := graphOf(n, ring(n))
		colours, ok := linear.Colours(g)
		if ok != want {
			t.Errorf("a ring of %d: %v", n, ok)
		}
		for _, e := range ring(n) {
			if ok && colours[e[0]] != -colours[e[1]] {
				t.Errorf("states %v have one colour", e)
			}
		}
	}
}

func TestFits(t *testing.T) {
	for _, c := range []struct {
		n, width int
		fits     bool
	}{{1 << 16, 1, true}, {1 << 16, 256, true}, {1 << 16, 1 << 12, false}, {1 << 13, 1 << 12, false},
		{2000, 1000, true}} {
		if linear.Fits(c.n, c.width) != c.fits {
			t.Errorf("%+v", c)
		}
	}
}

// TestSolve holds solutions to their equations, for random conductances of hostile sizes, with
// killing and without.
func TestSolve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var edges [][2]int
		n := rapid.IntRange(2, 40).Draw(t, "n")
		switch rapid.SampledFrom([]string{"path", "ring", "plane", "tree"}).Draw(t, "graph") {
		case "path":
			edges = ring(n)[:n-1]
		case "ring":
			n = max(n, 3)
			edges = ring(n)
		case "plane":
			n = 4 * ((n + 7) / 4)
			edges = plane(4, n/4)
		case "tree":
			for x := 1; x < n; x++ {
				edges = append(edges, [2]int{x, (x - 1) / 2})
			}
		}
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		span := rapid.SampledFrom([]float64{0, 2, 8}).Draw(t, "span")
		g, at := graphOf(n, edges)
		s := make([]float64, len(g.To))
		psi := make([]float64, n)
		killing := []float64(nil)
		for x := range psi {
			psi[x] = math.Exp(span * random.NormFloat64())
		}
		for _, e := range edges {
			v := math.Exp(span * random.NormFloat64())
			s[at[[2]int{e[0], e[1]}]], s[at[[2]int{e[1], e[0]}]] = v, v
		}
		if rapid.Bool().Draw(t, "killed") {
			killing = make([]float64, n)
			killing[random.IntN(n)] = math.Exp(3 * span * random.NormFloat64())
		}
		order, width := linear.Order(g)
		f := longtest.Must(linear.NewBanded(g, s, psi, killing, order, width, func() error { return nil }))(t)
		a := mat.NewDense(n, n, nil)
		for x := range n {
			for i := g.Start[x]; i < g.Start[x+1]; i++ {
				y := int(g.To[i])
				a.Set(x, y, -s[i])
				a.Set(x, x, a.At(x, x)+s[i]*psi[y]/psi[x])
			}
			if killing != nil {
				a.Set(x, x, a.At(x, x)+killing[x])
			}
		}
		c := make([]float64, n)
		if killing == nil { // orthogonal to psi: a current in at one state, and out at another
			from, to := random.IntN(n), random.IntN(n)
			c[from] += 1 / psi[from]
			c[to] -= 1 / psi[to]
		} else {
			for x := range c {
				c[x] = random.Float64()
			}
		}
		h := make([]float64, n)
		f.Solve(h, c)
		// What flows out of each state is what flows in, to the rounding of the largest flow of
		// all: that of the state where h is zero is the sum of all others.
		left := make([]float64, n)
		largest := 0.0
		for x := range n {
			left[x] = -c[x] * psi[x]
			size := math.Abs(left[x])
			for y := range n {
				flow := psi[x] * a.At(x, y) * h[y]
				left[x] += flow
				size += math.Abs(flow)
			}
			largest = max(largest, size)
		}
		for x, v := range left {
			if math.Abs(v) > 1e-13*largest {
				t.Fatalf("state %d of %d: %v is left of flows of up to %v", x, n, v, largest)
			}
		}
	})
}

func TestNewEnds(t *testing.T) {
	g, _ := graphOf(5, ring(5))
	order, width := linear.Order(g)
	s := []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
	psi := []float64{1, 1, 1, 1, 1}
	stop := errors.New("stop")
	if _, err := linear.NewBanded(g, s, psi, nil, order, width, func() error { return stop }); !errors.Is(err, stop) {
		t.Error(err)
	}
	psi[3] = 1e-150
	if f, err := linear.NewBanded(g, s, psi, nil, order, width, func() error { return nil }); f != nil ||
		err != nil {
		t.Error("psi is too small for ratios", err)
	}
}

// TestEigenvalues: the eigenvalues of a symmetric matrix are those that it is made of, and those of
// LAPACK if it has tiny entries, rows that hold nothing beside the diagonal, or is of the size of
// the smallest numbers.
func TestEigenvalues(t *testing.T) {
	same := func(t rapid.TB, rows [][]float64, size float64, want []float64) {
		for i, v := range longtest.Must(linear.Eigenvalues(rows, func() error { return nil }))(t) {
			if w := size * want[i]; !(math.Abs(v-w) <= float64(len(want))*0x1p-50*size) {
				t.Fatalf("eigenvalue %d of %d of size %g is %v, want %v", i, len(want), size, v, w)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		n, _ := p.a.Dims()
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		hostile := rapid.Bool().Draw(t, "hostile")
		rows := make([][]float64, n)
		size := rapid.SampledFrom([]float64{1, 1, 0x1p-300, 0x1p300}).Draw(t, "size")
		s := mat.NewSymDense(n, nil)
		for i := range rows {
			rows[i] = make([]float64, i+1)
			for j := range rows[i] {
				v := p.a.At(i, j)
				if hostile {
					v *= []float64{0, 0, 0x1p-550, 0x1p-1000, 1e-17, 1}[random.IntN(6)]
				}
				rows[i][j] = size * v
				if math.Abs(v) > 0x1p-300 { // gonum's Dsterf panics where all of a block is tiny
					s.SetSym(i, j, v)
				}
			}
		}
		want := p.values
		if hostile {
			var e mat.EigenSym
			if !e.Factorize(s, false) {
				t.Fatal("LAPACK found no eigenvalues")
			}
			want = e.Values(nil)
		}
		same(t, rows, size, want)
	})
	// such a block
	same(t, [][]float64{{0x1p-500}, {0x1p-501, 0x1p-500}, {0, 0, 1}}, 1, []float64{0x1p-501, 0x1.8p-500, 1})
	ended := errors.New("ended")
	if _, err := linear.Eigenvalues([][]float64{{1}}, func() error { return ended }); !errors.Is(err, ended) {
		t.Errorf("after the end: %v", err)
	}
}
