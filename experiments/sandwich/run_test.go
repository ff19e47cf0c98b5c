package sandwich

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
)

// tiny are options of a run that takes no time.
func tiny() Options {
	return Options{
		Models: []string{"clustering:2", "lowrank:2", "binary:2"}, Rows: 5, Columns: 4,
		T: []int{2, 20}, Scans: []int{0, 2}, Chains: 3, Datasets: 2, Seed: 1,
	}
}

// ask answers the question of the options, with one worker, so that progress is counted in one goroutine.
func ask(ctx context.Context, o Options, progress func(int)) ([]Row, error) {
	return Study().Run(ctx, nil, o, study.How{Workers: 1, Progress: progress})
}

// chainsOf returns how many chains the options stand for, and why they are refused.
func chainsOf(o Options) (int, error) {
	p, err := plan(context.Background(), nil, &o)
	return p.Steps, err
}

// timeless returns rows without their seconds, of which no two runs have the same.
func timeless(rows []Row) []Row {
	rows = slices.Clone(rows)
	for i := range rows {
		rows[i].Seconds = 0
	}
	return rows
}

// alike reports whether rows are equal, with NaN equal to itself.
func alike(a, b Row) bool {
	for _, p := range [][2]*float64{{&a.LowerSE, &b.LowerSE}, {&a.UpperSE, &b.UpperSE}, {&a.BSE, &b.BSE}, {&a.LogZ, &b.LogZ}, {&a.LogZSE, &b.LogZSE}} {
		if !same(*p[0], *p[1]) {
			return false
		}
		*p[0], *p[1] = 0, 0
	}
	return reflect.DeepEqual(a, b)
}

// TestRunIsTheSameForAnyWorkers: all but the seconds, and all of what is done is counted.
func TestRunIsTheSameForAnyWorkers(t *testing.T) {
	var first []Row
	for _, workers := range []int{1, 2, 5} {
		counted := make(chan int, 1000)
		rows := longtest.Must(Study().Run(context.Background(), nil, tiny(), study.How{Workers: workers, Progress: func(n int) { counted <- n }}))(t)
		if n, err := chainsOf(tiny()); len(counted) != n || err != nil {
			t.Errorf("%d chains are counted, and there are %d; %v", len(counted), n, err)
		}
		if rows = timeless(rows); first == nil {
			first = rows
		}
		if len(rows) != 3*4*3 || !slices.EqualFunc(rows, first, alike) {
			t.Errorf("%d workers: %v\nand one: %v", workers, rows, first)
		}
	}
}

// TestRowsAreOfTheirTrials: the ends of a data set are the means of the trials of both estimators that have the numbers from 1 on.
func TestRowsAreOfTheirTrials(t *testing.T) {
	o := tiny()
	o.Models, o.T, o.Scans = []string{"binary:2"}, []int{20}, []int{2}
	rows := longtest.Must(ask(t.Context(), o, nil))(t)
	set := Set{mustModel(t, "binary:2"), o.Rows, o.Columns, 2, o.Seed}
	data := mustDraw(t, set)
	for i, knob := range []int{20, 2} {
		r, a := rows[3*i+1], Algorithms()[i]
		for name, got := range map[string]float64{a.Forward: r.Lower, a.Reverse: r.Upper} {
			mean := 0.0
			for trial := range o.Chains {
				mean += mustEstimate(t, set, data, mustChoice(t, name), knob, trial+1).LogZ / float64(o.Chains)
			}
			if r.Data != 2 || !same(got, mean) {
				t.Errorf("%s: the mean of %+v is %v, and of the trials %v", name, r, got, mean)
			}
		}
	}
}

// TestInterruptedRun: where the context ends, what is returned are rows of the whole run, each of them whole.
func TestInterruptedRun(t *testing.T) {
	o := tiny()
	whole := longtest.Must(ask(context.Background(), o, nil))(t)
	whole = timeless(whole)
	all := longtest.Must(chainsOf(o))(t)
	for _, after := range []int{1, 40, 41, 100, all - 1} {
		ctx, cancel := context.WithCancel(context.Background())
		done := 0
		rows, err := ask(ctx, o, func(n int) {
			if done += n; done == after {
				cancel()
			}
		})
		u, _ := errors.AsType[experiments.Unfinished](err)
		if !errors.Is(err, context.Canceled) || u.Finished != after || u.Jobs != all || len(rows) >= len(whole) {
			t.Fatalf("after %d chains: %d rows, %v", after, len(rows), err)
		}
		for _, r := range timeless(rows) {
			r.LogZ, r.LogZSE, r.Settled = 0, 0, 0 // they come from other rows
			if !slices.ContainsFunc(whole, func(w Row) bool { w.LogZ, w.LogZSE, w.Settled, w.Notes = 0, 0, 0, r.Notes; return alike(r, w) }) {
				t.Errorf("after %d chains there is a row that the whole run does not have: %+v", after, r)
			}
		}
	}
}

// TestOptionsAreRefused: each option that makes no sense, with words that say which.
func TestOptionsAreRefused(t *testing.T) {
	for want, change := range map[string]func(*Options){
		"no model is named":           func(o *Options) { o.Models = nil },
		"unknown model \"clusterin\"": func(o *Options) { o.Models = []string{"clusterin"} },
		"did you mean clustering?":    func(o *Options) { o.Models = []string{"clusterin"} },
		"neither T nor scans":         func(o *Options) { o.T, o.Scans = nil, nil },
		"T 1;":                        func(o *Options) { o.T = []int{10, 1} },
		"T 100000001;":                func(o *Options) { o.T = []int{MaxT + 1} },
		"scans -1;":                   func(o *Options) { o.Scans = []int{-1} },
		"scans 1000001;":              func(o *Options) { o.Scans = []int{MaxScans + 1} },
		"chains 0;":                   func(o *Options) { o.Chains = 0 },
		"chains 100001;":              func(o *Options) { o.Chains = MaxChains + 1 },
		"datasets 0;":                 func(o *Options) { o.Datasets = 0 },
		"lowrank:2 and lowrank:2:1:1:1 are the same model": func(o *Options) { o.Models = []string{"lowrank:2", "lowrank:2:1:1:1"} },
		"rows 0 and":                           func(o *Options) { o.Rows = 0 },
		"columns 0;":                           func(o *Options) { o.Columns = 0 },
		"columns 1001;":                        func(o *Options) { o.Columns = MaxColumns + 1 },
		"K must be below both":                 func(o *Options) { o.Models = []string{"lowrank:4"} },
		"K is \"0\"":                           func(o *Options) { o.Models = []string{"binary:0"} },
		"2 numbers; give K alone, or K and ST": func(o *Options) { o.Models = []string{"clustering:2:1"} },
		"the variance of the noise is 0":       func(o *Options) { o.Models = []string{"clustering:2:1:0"} },
		"the variance of the centres is -1":    func(o *Options) { o.Models = []string{"clustering:2:-1:1"} },
		"attribute 0 has probability 1":        func(o *Options) { o.Models = []string{"binary:2:1:1:1"} },
		"they may have 2e+07 numbers in all":   func(o *Options) { o.Rows, o.Columns = MaxRows, MaxColumns },
		"chains in all":                        func(o *Options) { o.Chains, o.Datasets = MaxChains, MaxDatasets },
		"1.2e+06 chains in all, and at most 1": func(o *Options) { atMost(o); o.T = append(o.T, 7) },
	} {
		o := tiny()
		change(&o)
		if rows, err := ask(context.Background(), o, nil); rows != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d rows, %v, want %q", len(rows), err, want)
		}
	}
	o := tiny()
	if _, err := chainsOf(o); err != nil {
		t.Error(err)
	}
	atMost(&o)
	if n, err := chainsOf(o); err != nil || n != maxRuns {
		t.Errorf("%d chains are refused: %v", n, err)
	}
	m := mustModel(t, "clustering:2")
	o.Given = []Given{{Set: Set{m, 5, 4, 1, 1}, Data: &Data{}}} // without an exact draw there are half as many
	o.T = append(o.T, 7, 8, 9, 10, 11)
	if n, err := chainsOf(o); err != nil || n != maxRuns {
		t.Errorf("%d chains forward are refused: %v", n, err)
	}
	o.T = append(o.T, 12)
	if n, err := chainsOf(o); err == nil {
		t.Errorf("%d chains forward are not refused", n)
	}
}

// atMost sets options of as many chains as are made.
func atMost(o *Options) {
	o.Models, o.Datasets, o.Chains, o.T, o.Scans = []string{"clustering:2"}, 1, MaxChains, []int{2, 3, 4, 5}, []int{0}
}

// TestMemoryDoesNotGrowWithT: ten thousand times as many distributions take as many bytes.
func TestMemoryDoesNotGrowWithT(t *testing.T) {
	longtest.NotShort(t)
	for _, name := range []string{"clustering:2", "lowrank:2", "binary:2"} {
		m := mustModel(t, name)
		set := Set{m, 5, 4, 1, 1}
		data := mustDraw(t, set)
		bytes := func(T int) uint64 {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for _, direction := range []string{TruthForward, TruthReverse} {
				by := mustChoice(t, direction)
				mustEstimate(t, set, data, by, T, 1)
			}
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		few := bytes(2)
		if many := bytes(20_000); many > few+4096 {
			t.Errorf("%s: %d bytes at T = 20,000, and %d at T = 2", name, many, few)
		}
	}
}
