package averages

import (
	"context"
	"math"
	"math/big"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains/kernels"
	"breadboard/grid/longtest"
	"breadboard/toys/forms"
)

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
	}{{0.5, false}, {0.5 - 1e-13, false}, {0.5 - 1.5e-12/4, true}, {0.5 + 1e-9, false}} {
		// three of four samples are one
		law := &RHatLaw{N: 2, Chains: 2, function: &Function{Mean: v.mean, SD: 0.5}}
		if got := law.isWrong(3); got != v.wrong {
			t.Errorf("mean %v: %v, want %v", v.mean, got, v.wrong)
		}
	}
}

// TestLatticeBracketIsAttained: the bracket of a sum of squares holds where each of them is nearly
// a whole unit above what it is rounded to, and if it is nearly on it: one unit less of slack would
// be wrong on one side, and rounding up on the other.
func TestLatticeBracketIsAttained(t *testing.T) {
	const chains, top = 5, 1e7
	whole := longtest.Must(newLattice(t.Context(), []square{{1, 1}}, chains, top, 1))(t)
	for _, part := range []float64{0.001, 0.999} {
		e := (17 + part) * whole.unit
		l := longtest.Must(newLattice(t.Context(), []square{{e, 1}}, chains, top, 1))(t)
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

// TestGauss: the second difference matrix of k rows has the eigenvalues 2 - 2 cos(j pi/(k+1)), and
// the squares of the first components of its eigenvectors are 2/(k+1) sin^2(j pi/(k+1)).
func TestGauss(t *testing.T) {
	const k = 50
	diagonal := slices.Repeat([]float64{2}, k)
	beside := slices.Repeat([]float64{-1}, k-1)
	values, weights, err := gauss(context.Background(), diagonal, beside)
	longtest.NoError(t, err)
	order := make([]int, k)
	floats.Argsort(values, order)
	for j, i := range order {
		angle := float64(j+1) * math.Pi / (k + 1)
		value := 2 - 2*math.Cos(angle)
		weight := 2.0 / (k + 1) * math.Sin(angle) * math.Sin(angle)
		if math.Abs(values[j]-value) > 1e-14 || math.Abs(weights[i]-weight) > 1e-14 {
			t.Errorf("eigenvalue %d is %v with weight %v, want %v and %v", j, values[j], weights[i], value, weight)
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

// libraryChain returns the chain of a kernel on a toy, given their selectors.
func libraryChain(t testing.TB, toy, kernel string) *Chain {
	t.Helper()
	on := longtest.Must(forms.Targets().Parse(toy))(t)
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
