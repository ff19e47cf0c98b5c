package mcmc

import (
	"breadboard/chains/selector"
	"breadboard/experiments/columns"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/reports"
	"breadboard/reports/table"
	"breadboard/toys"
)

// SamplersCorpusReport returns the report that lists the targets of a corpus.
func SamplersCorpusReport(c *samplers.Corpus, targets []*toys.Toy) *reports.Report {
	r := reports.New("corpus", SamplersCorpus(targets))
	r.Note("corpus %s: %s", c.Name, selector.Count(len(targets), "target"))
	return r
}

// SamplersCorpus returns the table of the targets of a corpus.
func SamplersCorpus(targets []*toys.Toy) *table.Table {
	return table.New(columns.List{
		columns.Of("toy", "toy", columns.MeansRows, func(t **toys.Toy) string { return (*t).Name }),
		columns.Of("states", "states", columns.MeansStates, func(t **toys.Toy) int { return (*t).Space.States() }),
		columns.Of("description", "description", "what the target is",
			func(t **toys.Toy) string { return (*t).Description }).Prose(),
		columns.Of("source", "source", "where the target is from",
			func(t **toys.Toy) string { return samplers.SourceOf(*t) }).Prose(),
	}, targets)
}
