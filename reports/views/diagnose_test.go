package views

import (
	"context"
	"strings"
	"testing"

	"breadboard/chains/diagnostics"
	"breadboard/experiments/draws/files"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/mcmc/samplers/diagnose"
	"breadboard/grid/longtest"
	"breadboard/reports"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/mcmc"
	"breadboard/toys"
)

// diagnoseRows runs the study of diagnostics.
func diagnoseRows(t *testing.T, samples []int64, toy string, kernels ...string) []diagnose.Row {
	t.Helper()
	ctx := context.Background()
	s := samplers.Selection{Toys: []string{toy}, Kernels: kernels, Starts: []string{"uniform", "target"}, Functions: []string{"x0"}}
	problems := longtest.Must(s.Problems(ctx))(t)
	return ran(t, diagnose.Study(), problems, diagnose.Options{N: samples, Chains: 4, Seed: 1})
}

// drawsRow returns the row of draws from a file.
func drawsRow(t *testing.T) diagnose.Row {
	t.Helper()
	return longtest.Must(diagnose.OfDraws(context.Background(), "fit.npy", diagnostics.Draws{{1, 2, 1, 3, 2, 1, 4, 2}, {1, 2, 1, 5, 2, 1, 2, 2}}, nil))(t)
}

// TestSamplersDiagnose: the table where the truth is known, that of draws from a file, and the
// figure.
func TestSamplersDiagnose(t *testing.T) {
	longtest.Only(t)
	rows := diagnoseRows(t, []int64{20, 100, 300}, "barrier", "metropolis", "heatbath")
	goldenTable(t, "samplersdiagnose.txt", mcmc.SamplersDiagnose(rows))
	goldenTable(t, "samplersdiagnose_draws.txt", mcmc.SamplersDiagnose([]diagnose.Row{drawsRow(t)}))
	reporttest.Drawn(t, mcmc.SamplersDiagnoseReport(append(rows, drawsRow(t))).Figures()[0], "samplersdiagnose_barrier_x0")
}

// TestSamplersVariables: the table of external draws, without a target and with one, and the notes
// on several variables.
func TestSamplersVariables(t *testing.T) {
	d := &files.Draws{
		Names: []string{"x0", "note", "hole"}, Sources: []string{"1.csv", "2.csv"}, Notes: []string{"1.csv: 3 draws of the warm-up omitted"},
		NotFinite: []string{"", "", "2.csv, line 4: NaN"},
		Values: [][][]float64{{{1, 2, 1, 3, 2, 1, 4, 2}, {1, 2, 1, 5, 2, 1, 2, 2}}, {{3, 1, 4, 1, 5, 9, 2, 6}, {5, 3, 5, 8, 9, 7, 9, 3}},
			{{1, 2, 1, 3, 2, 1, 4, 2}, {1, 2, 1, 5, 2, 1, 2, 2}}},
	}
	target := longtest.Must(diagnose.NewTarget(longtest.Must(toys.Parse("easy"))(t), nil))(t)
	for name, on := range map[string]*diagnose.Target{"samplersvariables.txt": nil, "samplersvariables_target.txt": target} {
		rows := longtest.Must(diagnose.Variables(context.Background(), d, on, nil, func(int) {}))(t)
		text := reporttest.Write(t, mcmc.SamplersVariables(rows), table.Text)
		for _, note := range mcmc.SamplersVariablesReport(rows).Notes() {
			text += note.Error() + "\n"
		}
		reporttest.Golden(t, name, []byte(text))
	}
}

// TestManyDiagnoseNotes: a large study does not say everything that its column of notes has.
func TestManyDiagnoseNotes(t *testing.T) {
	rows := make([]diagnose.Row, 15)
	for i := range rows {
		rows[i] = drawsRow(t)
	}
	notes := 0
	for _, part := range mcmc.SamplersDiagnoseReport(rows).Parts {
		if note, is := part.(reports.Note); is {
			notes++
			if notes == 11 && !strings.HasPrefix(note.Error(), "5 more rows have notes") {
				t.Error(note)
			}
		}
	}
	if notes != 11 {
		t.Errorf("%d notes", notes)
	}
}

// samplersProblems builds the problems of two kernels on targets.
func samplersProblems(t *testing.T, targets ...string) []samplers.Problem {
	t.Helper()
	s := samplers.Selection{Toys: targets, Kernels: []string{"metropolis", "heatbath"}, Starts: []string{"uniform"}, Functions: []string{"x0"}}
	return longtest.Must(s.Problems(context.Background()))(t)
}

// TestSamplersCalibrate: the tables and the figure of the calibration, with simulated chains and
// without.
func TestSamplersCalibrate(t *testing.T) {
	longtest.Only(t)
	problems := samplersProblems(t, "easy", "barrier", "random:2:1:5x5")
	rows := ran(t, diagnose.Calibrate(), problems, diagnose.CalibrateOptions{N: []int{200}, Chains: 8, Seed: 1})
	report := mcmc.SamplersCalibrateReport(rows)
	all := ""
	for _, tables := range report.Tables() {
		all += reporttest.Write(t, tables.Content(), table.Text)
	}
	reporttest.Golden(t, "samplers_calibrate.txt", []byte(all+reporttest.Notes(report)+"\n"))
	reporttest.Drawn(t, report.Figures()[0], "samplers_calibrate")
}

// TestSamplersCalibrateExactAlone: without simulated chains there are the exact numbers alone, in
// one column of panels.
func TestSamplersCalibrateExactAlone(t *testing.T) {
	rows := ran(t, diagnose.Calibrate(), samplersProblems(t, "easy"), diagnose.CalibrateOptions{N: []int{50}})
	report := mcmc.SamplersCalibrateReport(rows)
	for _, tables := range report.Tables() {
		if text := reporttest.Write(t, tables.Content(), table.CSV); strings.Contains(text, "simulated") || strings.Contains(text, "essd") {
			t.Errorf("there are simulated chains in\n%s", text)
		}
	}
	longtest.Must(report.Figures()[0].Draw())(t)
}

// TestSamplersMeta: the table of the meta-analysis and its figure.
func TestSamplersMeta(t *testing.T) {
	longtest.Only(t)
	problems := samplersProblems(t, "easy", "barrier", "random:2:1:5x5", "random:2:2:5x5", "ising:2x3:0.4")
	result := ran(t, diagnose.Meta(), problems, diagnose.MetaOptions{N: []int{100}, Label: diagnose.Exact, Repeats: 3, Seed: 1})
	report := mcmc.SamplersMetaReport(result)
	reporttest.Golden(t, "samplers_meta.txt", []byte(reporttest.Write(t, report.Tables()[0].Content(), table.Text)+reporttest.Notes(report)+"\n"))
	reporttest.Drawn(t, report.Figures()[0], "samplers_meta")
	one := ran(t, diagnose.Meta(), problems, diagnose.MetaOptions{N: []int{100}, Label: diagnose.ESSD, Chains: 4, Repeats: 1, Seed: 1})
	report = mcmc.SamplersMetaReport(one)
	if text := reporttest.Write(t, report.Tables()[0].Content(), table.CSV); !strings.Contains(text, "\nGP,essd,") {
		t.Errorf("the label is not in\n%s", text)
	}
	if !strings.Contains(reporttest.Notes(report), "one split has no standard errors") {
		t.Errorf("notes\n%s", reporttest.Notes(report))
	}
	longtest.Must(report.Figures()[0].Draw())(t)
}
