package sandwich_test

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/experiments/marginal/sandwich"
	"breadboard/experiments/marginal/sandwich/compare"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
)

// representationTiny are options of a run that takes no time.
func representationTiny() compare.RepresentationOptions {
	return compare.RepresentationOptions{
		Model:    "lowrank:2",
		Rows:     6,
		Columns:  5,
		T:        []int{10, 40},
		Chains:   4,
		Datasets: 3,
		Seed:     1,
	}
}

// representationTimeless returns rows without their seconds, which no two runs have the same of.
func representationTimeless(rows []compare.RepresentationRow) []compare.RepresentationRow {
	out := timeless(rows, func(r *compare.RepresentationRow) *float64 { return &r.Seconds })
	for i := range out {
		if math.IsNaN(out[i].LogZ) {
			out[i].LogZ, out[i].LogZSE = 0, 0 // so that rows can be compared
		}
	}
	return out
}

// TestRepresentationRun: the rows stand in their order, their ends are those of their chains, and
// they are the same for any number of workers.
func TestRepresentationRun(t *testing.T) {
	o := representationTiny()
	scans := 0
	rows := longtest.Must(study.Run(context.Background(), compare.Representations(), nil,
		o, study.How{Workers: 1, Progress: func(n int) { scans += n }}))(t)
	if want := 2 * 2 * (3 + 1); len(rows) != want {
		t.Fatalf("%d rows, want %d", len(rows), want)
	}
	if all := stepsOf(t, compare.Representations(), o); scans != all {
		t.Errorf("%d scans are reported of %d", scans, all)
	}
	at := 0
	for _, name := range []string{"uncollapsed", "collapsed"} {
		for _, T := range o.T {
			mean := 0.0
			for _, data := range []int{1, 2, 3, 0} {
				r := rows[at]
				at++
				if r.Representation != name || r.T != T || r.Data != data {
					t.Fatalf("row %d is %s, T = %d, data set %d", at, r.Representation, r.T, r.Data)
				}
				if !(r.Work > 0) || !(r.Seconds > 0) || r.B != r.Upper-r.Lower && data > 0 {
					t.Errorf("row %d: %+v", at, r)
				}
				if data > 0 {
					mean += r.B / 3
				} else if math.Abs(r.B-mean) > 1e-12*math.Abs(mean) {
					t.Errorf("B of all data sets is %v, and the mean of theirs %v", r.B, mean)
				}
			}
		}
	}
	again, err := study.Run(context.Background(), compare.Representations(), nil, o, study.How{Workers: 3})
	if err != nil || !reflect.DeepEqual(representationTimeless(rows), representationTimeless(again)) {
		t.Errorf("three workers find something else than one:\n%v\n%v", rows, again)
	}
}

// TestEndsAreInOrder: with few distributions the ends are so far apart, on each of eight data sets,
// that no chance makes the same of ends that are exchanged, or of a reverse chain that starts at no
// exact draw.
func TestEndsAreInOrder(t *testing.T) {
	o := representationTiny()
	o.T = []int{2, 100}
	o.Chains = 2
	o.Datasets = 8
	rows := answers(t, compare.Representations(), o)
	if found, _ := compare.RepresentationContradictions(rows); found != nil {
		t.Error(found)
	}
	smallest := math.Inf(1) // of the ends of both representations with two distributions
	for _, r := range compare.RepresentationWhole(rows) {
		if r.T == 2 {
			smallest = min(smallest, r.B)
		}
	}
	if !(smallest*8/2 > math.Log(16/1e-6)) {
		t.Errorf("B is %v, so that exchanged ends would not be found", smallest)
	}
}

// TestContradictions: a lower end far above an upper end is found, with the probability of the doc
// worked out by hand, and one that chance may bring about is not.
func TestContradictions(t *testing.T) {
	row := func(name string, lower, upper float64, data, datasets int) compare.RepresentationRow {
		return compare.RepresentationRow{
			Representation: name,
			Row:            sandwich.Row{T: 100, Data: data, Datasets: datasets, Lower: lower, Upper: upper},
		}
	}
	// Four comparisons on a data set: found from 2 log(4e6) = 30.4 nats on, and from a quarter of
	// that on with four data sets.
	for _, c := range []struct {
		gap            float64
		data, datasets int
		found          bool
	}{{30.3, 1, 1, false}, {30.5, 1, 1, true}, {7.5, 0, 4, false}, {7.7, 0, 4, true}, {-5, 0, 4, false}} {
		rows := []compare.RepresentationRow{row("whole", -100, -90, c.data, c.datasets),
			row("collapsed", -110-c.gap, -100-c.gap, c.data, c.datasets)}
		found, least := compare.RepresentationContradictions(rows)
		if (len(found) > 0) != c.found || (c.gap > least) != c.found {
			t.Errorf("gap %v over %d data sets, where %v is found: %q", c.gap, c.datasets, least, found)
		}
		if c.found && (len(found) != 1 || !strings.Contains(found[0], "lower end of whole")) {
			t.Errorf("%q", found)
		}
	}
	// What an interrupted run has of one data set is not compared with what it has of another one.
	if found, _ := compare.RepresentationContradictions([]compare.RepresentationRow{
		row("whole", -100, -90, 1, 1), row("collapsed", -1000, -990, 2, 1)}); found != nil {
		t.Error(found)
	}
}

// TestRepresentationBadOptions: each is refused by a sentence that names what is wrong.
func TestRepresentationBadOptions(t *testing.T) {
	for want, change := range map[string]func(*compare.RepresentationOptions){
		"K must be below both":        func(o *compare.RepresentationOptions) { o.Model = "lowrank:5" },
		"the variance of":             func(o *compare.RepresentationOptions) { o.Model = "lowrank:2:1:0:1" },
		"has a single representation": func(o *compare.RepresentationOptions) { o.Model = "clustering" },
		"no number of distributions":  func(o *compare.RepresentationOptions) { o.T = nil },
		"T 1":                         func(o *compare.RepresentationOptions) { o.T = []int{1} },
		"chains 0":                    func(o *compare.RepresentationOptions) { o.Chains = 0 },
		"datasets 0":                  func(o *compare.RepresentationOptions) { o.Datasets = 0 },
		"rows 0":                      func(o *compare.RepresentationOptions) { o.Rows = 0 },
	} {
		o := representationTiny()
		change(&o)
		longtest.Refuses(study.Run(context.Background(), compare.Representations(), nil, o, study.How{}))(t, want)
	}
}

// key names a row within a run.
func key(r compare.RepresentationRow) string { return fmt.Sprint(r.Representation, r.T, r.Data) }

// TestRepresentationInterrupted: if the context ends, the rows that are whole are returned with its
// error.
func TestRepresentationInterrupted(t *testing.T) {
	o := representationTiny()
	rows := interrupted(t, compare.Representations(), o)
	if len(rows) == 0 || len(rows) >= 16 {
		t.Errorf("%d rows of an interrupted run", len(rows))
	}
	whole := map[string]compare.RepresentationRow{}
	for _, r := range representationTimeless(answers(t, compare.Representations(), o)) {
		whole[key(r)] = r
	}
	for _, r := range representationTimeless(rows) {
		if !reflect.DeepEqual(r, whole[key(r)]) {
			t.Errorf("%+v is another row in a run that was not interrupted", r)
		}
	}
}

// TestDirections: the first half of the chains of a batch run forward and the others in reverse,
// each with random numbers of its own, and their means are the ends of its row.
func TestDirections(t *testing.T) {
	o := representationTiny()
	m := longtest.Must(sandwich.ParseModel(o.Model))(t)
	data := longtest.Must(sandwich.Set{
		Model:   m,
		Rows:    o.Rows,
		Columns: o.Columns,
		Number:  2,
		Seed:    o.Seed,
	}.Draw(t.Context()))(t)
	rows := answers(t, compare.Representations(), o)
	for representation, first := range map[int]int{0: 0, 1: 2 * (3 + 1)} { // of the rows with the first T
		ends := [2]float64{}
		for i := range 2 * o.Chains {
			d := []chains.Direction{chains.Forward, chains.Reverse}[i/o.Chains]
			purpose := fmt.Sprintf("%v in representation %s of data set 2 of lowrank:2 6 by 5 with T = 10",
				d, rows[first].Representation)
			chain := longtest.Must(data.Annealing(representation).Run(
				context.Background(),
				chains.NewSampler(simulate.NewStream(o.Seed, purpose, i)),
				10,
				d,
			))(t)
			ends[i/o.Chains] += chain.LogZ / float64(o.Chains)
		}
		if r := rows[first+1]; !(r.Lower-ends[0] < 1e-9 && ends[0]-r.Lower < 1e-9 && r.Upper-ends[1] < 1e-9 &&
			ends[1]-r.Upper < 1e-9) {
			t.Errorf("the ends are %v, and the row has %v and %v", ends, r.Lower, r.Upper)
		}
	}
}
