package mcmc

import (
	"breadboard/experiments/columns"
	"breadboard/experiments/samplers"
	"breadboard/reports"
	"breadboard/reports/table"
	"breadboard/toys"
)

// SamplersCorpusReport returns the report that lists the targets of a corpus.
func SamplersCorpusReport(c *samplers.Corpus, targets []*toys.Toy) *reports.Report {
	r := reports.New("corpus", SamplersCorpus(targets))
	r.Note("corpus %s: %s", c.Name, reports.CountOf(len(targets), "target"))
	return r
}

// SamplersCorpus returns the table of the targets of a corpus.
func SamplersCorpus(targets []*toys.Toy) *table.Table {
	return table.New([]table.Field[*toys.Toy]{
		{Column: table.Column{Name: "toy", Type: table.String, Title: "toy", Meaning: columns.MeansRows}, Of: func(t **toys.Toy) any { return (*t).Name }},
		{Column: table.Column{Name: "states", Type: table.Int, Title: "states", Meaning: columns.MeansStates}, Of: func(t **toys.Toy) any { return (*t).Space.States() }},
		{Column: table.Column{Name: "description", Type: table.String, Prose: true, Title: "description", Meaning: "what the target is"}, Of: func(t **toys.Toy) any { return (*t).Description }},
		{Column: table.Column{Name: "source", Type: table.String, Prose: true, Title: "source", Meaning: "where the target is from"}, Of: func(t **toys.Toy) any { return samplers.SourceOf(*t) }},
	}, targets)
}
