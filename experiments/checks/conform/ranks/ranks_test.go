package ranks

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"breadboard/chains"
	"breadboard/exact/ranks"
	"breadboard/grid/longtest"
)

// ranksOf returns the ranks of runs of which the draws are made of the true value.
func ranksOf(rng *rand.Rand, runs, draws int, of func(truth float64) []float64) Variable {
	v := Variable{Name: "x", Draws: draws}
	for range runs {
		truth, rank := rng.NormFloat64(), 0
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

// TestCauses: each cause is named where it is the cause, and no cause where it is not. The draws of
// a chain are those of an autoregression, which is not what the family is.
func TestCauses(t *testing.T) {
	const draws = 19
	rng := rand.New(rand.NewPCG(1, 2))
	chain := func(float64) []float64 {
		x, list := rng.NormFloat64(), make([]float64, draws)
		for i := range list {
			x = 0.8*x + 0.6*rng.NormFloat64()
			list[i] = x
		}
		return list
	}
	for want, of := range map[string]func(float64) []float64{
		"":                   func(float64) []float64 { return normals(rng, draws, 0, 1) },
		"too high by 0.":     func(float64) []float64 { return normals(rng, draws, 0.3, 1) },
		"too low by 0.":      func(float64) []float64 { return normals(rng, draws, -0.3, 1) },
		"too narrow":         func(float64) []float64 { return normals(rng, draws, 0, 0.6) },
		"deviation was 0.0":  func(float64) []float64 { return normals(rng, draws, 0, 0.04) },
		"too wide":           func(float64) []float64 { return normals(rng, draws, 0, 1.6) },
		"depended on each":   chain,
		"none of the known ": func(truth float64) []float64 { return normals(rng, draws, math.Copysign(3, truth), 1) },
	} {
		rng = rand.New(rand.NewPCG(1, 2)) // the order of the cases does not matter
		f := longtest.Sure(Check(context.Background(), []Variable{ranksOf(rng, 4000, draws, of)}, 1e-6))[0]
		if said := f.Where; (f.Verdict == "fault") != (want != "") || !strings.Contains(said, want) {
			t.Errorf("%q: %s: %s", want, f.Verdict, said)
		}
	}
}

// TestFamilies compares the distributions of the causes with those of package ranks of exact, for
// draws on 100 states, of which two are equal with the probability 1/100, and with uniform ranks
// if there is no fault.
func TestFamilies(t *testing.T) {
	const draws, states = 9, 100
	truth, values := make([]float64, states), make([]float64, states)
	for i := range states {
		truth[i], values[i] = 1./states, float64(i)
	}
	list := families(draws)
	for i, right := range []float64{0, 1, 0} {
		for k, p := range list[i].of(right) {
			if math.Abs(p*(draws+1)-1) > 3e-3 {
				t.Errorf("cause %d without a fault: rank %d has %v", i, k, p)
			}
		}
	}
	rho, rows := 0.7, make([][]chains.Entry, states)
	for x := range rows {
		for y := range states {
			rows[x] = append(rows[x], chains.Entry{To: y, P: (1 - rho) / states})
		}
		rows[x][x].P += rho
	}
	want, err := ranks.Dependent(context.Background(), ranks.Question{Truth: truth, Values: values, Draws: draws}, ranks.Chain{Start: truth, Thin: 1, Rows: rows})
	longtest.NoError(t, err)
	for k, p := range list[2].of(rho) {
		if math.Abs(p-want[k]) > 0.3/states {
			t.Errorf("rank %d of repeated draws: %v, want %v", k, p, want[k])
		}
	}
	for _, success := range []float64{0, 1e-300, 0.2, 0.999, 1} {
		p := make([]float64, draws+1)
		addBinomial(p, success, 1)
		for k, v := range p {
			want := (distuv.Binomial{N: draws, P: success}).Prob(float64(k))
			if success == 0 || success == 1 { // at which that of distuv is not a number
				want = map[bool]float64{true: 1}[k == int(success)*draws]
			}
			if !(math.Abs(v-want) <= 1e-13) {
				t.Errorf("binomial %v of %v: %v, want %v", k, success, v, want)
			}
		}
	}
	for i, f := range list {
		for _, at := range f.grid {
			total := 0.0
			for _, p := range f.of(at) {
				total += p
			}
			if !(math.Abs(total-1) <= 1e-12) {
				t.Errorf("cause %d at %v: the probabilities sum to %v", i, at, total)
			}
		}
	}
}

// TestExcluded: what a pass says would have been found is found, in nearly all of some files.
func TestExcluded(t *testing.T) {
	const draws, runs, files = 19, 500, 40
	rng := rand.New(rand.NewPCG(5, 6))
	threshold := math.Log(1e6)
	f := families(draws)[0]
	_, shift := f.found(runs, threshold+math.Log(5)+math.Log(float64(len(f.grid))))
	missed := 0
	for range files {
		v := ranksOf(rng, runs, draws, func(float64) []float64 { return normals(rng, draws, shift, 1) })
		if got := v.check(threshold); got.Verdict != "fault" {
			missed++
		}
	}
	if missed > 5 { // which has the probability 4e-6 at 0.01 each
		t.Errorf("a shift of %v is missed in %d of %d files", shift, missed, files)
	}
	for _, runs := range []int{3, 10, 30, 100, 300} {
		if says := excluded(families(5), runs, threshold); strings.Contains(says, "Inf") || strings.Contains(says, "NaN") {
			t.Errorf("%d runs: %s", runs, says)
		}
	}
	if low, high := f.found(3, threshold); !math.IsInf(low, -1) || !math.IsInf(high, 1) {
		t.Errorf("three runs find %v and %v", low, high)
	}
}

// TestRead: both kinds of files, and what is wrong with others.
func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ranks.csv")
	read := func(text string, most int) (list []Variable, err error) {
		longtest.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return Read(context.Background(), path, most)
	}
	want := []Variable{{"mu", 9, []int{3, 0}}, {"tau", 9, []int{9, 5}}}
	for _, text := range []string{
		"sim_id,mu,tau\n1,3,9\n2,0,5\n",
		"mu\ttau\n3\t9\n0\t5\n",
		"sim_id,variable,simulated_value,rank,max_rank\n1,mu,0.3,3,9\n1,tau,1.2,9,9\n2,mu,-1,0,9\n2,tau,2,5,9\n",
		"variable,rank\nmu,3\ntau,9\ntau,5\nmu,0\n",
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

// TestFalseAlarms: right ranks hardly ever give a fault at a large alpha.
func TestFalseAlarms(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	runs, alarms := longtest.Times(100, 2000), 0
	for range runs {
		v := Variable{Name: "x", Draws: 5}
		for range 200 {
			v.Ranks = append(v.Ranks, rng.IntN(6))
		}
		if f := v.check(math.Log(20)); f.Verdict == "fault" {
			alarms++
		}
	}
	if limit := float64(runs)/20 + 5*math.Sqrt(float64(runs)/20); float64(alarms) > limit {
		t.Errorf("%d false alarms of %d at a level of 0.05", alarms, runs)
	}
	if slices.Contains(passed(), "x") {
		t.Error("x is left out")
	}
}
