package ais_test

import (
	"context"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/exact/weights"
	"breadboard/experiments/ais"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
)

// TestBlocksOfChains: chains are simulated in blocks of at most 32,768, of which each is reported at every stage: as many
// chains make one block in each direction, and one more makes two that differ by no more than one.
func TestBlocksOfChains(t *testing.T) {
	cases := casetest.MustCases(t, casetest.Selection([]int{2}, "random:1:1:2x2"))
	for chains, want := range map[int][]int{1 << 15: {1 << 15, 1 << 15}, 1<<15 + 1: {1 << 14, 1 << 14, 1<<14 + 1, 1<<14 + 1}} {
		var blocks []int
		h := study.How{Workers: 1, Progress: func(n int) { blocks = append(blocks, n) }}
		longtest.Must(ais.Study().Run(context.Background(), cases, ais.Options{Chains: chains, Seed: 1}, h))(t)
		if len(blocks) != len(want) || blocks[0] != want[0] || blocks[len(blocks)-1] != want[len(want)-1] {
			t.Errorf("%d chains in blocks of %v, want %v", chains, blocks, want)
		}
	}
}

// TestStandardScores: z is how many standard errors an estimate is from its expectation and its bias.
func TestStandardScores(t *testing.T) {
	cases := casetest.MustCases(t, casetest.Selection([]int{20}, "easy"))
	runs := casetest.Rows(t, ais.Study(), cases, ais.Options{Chains: 500, Seed: 1})
	for _, q := range runs[0].Quantities {
		want := (q.Estimate - q.Exact - q.Bias) / q.StandardError
		if math.IsNaN(q.StandardError) != math.IsNaN(q.Z()) || !math.IsNaN(want) && !(math.Abs(q.Z()-want) <= 1e-9*(1+math.Abs(want))) {
			t.Errorf("%s: z = %v, by hand %v", q.Name, q.Z(), want)
		}
	}
}

// TestBiasOfLogs: the logarithm of a mean of k numbers of relative variance v is too small by v/2k, and that of the
// harmonic mean too large; where v/k is a tenth or more nothing is said.
func TestBiasOfLogs(t *testing.T) {
	cases := casetest.MustCases(t, casetest.Selection([]int{20}, "easy"))
	for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
		power, name, sign := 1.0, "log_mean_w_forward", -1.0
		if d == chains.Reverse {
			power, name, sign = -1, "log_mean_w_reverse", 1
		}
		k := longtest.Must(weights.CGF(context.Background(), cases[0].Annealing(), d, []float64{power, 2 * power}))(t)
		v := math.Expm1(k[1] - 2*k[0])
		for _, share := range []float64{0.5, 1.05, 1.5} { // of the chains from which on it is said
			n := int(math.Ceil(10 * v * share))
			runs := casetest.Rows(t, ais.Study(), cases, ais.Options{Chains: n, Seed: 1})
			for _, q := range runs[0].Quantities {
				if q.Name != name {
					continue
				}
				if said := !math.IsNaN(q.StandardError); said != (share > 1) {
					t.Errorf("%s with %d chains, a relative variance of %v: said %v", name, n, v/float64(n), said)
				}
				if share > 1 && !(math.Abs(q.Bias/(sign*v/2/float64(n))-1) < 1e-9) {
					t.Errorf("%s: bias %v, by hand %v", name, q.Bias, sign*v/2/float64(n))
				}
			}
		}
	}
}

// TestMemoryOfChains: chains of an annealing take 64 bytes each while they run, and 32 for each other annealing; the limit
// is 8 GB.
func TestMemoryOfChains(t *testing.T) {
	for _, c := range []struct {
		chains, cases int
		ok            bool
	}{{125_000_000, 1, true}, {125_000_001, 1, false}, {62_500_000, 3, true}, {62_500_001, 3, false}, {2, 1, true}, {1, 1, false}} {
		if err := (ais.Options{Chains: c.chains}).Validate(c.cases); (err == nil) != c.ok {
			t.Errorf("%d chains of %d annealings: %v", c.chains, c.cases, err)
		}
	}
}
