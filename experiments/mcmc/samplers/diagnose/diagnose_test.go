package diagnose_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/chains/diagnostics"
	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/mcmc/samplers/diagnose"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
)

// problems builds the problems of a selection.
func problems(t testing.TB, s samplers.Selection) []samplers.Problem {
	t.Helper()
	all := longtest.Must(s.Problems(context.Background()))(t)
	return all
}

// barrier is the selection of most tests.
func barrier(functions ...string) samplers.Selection {
	return samplers.Selection{
		Reader:    forms.Reader(),
		Toys:      []string{"barrier"},
		Kernels:   []string{"metropolis"},
		Starts:    []string{"uniform"},
		Functions: functions,
	}
}

// rows runs the study.
func rows(t testing.TB, s samplers.Selection, o diagnose.Options) []diagnose.Row {
	t.Helper()
	return casetest.Rows(t, diagnose.Study(), problems(t, s), o)
}

func mean(x []float64) (m float64) {
	for _, v := range x {
		m += v / float64(len(x))
	}
	return m
}

// TestChainsAreFixed: the chains depend on no number of workers, and those of fewer samples are the
// beginnings of longer ones.
func TestChainsAreFixed(t *testing.T) {
	all := problems(t, barrier("x0"))
	set := func(n int64) samplers.Setting {
		return samplers.Setting{
			Problem:  &all[0],
			Start:    all[0].Starts[0],
			Function: all[0].Functions[0],
			N:        n,
		}
	}
	simulated := func(s samplers.Setting, chains int, seed uint64, workers int) diagnostics.Draws {
		d := longtest.Must(diagnose.Simulate(context.Background(), s, chains, seed, workers))(t)
		return d
	}
	same := func(a, b diagnostics.Draws) bool {
		return slices.EqualFunc(a, b, func(a, b []float64) bool { return slices.Equal(a, b) })
	}
	first := simulated(set(50), 10, 1, 1)
	if !same(first, simulated(set(50), 10, 1, 3)) {
		t.Error("the chains depend on the number of workers")
	}
	if same(first, simulated(set(50), 10, 2, 1)) || same(first[:4], first[4:8]) ||
		slices.Equal(first[0], first[1]) {
		t.Error("other chains are the same")
	}
	for k, x := range simulated(set(20), 10, 1, 1) {
		if !slices.Equal(x, first[k][:20]) {
			t.Error("shorter chains are others")
		}
	}
	o := diagnose.Options{N: []int64{50, 60}, Chains: 5, Seed: 9}
	casetest.SameForAnyWorkers(t, diagnose.Study(), problems(t, barrier("x0")),
		o, func(r *diagnose.Row) string { return fmt.Sprint(r.Diagnostics, r.ESSD) })
}

// TestRowIsOfItsDraws: a row has the diagnostics of the draws that Simulate returns, and the RESS
// of these chains.
func TestRowIsOfItsDraws(t *testing.T) {
	r := rows(t, samplers.Selection{
		Reader:    forms.Reader(),
		Toys:      []string{"easy"},
		Kernels:   []string{"heatbath"},
		Starts:    []string{"target"},
		Functions: []string{"x1"},
	},
		diagnose.Options{N: []int64{200}, Chains: 8, Seed: 4})[0]
	draws := longtest.Must(diagnose.Simulate(context.Background(), r.Setting, 8, 4, 1))(t)
	squares := 0.0
	chain := 0.0
	z := 0.0
	batches := 0.0
	for _, x := range draws {
		f := r.Function.Parts[0]
		squares += math.Pow((mean(x)-f.Mean)/f.SD, 2)
		ess, _ := diagnostics.ESS(diagnostics.Draws{x})
		g, _ := diagnostics.Geweke(x)
		b, _ := diagnostics.BatchMeans(x)
		chain = chain + ess/8
		z = max(z, math.Abs(g))
		batches = batches + b/8
	}
	order, _ := diagnostics.Order(draws)
	bulk := order.ESSBulk()
	rank := order.RHatRank()
	for what, v := range map[string][2]float64{
		"RESS of the chains": {r.RESSChains, 8 / squares}, "ESS of a chain": {r.ESSChain, chain},
		"Geweke": {r.Geweke, z}, "batch means": {r.BatchMeans, batches},
		"bulk ESS": {r.ESSBulk, bulk}, "R-hat": {r.RHatRank, rank},
		"ESSD":        {r.ESSD, diagnostics.ESSD(chain, 8/squares, 8)},
		"RESS of all": {r.RESSAll, 1 / (r.Expected.Bias*r.Expected.Bias + r.Expected.VarianceOfMean/8)},
		"RESS":        {r.RESSMean, 1 / r.Expected.MSE},
	} {
		if !(math.Abs(v[0]/v[1]-1) <= 1e-12) {
			t.Errorf("%s is %v, want %v", what, v[0], v[1])
		}
	}
}

// TestBadOptions: what is refused before anything is computed.
func TestBadOptions(t *testing.T) {
	all := problems(t, barrier("x0", "all"))
	good := diagnose.Options{N: []int64{10}, Chains: 2}
	for want, change := range map[string]func(o *diagnose.Options){
		"function all is a vector": func(*diagnose.Options) {},
		"chains 1, and R-hat compares chains": func(o *diagnose.Options) {
			o.Chains = 1
		},
		"N 3; diagnostics need at least 4": func(o *diagnose.Options) {
			o.N = []int64{10, 3}
		},
		"no number of samples is named": func(o *diagnose.Options) {
			o.N = nil
		},
		"N 20000000 with chains 2; that is more than the limit of 167": func(o *diagnose.Options) {
			o.N = []int64{20_000_000}
		},
	} {
		o := good
		change(&o)
		casetest.Refuses(t, diagnose.Study(), all, o, want)
	}
	casetest.Ends(t, diagnose.Study(), problems(t, barrier("x0")), good)
}

// TestNotReversible: x0 of 2x6 equal states changes with probability 0.002 a move, and x1 goes
// round. The ESS of their sum is then 25 times the exact one, and a note says that it may be; a
// reversible kernel has none.
func TestNotReversible(t *testing.T) {
	var rows strings.Builder
	for x := range 12 {
		for y := range 12 {
			p := map[bool]float64{true: 0.998, false: 0.002}[x/6 == y/6] *
				map[int]float64{0: 0.05, 1: 0.95}[(y-x+12)%6]
			fmt.Fprintf(&rows, "%v%s", p, map[bool]string{true: "\n", false: ","}[y == 11])
		}
	}
	for kernel, cycles := range map[string]bool{
		"matrix:" + longtest.File(t, "cycle.csv", rows.String()): true, "heatbath": false} {
		s := samplers.Selection{Reader: forms.Reader(), Toys: []string{
			"file:" + longtest.File(t, "flat.csv", "0,0,0,0,0,0\n0,0,0,0,0,0\n")}, Kernels: []string{kernel},
			Starts: []string{"target"}, Functions: []string{"sum"}}
		p := longtest.Must(s.Problems(t.Context()))(t)
		r := longtest.Must(study.Run(t.Context(), diagnose.Study(),
			p, diagnose.Options{Chains: 4, N: []int64{10000}, Seed: 1}, study.How{}))(t)[0]
		if noted := strings.Contains(
			strings.Join(said(r.Notes), ""),
			"the kernel is not reversible",
		); noted != cycles ||
			cycles != (math.Abs(r.ESSChain-6677) < 50 && math.Abs(r.RESSMean-260) < 0.5) {
			t.Errorf("%s: ESS %v, RESS %v, %q", kernel, r.ESSChain, r.RESSMean, said(r.Notes))
		}
	}
}
