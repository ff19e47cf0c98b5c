package views

import (
	"testing"

	"breadboard/experiments/samplers"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/mcmc"
	"breadboard/toys"
)

// TestSamplersCorpus: the table of the small corpus.
func TestSamplersCorpus(t *testing.T) {
	c := reporttest.Must[*samplers.Corpus](t)(samplers.ReadCorpus("small"))
	report := mcmc.SamplersCorpusReport(c, reporttest.Must[[]*toys.Toy](t)(c.Load(t.Context())))
	reporttest.Golden(t, "samplers_corpus.txt", []byte(reporttest.Write(t, report.Tables()[0].Table, table.Text)))
	if notes := reporttest.Notes(report); notes != "corpus small: 10 targets" {
		t.Errorf("%q", notes)
	}
}
