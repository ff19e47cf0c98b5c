package reproduce

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"breadboard/chains/diagnostics"
)

// TestAccurateFactor: it is the longest run of neighbouring T with an error of at most 26% that
// counts, and not the first and the last such T.
func TestAccurateFactor(t *testing.T) {
	for _, c := range []struct {
		errors []float64 // at T = 10, 100, 1000, 10,000
		want   float64
	}{
		{[]float64{0.3, 0.26, 0.1, 0.2}, 100},
		{[]float64{0.1, 0.3, 0.1, 0.1}, 10},
		{[]float64{0.1, 0.1, 0.27, 0.1}, 10},
		{[]float64{0.3, 0.3, 0.3, 0.3}, 0},
		{[]float64{0, 0, 0, 0}, 1000},
	} {
		var rows []string
		for i, v := range c.errors {
			rows = append(rows,
				fmt.Sprintf(`{"toy": "hard", "T": %g, "relative_error": %g}`, math.Pow(10, float64(i+1)), v))
		}
		a := answered(t, "["+strings.Join(rows, ",")+"]")
		if got := accurateFactor(a, "hard"); got != c.want || a.err != nil {
			t.Errorf("%v: a factor of %v, want %v; %v", c.errors, got, c.want, a.err)
		}
	}
}

// TestMedianApart: simulated medians 1, 2 and 3 have the mean 2 and the deviation 1, and a further
// one the standard error sqrt(1 + 1/3).
func TestMedianApart(t *testing.T) {
	row := `{"direction": "forward", "data": "%s", "T": 30, "median_shifted": %g}`
	a := answered(t, fmt.Sprintf("["+strings.Repeat(row+",", 3)+row+"]", "simulated", 1.0, "simulated",
		2.0, "real", 6.0, "simulated", 3.0))
	if got, want := medianApart(a, 0, "30"), 4/math.Sqrt(4.0/3); !near(got, want, 1e-15) || a.err != nil {
		t.Errorf("%v standard errors, want %v; %v", got, want, a.err)
	}
}

// TestPrintedMatches: all nine printed numbers are looked for, and six of them where T = 100 is
// left out.
func TestPrintedMatches(t *testing.T) {
	a := answered(t,
		`[{"toy": "easy", "T": 100, "J": 0.13014, "B": 9}, {"toy": "hard", "T": 100, "J": 4.7358, "B": 9}, {"toy": "barrier", "T": 100, "J": 1.6478, "B": 9},
		{"toy": "easy", "T": 7, "J": 0.0051789, "B": 0.070482}, {"toy": "hard", "T": 7, "J": 1.8403, "B": 2.3090}, {"toy": "barrier", "T": 7, "J": 1.0846, "B": 1.1848}]`)
	if all, some := printedMatches(a.In(0), "100", "7"), printedMatches(a.In(0), "", "7"); all != 7 ||
		some != 5 || a.err != nil {
		t.Errorf("%d and %d, want 7 and 5; %v", all, some, a.err)
	}
}

// TestUnbiased: a bias in one row alone, upwards or downwards, is a bias.
func TestUnbiased(t *testing.T) {
	for table, want := range map[string]bool{
		`[{"log_mean_z": -19, "log_z_ratio": -19}, {"log_mean_z": 2.5, "log_z_ratio": 2.5}]`:     true,
		`[{"log_mean_z": -19, "log_z_ratio": -19}, {"log_mean_z": 2.50001, "log_z_ratio": 2.5}]`: false,
		`[{"log_mean_z": 2.49999, "log_z_ratio": 2.5}, {"log_mean_z": -19, "log_z_ratio": -19}]`: false,
		`[{"log_mean_z": "NaN", "log_z_ratio": 2.5}]`:                                            false,
	} {
		if a := answered(t, table); a.fulfil("unbiased") != want || a.err != nil {
			t.Errorf("%s: %v; want %v (%v)", table, !want, want, a.err)
		}
	}
}

// TestIdentity: differences beyond rounding, and those that are not known, are none of an identity.
func TestIdentity(t *testing.T) {
	for table, want := range map[string]bool{
		`[{"value": 1e-16}, {"value": 0}]`: true, `[{"value": 0}, {"value": 1e-9}]`: false,
		`[{"value": "NaN"}, {"value": 0}]`: false} {
		if a := answered(t, table); a.fulfil("identity") != want || a.err != nil {
			t.Errorf("%s: %v; want %v (%v)", table, !want, want, a.err)
		}
	}
}

// TestHiddenNumber: a number that is not shown is that of one row, as one that is shown.
func TestHiddenNumber(t *testing.T) {
	a := answered(t, `[{"T": 1, "B": 2}, {"T": 3, "B": 4}]`)
	if v := a.In(0).hiddenNumber("B", "T=3"); v != 4 || a.err != nil || len(a.Readings()) > 0 {
		t.Errorf("%v, %v, %v", v, a.err, a.Readings())
	}
	if v := a.In(0).hiddenNumber("B"); !math.IsNaN(v) || a.err == nil {
		t.Errorf("of two rows it is %v, %v", v, a.err)
	}
}

// TestBelow: an estimate is below another by five standard errors of the difference.
func TestBelow(t *testing.T) {
	if !below(1, 0.3, 3.6, 0.4) || below(1, 0.3, 3.5, 0.4) || below(3.6, 0.3, 1, 0.4) {
		t.Error("below is not five standard errors of the difference")
	}
}

// TestBounds: the means of AIDE fall, and stay above J.
func TestBounds(t *testing.T) {
	const falling = `[{"toy": "easy", "mean": 3, "J": 1}, {"toy": "easy", "mean": 2, "J": 1},
		{"toy": "hard", "mean": 2, "J": 1}, {"toy": "hard", "mean": 0.5, "J": 1},
		{"toy": "barrier", "mean": 2, "J": 1}, {"toy": "barrier", "mean": 2.5, "J": 1}]`
	a := answered(t, falling)
	if !a.fulfil("bounded at toy=easy") || a.fulfil("bounded at toy=hard") ||
		a.fulfil("bounded at toy=barrier") {
		t.Error("means that fall to J and no further are taken for others")
	}
	if a.err != nil {
		t.Error(a.err)
	}
}

func TestKolmogorovSquare(t *testing.T) {
	if got := kolmogorovSquare(); !near(got, math.Pi*math.Pi/12, 1e-6) {
		t.Errorf("%v, and the sum of the alternating 1/k^2 is pi^2/12", got)
	}
}

// The region of RESS/ESS has an end where a chi-squared variable is above with 2.5%, and one where
// it is with 97.5%.
func TestEightAbove(t *testing.T) {
	low, high := diagnostics.Region(8, 0.95)
	if got := eightAbove(8 / low); !equal(got, 0.025) {
		t.Errorf("%v above the quantile of 97.5%%", got)
	}
	if got := eightAbove(8 / high); !equal(got, 0.975) {
		t.Errorf("%v above the quantile of 2.5%%", got)
	}
}
