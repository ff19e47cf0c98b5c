package catalogue

import (
	"fmt"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
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
	"breadboard/reports/columns"
	"breadboard/reports/table"
	"breadboard/toys"
)

// Schema lists the columns of a table of a command in the formats for machines. They do not depend
// on the content of the table.
type Schema struct {
	Command string // the words of the command behind the program's name, such as "schedule optimize"
	Table   string // the name of the table, after which its files are called; or TableOfToy
	Study   string // the study that is swept, where the columns depend on it
	InFile  bool   // the table is written to a file only
	// the flag that has the command show this table in the place of those without one, or ByFiles;
	// empty if none does
	By      string
	Columns []table.Column

	machines, people *table.Table // without rows
}

// TableOfToy stands for the name of a table that is called after its toy.
const TableOfToy = "TOY"

// ByFiles as By says that the command shows the table if it is given files.
const ByFiles = "FILE"

// Schemas lists the tables of all commands. The first table of a command is written to standard
// output; the later ones are written beside it, to files, or with a flag in its place.
func Schemas() []Schema {
	all := Catalogue()
	return listSchemas(all, all, "conform vectors")
}

// listSchemas lists the tables of studies, of sweeps of studies, and of what is no study.
func listSchemas(studies, swept []*Entry, command string) (list []Schema) {
	for _, s := range studies {
		list = append(list, s.Tables...)
	}
	list = append(list, checkSchemas()...)
	if command == "conform vectors" { // whose columns take reading all vectors
		list = append(list, schema(command, "conform_vectors", table.Empty(vectors.Columns())))
	}
	for _, study := range Swept(swept) {
		merged := schema("sweep merge", "sweep", table.Empty(sweep.MergedFields(subject.Forms{}, study)))
		merged.Study = study.Name
		list = append(list, merged)
	}
	return append(list,
		schema("sweep plan", "sweep_plan", sweep.PlanTable(sweep.Plan{})),
		schema("sweep status", "sweep_status", sweep.StatusTable(&sweep.Status{})),
		schema("kernel", "kernels", kernel.Kernels(nil)),
		schema("schedule", "schedules", schedule.Schedules(nil)),
		schema("samplers corpus", "corpus", samplers.CorpusTable(nil)),
		schema("toys", "toys", show.Toys(nil)),
		schema("vectors", "vectors", vectors.Vectors(nil)),
		schema("toys show", TableOfToy, show.ToyStates(&toys.Toy{}, nil)),
	)
}

// checkSchemas lists the tables of the checks, which are no studies: their answer is a verdict.
func checkSchemas() []Schema {
	nobody := &conform.Outcome{}
	list := []Schema{
		schema("aide check", "aide_check", table.Empty(aide.FindingColumns())),
		schema("ais", "ais_check", table.Empty(simulated.FindingColumns())).by("check"),
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

// SchemasOf returns the tables of a command.
func SchemasOf(command string) []Schema {
	var swept []*Entry
	if first(command) == "sweep" {
		swept = Catalogue()
	}
	all := listSchemas(Studies(first(command)), swept, command)
	return slices.DeleteFunc(all, func(s Schema) bool { return s.Command != command })
}

// schema returns what a table says of its columns for machines.
func schema(command, name string, t *table.Table) Schema {
	columns := slices.DeleteFunc(slices.Clone(t.Columns), func(c table.Column) bool { return c.Name == "" })
	empty := &table.Table{Columns: t.Columns}
	return Schema{Command: command, Table: name, Columns: columns, machines: empty, people: empty}
}

// shownAs returns the schema of a table in whose place people see another one.
func (s Schema) shownAs(t *table.Table) Schema {
	s.people = &table.Table{Columns: t.Columns}
	return s
}

// inFile returns the schema of a table that is written to a file only.
func (s Schema) inFile() Schema {
	s.InFile = true
	return s
}

// by returns the schema of a table that a flag shows.
func (s Schema) by(flag string) Schema {
	s.By = flag
	return s
}

func (s Schema) name() string {
	return reports.TableName(strings.ReplaceAll(s.Command, " ", "_"), s.Table)
}

// TablesOf returns what users call the tables of a command, each once.
func TablesOf(tables []Schema) (names []string) {
	for _, s := range tables {
		if name := s.name(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// CheckGiven fails if a name is that of a table of a command, or of a column of its tables, that is
// only there with a flag that is not given.
func CheckGiven(tables []Schema, names []string, given func(flag string) bool) error {
	for _, name := range names {
		var with []string // the flags of what has the name
		for _, s := range tables {
			for i, c := range s.machines.Columns {
				if c.Name == name || c.Title == name || i == 0 && (s.Table == name || s.name() == name) {
					with = append(with, c.With)
				}
			}
		}
		if len(with) > 0 &&
			!slices.ContainsFunc(with, func(flag string) bool { return flag == "" || given(flag) }) {
			return errs.New("%s is there with {"+with[0]+"} alone; give that too", name)
		}
	}
	return nil
}

// CheckColumns fails if a name is that of no column of the results of a command, in a format. The
// results are the table that only names, and otherwise all tables that are not only in files, or
// those that a given flag shows. The error is about the table that has most of the names, and
// suggests the nearest name.
func CheckColumns(all []Schema, command, only string, f table.Format, names []string,
	given func(flag string) bool) error {
	var tables []*table.Table
	shown := slices.DeleteFunc(slices.Clone(all), func(s Schema) bool {
		return only == "" && s.InFile || only != "" && s.name() != only && s.Table != only
	})
	by := slices.ContainsFunc(shown, func(s Schema) bool { return s.By != "" && given(s.By) })
	for _, s := range shown {
		switch {
		case only == "" && (s.By != "") != by || by && !given(s.By):
		case f.ForMachines():
			tables = append(tables, s.machines)
		default:
			tables = append(tables, s.people)
		}
	}
	if len(tables) == 0 {
		return fmt.Errorf("%s shows no table", command)
	}
	return table.CheckSelected(tables, f, names)
}

// CheckConditions fails if a condition is about no column of numbers of the tables of a command or
// of the further columns, and about no name of their rows. If a table does not declare these names,
// they are known when it is made.
func CheckConditions(tables []Schema, more []table.Column, conditions []table.Condition,
	given func(flag string) bool) error {
	var known []string
	for _, s := range tables {
		if s.By != "" && s.By != ByFiles && !given(s.By) {
			continue
		}
		for _, c := range append(slices.Clone(s.Columns), more...) {
			if c.Labels != "" && c.Names == nil {
				return nil
			}
			known = append(known, c.Names...)
			if c.Type != columns.String && c.Type != columns.Bool && !slices.Contains(known, c.Name) {
				known = append(known, c.Name)
			}
		}
	}
	for _, c := range conditions {
		if !slices.ContainsFunc(known, func(name string) bool {
			beginning, open := strings.CutSuffix(name, "*")
			return name == c.Column || open && strings.HasPrefix(c.Column, beginning)
		}) {
			return fmt.Errorf("condition %s: %w", c, selector.UnknownError("column of numbers", c.Column, known))
		}
	}
	return nil
}
