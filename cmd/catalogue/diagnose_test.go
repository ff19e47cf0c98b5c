package catalogue

import (
	"context"
	"testing"

	"breadboard/experiments/draws/files"
	"breadboard/experiments/forms"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/mcmc/samplers/diagnose"
	"breadboard/grid/longtest"
	"breadboard/reports/table"
)

// diagnoseRows runs the study of diagnostics.
func diagnoseRows(t *testing.T, samples []int64, toy string, kernels ...string) []diagnose.Row {
	t.Helper()
	ctx := context.Background()
	s := samplers.Selection{
		Reader:    forms.Reader(),
		Toys:      []string{toy},
		Kernels:   kernels,
		Starts:    []string{"uniform", "target"},
		Functions: []string{"x0"},
	}
	problems := longtest.Must(s.Problems(ctx))(t)
	return ran(t, diagnose.Study(), problems, diagnose.Options{N: samples, Chains: 4, Seed: 1})
}

// TestSamplersDiagnose: the table and the figure.
func TestSamplersDiagnose(t *testing.T) {
	longtest.Only(t)
	rows := diagnoseRows(t, []int64{20, 100, 300}, "barrier", "metropolis", "heatbath")
	report := diagnose.Study().Declaration.Show(rows)
	goldenTable(t, "samplersdiagnose.txt", report.Tables()[0].Table)
	drawFigure(t, report.Figures()[0], "samplersdiagnose_barrier_x0")
}

// TestSamplersVariables: the table of external draws, without a target and with one, and the notes
// on several variables.
func TestSamplersVariables(t *testing.T) {
	d := &files.Draws{
		Names:     []string{"x0", "note", "hole"},
		Sources:   []string{"1.csv", "2.csv"},
		Notes:     []string{"1.csv: 3 draws of the warm-up omitted"},
		NotFinite: []string{"", "", "2.csv, line 4: NaN"},
		Values: [][][]float64{{{1, 2, 1, 3, 2, 1, 4, 2}, {1, 2, 1, 5, 2, 1, 2, 2}},
			{{3, 1, 4, 1, 5, 9, 2, 6}, {5, 3, 5, 8, 9, 7, 9, 3}},
			{{1, 2, 1, 3, 2, 1, 4, 2}, {1, 2, 1, 5, 2, 1, 2, 2}}},
	}
	target := longtest.Must(diagnose.NewTarget(longtest.Must(forms.All().Parse("easy"))(t), nil))(t)
	for name, on := range map[string]*diagnose.Target{
		"samplersvariables.txt": nil, "samplersvariables_target.txt": target} {
		rows := longtest.Must(diagnose.Variables(context.Background(), d, on, nil, func(int) {}))(t)
		text := writeTable(t, diagnose.VariablesTable(rows), table.Text)
		for _, note := range diagnose.VariablesReport(rows, d).Notes() {
			text += note.Error() + "\n"
		}
		checkGolden(t, name, []byte(text))
	}
}

// samplersProblems builds the problems of two kernels on targets.
func samplersProblems(t *testing.T, targets ...string) []samplers.Problem {
	t.Helper()
	s := samplers.Selection{
		Reader:    forms.Reader(),
		Toys:      targets,
		Kernels:   []string{"metropolis", "heatbath"},
		Starts:    []string{"uniform"},
		Functions: []string{"x0"},
	}
	return longtest.Must(s.Problems(context.Background()))(t)
}
