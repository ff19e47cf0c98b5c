package sandwich

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// tiny are options of a run that takes no time.
func tiny() Options {
	return Options{
		Models: []string{"clustering:2", "lowrank:2", "binary:2"}, Rows: 5, Columns: 4,
		T: []int{2, 20}, Scans: []int{0, 2}, Chains: 3, Datasets: 2, Seed: 1,
	}
}

// ask answers the question of the options, with one worker, so that progress is counted in one
// goroutine.
func ask(ctx context.Context, o Options, progress func(int)) ([]Row, error) {
	return study.Run(ctx, Study(), nil, o, study.How{Workers: 1, Progress: progress})
}

// chainsOf returns how many chains the options stand for, and why they are refused.
func chainsOf(o Options) (int, error) {
	if _, err := plan(context.Background(), nil, &o); err != nil {
		return 0, err
	}
	sets, err := o.sets()
	return int(o.chains(sets)), err
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
	for _, p := range [][2]*float64{{&a.LowerSE, &b.LowerSE}, {&a.UpperSE, &b.UpperSE}, {&a.BSE, &b.BSE},
		{&a.LogZ, &b.LogZ}, {&a.LogZSE, &b.LogZSE}} {
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
		rows := longtest.Must(study.Run(context.Background(), Study(), nil, tiny(),
			study.How{Workers: workers, Progress: func(n int) { counted <- n }}))(t)
		close(counted)
		total := 0
		for n := range counted {
			total += n
		}
		o := tiny()
		if p := longtest.Must(plan(t.Context(), nil, &o))(t); total != p.Steps {
			t.Errorf("%d steps are counted, and there are %d", total, p.Steps)
		}
		rows = timeless(rows)
		if first == nil {
			first = rows
		}
		if len(rows) != 3*4*3 || !slices.EqualFunc(rows, first, alike) {
			t.Errorf("%d workers: %v\nand one: %v", workers, rows, first)
		}
	}
}

// TestRowsAreOfTheirTrials: the ends of a data set are the means of the trials of both estimators
// that have the numbers from 1 on.
func TestRowsAreOfTheirTrials(t *testing.T) {
	o := tiny()
	o.Models = []string{"binary:2"}
	o.T = []int{20}
	o.Scans = []int{2}
	rows := longtest.Must(ask(t.Context(), o, nil))(t)
	set := Set{mustModel(t, "binary:2"), o.Rows, o.Columns, 2, o.Seed}
	data := mustDraw(t, set)
	for i, knob := range []int{20, 2} {
		r := rows[3*i+1]
		a := algorithms()[i]
		for name, got := range map[string]float64{a.Forward: r.Lower, a.Reverse: r.Upper} {
			mean := 0.0
			for trial := range o.Chains {
				mean += mustEstimate(t, set, data, mustChoice(t, name), knob, trial+1).LogZ /
					float64(o.Chains)
			}
			if r.Data != 2 || !same(got, mean) {
				t.Errorf("%s: the mean of %+v is %v, and of the trials %v", name, r, got, mean)
			}
		}
	}
}

// TestInterruptedRun: if the context ends, what is returned are rows of the whole run, each of them
// whole.
func TestInterruptedRun(t *testing.T) {
	o := tiny()
	whole := longtest.Must(ask(context.Background(), o, nil))(t)
	whole = timeless(whole)
	all := longtest.Must(chainsOf(o))(t)
	for _, after := range []int{1, 40, 41, 100, all - 1} {
		ctx, cancel := context.WithCancel(context.Background())
		done := 0
		rows, err := ask(ctx, o, func(int) {
			done++
			if done == after {
				cancel()
			}
		})
		u, _ := errors.AsType[subject.Unfinished](err)
		if !errors.Is(err, context.Canceled) || u.Finished != after || u.Jobs != all ||
			len(rows) >= len(whole) {
			t.Fatalf("after %d chains: %d rows, %v", after, len(rows), err)
		}
		for _, r := range timeless(rows) {
			// they come from other rows
			r.LogZ = 0
			r.LogZSE = 0
			r.Settled = 0
			if !slices.ContainsFunc(whole, func(w Row) bool {
				w.LogZ = 0
				w.LogZSE = 0
				w.Settled = 0
				w.Notes = r.Notes
				return alike(r, w)
			}) {
				t.Errorf("after %d chains there is a row that the whole run does not have: %+v", after, r)
			}
		}
	}
}

// TestOptionsAreRefused: each option that makes no sense, with words that say which.
func TestOptionsAreRefused(t *testing.T) {
	for want, change := range map[string]func(*Options){
		"no model is given":           func(o *Options) { o.Models = nil },
		"unknown model \"clusterin\"": func(o *Options) { o.Models = []string{"clusterin"} },
		"did you mean clustering?":    func(o *Options) { o.Models = []string{"clusterin"} },
		"neither T nor scans": func(o *Options) {
			o.T = nil
			o.Scans = nil
		},
		"T 1;":           func(o *Options) { o.T = []int{10, 1} },
		"T 100000001;":   func(o *Options) { o.T = []int{MaxT + 1} },
		"scans -1;":      func(o *Options) { o.Scans = []int{-1} },
		"scans 1000001;": func(o *Options) { o.Scans = []int{maxScans + 1} },
		"chains 0;":      func(o *Options) { o.Chains = 0 },
		"chains 100001;": func(o *Options) { o.Chains = MaxChains + 1 },
		"datasets 0;":    func(o *Options) { o.Datasets = 0 },
		"lowrank:2 and lowrank:2:1:1:1 are the same model": func(o *Options) {
			o.Models = []string{"lowrank:2", "lowrank:2:1:1:1"}
		},
		"rows 0 and":                           func(o *Options) { o.Rows = 0 },
		"columns 0;":                           func(o *Options) { o.Columns = 0 },
		"columns 1001;":                        func(o *Options) { o.Columns = MaxColumns + 1 },
		"K must be below both":                 func(o *Options) { o.Models = []string{"lowrank:4"} },
		"K is \"0\"":                           func(o *Options) { o.Models = []string{"binary:0"} },
		"2 numbers; give K alone, or K and ST": func(o *Options) { o.Models = []string{"clustering:2:1"} },
		"the variance of the noise is 0":       func(o *Options) { o.Models = []string{"clustering:2:1:0"} },
		"the variance of the centres is -1":    func(o *Options) { o.Models = []string{"clustering:2:-1:1"} },
		"attribute 0 has probability 1":        func(o *Options) { o.Models = []string{"binary:2:1:1:1"} },
		"the limit is 2e+07 numbers in all": func(o *Options) {
			o.Rows = MaxRows
			o.Columns = MaxColumns
		},
		"chains in all": func(o *Options) {
			o.Chains = MaxChains
			o.Datasets = MaxDatasets
		},
		"1.2e+06 chains in all, and the limit is 1": func(o *Options) { atMost(o); o.T = append(o.T, 7) },
	} {
		o := tiny()
		change(&o)
		if rows, err := ask(context.Background(), o, nil); rows != nil || err == nil ||
			!strings.Contains(err.Error(), want) {
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
	// without an exact draw there are half as many
	o.Given = []Given{{Set: Set{m, 5, 4, 1, 1}, Data: &Data{}}}
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
	o.Models = []string{"clustering:2"}
	o.Datasets = 1
	o.Chains = MaxChains
	o.T = []int{2, 3, 4, 5}
	o.Scans = []int{0}
}

// estimatesOf returns estimates with these log weights, each of which takes half a second.
func estimatesOf(logs ...float64) (out []Estimate) {
	for _, l := range logs {
		e := nothing()
		e.LogZ = l
		e.Seconds = 0.5
		out = append(out, e)
	}
	return out
}

// byHand are options, blocks and estimates of two data sets with two chains each, for T = 10 and T
// = 100 of annealing and M = 1.
func byHand(t *testing.T) (o Options, blocks [][]Batch[Row], estimates []Estimate) {
	t.Helper()
	o = Options{T: []int{10, 100}, Scans: []int{1}, Chains: 2}
	return o, blocksOf(t, o, 2), estimatesOf(
		-13, -11, -9, -7, // T = 10, data set 1: forward -12, in reverse -8
		-24, -22, -19, -19, // data set 2: -23 and -19
		-10.5, -10.5, -10, -9.8, // T = 100: -10.5 and -9.9
		-22, -20, -17, -17, // -21 and -17
		-10, -12, -12, -12, // M = 1: -11 and -12
		-21, -21, -20, -18, // -21 and -19
	)
}

// blocksOf returns the blocks of that many data sets of a clustering.
func blocksOf(t *testing.T, o Options, datasets int) [][]Batch[Row] {
	t.Helper()
	m := mustModel(t, "clustering")
	var sets []Set
	for i := range datasets {
		sets = append(sets, Set{m, 4, 3, i + 1, 7})
	}
	return o.listChains(sets, make([]*Data, datasets))
}

// rowsWithout returns the rows where the chain with a number is missing; with -1 all are there.
func (o *Options) rowsWithout(missing int, blocks [][]Batch[Row], estimates []Estimate) []Row {
	done := make([]bool, len(estimates))
	for i := range done {
		done[i] = i != missing
	}
	return o.settled(WithAll(blocks, doneRows(blocks, estimates, done), Together))
}

// same reports whether two numbers are equal but for rounding, NaN among them.
func same(a, b float64) bool {
	return math.Abs(a-b) <= 1e-14*(1+math.Abs(b)) || math.IsNaN(a) && math.IsNaN(b)
}

// TestRowsByHand: means, standard errors over chains and over data sets, B, the ground truth, and
// the notes.
func TestRowsByHand(t *testing.T) {
	o, blocks, estimates := byHand(t)
	rows := o.rowsWithout(-1, blocks, estimates)
	nan := math.NaN()
	want := []Row{
		{
			T:       10,
			Scans:   -1,
			Data:    1,
			Lower:   -12,
			LowerSE: 1,
			Upper:   -8,
			UpperSE: 1,
			B:       4,
			BSE:     math.Sqrt2,
			LogZ:    -10.2,
			LogZSE:  0.05,
		},
		{T: 10, Scans: -1, Data: 2, Lower: -23, LowerSE: 1, Upper: -19, UpperSE: 0, B: 4, BSE: 1, LogZ: nan},
		{
			T:       10,
			Scans:   -1,
			Data:    0,
			Lower:   -17.5,
			LowerSE: 5.5,
			Upper:   -13.5,
			UpperSE: 5.5,
			B:       4,
			BSE:     0,
			LogZ:    nan,
		},
		// The mean of two ends has half the error of their difference.
		{
			T:       100,
			Scans:   -1,
			Data:    1,
			Lower:   -10.5,
			LowerSE: 0,
			Upper:   -9.9,
			UpperSE: 0.1,
			B:       0.6,
			BSE:     0.1,
			LogZ:    -10.2,
			LogZSE:  0.05,
		},
		{T: 100, Scans: -1, Data: 2, Lower: -21, LowerSE: 1, Upper: -17, UpperSE: 0, B: 4, BSE: 1, LogZ: nan,
			Notes: []string{
				"4 nats apart, so that there is no ground truth; if the gap falls like 1/T, T = 400"}},
		{
			T:       100,
			Scans:   -1,
			Data:    0,
			Lower:   -15.75,
			LowerSE: 5.25,
			Upper:   -13.45,
			UpperSE: 3.55,
			B:       2.3,
			BSE:     1.7,
			LogZ:    nan,
		},
		{
			Scans:   1,
			Data:    1,
			Lower:   -11,
			LowerSE: 1,
			Upper:   -12,
			UpperSE: 0,
			B:       -1,
			BSE:     1,
			LogZ:    -10.2,
			LogZSE:  0.05,
			Notes:   []string{"B is below zero"},
		},
		{Scans: 1, Data: 2, Lower: -21, LowerSE: 0, Upper: -19, UpperSE: 1, B: 2, BSE: 1, LogZ: nan},
		{Scans: 1, Data: 0, Lower: -16, LowerSE: 5, Upper: -15.5, UpperSE: 3.5, B: 0.5, BSE: 1.5, LogZ: nan},
	}
	if len(rows) != len(want) {
		t.Fatalf("%d rows, want %d", len(rows), len(want))
	}
	for i, r := range rows {
		w := want[i]
		if r.T != w.T || r.Scans != w.Scans || r.Data != w.Data || r.Model != "clustering" || r.Chains != 2 ||
			r.Rows != 4 || r.Columns != 3 {
			t.Errorf("row %d is %+v", i, r)
		}
		for name, pair := range map[string][2]float64{
			"lower": {r.Lower, w.Lower}, "lower_se": {r.LowerSE, w.LowerSE}, "upper": {r.Upper, w.Upper},
			"upper_se": {r.UpperSE, w.UpperSE},
			"B":        {r.B, w.B}, "B_se": {r.BSE, w.BSE}, "log_z": {r.LogZ, w.LogZ},
			"seconds": {r.Seconds, 0.5},
		} {
			if !same(pair[0], pair[1]) {
				t.Errorf("row %d: %s is %v, want %v", i, name, pair[0], pair[1])
			}
		}
		if want := w.LogZSE; want == 0 && !math.IsNaN(r.LogZSE) || want > 0 && !same(r.LogZSE, want) {
			// if there is no truth it has no error
			t.Errorf("row %d: log_z_se is %v, want %v", i, r.LogZSE, want)
		}
		if datasets := map[bool]int{true: 2, false: 1}[r.Data == 0]; r.Datasets != datasets {
			t.Errorf("row %d is of %d data sets", i, r.Datasets)
		}
		if len(r.Notes) != len(w.Notes) || len(w.Notes) == 1 && !strings.Contains(r.Notes[0], w.Notes[0]) {
			t.Errorf("row %d: notes %q, want %q", i, r.Notes, w.Notes)
		}
	}
}

// TestAgreementIsANat: ends a nat apart agree, whichever is above, and with the next larger gap
// they do not.
func TestAgreementIsANat(t *testing.T) {
	for _, c := range []struct {
		upper float64
		known bool
		note  string
	}{
		{1, true, ""}, {-1, true, ""}, {math.Nextafter(1, 2), false, "if the gap falls like 1/T, T ="},
		{math.Nextafter(-1, -2), false, "more data sets, or exact starts"}, {math.NaN(), false, "apart"},
	} {
		o := Options{T: []int{10}}
		unknown := math.NaN()
		rows := []Row{{T: 10, Data: 1, Lower: 0, Upper: c.upper, B: c.upper, LogZ: unknown},
			{Scans: 1, Data: 1, LogZ: unknown},
			{T: 10, Data: 2, LogZ: unknown, B: 0}, {T: 10, Datasets: 2, LogZ: unknown}}
		rows = o.settled(rows)
		if got := !math.IsNaN(rows[0].LogZ); got != c.known || !same(rows[0].LogZ, rows[1].LogZ) ||
			rows[2].LogZ != 0 || !math.IsNaN(rows[3].LogZ) ||
			rows[3].Settled != rows[0].Settled+1 {
			t.Errorf("B = %v: %v", c.upper, rows)
		}
		if got := strings.Join(rows[0].Notes, ""); !strings.Contains(got, c.note) ||
			(c.note == "") != (got == "") {
			t.Errorf("B = %v: note %q", c.upper, got)
		}
	}
}

// TestOneChainHasNoError: of a single chain, and of a single data set, nothing is said that would
// take two.
func TestOneChainHasNoError(t *testing.T) {
	o := Options{T: []int{10}, Chains: 1}
	rows := o.rowsWithout(-1, blocksOf(t, o, 1), estimatesOf(-3, -2.5))
	if len(rows) != 1 {
		t.Fatalf("%d rows", len(rows))
	}
	if r := rows[0]; !math.IsNaN(r.LowerSE) || !math.IsNaN(r.UpperSE) || !math.IsNaN(r.BSE) ||
		r.LogZ != -2.75 || len(r.Notes) != 1 ||
		r.Notes[0] != "conditional on one exact sample" {
		t.Errorf("%+v", r)
	}
}

// TestHalfDoneRowsAreLeftOut: a row of which one chain is not done is not there, nor is the one of
// all data sets.
func TestHalfDoneRowsAreLeftOut(t *testing.T) {
	o, blocks, estimates := byHand(t)
	for missing := range estimates {
		rows := o.rowsWithout(missing, blocks, estimates)
		if len(rows) != 9-2 {
			t.Errorf("without chain %d there are %d rows", missing, len(rows))
		}
		knob := []int{10, 100, 1}[missing/8]
		data := 1 + missing/4%2
		for _, r := range rows {
			if (r.T == knob || r.Scans == knob) && (r.Data == 0 || r.Data == data) {
				t.Errorf("without chain %d there is a row %+v", missing, r)
			}
		}
	}
}

// TestFindings: what is said of data sets without a ground truth, and of more scans.
func TestFindings(t *testing.T) {
	nan := math.NaN()
	ais := func(T, data int, b, truth float64) Row {
		return Row{Model: "m", Algorithm: "ais", T: T, Scans: -1, Data: data, B: b, LogZ: truth}
	}
	smc := func(scans, data int, b float64) Row {
		return Row{Model: "m", Algorithm: "smc", Scans: scans, Data: data, B: b}
	}
	for _, c := range []struct {
		name string
		rows []Row
		want []string
	}{
		{"nothing", nil, nil},
		{"all agree", []Row{ais(10, 1, 9, -1), ais(100, 1, 0.5, -1), ais(100, 2, -0.5, -1)}, nil},
		{"one does not",
			[]Row{ais(100, 1, 0.5, -1), ais(100, 2, 3, nan), ais(100, 3, 2, nan), ais(100, 0, 2, nan)},
			[]string{
				"m: on 2 of 3 data sets the ends at T = 100 differ by more than 1 nat, by up to 3, so " +
					"that there is no ground truth; if the gap falls like 1/T, T = 300 is needed"}},
		{"below zero", []Row{ais(100, 1, -3, nan)},
			[]string{"by up to 3, so that there is no ground truth; use more data sets, or exact starts"}},
		{"scans help", []Row{smc(1, 1, 20), smc(1, 2, 22), smc(1, 3, 22), smc(1, 0, 21), smc(3, 1, 8),
			smc(3, 2, 9), smc(3, 3, 10)},
			[]string{"from M = 1 to M = 3 scans after a datum, B of smc falls by 12 with a standard error " +
				"of 0.33 over 3 data sets (P = 0.00073), so that more scans help"}},
		{"scans do harm",
			[]Row{smc(0, 1, 8), smc(0, 2, 9), smc(0, 3, 10), smc(1, 1, 20), smc(1, 2, 22), smc(1, 3, 22)},
			[]string{
				"falls by -12 with a standard error of 0.33 over 3 data sets (P = 0.00073), so that more scans do harm"}},
		{"two data sets decide little", []Row{smc(0, 1, 8), smc(0, 2, 9), smc(1, 1, 10), smc(1, 2, 12)},
			[]string{
				"falls by -2.5 with a standard error of 0.5 over 2 data sets (P = 0.13), which is not significant"}},
		{"all alike", []Row{smc(0, 1, 8), smc(0, 2, 9), smc(1, 1, 7), smc(1, 2, 8)},
			[]string{"a standard error of 0 over 2 data sets (P = 0), so that more scans help"}},
		{"nothing is decided", []Row{smc(0, 1, 8), smc(0, 2, 12), smc(1, 1, 10), smc(1, 2, 9)},
			[]string{"which is not significant"}},
		{"one data set says nothing", []Row{smc(0, 1, 8), smc(1, 1, 10)}, nil},
		{"not the same data sets", []Row{smc(0, 1, 8), smc(0, 2, 8), smc(1, 1, 10)}, nil},
	} {
		got := Findings(c.rows)
		if len(got) != len(c.want) {
			t.Errorf("%s: %q", c.name, got)
			continue
		}
		for i := range got {
			if !strings.Contains(got[i], c.want[i]) {
				t.Errorf("%s: %q, want %q", c.name, got[i], c.want[i])
			}
		}
	}
}
