package kernel_test

import (
	"context"
	"math"
	"math/big"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/kernel"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// sticky is two states that are left with small probabilities.
func sticky(leave, back float64) chains.Kernel {
	return chains.NewTabulated("sticky", 2, func(x int) []chains.Entry {
		p := [2]float64{leave, back}[x]
		return []chains.Entry{{To: x, P: 1 - p}, {To: 1 - x, P: p}}
	})
}

// TestVarianceErrorIsNearlyAttained: a chain on two states that leaves both with probability e has the asymptotic variance
// (1-e)/e of a function that is 1 and -1. The diagonal 1 - e is rounded, which changes e by half a unit in the last place
// of one at most, and what is stated as the error, the condition of the system times as much, is no less than what that
// does, and no more than a few times what it does at the worst of a hundred e.
func TestVarianceErrorIsNearlyAttained(t *testing.T) {
	for _, size := range []float64{1e-3, 1e-6, 1e-9} {
		worst := 0.0
		for i := range 100 {
			e := size * (1 + float64(i)/77)
			d := longtest.Must(kernel.Diagnose(context.Background(), sticky(e, e), []float64{0, 0}))(t)
			v, err := d.AsymptoticVariance(context.Background(), []float64{1, -1})
			if err != nil || math.Abs(v.Stationary-1) > 1e-15 || v.Autocorrelation != v.Asymptotic/v.Stationary {
				t.Fatal(v, err)
			}
			worst = max(worst, math.Abs(v.Asymptotic*e/(1-e)-1)/v.Error)
		}
		t.Logf("e about %v: at most %.3f of the error stated", size, worst)
		if !(worst <= 1 && worst > 0.51) {
			t.Errorf("e about %v: the variance is off by up to %v of the error stated", size, worst)
		}
	}
}

// TestAsymptoticVarianceOfThree compares with sums of covariances over a thousand lags in 300 bits, for a kernel that is
// not reversible and a function with a mean.
func TestAsymptoticVarianceOfThree(t *testing.T) {
	rows := [3][3]float64{{0.25, 0.5, 0.25}, {0.25, 0.25, 0.5}, {0.5, 0.25, 0.25}} // doubly stochastic: the flat law is invariant
	k := chains.NewTabulated("round", 3, func(x int) (row []chains.Entry) {
		for y, p := range rows[x] {
			row = append(row, chains.Entry{To: y, P: p})
		}
		return row
	})
	d := longtest.Must(kernel.Diagnose(context.Background(), k, []float64{0, 0, 0}))(t)
	g := []float64{7, 8, 10}
	v := longtest.Must(d.AsymptoticVariance(context.Background(), g))(t)
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(v) }
	mean := number(25)
	mean.Quo(mean, number(3))
	var moved [3]*big.Float
	for x := range moved {
		moved[x] = new(big.Float).Sub(number(g[x]), mean)
	}
	start := moved
	total, stationary := number(0), number(0)
	for lag := range 1000 {
		c := number(0)
		for x := range moved {
			c.Add(c, new(big.Float).Mul(start[x], moved[x]))
		}
		c.Quo(c, number(3))
		if lag == 0 {
			stationary.Copy(c)
			total.Add(total, c)
		} else {
			total.Add(total, c.Mul(c, number(2)))
		}
		var next [3]*big.Float
		for x := range next {
			next[x] = number(0)
			for y := range moved {
				next[x].Add(next[x], new(big.Float).Mul(number(rows[x][y]), moved[y]))
			}
		}
		moved = next
	}
	want, _ := total.Float64()
	first, _ := stationary.Float64()
	if math.Abs(v.Asymptotic/want-1) > 1e-14 || math.Abs(v.Stationary/first-1) > 1e-14 || math.Abs(v.Autocorrelation-want/first) > 1e-14 {
		t.Errorf("%+v, want %v and %v", v, want, first)
	}
}

// TestReversibleToItsDigits: a kernel of two states is reversible under the law that it leaves invariant; where log f is
// off by less than 1e-9 its eigenvalues are those of the symmetric form, and where it is off by more those of the rows as
// they are, which here are the same. Three states that go round are not reversible, by however little.
func TestReversibleToItsDigits(t *testing.T) {
	round := func(e float64) chains.Kernel {
		return chains.NewTabulated("round", 3, func(x int) []chains.Entry {
			return []chains.Entry{{To: x, P: 0.5}, {To: (x + 1) % 3, P: 0.25 + e}, {To: (x + 2) % 3, P: 0.25 - e}}
		})
	}
	for e, real := range map[float64]bool{0: true, 1e-10: true, 1e-7: false, 0.1: false} {
		d := longtest.Must(kernel.Diagnose(context.Background(), round(e), []float64{0, 0, 0}))(t)
		// The eigenvalues are 1/4 and the conjugate pair with imaginary parts of the root of 3 times e.
		if got := imag(d.SecondEigen) == 0; got != real {
			t.Errorf("e = %v: the second eigenvalue is %v", e, d.SecondEigen)
		}
		if want := 1 - math.Hypot(0.25, math.Sqrt(3)*e); math.Abs(d.SpectralGap-want) > 1e-12 {
			t.Errorf("e = %v: gap %v, want %v", e, d.SpectralGap, want)
		}
	}
}

// unbalanced says that it is reversible and is not, by e of one flow.
type unbalanced struct {
	kernels.Metropolis
	e float64
}

func (k unbalanced) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	from := len(dst)
	dst = k.Metropolis.AppendRow(dst, logf, x)
	for i := from; i < len(dst); i++ {
		if dst[i].To == x+1 {
			dst[i].P *= 1 + k.e
		}
	}
	return dst
}

// TestLargestViolations holds what Diagnose reports of a kernel that is wrong by a known amount to that amount: the flow
// up of a line under a flat law is too large by a part e, and the sums of its rows with it.
func TestLargestViolations(t *testing.T) {
	const e = 1e-6
	d := longtest.Must(kernel.Diagnose(context.Background(), unbalanced{kernels.Metropolis{Space: grid.MustNew(4)}, e}, make([]float64, 4)))(t)
	flow := 0.25 * 0.5 // p times the probability of one of two directions
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got/want-1) > 1e-9 {
			t.Errorf("%s %v, want %v", what, got, want)
		}
	}
	near("row sum", d.RowSum, 0.5*e)
	near("invariance", d.Invariance, flow*e)
	near("balance", d.Balance, flow*e)
	near("defect of the last state", d.Defect[3], flow*e)
	if d.Defect[0] != 0 || d.BalanceAt != [2]int{0, 1} && d.BalanceAt != [2]int{1, 0} {
		t.Errorf("defect of the first state %v, balance at %v", d.Defect[0], d.BalanceAt)
	}
}
