package sbc_test

import (
	"errors"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/simulate"
	"breadboard/experiments/checks/sbc"
	"breadboard/experiments/forms"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/toys/models"
)

// five is a network of five states and four data.
const five = "bif:testdata/five.bif:evidence=y=k"

func solved(t *testing.T, change func(o *sbc.Options), toy string, names ...string) []sbc.Row {
	t.Helper()
	o := sbc.Study().Standard
	change(&o)
	cases := longtest.Must(sbc.Selection{Reader: forms.Reader(),
		Toys: []string{toy}, Samplers: names}.Cases(t.Context()))(t)
	return longtest.Must(study.Run(t.Context(), sbc.Study(), cases, o, study.How{Workers: 1}))(t)
}

// TestRefusedBefore: ranks that take too much memory are refused before the kernel is asked, here
// one that there is not.
func TestRefusedBefore(t *testing.T) {
	c := longtest.Must(
		sbc.Selection{Reader: forms.Reader(),
			Toys: []string{"ising:4x5:0.3"}, Samplers: []string{"flip"}}.Cases(t.Context()),
	)(t)[0]
	c.Algorithm = sbc.Chain{}
	o := sbc.Study().Standard
	longtest.Refuses(sbc.RowsOf(t.Context(), &c, &o, 1, func(int) func(int) { return func(int) {} }))(t,
		"numbers in memory")
}

// TestSimulation compares ranks with those of runs that are simulated step by step: a right test
// fails with probability below 1e-8.
func TestSimulation(t *testing.T) {
	runs := longtest.Times(20_000, 400_000)
	for _, start := range []string{"initial", "target", sbc.Truth} {
		if start != "target" && !longtest.Enabled() {
			continue
		}
		for _, name := range []string{"bug:redraw", "metropolis"} {
			for _, r := range solved(t, func(o *sbc.Options) {
				o.Start = start
				o.Burn = 1
				o.Thin = []int{2}
				o.Draws = 7
			}, five, name) {
				counts := countRanks(t, &r, start, runs)
				square := 0.0
				for k, p := range r.Ranks {
					want := p * float64(runs)
					square += (counts[k] - want) * (counts[k] - want) / want
				}
				if square > 52 { // 7 degrees of freedom: 6e-9
					t.Errorf("%s of %s from %s: chi-square %v of 7; %v are not %v", r.Statistic, name, start,
						square, counts, r.Ranks)
				}
			}
		}
	}
}

// countRanks counts the ranks of runs of a chain.
func countRanks(t *testing.T, r *sbc.Row, start string, runs int) []float64 {
	toy := r.Toy
	counts := make([]float64, r.Draws+1)
	m := toy.Model.(models.Generative)
	c := chains.NewSampler(simulate.NewStream(7, r.Statistic+start+r.Sampler(), 0))
	of := longtest.Sure(sbc.StatisticOf(r.Statistic, toy))
	sets := map[float64]*sbc.Posterior{} // by the value seen
	for range runs {
		z := c.Choose(sbc.Normalised(m.LogPrior()))
		y := m.Simulate(z, models.NormalsOf{RealChooser: c})
		d := sets[y[0][0]]
		if d == nil {
			d = sbc.PosteriorOf(m.LogPrior(), m.With(y).LogLikelihood(1))
			sets[y[0][0]] = d
		}
		x := z
		switch start {
		case "initial":
			x = c.Choose(sbc.Normalised(m.LogPrior()))
		case "target":
			x = c.Choose(d.P)
		}
		values := of(d)
		below := 0
		equal := 0
		for k := range 1 + 2*r.Draws { // one move is left out, and then every other one
			x = r.Algorithm.(sbc.Chain).Kernel.Move(c, d.LogF, x)
			if k == 0 || k%2 > 0 {
				continue
			}
			switch {
			case values[x] < values[z]:
				below++
			case values[x] == values[z]:
				equal++
			}
		}
		counts[below+c.Uniform(equal+1)]++
	}
	return counts
}

// TestWhatIsSeen checks what SBC can see and what it cannot, by theory.
func TestWhatIsSeen(t *testing.T) {
	rows := solved(t, func(*sbc.Options) {}, five, "iid", "prior", "power:1", "power:0.5")
	never := map[string]bool{"iid z": true, "iid loglik": true, "power:1 z": true, "power:1 loglik": true}
	// the posterior averaged over the data is the prior (Talts et al. 2018, section 2)
	never["prior z"] = true
	for _, r := range rows {
		if what := r.Sampler() + " " + r.Statistic; math.IsInf(r.Runs(), 1) != never[what] {
			t.Errorf("%s takes %v runs; never is %v", what, r.Runs(), never[what])
		}
		if r.DataSets != 4 || r.Error != 0 {
			t.Errorf("%s is over %d data sets with an error of %v; there are 4", r.Sampler(), r.DataSets, r.Error)
		}
	}
}

// TestSimulatedData: the mean over few simulated data sets is within five standard errors of that
// over many.
func TestSimulatedData(t *testing.T) {
	many := solved(t, func(o *sbc.Options) {
		o.DataSets = longtest.Times(1000, 30_000)
		o.Seed = 2
	}, "clu4", "prior")
	few := solved(t, func(*sbc.Options) {}, "clu4", "prior")
	for i, r := range few {
		if off := math.Abs(r.Nats.Value - many[i].Nats.Value); r.DataSets != 100 || r.Error == 0 ||
			off > 5*math.Hypot(r.Error, many[i].Error) {
			t.Errorf("%s: %v nats with the error %v from %d data sets; %v with %v from many", r.Statistic,
				r.Nats.Value, r.Error, r.DataSets,
				many[i].Nats.Value, many[i].Error)
		}
	}
}

// TestKeepsOthers: a list in which one entry is refused keeps the others.
func TestKeepsOthers(t *testing.T) {
	cases, err := sbc.Selection{
		Reader:   forms.Reader(),
		Toys:     []string{"clu4", "nothing"},
		Samplers: []string{"iid", "bug:none", "power:x", "power:-1"},
	}.Cases(t.Context())
	var failures subject.Failures
	if len(cases) != 1 || !errors.As(err, &failures) || len(failures) != 4 {
		t.Fatalf("%d cases; %d failures: %v", len(cases), len(failures), err)
	}
	for i, want := range []string{"accept-all", "number", "from 0 to 100", "nothing"} {
		longtest.Refused(t, failures[i], want)
	}
}

// TestRunsUntil: a run in which an event of probability e ends the test adds (1-e)^k to the mean
// number of runs; m runs without it end the test, too.
func TestRunsUntil(t *testing.T) {
	never := math.Inf(1)
	alpha := math.Exp(-1)
	for _, v := range []struct{ m, event, want float64 }{
		{3, 0, 3}, {0.1, 0, 1}, {never, 0, never}, {1e300, 0, 1e300}, // the nats alone
		// the event alone
		{never, 0.2, 5}, {never, 1, 1}, {never, 1e-12, 1e12}, {never, 1e-91, 1e91}, {never, 1e-300, 1e300},
		{3, 0.5, 1.75}, {0.1, 0.5, 1}, {7, 1, 1}, {2, 0.1, 1.9}, {100, 1e-12, 100 * (1 - 49.5e-12)},
		{1e12, 1e-20, 1e12 * (1 - 5e-9)},
		{1e300, 1e-300, 1e300 * (1 - alpha)}, {1e297, 1e-300, 1e300 * 9.995001666250083e-4},
		{1e300, 1e-12, 1e12},
		{105.5, 1e-300, 105.5}, {1.5, 5e-324, 1.5}, {1e300, 1e-310, 1e300 * (1 - 5e-11)}, {1e10, 1e-5, 1e5},
	} {
		if got := sbc.Runs(
			number.Exactly(1/v.m),
			0,
			v.event,
			alpha,
		); !(got == v.want || math.Abs(got/v.want-1) <= 1e-14) {
			t.Errorf("%v runs, or an event of probability %v: %v, want %v", v.m, v.event, got, v.want)
		}
	}
	for _, nats := range []number.Bounded{{Value: 1e-9, Error: 1e-8}, number.Exactly(math.NaN())} {
		if got := sbc.Runs(nats, 0, 0.25, alpha); got != 4 {
			t.Errorf("%v nats with an event of probability 1/4: %v runs, want 4", nats, got)
		}
	}
	if got := sbc.Runs(number.Exactly(0.1), 0.06, 0, alpha); !math.IsNaN(got) {
		t.Errorf("nats within two standard errors of zero: %v runs", got)
	}
}
