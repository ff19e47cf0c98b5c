// Package views answers: which studies are there, and how is each shown? Catalogue lists them, each
// with its command, sweep and view; Schemas lists the columns of the tables of all commands. Its
// packages turn rows into reports. It computes nothing and writes no files.
//
// A figure is a declaration of columns (columns.Plot): in the study, or of a table that a view
// makes with Report.Plots, or with Report.PlotLater if the table costs time. Figures that are not
// lines, points, bars or bands are drawn by hand: Figure 4, maps of states (a target, the defect of
// a kernel) and odds.
package views

import (
	"cmp"
	"context"
	"strings"

	"breadboard/chains"
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/annealing/gap"
	"breadboard/experiments/annealing/represent"
	"breadboard/experiments/annealing/schedule"
	"breadboard/experiments/annealing/subjective"
	"breadboard/experiments/annealing/success"
	"breadboard/experiments/annealing/tightness"
	"breadboard/experiments/annealing/weights"
	"breadboard/experiments/checks/kernel"
	"breadboard/experiments/checks/law"
	"breadboard/experiments/checks/power"
	"breadboard/experiments/checks/reproduce"
	"breadboard/experiments/checks/sbc"
	"breadboard/experiments/marginal/evidence"
	"breadboard/experiments/marginal/sandwich"
	"breadboard/experiments/marginal/sandwich/compare"
	"breadboard/experiments/mcmc/couple"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/mcmc/samplers/diagnose"
	"breadboard/experiments/mcmc/temper"
	"breadboard/experiments/networks/network"
	"breadboard/experiments/particles/aide"
	"breadboard/experiments/particles/policy"
	"breadboard/experiments/particles/smc"
	"breadboard/experiments/particles/smc/adaptive"
	"breadboard/experiments/particles/smc/gibbs"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/table"
	"breadboard/reports/views/annealing"
	"breadboard/reports/views/checks"
	"breadboard/reports/views/data"
	"breadboard/reports/views/marginal"
	"breadboard/reports/views/mcmc"
	"breadboard/reports/views/particles"
)

// Catalogue lists all studies. All other lists of studies, such as the help of sweeps, the page of
// reference and the routes of the page in the browser, are made from it.
func Catalogue() (list []*Entry) {
	for _, word := range []string{
		"tightness", "ais", "smc", "weights", "gap", "success", "subjective", "represent", "schedule",
		"kernel", "law",
		"aide", "policy", "evidence", "samplers", "couple", "temper", "sandwich", "network", "reproduce",
		"sbc", "power",
	} {
		list = append(list, Studies(word)...)
	}
	return list
}

// Lessons lists the studies that the lessons of a page in the browser ask. They are apart from
// Studies, so that a program for them alone does not contain the others.
func Lessons() []*Entry { return []*Entry{smcStudy(), kernelStudy()} }

func smcStudy() *Entry { return annealed(smc.Study(), particles.SMCReport, 100) }

func kernelStudy() *Entry { return entry(kernel.Study(), nil) }

// Studies lists the studies of the commands that begin with a word. It is much faster than
// Catalogue, which makes all studies.
func Studies(word string) []*Entry {
	uniform := []string{"uniform"}
	switch word {
	case "tightness":
		return []*Entry{
			annealed(tightness.Study(), annealing.TightnessReport, subject.PaperDistributions()...).shows(
				named("tightness", annealing.Tightness(nil)),
				named("checks", table.Empty(annealing.IdentityFields())).inFile(),
				named("certificates", annealing.Certificates(nil)).inFile(),
			),
		}
	case "ais":
		return []*Entry{annealed(ais.Study(), func(rows []ais.Row) *reports.Report {
			return annealing.AISReport(rows, nil)
		}, 1000).shows(named("ais", annealing.AIS(nil, nil)))}
	case "smc":
		return []*Entry{
			smcStudy(),
			entry(adaptive.Study(), particles.AdaptiveReport).within("smc", "adaptive"),
			entry(gibbs.Study(), particles.GibbsReport),
		}
	case "weights":
		return []*Entry{
			annealed(weights.Laws(), func(rows []weights.Row) *reports.Report {
				return annealing.WeightsReport(rows, nil)
			}, 100).shows(named("weights", annealing.Weights(nil, nil)),
				named("tails", annealing.Tails(nil)).by("tails"),
				named("quantiles", annealing.Quantiles(nil)).by("quantiles")),
			entry(weights.Samples(), annealing.SamplesReport).within("weights", "samples"),
		}
	case "gap":
		return []*Entry{annealed(gap.Study(), annealing.GapReport, 100).shows(
			named("gap", annealing.GapRows(nil)).shownAs(annealing.Gap(nil)),
		)}
	case "success":
		return []*Entry{annealed(success.Study(), annealing.SuccessReport, 10, 100, 1000)}
	case "subjective":
		return []*Entry{annealed(subjective.Study(), annealing.SubjectiveReport, 10_000).shows(
			named("subjective", annealing.Subjective(nil)),
		)}
	case "represent":
		return []*Entry{entry(represent.Study(), annealing.RepresentReport)}
	case "schedule":
		return []*Entry{
			annealed(schedule.Optimize(), func(rows []schedule.OptimumRow) *reports.Report {
				return annealing.OptimizedReport(rows, nil)
			}, tightness.PaperT).scheduled("linear").shows(
				named("schedule_optimize", annealing.OptimizedSchedules(nil, nil)),
			),
			annealed(schedule.Compare(), annealing.ComparedReport, 10, 20, 40).scheduled("linear").shows(
				named("schedule_compare", annealing.ComparedSchedules(nil)),
			),
		}
	case "kernel":
		return []*Entry{kernelStudy()}
	case "law":
		return []*Entry{entry(law.Study(), checks.LawReport)}
	case "aide":
		comparison := entry(aide.Comparisons(), particles.AIDEStudyReport).shows()
		for _, name := range aide.ComparisonNames() {
			comparison.tables(named("aide_"+name, particles.AIDEStudy(nil)))
		}
		return []*Entry{
			annealed(aide.Study(), particles.AIDEReport, 100).shows(named("aide", particles.AIDE(nil))),
			comparison,
		}
	case "policy":
		return []*Entry{
			entry(policy.Study(), particles.PolicyReport).describeSubjects(&policy.Selection{
				Toys: []string{"ising:3x3:0.6"}, Policies: []string{
					"masked:local:0.8", "masked:local:1.2", "masked:local:1.5", "masked:exact"},
			}).tables(named("layers", particles.PolicyLayers(nil)).inFile(),
				named("output", particles.PolicyOutput(nil)).inFile()),
			entry(policy.BestStudy(), particles.PolicyBestReport).describeSubjects(
				&policy.Selection{Toys: []string{"ising:2x3:0.6"}, Policies: []string{"masked:local:c"}},
			).
				tables(named("curves", particles.PolicyCurves(nil)).inFile()),
			entry(policy.Twisted(), particles.PolicyTwistReport).describeSubjects(&policy.TwistSelection{
				Toys:   []string{"random:2:0:3x3x3x3"},
				Bases:  []string{"markov:1:0"},
				Twists: []string{"none", "lookahead:1", "exact"},
			}),
		}
	case "evidence":
		return []*Entry{entry(evidence.Study(), marginal.EvidenceReport).shows(
			named("evidence", marginal.Evidence(nil)),
			named("evidence_above", marginal.EvidenceAbove(nil)),
		)}
	case "samplers":
		return []*Entry{
			entry(samplers.Errors(), mcmc.SamplerErrorsReport).describeSubjects(
				onPaper([]string{"uniform", "target"}, "x0"),
			),
			entry(samplers.Laws(), mcmc.SamplersLawsReport).describeSubjects(onPaper(uniform)),
			entry(samplers.Times(), mcmc.SamplerTimesReport).describeSubjects(&Chains{Selection: samplers.Selection{
				Toys: subject.PaperToys(), Kernels: bothKernels(), Starts: uniform, Tempering: true,
			}}),
			entry(diagnose.Study(), mcmc.SamplersDiagnoseReport).describeSubjects(onPaper(uniform, "x0")).tables(
				named(mcmc.SamplersVariablesFile,
					mcmc.SamplersVariables([]diagnose.Variable{{Truth: &diagnose.Truth{}}})).by(ByFiles),
			),
			entry(diagnose.Calibrate(), mcmc.SamplersCalibrateReport).describeSubjects(
				onCorpus("small", "x0", "g"),
			).shows(
				named(mcmc.SamplersCalibrateFile, table.Empty(mcmc.SamplersCalibrate(1))),
				named(mcmc.SamplersCalibrateSharesFile, mcmc.SamplersCalibrateShares(nil, 1)),
				named(mcmc.SamplersCalibratePointsFile,
					table.Empty(diagnose.Calibrate().Declaration.Columns)).inFile(),
			),
			entry(diagnose.Meta(), mcmc.SamplersMetaReport).describeSubjects(onCorpus("standard", "x0")),
		}
	case "couple":
		return []*Entry{
			entry(couple.Study(), mcmc.CoupleReport).describeSubjects(coupled("random:2:7:3x3")),
			entry(couple.Comparison(), mcmc.CoupleBestReport).describeSubjects(
				coupled("random:2:7:3x3", "barrier:3x3"),
			),
			entry(couple.Estimator(), mcmc.CoupleUnbiasedReport).describeSubjects(
				&Chains{OfFunctions: true, Selection: samplers.Selection{
					Toys:      []string{"random:2:7:3x3", "barrier:3x3"},
					Kernels:   bothKernels(),
					Starts:    uniform,
					Functions: []string{"g"},
				}},
			),
		}
	case "temper":
		return []*Entry{
			entry(temper.Study(), mcmc.TemperReport).describeSubjects(onLadders()),
			entry(temper.Ladders(), mcmc.TemperLadderReport).describeSubjects(onLadders()).scheduled(""),
			entry(temper.Stones(), mcmc.TemperStonesReport).describeSubjects(onLadders()),
			entry(temper.Comparison(), mcmc.TemperCompareReport).describeSubjects(onLadders()),
		}
	case "sandwich":
		return []*Entry{
			entry(sandwich.Study(), marginal.SandwichReport),
			entry(sandwich.TrialStudy(), nil),
			entry(compare.Study(), marginal.SandwichCompareReport).shows(
				named("sandwich_compare", table.Empty(marginal.SandwichThresholds())),
				named("sandwich_compare_rows", table.Empty(compare.Study().Declaration.Columns)),
			),
			entry(compare.Crossed(), marginal.SandwichTableReport),
			entry(compare.Representations(), marginal.SandwichRepresentReport),
			entry(compare.FitStudy(), marginal.SandwichFitReport).tables(
				named(marginal.SandwichHyperFile, marginal.SandwichHyper(nil)),
			),
		}
	case "network":
		return []*Entry{entry(network.Study(), data.NetworkReport).tables(
			named(data.NetworkPairs, table.Empty(network.PairColumns())),
		)}
	case "reproduce":
		return []*Entry{entry(reproduce.Study(), checks.ReproduceReport)}
	case "sbc":
		return []*Entry{entry(sbc.Study(), checks.SBCReport).describeSubjects(&Samplers{
			sbc.Selection{
				Toys:     []string{"clu4"},
				Samplers: []string{"iid", "prior", "power:0.9", "power:0.5", "metropolis"},
			},
			"sampler", ": iid, prior, power:B, bug:NAME, or a kernel",
		}).tables(named("ranks", checks.SBCRanks(nil)).inFile())}
	case "power":
		return []*Entry{entry(power.Study(), checks.PowerReport).describeSubjects(&Samplers{
			sbc.Selection{Toys: []string{"clu4"}, Samplers: []string{"prior", "bug:redraw", "bug:skewed"}},
			"fault", ": prior, power:B, bug:NAME, or a wrong kernel",
		})}
	}
	return nil
}

// Entry is a study with the view of its answer. It is one type for all types of subjects, options
// and rows.
type Entry struct {
	*study.Declaration
	View   reports.View // what shows its rows
	Tables []Schema
	Sweep  *subject.Question // what sweeps ask; nil if Unswept says why they do not
	// Report answers the question about a case that parameters of a sweep describe. It is nil for a
	// study that is not swept.
	Report func(ctx context.Context, c *subject.Case, params subject.Params,
		h study.How) (*reports.Report, error)
	// About has the defaults of the flags that name the subjects: *Annealings, *Chains, *Samplers,
	// *policy.Selection or *policy.TwistSelection. It is nil for a study without subjects, and for
	// one whose command says itself what it is about.
	About any

	command   string            // that answers it by a flag; empty if its own does
	sweepOnly bool              // whether sweeps alone ask it, and no command
	flags     map[string]string // those of the command, by the parameters of sweeps
}

// Swept lists those of the studies that can be swept. The first of the catalogue's is the default
// of a specification.
func Swept(studies []*Entry) (list []*subject.Question) {
	for _, s := range studies {
		if s.Sweep != nil {
			list = append(list, s.Sweep)
		}
	}
	return list
}

// entry returns a study with its view, whose table has the columns of the study. Without a view it
// is shown as that table alone, and has no command.
func entry[On, O, R any](s *study.Study[On, O, R], view func([]R) *reports.Report) *Entry {
	return entryOf(s.Declaration, reports.Untyped(view))
}

func entryOf(s *study.Declaration, view reports.View) *Entry {
	e := &Entry{Declaration: s, View: shown(s, view), sweepOnly: view == nil}
	if !e.sweepOnly {
		e.tables(own(s))
	}
	if s.Swept == nil {
		return e
	}
	view = reports.Plotting(TableName(s.Name), s.Columns, s.Plots, e.View)
	e.Sweep = s.Sweep()
	e.flags = map[string]string{}
	for _, o := range s.Options {
		if o.Swept != nil {
			e.flags[o.Swept.Name] = o.Name
		}
	}
	e.Report = func(ctx context.Context, c *subject.Case, params subject.Params,
		h study.How) (*reports.Report, error) {
		rows, err := s.Rows(ctx, c, params, h)
		if err != nil {
			return nil, err
		}
		return view(rows), nil
	}
	return e
}

// Command returns the command line for a study with these parameters: its words, and the parameters
// renamed to flags. words is empty for a study that only sweeps can ask.
func (s *Entry) Command(params subject.Params) (words string, flags subject.Params) {
	if s.sweepOnly {
		return "", nil
	}
	for _, p := range params {
		flags = append(flags, subject.Param{Name: cmp.Or(s.flags[p.Name], p.Name), Value: p.Value})
	}
	return cmp.Or(s.command, s.Name), flags
}

// shown returns the view of a study, which is the table of its columns with the notes of its rows
// if it has no other.
func shown(s *study.Declaration, view reports.View) reports.View {
	if view != nil {
		return view
	}
	return func(rows any) *reports.Report {
		r := reports.New(TableName(s.Name), table.Of(s.Columns, rows))
		if s.Swept == nil {
			return r
		}
		notes, err := s.Notes(rows)
		if err != nil {
			r.Fault = chains.NewFault(err)
		}
		r.NotesOnce(notes)
		return r
	}
}

// first returns the first word of the name of a command.
func first(command string) string {
	word, _, _ := strings.Cut(command, " ")
	return word
}

// TableName returns the name of a study's own table.
func TableName(study string) string { return strings.ReplaceAll(study, " ", "_") }

// annealed returns the entry of a study of annealings whose command derives from it, with the
// defaults of T.
func annealed[O, R any](s *study.Study[subject.Case, O, R], view func([]R) *reports.Report, T ...int) *Entry {
	return annealedOf(s.Declaration, reports.Untyped(view), T)
}

func annealedOf(s *study.Declaration, view reports.View, T []int) *Entry {
	e := entryOf(s, view)
	if view == nil {
		e.tables(own(s))
	}
	e.sweepOnly = false
	return e.describeSubjects(
		&Annealings{Crossed: subject.Crossed{Selection: subject.Selection{Default: T, Factored: s.Factored}}},
	)
}

// shows replaces the tables of the command of a study.
func (s *Entry) shows(list ...Schema) *Entry {
	s.Tables = nil
	return s.tables(list...)
}

// tables adds to the tables of the command of a study.
func (s *Entry) tables(list ...Schema) *Entry {
	for _, t := range list {
		t.Command = cmp.Or(s.command, s.Name)
		s.Tables = append(s.Tables, t)
	}
	return s
}

// describeSubjects says what the subjects of a study are.
func (s *Entry) describeSubjects(about any) *Entry {
	s.About = about
	return s
}

// scheduled has the annealings of a study this schedule, which is no flag; empty is the default.
func (s *Entry) scheduled(name string) *Entry {
	about := s.About.(*Annealings)
	about.Schedule = cmp.Or(name, subject.Default("schedule"))
	about.Schedules = []string{about.Schedule}
	about.Unscheduled = true
	return s
}

// Annealings are the annealings that flags name, by lists of schedules and kernels if
// Declaration.Crossed says so. Unscheduled ones have no flag of the schedule.
type Annealings struct {
	subject.Crossed
	Unscheduled bool
}

// Chains are the problems of samplers that flags name, with the flag of functions and those of
// averages or without.
type Chains struct {
	samplers.Selection
	OfFunctions, OfAverages bool
}

// Samplers are the samplers of models that a flag names.
type Samplers struct {
	sbc.Selection
	Flag, Usage string
}

func bothKernels() []string { return []string{"metropolis", "heatbath"} }

func onPaper(starts []string, functions ...string) *Chains {
	return &Chains{OfFunctions: true, OfAverages: true, Selection: samplers.Selection{
		Toys:      subject.PaperToys(),
		Kernels:   bothKernels(),
		Starts:    starts,
		Functions: functions,
	}}
}

func onCorpus(name string, functions ...string) *Chains {
	return &Chains{OfFunctions: true, OfAverages: true, Selection: samplers.Selection{
		Corpus:    name,
		Kernels:   bothKernels(),
		Starts:    []string{"uniform"},
		Functions: functions,
	}}
}

func coupled(toys ...string) *Chains {
	return &Chains{
		Selection: samplers.Selection{Toys: toys, Kernels: bothKernels(), Starts: []string{"uniform"}}}
}

// onLadders are annealings whose distributions are the rungs of a ladder.
func onLadders() *Annealings {
	return &Annealings{Crossed: subject.Crossed{Selection: subject.Selection{
		Toys:     []string{"random:2:7:3x3", "barrier:3x3"},
		Schedule: "acceptance",
		Levels:   true,
		Default:  []int{3},
	}}}
}

// within says that another command than that of its name answers a study, by a flag.
func (s *Entry) within(command, flag string) *Entry {
	s.command = command
	for i := range s.Tables {
		s.Tables[i] = s.Tables[i].by(flag)
	}
	return s.shows(s.Tables...)
}

// own returns what the table of the columns of a study says of them.
func own(s *study.Declaration) Schema {
	return named(TableName(s.Name), table.Empty(s.Columns))
}

// named returns what a table of a study says of its columns for machines.
func named(name string, t *table.Table) Schema { return schema("", name, t) }
