package sweeps

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/grid/longtest"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
)

// TestStatistics of numbers whose statistics are known.
func TestStatistics(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		values []float64
		name   string
		want   float64
	}{
		{[]float64{1, 2, 3, 10}, "mean", 4},
		{[]float64{1, 2, 3, 10}, "sd", math.Sqrt(50.0 / 3)},
		{[]float64{1, 2, 3, 10}, "min", 1},
		{[]float64{1, 2, 3, 10}, "max", 10},
		{[]float64{1, 2, 3, 10}, "median", 2.5},
		{[]float64{1, 2, 3, 10}, "q25", 1.75}, // as numpy.quantile
		{[]float64{1, 2, 3, 10}, "q90", 7.9},
		{[]float64{1, 2, 3, 10}, "q2.5", 1.075},
		{[]float64{1, 2, 3, 10}, "q0", 1},
		{[]float64{1, 2, 3, 10}, "q100", 10},
		{[]float64{7}, "median", 7},
		{[]float64{7}, "q10", 7},
		{[]float64{7}, "sd", math.NaN()},
		{[]float64{1e308, 1e308}, "mean", 1e308},
		{[]float64{-1e308, 1e308}, "mean", 0},
		{[]float64{1, 2, inf}, "median", 2},
		{[]float64{1, 2, inf}, "q75", inf},
		{[]float64{1, 2, inf}, "mean", inf},
		{[]float64{1, inf, inf}, "median", inf},
		{[]float64{1e12, 1e12 + 1, 1e12 + 2}, "sd", 1},
		{[]float64{4, 4, 4}, "sd", 0},
	} {
		s := longtest.Must(parseStatistic(c.name))(t)
		if got := s.of(c.values); !(math.Abs(got-c.want) <= 1e-12*math.Abs(c.want) || got == c.want || math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%s of %v is %v, want %v", c.name, c.values, got, c.want)
		}
	}
	for text, want := range map[string]string{
		"average": `unknown statistic "average"`, "q101": "a percentage from 0 to 100", "q-1": "a percentage", "qx": "a percentage", "q": "a percentage", "": `unknown statistic ""`, "mediann": "did you mean median?",
	} {
		if _, err := parseStatistic(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestQuantilesAreOrdered: a larger percentage has no smaller quantile, the ends are the least and the largest, and the median has as many
// values below as above.
func TestQuantilesAreOrdered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-1e12, 1e12), rapid.Float64Range(0, 1e-12), rapid.Just(0.0)), 1, 30).Draw(t, "values")
		slices.Sort(values)
		a, b := rapid.IntRange(0, 100).Draw(t, "a"), rapid.IntRange(0, 100).Draw(t, "b")
		quantile := func(percent int) float64 {
			s := longtest.Must(parseStatistic(fmt.Sprintf("q%d", percent)))(t)
			return s.of(values)
		}
		if low, high := quantile(min(a, b)), quantile(max(a, b)); low > high {
			t.Fatalf("q%d is %v and q%d is %v", min(a, b), low, max(a, b), high)
		}
		if quantile(0) != values[0] || quantile(100) != values[len(values)-1] {
			t.Fatalf("the ends of %v are %v and %v", values, quantile(0), quantile(100))
		}
	})
}

// TestHowStatisticsAreDrawn: as lines and bands.
func TestHowStatisticsAreDrawn(t *testing.T) {
	for list, want := range map[string]string{
		"median,q10,q90":       "median, q10 to q90 over toy",
		"mean,sd":              "mean, one sd around it over toy",
		"sd,mean":              "mean, one sd around it over toy",
		"min,max":              "min to max over toy",
		"q90,q10":              "q90 to q10 over toy",
		"q10":                  "q10 over toy",
		"median,mean":          "median, mean over toy",
		"q2.5,q97.5,median":    "median, q2.5 to q97.5 over toy",
		"median,q5":            "median, q5 over toy",
		"mean,min,q1,q99":      "mean, q1 to q99, min over toy",
		"mean,sd,min,max,q25":  "statistics over toy",
		"median,min,max":       "median, min to max over toy",
		"median,q10,q90,min":   "median, q10 to q90, min over toy",
		"max,median,min":       "median, max to min over toy",
		"mean,q10,median,q90":  "mean, q10 to q90, median over toy",
		"q50,q25,q75":          "q50, q25 to q75 over toy",
		"median,q25,q75,q5,q9": "median, q25 to q75, q5, q9 over toy",
	} {
		o := longtest.Must(newOver(strings.Split(list, ",")))(t)
		if got := o.text("toy"); got != want && !(len(want) > maxStatisticsText && got == "statistics over toy") {
			t.Errorf("%s is drawn as %s, want %s", list, got, want)
		}
	}
	for list, want := range map[string]string{"sd": "add mean", "median,sd": "add mean", "mean,mean": "is there twice", "": `unknown statistic ""`} {
		if _, err := newOver(strings.Split(list, ",")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", list, err, want)
		}
	}
	if _, err := newOver([]string{}); err == nil || !strings.Contains(err.Error(), "no statistic is named") {
		t.Errorf("none: %v", err)
	}
}

// TestSweepOver draws bands over seeds, along numbers and along names, and tables what it draws. The numbers are those of the cells.
func TestSweepOver(t *testing.T) {
	longtest.NotShort(t)
	m := reporttest.Swept(t, "[grid]\ntoy=['random:2:{0..8}:3x3']\nT=[2, 10, 100]\nkernel=['metropolis', 'barker']")
	for name, o := range map[string]SweepPlot{
		"sweep_bands":     {Over: "toy"},
		"sweep_bars":      {X: "kernel", Over: "toy", Facet: "T", Statistics: []string{"mean", "sd", "min"}, Where: map[string][]string{"T": {"2", "100"}}},
		"sweep_over_line": {X: "toy", Over: "T", Statistics: []string{"max"}},
	} {
		figure, notes, err := o.Figure(m)
		if err != nil || len(notes) > 0 {
			t.Fatalf("%s: %v, %v", name, notes, err)
		}
		reporttest.Golden(t, name+".svg", reporttest.SVG(t, figure))
	}
	d := longtest.Must(SweepPlot{Over: "toy", Statistics: []string{"median", "min"}}.drawing(m))(t)
	got := d.overTable()
	reporttest.Golden(t, "sweep_over.txt", []byte(reporttest.Write(t, got, table.Text)))
	var values []float64
	for _, r := range m.Rows {
		if r.Cell.Get("T") == "10" && r.Cell.Get("kernel") == "barker" {
			values = append(values, r.Get("J"))
		}
	}
	slices.Sort(values)
	row := got.Rows[slices.IndexFunc(got.Rows, func(row []any) bool {
		return slices.Contains(row, any("barker")) && row[0] == 10
	})]
	if n := len(row); row[n-3] != 9 || row[n-2] != values[4] || row[n-1] != values[0] {
		t.Errorf("the row %v is of %v", row, values)
	}
	for want, o := range map[string]SweepPlot{
		"statistics are of the values of a parameter": {Statistics: []string{"mean"}},
		"over T: T is drawn already":                  {X: "T", Over: "T"},
		"over kernel: kernel is drawn already":        {Over: "kernel", Facet: "kernel"},
		`unknown parameter "seed"`:                    {Over: "seed"},
		`unknown statistic "mode"`:                    {Over: "toy", Statistics: []string{"mode"}},
		"sum it up with over":                         {Series: []string{}},
	} {
		if _, _, err := o.Figure(m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
	}
}

// TestNamesAlongAnAxis: of many names about twenty are written, and of few each.
func TestNamesAlongAnAxis(t *testing.T) {
	for n, want := range map[int]int{1: 1, 5: 5, 20: 20, 21: 11, 40: 20, 1000: 20, 1001: 20} {
		a := sweepAxis{names: make([]string, n)}
		ticks := a.nameTicks()
		if len(ticks) != want || ticks[0].Value != 0 {
			t.Errorf("%d names have %d ticks from %v, want %d", n, len(ticks), ticks[0].Value, want)
		}
	}
}

// TestSweepOverMissing: numbers that are missing are left out, with a note, and infinite ones count.
func TestSweepOverMissing(t *testing.T) {
	longtest.NotShort(t)
	m := reporttest.Swept(t, "[grid]\ntoy=['random:2:{0..4}:3x3']\nT=[2, 10]")
	m.Rows[0].Numbers[0] = math.NaN()
	for _, i := range []int{1, 3, 5} { // three of five at T = 10
		m.Rows[i].Numbers[0] = math.Inf(1)
	}
	d := longtest.Must(SweepPlot{Over: "toy", Statistics: []string{"median"}}.drawing(m))(t)
	if got := strings.Join(d.notes, "; "); got != "left out 1 cells that have no J; left out 1 points whose statistics of J are not finite" {
		t.Errorf("notes %s", got)
	}
	if len(d.over.summaries) != 2 || len(d.over.summaries[0].values) != 4 || !math.IsInf(d.over.summaries[1].stats[0], 1) {
		t.Errorf("%+v", d.over.summaries)
	}
}

// TestUsualFigures: where nothing is said a figure shows what the study asks about, along T where that varies and else along the last
// parameter that does.
func TestUsualFigures(t *testing.T) {
	longtest.NotShort(t)
	both := "[grid]\ntoy=['random:2:{0..1}:3x3']\nT=[2, 10]\nkernel=['metropolis', 'barker']"
	evidence := "study='evidence'\n[grid]\ntoy=['random:2:{0..1}:3x3']\nwork=[10, 100]\nkernel=['metropolis', 'barker']"
	for _, c := range []struct {
		spec string
		plot SweepPlot
		want string
	}{
		{both, SweepPlot{}, "J against T"},
		{both, SweepPlot{Over: "T"}, "J against kernel"},
		{both, SweepPlot{Where: map[string][]string{"T": {"2"}}}, "J against kernel"},
		{both, SweepPlot{Over: "T", Facet: "kernel"}, "J against toy"},
		{"[grid]\ntoy=['easy']\nT=[2]", SweepPlot{}, "J against T"},
		{"study='gap'\n[grid]\ntoy=['random:2:0:3x3']\nT=[2, 10]", SweepPlot{}, "gap against T"},
		{"study='aide'\n[grid]\ntoy=['random:2:0:3x3']\nT=[2]", SweepPlot{}, "mean against meta"},
		{"study='kernelcheck'\n[grid]\ntoy=['random:2:0:3x3']\nkernel=['barker', 'moore']", SweepPlot{}, "spectral_gap against kernel"},
		{evidence, SweepPlot{Over: "toy"}, "rmse against work"}, // trials stands behind it, and has one value
		{evidence, SweepPlot{Over: "toy", Facet: "work"}, "rmse against kernel"},
	} {
		d, err := c.plot.drawing(reporttest.Swept(t, c.spec))
		if err != nil {
			t.Errorf("%s, %+v: %v", c.spec, c.plot, err)
		} else if got := d.Y + " against " + d.X; got != c.want {
			t.Errorf("%s, %+v: %s, want %s", c.spec, c.plot, got, c.want)
		}
	}
}

// TestNumberAxes: an axis of one number is as wide as that number, one of numbers that differ by more than 1e-9 of it
// shows the difference, with room of a twenty-fifth on either side, and one of positive numbers that grow tenfold shows
// powers.
func TestNumberAxes(t *testing.T) {
	for _, c := range []struct {
		values   []float64
		low, top float64
		log      bool
	}{
		{[]float64{2, 2}, 1, 3, false},
		{[]float64{1, 1 + 2.4e-8}, 0.5, 1.5, false},
		{[]float64{1, 1 + 2.7e-8}, 1 - 0.04*2.7e-8, 1 + 1.04*2.7e-8, false},
		{[]float64{0, 10}, -0.4, 10.4, false},
		{[]float64{1, 9.9}, 1 - 0.04*8.9, 9.9 + 0.04*8.9, false},
		{[]float64{1, 10}, -0.04, 1.04, true},
		{[]float64{0, 0}, -1e-9, 1e-9, false},
	} {
		a := numberAxis("x", c.values)
		if off := 0.005 * (c.top - c.low); a.log != c.log || !(math.Abs(a.min-c.low) <= off && math.Abs(a.max-c.top) <= off) {
			t.Errorf("%v: from %v to %v, powers %v; want %v to %v", c.values, a.min, a.max, a.log, c.low, c.top)
		}
	}
}
