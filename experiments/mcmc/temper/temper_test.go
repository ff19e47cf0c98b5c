package temper_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/exact/replicas"
	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/mcmc/temper"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/toys/networks"
)

// temperSelection is a ladder of that many rungs on a target.
func temperSelection(toy, kernel, ladder string, rungs int) subject.Selection {
	return subject.Selection{
		Reader:        forms.Reader(),
		Toys:          []string{toy},
		Distributions: []int{rungs},
		Path:          "geometric",
		Schedule:      ladder,
		Kernel:        kernel,
	}
}

func Example_temper() {
	ctx := context.Background()
	cases, err := temperSelection("barrier:3x3", "metropolis", "acceptance", 3).Cases(ctx)
	if err != nil {
		panic(err)
	}
	rows, err := study.Run(ctx, temper.Study(), cases, temper.Study().Standard, study.How{})
	if err != nil {
		panic(err)
	}
	r := &rows[0]
	fmt.Printf("%.5f round trips a scan, and the formula says %.5f; %.0f times as precise as a plain chain\n",
		r.Rate.PerScan, r.Formula, r.Gain().Value)
	// Output:
	// 0.10208 round trips a scan, and the formula says 0.15717; 4875 times as precise as a plain chain
}

// reference calls a test for each row of a study of the reference, which stands beside the package
// of replicas.
func reference(t *testing.T, name string,
	test func(t *testing.T, id string, inputs map[string]any, values map[string]float64)) {
	longtest.Only(t)
	var all []struct {
		ID, Study string
		Inputs    map[string]any
		Values    map[string]float64
	}
	longtest.NoError(
		t,
		json.Unmarshal(longtest.Must(os.ReadFile("../../../exact/replicas/testdata/tempering.json"))(t), &all),
	)
	for _, r := range all {
		if r.Study == name {
			test(t, r.ID, r.Inputs, r.Values)
		}
	}
}

// temperNear compares a number with what another program has found.
func temperNear(t *testing.T, what string, got, want, relative float64) {
	t.Helper()
	if !(math.Abs(got-want) <= relative*math.Abs(want)) {
		t.Errorf("%s is %.16g, for %.16g", what, got, want)
	}
}

// TestCompareReference holds the comparison to values of programs independent of this one.
func TestCompareReference(t *testing.T) {
	reference(t, "cold", func(t *testing.T, id string, in map[string]any, want map[string]float64) {
		ladder := in["ladder"].(string)
		if len(ladder) > 10 && !longtest.More() && strings.Contains(id, ":4:2") {
			return
		}
		s := temperSelection(in["toy"].(string), in["kernel"].(string), "curve:"+ladder, strings.Count(ladder, ":")+1)
		o := temper.CompareOptions{Schemes: []string{in["scheme"].(string)}}
		for _, n := range strings.Split(in["scans"].(string), ",") {
			o.Scans = append(o.Scans, longtest.Must(strconv.Atoi(n))(t))
		}
		seen := 0
		for _, r := range casetest.Rows(t, temper.Comparison(), casetest.MustCases(t, s), o) {
			for name, got := range map[string]float64{
				"tv": r.Cold.TV.Value, "J": r.Cold.J, "ais_tv": r.AIS.TV.Value, "ais_J": r.AIS.J.Value,
				"ais_same_time_tv": r.Single.TV.Value, "plain_tv": r.Plain.TV.Value,
			} {
				seen++
				temperNear(t, fmt.Sprintf("%s: %s after %d scans", id, name, r.Scans), got,
					want[fmt.Sprintf("%s_%d", name, r.Scans)], 2e-11)
			}
		}
		if seen != len(want) {
			t.Errorf("%s: %d of %d values were compared", id, seen, len(want))
		}
	})
}

// TestDigitsLeft: a distance far below the rounding of a probability keeps its digits, which
// numbers of 64 bits in another program confirm, where it decays; where a kernel draws from the
// target at once nothing is known but how small it is.
func TestDigitsLeft(t *testing.T) {
	o := temper.CompareOptions{Schemes: []string{"deo"}, Scans: []int{1024}}
	decays := casetest.Rows(t, temper.Comparison(),
		casetest.MustCases(t, temperSelection("barrier:3x3", "metropolis", "linear", 3)), o)[0]
	temperNear(t, "TV", decays.Cold.TV.Value, 6.490458499616024e-16, 1e-11)
	if tv := decays.Cold.TV; tv.Lost() > 1e-11 {
		t.Errorf("TV %v", tv)
	}
	o.Scans = []int{1}
	draws := casetest.Rows(t, temper.Comparison(),
		casetest.MustCases(t, temperSelection("cells:0:1:2", "heatbath", "linear", 3)), o)[0]
	for _, lost := range []number.Bounded{
		draws.Cold.TV, draws.Plain.TV, draws.AIS.TV, draws.Cold.Jeffreys()} {
		if lost.Known() {
			t.Errorf("%v is rounding alone", lost)
		}
	}
	flat := casetest.Rows(t, temper.Comparison(),
		casetest.MustCases(t, temperSelection("cells:0:0:0", "metropolis", "linear", 3)), o)[0]
	if flat.Cold.TV != number.Exactly(0) {
		t.Errorf("TV %v where nothing has to be done", flat.Cold.TV)
	}
}

// TestNoLadderIsBetter: no inner beta on a grid has more round trips, a larger value of the formula
// or a smaller variance than the ladder that is the best by each.
func TestNoLadderIsBetter(t *testing.T) {
	for _, toy := range []string{"barrier:3x3", "random:3:5:5"} {
		if toy != "barrier:3x3" && !longtest.Enabled() {
			continue
		}
		best := map[string]temper.Measured{}
		for _, r := range casetest.Rows(t, temper.Ladders(), casetest.MustCases(
			t,
			temperSelection(toy, "metropolis", "linear", 3),
		), temper.Ladders().Standard) {
			best[r.Criterion] = r.Measured
		}
		for i := 1; i < 40; i++ {
			on := casetest.MustCases(
				t,
				temperSelection(toy, "metropolis", fmt.Sprintf("curve:0:%v:1", float64(i)/40), 3),
			)
			r := casetest.Rows(t, temper.Study(), on, temper.Study().Standard)[0]
			if r.PerScan().Value > best[temper.ByRate].Rate.Value*(1+1e-9) ||
				r.Formula > best[temper.ByModel].Formula*(1+1e-9) ||
				r.ColdVariance().Value < best[temper.ByErrors].Variance.Value*(1-1e-9) {
				t.Errorf("%s: beta %v has %v round trips, %v by the formula, variance %v; the best %+v",
					toy, r.Betas, r.PerScan(), r.Formula, r.ColdVariance(), best)
			}
		}
	}
}

// TestAveragesThatDoNotSettle have no variance, whatever solving a system without a solution has
// left: replicas that explore by a kernel with classes never reach some states together. The other
// numbers of the row stand, and no ladder is the best by variance.
func TestAveragesThatDoNotSettle(t *testing.T) {
	for _, s := range []subject.Selection{temperSelection("barrier:3x3", "stay", "acceptance", 3),
		temperSelection("cells:0:1/0:0", "heatbath-axis:0", "acceptance", 3),
		temperSelection("cells:0:1", "stay", "acceptance", 3)} {
		on := casetest.MustCases(t, s)
		for _, r := range casetest.Rows(t, temper.Study(),
			on, temper.Options{Schemes: []string{"deo", "seo"}, Functions: []string{"g"}}) {
			if !math.IsNaN(r.ColdVariance().Value) || !(r.Rate.PerScan > 0) ||
				!strings.Contains(strings.Join(r.Notes(), "; "), "do not converge") {
				t.Errorf("%v, %s: variance %v, rate %v, notes %q", s, r.Scheme, r.ColdVariance(),
					r.Rate.PerScan, r.Notes())
			}
		}
		rows := casetest.Rows(t, temper.Ladders(), on, temper.LadderOptions{Scheme: "seo", Function: "g"})
		for _, r := range rows {
			best := r.Criterion == temper.ByErrors
			if !math.IsNaN(r.Variance.Value) || math.IsNaN(r.Rate.Value) != best ||
				(r.NoLadder != "") != best ||
				!strings.Contains(strings.Join(r.Notes(), "; "), "do not converge") {
				t.Errorf("%v, best by %s: %+v, notes %q", s, r.Criterion, r.Measured, r.Notes())
			}
		}
	}
}

// TestFunctionsThatDoNotVary under the target, also because the probabilities of all states but one
// underflow, have no average; the rates stand. If one of n states takes all mass at once the
// rejections sum up to 1 - 1/n.
func TestFunctionsThatDoNotVary(t *testing.T) {
	for _, toy := range []string{"cells:0:37/0:0", "cells:0:700/0:0", "cells:0:800/0:0", "cells:0:1e4/0:0"} {
		on := casetest.MustCases(t, temperSelection(toy, "metropolis", "acceptance", 3))
		rows := casetest.Rows(t, temper.Study(),
			on, temper.Options{Schemes: []string{"deo"}, Functions: []string{"g", "x0", "x0<=9"}})
		for i, r := range rows {
			constant := i == 2 || strings.HasPrefix(toy, "cells:0:800") ||
				strings.HasPrefix(toy, "cells:0:1e4")
			if math.Abs(r.Barrier-0.75) > 1e-9 || !(math.Abs(r.Rate.PerScan-0.158181) < 1e-6) ||
				(r.NoFunction != "") != constant ||
				math.IsNaN(r.ColdVariance().Value) != constant || math.IsNaN(r.Plain.Value) != constant {
				t.Errorf("%s, %s: Lambda %v, rate %v, variance %v, notes %q", toy, r.Function, r.Barrier,
					r.Rate.PerScan, r.ColdVariance(), r.Notes())
			}
		}
		ladders := casetest.Rows(t, temper.Ladders(), on, temper.LadderOptions{Scheme: "deo", Function: "x0<=9"})
		if len(ladders) != 4 || !(ladders[2].Rate.Value > 0.16) || ladders[3].NoLadder == "" ||
			!strings.Contains(ladders[0].Notes()[0], "constant") {
			t.Errorf("%s: %+v", toy, ladders)
		}
	}
}

// TestUnderflow: joint states whose probabilities underflow are states like others.
func TestUnderflow(t *testing.T) {
	for _, s := range []subject.Selection{temperSelection("cells:0:400:800", "metropolis", "acceptance", 3),
		temperSelection("random:200:1:3x3", "metropolis", "linear", 2)} {
		on := casetest.MustCases(t, s)
		for _, r := range casetest.Rows(t, temper.Study(),
			on, temper.Options{Schemes: []string{"deo", "seo"}, Functions: []string{"x0"}}) {
			if !(r.PerScan().Value > 0) ||
				strings.Contains(strings.Join(r.Notes(), "; "), "do not converge") {
				t.Errorf("%v, %s: rate %v, variance %v, notes %q", s, r.Scheme, r.PerScan(),
					r.ColdVariance(), r.Notes())
			}
		}
	}
	for _, r := range casetest.Rows(t, temper.Ladders(),
		casetest.MustCases(t, temperSelection("random:300:1:2x3", "metropolis", "acceptance", 3)),
		temper.Ladders().Standard) {
		if !(r.Rate.Value > 0) && r.NoLadder == "" {
			t.Errorf("best by %s: %+v", r.Criterion, r.Measured)
		}
	}
}

// TestRatesWithoutDigits: a rate that differs from what arrives at the top has no digit, nor has a
// rate of zero of which nothing arrives.
func TestRatesWithoutDigits(t *testing.T) {
	for _, top := range []float64{0, 2e-90} {
		r := temper.Row{Rate: &replicas.Rate{PerScan: top / 2, Top: top}}
		if r.PerScan().Known() {
			t.Errorf("rates %v and %v: %v", top/2, top, r.PerScan())
		}
	}
}

// TestTemperRefused: what cannot be answered is refused with the cure, before anything is computed.
func TestTemperRefused(t *testing.T) {
	small := casetest.MustCases(t, temperSelection("random:1:1:2x2", "metropolis", "linear", 2))
	large := casetest.MustCases(t, temperSelection("easy", "metropolis", "linear", 5))
	zero := casetest.MustCases(t, temperSelection("cells:0:1:-inf", "metropolis", "linear", 3))
	deo := []string{"deo"}
	casetest.Refuses(t, temper.Study(),
		small, temper.Options{Schemes: []string{"doe"}, Functions: []string{"g"}}, "choices: deo, seo")
	casetest.Refuses(t, temper.Study(), small, temper.Options{}, "at least one of each")
	casetest.Refuses(t, temper.Study(), small, temper.Options{Schemes: deo, Functions: []string{"all"}},
		"T = 2: function all is a vector")
	casetest.Refuses(t, temper.Study(),
		small, temper.Options{Schemes: deo, Functions: []string{"g"}, Chains: 1, Scans: 1}, "give 2 or more")
	casetest.Refuses(t, temper.Ladders(), small, temper.Ladders().Standard, "no inner beta to choose")
	three := casetest.MustCases(t, temperSelection("random:1:1:2x2", "metropolis", "linear", 3))
	casetest.Refuses(t, temper.Ladders(), three, temper.LadderOptions{Scheme: "deo", Function: "all"},
		"T = 3: function all is a vector")
	casetest.Refuses(t, temper.Ladders(), zero, temper.Ladders().Standard, "positive everywhere")
	casetest.Refuses(t, temper.Stones(), zero, temper.Stones().Standard, "zero somewhere")
	casetest.Refuses(t, temper.Stones(), small, temper.StoneOptions{
		Schemes: deo,
		Starts:  []string{"mode"},
		Scans:   []int{1},
	}, "give one of [uniform stationary]")
	casetest.Refuses(t, temper.Stones(), small, temper.StoneOptions{Schemes: deo}, "at least one of each")
	casetest.Refuses(t, temper.Comparison(), large, temper.Comparison().Standard, "the distribution of 5 replicas")
	casetest.Refuses(t, temper.Comparison(), small, temper.CompareOptions{Schemes: deo, Scans: []int{0}}, "from 1 on")
	casetest.Refuses(t, temper.Comparison(), small, temper.CompareOptions{Schemes: deo}, "at least one of each")
	rows := casetest.Rows(t, temper.Study(), zero, temper.Study().Standard) // zeros are no obstacle to rates
	if !math.IsNaN(rows[0].Barrier) || !(rows[0].Rate.Lost() < 1e-13) {
		t.Errorf("%+v", rows[0])
	}
}

// TestTemperInterrupted: every study ends if the context does, and its rows are the same for any
// number of workers.
func TestTemperInterrupted(t *testing.T) {
	longtest.Only(t)
	on := append(casetest.MustCases(t, temperSelection("cells:0:1/2:-1", "heatbath", "linear", 3)),
		casetest.MustCases(t, temperSelection("cells:0:2", "heatbath", "linear", 3))...)
	casetest.Ends(t, temper.Study(), on, temper.Study().Standard)
	casetest.Ends(t, temper.Ladders(), on, temper.Ladders().Standard)
	casetest.Ends(t, temper.Stones(), on, temper.Stones().Standard)
	casetest.Ends(t, temper.Comparison(), on, temper.Comparison().Standard)
	casetest.SameForAnyWorkers(t, temper.Comparison(), on, temper.Comparison().Standard,
		func(r *temper.CompareRow) string { return fmt.Sprint(r.Compared) })
}

// TestSlowPlainChains: the variance of a plain chain that hardly ever leaves a well has its digits,
// and so has what tempering gains.
func TestSlowPlainChains(t *testing.T) {
	for _, toy := range []string{"cells:0:-3:2", "cells:0:-37:2", "cells:0:-100:2"} {
		on := casetest.MustCases(t, temperSelection(toy, "metropolis", "acceptance", 2))
		for _, r := range casetest.Rows(
			t,
			temper.Study(),
			on,
			temper.Options{Schemes: []string{"deo"}, Functions: []string{"g"}},
		) {
			if notes := strings.Join(r.Notes(), "; "); !(r.Plain.Value > 1) ||
				math.Abs(2*r.Gain().Value*r.ColdVariance().Value/r.Plain.Value-1) > 1e-12 || notes != "" {
				t.Errorf("%s: plain %v, cold %v, gain %v, notes %q", toy, r.Plain.Value, r.ColdVariance(),
					r.Gain(), notes)
			}
		}
	}
}

// TestManyRungs: of a ladder whose replicas have too large a distribution together, what comes of
// the rungs alone is there, and runs estimate the rest with standard errors. Where the exact
// numbers are known runs agree with them, to five standard errors of fixed seeds.
func TestManyRungs(t *testing.T) {
	longtest.Only(t)
	o := temper.Options{Schemes: []string{"deo", "seo"}, Functions: []string{"g", "x0"}}
	many := casetest.MustCases(t, temperSelection("random:2:7:2x3", "heatbath", "acceptance", 25))
	for _, r := range casetest.Rows(t, temper.Study(), many, o) {
		if len(r.Rejections) != 24 || math.Abs(r.Rejections[0]/r.Rejections[23]-1) > 1e-9 ||
			!(r.Formula > 0) || !(r.Barrier > r.Rejections[0]) ||
			!math.IsNaN(r.PerScan().Value) ||
			!math.IsNaN(r.ColdVariance().Value) || !(r.Plain.Value > 0) || !math.IsNaN(r.Gain().Value) ||
			!strings.Contains(strings.Join(r.Notes(), "; "), "25 replicas") {
			t.Errorf("%+v, notes %q", r, r.Notes())
		}
	}
	o.Chains = 40
	o.Scans = 100
	o.Seed = 1
	for _, toy := range []string{"random:2:7:2x3", "cells:0:-37:3", "cells:0:0:1"} {
		few := casetest.MustCases(t, temperSelection(toy, "heatbath", "acceptance", 3))
		for _, r := range casetest.Rows(t, temper.Study(), few,
			temper.Options{Schemes: o.Schemes, Functions: []string{"g"}, Chains: 200, Scans: 200, Seed: 1}) {
			for what, pair := range map[string]struct {
				exact float64
				by    temper.Estimate
			}{"rate": {r.Rate.PerScan, r.Simulated.Rate}, "variance": {
				r.ColdVariance().Value, r.Simulated.Variance}, "plain": {r.Plain.Value, r.Simulated.Plain}} {
				if off := math.Abs(pair.by.Value - pair.exact); off > 5*pair.by.SE+0.01*pair.exact {
					// a run of R scans has a bias of about 1/R
					t.Errorf("%s, %s: %s is %v, and runs say %v", toy, r.Scheme, what, pair.exact, pair.by)
				}
			}
			if !strings.Contains(strings.Join(r.Notes(), "; "), "200 runs of 200 scans") {
				t.Errorf("%s: %q", toy, r.Notes())
			}
		}
	}
	casetest.SameForAnyWorkers(
		t,
		temper.Study(),
		many,
		o,
		func(r *temper.Row) string { return fmt.Sprint(*r.Simulated) },
	)
}

// TestManyRungsOfLogZ: of stepping stones on such a ladder the rungs alone say what independent
// draws give, and one scan from a stationary start.
func TestManyRungsOfLogZ(t *testing.T) {
	many := casetest.MustCases(t, temperSelection("random:2:7:2x3", "heatbath", "acceptance", 25))
	for _, r := range casetest.Rows(t, temper.Stones(),
		many, temper.StoneOptions{Schemes: []string{"deo"}, Starts: temper.Starts(), Scans: []int{1, 4}}) {
		known := r.Start == temper.FromStationary && r.Scans == 1
		if known != !math.IsNaN(r.LogForward) || known == (r.TooLarge != "") ||
			known && r.Estimated != r.Ideal ||
			!(r.Ideal.LogForward < 0 && r.Ideal.LogReverse > 0 && r.Ideal.Square > 1) {
			t.Errorf("%+v", r)
		}
	}
}

// TestPlacedRungs: that many rungs as are asked for are placed with equal rejections, and by the
// formula at least as well; what takes the distribution of all replicas together says why there is
// no such ladder.
func TestPlacedRungs(t *testing.T) {
	on := casetest.MustCases(t, temperSelection("random:2:7:2x3", "heatbath", "linear", 12))
	rows := casetest.Rows(t, temper.Ladders(), on, temper.LadderOptions{Scheme: "deo", Function: "g"})
	if len(rows) != 4 || len(rows[0].Betas) != 12 || rows[0].Distributions() != 12 ||
		!(rows[1].Formula >= rows[0].Formula) {
		t.Fatalf("%+v", rows)
	}
	for _, r := range rows[2:] {
		if r.Betas != nil || !strings.Contains(r.NoLadder, "12 replicas") {
			t.Errorf("%+v", r)
		}
	}
	same := casetest.Rows(t, temper.Study(), casetest.MustCases(
		t,
		temperSelection("random:2:7:2x3", "heatbath", "acceptance", 12),
	), temper.Study().Standard)
	if !slices.Equal(rows[0].Betas, same[0].Betas) || math.Abs(rows[0].Formula-same[0].Formula) > 1e-12 {
		t.Errorf("%v, %v", rows[0].Betas, same[0].Betas)
	}
}

// onLevels returns the cases of a selection on the levels of its toy, whose states can be listed.
func onLevels(t *testing.T, s subject.Selection) []subject.Case {
	toy := longtest.Sure(forms.All().OfLevels(t.Context(), s.Toys[0]))
	cases := casetest.MustCases(t, s)
	for i := range cases {
		path := longtest.Sure(paths.NewGeometric(toy.Members, toy.G))
		a := cases[i].Annealing()
		cases[i].Toy, cases[i].Algorithm = toy, longtest.Sure(
			chains.NewAnnealing(path, a.Schedule(), longtest.Sure(kernels.Parse("stay", toy.Space)),
				a.Distributions()),
		)
	}
	return cases
}

// TestLevels: on the levels of log f every number that comes of the rungs alone is that on all
// states, and what takes the distribution of all replicas together is empty, however few levels
// there are.
func TestLevels(t *testing.T) {
	for _, toy := range []string{"ising:3x3:0.4:0.1", "potts:3:2x3:0.7"} {
		s := temperSelection(toy, "flip", "linear", 7)
		listed := casetest.MustCases(t, s)
		levels := onLevels(t, s)
		o := temper.Options{Schemes: []string{"deo", "seo"}, Functions: []string{"g"}}
		want := casetest.Rows(t, temper.Study(), listed, o)
		for i, r := range casetest.Rows(t, temper.Study(), levels, o) {
			for k, v := range r.Rejections {
				temperNear(t, toy+": a rejection", v, want[i].Rejections[k], 1e-12)
			}
			temperNear(t, toy+": barrier", r.Barrier, want[i].Barrier, 1e-12)
			temperNear(t, toy+": formula", r.Formula, want[i].Formula, 1e-12)
			if !math.IsNaN(r.PerScan().Value) || !math.IsNaN(r.ColdVariance().Value) ||
				!math.IsNaN(r.Plain.Value) ||
				!strings.Contains(r.Notes()[0], "only the distribution of log f is known") {
				t.Errorf("%s: %+v, notes %q", toy, r, r.Notes())
			}
		}
		stones := temper.StoneOptions{Schemes: []string{"deo"}, Starts: temper.Starts(), Scans: []int{1, 4}}
		all := casetest.Rows(t, temper.Stones(), listed, stones)
		for i, r := range casetest.Rows(t, temper.Stones(), levels, stones) {
			temperNear(t, toy+": log Z", r.LogZ, all[i].LogZ, 1e-12)
			temperNear(t, toy+": square", r.Ideal.Square, all[i].Ideal.Square, 1e-12)
			temperNear(t, toy+": forward", r.Ideal.LogForward, all[i].Ideal.LogForward, 1e-11)
			temperNear(t, toy+": reverse", r.Ideal.LogReverse, all[i].Ideal.LogReverse, 1e-11)
			temperNear(t, toy+": thermodynamic integration", r.Ideal.Thermo, all[i].Ideal.Thermo, 1e-11)
			temperNear(t, toy+": its variance", r.Ideal.ThermoVar, all[i].Ideal.ThermoVar, 1e-12)
			if known := r.Start == temper.FromStationary && r.Scans == 1; known == math.IsNaN(r.LogForward) {
				t.Errorf("%s: %+v", toy, r)
			}
		}
		s.Distributions = []int{5}
		ladders := casetest.Rows(
			t,
			temper.Ladders(),
			onLevels(t, s),
			temper.LadderOptions{Scheme: "deo", Function: "g"},
		)
		for i, r := range casetest.Rows(t, temper.Ladders(), casetest.MustCases(t, s),
			temper.LadderOptions{Scheme: "deo", Function: "g"})[:2] {
			temperNear(t, toy+": formula of the best ladder", ladders[i].Formula, r.Formula, 1e-12)
			temperNear(t, toy+": its first beta", ladders[i].Inner, r.Inner, 1e-6)
		}
		casetest.Refuses(t, temper.Comparison(), levels, temper.Comparison().Standard, "too many states to list")
		o.Chains = 2
		casetest.Refuses(t, temper.Study(), levels, o, "runs need states")
		o.Chains = 0
		o.Functions = []string{"x0"}
		casetest.Refuses(t, temper.Study(), levels, o, "averages need states")
	}
}

// TestLevelsOfLargePlanes: log Z of a plane whose states are not listed, by its levels, is that of
// elimination, and the sum of rejections tends to the barrier.
func TestLevelsOfLargePlanes(t *testing.T) {
	longtest.Only(t)
	s := temperSelection("ising:10x10:0.4", "heatbath-scan", "acceptance", 32)
	s.Levels = true
	on := casetest.MustCases(t, s)
	if k := on[0].Param("kernel"); k != "heatbath-scan" {
		t.Errorf("kernel %s", k)
	}
	q, err := forms.All().Factored(s.Toys[0], "", "")
	longtest.NoError(t, err)
	z := longtest.Sure(q.Infer(t.Context(), networks.Outputs{})).LogZ
	for _, r := range casetest.Rows(t, temper.Stones(),
		on, temper.StoneOptions{Schemes: []string{"deo"}, Starts: []string{temper.FromStationary},
			Scans: []int{1}}) {
		temperNear(t, "log Z", r.LogZ, z-100*math.Ln2, 1e-12)
	}
	r := casetest.Rows(t, temper.Study(), on, temper.Study().Standard)[0]
	sum := 0.0
	for _, v := range r.Rejections {
		sum += v
	}
	temperNear(t, "the sum of rejections", sum, r.Barrier, 1e-2)
	refused := func(want string, change func(s *subject.Selection)) {
		other := s
		change(&other)
		longtest.Refuses(other.Cases(t.Context()))(t, want, want)
	}
	refused("for path geometric and initial uniform; give these",
		func(s *subject.Selection) { s.Initial = "smoothed:1" })
	refused("whole multiples", func(s *subject.Selection) { s.Toys = []string{"ising:6x6:0.4:0.41421356"} })
}
