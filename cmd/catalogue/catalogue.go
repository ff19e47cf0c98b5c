// Package catalogue answers: which studies are there? Catalogue lists them, each with its command,
// sweep and report; Schemas lists the columns of the tables of all commands. It computes nothing
// and writes no files.
package catalogue

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
	article "breadboard/experiments/checks/reproduce/aide"
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

func smcStudy() *Entry { return annealed(smc.Study(), smc.Report, 100) }

func kernelStudy() *Entry { return entry(kernel.Study(), nil) }

// Studies lists the studies of the commands that begin with a word. It is much faster than
// Catalogue, which makes all studies.
func Studies(word string) []*Entry {
	uniform := []string{"uniform"}
	switch word {
	case "tightness":
		return []*Entry{
			annealed(tightness.Study(), tightness.Report, subject.PaperDistributions()...).shows(
				named("tightness", tightness.Table(nil)),
				named("checks", table.Empty(tightness.IdentityFields())).inFile(),
				named("certificates", tightness.Certificates(nil)).inFile(),
			),
		}
	case "ais":
		return []*Entry{annealed(ais.Study(), func(rows []ais.Row) *reports.Report {
			return ais.Report(rows, nil)
		}, 1000).shows(named("ais", ais.Table(nil, nil)))}
	case "smc":
		return []*Entry{
			smcStudy(),
			entry(adaptive.Study(), adaptive.Report),
			entry(gibbs.Study(), gibbs.Report),
		}
	case "weights":
		return []*Entry{
			annealed(weights.Laws(), func(rows []weights.Row) *reports.Report {
				return weights.Report(rows, nil)
			}, 100).shows(named("weights", weights.Table(nil, nil)),
				named("tails", weights.TailsTable(nil)).by("tails"),
				named("quantiles", weights.QuantilesTable(nil)).by("quantiles")),
			entry(weights.Samples(), weights.SamplesReport),
		}
	case "gap":
		return []*Entry{annealed(gap.Study(), gap.Report, 100).shows(
			named("gap", gap.StageTable(nil)).shownAs(gap.Table(nil)),
		)}
	case "success":
		return []*Entry{annealed(success.Study(), success.Report, 10, 100, 1000)}
	case "subjective":
		return []*Entry{annealed(subjective.Study(), subjective.Report, 10_000).shows(
			named("subjective", subjective.Table(nil)),
		)}
	case "represent":
		return []*Entry{entry(represent.Study(), represent.Report)}
	case "schedule":
		return []*Entry{
			annealed(schedule.Optimize(), func(rows []schedule.OptimumRow) *reports.Report {
				return schedule.OptimizedReport(rows, nil)
			}, tightness.PaperT).scheduled("linear").shows(
				named("schedule_optimize", schedule.OptimizedSchedules(nil, nil)),
			),
			annealed(schedule.Compare(), schedule.ComparedReport, 10, 20, 40).scheduled("linear").shows(
				named("schedule_compare", schedule.ComparedSchedules(nil)),
			),
		}
	case "kernel":
		return []*Entry{kernelStudy()}
	case "law":
		return []*Entry{entry(law.Study(), law.Report)}
	case "aide":
		return []*Entry{annealed(aide.Study(), aide.Report, 100).shows(named("aide", aide.Table(nil)))}
	case "policy":
		return []*Entry{
			entry(policy.Study(), policy.Report).describeSubjects(&policy.Selection{
				Toys: []string{"ising:3x3:0.6"}, Policies: []string{
					"masked:local:0.8", "masked:local:1.2", "masked:local:1.5", "masked:exact"},
			}).tables(named("layers", policy.Layers(nil)).inFile(),
				named("output", policy.Output(nil)).inFile()),
			entry(policy.BestStudy(), policy.BestReport).describeSubjects(
				&policy.Selection{Toys: []string{"ising:2x3:0.6"}, Policies: []string{"masked:local:c"}},
			).tables(named("curves", policy.Curves(nil)).inFile()),
			entry(policy.Twisted(), policy.TwistReport).describeSubjects(&policy.TwistSelection{
				Toys:   []string{"random:2:0:3x3x3x3"},
				Bases:  []string{"markov:1:0"},
				Twists: []string{"none", "lookahead:1", "exact"},
			}),
		}
	case "evidence":
		return []*Entry{entry(evidence.Study(), evidence.Report).shows(
			named("evidence", evidence.Table(nil)),
			named("evidence_above", evidence.AboveTable(nil)),
		)}
	case "samplers":
		return []*Entry{
			entry(samplers.Errors(), samplers.ErrorsReport).describeSubjects(
				onPaper([]string{"uniform", "target"}, "x0"),
			),
			entry(samplers.Laws(), samplers.LawsReport).describeSubjects(onPaper(uniform)),
			entry(samplers.Times(), samplers.TimesReport).describeSubjects(&Chains{Selection: samplers.Selection{
				Toys: subject.PaperToys(), Kernels: bothKernels(), Starts: uniform, Tempering: true,
			}}),
			entry(diagnose.Study(), diagnose.Report).describeSubjects(onPaper(uniform, "x0")).tables(
				named(diagnose.VariablesFile,
					diagnose.VariablesTable([]diagnose.Variable{{Truth: &diagnose.Truth{}}})).by(ByFiles),
			),
			entry(diagnose.Calibrate(), diagnose.CalibrateReport).describeSubjects(
				onCorpus("small", "x0", "g"),
			).shows(
				named(diagnose.SamplersCalibrateFile, table.Empty(diagnose.JudgedColumns(1))),
				named(diagnose.SamplersCalibrateSharesFile, diagnose.SharesTable(nil, 1)),
				named(diagnose.SamplersCalibratePointsFile,
					table.Empty(diagnose.Calibrate().Declaration.Columns)).inFile(),
			),
			entry(diagnose.Meta(), diagnose.MetaReport).describeSubjects(onCorpus("standard", "x0")),
		}
	case "couple":
		return []*Entry{
			entry(couple.Study(), couple.Report).describeSubjects(coupled("random:2:7:3x3")),
			entry(couple.Comparison(), couple.BestReport).describeSubjects(
				coupled("random:2:7:3x3", "barrier:3x3"),
			),
			entry(couple.Estimator(), couple.UnbiasedReport).describeSubjects(
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
			entry(temper.Study(), temper.Report).describeSubjects(onLadders()),
			entry(temper.Ladders(), temper.LadderReport).describeSubjects(onLadders()).scheduled(""),
			entry(temper.Stones(), temper.StonesReport).describeSubjects(onLadders()),
			entry(temper.Comparison(), temper.CompareReport).describeSubjects(onLadders()),
		}
	case "sandwich":
		return []*Entry{
			entry(sandwich.Study(), sandwich.Report),
			entry(sandwich.TrialStudy(), nil),
			entry(compare.Study(), compare.Report).shows(
				named("sandwich_compare", table.Empty(compare.ThresholdColumns())),
				named("sandwich_compare_rows", table.Empty(compare.Study().Declaration.Columns)),
			),
			entry(compare.Crossed(), compare.CrossedReport),
			entry(compare.Representations(), compare.RepresentReport),
			entry(compare.FitStudy(), compare.FitReport).tables(
				named(compare.HyperFile, compare.HyperTable(nil)),
			),
		}
	case "network":
		return []*Entry{entry(network.Study(), network.Report).tables(
			named(network.PairsTable, table.Empty(network.PairColumns())),
		)}
	case "reproduce":
		compared := entry(article.Study(), article.Report).shows()
		for _, name := range article.Names() {
			compared.tables(named("aide_"+name, article.Table(nil)))
		}
		return []*Entry{entry(reproduce.Study(), reproduce.Report), compared}
	case "sbc":
		return []*Entry{entry(sbc.Study(), sbc.Report).describeSubjects(&Samplers{
			sbc.Selection{
				Toys:     []string{"clu4"},
				Samplers: []string{"iid", "prior", "power:0.9", "power:0.5", "metropolis"},
			},
			"sampler", ": iid, prior, power:B, bug:NAME, or a kernel",
		}).tables(named("ranks", sbc.Ranks(nil)).inFile())}
	case "power":
		return []*Entry{entry(power.Study(), power.Report).describeSubjects(&Samplers{
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
	table := own(s)
	if s.Behind != nil {
		e.command = s.Behind.Command
		table = table.by(s.Behind.Flag)
	}
	if !e.sweepOnly {
		e.tables(table)
	}
	if s.Swept == nil {
		return e
	}
	view = reports.Plotting(s.Columns, s.Plots, e.View)
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

// own returns what the table of the columns of a study says of them.
func own(s *study.Declaration) Schema {
	return named(TableName(s.Name), table.Empty(s.Columns))
}

// named returns what a table of a study says of its columns for machines.
func named(name string, t *table.Table) Schema { return schema("", name, t) }
