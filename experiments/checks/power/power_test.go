package power

import (
	"context"
	"math"
	"strings"
	"testing"

	"breadboard/exact/kernel"
	"breadboard/experiments/checks/sbc"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
	"breadboard/toys/models"
)

// five is a network of five states and four data.
const five = "bif:../sbc/testdata/five.bif:evidence=y=k"

// powers returns what each test sees of each fault, by fault, test and statistic.
func powers(t *testing.T, toy string, change func(o *Options), faults ...string) map[[3]string]Row {
	t.Helper()
	cases, err := sbc.Selection{Toys: []string{toy}, Samplers: faults}.Cases(context.Background())
	longtest.NoError(t, err)
	o := *Study().Declaration.NewOptions().(*Options)
	change(&o)
	plan, err := plan(context.Background(), cases, &o)
	longtest.NoError(t, err)
	rows, err := plan.Run(context.Background(), study.How{Workers: 2})
	longtest.NoError(t, err)
	found := map[[3]string]Row{}
	for _, r := range rows {
		found[[3]string{r.Param("sampler"), r.test, r.statistic}] = r
	}
	return found
}

// TestRightSampler: no exact test sees anything of the right sampler, and those that expect
// independent draws say how soon they blame it.
func TestRightSampler(t *testing.T) {
	for at, r := range powers(t, five, func(*Options) {}, "metropolis", "power:1") {
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
	for at, r := range powers(t, "clu4", func(o *Options) { o.DataSets, o.Start = 5, "target" }, "bug:redraw") {
		if strings.HasPrefix(at[1], "rank test") || at[1] == "conform draws" {
			if !math.IsInf(r.Runs(), 1) {
				t.Errorf("%v finds a right kernel after %v runs", at, r.Runs())
			}
		}
		if r.Cheapest != (at[1] == "conform chain") {
			t.Errorf("%v: cheapest %v", at, r.Cheapest)
		}
	}
	for at, r := range powers(t, five, func(*Options) {}, "bug:redraw") {
		if strings.HasPrefix(at[1], "rank test") && !(r.Runs() < 1e4) {
			t.Errorf("%v needs %v runs", at, r.Runs())
		}
	}
}

// TestUnknown: if simulated data do not tell the nats from zero, the number of runs is not known,
// and a note says so.
func TestUnknown(t *testing.T) {
	for at, r := range powers(t, "clu4", func(o *Options) { o.DataSets = 5 }, "prior") {
		if unknown := at[1] == "SBC" && at[2] == "z"; math.IsNaN(r.Runs()) != unknown || strings.Contains(r.Note(), "not known") != unknown {
			t.Errorf("%v: %v runs: %s", at, r.Runs(), r.Note())
		}
	}
}

// TestJoint compares Geweke's joint test with the chain of states and data, listed.
func TestJoint(t *testing.T) {
	cases, err := sbc.Selection{Toys: []string{five}, Samplers: []string{"bug:skewed"}}.Cases(context.Background())
	longtest.NoError(t, err)
	toy, o := cases[0].Toy, sbc.Study().Declaration.NewOptions().(*sbc.Options)
	o.Draws = 3
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
	for range o.Draws {
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
	a := against{toy, cases[0].Algorithm.(sbc.Sampler), nil, o}
	got, err := a.joint(context.Background())
	longtest.NoError(t, err)
	if len(got) != 1 || math.Abs(got[0].nats.Value-want) > 1e-14 {
		t.Errorf("%+v; listed it is %v", got, want)
	}
}

// TestRule: chains that never move give an alarm each time, and independent draws hardly ever.
func TestRule(t *testing.T) {
	for at, r := range powers(t, five, func(o *Options) { o.Right = "independence"; o.Thin = []int{1} }, "stay") {
		if strings.HasPrefix(at[1], "R-hat") && (r.Runs() != 1 || !(r.RightRuns() > 10)) {
			t.Errorf("%v: an alarm after %v runs of a stuck chain, and after %v of independent draws", at, r.Runs(), r.RightRuns())
		}
	}
}
