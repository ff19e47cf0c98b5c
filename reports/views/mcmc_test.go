package views

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"breadboard/chains/number"
	"breadboard/experiments/mcmc/couple"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/grid/longtest"
	"breadboard/reports/figure"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/mcmc"
)

// samplerProblems builds the problems of a selection.
func samplerProblems(t *testing.T, s samplers.Selection) []samplers.Problem {
	t.Helper()
	return longtest.Must(s.Problems(context.Background()))(t)
}

// samplerErrorsRows runs the study of the errors of samplers.
func samplerErrorsRows(t *testing.T, s samplers.Selection, n ...int64) []samplers.ErrorsRow {
	t.Helper()
	return ran(t, samplers.Errors(), samplerProblems(t, s), samplers.ErrorsOptions{N: n})
}

func TestSamplerErrors(t *testing.T) {
	longtest.Only(t)
	s := samplers.Selection{Toys: []string{"barrier"}, Kernels: []string{"metropolis", "heatbath"}, Starts: []string{"uniform", "target", "mode"},
		Functions: []string{"x0", "all"}}
	rows := samplerErrorsRows(t, s, 1, 10, 100, 1000)
	goldenTable(t, "samplers_errors.txt", mcmc.SamplerErrors(rows))
	report := mcmc.SamplerErrorsReport(rows)
	reporttest.Drawn(t, report.Figures()[0], "")
	if notes := reporttest.Notes(report); strings.Count(notes, "N = 1: a single sample has no variance") != 1 || strings.Count(notes, "ESSD") != 1 {
		t.Errorf("notes\n%s", notes)
	}
	none := samplerErrorsRows(t, s, 10)
	for i := range none {
		nan := number.Exactly(math.NaN())
		none[i].MSE, none[i].MSEStationary, none[i].MSEVariance, none[i].CvM, none[i].Bias = nan, nan, nan, nan, nan
	}
	longtest.Refuses(mcmc.SamplerErrorsReport(none).Figures()[0].Draw())(t, "no row has numbers for ress_mean")
}

// TestSamplerErrorsMachines: numbers that there cannot be, and those that are not known, are empty.
func TestSamplerErrorsMachines(t *testing.T) {
	s := samplers.Selection{Toys: []string{"barrier:3x3"}, Kernels: []string{"barker"}, Starts: []string{"target"}, Functions: []string{"x0", "all"}}
	rows := samplerErrorsRows(t, s, 1, 5)
	rows[1].Work = math.NaN()
	var cells []map[string]any
	longtest.NoError(t, json.Unmarshal([]byte(reporttest.Write(t, mcmc.SamplerErrors(rows), table.JSON)), &cells))
	if cells[0]["mse_var"] != nil || cells[0]["ress_var"] != nil || cells[0]["work"] != 1.0 || cells[1]["work"] != nil || cells[1]["work_per_ress"] != nil {
		t.Errorf("%v\n%v", cells[0], cells[1])
	}
	if cells[3]["mean"] != nil || cells[3]["R_var_paper"] != 4.0 || cells[1]["R_var_paper"] != 2.0 || cells[1]["R_ks_paper"] != math.Pi*math.Pi/12 {
		t.Errorf("%v", cells[3])
	}
	for i := range rows {
		rows[i].MSEVariance = number.Exactly(math.NaN())
	}
	if text := reporttest.Write(t, mcmc.SamplerErrors(rows), table.Text); strings.Contains(text, "RESS var") || strings.Contains(text, "constant") ||
		!strings.Contains(text, "RESS CvM") {
		t.Errorf("people see a column that is empty:\n%s", text)
	}
}

// TestSamplerErrorsShowKolmogorovSmirnov: people see the real effective sample size of the
// Kolmogorov-Smirnov distance where all rows know it, and beside no columns of the variance if any
// row does.
func TestSamplerErrorsShowKolmogorovSmirnov(t *testing.T) {
	longtest.Only(t)
	s := samplers.Selection{Toys: []string{"easy"}, Kernels: []string{"metropolis"}, Starts: []string{"target"}, Functions: []string{"x0"}}
	rows := samplerErrorsRows(t, s, 1, 10, 10_000)
	distribution := ran(t, samplers.Errors(), samplerProblems(t, s), samplers.ErrorsOptions{N: []int64{1, 10, 10_000}, Estimates: []string{"distribution"}})
	for _, some := range [][]samplers.ErrorsRow{rows[:2], distribution} {
		if out := reporttest.Write(t, mcmc.SamplerErrors(some), table.Text); !strings.Contains(out, "RESS KS") || !strings.Contains(out, "1.219") ||
			strings.Contains(out, "NaN") {
			t.Error(out)
		}
	}
	for _, some := range [][]samplers.ErrorsRow{rows, rows[2:], distribution[2:]} {
		if out := reporttest.Write(t, mcmc.SamplerErrors(some), table.Text); strings.Contains(out, "RESS KS") {
			t.Errorf("there is a column for which there is no room, or in which no row has anything:\n%s", out)
		}
	}
}

// TestSamplerErrorsTitles: a report shows the columns that have a title, and so takes them from a
// table without rows.
func TestSamplerErrorsTitles(t *testing.T) {
	for _, schema := range SchemasOf("samplers errors") {
		for _, c := range schema.Columns {
			if slices.Contains([]string{"ress_mean", "ress_var", "ress_cvm", "ress_ks"}, c.Name) && c.Title == "" {
				t.Errorf("%s has no title", c.Name)
			}
		}
	}
}

// TestSamplersCorpus: the table of the small corpus.
func TestSamplersCorpus(t *testing.T) {
	c := longtest.Must(samplers.ReadCorpus("small"))(t)
	report := mcmc.SamplersCorpusReport(c, longtest.Must(c.Load(t.Context()))(t))
	goldenTable(t, "samplers_corpus.txt", report.Tables()[0].Table)
	if notes := reporttest.Notes(report); notes != "corpus small: 10 targets" {
		t.Errorf("%q", notes)
	}
}

// lawsRows runs the study of the distributions of means, of chains from the uniform start.
func lawsRows(t *testing.T, toy, kernels, functions string, o samplers.LawsOptions) []samplers.LawsRow {
	t.Helper()
	problems := longtest.Must(samplers.Selection{
		Toys: []string{toy}, Kernels: strings.Split(kernels, ","), Starts: []string{"uniform"}, Functions: strings.Split(functions, ","),
	}.Problems(context.Background()))(t)
	return ran(t, samplers.Laws(), problems, o)
}

// TestSamplersLaws: the table, and a figure of each kind.
func TestSamplersLaws(t *testing.T) {
	longtest.Only(t)
	rows := lawsRows(t, "barrier:5x5", "metropolis,heatbath", "x0,mode", samplers.LawsOptions{N: []int{10, 20}, Chains: 3, RHatLaws: true})
	goldenTable(t, "samplers_laws.txt", mcmc.SamplersLaws(rows))
	report := mcmc.SamplersLawsReport(rows)
	for _, drawn := range report.Figures() {
		f := reporttest.Drawn(t, drawn, "")
		if f.Name != "samplers_laws_rhat" {
			continue
		}
		for _, style := range []figure.Style{{}, {Width: 3.25 * vg.Inch}} { // the limit 1.01 and both bars of constant chains have labels in both panels
			for _, label := range []string{"1.01", "inf", "none"} {
				if n := strings.Count(string(reporttest.SVG(t, f.In(style))), ">"+label+"<"); n != 2 {
					t.Errorf("%v in wide: %d labels %s at the axes of R-hat", style.Width/vg.Inch, n, label)
				}
			}
		}
	}
}

// TestSamplersLawsNotes: what has no distribution says so, and figures without anything to show are
// left out with a reason.
func TestSamplersLawsNotes(t *testing.T) {
	rows := lawsRows(t, "easy", "heatbath-axis:0", "x0", samplers.LawsOptions{N: []int{3}, Chains: 2})
	report := mcmc.SamplersLawsReport(rows)
	if notes := report.Notes(); len(notes) != 1 || !strings.HasPrefix(notes[0].Error(), "toy easy, kernel heatbath-axis:0: the chain never leaves the class") {
		t.Errorf("notes %v", notes)
	}
	if twice := mcmc.SamplersLawsReport(append(rows, rows...)); len(twice.Notes()) != 1 {
		t.Errorf("the note of a kernel is said %d times", len(twice.Notes()))
	}
	for i, want := range []string{"", "with the values 0 and 1", "at two values of N"} {
		_, err := report.Figures()[i].Draw()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("figure %d: %v, want %q", i, err, want)
		}
	}
	longtest.Refuses(mcmc.SamplersLawsReport(nil).Figures()[0].Draw())(t, "there are no rows")
}

func TestSamplerTimes(t *testing.T) {
	longtest.Only(t)
	s := samplers.Selection{Toys: []string{"easy", "barrier"}, Kernels: []string{"metropolis", "heatbath"}, Starts: []string{"uniform", "mode"}}
	o := samplers.TimesOptions{MI: 0.01, TV: 0.02, Curves: true}
	rows := ran(t, samplers.Times(), samplerProblems(t, s), o)
	goldenTable(t, "samplers_times.txt", mcmc.SamplerTimes(rows))
	reporttest.Drawn(t, mcmc.SamplerTimesReport(rows).Figures()[1], "")
	rows[0].Mixing.Moves, rows[0].Mixing.Note = math.Inf(1), "it never does"
	rows[1].Mixing = rows[0].Mixing
	if text := reporttest.Write(t, mcmc.SamplerTimes(rows), table.Text); !strings.Contains(text, "never") {
		t.Errorf("an infinite time:\n%s", text)
	}
	if text := reporttest.Write(t, mcmc.SamplerTimes(rows), table.JSON); !strings.Contains(text, `"mixing_mi": "+Inf"`) {
		t.Errorf("an infinite time:\n%s", text)
	}
	report := mcmc.SamplerTimesReport(rows)
	if n := report.Notes(); len(n) != 1 || n[0].Error() != "toy easy, kernel metropolis: mixing: it never does" {
		t.Errorf("notes %v", n)
	}
	longtest.Must(report.Figures()[0].Draw())(t)
	rows[0].Curve = nil
	if n := len(mcmc.SamplerTimesReport(rows[:1]).Figures()); n != 0 {
		t.Errorf("%d figures without curves", n)
	}
}

// TestTimesLieOnTheirCurves: each mark is a point of its line, in evaluations, of which independent
// draws from nine states take nine, and in moves beside a kernel without any.
func TestTimesLieOnTheirCurves(t *testing.T) {
	for _, names := range [][]string{{"metropolis", "heatbath", "exact", "temper:3"}, {"exact", "stay"}} {
		s := samplers.Selection{Toys: []string{"random:2:7:3x3"}, Kernels: names, Starts: []string{"uniform"}, Tempering: true}
		o := samplers.TimesOptions{MI: 0.01, TV: 0.01, Curves: true}
		f := longtest.Must(mcmc.SamplerTimesReport(ran(t, samplers.Times(), samplerProblems(t, s), o)).Figures()[0].Draw())(t)
		marks, last := 0, map[string]float64{}
		for _, row := range f.Data.Rows {
			name, is := strings.CutSuffix(row[1].(string), ", the time")
			of := ", mixing"
			if !is {
				name, is = strings.CutSuffix(row[1].(string), ", burn-in time")
				of = ", burn-in"
			}
			if !is {
				last[row[1].(string)] = row[6].(float64)
				continue
			}
			marks++
			if !slices.ContainsFunc(f.Data.Rows, func(at []any) bool { return at[1] == name+of && at[3] == row[3] && at[6] == row[6] }) {
				t.Errorf("the mark of %s at %v is on no line", row[1], row[3])
			}
			if want := map[bool]float64{true: 9, false: 1}[len(names) > 2]; strings.HasPrefix(name, "exact") && row[3] != want {
				t.Errorf("independent draws take %v, want %v", row[3], want)
			}
		}
		if want := map[int]int{4: 7, 2: 2}[len(names)]; marks != want || last["exact, mixing"] != 0.001 {
			t.Errorf("%d marks, want %d; the last points are %v", marks, want, last)
		}
	}
}

// TestCoupleMap: the first row of states is at the top, beside its tick, and of sixteen rows every
// second one has a tick.
func TestCoupleMap(t *testing.T) {
	s := samplers.Selection{Toys: []string{"random:2:7:16x2"}, Kernels: []string{"metropolis"}, Starts: []string{"uniform"}}
	row := couple.Row{Setting: samplers.Setting{Problem: &samplerProblems(t, s)[0]}}
	row.FromMode = append([]float64{math.Inf(1)}, slices.Repeat([]float64{1}, 31)...) // the first state is grey
	svg := string(reporttest.SVG(t, longtest.Must(mcmc.CoupleReport([]couple.Row{row}).Figures()[0].Draw())(t)))
	var bottom, top, tick float64
	grey := regexp.MustCompile(`M[\d.]+,([\d.]+)L[^L]*L[\d.]+,([\d.]+)L[^L]*" fill="#C8C8C8"`).FindStringSubmatch(svg)
	longtest.Must(fmt.Sscan(strings.Join(grey[1:], " "), &bottom, &top))(t)
	var at, rows []string
	for _, text := range regexp.MustCompile(`y="-([\d.]+)"[^>]*>(\d+)</text>`).FindAllStringSubmatch(svg, -1)[3:] { // behind the axis of columns
		at, rows = append(at, text[1]), append(rows, text[2])
	}
	if longtest.Must(fmt.Sscan(at[0], &tick))(t); !(tick > bottom-1 && tick < top) || strings.Join(rows, " ") != "0 2 4 6 8 10 12 14" {
		t.Errorf("the first state is from %v to %v, and rows %v have ticks at %v", bottom, top, rows, at)
	}
}
