package reports

import (
	"fmt"
	"slices"

	"breadboard/experiments/aide"
	"breadboard/experiments/conform"
	"breadboard/experiments/conform/smc"
	"breadboard/experiments/crosscheck"
	"breadboard/experiments/sweep"
	"breadboard/reports/table"
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
		schema("tightness", "tightness", Tightness(nil)),
		schema("tightness", "checks", table.New(identityFields(), nil)).inFile(),
		schema("tightness", "certificates", Certificates(nil)).inFile(),
		schema("gap", "gap", GapRows(nil)).shownAs(Gap(nil)),
		schema("subjective", "subjective", Subjective(nil)),
		schema("represent", "represent", Represent(nil)),
		schema("ais", "ais", AIS(nil, nil)),
		schema("smc", "smc", SMC(nil)),
		schema("aide", "aide", AIDE(nil)),
		schema("selfcheck aide", "aide_check", AIDEFindings(nil)),
		schema("selfcheck aide", "aide_mutants", AIDEMutants(nil)),
		schema("evidence", "evidence", Evidence(nil)),
		schema("evidence list", "estimators", Estimators(nil)),
		schema("selfcheck evidence", "evidence_check", EvidenceFindings(nil)),
		schema("selfcheck evidence", "evidence_mutants", EvidenceMutants(nil)),
		schema("sandwich", "sandwich", Sandwiches(nil)),
		schema("selfcheck sandwich", "sandwich_check", SandwichAgreement(nil)),
		schema("sandwich compare", "sandwich_compare", SandwichThresholds(nil)),
		schema("sandwich compare", "sandwich_compare_rows", SandwichCompare(nil)),
		schema("sandwich table", sandwichTable, SandwichTable(nil)),
		schema("sandwich represent", sandwichRepresent, SandwichRepresent(nil)),
		schema("sandwich fit", sandwichFit, SandwichFits(nil)),
		schema("sandwich fit", sandwichHyper, SandwichHyper(nil)),
		schema("geweke", "geweke", Geweke(nil)),
		schema("geweke", "geweke_mutants", GewekeMutants(nil)),
		schema("samplers corpus", "corpus", SamplersCorpus(nil)),
		schema("samplers errors", "samplers_errors", SamplerErrors(nil)),
		schema("samplers times", "samplers_times", SamplerTimes(nil)),
		schema("samplers laws", "samplers_laws", SamplersLaws(nil)),
		schema("samplers diagnose", "samplers_diagnose", SamplersDiagnose(nil)),
		schema("samplers calibrate", samplersCalibrate, SamplersCalibrate(nil, 1)),
		schema("samplers calibrate", samplersCalibrateShares, SamplersCalibrateShares(nil, 1)),
		schema("samplers calibrate", samplersCalibratePoints, SamplersCalibratePoints(nil)).inFile(),
		schema("samplers meta", samplersMeta, SamplersMeta(nil)),
		schema("samplers rank", "samplers_rank", SamplersLeaderboard(nil)),
		schema("samplers rank", "samplers_rank_rows", SamplersRank(nil)),
		schema("samplers order", "samplers_order", SamplersOrder(nil)),
		schema("weights", "weights", Weights(nil, nil)),
		schema("weights", "tails", Tails(nil)),
		schema("weights", "quantiles", Quantiles(nil)),
		schema("weights", "samples", Samples(nil)),
		schema("selfcheck simulations", "crosscheck", CrossCheck(&crosscheck.Outcome{})),
		schema("selfcheck simulations", "mutants", Mutants(nil)),
		schema("compare", "compare", table.New(differenceFields(), nil)),
	}
	for _, study := range aide.ComparisonNames() {
		list = append(list, schema("aide study", "aide_"+study, AIDEStudy(nil)))
	}
	for _, command := range []string{"conform check", "conform run"} {
		list = append(list, schema(command, "conform", Conform(nobody)), schema(command, "hypotheses", Hypotheses(nobody)), schema(command, "guarantees", Guarantees(nobody)))
	}
	list = append(list,
		schema("conform estimates", "conform", Conform(nobody)),
		schema("conform estimates", "guarantees", Guarantees(nobody)),
		schema("conform spec", "needs", Needs(nil)),
		schema("conform spec", "candidates", Candidates(nil)),
		schema("conform particles check", "particles", Particles(&smc.Outcome{})),
		schema("conform particles check", "hypotheses", ParticleOdds(&smc.Outcome{})),
		schema("conform particles spec", "needs", ParticleNeeds(nil)),
		schema("kernel list", "kernels", Kernels(nil)),
		schema("kernel check", "kernel_check", KernelCheck(nil)),
		schema("schedule list", "schedules", Schedules(nil)),
		schema("schedule optimize", "schedule_optimize", OptimizedSchedules(nil, nil)),
		schema("schedule compare", "schedule_compare", ComparedSchedules(nil)),
		schema("sweep plan", "sweep_plan", SweepPlan(sweep.Plan{})),
		schema("sweep status", "sweep_status", SweepStatus(&sweep.Status{})),
	)
	for _, study := range sweep.Studies() {
		cells := schema("sweep plan", "sweep_cells", table.New(cellFields(study, nil), nil))
		merged := schema("sweep merge", "sweep", table.New(mergedFields(study), nil))
		cells.Study, merged.Study = study.Name, study.Name
		list = append(list, cells, merged)
	}
	return append(list,
		schema("toys list", "toys", Toys(nil)),
		schema("toys show", "TOY", ToyStates(&toys.Toy{}, nil)),
		schema("version", "version", versionTable(Build{})),
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
