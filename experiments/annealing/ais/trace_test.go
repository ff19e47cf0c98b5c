package ais_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
)

// traced are all reports of a trace, put together.
type traced struct {
	row              *ais.Row
	counts           []int
	quantities       [][]ais.Quantity
	exact            []float64 // log(Z_T/Z_1)
	forward, reverse simulate.Batch
	paths            []ais.Path
}

func trace(t *testing.T, o ais.TraceOptions, workers int) traced {
	t.Helper()
	var all traced
	add := func(to, b *simulate.Batch) {
		to.First, to.Last, to.LogW = append(to.First, b.First...), append(to.Last, b.Last...),
			append(to.LogW, b.LogW...)
	}
	c := casetest.MustCases(t, casetest.Selection([]int{12}, "barrier"))[0]
	var err error
	all.row, err = ais.Trace(context.Background(), c, o, study.How{Workers: workers}, func(r *ais.Running) error {
		all.counts, all.quantities, all.paths = append(all.counts, r.Estimates.Chains),
			append(all.quantities, r.Estimates.Quantities), append(all.paths, r.Paths...)
		add(&all.forward, r.Forward)
		add(&all.reverse, r.Reverse)
		all.exact = append(all.exact, r.Estimates.Exact.LogZRatio)
		return nil
	})
	longtest.NoError(t, err)
	return all
}

// TestTraceIsARun: the chains, their estimates and the reports on the way are those of the study,
// for any number of workers, with several blocks of chains.
func TestTraceIsARun(t *testing.T) {
	longtest.Only(t)
	const n = 70_000
	o := ais.TraceOptions{
		Options: ais.Options{Chains: n, Seed: 5},
		Paths:   40_000,
		Stages:  []int{12, 1, 6, 1},
		Counts:  ais.RunningCounts(n),
	}
	one := trace(t, o, 1)
	c := casetest.MustCases(t, casetest.Selection([]int{12}, "barrier"))
	runs := casetest.Rows(t, ais.Study(), c, o.Options)
	want := &runs[0]
	if got := one.row; !slices.Equal(got.Forward.LogW, want.Forward.LogW) ||
		!slices.Equal(got.Reverse.Last, want.Reverse.Last) ||
		fmt.Sprint(got.Quantities) != fmt.Sprint(want.Quantities) ||
		got.Exact.LogZRatio != want.Exact.LogZRatio {
		t.Errorf("the row is not that of the study: %+v, want %+v", got.Quantities, want.Quantities)
	}
	if !slices.Equal(one.counts, o.Counts) || !slices.Equal(one.forward.LogW, want.Forward.LogW) ||
		!slices.Equal(one.forward.First, want.Forward.First) ||
		!slices.Equal(one.reverse.Last, want.Reverse.Last) {
		t.Errorf("reports after %v chains do not add up to the run", one.counts)
	}
	if last := one.quantities[len(one.quantities)-1]; fmt.Sprint(last) != fmt.Sprint(want.Quantities) {
		t.Errorf("the last report is %+v, want %+v", last, want.Quantities)
	}
	for _, v := range one.exact {
		if v != want.Exact.LogZRatio {
			t.Errorf("log(Z_T/Z_1) is %v in a report, want %v", v, want.Exact.LogZRatio)
		}
	}
	annealingCheckPaths(t, one.paths, want)
	three := trace(t, o, 3)
	if fmt.Sprint(three.quantities) != fmt.Sprint(one.quantities) ||
		fmt.Sprint(three.paths) != fmt.Sprint(one.paths) ||
		!slices.Equal(three.reverse.LogW, one.reverse.LogW) {
		t.Error("three workers report something else than one")
	}
}

// annealingCheckPaths compares 40,000 paths in each direction at the stages 12, 1, 6 and 1 with the
// ends of the chains.
func annealingCheckPaths(t *testing.T, paths []ais.Path, want *ais.Row) {
	t.Helper()
	next := map[chains.Direction]int{}
	for _, p := range paths {
		b := want.Forward
		if p.Direction == chains.Reverse {
			b = want.Reverse
		}
		i := next[p.Direction]
		if p.Chain != i || p.States[0] != b.Last[i] || p.States[1] != b.First[i] ||
			p.States[3] != b.First[i] || p.LogW != b.LogW[i] {
			t.Fatalf("path %+v, chain %d has %v, %v and %v", p, i, b.First[i], b.Last[i], b.LogW[i])
		}
		next[p.Direction]++
	}
	if next[chains.Forward] != 40_000 || next[chains.Reverse] != 40_000 {
		t.Errorf("%v paths", next)
	}
}

// TestRunningEstimates computes the estimates on the way by hand.
func TestRunningEstimates(t *testing.T) {
	all := trace(t, ais.TraceOptions{Options: ais.Options{Chains: 500, Seed: 2}, Counts: []int{1, 3, 500}}, 0)
	for i, n := range all.counts {
		f := ais.Mean(all.forward.LogW[:n]).Value
		r := ais.Mean(all.reverse.LogW[:n]).Value
		for _, q := range all.quantities[i] {
			want := map[string]float64{
				"mean_log_w_forward": f, "mean_log_w_reverse": r, "B": r - f,
				"log_mean_w_forward": ais.LogMeanExp(all.forward.LogW[:n], 1).Value,
				"log_mean_w_reverse": -ais.LogMeanExp(all.reverse.LogW[:n], -1).Value,
				"bar":                ais.BAR(all.forward.LogW[:n], all.reverse.LogW[:n]).Value,
			}
			if v, is := want[q.Name]; is && math.Abs(q.Estimate-v) > 1e-12 {
				t.Errorf("after %d chains %s is %v, want %v", n, q.Name, q.Estimate, v)
			}
			if q.Name == "mean_log_w_forward" && !(q.StandardError > 0) {
				t.Errorf("after %d chains the exact standard error is %v", n, q.StandardError)
			}
		}
	}
}

func TestRunningCounts(t *testing.T) {
	for n, want := range map[int][]int{
		2: {1, 2}, 10: {1, 2, 5, 10}, 11: {1, 2, 5, 10, 11}, 700: {1, 2, 5, 10, 20, 50, 100, 200, 500, 700}} {
		if got := ais.RunningCounts(n); !slices.Equal(got, want) {
			t.Errorf("to %d: %v", n, got)
		}
	}
}

func TestTraceRefuses(t *testing.T) {
	c := casetest.MustCases(t, casetest.Selection([]int{12}, "easy"))[0]
	for want, o := range map[string]ais.TraceOptions{
		"1 chains":                 {Options: ais.Options{Chains: 1}},
		"the paths of 11 chains":   {Options: ais.Options{Chains: 10}, Paths: 11},
		"the paths of -1 chains":   {Options: ais.Options{Chains: 10}, Paths: -1},
		"stage 0 of an annealing":  {Options: ais.Options{Chains: 10}, Stages: []int{0}},
		"stage 13 of an annealing": {Options: ais.Options{Chains: 10}, Stages: []int{13}},
		"after 0 chains":           {Options: ais.Options{Chains: 10}, Counts: []int{0}},
		"after 11 chains":          {Options: ais.Options{Chains: 10}, Counts: []int{11}},
		"after the number 5":       {Options: ais.Options{Chains: 10}, Counts: []int{5, 5}},
		"give fewer of either": {
			Options: ais.Options{Chains: ais.MaxPathStates},
			Paths:   ais.MaxPathStates,
			Stages:  []int{1, 2},
		},
	} {
		longtest.Refuses(ais.Trace(
			context.Background(),
			c,
			o,
			study.How{},
			func(*ais.Running) error { return nil },
		))(t, want)
	}
}

// TestTraceEndsWhereItsReaderDoes: an error of the report ends the run, as the context does. A
// report that has failed is the last, though blocks of chains that are under way still come.
func TestTraceEndsWhereItsReaderDoes(t *testing.T) {
	c := casetest.MustCases(t, casetest.Selection([]int{3}, "barrier"))[0]
	const n = 400_000
	o := ais.TraceOptions{Options: ais.Options{Chains: n}, Counts: []int{1, n / 2, n}}
	calls := 0
	wrong := errors.New("nobody hears")
	_, err := ais.Trace(context.Background(), c, o, study.How{Workers: 8}, func(*ais.Running) error {
		calls++
		return wrong
	})
	if !errors.Is(err, wrong) || calls != 1 {
		t.Errorf("%d reports, and %v", calls, err)
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if _, err := ais.Trace(ended, c, ais.TraceOptions{Options: ais.Options{Chains: 100}}, study.How{},
		nil); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of its context: %v", err)
	}
}
