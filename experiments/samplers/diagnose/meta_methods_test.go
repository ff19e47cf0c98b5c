package diagnose

import (
	"context"
	"math"
	"testing"

	"breadboard/grid/longtest"

	"pgregory.net/rapid"
)

// learned returns what a method predicts for a point.
func learned(t testing.TB, learn func(context.Context, [][]float64, []float64) (predictor, error), x [][]float64, y, at []float64) (mean, variance float64) {
	t.Helper()
	predict := longtest.Must(learn(context.Background(), x, y))(t)
	return predict(at)
}

// TestLineByHand: the line through (0, 1), (1, 3), (2, 4), (3, 4) is 1.5 + x, with a residual sum of squares of 1, so that the variance
// of a label is 1/2; at x = 4 it is 1/2 (1 + 1/4 + (4 - 1.5)^2/5) = 1.25.
func TestLineByHand(t *testing.T) {
	x, y := [][]float64{{0}, {1}, {2}, {3}}, []float64{1, 3, 4, 4}
	mean, variance := learned(t, byLine, x, y, []float64{4})
	near(t, "the mean", mean, 5.5, 1e-13)
	near(t, "the variance", variance, 1.25, 1e-13)
	// A feature that is twice another one, and one that never changes, say nothing more.
	for i := range x {
		x[i] = append(x[i], 2*x[i][0], 0)
	}
	mean, variance = learned(t, byLine, x, y, []float64{4, 8, 0})
	near(t, "the mean", mean, 5.5, 1e-13)
	near(t, "the variance", variance, 1.25, 1e-12)
	if _, err := byLine(context.Background(), x[:2], y[:2]); err == nil {
		t.Error("two points have a line with a variance")
	}
}

// TestNormalByHand: the labels 1, 2 and 6 have mean 3 and variance 7, to which their mean adds a third.
func TestNormalByHand(t *testing.T) {
	mean, variance := learned(t, byNormal, nil, []float64{1, 2, 6}, nil)
	near(t, "the mean", mean, 3, 1e-15)
	near(t, "the variance", variance, 7*(1+1.0/3), 1e-15)
}

// TestScale: what a scale makes of numbers has mean zero and variance one, whatever their unit and their zero; numbers that are all the
// same become zero.
func TestScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := math.Pow(10, rapid.Float64Range(-12, 12).Draw(t, "unit"))
		var v []float64
		for _, k := range rapid.SliceOfN(rapid.IntRange(-1000, 1000), 2, 9).Draw(t, "v") {
			v = append(v, float64(k)*unit)
		}
		s := newScale(v)
		total, squares := 0.0, 0.0
		for _, x := range v {
			total, squares = total+s.of(x), squares+s.of(x)*s.of(x)
		}
		if constant(v) {
			if total != 0 || squares != 0 {
				t.Fatalf("constant numbers become %v in total", total)
			}
			return
		}
		if n := float64(len(v)); math.Abs(total) > 1e-6*n || math.Abs(squares/n-1) > 1e-6 {
			t.Fatalf("total %v and mean square %v", total, squares/n)
		}
	})
}

// TestPairedByHand: the differences 1, 2, 3 have the mean 2 and the standard error 1/sqrt 3, so that t = sqrt 12 with two degrees of freedom,
// whose two-sided p-value is 1 - t/sqrt(2 + t^2) = 1 - sqrt(6/7).
func TestPairedByHand(t *testing.T) {
	e, p := paired([]float64{1, 2, 3})
	near(t, "the standard error", e, 1/math.Sqrt(3), 1e-15)
	near(t, "p", p, 1-math.Sqrt(6.0/7), 1e-12)
	if e, p := paired([]float64{0, 0, 0}); e != 0 || p != 1 {
		t.Errorf("no differences: standard error %v, p %v", e, p)
	}
	if e, p := paired([]float64{1, 1}); e != 0 || p != 0 {
		t.Errorf("equal differences: standard error %v, p %v", e, p)
	}
	if e, p := paired([]float64{5}); !math.IsNaN(e) || !math.IsNaN(p) {
		t.Errorf("one difference: standard error %v, p %v", e, p)
	}
}

// TestSplit: a fifth of the targets is held out, at least one; splits differ, and each is the same again.
func TestSplit(t *testing.T) {
	for n, want := range map[int]int{5: 1, 7: 1, 8: 2, 10: 2, 100: 20} {
		var names []string
		for i := range n {
			names = append(names, string(rune('a'+i)))
		}
		differ := false
		for r := range 20 {
			held, count := split(names, 1, r), 0
			for _, name := range names {
				if held[name] {
					count++
				}
				differ = differ || held[name] != split(names, 1, 0)[name]
				if held[name] != split(names, 1, r)[name] {
					t.Fatal("a split is not the same again")
				}
			}
			if count != want {
				t.Errorf("%d of %d targets are held out, want %d", count, n, want)
			}
		}
		if !differ {
			t.Errorf("all splits of %d targets are the same", n)
		}
	}
}
