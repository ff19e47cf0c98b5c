package sweeps

import (
	"slices"
	"strings"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/sweep"
	"breadboard/grid/longtest"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/annealing"
)

const sweepSpec = `
[grid]
toy = ["easy", "barrier"]
T = [10, 100, 1000]
kernel = ["metropolis", "heatbath"]
[[case]]
toy = "random:1:0:5"
T = 100
kernel = "heatbath-axis:1"
[[case]]
toy = "random:1:0:5"
T = 100
[[case]]
toy = "barrier"
T = 100
kernel = "heatbath-axis:1"
`

// TestSweepTable: the golden table, and the fields of the tightness study less what is printed.
func TestSweepTable(t *testing.T) {
	longtest.NotShort(t)
	m := reporttest.Swept(t, sweepSpec)
	merged := Sweep(m)
	reporttest.Golden(t, "sweep.txt", []byte(reporttest.Write(t, merged, table.Text)))
	keys := func(t *table.Table) (keys []string) {
		for _, c := range t.Columns {
			if c.Name != "" && c.Name != "as_printed" && !c.Optional && !strings.HasSuffix(c.Name, "_printed") {
				keys = append(keys, c.Name)
			}
		}
		return keys
	}
	if got, want := keys(merged), append(keys(annealing.Tightness(nil)), "error"); !slices.Equal(got, want) {
		t.Errorf("fields %v, want %v", got, want)
	}
	// The row of a cell has what tightness says of it.
	csv := strings.Split(reporttest.Write(t, merged, table.CSV), "\n")
	row := strings.Split(reporttest.Write(t, annealing.Tightness(reporttest.Solved(t, []int{1000}, "barrier")), table.CSV), "\n")[1]
	if want := strings.Join(strings.Split(row, ",")[:16], ","); !strings.HasPrefix(csv[9], want) {
		t.Errorf("a row of the sweep is\n%s\nand of tightness\n%s", csv[9], row)
	}
}

func TestSweepPlanAndStatus(t *testing.T) {
	p := longtest.Must(reporttest.Planned(t, sweepSpec).Plan())(t)
	reporttest.Golden(t, "sweep_plan.txt", []byte(reporttest.Write(t, SweepPlan(p), table.Text)))
	reporttest.Golden(t, "sweep_cells.txt", []byte(reporttest.Write(t, SweepCells(reporttest.Planned(t, sweepSpec)), table.Text)))
	status := &sweep.Status{Cells: 13, Done: 7, Failed: 1, Shards: []sweep.ShardStatus{
		{Shard: sweep.Shard{Index: 1, Count: 3}, Cells: 5, Done: 5, Failed: 1, State: sweep.Complete},
		{Shard: sweep.Shard{Index: 2, Count: 3}, Cells: 4, Done: 2, State: sweep.Running, Process: "process 17 on node3, since 2026-01-01T00:00:00Z"},
		{Shard: sweep.Shard{Index: 3, Count: 3}, State: sweep.NotStarted},
	}}
	reporttest.Golden(t, "sweep_status.txt", []byte(reporttest.Write(t, SweepStatus(status), table.Text)))
	extended := &sweep.Status{Cells: 3, Done: 3, Shards: []sweep.ShardStatus{{Shard: sweep.Shard{Index: 1, Count: 1}, Done: 3, State: sweep.Complete}}}
	if row := SweepStatus(extended).Rows[0]; row[2] != nil || row[3] != 3 || row[5] != nil {
		t.Errorf("nobody knows how many cells fall to a shard of a sweep that was extended: %v", row)
	}
}

// TestTextsThatSpreadsheetsWouldRun: names and errors come from files.
func TestTextsThatSpreadsheetsWouldRun(t *testing.T) {
	m := reporttest.Swept(t, "[grid]\ntoy=['easy']\nT=[2]")
	for _, first := range []string{"=", "+", "-", "@", "\t", "\r"} {
		m.Rows[0].Error, m.Rows[0].Note = first+"cmd|x", first+"HYPERLINK()"
		out := reporttest.Write(t, Sweep(m), table.CSV)
		for _, text := range []string{m.Rows[0].Error, m.Rows[0].Note} {
			if !strings.Contains(out, "'"+text) {
				t.Errorf("%q is not neutralised in %q", text, out)
			}
		}
	}
	m.Rows[0].Error, m.Rows[0].Numbers[0] = "", -1
	if out := reporttest.Write(t, Sweep(m), table.CSV); !strings.Contains(out, ",-1,") {
		t.Errorf("a negative number is taken for a text: %q", out)
	}
}

func TestSweepFigures(t *testing.T) {
	longtest.NotShort(t)
	m := reporttest.Swept(t, sweepSpec)
	for name, o := range map[string]SweepPlot{
		"sweep_series": {X: "T", Y: "J"},
		"sweep_facets": {X: "kernel", Y: "B_over_J", Facet: "T", Where: map[string][]string{"T": {"10", "1000"}}},
		"sweep_one":    {X: "T", Y: "log_z_ratio", Series: []string{}, Where: map[string][]string{"toy": {"easy"}, "kernel": {"metropolis"}}},
	} {
		f, notes, err := o.Figure(m)
		if err != nil {
			t.Fatal(err)
		}
		reporttest.Golden(t, name+".svg", reporttest.SVG(t, f))
		if name == "sweep_series" && (len(notes) != 1 || notes[0] != "left out 1 cells that failed") {
			t.Errorf("notes %q", notes)
		}
		if f.Name != "sweep_plot_"+o.Y+"_against_"+o.X {
			t.Errorf("the figure is named %s", f.Name)
		}
	}
}

func TestSweepFiguresThatCannotBeDrawn(t *testing.T) {
	m := reporttest.Swept(t, sweepSpec)
	for want, o := range map[string]SweepPlot{
		"did you mean kernel?":                    {X: "kernal", Y: "J"},
		"unknown measure \"time\"":                {X: "T", Y: "time"},
		"unknown parameter \"toys\"":              {X: "T", Y: "J", Facet: "toys"},
		"unknown parameter \"seed\"":              {X: "T", Y: "J", Series: []string{"seed"}},
		"kernel takes 3 values along a line":      {X: "T", Y: "J", Series: []string{"toy"}},
		"unknown toy \"hard\"":                    {X: "T", Y: "J", Where: map[string][]string{"toy": {"hard"}}},
		"unknown parameter \"q\"":                 {X: "T", Y: "J", Where: map[string][]string{"q": {"1"}}},
		"no cell has a finite dominant_mode_mass": {X: "T", Y: "dominant_mode_mass", Where: map[string][]string{"toy": {"easy"}}},
	} {
		if _, _, err := o.Figure(m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
	}
	many := reporttest.Swept(t, "[grid]\ntoy=["+toysText(30)+"]\nT=[2,3]")
	if _, _, err := (SweepPlot{X: "T", Y: "J"}).Figure(many); err == nil || !strings.Contains(err.Error(), "30 lines cannot be told apart") {
		t.Error(err)
	}
}

func toysText(n int) string {
	var names []string
	for i := range n {
		names = append(names, "'random:1:"+string(rune('0'+i/10))+string(rune('0'+i%10))+":2'")
	}
	return strings.Join(names, ",")
}

// TestAxes: numbers are placed as numbers, on a logarithmic axis where they span a factor of ten.
func TestAxes(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []string
		log    bool
		label  string
		places []float64
	}{
		{"T", []string{"10", "1000"}, true, "number of distributions T", []float64{1, 3}},
		{"T", []string{"10", "20"}, false, "number of distributions T", []float64{10, 20}},
		{"schedule", []string{"power:2", "power:0.5"}, false, "schedule power", []float64{2, 0.5}},
		{"schedule", []string{"power:2", "sigmoid:4"}, false, "schedule", []float64{0, 1}},
		{"toy", []string{"random:2:1", "random:2:2"}, false, "toy", []float64{0, 1}},
		{"kernel", []string{"metropolis", "lazy:0.5"}, false, "kernel", []float64{0, 1}},
	} {
		a := parameterAxis(experiments.Common(c.name)[0], c.values)
		for i, v := range c.values {
			if a.places[v] != c.places[i] {
				t.Errorf("%s: %s stands at %v, want %v", c.name, v, a.places[v], c.places[i])
			}
		}
		if a.log != c.log || a.label != c.label {
			t.Errorf("%v: %+v", c, a)
		}
	}
	for _, values := range [][]float64{{2, 2}, {2, 2 + 1e-15}, {0}, {-1, 1}, {0, 100}} {
		if a := numberAxis("", values); a.log || !(a.max > a.min+1e-10) {
			t.Errorf("%v: %+v", values, a)
		}
	}
}
