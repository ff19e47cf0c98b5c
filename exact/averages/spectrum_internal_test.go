package averages

import (
	"context"
	"math"
	"math/big"
	"slices"
	"testing"
)

// slowMeanSquare is meanSquareAt by its closed form, [N (1+l)/(1-l) - 2 l (1-l^N)/(1-l)^2]/N^2, with so many bits that what cancels does not
// matter.
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

// TestGauss: the second difference matrix of k rows has the eigenvalues 2 - 2 cos(j pi/(k+1)), and the squares of the first components
// of its eigenvectors are 2/(k+1) sin^2(j pi/(k+1)).
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

// TestProbed: a probe that was made for few moves says how much one that decays at the same rate to the end adds up.
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
