package subjective_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/chains/selector/selectortest"
	"breadboard/exact"
	"breadboard/experiments"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/study"
	"breadboard/experiments/subjective"
	"breadboard/grid/longtest"
)

// TestSubjectiveStudy: with the target as the reference the value is B; a file with log p_T, less a constant, is the
// target too; and uniform is where every annealing starts.
func TestSubjectiveStudy(t *testing.T) {
	text := strings.Repeat("5,5,5,-5,8,8,8\n", 3) + "-5,-5,-5,-5,-5,-5,-5\n" + strings.Repeat("5,5,5,-5,5,5,5\n", 3)
	file := casetest.File(t, "reference.csv", text)
	cases := casetest.MustCases(t, casetest.Selection([]int{50, 200}, "barrier"))
	o := subjective.Options{
		References: []string{"uniform", "initial", "target", "file:" + file, "mode", "point:4"},
		Moves:      []int{5, 0},
	}
	runs := casetest.RowsBy(t, subjective.Study(), cases, o, study.How{Workers: 2})
	if len(runs) != 12 {
		t.Errorf("%d runs", len(runs))
	}
	for i := 0; i < len(runs); i += 6 {
		same := func(a, b int, what string) {
			for k := range o.Moves {
				p, q := runs[i+a].Points[k], runs[i+b].Points[k]
				if p.Moves != o.Moves[k] || q.Moves != o.Moves[k] || math.Abs(p.Value-q.Value) > 1e-13 || math.Abs(p.KL-q.KL) > 1e-13 {
					t.Errorf("%s: %+v and %+v", what, p, q)
				}
			}
		}
		same(0, 1, "uniform and initial")
		same(2, 3, "target and file")
		same(4, 5, "mode and the first state of the mode")
		for _, p := range runs[i+2].Points {
			if math.Abs(p.Value-runs[i].Solution.B) > 1e-13 || !runs[i+2].IsBound(p) || runs[i+2].BoundFrom != 0 {
				t.Errorf("from the target %+v, B = %v", p, runs[i].Solution.B)
			}
		}
		if p := runs[i].Points[1]; p.Value > runs[i].Solution.J || runs[i].IsBound(p) || runs[i].BoundFrom != -1 {
			t.Errorf("from uniform %+v, J = %v", p, runs[i].Solution.J)
		}
	}
}

func TestSubjectiveRefuses(t *testing.T) {
	file := casetest.File(t, "target.csv", "1,2\n-inf,0\n")
	cases := casetest.MustCases(t, casetest.Selection([]int{5}, "file:"+file))
	valid := subjective.Options{References: []string{"mode"}, Moves: []int{0}}
	longtest.Must(subjective.Study().Plan(context.Background(), cases, &valid))(t)
	for want, change := range map[string]func(o *subjective.Options){
		"no reference is named":                   func(o *subjective.Options) { o.References = nil },
		"0 or more":                               func(o *subjective.Options) { o.Moves = []int{3, -1} },
		"did you mean uniform? choices":           func(o *subjective.Options) { o.References = []string{"unifrm"} },
		"no value of axis x1; the nearest is 1":   func(o *subjective.Options) { o.References = []string{"fitted:1=3"} },
		"numbered from 0 to 3":                    func(o *subjective.Options) { o.References = []string{"point:4"} },
		`"point:": the states`:                    func(o *subjective.Options) { o.References = []string{"point:"} },
		"at state 2, where the target is zero":    func(o *subjective.Options) { o.References = []string{"mode", "uniform"} },
		"reference \"file:/nonexistent/r.csv\": ": func(o *subjective.Options) { o.References = []string{"file:/nonexistent/r.csv"} },
	} {
		o := valid
		change(&o)
		casetest.Refuses(t, subjective.Study(), cases, o, want)
	}
}

// FuzzParseReference: what is read is a law over the states, and everything else an error.
func FuzzParseReference(f *testing.F) {
	for _, s := range []string{"uniform", "initial", "target", "mode", "point:3", "point:-1", "point:1e3", "point: 2", "file:", "", "uniform:3", "fitted:0=1", "fitted:2=0", "fitted:=", "fitted:0=1e0"} {
		f.Add(s)
	}
	cases := casetest.MustCases(f, casetest.Selection([]int{3}, "random:2:7:2x3"))
	a := cases[0].Annealing()
	f.Fuzz(func(t *testing.T, s string) {
		if strings.HasPrefix(s, "file:") && len(s) > 5 {
			t.Skip("no files are read here")
		}
		r, err := subjective.ParseReference(s, &cases[0])
		if err == nil {
			err = exact.CheckReference(a, r)
			if err != nil {
				t.Errorf("%q is read as %v: %v", s, r, err)
			}
		}
	})
}

// Reverse chains that start from the uniform law give no bound on J, until they have been moved under the target often.
func ExampleStudy() {
	cases, _ := experiments.Selection{
		Toys: []string{"easy"}, Distributions: []int{100}, Path: "geometric", Schedule: "linear", Kernel: "metropolis",
	}.Cases(context.Background())
	rows, err := subjective.Study().Run(context.Background(), cases, subjective.Options{References: []string{"uniform"}, Moves: []int{0, 10, 100}}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range rows[0].Points {
		fmt.Printf("%d moves: %.4f nats, a bound: %v\n", p.Moves, p.Value, rows[0].IsBound(p))
	}
	fmt.Printf("J = %.4f nats\n", rows[0].Solution.J)
	// Output:
	// 0 moves: 0.0612 nats, a bound: false
	// 10 moves: 0.1690 nats, a bound: true
	// 100 moves: 0.3726 nats, a bound: true
	// J = 0.1301 nats
}

// TestReferencesByNumber: the first and the last state are some, and those beside them none.
func TestReferencesByNumber(t *testing.T) {
	c := casetest.MustCases(t, casetest.Selection([]int{2}, "easy"))[0]
	for selector, at := range map[string]int{"point:0": 0, "point:48": 48, "point:-1": -1, "point:49": -1, "point:x": -1} {
		r, err := subjective.ParseReference(selector, &c)
		if (err == nil) != (at >= 0) || at >= 0 && r[at] != 1 {
			t.Errorf("%s: %v, %v", selector, r, err)
		}
	}
}

func TestReferenceForms(t *testing.T) {
	file := casetest.File(t, "r.csv", "0,1,2\n1,0,-1\n")
	cases := casetest.MustCases(t, casetest.Selection([]int{3}, "random:2:7:2x3"))
	selectortest.Run(t, selectortest.Check[*experiments.Case, []float64]{
		Set: subjective.ReferenceForms(), Env: &cases[0], Examples: map[string]string{"file": "file:" + file}, Same: slices.Equal[[]float64],
	})
	// A reference without arguments that has some is no reference at all.
	if _, err := subjective.ParseReference("mode:1", &cases[0]); err == nil || !strings.Contains(err.Error(), `unknown reference "mode:1"; did you mean mode?`) {
		t.Errorf("mode:1: %v", err)
	}
}
