package represent

import (
	"slices"
	"strings"

	"breadboard/experiments"
	"breadboard/experiments/columns"
	"breadboard/experiments/study"
)

// Study declares the study. Its cases are those of an expanded selection (see Expand).
func Study() *study.Study[experiments.Case, study.NoOptions, Row] {
	return &study.Study[experiments.Case, study.NoOptions, Row]{
		Name: "represent",
		Asks: "In which representation of a model is annealing best?",
		Help: `represent compares, exactly, the ways to write a model that differ in the latent variables that are summed out
(collapsed): J and B of annealing in each of them, beside work, the mean number of evaluations of log f in a
run. Each representation is also a target of its own for every other command, as low:collapsed or gridclu:z. Of a network
in a file, as bif:asia.bif, the representations are the whole, and for each variable that was not observed the network in
which it is summed out.

The marginal likelihood must be the same in every representation; the exit code is 1 if two differ by more than 1e-13. J of a
collapsed sampler is also J of its sample completed with the variables that were summed out, drawn from their
conditional distribution. Where variables are summed out one evaluation of log f costs more, which work does
not count.

With --out it also draws J and B against T and against work.`,
		Examples: `  breadboard represent
  breadboard represent --toy low,gridclu -T 10,100,1000 --out results
  breadboard represent --toy gridclu --kernel metropolis --format json`,
		Counts: "steps", Workers: "number of annealings solved at once; where there are fewer, several share a large one",
		Columns: fields(), Plan: plan,
		Unswept: "the rows of a model are held against each other, and a cell has one; a representation is a toy, which tightness sweeps",
	}
}

// fields lists the columns of the study.
func fields() []columns.Field[Row] {
	of := func(r *Row) *experiments.Case { return &r.Case }
	return slices.Concat(
		[]columns.Field[Row]{
			{Column: columns.Column{Name: "toy", Type: columns.String, Title: "toy", Meaning: columns.MeansRows}, Of: func(r *Row) any { return r.Model() }},
			{Column: columns.Column{Name: "representation", Type: columns.String, Title: "representation", Meaning: "which latent variables of the model are kept"}, Of: func(r *Row) any { return r.Representation() }},
		},
		experiments.CaseColumns(of, "T"),
		experiments.RestOfCase(of),
		[]columns.Field[Row]{
			{Column: columns.Column{Name: "states", Type: columns.Int, Title: "states", Meaning: "the number of states of the representation"}, Of: func(r *Row) any { return r.Toy.Space.States() }},
			{Column: columns.Column{Name: "work", Type: columns.Float, Title: "work", Meaning: "the mean number of evaluations of log f in a run"}, Of: func(r *Row) any { return r.Work }},
			{Column: columns.Column{Name: "J", Type: columns.Float, Title: "J", Unit: "nats", Meaning: columns.MeansJ}, Of: func(r *Row) any { return r.J }},
			{Column: columns.Column{Name: "B", Type: columns.Float, Title: "B", Unit: "nats", Meaning: columns.MeansB}, Of: func(r *Row) any { return r.B }},
			{Column: columns.Column{Name: "log_z_ratio", Type: columns.Float, Title: "log(Z_T/Z_1)", Unit: "nats", Meaning: columns.MeansLogZRatio}, Of: func(r *Row) any { return r.LogZRatio }},
			{Column: columns.Column{Name: "note", Type: columns.String, Meaning: columns.MeansNote}, Of: func(r *Row) any { return strings.Join(r.Notes, "; ") }},
		})
}
