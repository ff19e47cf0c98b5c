package tightness_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/study"
	"breadboard/experiments/tightness"
	"breadboard/grid"
)

// TestEveryPrintedNumber reproduces what the paper prints in Appendix B.1.1, digit for digit.
func TestEveryPrintedNumber(t *testing.T) {
	rows := casetest.Rows(t, tightness.Study(), casetest.MustCases(t, casetest.Selection([]int{100, 1000}, experiments.PaperToys()...)), tightness.Options{})
	seen := map[string]int{}
	for _, r := range rows {
		for _, c := range r.Printed {
			seen[c.Quantity]++
			if c.Rounds == (c.Text == "26%") {
				t.Errorf("%s: %s = %v, printed %s", &r.Case, c.Quantity, c.Ours, c.Text)
			}
		}
	}
	for quantity, want := range map[string]int{"J": 6, "B": 3, "relative_error": 2, "dominant_mode_mass": 2} {
		if seen[quantity] != want {
			t.Errorf("%d printed numbers for %s, want %d", seen[quantity], quantity, want)
		}
	}
	// The 26% is of J and B at three digits. Unrounded it is 25%, and the row must say so.
	for _, r := range rows {
		if r.Toy.Name == "hard" && r.Distributions() == 1000 {
			if math.Round(100*r.RoundedError()) != 26 || math.Round(100*r.RelativeError()) != 25 {
				t.Errorf("relative error %v, of rounded numbers %v", r.RelativeError(), r.RoundedError())
			}
			all, rounded, known := r.AsPrinted()
			if last := r.Printed[len(r.Printed)-1]; !strings.Contains(last.Note, "25.47%") || !last.OfRounded || all || !rounded || !known {
				t.Errorf("the row does not say how 26%% comes about: %+v", last)
			}
		}
	}
}

// TestNothingIsComparedWithOtherAnnealings: the printed numbers are of the paper's kernel and schedule.
func TestNothingIsComparedWithOtherAnnealings(t *testing.T) {
	s := casetest.Selection([]int{1000}, "easy")
	s.Kernel = "barker"
	rows := casetest.Rows(t, tightness.Study(), casetest.MustCases(t, s), tightness.Options{})
	if all, _, known := rows[0].AsPrinted(); known || len(rows[0].Printed) != 0 {
		t.Errorf("Barker's kernel is compared with the paper's numbers: %v %v", all, rows[0].Printed)
	}
}

func TestAnyNumberOfWorkers(t *testing.T) {
	cases := casetest.MustCases(t, casetest.Selection([]int{2, 50, 300}, "easy", "hard", "barrier:3x5", "random:1:1:3x3x3"))
	casetest.SameForAnyWorkers(t, tightness.Study(), cases, tightness.Options{}, func(r *tightness.Row) string {
		return fmt.Sprint(&r.Case, r.J, r.B, r.MeanLogWForward)
	})
	for i, r := range casetest.RowsBy(t, tightness.Study(), cases, tightness.Options{}, study.How{Workers: 7}) {
		if r.Toy != cases[i].Toy || r.Distributions() != cases[i].Distributions() {
			t.Errorf("row %d is %s, and the case %s", i, &r.Case, &cases[i])
		}
	}
}

func TestErrorsNameTheCase(t *testing.T) {
	cases := casetest.MustCases(t, casetest.Selection([]int{5}, "easy", "hard"))
	cases[1].Algorithm = casetest.MovedBy(t, cases[1].Annealing(), casetest.Stuck{})
	casetest.Refuses(t, tightness.Study(), cases, tightness.Options{}, "toy hard, T = 5: stage t = 2 of 5")
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	_, err := tightness.Study().Run(ctx, casetest.MustCases(t, casetest.Selection([]int{math.MaxInt / 4}, "easy", "hard", "barrier")), tightness.Options{}, study.How{Progress: func(int) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestSelections(t *testing.T) {
	file := casetest.File(t, "betas", "0\n0.5\n1\n")
	s := casetest.Selection(nil, "easy")
	if n := len(casetest.MustCases(t, s)); n != len(experiments.PaperDistributions()) {
		t.Errorf("%d cases by default", n)
	}
	s.Schedule = "file:" + file
	if c := casetest.MustCases(t, s); len(c) != 1 || c[0].Distributions() != 3 {
		t.Errorf("a schedule of three points makes %d cases", len(c))
	}
	s.Distributions = []int{4}
	if _, err := s.Cases(context.Background()); err == nil || !strings.Contains(err.Error(), "has 3 points but 4") {
		t.Errorf("error %v", err)
	}
	for _, spoil := range []func(*experiments.Selection){
		func(s *experiments.Selection) { s.Toys = []string{"eazy"} },
		func(s *experiments.Selection) { s.Kernel = "gibbs" },
		func(s *experiments.Selection) { s.Path = "straight" },
		func(s *experiments.Selection) { s.Schedule = "quick" },
		func(s *experiments.Selection) { s.Distributions = []int{1} },
	} {
		s := casetest.Selection([]int{10}, "easy")
		spoil(&s)
		if _, err := s.Cases(context.Background()); err == nil {
			t.Errorf("%+v is accepted", s)
		}
	}
}

func TestIntermediate(t *testing.T) {
	rows := casetest.Rows(t, tightness.Study(), casetest.MustCases(t, casetest.Selection([]int{100}, "barrier")), tightness.Options{})
	p := tightness.Intermediate(rows, []float64{0, 0.5, 1})[0]
	for x := range p.Target {
		if math.Abs(p.P[0][x]-1.0/49) > 1e-16 || p.P[2][x] != p.Target[x] {
			t.Errorf("state %d: at beta 0 %v, at beta 1 %v of %v", x, p.P[0][x], p.P[2][x], p.Target[x])
		}
	}
	corner := grid.MustNew(7, 7).Index(0, 6)
	if p.Output[corner] > 0.7*p.Target[corner] {
		t.Errorf("at T = 100 the sampler has %v of %v in the dominant mode's corner: it should not have found it", p.Output[corner], p.Target[corner])
	}
}

func ExampleStudy() {
	cases, err := experiments.Selection{
		Toys: []string{"easy", "barrier"}, Distributions: []int{1000},
		Path: "geometric", Schedule: "linear", Kernel: "metropolis",
	}.Cases(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := tightness.Study().Run(context.Background(), cases, tightness.Options{}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rows {
		fmt.Printf("%s: J = %.6f, B = %.6f, B/J = %.3f\n", r.Toy.Name, r.J, r.B, r.Ratio())
	}
	// Output:
	// easy: J = 0.005179, B = 0.070482, B/J = 13.610
	// barrier: J = 1.084690, B = 1.184352, B/J = 1.092
}
