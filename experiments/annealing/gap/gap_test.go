package gap_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"breadboard/experiments/annealing/gap"
	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	_ "breadboard/grid/longtest" // the flag -long, and fixed seeds
)

// TestGapStudy: spans cover all stages once, whatever their number, and everything adds up to B.
func TestGapStudy(t *testing.T) {
	cases := casetest.MustCases(t, casetest.Selection([]int{2, 30, 101}, "easy", "barrier"))
	gaps := casetest.RowsBy(t, gap.Study(), cases, study.NoOptions{}, study.How{Workers: 2})
	for i := range gaps {
		g := &gaps[i]
		if !g.OK() || g.Distributions() != cases[i].Distributions() {
			t.Errorf("%s: %+v", &g.Case, g.Identities)
		}
		for _, n := range []int{1, 7, 20, 1000} {
			next := 2
			beta := 0.0
			forward := 0.0
			reverse := 0.0
			spans := g.Spans(n)
			for _, s := range spans {
				if s.First != next || s.Last < s.First || s.BetaFrom != beta ||
					s.Jeffreys != g.Stages[s.Last-2].Jeffreys {
					t.Fatalf("%s: span %+v follows stage %d, beta %v", &g.Case, s, next-1, beta)
				}
				next = s.Last + 1
				beta = s.BetaTo
				forward, reverse = forward+s.Forward, reverse+s.Reverse
				if s.AllForward != forward || s.AllRev != reverse {
					t.Fatalf("%s: span %+v, sums %v and %v", &g.Case, s, forward, reverse)
				}
			}
			if next != g.Distributions()+1 || beta != 1 || len(spans) != min(n, g.Distributions()-1) ||
				math.Abs(forward+reverse+g.Solution.J-g.Solution.B) > 1e-12 {
				t.Errorf("%s: %d spans to stage %d, beta %v, sums %v and %v", &g.Case, len(spans), next-1,
					beta, forward, reverse)
			}
		}
	}
	gaps[0].Identities[2].OK = false
	if gaps[0].OK() {
		t.Error("a failed identity is fine")
	}
}

func TestGapStudyRefuses(t *testing.T) {
	casetest.Refuses(t, gap.Study(), casetest.MustCases(
		t,
		casetest.Selection([]int{600_000}, "easy", "hard"),
	), study.NoOptions{}, "more than 1000000 stages")
}

// The gap B - J of BARRIER, in the order in which it arises.
func Example_gapStudy() {
	cases, _ := subject.Selection{
		Reader:        forms.Reader(),
		Toys:          []string{"barrier"},
		Distributions: []int{100},
		Path:          "geometric",
		Schedule:      "linear",
		Kernel:        "metropolis",
	}.Cases(context.Background())
	rows, err := study.Run(context.Background(), gap.Study(), cases, study.NoOptions{}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range rows[0].Spans(4) {
		fmt.Printf("up to beta %.2f: %.4f nats\n", s.BetaTo, s.Forward+s.Reverse)
	}
	fmt.Println("all identities hold:", rows[0].OK())
	// Output:
	// up to beta 0.24: 0.1212 nats
	// up to beta 0.49: 0.0357 nats
	// up to beta 0.75: 0.0051 nats
	// up to beta 1.00: 0.0006 nats
	// all identities hold: true
}
