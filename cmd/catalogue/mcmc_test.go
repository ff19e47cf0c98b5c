package catalogue

import (
	"context"
	"slices"
	"strings"
	"testing"

	"breadboard/experiments/forms"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/grid/longtest"
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

// TestSamplersCorpus: the table of the small corpus.
func TestSamplersCorpus(t *testing.T) {
	c := longtest.Must(samplers.ReadCorpus("small"))(t)
	report := samplers.CorpusReport(c, longtest.Must(c.Load(t.Context(), forms.Reader()))(t))
	goldenTable(t, "samplers_corpus.txt", report.Tables()[0].Table)
	if notes := notesText(report); notes != "corpus small: 10 targets" {
		t.Errorf("%q", notes)
	}
}

// lawsRows runs the study of the distributions of means, of chains from the uniform start.
func lawsRows(t *testing.T, toy, kernels, functions string, o samplers.LawsOptions) []samplers.LawsRow {
	t.Helper()
	problems := longtest.Must(samplers.Selection{
		Reader:    forms.Reader(),
		Toys:      []string{toy},
		Kernels:   strings.Split(kernels, ","),
		Starts:    []string{"uniform"},
		Functions: strings.Split(functions, ","),
	}.Problems(context.Background()))(t)
	return ran(t, samplers.Laws(), problems, o)
}

// TestTimesLieOnTheirCurves: each mark is a point of its line, in evaluations, of which independent
// draws from nine states take nine, and in moves beside a kernel without any.
func TestTimesLieOnTheirCurves(t *testing.T) {
	for _, names := range [][]string{{"metropolis", "heatbath", "exact", "temper:3"}, {"exact", "stay"}} {
		s := samplers.Selection{
			Reader:    forms.Reader(),
			Toys:      []string{"random:2:7:3x3"},
			Kernels:   names,
			Starts:    []string{"uniform"},
			Tempering: true,
		}
		o := samplers.TimesOptions{MI: 0.01, TV: 0.01, Curves: true}
		f := longtest.Must(samplers.Times().Declaration.Show(
			ran(t, samplers.Times(), samplerProblems(t, s), o),
		).Figures()[0].Draw())(t)
		marks := 0
		last := map[string]float64{}
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
			if !slices.ContainsFunc(f.Data.Rows,
				func(at []any) bool { return at[1] == name+of && at[3] == row[3] && at[6] == row[6] }) {
				t.Errorf("the mark of %s at %v is on no line", row[1], row[3])
			}
			if want := map[bool]float64{
				true: 9, false: 1}[len(names) > 2]; strings.HasPrefix(name, "exact") && row[3] != want {
				t.Errorf("independent draws take %v, want %v", row[3], want)
			}
		}
		if want := map[int]int{4: 7, 2: 2}[len(names)]; marks != want || last["exact, mixing"] != 0.001 {
			t.Errorf("%d marks, want %d; the last points are %v", marks, want, last)
		}
	}
}
