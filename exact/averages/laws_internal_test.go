package averages

import (
	"context"
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/kernels"
	"breadboard/exact/internal/linear"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// TestRHatCells: the size that a refusal names is that which is counted, to a thousandth where
// distributions are large.
func TestRHatCells(t *testing.T) {
	for _, v := range []struct{ n, chains, low, high int }{{500, 4, 0, 500}, {300, 8, 0, 300}, {300, 7, 20, 290}, {2000, 2, 0, 2000}} {
		s := &shape{atoms: []atom{{v.low, 0.5}, {v.high, 0.5}}, high: func(_, a int) int { return v.n * a }}
		counted, _ := s.cost(v.chains, 1e10)
		if got := s.rhatCells(v.n, v.chains); !(got > 0.999*counted && got < 1.001*counted) {
			t.Errorf("%d chains of %d samples: about %v probabilities, counted %v", v.chains, v.n, got, counted)
		}
	}
}

// TestDivergenceFromSubnormal: 0.5/5e-324 is beyond a float64, and its logarithm,
// 743.7469247408213, is not.
func TestDivergenceFromSubnormal(t *testing.T) {
	if got, want := divergence(0.5, 5e-324), 0.5*743.7469247408213-0.5; !(math.Abs(got/want-1) < 1e-14) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestRHatWrong: a pooled mean that is off by half a standard deviation is not wrong, nor is one
// that is so but for rounding.
func TestRHatWrong(t *testing.T) {
	for _, v := range []struct {
		mean  float64
		wrong bool
	}{{0.5, false}, {0.5 - 1e-13, false}, {0.5 - 1.5e-12/4, true}, {0.5 + 1e-9, false}} { // three of four samples are one
		law := &RHatLaw{N: 2, Chains: 2, function: &Function{Mean: v.mean, SD: 0.5}}
		if got := law.wrong(3); got != v.wrong {
			t.Errorf("mean %v: %v, want %v", v.mean, got, v.wrong)
		}
	}
}

// TestLatticeBracketIsAttained: the bracket of a sum of squares holds where each of them is nearly
// a whole unit above what it is rounded to, and if it is nearly on it: one unit less of slack would
// be wrong on one side, and rounding up on the other.
func TestLatticeBracketIsAttained(t *testing.T) {
	const chains, top = 5, 1e7
	whole := longtest.Must(newLattice(t.Context(), []square{{1, 1}}, chains, top, 1e6, 1))(t)
	for _, part := range []float64{0.001, 0.999} {
		e := (17 + part) * whole.unit
		l := longtest.Must(newLattice(t.Context(), []square{{e, 1}}, chains, top, 1e6, 1))(t)
		if l.unit != whole.unit || l.exact {
			t.Fatalf("units %v and %v, exact %v", l.unit, whole.unit, l.exact)
		}
		if b := l.atMost(chains * e * (1 - 1e-9)); b.Low != 0 {
			t.Errorf("a sum of %v cannot be at most a little less, but the bracket is %+v", chains*e, b)
		}
		if b := l.atMost(chains * e); b.High < 1 {
			t.Errorf("a sum of %v is surely at most that, but the bracket is %+v", chains*e, b)
		}
	}
	if b := whole.atMost(chains); b.High < 1 {
		t.Errorf("a sum of %d is surely at most that, but the bracket is %+v", chains, b)
	}
}

// TestLevelCounts: the numbers of counts are those of all ways to spread samples over classes, each
// once, those of fewer samples first, and what follows a number is the number of one sample more.
func TestLevelCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		classes, n := rapid.IntRange(1, 5).Draw(t, "classes"), rapid.IntRange(1, 7).Draw(t, "samples")
		l := newLevelCounts(n, classes)
		counts := func(bars []int) []int { // of all classes but the last
			c := make([]int, len(bars))
			last := 0
			for j, b := range bars {
				c[j] = b - j - last
				last = b - j
			}
			return c
		}
		var all [][]int
		bars := firstBars(classes)
		for range l.size(n) {
			all = append(all, counts(bars))
			nextBars(bars)
		}
		total := func(c []int) (sum int) {
			for _, v := range c {
				sum += v
			}
			return sum
		}
		for i, c := range all {
			if s := total(c); s > n || s < n && i >= l.size(s) {
				t.Fatalf("number %d stands for %v", i, c)
			}
		}
		to := make([]int, classes)
		for i := range l.size(n - 1) {
			l.next(to, i)
			for class, next := range to {
				for j, v := range all[next] {
					if want := all[i][j]; v != want && (j != class || v != want+1) || j == class && v != want+1 {
						t.Fatalf("class %d takes %v to %v", class, all[i], all[next])
					}
				}
			}
		}
	})
}

// TestPoisson compares the probabilities of Poisson variables with the formula, and their sum with
// one.
func TestPoisson(t *testing.T) {
	for _, mean := range []float64{0, 1e-300, 1e-9, 0.3, 1, 17.5, 200} {
		total := 0.0
		for c, p := range poisson(mean, 500) {
			gamma, _ := math.Lgamma(float64(c + 1))
			want := math.Exp(float64(c)*math.Log(mean) - mean - gamma)
			if c == 0 {
				want = math.Exp(-mean)
			}
			if math.Abs(p-want) > 1e-12*want && want > 1e-290 {
				t.Errorf("mean %v: P(%d) is %v, want %v", mean, c, p, want)
			}
			total += p
		}
		if math.Abs(total-1) > 1e-14 {
			t.Errorf("mean %v: the probabilities sum to %v", mean, total)
		}
	}
}

// slowMeanSquare is meanSquareAt by its closed form, [N (1+l)/(1-l) - 2 l (1-l^N)/(1-l)^2]/N^2,
// with enough bits that cancellation does not matter.
func slowMeanSquare(gap float64, n int64) float64 {
	if gap == 0 {
		return 1
	}
	const bits = 400
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(v) }
	g, samples := number(gap), number(float64(n))
	l := number(1)
	l.Sub(l, g)
	power, square := number(1), new(big.Float).Set(l)
	for left := n; left > 0; left /= 2 {
		if left%2 == 1 {
			power.Mul(power, square)
		}
		square = number(0).Mul(square, square)
	}
	if power.MantExp(nil) < -2*bits {
		power = number(0) // its difference from one has too many digits, all nine
	}
	first := number(0).Add(number(1), l)
	first.Mul(first, samples).Quo(first, g)
	second := number(0).Sub(number(1), power)
	second.Mul(second, l).Mul(second, number(2)).Quo(second, g).Quo(second, g)
	first.Sub(first, second).Quo(first, samples).Quo(first, samples)
	v, _ := first.Float64()
	return v
}

// TestMeanSquareAt: nearly all digits of float64 for all gaps and N.
func TestMeanSquareAt(t *testing.T) {
	worst := 0.0
	for _, gap := range []float64{0, 1e-30, 1e-17, 1e-16, 3e-13, 1e-9, 1e-5, 0.01, 0.3, 0.999, 1, 1.001, 1.5, 1.9999, 2 - 1e-9, 2 - 0x1p-52, 2} {
		for _, n := range []int64{1, 2, 3, 4, 5, 7, 10, 31, 32, 33, 1000, 1001, 1 << 20, 1e9, 1e9 + 1, 1e12, 1e12 - 1} {
			want := slowMeanSquare(gap, n)
			got := meanSquareAt(gap, n)
			if want == 0 && got == 0 {
				continue
			}
			off := math.Abs(got/want - 1)
			worst = max(worst, off)
			if !(off <= 4e-15) {
				t.Errorf("gap %v, N = %d: %v, want %v (off by %.2g)", gap, n, got, want, off)
			}
		}
	}
	if worst < 1e-16 {
		t.Errorf("the largest error is %v: the test shows nothing", worst)
	}
}

// TestGauss: the second difference matrix of k rows has the eigenvalues 2 - 2 cos(j pi/(k+1)), and
// the squares of the first components of its eigenvectors are 2/(k+1) sin^2(j pi/(k+1)).
func TestGauss(t *testing.T) {
	const k = 50
	diagonal, beside := make([]float64, k), make([]float64, k-1)
	for i := range diagonal {
		diagonal[i] = 2
	}
	for i := range beside {
		beside[i] = -1
	}
	values, weights, err := gauss(context.Background(), diagonal, beside)
	if err != nil {
		t.Fatal(err)
	}
	order := make([]int, k)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if values[a] < values[b] {
			return -1
		}
		return 1
	})
	for j, i := range order {
		angle := float64(j+1) * math.Pi / (k + 1)
		value, weight := 2-2*math.Cos(angle), 2.0/(k+1)*math.Sin(angle)*math.Sin(angle)
		if math.Abs(values[i]-value) > 1e-14 || math.Abs(weights[i]-weight) > 1e-14 {
			t.Errorf("eigenvalue %d is %v with weight %v, want %v and %v", j, values[i], weights[i], value, weight)
		}
	}
	if diagonal[0] != 2 || beside[0] != -1 {
		t.Error("the matrix was changed")
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if _, _, err := gauss(ended, diagonal, beside); err == nil {
		t.Error("the context has ended, and nothing is said")
	}
}

// TestProbed: a probe that was made for few moves says how much one that decays at the same rate to
// the end adds up.
func TestProbed(t *testing.T) {
	const made = 100
	for _, rate := range []float64{0, 1e-12, 1e-3, 0.05} {
		sums, sizes := []float64{0}, []float64{1}
		for k := 1; k <= made; k++ {
			sums = append(sums, sums[k-1]+sizes[k-1])
			sizes = append(sizes, math.Exp(-rate*float64(k)))
		}
		for _, n := range []int64{1, 50, made, 10 * made, 1e6} {
			want := float64(n)
			if rate > 0 {
				want = math.Expm1(-rate*float64(n)) / math.Expm1(-rate)
			}
			if got := probed(sums, sizes, n); math.Abs(got/want-1) > 0.01 {
				t.Errorf("rate %v, %d moves: %v, want %v", rate, n, got, want)
			}
		}
	}
}

// libraryChain returns the chain of a kernel on a toy, given their selectors.
func libraryChain(t testing.TB, toy, kernel string) *Chain {
	t.Helper()
	on := longtest.Must(toys.Parse(toy))(t)
	k := longtest.Must(kernels.Parse(kernel, on.Space))(t)
	return longtest.Must(New(t.Context(), k, on.G))(t)
}

// wideMatrix is a square matrix with so many digits that rounding does not matter.
type wideMatrix [][]*big.Float

const wideBits = 240

func wide(v float64) *big.Float { return new(big.Float).SetPrec(wideBits).SetFloat64(v) }

func newWide(rows, cols int) wideMatrix {
	m := make(wideMatrix, rows)
	for i := range m {
		m[i] = make([]*big.Float, cols)
		for j := range m[i] {
			m[i][j] = wide(0)
		}
	}
	return m
}

// wideTransitions returns the transition matrix whose entries are those of m, apart from the
// largest of each row, which is exactly what the others lack of one.
func wideTransitions(m *linear.Stochastic) wideMatrix {
	w := newWide(m.N, m.N)
	for x := range m.N {
		at := 0
		for y, p := range m.Row(x) {
			if p > m.Row(x)[at] {
				at = y
			}
		}
		left := wide(1)
		for y, p := range m.Row(x) {
			if y != at {
				w[x][y].SetFloat64(p)
				left.Sub(left, w[x][y])
			}
		}
		w[x][at] = left
	}
	return w
}

// times returns the product of two matrices.
func (m wideMatrix) times(b wideMatrix) wideMatrix {
	out := newWide(len(m), len(b[0]))
	term := wide(0)
	for i := range m {
		for k, v := range m[i] {
			if v.Sign() == 0 {
				continue
			}
			for j := range b[k] {
				if b[k][j].Sign() != 0 {
					out[i][j].Add(out[i][j], term.Mul(v, b[k][j]))
				}
			}
		}
	}
	return out
}

// farthest returns the largest relative difference of an entry of m from that of w.
func farthest(m *linear.Stochastic, w wideMatrix) float64 {
	worst := 0.0
	for x := range m.N {
		for y, p := range m.Row(x) {
			if w[x][y].Sign() == 0 {
				worst = max(worst, p)
				continue
			}
			q, _ := new(big.Float).Quo(new(big.Float).Sub(wide(p), w[x][y]), w[x][y]).Float64()
			worst = max(worst, math.Abs(q))
		}
	}
	return worst
}

// TestPowersKeepDigits holds the powers to arithmetic of 240 bits, on chains with a spectral gap
// down to 1e-10.
func TestPowersKeepDigits(t *testing.T) {
	for _, test := range []struct {
		toy, kernel string
		squarings   int
		only        bool // with -long: powers of large matrices in 240 bits take seconds
	}{
		{"hard", "metropolis", 40, true}, {"barrier", "metropolis", 30, true}, {"easy", "heatbath-scan", 12, true},
		{"random:10:1:4x4", "metropolis", 40, false}, {"random:3:1:5x5", "heatbath-scan", 8, false},
	} {
		t.Run(test.toy, func(t *testing.T) {
			if test.only {
				longtest.Only(t)
			}
			t.Parallel()
			c := libraryChain(t, test.toy, test.kernel)
			m := linear.NewStochastic(c.Rows.States(), c.Rows.Row)
			w, worst := wideTransitions(m), 0.0
			for k := 1; k <= test.squarings; k++ {
				next := m.Empty()
				longtest.NoError(t, next.Multiply(t.Context(), m, m))
				m, w = next, w.times(w)
				off := farthest(m, w)
				worst = max(worst, off/linear.PowerRounding(m.N, k))
			}
			if !(worst < 1 && worst > 0.1) {
				t.Errorf("the errors are up to %v of the estimate", worst)
			}
		})
	}
}

func TestPowersStopWithTheContext(t *testing.T) {
	c := libraryChain(t, "easy", "metropolis")
	m := linear.NewStochastic(c.Rows.States(), c.Rows.Row)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.Empty().Multiply(ctx, m, m); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}
