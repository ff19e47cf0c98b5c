package power_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/exact/kernel"
	"breadboard/experiments/checks/power"
	"breadboard/experiments/checks/sbc"
	"breadboard/experiments/forms"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
	"breadboard/reports/columns"
	"breadboard/toys/models"
)

// five is a network of five states and four data.
const five = "bif:../sbc/testdata/five.bif:evidence=y=k"

// cell returns what a row of the study of tests has in a column.
func cell(r *power.Row, name string) any {
	list := power.Columns()
	return list[slices.IndexFunc(list, func(c columns.Field) bool { return c.Name == name })].Of(r)
}

// powers returns what each test sees of each fault, by fault, test and statistic.
func powers(t *testing.T, toy string, change func(o *power.Options),
	faults ...string) map[[3]string]power.Row {
	t.Helper()
	o := power.Study().Standard
	change(&o)
	cases := longtest.Must(sbc.Selection{Reader: forms.Reader(),
		Toys: []string{toy}, Samplers: faults}.Cases(t.Context()))(t)
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
			t.Errorf("%v takes %v runs for the right sampler as a fault, and %v as the right one",
				at, r.Runs(), r.RightRuns())
		case r.Cheapest && at[1] != "conform draws":
			t.Errorf("%v is said to find the right sampler", at)
		}
	}
}

// TestRedraw: Metropolis that redraws proposals off the edge is right where every state has as many
// neighbours, which only the test of moves sees to be another kernel; it is wrong on a line.
func TestRedraw(t *testing.T) {
	for at, r := range powers(t, "clu4", func(o *power.Options) {
		o.DataSets = 5
		o.Start = "target"
	}, "bug:redraw") {
		if strings.HasPrefix(at[1], "rank test") || at[1] == "conform draws" {
			if !math.IsInf(r.Runs(), 1) {
				t.Errorf("%v finds a right kernel after %v runs", at, r.Runs())
			}
		}
		if r.Cheapest != (at[1] == "conform chain") {
			t.Errorf("%v: cheapest %v", at, r.Cheapest)
		}
	}
	if !longtest.Enabled() {
		return
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
		if unknown := at[1] == "SBC" && at[2] == "z"; math.IsNaN(r.Runs()) != unknown ||
			strings.Contains(r.Note(), "not known") != unknown {
			t.Errorf("%v: %v runs: %s", at, r.Runs(), r.Note())
		}
	}
}

// TestJoint compares Geweke's joint test with the chain of states and data, listed.
func TestJoint(t *testing.T) {
	const rounds = 3
	cases := longtest.Must(sbc.Selection{Reader: forms.Reader(),
		Toys: []string{five}, Samplers: []string{"bug:skewed"}}.Cases(t.Context()))(t)
	toy := cases[0].Toy
	m := toy.Model.(models.Generative)
	n := 5
	k := 4
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
						next[[2]int{w, v}] += joint[[2]int{z, y}] * rows[y].EntryAt(z, w) * densities[v][w]
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
	r := powers(t, five, func(o *power.Options) { o.Draws = rounds },
		"bug:skewed")[[3]string{"bug:skewed", "Geweke's joint test", "z"}]
	if got := cell(&r, "nats_per_run").(float64); math.Abs(got-want) > 1e-14 {
		t.Errorf("%v; listed it is %v", got, want)
	}
}

// TestRule: chains that never move give an alarm each time, and independent draws hardly ever.
func TestRule(t *testing.T) {
	for at, r := range powers(t, five, func(o *power.Options) { o.Right = "independence"; o.Thin = []int{1} }, "stay") {
		if strings.HasPrefix(at[1], "R-hat") && (r.Runs() != 1 || !(r.RightRuns() > 10)) {
			t.Errorf("%v: an alarm after %v runs of a stuck chain, and after %v of independent draws", at,
				r.Runs(), r.RightRuns())
		}
	}
}

// TestImpossible: runs until what is impossible for the right sampler, or until the divergence of
// the other runs decides, whichever comes first.
func TestImpossible(t *testing.T) {
	// a chain leaves the state of probability zero with each second move
	halved := []string{"cells:0:-Inf", "metropolis", "conform draws"}
	for _, v := range []struct {
		at      []string // toy, fault, test
		burn    int
		runs    float64
		decides string
	}{
		{[]string{"cells:0:0:-12:0:0", "barker", "conform chain"}, 0, 105.613, "divergence"},
		{[]string{"hard", "barker", "conform chain"}, 0, 1.33408e6, "divergence"},
		{[]string{"cells:0:0:0:0:-Inf", "prior", "conform draws"}, 0, 5, "impossible event"},
		{halved, 0, 1 << 2, "impossible event"}, {halved, 39, 1 << 41, "impossible event"},
		{halved, 299, 0x1p301, "impossible event"},
	} {
		if (v.at[0] == "hard" || v.burn == 39) && !longtest.Enabled() {
			continue
		}
		found := powers(t, v.at[0], func(o *power.Options) {
			o.Burn = v.burn
			o.Thin = []int{1}
			o.Draws = 1
			o.Statistics = []string{"z"}
			if v.decides == "divergence" {
				o.Start = "target"
			}
		}, v.at[1])
		statistic := map[string]string{"conform chain": "moves", "conform draws": "state"}[v.at[2]]
		r := found[[3]string{v.at[1], v.at[2], statistic}]
		if off := math.Abs(r.Runs()/v.runs - 1); !(off < 1e-5) || r.DecidedBy() != v.decides {
			t.Errorf("%v after %d moves: %v runs, decided by %q; want %v, by the %s", v.at, v.burn, r.Runs(),
				r.DecidedBy(), v.runs, v.decides)
		}
		if right := r.RightRuns(); v.at[1] == "metropolis" && right != r.Runs() ||
			v.at[1] != "metropolis" && !(math.IsInf(right, 1) && r.Cheapest) {
			t.Errorf("%v blames the right sampler after %v runs; cheapest: %v", v.at, right, r.Cheapest)
		}
		if start := strings.Contains(r.Note(), "depend on the start of their chain"); start !=
			(v.at[1] == "metropolis") {
			t.Errorf("%v: %q", v.at, r.Note())
		}
		for at, r := range found {
			if seen := r.Runs() <= math.MaxFloat64; seen == (r.DecidedBy() == "") ||
				(r.DecidedBy() == "alarm") != (seen && strings.HasPrefix(at[1], "R-hat")) {
				t.Errorf("%v needs %v runs, decided by %q", at, r.Runs(), r.DecidedBy())
			}
		}
	}
}

// matrixOf writes rows into a file, and returns the selector of their kernel.
func matrixOf(t *testing.T, rows string) string {
	path := longtest.File(t, "rows.csv", rows)
	return "matrix:" + path
}

// TestLikelihoodRatio simulates the likelihood ratio test of moves between two states, of which the
// right kernel always leaves one. The mean number of moves is that of the row within a hundredth,
// for what the last move overshoots and the spread of the others, and five standard errors: it
// fails by chance with probability 6e-7.
func TestLikelihoodRatio(t *testing.T) {
	longtest.Only(t)
	const alpha, likelier = 1e-60, -1.5
	up := math.Exp(likelier)
	right := [2][2]float64{{1 - up, up}, {1, 0}}
	fault := [2][2]float64{{0.6, 0.4}, {0.999, 0.001}}
	at := matrixOf(t, "0.6,0.4\n0.999,0.001\n")
	moves := func(alpha float64) power.Row {
		return powers(t, fmt.Sprintf("cells:0:%v", likelier), func(o *power.Options) {
			o.Right = "flip"
			o.Start = "target"
			o.Alpha = alpha
			o.Thin = []int{1}
			o.Draws = 1
			o.Statistics = []string{"z"}
		}, at)[[3]string{at, "conform chain", "moves"}]
	}
	r := moves(alpha)
	sooner := moves(1e-50)
	c := chains.NewSampler(simulate.NewStream(1, "likelihood ratio", 0))
	times := longtest.Times(4000, 40_000)
	var sum, squares float64
	for range times {
		moves := 0.0
		x := c.Choose([]float64{1 / (1 + up), up / (1 + up)})
		for told := 0.0; told < -math.Log(alpha); {
			y := c.Choose(fault[x][:])
			moves++
			if right[x][y] == 0 {
				break
			}
			if x == 0 {
				told += math.Log(fault[x][y] / right[x][y])
			}
			x = y
		}
		sum = sum + moves
		squares = squares + moves*moves
	}
	mean := sum / float64(times)
	spread := math.Sqrt((squares/float64(times) - mean*mean) / float64(times))
	if !(math.Abs(mean-r.Runs()) < 0.01*r.Runs()+5*spread) || !(spread < 0.01*mean) {
		t.Errorf("a mean of %v moves with a standard error of %v; the row has %v", mean, spread, r.Runs())
	}
	if event := cell(&r, "event_per_run").(float64); !(mean < 0.7/event) ||
		!(mean < 0.8*-math.Log(alpha)/cell(&r, "nats_per_run").(float64)) {
		t.Errorf("%v moves are those until one of the two: the event has the probability %v", mean, event)
	}
	// The event comes first with probability 0.51 here, and 0.45 there.
	if r.DecidedBy() != "impossible event" || sooner.DecidedBy() != "divergence" {
		t.Errorf("decided by the %s, and at 1e-50 by the %s", r.DecidedBy(), sooner.DecidedBy())
	}
}

// TestPossibleMoves: the nats of moves are those of possible ones. Each row has a move of
// probability 1/4 that is impossible for the right kernel, and the others in the proportion 1:2.
func TestPossibleMoves(t *testing.T) {
	fault := matrixOf(t, "0.25,0.5,0.25\n0.25,0.25,0.5\n0.5,0.25,0.25\n")
	r := powers(t, "cells:0:0:0", func(o *power.Options) {
		o.Right = matrixOf(t, "0.5,0.5,0\n0,0.5,0.5\n0.5,0,0.5\n")
		o.Start = "target"
	}, fault)[[3]string{fault, "conform chain", "moves"}]
	nats := cell(&r, "nats_per_run").(float64)
	event := cell(&r, "event_per_run").(float64)
	if want := math.Log(2.0/3)/3 + 2*math.Log(4.0/3)/3; math.Abs(nats/want-1) > 1e-13 ||
		math.Abs(event-0.25) > 1e-14 {
		t.Errorf("%v nats, want %v, and an event of probability %v", nats, want, event)
	}
}

// TestReversal: the rank test of Gandy and Scott never blames a right kernel that is not
// reversible, and finds others that leave the target invariant. A right kernel without a reversal
// is run on both sides.
func TestReversal(t *testing.T) {
	const test = "rank test of Gandy and Scott"
	for _, v := range []struct {
		toy, right, fault string
		runs              float64 // +Inf if nothing is seen
	}{
		{"random:1:3:2x2", "heatbath-scan", "heatbath-scan", math.Inf(1)},
		{"random:1:3:2x2", "heatbath-scan", "metropolis", 42823.6},
		{"random:1:3:2x2", "heatbath-scan", "stay", 805.078},
		{"random:1:3:2x2", "metropolis", "heatbath-scan", 813503},
		{"random:1:3:2x2", "metropolis", "stay", math.Inf(1)},
		{"cells:0:-9996:1/0:-9996:-3", "heatbath-scan", "heatbath-scan", math.Inf(1)},
		{"cells:1000000:999990:1000001/999999:1000003:1000001", "heatbath-scan", "heatbath-scan",
			math.Inf(1)},
		{"cells:0:-Inf:1/-Inf:-3:2", "heatbath-scan", "stay", 956.918},
	} {
		if (v.toy != "random:1:3:2x2" || v.fault != "metropolis") && !longtest.Enabled() {
			continue
		}
		for at, r := range powers(t, v.toy, func(o *power.Options) {
			o.Right = v.right
			o.Start = "target"
			o.Statistics = []string{"z"}
		}, v.fault) {
			if !strings.HasPrefix(at[1], test) {
				continue
			}
			same := r.Runs() == v.runs || math.Abs(r.Runs()/v.runs-1) < 1e-5
			if !math.IsInf(r.RightRuns(), 1) || at[1] == test && !same {
				t.Errorf("%s of %s, if %s is right: %v runs, want %v; and %v of the right sampler", at[1],
					v.fault, v.right, r.Runs(), v.runs, r.RightRuns())
			}
		}
	}
	for rows, invariant := range map[string]bool{
		"0.2,0.7,0.1\n0.1,0.2,0.7\n0.7,0.1,0.2\n": true, "0.2,0.7,0.1\n0.1,0.2,0.7\n0.6,0.2,0.2\n": false} {
		at := matrixOf(t, rows)
		r := powers(t, "cells:0:0:0", func(o *power.Options) { o.Right = at }, at)[[3]string{at, test, "z"}]
		if math.IsInf(r.Runs(), 1) != invariant || r.Runs() != r.RightRuns() {
			t.Errorf("rows %q: %v runs, and %v as the right one", rows, r.Runs(), r.RightRuns())
		}
	}
}
