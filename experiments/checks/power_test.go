package checks_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/exact/kernel"
	"breadboard/experiments/checks/power"
	"breadboard/experiments/checks/sbc"
	"breadboard/experiments/columns"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
	"breadboard/toys/models"
)

// cell returns what a row of the study of tests has in a column.
func cell(r *power.Row, name string) any {
	list := power.Columns()
	return list[slices.IndexFunc(list, func(c columns.Field) bool { return c.Name == name })].Of(r)
}

// powers returns what each test sees of each fault, by fault, test and statistic.
func powers(t *testing.T, toy string, change func(o *power.Options), faults ...string) map[[3]string]power.Row {
	t.Helper()
	o := power.Study().Standard
	change(&o)
	cases := longtest.Must(sbc.Selection{Toys: []string{toy}, Samplers: faults}.Cases(t.Context()))(t)
	found := map[[3]string]power.Row{}
	for _, r := range longtest.Must(study.Run(t.Context(), power.Study(), cases, o, study.How{Workers: 2}))(t) {
		found[[3]string{r.Param("sampler"), cell(&r, "test").(string), cell(&r, "statistic").(string)}] = r
	}
	return found
}

// TestRightSampler: no exact test sees anything of the right sampler, and those that expect
// independent draws say how soon they blame it.
func TestRightSampler(t *testing.T) {
	for at, r := range powers(t, five, func(*power.Options) {}, "metropolis", "power:1") {
		dependent := at[0] == "metropolis" && strings.Contains(at[1], "SBC")
		switch {
		case strings.HasPrefix(at[1], "R-hat"):
		case dependent == math.IsInf(r.Runs(), 1) && at[1] != "conform draws": // which starts at the prior
			t.Errorf("%v finds the right sampler after %v runs", at, r.Runs())
		case r.Runs() != r.RightRuns():
			t.Errorf("%v takes %v runs for the right sampler as a fault, and %v as the right one", at, r.Runs(), r.RightRuns())
		case r.Cheapest && at[1] != "conform draws":
			t.Errorf("%v is said to find the right sampler", at)
		}
	}
}

// TestRedraw: Metropolis that redraws proposals off the edge is right where every state has as many
// neighbours, which only the test of moves sees to be another kernel; it is wrong on a line.
func TestRedraw(t *testing.T) {
	for at, r := range powers(t, "clu4", func(o *power.Options) { o.DataSets, o.Start = 5, "target" }, "bug:redraw") {
		if strings.HasPrefix(at[1], "rank test") || at[1] == "conform draws" {
			if !math.IsInf(r.Runs(), 1) {
				t.Errorf("%v finds a right kernel after %v runs", at, r.Runs())
			}
		}
		if r.Cheapest != (at[1] == "conform chain") {
			t.Errorf("%v: cheapest %v", at, r.Cheapest)
		}
	}
	for at, r := range powers(t, five, func(*power.Options) {}, "bug:redraw") {
		if strings.HasPrefix(at[1], "rank test") && !(r.Runs() < 1e4) {
			t.Errorf("%v needs %v runs", at, r.Runs())
		}
	}
}

// TestUnknown: if simulated data do not tell the nats from zero, the number of runs is not known,
// and a note says so.
func TestUnknown(t *testing.T) {
	for at, r := range powers(t, "clu4", func(o *power.Options) { o.DataSets = 5 }, "prior") {
		if unknown := at[1] == "SBC" && at[2] == "z"; math.IsNaN(r.Runs()) != unknown || strings.Contains(r.Note(), "not known") != unknown {
			t.Errorf("%v: %v runs: %s", at, r.Runs(), r.Note())
		}
	}
}

// TestJoint compares Geweke's joint test with the chain of states and data, listed.
func TestJoint(t *testing.T) {
	const rounds = 3
	cases := longtest.Must(sbc.Selection{Toys: []string{five}, Samplers: []string{"bug:skewed"}}.Cases(t.Context()))(t)
	toy := cases[0].Toy
	m := toy.Model.(models.Generative)
	n, k := 5, 4
	densities := make([][]float64, k) // p(y|z)
	rows := make([]*kernel.Rows, k)
	for y := range k {
		d := sbc.PosteriorOf(m.LogPrior(), m.With([][]float64{{float64(y)}}).LogLikelihood(1))
		for _, l := range d.LogLikelihood {
			densities[y] = append(densities[y], math.Exp(l))
		}
		rows[y] = longtest.Sure(kernel.NewRows(context.Background(), cases[0].Algorithm.(sbc.Chain).Kernel, d.LogF))
	}
	prior := sbc.Normalised(m.LogPrior())
	joint := map[[2]int]float64{}
	for z := range n {
		for y := range k {
			joint[[2]int{z, y}] = prior[z] * densities[y][z]
		}
	}
	for range rounds {
		next := map[[2]int]float64{}
		for z := range n {
			for y := range k {
				for w := range n {
					for v := range k {
						next[[2]int{w, v}] += joint[[2]int{z, y}] * rows[y].At(z, w) * densities[v][w]
					}
				}
			}
		}
		joint = next
	}
	want := 0.0
	for z := range n {
		q := 0.0
		for y := range k {
			q += joint[[2]int{z, y}]
		}
		want += q * math.Log(q/prior[z])
	}
	r := powers(t, five, func(o *power.Options) { o.Draws = rounds }, "bug:skewed")[[3]string{"bug:skewed", "Geweke's joint test", "z"}]
	if got := cell(&r, "nats_per_run").(float64); math.Abs(got-want) > 1e-14 {
		t.Errorf("%v; listed it is %v", got, want)
	}
}

// TestRule: chains that never move give an alarm each time, and independent draws hardly ever.
func TestRule(t *testing.T) {
	for at, r := range powers(t, five, func(o *power.Options) { o.Right = "independence"; o.Thin = []int{1} }, "stay") {
		if strings.HasPrefix(at[1], "R-hat") && (r.Runs() != 1 || !(r.RightRuns() > 10)) {
			t.Errorf("%v: an alarm after %v runs of a stuck chain, and after %v of independent draws", at, r.Runs(), r.RightRuns())
		}
	}
}
