package catalogue

import (
	"slices"

	"breadboard/experiments/annealing/schedule"
	"breadboard/experiments/checks/conform"
	"breadboard/experiments/checks/conform/chain"
	"breadboard/experiments/checks/conform/draws"
	"breadboard/experiments/checks/conform/ranks"
	"breadboard/experiments/checks/kernel"
	"breadboard/experiments/checks/posterior"
	"breadboard/experiments/checks/simulated"
	"breadboard/experiments/checks/vectors"
	"breadboard/experiments/data/show"
	"breadboard/experiments/marginal/evidence"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/particles/aide"
	"breadboard/experiments/subject"
	"breadboard/experiments/sweeps/sweep"
	"breadboard/reports"
	"breadboard/reports/table"
	"breadboard/toys"
)

// Schemas lists the tables of all commands. The first table of a command is written to standard
// output; the later ones are written beside it, to files, or with a flag in its place.
func Schemas() []reports.Schema { return SchemasOf("") }

// SchemasOf returns the tables of a command.
func SchemasOf(command string) (list []reports.Schema) {
	studies := Studies()
	for _, s := range studies {
		list = append(list, s.Schemas()...)
	}
	list = append(list, checkSchemas()...)
	if is(command, "conform vectors") { // whose columns take reading all vectors
		list = append(list, schema("conform vectors", "conform_vectors", table.Empty(vectors.Columns())))
	}
	if is(command, "sweep merge") {
		for _, study := range Swept(studies) {
			merged := schema("sweep merge", "sweep", table.Empty(sweep.MergedFields(subject.Forms{}, study)))
			merged.Study = study.Name
			list = append(list, merged)
		}
	}
	list = append(list,
		schema("sweep plan", "sweep_plan", sweep.PlanTable(sweep.Plan{})),
		schema("sweep status", "sweep_status", sweep.StatusTable(&sweep.Status{})),
		schema("kernel", "kernels", kernel.Kernels(nil)),
		schema("schedule", "schedules", schedule.Schedules(nil)),
		schema("samplers corpus", "corpus", samplers.CorpusTable(nil)),
		schema("toys", "toys", show.Toys(nil)),
		schema("vectors", "vectors", vectors.Vectors(nil)),
		schema("toys show", reports.TableOfToy, show.ToyStates(&toys.Toy{}, nil)),
	)
	return slices.DeleteFunc(list, func(s reports.Schema) bool { return !is(command, s.Command) })
}

// is reports whether a command is wanted; all are if none is named.
func is(wanted, command string) bool { return wanted == "" || wanted == command }

// checkSchemas lists the tables of the checks, which are no studies: their answer is a verdict.
func checkSchemas() []reports.Schema {
	nobody := &conform.Outcome{}
	list := []reports.Schema{
		schema("aide check", "aide_check", table.Empty(aide.FindingColumns())),
		{Command: "ais", Table: "ais_check", Of: table.Empty(simulated.FindingColumns()), By: "check"},
		schema("evidence check", "evidence_check", table.Empty(evidence.FindingColumns())),
		schema("kernel check", "kernel_check", table.Empty(kernel.FindingColumns())),
		schema("kernel check", "invariant", table.Empty(kernel.OtherColumns())),
	}
	for _, command := range []string{"conform check", "conform run"} {
		list = append(list, schema(command, "conform", conform.Table(nobody)),
			schema(command, "hypotheses", conform.Hypotheses(nobody)),
			schema(command, "guarantees", conform.Guarantees(nobody)))
	}
	return append(list,
		schema("conform estimates", "conform", conform.Table(nobody)),
		schema("conform estimates", "guarantees", conform.Guarantees(nobody)),
		schema("conform chain", "conform_chain", table.Empty(chain.Columns())),
		schema("conform chain", "means", table.Empty(chain.MeanColumns())),
		schema("conform draws", "conform_draws", table.Empty(draws.Columns())),
		schema("conform ranks", "conform_ranks", table.Empty(ranks.Columns())),
		schema("conform joint", "conform_joint", table.Empty(ranks.Columns())),
		schema("conform draws", "states", table.Empty(draws.StateColumns())),
		schema("conform draws", "weighted_states", table.Empty(draws.WeightedColumns())),
		schema("conform posterior", "conform_posterior", table.Empty(posterior.Columns())),
		schema("conform posterior", "tests", table.Empty(posterior.TestColumns())),
		schema("conform spec", "needs", conform.NeedsTable(nil)),
		schema("conform spec", "candidates", conform.Candidates(nil)),
	)
}

func schema(command, name string, of *table.Table) reports.Schema {
	return reports.Schema{Command: command, Table: name, Of: of}
}
