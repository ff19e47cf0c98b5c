package views

import (
	"fmt"
	"slices"

	"breadboard/experiments/aide"
	"breadboard/experiments/conform"
	"breadboard/experiments/conform/smc"
	"breadboard/experiments/crosscheck"
	"breadboard/experiments/sweep"
	"breadboard/reports"
	"breadboard/reports/table"
	"breadboard/reports/views/annealing"
	"breadboard/reports/views/checks"
	"breadboard/reports/views/inference"
	"breadboard/reports/views/marginal"
	"breadboard/reports/views/mcmc"
	"breadboard/reports/views/sweeps"
	"breadboard/reports/views/targets"
	"breadboard/toys"
)

// Schema says which columns a table of a command has in the formats for machines. They do not depend on what the table shows.
type Schema struct {
	Command string // the words of the command behind the program's name, such as "schedule optimize"
	Table   string // the name of the table, after which its files are called; TOY stands for the name of a toy
	Study   string // the study that is swept, where the columns depend on it
	InFile  bool   // the table is written to a file only
	Columns []table.Column

	machines, people *table.Table // without rows
}

// Schemas lists the tables of all commands. The first table of a command is the one that goes to standard output, and those
// behind it are written beside it, to files, or in its place where a flag asks for them.
func Schemas() []Schema {
	nobody := &conform.Outcome{}
	list := []Schema{
		schema("tightness", "tightness", annealing.Tightness(nil)),
		schema("tightness", "checks", table.New(annealing.IdentityFields(), nil)).inFile(),
		schema("tightness", "certificates", annealing.Certificates(nil)).inFile(),
		schema("gap", "gap", annealing.GapRows(nil)).shownAs(annealing.Gap(nil)),
		schema("subjective", "subjective", annealing.Subjective(nil)),
		schema("represent", "represent", annealing.Represent(nil)),
		schema("ais", "ais", annealing.AIS(nil, nil)),
		schema("smc", "smc", annealing.SMC(nil)),
		schema("aide", "aide", inference.AIDE(nil)),
		schema("selfcheck aide", "aide_check", checks.AIDEFindings(nil)),
		schema("selfcheck aide", "aide_mutants", checks.AIDEMutants(nil)),
		schema("evidence", "evidence", marginal.Evidence(nil)),
		schema("evidence list", "estimators", marginal.Estimators(nil)),
		schema("selfcheck evidence", "evidence_check", checks.EvidenceFindings(nil)),
		schema("selfcheck evidence", "evidence_mutants", checks.EvidenceMutants(nil)),
		schema("sandwich", "sandwich", marginal.Sandwiches(nil)),
		schema("selfcheck sandwich", "sandwich_check", checks.SandwichAgreement(nil)),
		schema("sandwich compare", "sandwich_compare", marginal.SandwichThresholds(nil)),
		schema("sandwich compare", "sandwich_compare_rows", marginal.SandwichCompare(nil)),
		schema("sandwich table", marginal.SandwichTableFile, marginal.SandwichTable(nil)),
		schema("sandwich represent", marginal.SandwichRepresentFile, marginal.SandwichRepresent(nil)),
		schema("sandwich fit", marginal.SandwichFitFile, marginal.SandwichFits(nil)),
		schema("sandwich fit", marginal.SandwichHyperFile, marginal.SandwichHyper(nil)),
		schema("geweke", "geweke", checks.Geweke(nil)),
		schema("geweke", "geweke_mutants", checks.GewekeMutants(nil)),
		schema("samplers corpus", "corpus", mcmc.SamplersCorpus(nil)),
		schema("samplers errors", "samplers_errors", mcmc.SamplerErrors(nil)),
		schema("samplers times", "samplers_times", mcmc.SamplerTimes(nil)),
		schema("samplers laws", "samplers_laws", mcmc.SamplersLaws(nil)),
		schema("samplers diagnose", "samplers_diagnose", mcmc.SamplersDiagnose(nil)),
		schema("samplers calibrate", mcmc.SamplersCalibrateFile, mcmc.SamplersCalibrate(nil, 1)),
		schema("samplers calibrate", mcmc.SamplersCalibrateSharesFile, mcmc.SamplersCalibrateShares(nil, 1)),
		schema("samplers calibrate", mcmc.SamplersCalibratePointsFile, mcmc.SamplersCalibratePoints(nil)).inFile(),
		schema("samplers meta", mcmc.SamplersMetaFile, mcmc.SamplersMeta(nil)),
		schema("samplers rank", "samplers_rank", mcmc.SamplersLeaderboard(nil)),
		schema("samplers rank", "samplers_rank_rows", mcmc.SamplersRank(nil)),
		schema("samplers order", "samplers_order", mcmc.SamplersOrder(nil)),
		schema("weights", "weights", annealing.Weights(nil, nil)),
		schema("weights", "tails", annealing.Tails(nil)),
		schema("weights", "quantiles", annealing.Quantiles(nil)),
		schema("weights", "samples", annealing.Samples(nil)),
		schema("selfcheck simulations", "crosscheck", checks.CrossCheck(&crosscheck.Outcome{})),
		schema("selfcheck simulations", "mutants", checks.Mutants(nil)),
		schema("compare", "compare", table.New(sweeps.DifferenceFields(), nil)),
	}
	for _, study := range aide.ComparisonNames() {
		list = append(list, schema("aide study", "aide_"+study, inference.AIDEStudy(nil)))
	}
	for _, command := range []string{"conform check", "conform run"} {
		list = append(list, schema(command, "conform", checks.Conform(nobody)), schema(command, "hypotheses", checks.Hypotheses(nobody)), schema(command, "guarantees", checks.Guarantees(nobody)))
	}
	list = append(list,
		schema("conform estimates", "conform", checks.Conform(nobody)),
		schema("conform estimates", "guarantees", checks.Guarantees(nobody)),
		schema("conform spec", "needs", checks.Needs(nil)),
		schema("conform spec", "candidates", checks.Candidates(nil)),
		schema("conform particles check", "particles", checks.Particles(&smc.Outcome{})),
		schema("conform particles check", "hypotheses", checks.ParticleOdds(&smc.Outcome{})),
		schema("conform particles spec", "needs", checks.ParticleNeeds(nil)),
		schema("kernel list", "kernels", checks.Kernels(nil)),
		schema("kernel check", "kernel_check", checks.KernelCheck(nil)),
		schema("schedule list", "schedules", annealing.Schedules(nil)),
		schema("schedule optimize", "schedule_optimize", annealing.OptimizedSchedules(nil, nil)),
		schema("schedule compare", "schedule_compare", annealing.ComparedSchedules(nil)),
		schema("sweep plan", "sweep_plan", sweeps.SweepPlan(sweep.Plan{})),
		schema("sweep status", "sweep_status", sweeps.SweepStatus(&sweep.Status{})),
	)
	for _, study := range sweep.Studies() {
		cells := schema("sweep plan", "sweep_cells", table.New(sweeps.CellFields(study, nil), nil))
		merged := schema("sweep merge", "sweep", table.New(sweeps.MergedFields(study), nil))
		cells.Study, merged.Study = study.Name, study.Name
		list = append(list, cells, merged)
	}
	return append(list,
		schema("toys list", "toys", targets.Toys(nil)),
		schema("toys show", "TOY", targets.ToyStates(&toys.Toy{}, nil)),
		schema("version", "version", reports.VersionTable(reports.Build{})),
	)
}

// former returns the names that commands had once, and those that they have now.
func former() map[string]string {
	return map[string]string{
		"crosscheck": "selfcheck simulations", "evidence check": "selfcheck evidence", "sandwich check": "selfcheck sandwich", "aide check": "selfcheck aide",
	}
}

// SchemasOf returns the tables of a command, also by a name that it had once. A command that lists things when it is given no other word, as
// toys does, has those of its command list.
func SchemasOf(command string) []Schema {
	if now, is := former()[command]; is {
		command = now
	}
	of := func(command string) []Schema {
		return slices.DeleteFunc(Schemas(), func(s Schema) bool { return s.Command != command })
	}
	if own := of(command); len(own) > 0 {
		return own
	}
	return of(command + " list")
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

// CheckColumns fails where no table among the results of a command has all columns of these names, in a format. The error says what
// was meant.
func CheckColumns(command string, f table.Format, names []string) error {
	var failed error
	for _, s := range SchemasOf(command) {
		if s.InFile {
			continue
		}
		t := s.people
		if f.ForMachines() {
			t = s.machines
		}
		_, err := t.Select(f, names)
		if err == nil {
			return nil
		}
		if failed == nil {
			failed = err
		}
	}
	if failed == nil {
		return fmt.Errorf("%s shows no table", command)
	}
	return failed
}
