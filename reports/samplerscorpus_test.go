package reports

import (
	"testing"

	"breadboard/experiments/samplers"
	"breadboard/reports/table"
	"breadboard/toys"
)

// TestSamplersCorpus: the table of the small corpus.
func TestSamplersCorpus(t *testing.T) {
	c := must[*samplers.Corpus](t)(samplers.ReadCorpus("small"))
	report := SamplersCorpusReport(c, must[[]*toys.Toy](t)(c.Load(t.Context())))
	golden(t, "samplers_corpus.txt", []byte(write(t, report.Tables()[0].Table, table.Text)))
	if notes := reportNotes(report); notes != "corpus small: 10 targets" {
		t.Errorf("%q", notes)
	}
}
