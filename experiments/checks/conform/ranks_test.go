package conform_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/experiments/checks/conform/ranks"
	"breadboard/grid/longtest"
	"breadboard/reports/check"
)

// ranksOf returns the ranks of runs of which the draws are made of the true value.
func ranksOf(rng *rand.Rand, runs, draws int, of func(truth float64) []float64) ranks.Variable {
	v := ranks.Variable{Name: "x", Draws: draws}
	for range runs {
		truth := rng.NormFloat64()
		rank := 0
		for _, x := range of(truth) {
			if x < truth {
				rank++
			}
		}
		v.Ranks = append(v.Ranks, rank)
	}
	return v
}

func normals(rng *rand.Rand, draws int, shift, width float64) []float64 {
	list := make([]float64, draws)
	for i := range list {
		list[i] = shift + width*rng.NormFloat64()
	}
	return list
}

// TestRankCauses: each cause is named where it is the cause, with its parameter, and no cause where
// it is not. The draws of a chain are those of an autoregression, which is not what the family is.
func TestRankCauses(t *testing.T) {
	const draws = 19
	rng := rand.New(rand.NewPCG(1, 2))
	chain := func(float64) []float64 {
		x := rng.NormFloat64()
		list := make([]float64, draws)
		for i := range list {
			x = 0.8*x + 0.6*rng.NormFloat64()
			list[i] = x
		}
		return list
	}
	repeating := func(float64) []float64 {
		list := normals(rng, draws, 0, 1)
		for i := 1; i < draws; i++ {
			if rng.Float64() < 0.7 {
				list[i] = list[i-1]
			}
		}
		return list
	}
	for want, c := range map[string]struct {
		of func(float64) []float64
		at float64 // the parameter; 0 is none
	}{
		"":                     {func(float64) []float64 { return normals(rng, draws, 0, 1) }, 0},
		"too high by ":         {func(float64) []float64 { return normals(rng, draws, 0.3, 1) }, 0.3},
		"too low by ":          {func(float64) []float64 { return normals(rng, draws, -0.3, 1) }, 0.3},
		"too narrow":           {func(float64) []float64 { return normals(rng, draws, 0, 0.6) }, 0},
		"deviation of ":        {func(float64) []float64 { return normals(rng, draws, 0, 0.04) }, 0.04},
		"too wide":             {func(float64) []float64 { return normals(rng, draws, 0, 1.6) }, 0},
		"small steps":          {chain, 0},
		"it with probability ": {repeating, 0.7},
		"none of the known ": {
			func(truth float64) []float64 { return normals(rng, draws, math.Copysign(3, truth), 1) }, 0},
	} {
		rng = rand.New(rand.NewPCG(1, 2)) // the order of the cases does not matter
		f := longtest.Must(ranks.Check(
			t.Context(),
			[]ranks.Variable{ranksOf(rng, 4000, draws, c.of)},
			1e-6,
			func(int) {},
		))(t)[0]
		if (f.Verdict == "fault") != (want != "") || !strings.Contains(f.Where, want) {
			t.Errorf("%q: %s: %s", want, f.Verdict, f.Where)
			continue
		}
		at := 0.0
		low := 0.0
		high := 0.0
		if c.at > 0 {
			fmt.Sscanf(f.Where[strings.Index(f.Where, want)+len(want):], "%g (from %g to %g)", &at, &low, &high)
			if !(low <= c.at && c.at <= high) || math.Abs(at/c.at-1) > 0.2 {
				t.Errorf("%q: the parameter is %v: %s", want, c.at, f.Where)
			}
		}
	}
}

// TestRanksExcluded: what a pass says would have been found is found, in nearly all of some files.
func TestRanksExcluded(t *testing.T) {
	const draws, runs = 19, 500
	files := longtest.Times(5, 40)
	rng := rand.New(rand.NewPCG(5, 6))
	check := func(n int, shift float64) ranks.Finding {
		v := ranksOf(rng, n, draws, func(float64) []float64 { return normals(rng, draws, shift, 1) })
		return longtest.Must(ranks.Check(t.Context(), []ranks.Variable{v}, 1e-6, func(int) {}))(t)[0]
	}
	var shift float64
	says := check(runs, 0).Where
	fmt.Sscanf(says[max(0, strings.Index(says, "a shift of")):], "a shift of %g standard", &shift)
	missed := 0
	for range files {
		if check(runs, shift).Verdict != "fault" {
			missed++
		}
	}
	if missed > 1+files/10 || shift > 0.5 {
		// at 0.01 each, more have a probability of 1e-3 in 5 files, and of 4e-6 in 40
		t.Errorf("a shift of %v is missed in %d of %d files", shift, missed, files)
	}
	for _, n := range []int{3, 10, 30, 100, 300} {
		if f := check(n, 0); strings.Contains(f.Where, "Inf") || strings.Contains(f.Where, "NaN") ||
			(n == 3) != (f.Verdict == "open") {
			t.Errorf("%d runs: %+v", n, f)
		}
	}
}

// TestReadRanks: both kinds of files, and what is wrong with others.
func TestReadRanks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ranks.csv")
	read := func(text string, most int) (list []ranks.Variable, err error) {
		writeFile(t, path, text)
		return ranks.ReadVariables(t.Context(), path, most)
	}
	want := []ranks.Variable{
		{Name: "mu", Draws: 9, Ranks: []int{3, 0}}, {Name: "tau", Draws: 9, Ranks: []int{9, 5}}}
	for _, text := range []string{
		"sim_id,mu,tau\n1,3,9\n2,0,5\n",
		"mu\ttau\n3\t9\n0\t5\n",
		"sim_id,variable,simulated_value,rank,max_rank\n1,mu,0.3,3,9\n1,tau,1.2,9,9\n2,mu,-1,0,9\n2,tau,2,5,9\n",
		"variable,rank\nmu,3\ntau,9\ntau,5\nmu,0\n",
		"variable,rank,rhat,q5,.chain\nmu,3,1,0,1\ntau,9,1,0,1\ntau,5,1,0,1\nmu,0,1,0,1\n",
	} {
		most := 9
		if strings.Contains(text, "max_rank") {
			most = 0
		}
		got, err := read(text, most)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	for text, says := range map[string]string{
		"mu\n3\n":                           "how many draws",
		"mu\n":                              "no rows",
		"":                                  "empty",
		"sim_id\n1\n":                       "no ranks",
		"mu\n-1\n":                          "whole number",
		"mu\nnan\n":                         "whole number",
		"rank,max_rank\n3,9\n3,8\n":         "other rows",
		"rank,max_rank\n3,1e9\n":            "from 0 to 1000",
		"rank,max_rank\n11,9\n":             "from 0 to 9",
		"rank,max_rank\n10,9\n":             "subtract 1 if",
		"mu,mu\n1,2\n":                      "two columns",
		"rank,max_rank,count\n3,9,40\n":     "the column count",
		"mu,weight\n3,1\n":                  "the column weight",
		"rank,max_rank,rhats\n3,9,1\n":      "the column rhats",
		"rank,max_rank\n\"1\x00\",9\n":      "whole number",
		"variable,rank,max_rank\na,1.5,9\n": "whole number",
	} {
		most := 0
		if strings.HasPrefix(text, "mu\n-1") || strings.HasPrefix(text, "mu\nnan") {
			most = 9
		}
		_, err := read(text, most)
		longtest.Refused(t, err, says, text)
	}
}

// TestRanksMeanOne: over all ranks of two runs the e-value has the mean one, for both parities of
// L.
func TestRanksMeanOne(t *testing.T) {
	for most := 4; most <= 5; most++ {
		mean := 0.0
		n := most + 1
		for code := range n * n {
			v := ranks.Variable{Name: "x", Draws: most, Ranks: []int{code % n, code / n}}
			mean += longtest.Must(ranks.Check(t.Context(), []ranks.Variable{v}, 0.05, func(int) {}))(t)[0].Value / float64(n*n)
		}
		if math.Abs(mean-1) > 1e-9 {
			t.Errorf("the mean is %v", mean)
		}
	}
}

// TestRanksInterrupted: no variable is begun once the context has ended.
func TestRanksInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	list := slices.Repeat([]ranks.Variable{{Draws: 9, Ranks: []int{1, 2, 3}}}, 3)
	done := 0
	if _, err := ranks.Check(ctx, list, 0.1, func(n int) { done += n; cancel() }); err == nil || done != 1 {
		t.Errorf("after %d of 3 variables: %v", done, err)
	}
}

// TestFiveErrorsOfRanks: ranks whose mean or spread is off by five standard errors are no pass, nor
// if the ranks of all draws of the chains are.
func TestFiveErrorsOfRanks(t *testing.T) {
	const most = 9
	for name, of := range map[string]func(share float64) float64{
		"mean":   func(share float64) float64 { return share },
		"spread": func(share float64) float64 { return share * share },
	} {
		first := 0.0
		second := 0.0
		for r := range most + 1 {
			v := of(float64(r)/most - 0.5)
			first += v / (most + 1)
			second += v * v / (most + 1)
		}
		for _, errors := range []float64{0, 4.7, 5.3} {
			const n = 100_000
			v := ranks.Variable{Name: "mu", Draws: most}
			for r := range most + 1 {
				off := (of(float64(r)/most-0.5) - first) / math.Sqrt(second-first*first)
				v.Ranks = append(v.Ranks, slices.Repeat([]int{r}, int(n/(most+1)*(1+errors/math.Sqrt(n)*off)))...)
			}
			checkOpen(t, &v, errors > 5, "the "+name+" of the ranks is off by 5.3 standard errors")
		}
	}
	uniform := make([]int, 1000)
	for i := range uniform {
		uniform[i] = i % (most + 1)
	}
	for _, pooled := range []float64{0, 4.9, -5.5} {
		checkOpen(t, &ranks.Variable{Name: "mu", Draws: most, Ranks: uniform, Pooled: pooled}, pooled < -5,
			"the mean of the ranks of all draws of the chains is off by -5.5 standard errors")
	}
}

func checkOpen(t *testing.T, v *ranks.Variable, open bool, says string) {
	t.Helper()
	list := longtest.Must(ranks.Check(context.Background(), []ranks.Variable{*v}, 1e-6, func(int) {}))(t)
	if f := list[0]; (f.Verdict == check.Open) != open || open && !strings.HasPrefix(f.Where, says) {
		t.Errorf("%+v, want open: %v, %s", f.Finding, open, says)
	}
}
