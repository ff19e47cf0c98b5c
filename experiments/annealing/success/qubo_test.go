package success_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/experiments/annealing/success"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// crossed are the cases of a problem of 30 variables by all combinations.
func crossed(t *testing.T, toy string, betas []float64, schedules, kernels []string,
	T ...int) []subject.Case {
	t.Helper()
	s := subject.Crossed{
		Selection: successSelection(toy, "metropolis", T...),
		Schedules: schedules,
		Kernels:   kernels,
	}
	if betas != nil {
		s.Toys = nil
	}
	for _, beta := range betas {
		s.Toys = append(s.Toys, fmt.Sprintf("%s:%v", toy, beta))
	}
	s.Factored = true
	return longtest.Must(s.Cases(context.Background()))(t)
}

// TestQUBO: two problems of 30 variables, of which one is sparse and one dense, have the least
// energy, the number of states with it, the first of these and the probability under the target
// that a program in NumPy finds by all 2^30 states. They are the same for all factors, and the rows
// of a problem with the least TTS, in updates, are marked, or open if intervals overlap.
func TestQUBO(t *testing.T) {
	longtest.Only(t)
	for file, want := range map[string]struct {
		energy, states float64
		best           string
		p              map[string]float64
	}{
		"q30": {-159, 2, "100111010101011101001101101101", map[string]float64{
			"1": 0.4192930558290394, "2": 0.7538027161493903, "0.1": 6.358145416179933e-05}},
		"q30dense": {-349, 1, "101111011011101100101101011101", map[string]float64{
			"1": 0.9053323681393065, "2": 0.9967946135666778, "0.1": 0.005611002560150271}},
	} {
		name := "qubo:testdata/" + file + ".qubo"
		cases := crossed(t, name, []float64{0.1, 1, 2}, []string{"linear", "power:0.5"},
			[]string{"flip", "heatbath-scan"}, 3, 30)
		rows := casetest.Rows(t, success.Study(), cases, success.Options{Levels: 1, Chains: 100, Seed: 1, Best: true})
		if len(rows) != 3*2*2*2 || rows[0].Param("toy") != name+":0.1" ||
			rows[7].Param("kernel") != "heatbath-scan" || rows[7].Param("schedule") != "power:0.5" {
			t.Fatalf("%d rows, %v, %v", len(rows), rows[0].Params, rows[7].Params)
		}
		for i := range rows {
			r := &rows[i]
			if r.Energy != want.energy || r.States != want.states || r.Best != want.best {
				t.Errorf("%v: energy %v of %v states, %s", r.Params, r.Energy, r.States, r.Best)
			}
			beta := strings.TrimPrefix(r.Param("toy"), name+":")
			if p := math.Exp(r.LogTarget); math.Abs(p/want.p[beta]-1) > 1e-11 {
				t.Errorf("%v: the target has it with probability %v, want %v", r.Params, p, want.p[beta])
			}
			if said := strings.Contains(strings.Join(r.Notes(), "; "), "no T cures that"); said !=
				(want.p[beta] < 0.5) {
				t.Errorf("%v: notes %v", r.Params, r.Notes())
			}
			each := map[string]float64{"flip": 1, "heatbath-scan": 30}[r.Param("kernel")]
			runs := math.Inf(1)
			if r.Unseen.Value < 1 {
				runs = max(1, math.Ceil(math.Log(0.01)/math.Log(r.Unseen.Value)-1e-9))
			}
			if want := each * float64(r.Distributions()-1) * runs; r.TTS().Value != want {
				t.Errorf("%v: TTS %v, want %v", r.Params, r.TTS(), want)
			}
			least := !slices.ContainsFunc(
				rows,
				func(other success.Row) bool { return other.TTS().Value < r.TTS().Value },
			)
			if r.Least && !least || least && !math.IsInf(r.TTS().Value, 1) && !r.Least && !r.Open {
				t.Errorf("%v: least TTS %v, open %v, want %v or open", r.Params, r.Least, r.Open, least)
			}
		}
	}
}

// TestUpdates: a sweep makes an update of each variable, and a repeated move one each time.
func TestUpdates(t *testing.T) {
	for kernel, want := range map[string]int{
		"flip": 1, "heatbath": 1, "heatbath-scan": 4, "repeat:3:flip": 3, "stay": 1} {
		rows := casetest.Rows(t, success.Study(),
			casetest.MustCases(t, successSelection("ising:2x2:0.3", kernel, 3)), success.Options{Levels: 1})
		if got := rows[0].Updates(); got != want {
			t.Errorf("%s: %d updates, want %d", kernel, got, want)
		}
	}
}

// TestListedEnergy: problems whose states are listed have the energy of each level, also on
// classes, and their first states.
func TestListedEnergy(t *testing.T) {
	toy := "qubo:" + longtest.File(
		t,
		"pair.qubo",
		"p qubo 0 3 3 3\n0 0 -1\n1 1 -1\n2 2 -1\n0 1 2\n1 2 2\n0 2 0.5\n",
	) + ":0.3"
	for _, quotient := range []string{"", "quotient:values:"} {
		s := successSelection(quotient+toy, "flip", 4)
		colder := s
		colder.Toys = []string{quotient + strings.TrimSuffix(toy, ":0.3") + ":0.4"}
		rows := casetest.Rows(t, success.Study(), append(casetest.MustCases(t, s),
			casetest.MustCases(t, colder)...), success.Options{Levels: 3, Best: true})
		for i := range 3 {
			if a, b := &rows[i], &rows[i+3]; a.Least != (a.TTS().Value <= b.TTS().Value) ||
				b.Least != (b.TTS().Value <= a.TTS().Value) {
				t.Errorf("%s: of energy %v the TTS are %v and %v, and the least ones %v and %v", quotient,
					a.Energy, a.TTS(), b.TTS(), a.Least, b.Least)
			}
		}
		for i, want := range []string{"-1.5 1 101", "-1 4 001", "0 7 000"} {
			if r := rows[i]; fmt.Sprint(r.Energy, " ", r.States, " ", r.Best) != want ||
				math.Abs(r.Level+0.3*r.Energy) > 1e-15 {
				t.Errorf("%s: %v, %v states, %s, want %s", quotient, r.Energy, r.States, r.Best, want)
			}
		}
	}
}
