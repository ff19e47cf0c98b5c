package diagnose

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"breadboard/chains/diagnostics"
	"breadboard/chains/number"
	"breadboard/exact/averages"
	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
)

// calibrateProblems builds the problems of a selection, by default of metropolis from a uniform
// start.
func calibrateProblems(t testing.TB, s samplers.Selection) []samplers.Problem {
	t.Helper()
	s.Reader.Forms = forms.All()
	if s.Kernels == nil {
		s.Kernels = []string{"metropolis"}
	}
	if s.Starts == nil {
		s.Starts = []string{"uniform"}
	}
	p := longtest.Must(s.Problems(context.Background()))(t)
	return p
}

// run runs the study.
func run(t testing.TB, p []samplers.Problem, o CalibrateOptions) []CalibrateRow {
	t.Helper()
	rows := casetest.Rows(t, Calibrate(), p, o)
	if want := len(samplers.Settings(p, o.N)); len(rows) != want {
		t.Errorf("%d rows of %d", len(rows), want)
	}
	return rows
}

// TestReference: the ESS of the exact expectations, of one chain and of four, their R-hat and the
// exact RESS are those of an independent program. Geweke's root mean square is made of its mean
// squared difference and of its variance.
func TestReference(t *testing.T) {
	for _, r := range []struct {
		toy, kernel, function                  string
		n                                      int
		variance, single, all, rhat, diff, ess float64
	}{
		{"easy", "metropolis", "x0", 100, 0.18710906048091253, 5.0000405548256355, 2.525966638824668,
			2.425498545370316, 0.5664769897605397, 1.0292747467396879},
		{"barrier", "metropolis", "mode", 100, 0.01305739425233145, 28.898093247230744, 2.0999214061624265,
			11.247627669729594, 0.04728454278419542,
			0.19781608083955024},
		{"barrier", "metropolis", "x0", 100, 0.331613552955966, 18.7200418587275, 2.425776414371148,
			2.687404651541316, 0.2549011474201201, 0.2872709899376036},
		{"hard", "heatbath", "x1", 100, 1.3323921519783684, 13.8306557848755, 2.597499268933345,
			2.255107795708813, 3.8640919977249344, 0.11907620411547586},
		{"random:1:3:5x5", "moore", "x0", 200, 0.8070573690181968, 9.146754916898663, 12.892573031708787,
			1.1088408011573705, 0.9709312759334556, 5.273728797874989},
		{"easy", "repeat:5:metropolis", "x0", 100, 0.47416634074802794, 5.431364829653519, 3.831579122594635,
			1.5063950996749909, 1.1425169894884053,
			1.6161637541651974},
	} {
		p := calibrateProblems(t, samplers.Selection{
			Toys:      []string{r.toy},
			Kernels:   []string{r.kernel},
			Functions: []string{r.function},
		})
		s := run(t, p, CalibrateOptions{N: []int{r.n}, Chains: 4, Seed: 1})[0].Exact
		// 10/N and 2/N are one over the sizes of the two windows.
		n := float64(r.n)
		geweke := math.Sqrt(r.diff / (r.variance / r.single * n * (10/n + 2/n)))
		for what, v := range map[string][2]float64{
			"ESS": {s.ESS, r.single}, "ESS of all": {s.All, r.all}, "R-hat": {s.RHat, r.rhat},
			"Geweke": {s.Geweke, geweke}, "RESS": {s.Mean, r.ess}} {
			if !(math.Abs(v[0]/v[1]-1) <= 1e-11) {
				t.Errorf("%s, %s, %s: %s is %.15g, want %.15g", r.toy, r.kernel, r.function, what, v[0], v[1])
			}
		}
	}
}

// TestSquaredErrorsByHand: the chain 0, 0, 1, 2 of a function with the levels 0, 1 and 2 of
// probability 1/2, 1/4 and 1/4: its mean is that of the target, 3/4; its variance is 11/12 and that
// of the target 11/16; its distribution is the target's.
func TestSquaredErrorsByHand(t *testing.T) {
	f := &averages.Function{
		Mean:   0.75,
		SD:     math.Sqrt(11.0 / 16),
		Levels: number.Levels{Values: []float64{0, 1, 2}},
		Masses: []float64{0.5, 0.25, 0.25},
	}
	mean, variance, distribution, ks := squaredErrors([]float64{0, 0, 1, 2}, f)
	if math.Abs(mean) > 1e-30 || math.Abs(variance-1.0/9) > 1e-15 || distribution != 0 || ks != 0 {
		t.Errorf("errors %v, %v, %v and %v", mean, variance, distribution, ks)
	}
	// All at the top level: F is 1/2, 3/4, 1 and Fhat 0, 0, 1.
	mean, variance, distribution, ks = squaredErrors([]float64{2, 2, 2, 2}, f)
	if math.Abs(mean-25.0/11) > 1e-14 || variance != 1 ||
		math.Abs(distribution-(0.5*0.25+0.25*0.5625)) > 1e-15 || ks != 0.5625 {
		t.Errorf("errors %v, %v, %v and %v", mean, variance, distribution, ks)
	}
}

// TestSimulatedScores: the scores of some chains are those of package diagnostics: the ESS is the
// mean of that of each chain, and Geweke's are of the chains that have a score, which one that
// never moves has not.
func TestSimulatedScores(t *testing.T) {
	f := &averages.Function{
		Mean:     0.5,
		SD:       0.5,
		Kurtosis: 1,
		Levels:   number.Levels{Values: []float64{0, 1}},
		Masses:   []float64{0.5, 0.5},
	}
	draws := make(diagnostics.Draws, 4)
	for k := range draws {
		draws[k] = make([]float64, 60)
		for i := range draws[k] {
			if k < 3 && (i*i*(k+2)/7+i/5)%3 == 0 {
				draws[k][i] = 1
			}
		}
	}
	s := longtest.Must(simulated(context.Background(), draws, f, 0.25))(t)
	ess := 0.0
	var scores []float64
	for k, chain := range draws {
		own := longtest.Must(diagnostics.ESS(diagnostics.Draws{chain}))(t)
		ess += own / 4
		if z, err := diagnostics.Geweke(chain); err != nil || k < 3 == math.IsNaN(z) {
			t.Fatalf("chain %d has the score %v, %v", k, z, err)
		} else if k < 3 {
			scores = append(scores, math.Abs(z))
		}
	}
	slices.Sort(scores)
	order, _ := diagnostics.Order(draws)
	bulk := order.ESSBulk()
	basic, _ := diagnostics.RHat(draws)
	split, _ := diagnostics.RHatSplit(draws)
	rank := order.RHatRank()
	mean, variance, distribution, ks := real(draws, f, 0.25)
	want := Scores{
		ESS:          ess,
		All:          bulk,
		RHat:         basic,
		RHatSplit:    split,
		RHatRank:     rank,
		Geweke:       scores[2],
		GewekeMedian: scores[1],
		Mean:         mean,
		Variance:     variance,
		Distribution: distribution,
		KSLow:        ks,
		KSHigh:       ks,
		ESSD:         diagnostics.ESSD(ess, mean, 4),
	}
	if *s != want {
		t.Errorf("%+v, want %+v", *s, want)
	}
	if s, err := simulated(context.Background(), diagnostics.Draws{draws[3], draws[3]},
		f, 0.25); err != nil || !math.IsNaN(s.Geweke) ||
		!math.IsNaN(s.GewekeMedian) || !math.IsNaN(s.RHat) || s.ESS != 60 {
		t.Errorf("chains that never move: %+v, %v", *s, err)
	}
}

// TestBadDraws: what package diagnostics refuses has no scores.
func TestBadDraws(t *testing.T) {
	f := &averages.Function{SD: 1, Levels: number.Levels{Values: []float64{0}}, Masses: []float64{1}}
	for _, draws := range []diagnostics.Draws{nil, {make([]float64, 50)},
		{make([]float64, 39), make([]float64, 39)}, {make([]float64, 50), make([]float64, 40)}} {
		if s, err := simulated(context.Background(), draws, f, 1); err == nil {
			t.Errorf("%d chains have %+v", len(draws), s)
		}
	}
}

// calibrateMade returns rows with the scores that matter to judgement.
func calibrateMade(scores ...Scores) (rows []CalibrateRow) {
	for _, s := range scores {
		rows = append(rows, CalibrateRow{Exact: &s, Simulated: &s})
	}
	return rows
}

// TestJudge counts alarms by hand: chains that are good and quiet, good with an alarm, failing with
// one, failing and quiet, and a failure that has no R-hat, which is an alarm.
func TestJudge(t *testing.T) {
	nan := math.NaN()
	rows := calibrateMade(
		Scores{Mean: 12, RHat: 1.005, RHatSplit: 1.005, RHatRank: 1.005, All: 800, Geweke: 1},
		Scores{Mean: 100, RHat: 1.05, RHatSplit: 1.2, RHatRank: 1.005, All: 799, Geweke: 3},
		Scores{Mean: 11, RHat: 1.2, RHatSplit: 1.2, RHatRank: 1.2, All: 10, Geweke: 1},
		Scores{Mean: 0.3, RHat: 1.0, RHatSplit: 1.0, RHatRank: 1.0, All: 900, Geweke: 1.96},
		Scores{Mean: 0.1, RHat: nan, RHatSplit: nan, RHatRank: nan, All: 8000, Geweke: nan},
	)
	want := map[string][2]int{
		"R-hat < 1.1": {0, 1}, "R-hat < 1.01": {1, 1}, "split R-hat < 1.1": {1, 1},
		"split R-hat < 1.01": {1, 1},
		"rank R-hat < 1.1":   {0, 1}, "rank R-hat < 1.01": {0, 1}, "ESS >= 100 K": {1, 2},
		"Geweke |z| <= 1.96": {1, 2}, "all together ": {1, 1},
	}
	got := Judge(rows, 8)
	kinds := map[Kind]int{}
	for _, e := range got {
		kinds[e.Kind]++
		name := e.Name + " " + e.Limit
		if [2]int{e.TypeI, e.TypeII} != want[name] || e.Good != 2 || e.Failing != 3 {
			t.Errorf("%s: %+v, want %v", name, e, want[name])
		}
		if e.TypeIRate() != float64(e.TypeI)/2 || e.TypeIIRate() != float64(e.TypeII)/3 {
			t.Errorf("%s: rates %v and %v", name, e.TypeIRate(), e.TypeIIRate())
		}
	}
	if kinds[Expected] != 5 || kinds[Drawn] != 9 {
		t.Errorf("diagnostics %v", kinds)
	}
	if e := Judge(calibrateMade(Scores{Mean: 50}), 8)[0]; !math.IsNaN(e.TypeIIRate()) {
		t.Errorf("no chains fail, and a share of them has no alarm: %v", e.TypeIIRate())
	}
}

// TestCount: RESS at the ends of the region is within it; a number that is none is left out, and
// bounds that do not decide.
func TestCount(t *testing.T) {
	low, high := diagnostics.Region(8, level)
	const ess = 64
	rows := calibrateMade(
		Scores{ESS: ess, Mean: ess * low, Variance: ess * low * 0.999},
		Scores{ESS: ess, Mean: ess * high, Variance: ess * high * 1.001},
		Scores{ESS: ess, Mean: math.Inf(1), Variance: math.NaN()}, Scores{ESS: ess, Mean: 0, Variance: ess},
	)
	for i, want := range []Shares{{"mean", Expected, 1, 2, 1}, {"variance", Expected, 1, 1, 1}} {
		if got := count(rows, 8)[i]; got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	bounded := calibrateMade(
		Scores{ESS: ess, KSLow: 0, KSHigh: ess * low * 0.99}, Scores{ESS: ess, KSLow: 0, KSHigh: ess},
		Scores{ESS: ess, KSLow: ess * high * 1.01, KSHigh: 1e9},
		Scores{ESS: ess, KSLow: ess * low, KSHigh: ess * high},
		Scores{ESS: ess, KSLow: math.NaN(), KSHigh: math.NaN()},
	)
	if got := count(bounded, 8); got[3] != (Shares{"KS", Expected, 1, 1, 1}) {
		t.Errorf("bounds: %+v", got)
	}
}

// TestRowsByN: the rows of each start go by rising N, however these are given.
func TestRowsByN(t *testing.T) {
	p := calibrateProblems(t, samplers.Selection{Toys: []string{"easy"}, Functions: []string{"x0"}})
	var n []int64
	for _, r := range run(t, p, CalibrateOptions{N: []int{200, 50, 100}}) {
		n = append(n, r.N)
	}
	if !slices.Equal(n, []int64{50, 100, 200}) {
		t.Errorf("rows of N = %v", n)
	}
}

// TestCalibrateRefused: what cannot be answered is refused.
func TestCalibrateRefused(t *testing.T) {
	p := calibrateProblems(t, samplers.Selection{Toys: []string{"easy"}, Functions: []string{"x0"}})
	vector := calibrateProblems(t, samplers.Selection{Toys: []string{"easy"}, Functions: []string{"all"}})
	good := CalibrateOptions{N: []int{100}, Chains: 2}
	for name, change := range map[string]func(*CalibrateOptions){
		"one chain":   func(o *CalibrateOptions) { o.Chains = 1 },
		"many chains": func(o *CalibrateOptions) { o.Chains = samplers.MaxChains + 1 },
		"small N":     func(o *CalibrateOptions) { o.N = []int{100, minSamples - 1} },
		"large N":     func(o *CalibrateOptions) { o.N = []int{maxSamples + 1} },
		"draws": func(o *CalibrateOptions) {
			o.N = []int{maxSamples}
			o.Chains = samplers.MaxChains
		}, "no N": func(o *CalibrateOptions) { o.N = nil },
	} {
		o := good
		change(&o)
		if _, err := study.Run(context.Background(), Calibrate(), p, o, study.How{}); err == nil {
			t.Errorf("%s: it runs", name)
		}
	}
	if _, err := Calibrate().Plan(
		context.Background(),
		p,
		&CalibrateOptions{N: []int{minSamples, maxSamples}, Chains: 2},
	); err != nil {
		t.Errorf("the ends of what is allowed: %v", err)
	}
	if _, err := study.Run(context.Background(), Calibrate(), vector, good, study.How{}); err == nil {
		t.Error("a vector has diagnostics")
	}
	none := calibrateProblems(t, samplers.Selection{Toys: []string{"easy"}})
	casetest.Refuses(t, Calibrate(), none, good, "there are no starts or no functions")
}

// TestCalibrateRunEnds: a run, which would take many minutes, ends with its context in the middle
// of a setting.
func TestCalibrateRunEnds(t *testing.T) {
	longtest.Only(t)
	p := calibrateProblems(
		t,
		samplers.Selection{Reader: forms.Reader(),
			Toys: []string{"easy", "hard", "barrier"}, Functions: []string{"x0", "g"}},
	)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o := CalibrateOptions{N: []int{maxSamples, minSamples}, Chains: 8}
	h := study.How{Workers: 2, Progress: func(int) { cancel() }} // the small one is soon over
	if _, err := study.Run(ctx, Calibrate(), p, o, h); !errors.Is(err, context.Canceled) {
		t.Errorf("a run ends with %v", err)
	}
}
