package papers

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestReliabilityWithoutRows: where a command answers with no row, or with none of the columns, a claim has an error and no verdict.
func TestReliabilityWithoutRows(t *testing.T) {
	for _, c := range reliability() {
		if c.Holds == nil {
			continue
		}
		for _, table := range []Table{{}, {{"toy": "easy"}, {"toy": "hard"}}} {
			tables := make([]Table, len(c.Commands))
			for i := range tables {
				tables[i] = table
			}
			if v, err := c.Judge(NewAnswers(c.Commands, tables)); err == nil {
				t.Errorf("%s has the verdict %q from %v", c.ID, v, table)
			}
		}
	}
}

// TestAccurateFactor: it is the longest run of neighbouring T with an error of at most 26% that counts, and not the first and the last such T.
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
			rows = append(rows, fmt.Sprintf(`{"toy": "hard", "T": %g, "relative_error": %g}`, math.Pow(10, float64(i+1)), v))
		}
		a := answered(t, "["+strings.Join(rows, ",")+"]")
		if got := accurateFactor(a, "hard"); got != c.want || a.err != nil {
			t.Errorf("%v: a factor of %v, want %v; %v", c.errors, got, c.want, a.err)
		}
	}
}

// TestMedianApart: three simulated medians 1, 2 and 3 have mean 2 and standard deviation 1, so that a further one has the standard error
// sqrt(1 + 1/3).
func TestMedianApart(t *testing.T) {
	row := `{"direction": "forward", "data": "%s", "T": 30, "median_shifted": %g}`
	a := answered(t, fmt.Sprintf("["+strings.Repeat(row+",", 3)+row+"]", "simulated", 1.0, "simulated", 2.0, "real", 6.0, "simulated", 3.0))
	if got, want := medianApart(a, 0, "30"), 4/math.Sqrt(4.0/3); !Near(got, want, 1e-15) || a.err != nil {
		t.Errorf("%v standard errors, want %v; %v", got, want, a.err)
	}
}

// TestPrintedMatches: all nine printed numbers are looked for, and six of them where T = 100 is left out.
func TestPrintedMatches(t *testing.T) {
	a := answered(t, `[{"toy": "easy", "T": 100, "J": 0.13014, "B": 9}, {"toy": "hard", "T": 100, "J": 4.7358, "B": 9}, {"toy": "barrier", "T": 100, "J": 1.6478, "B": 9},
		{"toy": "easy", "T": 7, "J": 0.0051789, "B": 0.070482}, {"toy": "hard", "T": 7, "J": 1.8403, "B": 2.3090}, {"toy": "barrier", "T": 7, "J": 1.0846, "B": 1.1848}]`)
	if all, some := printedMatches(a.In(0), "100", "7"), printedMatches(a.In(0), "", "7"); all != 7 || some != 5 || a.err != nil {
		t.Errorf("%d and %d, want 7 and 5; %v", all, some, a.err)
	}
}
