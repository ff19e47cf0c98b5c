package samplers

import (
	"breadboard/chains/selector"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
	"breadboard/toys"
)

// CorpusReport returns the report that lists the targets of a corpus.
func CorpusReport(c *Corpus, targets []*toys.Toy) *reports.Report {
	r := reports.New("corpus", CorpusTable(targets))
	r.Note("corpus %s: %s", c.Name, selector.Count(len(targets), "target"))
	return r
}

// CorpusTable returns the table of the targets of a corpus.
func CorpusTable(targets []*toys.Toy) *table.Table {
	return table.New(columns.List{
		columns.Of("toy", "toy", columns.MeansRows, func(t **toys.Toy) string { return (*t).Name }),
		columns.Of("states", "states", columns.MeansStates, func(t **toys.Toy) int { return (*t).Space.States() }),
		columns.Of("description", "description", "what the target is",
			func(t **toys.Toy) string { return (*t).Description }).Prose(),
		columns.Of("source", "source", "where the target is from",
			func(t **toys.Toy) string { return (*t).Source() }).Prose(),
	}, targets)
}
