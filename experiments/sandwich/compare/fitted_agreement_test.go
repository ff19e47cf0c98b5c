package compare_test

import (
	"math"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/diagnostics"
	"breadboard/chains/simulate"
	"breadboard/experiments/sandwich/compare"
	"breadboard/grid/longtest"
)

// TestMedianError holds the error of a median to the standard deviation over all resamples, one by one.
func TestMedianError(t *testing.T) {
	for _, sorted := range [][]float64{{1}, {-2, 0.5, 7}, {0, 1, 1.5, 4, 1e6}} {
		n := len(sorted)
		var medians []float64
		for code := range int(math.Pow(float64(n), float64(n))) {
			var sample []float64
			for range n {
				sample = append(sample, sorted[code%n])
				code /= n
			}
			medians = append(medians, diagnostics.Median(sample))
		}
		mean, variance := 0.0, 0.0
		for _, m := range medians {
			mean += m / float64(len(medians))
		}
		for _, m := range medians {
			variance += (m - mean) * (m - mean) / float64(len(medians))
		}
		if got, want := compare.MedianError(sorted), math.Sqrt(variance); math.Abs(got-want) > 1e-9*(1+want) {
			t.Errorf("%v: %v, and over all resamples it is %v", sorted, got, want)
		}
	}
}

// normalRow returns a row whose log weights are normal with a mean and the standard deviation one.
func normalRow(c chains.RealChooser, data, s, T int, mean float64) compare.FittedRow {
	r := compare.FittedRow{Data: data, S: s, T: T, Chains: 50}
	if s >= 0 {
		r.Direction, r.Starts = chains.Reverse, 1
	}
	var logs []float64
	for range r.Chains {
		logs = append(logs, mean+c.Normal())
	}
	return compare.Summarized(r, logs)
}

// forwardRows returns curves of measured and simulated data, the measured one higher by a constant and bent at T = 10.
func forwardRows(c chains.RealChooser, sets int, bend float64) (rows []compare.FittedRow) {
	for data := range sets + 1 {
		for _, T := range []int{10, 100, 1000} {
			mean := -1000/float64(T) + 20*float64(data)
			if data == 0 && T == 10 {
				mean += bend
			}
			rows = append(rows, normalRow(c, data, -1, T, mean))
		}
	}
	return rows
}

// TestForwardAgreement: vertical shifts count for nothing, and a bend is seen, both with one simulated data set and with several. A verdict
// is wrong at most in a twentieth of all cases: of 60, more than 12 would happen by chance less than once in 10^4.
func TestForwardAgreement(t *testing.T) {
	longtest.NotShort(t)
	for _, sets := range []int{1, 8} {
		wrong, missed := 0, 0
		for seed := range 60 {
			c := chains.NewSampler(simulate.NewStream(uint64(seed), "forward agreement", sets))
			if compare.ForwardAgreement(forwardRows(c, sets, 0)).Differ() {
				wrong++
			}
			if a := compare.ForwardAgreement(forwardRows(c, sets, 5)); !a.Differ() || a.T != 10 || math.Abs(a.Difference-5) > 2 {
				missed++
			}
		}
		if wrong > 12 || missed > 0 {
			t.Errorf("%d simulated data sets: %d of 60 that agree are said to differ, and %d that differ to agree", sets, wrong, missed)
		}
	}
	c := chains.NewSampler(simulate.NewStream(1, "forward agreement", 0))
	if a := compare.ForwardAgreement(forwardRows(c, 1, 0)[:1]); a.Comparisons != 0 || !math.IsNaN(a.P) || a.Differ() {
		t.Errorf("one row is compared: %+v", a)
	}
}

// TestReverseAgreement: curves that coincide are said to differ at most in a twentieth of all cases, and a difference is found with its S. Of
// 200, more than 25 would happen by chance less than once in 10^4.
func TestReverseAgreement(t *testing.T) {
	reverse := func(c chains.RealChooser, off float64) (rows []compare.FittedRow) {
		for _, s := range []int{10, 100, 1000} {
			for _, T := range []int{10, 100} {
				mean := 50 / float64(T)
				if s == 1000 && T == 100 {
					mean += off
				}
				rows = append(rows, normalRow(c, 1, s, T, mean))
			}
		}
		return rows
	}
	wrong := 0
	for seed := range 200 {
		c := chains.NewSampler(simulate.NewStream(uint64(seed), "reverse agreement", 1))
		if compare.ReverseAgreement(reverse(c, 0)).Differ() {
			wrong++
		}
		a := compare.ReverseAgreement(reverse(c, 2))
		if !a.Differ() || a.T != 100 || a.S[1] != 1000 || a.Comparisons != 6 || a.Seen > math.Abs(a.Difference) || a.Widest < math.Abs(a.Difference) {
			t.Fatalf("a difference of 2 is %+v", a)
		}
	}
	if wrong > 25 {
		t.Errorf("%d of 200 that coincide are said to differ", wrong)
	}
}

// TestWelch: the variances of the means are 5/12 and 13/3, which give the standard error and the degrees of freedom by hand. Where one of them
// is zero there are two degrees, with which Student's distribution has a closed form.
func TestWelch(t *testing.T) {
	compare := func(x, y []float64) compare.Agreement {
		rows := []compare.FittedRow{{Direction: chains.Reverse, S: 0, T: 2, Data: 1}, {Direction: chains.Reverse, S: 1, T: 2, Data: 1}}
		rows[0], rows[1] = compare.Summarized(rows[0], x), compare.Summarized(rows[1], y)
		return compare.ReverseAgreement(rows)
	}
	u, v := 5.0/12, 13.0/3
	a := compare([]float64{1, 2, 3, 4}, []float64{2, 4, 9})
	if math.Abs(a.SE-math.Sqrt(u+v)) > 1e-14 || a.Difference != 2.5 || math.Abs(a.Degrees()-(u+v)*(u+v)/(u*u/3+v*v/2)) > 1e-12 {
		t.Errorf("%+v", a)
	}
	a = compare([]float64{1, 2, 3}, []float64{5, 5, 5})
	x := 3 * math.Sqrt(3)
	if want := 1 - x/math.Sqrt(2+x*x); math.Abs(a.P-want) > 1e-12 {
		t.Errorf("P = %v, want %v", a.P, want)
	}
	if same := compare([]float64{5, 5}, []float64{5, 5}); same.P != 1 {
		t.Errorf("equal numbers: %+v", same)
	}
	if apart := compare([]float64{5, 5}, []float64{6, 6}); apart.P != 0 {
		t.Errorf("different numbers without an error: %+v", apart)
	}
}

// TestErrorsOverStarts: chains that share a start count once.
func TestErrorsOverStarts(t *testing.T) {
	r := compare.Summarized(compare.FittedRow{Starts: 2}, []float64{1, 5, 3, 9}) // the starts have the means 2 and 7
	if r.Mean != 4.5 || math.Abs(r.SE-2.5) > 1e-15 {
		t.Errorf("mean %v, standard error %v; want 4.5 and 2.5", r.Mean, r.SE)
	}
	if !slices.Equal(r.LogWeights, []float64{1, 3, 5, 9}) || r.Median != 4 || r.Q25 != 2.5 || r.Q75 != 6 || r.Max != 9 {
		t.Errorf("%+v", r)
	}
}
