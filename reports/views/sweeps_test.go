package views

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"breadboard/experiments/sweeps/sweep"
	"breadboard/grid/longtest"
	"breadboard/reports/figure"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/sweeps"
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

func TestSweepTable(t *testing.T) {
	goldenTable(t, "sweep.txt", sweeps.Sweep(reporttest.Swept(t, sweepSpec)))
}

func TestSweepPlanAndStatus(t *testing.T) {
	p := longtest.Must(reporttest.Planned(t, sweepSpec).Plan())(t)
	goldenTable(t, "sweep_plan.txt", sweeps.SweepPlan(p))
	goldenTable(t, "sweep_cells.txt", sweeps.SweepCells(reporttest.Planned(t, sweepSpec)))
	status := &sweep.Status{Cells: 13, Done: 7, Failed: 1, Shards: []sweep.ShardStatus{
		{Shard: sweep.Shard{Index: 1, Count: 3}, Cells: 5, Done: 5, Failed: 1, State: sweep.Complete},
		{Shard: sweep.Shard{Index: 2, Count: 3}, Cells: 4, Done: 2, State: sweep.Running, Process: "process 17 on node3, since 2026-01-01T00:00:00Z"},
		{Shard: sweep.Shard{Index: 3, Count: 3}, State: sweep.NotStarted},
	}}
	goldenTable(t, "sweep_status.txt", sweeps.SweepStatus(status))
	extended := &sweep.Status{Cells: 3, Done: 3, Shards: []sweep.ShardStatus{{Shard: sweep.Shard{Index: 1, Count: 1}, Done: 3, State: sweep.Complete}}}
	if row := sweeps.SweepStatus(extended).Rows[0]; row[2] != nil || row[3] != 3 || row[5] != nil {
		t.Errorf("nobody knows how many cells fall to a shard of a sweep that was extended: %v", row)
	}
}

func TestSweepFigures(t *testing.T) {
	longtest.Only(t)
	m := reporttest.Swept(t, sweepSpec)
	for name, o := range map[string]sweeps.SweepPlot{
		"sweep_series": {X: "T", Y: "J"},
		"sweep_facets": {X: "kernel", Y: "B_over_J", Facet: "T", Where: map[string][]string{"T": {"10", "1000"}}},
		"sweep_one":    {X: "T", Y: "log_z_ratio", Series: []string{}, Where: map[string][]string{"toy": {"easy"}, "kernel": {"metropolis"}}},
	} {
		reporttest.Figure(t, name, longtest.Must(figureOf(o, m))(t))
	}
	if notes := reporttest.Notes(longtest.Must(sweeps.SweepPlot{X: "T", Y: "J"}.Report(m))(t)); notes != "left out 1 cell that failed" {
		t.Errorf("notes %q", notes)
	}
}

func TestSweepFiguresThatCannotBeDrawn(t *testing.T) {
	m := reporttest.Swept(t, sweepSpec)
	for want, o := range map[string]sweeps.SweepPlot{
		"did you mean kernel?":                        {X: "kernal", Y: "J"},
		"unknown measure \"time\"":                    {X: "T", Y: "time"},
		"unknown parameter \"toys\"":                  {X: "T", Y: "J", Facet: "toys"},
		"unknown parameter \"seed\"":                  {X: "T", Y: "J", Series: []string{"seed"}},
		"kernel takes 3 values along a line":          {X: "T", Y: "J", Series: []string{"toy"}},
		"unknown toy \"hard\"":                        {X: "T", Y: "J", Where: map[string][]string{"toy": {"hard"}}},
		"unknown parameter \"q\"":                     {X: "T", Y: "J", Where: map[string][]string{"q": {"1"}}},
		"no cell has a finite dominant_mode_mass":     {X: "T", Y: "dominant_mode_mass", Where: map[string][]string{"toy": {"easy"}}},
		"statistics are of the values of a parameter": {Statistics: []string{"mean"}},
		"over T: T is drawn already":                  {X: "T", Over: "T"},
		"over kernel: kernel is drawn already":        {Over: "kernel", Facet: "kernel"},
		`unknown parameter "q"; choices`:              {Over: "q"},
		"sum it up with over":                         {Series: []string{}},
	} {
		longtest.Refuses(figureOf(o, m))(t, want, o)
	}
	many := reporttest.Swept(t, "[grid]\ntoy=["+toysText(30)+"]\nT=[2,3]")
	longtest.Refuses(figureOf(sweeps.SweepPlot{X: "T", Y: "J"}, many))(t, "30 lines cannot be told apart")
}

func toysText(n int) string {
	var names []string
	for i := range n {
		names = append(names, "'random:1:"+string(rune('0'+i/10))+string(rune('0'+i%10))+":2'")
	}
	return strings.Join(names, ",")
}

// TestAxes: numbers are placed as numbers, and selectors with one name and a number behind it too;
// other values stand one beside the other.
func TestAxes(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		name, values, label string
		places              []float64
	}{
		{"T", "10, 1000", "number of distributions T", []float64{10, 1000}},
		{"schedule", "'power:0.5', 'power:2'", "schedule power", []float64{0.5, 2}},
		{"schedule", "'power:2', 'sigmoid:4'", "schedule", []float64{0, 1}},
		{"kernel", "'metropolis', 'lazy:0.5'", "kernel", []float64{0, 1}},
	} {
		spec := fmt.Sprintf("[grid]\ntoy=['random:2:0:2']\n%s=[%s]\n", c.name, c.values)
		if c.name != "T" {
			spec += "T=[2]\n"
		}
		f := longtest.Must(figureOf(sweeps.SweepPlot{X: c.name}, reporttest.Swept(t, spec)))(t)
		for i, row := range f.Data.Rows {
			if x, label := row[3].(float64), row[2]; math.Abs(x-c.places[i]) > 1e-9 || label != c.label {
				t.Errorf("%+v: a point at %v along %s", c, x, label)
			}
		}
	}
}

// madeUp returns what a sweep over toys found, by a function that sets J of the first toys and
// leaves the others out.
func madeUp(t *testing.T, toys int) func(J ...float64) *sweep.Merged {
	t.Helper()
	m := reporttest.Swept(t, "[grid]\ntoy=["+toysText(toys)+"]\nT=[2]")
	return func(J ...float64) *sweep.Merged {
		some := *m
		some.Rows = slices.Clone(m.Rows[:len(J)])
		for i, v := range J {
			some.Rows[i].Numbers = append([]float64{v}, m.Rows[i].Numbers[1:]...)
		}
		return &some
	}
}

// statisticsOf returns the row of a table of statistics of J over toys, its cells by their columns.
func statisticsOf(m *sweep.Merged, statistics ...string) (map[string]any, error) {
	r, err := sweeps.SweepPlot{Over: "toy", Statistics: statistics}.Report(m)
	if err != nil {
		return nil, err
	}
	cells, from := map[string]any{}, r.Tables()[0].Table
	for i, c := range from.Columns {
		cells[c.Name] = from.Rows[0][i]
	}
	return cells, nil
}

// TestStatistics of numbers whose statistics are known.
func TestStatistics(t *testing.T) {
	inf, found := math.Inf(1), madeUp(t, 4)
	for _, c := range []struct {
		values []float64
		want   map[string]float64
	}{
		{[]float64{1, 2, 3, 10}, map[string]float64{"mean": 4, "sd": math.Sqrt(50.0 / 3), "min": 1, "max": 10, "median": 2.5,
			"q25": 1.75, "q90": 7.9, "q2.5": 1.075, "q0": 1, "q100": 10}}, // quantiles as numpy.quantile
		{[]float64{7}, map[string]float64{"median": 7, "q10": 7, "mean": 7, "sd": math.NaN()}},
		{[]float64{1e308, 1e308}, map[string]float64{"mean": 1e308}},
		{[]float64{-1e308, 1e308}, map[string]float64{"mean": 0}},
		{[]float64{1, 2, inf}, map[string]float64{"median": 2, "q75": inf, "mean": inf}},
		{[]float64{1, inf, inf}, map[string]float64{"median": inf, "min": 1}},
		{[]float64{1e12, 1e12 + 1, 1e12 + 2}, map[string]float64{"mean": 1e12 + 1, "sd": 1}},
		{[]float64{4, 4, 4}, map[string]float64{"mean": 4, "sd": 0}},
	} {
		all := longtest.Must(statisticsOf(found(c.values...), slices.Collect(maps.Keys(c.want))...))(t)
		for name, want := range c.want {
			got, is := all["J_"+strings.ReplaceAll(name, ".", "_")].(float64)
			if is == math.IsNaN(want) || is && !(math.Abs(got-want) <= 1e-12*math.Abs(want) || got == want) {
				t.Errorf("%s of %v is %v, want %v", name, c.values, got, want)
			}
		}
	}
	for text, want := range map[string]string{
		"average": `unknown statistic "average"`, "q101": "a percentage from 0 to 100", "q-1": "a percentage", "qx": "a percentage", "q": "a percentage",
		"": `unknown statistic ""`, "mediann": "did you mean median?",
	} {
		longtest.Refuses(statisticsOf(found(1), text))(t, want)
	}
}

// TestHowStatisticsAreDrawn: as lines and bands.
func TestHowStatisticsAreDrawn(t *testing.T) {
	m := madeUp(t, 4)(1, 2, 3, 10)
	for list, want := range map[string]string{
		"median,q10,q90":       "median, q10 to q90 over toy",
		"mean,sd":              "mean, one sd around it over toy",
		"sd,mean":              "mean, one sd around it over toy",
		"q10":                  "q10 over toy",
		"q2.5,q97.5,median":    "median, q2.5 to q97.5 over toy",
		"mean,min,q1,q99":      "mean, q1 to q99, min over toy",
		"mean,sd,min,max,q25":  "statistics over toy",
		"mean,q10,median,q90":  "mean, q10 to q90, median over toy",
		"median,q25,q75,q5,q9": "median, q25 to q75, q5, q9 over toy",
	} {
		f := longtest.Must(figureOf(sweeps.SweepPlot{Over: "toy", Statistics: strings.Split(list, ",")}, m))(t)
		if got := strings.TrimPrefix(f.Data.Rows[0][5].(string), "J (nats), "); got != want && !(len(want) > 34 && got == "statistics over toy") {
			t.Errorf("%s is drawn as %s, want %s", list, got, want)
		}
	}
	for list, want := range map[string]string{"sd": "add mean", "median,sd": "add mean", "mean,mean": "is there twice", "": `unknown statistic ""`} {
		longtest.Refuses(statisticsOf(m, strings.Split(list, ",")...))(t, want)
	}
	longtest.Refuses(statisticsOf(m, []string{}...))(t, "no statistic is named")
}

// TestSweepOver draws bands over seeds, along numbers and along names, and tables what it draws.
func TestSweepOver(t *testing.T) {
	longtest.Only(t)
	m := reporttest.Swept(t, "[grid]\ntoy=['random:2:{0..8}:3x3']\nT=[2, 10, 100]\nkernel=['metropolis', 'barker']")
	for name, o := range map[string]sweeps.SweepPlot{
		"sweep_bands":     {Over: "toy"},
		"sweep_bars":      {X: "kernel", Over: "toy", Facet: "T", Statistics: []string{"mean", "sd", "min"}, Where: map[string][]string{"T": {"2", "100"}}},
		"sweep_over_line": {X: "toy", Over: "T", Statistics: []string{"max"}},
	} {
		reporttest.Figure(t, name, longtest.Must(figureOf(o, m))(t))
	}
	got := longtest.Must(sweeps.SweepPlot{Over: "toy", Statistics: []string{"median", "min"}}.Report(m))(t).Tables()[0].Table
	goldenTable(t, "sweep_over.txt", got)
}

// TestNamesAlongAnAxis: of many names about twenty are written, and of few each.
func TestNamesAlongAnAxis(t *testing.T) {
	longtest.Only(t)
	found := madeUp(t, 40)
	for n, want := range map[int]int{1: 1, 5: 5, 20: 20, 21: 11, 40: 20} {
		f := longtest.Must(figureOf(sweeps.SweepPlot{X: "toy"}, found(make([]float64, n)...)))(t)
		if text := string(longtest.Must(f.Encode("svg"))(t)); strings.Count(text, ">random:1:") != want || !strings.Contains(text, ">random:1:0:2<") {
			t.Errorf("%d names have %d labels, want %d", n, strings.Count(text, ">random:1:"), want)
		}
	}
}

// TestSweepOverMissing: numbers that are missing are left out, with a note, and infinite ones
// count.
func TestSweepOverMissing(t *testing.T) {
	longtest.Only(t)
	m := reporttest.Swept(t, "[grid]\ntoy=['random:2:{0..4}:3x3']\nT=[2, 10]")
	m.Rows[0].Numbers[0] = math.NaN()
	for _, i := range []int{1, 3, 5} { // three of five at T = 10
		m.Rows[i].Numbers[0] = math.Inf(1)
	}
	r := longtest.Must(sweeps.SweepPlot{Over: "toy", Statistics: []string{"median"}}.Report(m))(t)
	if got := reporttest.Notes(r); got != "left out 1 cell without J\nleft out 1 point whose statistics of J are not finite" {
		t.Errorf("notes %s", got)
	}
	if rows := reporttest.Write(t, r.Tables()[0].Table, table.CSV); strings.Count(rows, "\n") != 3 || !strings.Contains(rows, ",4,") ||
		!strings.HasSuffix(rows, ",5,+Inf\n") {
		t.Errorf("%s", rows)
	}
}

// TestUsualFigures: by default a figure shows what the study asks about, along T where that varies
// and else along the last parameter that does.
func TestUsualFigures(t *testing.T) {
	longtest.Only(t)
	both := "[grid]\ntoy=['random:2:{0..1}:3x3']\nT=[2, 10]\nkernel=['metropolis', 'barker']"
	evidence := "study='evidence'\n[grid]\ntoy=['random:2:{0..1}:3x3']\nbudget=[10, 100]\nkernel=['metropolis', 'barker']"
	for _, c := range []struct {
		spec string
		plot sweeps.SweepPlot
		want string
	}{
		{both, sweeps.SweepPlot{}, "J against T"},
		{both, sweeps.SweepPlot{Over: "T"}, "J against kernel"},
		{both, sweeps.SweepPlot{Where: map[string][]string{"T": {"2"}}}, "J against kernel"},
		{both, sweeps.SweepPlot{Over: "T", Facet: "kernel"}, "J against toy"},
		{"[grid]\ntoy=['easy']\nT=[2]", sweeps.SweepPlot{}, "J against T"},
		{"study='gap'\n[grid]\ntoy=['random:2:0:3x3']\nT=[2, 10]", sweeps.SweepPlot{}, "gap against T"},
		{"study='aide'\n[grid]\ntoy=['random:2:0:3x3']\nT=[2]", sweeps.SweepPlot{}, "mean against meta"},
		{"study='kernelcheck'\n[grid]\ntoy=['random:2:0:3x3']\nkernel=['barker', 'moore']", sweeps.SweepPlot{}, "spectral_gap against kernel"},
		{evidence, sweeps.SweepPlot{Over: "toy"}, "rmse against budget"}, // trials stands behind it, and has one value
		{evidence, sweeps.SweepPlot{Over: "toy", Facet: "budget"}, "rmse against kernel"},
	} {
		r := longtest.Must(c.plot.Report(reporttest.Swept(t, c.spec)))(t)
		if got := r.Figures()[0].Title; got != c.want {
			t.Errorf("%s, %+v: %s, want %s", c.spec, c.plot, got, c.want)
		}
	}
}

// TestNumberAxes: an axis of one number is as wide as that number, one of numbers that differ by
// more than 1e-9 of it shows the difference, and one of positive numbers that grow tenfold shows
// powers.
func TestNumberAxes(t *testing.T) {
	longtest.Only(t)
	found := madeUp(t, 2)
	for _, c := range []struct {
		values []float64
		want   string // the numbers at the axis
	}{
		{[]float64{2, 2}, "1.0 1.5 2.0 2.5 3.0"},
		{[]float64{2, 2 + 1e-15}, "1.0 1.5 2.0 2.5 3.0"},
		{[]float64{1, 1 + 2.4e-8}, "0.5 1.0 1.5"},
		{[]float64{1, 1 + 2.7e-8}, "1.000000000 1.000000005 1.000000010 1.000000015 1.000000020 1.000000025"},
		{[]float64{0, 10}, "0 5 10"},
		{[]float64{1, 9.9}, "2 4 6 8 10"},
		{[]float64{1, 10}, "1 2 5 10"},
		{[]float64{-1, 1}, "−1.0 −0.5 0 0.5 1.0"},
		{[]float64{0, 0}, "−9 −9 0 −9 −9"}, // powers of ten, of which the raised part is seen
	} {
		f := longtest.Must(figureOf(sweeps.SweepPlot{X: "toy"}, found(c.values...)))(t)
		var numbers []string
		for _, m := range regexp.MustCompile(`>([−0-9.e]+)<`).FindAllStringSubmatch(string(longtest.Must(f.Encode("svg"))(t)), -1) {
			numbers = append(numbers, m[1])
		}
		if got := strings.Join(numbers, " "); got != c.want {
			t.Errorf("%v: %s, want %s", c.values, got, c.want)
		}
	}
}

// figureOf draws a plot of a sweep.
func figureOf(o sweeps.SweepPlot, m *sweep.Merged) (*figure.Figure, error) {
	r, err := o.Report(m)
	if err != nil {
		return nil, err
	}
	return r.Figures()[0].Draw()
}
