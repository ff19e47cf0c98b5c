package views

import (
	"testing"

	"breadboard/experiments/samplers"
	"breadboard/grid/longtest"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/mcmc"
)

// TestSamplersCorpus: the table of the small corpus.
func TestSamplersCorpus(t *testing.T) {
	c := longtest.Must(samplers.ReadCorpus("small"))(t)
	report := mcmc.SamplersCorpusReport(c, longtest.Must(c.Load(t.Context()))(t))
	reporttest.Golden(t, "samplers_corpus.txt", []byte(reporttest.Write(t, report.Tables()[0].Table, table.Text)))
	if notes := reporttest.Notes(report); notes != "corpus small: 10 targets" {
		t.Errorf("%q", notes)
	}
}
