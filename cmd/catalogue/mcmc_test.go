package catalogue

import (
	"context"
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
