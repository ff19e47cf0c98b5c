// Package study defines studies. A Study is one declaration from which all else derives: its
// command with flags and help, the parameters and numbers of its sweeps, its tables and their
// schemas, its route on the page, and a run from Go.
//
// It never prints, draws or reads flags, and knows no study by name.
//
// # Add a study
//
//  1. Write experiments/GROUP/NAME/NAME.go, like annealing/gap/gap.go: the package comment, Row,
//     which embeds subject.Case, and how a row is computed.
//  2. Write study.go in the same folder, the declaration: question, help, examples, options,
//     columns, Plots, Plan, which rejects a question or says how it is answered (Each, if each
//     case has a row), and Swept, or why it cannot be swept. scaledStudy in study_test.go here is a
//     whole study. A small study has its declaration in NAME.go, as gap has.
//  3. Add the study to the list of cmd/catalogue/catalogue.go, and its command to
//     cmd/breadboard/groups.go. All formats, its sweeps, schema, page of reference, route and
//     contract tests follow. go test ./cmd/breadboard -run 'Reference|GoldenTexts|SweepGolden'
//     -update writes the first golden files, and go test ./cmd/breadboard -update the rest.
//  4. Test the rows against another route, and add an Example.
//
// A figure is a value of Plots. Notes, further tables and figures that no columns describe are made
// by View, of report.go in the same folder; Tables lists such tables. A study that draws has small
// results, under its name, in samples of cmd/catalogue/everyfigure_test.go, which measures every
// figure.
//
// # Add an option
//
// Add one Option to the declaration: its name, its help, and the field of the options that it reads
// and writes. The flag, its default (from the standard options), its completion and, with Swept,
// the parameter of sweeps follow. Then:
//
//  1. Add the field to the options, and its value to the standard ones.
//  2. Make Plan reject invalid values.
//  3. Cost takes it as a parameter, and Swept.Note sees it in the row.
//  4. Add a column with its value, so that rows with different options differ in JSON.
package study

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"breadboard/chains/errs"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// Study is a question about subjects, such as cases of annealing or problems of samplers: a
// declaration with typed parts. On is the type of a subject, O that of the options, and R that of a
// row of the answer. New makes one.
type Study[On, O, R any] struct {
	// Declaration is not embedded: its methods would be compiled for every study in every package
	// that names one.
	Declaration *Declaration
	Standard    O // the default options
	// Plan fails for an invalid question, or returns how to answer it. It takes little time.
	Plan func(ctx context.Context, on []On, o *O) (Plan[R], error)
}

// Declaration is the untyped part of a study, so that code for every study is compiled once; New
// adds the types. Here and in the methods, a value of type any is a []On if it is called on, an *O
// if o, a []R if rows and an *R if row.
type Declaration struct {
	Name     string // the words of its command, as in "samplers errors", also in sweeps, routes and files
	Asks     string // the question, in one line
	Help     string // the answer, for the help of the command
	Examples string // command lines
	Counts   string // the unit of a progress bar
	Workers  bool   // whether the flag --workers sets the number of concurrent computations
	Options  []Option
	Columns  columns.List // those that sweeps keep are marked
	Says     columns.Sentence
	Quick    []string // columns of the table of its view that take less time if only these are wanted
	// advice for a subject that is too large, if its states can be listed: a sentence without its
	// end; may be empty
	Smaller string
	Size    *Size          // the size that Until searches; nil if there is none
	Plots   []columns.Plot // the figures of its table, drawn after those of its view
	// Cost estimates the cost of a row on one core; nil means that of an exact solution.
	Cost func(subject.Size) subject.Cost
	// Most is the largest number of states of a toy; zero if time and memory alone limit it.
	Most int
	// Swept says how the study is swept; nil if it cannot be, for the reason Unswept.
	Swept   *Swept
	Unswept string
	// Factored says that subjects may be cases on factors, with too many states to list (see
	// subject.Selection).
	Factored bool
	// Crossed says that the command takes lists of schedules and kernels, and of factors of
	// energies in files (see subject.Crossed).
	Crossed bool
	// View makes the report of rows; nil means the table of the columns, with the notes of Swept.
	View reports.View
	// Tables lists the tables of the command, from that of the columns; nil if that is the only
	// one.
	Tables func(own reports.Schema) []reports.Schema
	// About has the defaults of the flags that name the subjects, such as *subject.Annealings. It
	// is nil for a study without subjects, and for one whose command says itself what it is about.
	About any
	// Behind says by which flag the command of another study answers this one; nil if it has a
	// command of its own.
	Behind *Behind
	// Sampled reports whether options request chains on factors even if states can be listed; nil
	// if none do.
	Sampled func(o any) bool
	// Idle returns the options without effect for these subjects and options, which the command
	// rejects; nil if there are never any (see IdleOf).
	Idle func(on, o any) []string

	typed typed
}

// Behind says that the command of another study answers this one if a flag is given.
type Behind struct {
	Command, Flag string
	// Select changes what the flags of the command select, and refuses given flags that the study
	// does not use. It is nil if the command asks the study itself.
	Select func(s *subject.Selection, given func(flag string) bool) error
	// Take has the options o take those of the command; nil if they share none.
	Take func(o, command any)
}

// typed is what only a function that knows the types of a study can do.
type typed struct {
	plan    func(ctx context.Context, on, o any) (Accepted, error)
	options func(o any) any                  // a copy of options, of those that are standard if o is nil
	some    func(on any, indices ...int) any // the subjects with these indices
	collect func(rows []any) any             // the rows that pointers point to
}

// Plan is how to answer an accepted question, with its number of steps.
type Plan[R any] struct {
	Steps   int     // the total progress that Run reports; negative if it is not known
	Seconds float64 // the estimated time of Run on one core, if Cost does not have it
	Run     func(ctx context.Context, h How) ([]R, error)
}

// New returns a study with these standard options and this plan.
func New[On, O, R any](standard O, plan func(ctx context.Context, on []On, o *O) (Plan[R], error),
	d Declaration) *Study[On, O, R] {
	s := &Study[On, O, R]{Declaration: &d, Standard: standard, Plan: plan}
	d.typed = typed{
		plan: func(ctx context.Context, on, o any) (Accepted, error) {
			p, err := s.Plan(ctx, on.([]On), o.(*O))
			return Accepted{
				Steps: p.Steps, Seconds: p.Seconds,
				Run: func(ctx context.Context, h How) (any, error) { return p.Run(ctx, h) },
			}, err
		},
		options: func(o any) any {
			fresh := s.Standard
			if o != nil {
				fresh = *o.(*O)
			}
			return &fresh
		},
		some: func(on any, indices ...int) any {
			var some []On
			for _, i := range indices {
				some = append(some, on.([]On)[i])
			}
			return some
		},
		collect: func(rows []any) any {
			var list []R
			for _, row := range rows {
				list = append(list, *row.(*R))
			}
			return list
		},
	}
	return s
}

// How has the settings of a run, such as the number of workers. They change no number of a table.
type How struct {
	Workers int           // the number of concurrent jobs; 0 is one for each processor
	Time    time.Duration // the largest estimate of the work on one core; 0 is DefaultTime
	Figures bool          // whether to compute also the data of figures
	// Columns are the wanted columns. A study may skip computations that only others need, whose
	// cells are then empty or NaN; the wanted ones stay the same to the last bit.
	Columns  columns.Wanted
	Progress func(steps int) // called from several goroutines at once; the calls add up to Steps; may be nil
}

// Add reports progress.
func (h How) Add(steps int) {
	if h.Progress != nil {
		h.Progress(steps)
	}
}

// Share returns a function that takes the steps of a part of the work, about expected in number,
// from any goroutine, and a function to call when the part is done. Their reports add up to the
// given number of steps, for any number of actual ones.
func (h How) Share(steps, expected int) (add func(int), done func()) {
	var mu sync.Mutex
	made := 0
	told := 0
	reach := func(now int) {
		if now > told {
			h.Add(now - told)
			told = now
		}
	}
	add = func(n int) {
		mu.Lock()
		defer mu.Unlock()
		made += n
		reach(int(float64(steps) * min(1, float64(made)/float64(expected))))
	}
	return add, func() {
		mu.Lock()
		defer mu.Unlock()
		reach(steps)
	}
}

// Validate returns an error if the settings are invalid.
func (h How) Validate() error {
	if h.Workers < 0 {
		return errs.New("{workers} %d; give a number from 1 on, or 0 for one on each core", h.Workers)
	}
	return nil
}

// Run answers the question: the rows are in the order of the subjects. If the context ends first it
// returns the finished rows, with an error that is subject.Unfinished. If some subjects have no
// answer it returns the rows of the others, with the error subject.Failures.
//
// It is short, since functions with types are compiled for every study in every package that names
// one. Other operations on studies are methods of Declaration.
func Run[On, O, R any](ctx context.Context, s *Study[On, O, R], on []On, o O, h How) ([]R, error) {
	rows, err := s.Declaration.Run(ctx, on, &o, h)
	list, _ := rows.([]R)
	return list, err
}

// failureOf returns the error of a subject, which says of which one it is where the subject can
// tell.
func failureOf(about any, err error) error {
	if s, tells := about.(interface{ Parts() subject.Params }); tells {
		return subject.NewFailure(s.Parts(), err)
	}
	return err
}

// NoSubjects is the subject type of a study without subjects: its options alone define the
// question.
type NoSubjects struct{}

// NoOptions is the options type of a study without options.
type NoOptions struct{}

// Each returns the plan of a study that has one row for each subject, made by row.
func Each[On, R any](on []On, steps func(*On) int,
	row func(ctx context.Context, on *On, h How) (R, error)) Plan[R] {
	jobs := make([]Job[R], len(on))
	for i := range on {
		jobs[i] = Job[R]{Steps: steps(&on[i]), Rows: func(ctx context.Context, h How) ([]R, error) {
			r, err := row(ctx, &on[i], h)
			return []R{r}, failureOf(&on[i], err)
		}}
	}
	return Jobs(jobs)
}

// Job is an independent part of the work of a plan.
type Job[R any] struct {
	Steps int // the total progress that Rows reports
	// Rows computes its rows. Its h.Workers is 1 if there are at least as many jobs as workers;
	// otherwise the jobs share the workers.
	Rows func(ctx context.Context, h How) ([]R, error)
}

// Jobs returns the plan of concurrent jobs. The rows are in the order of the jobs.
func Jobs[R any](jobs []Job[R]) Plan[R] {
	p := Plan[R]{Run: func(ctx context.Context, h How) ([]R, error) {
		each := subject.WorkersEach(len(jobs), h.Workers)
		return subject.Rows(ctx, len(jobs), h.Workers, func(ctx context.Context, i int) ([]R, error) {
			h := h
			h.Workers = each
			return jobs[i].Rows(ctx, h)
		})
	}}
	for _, j := range jobs {
		p.Steps += j.Steps
	}
	return p
}

// WithFailed has a plan return the first error of a row that has no numbers. Notes have the others.
func WithFailed[R any](plan Plan[R], failed func(*R) error) Plan[R] {
	run := plan.Run
	plan.Run = func(ctx context.Context, h How) ([]R, error) {
		rows, err := run(ctx, h)
		var lost subject.Failures
		for i := range rows {
			if err := failed(&rows[i]); err != nil {
				lost.Add(err)
			}
		}
		switch {
		case err != nil || len(lost) == 0:
			return rows, err
		case len(lost) == len(rows):
			return nil, lost[0]
		}
		return rows, lost[:1]
	}
	return plan
}

// Option is a choice of the user of a study, declared once: a flag of the command and, if Swept is
// set, a parameter of its sweeps.
type Option struct {
	Name, Letter string // of the flag, which has a letter where it is common
	Doc          string // what restricts the meaning that all flags of this name have, for help
	// To is the field of the options of OptionsOf that the option reads and writes as text.
	To Value
	// Swept is the parameter of sweeps: one value of the option. It is nil for an option that
	// sweeps do not change.
	Swept *subject.Parameter

	value func(o any) Value
}

// Value returns the value of the option in the options o.
func (o *Option) Value(options any) Value { return o.value(options) }

// OptionsOf returns the options that a function lists for the fields of a value that holds them.
func OptionsOf[O any](list func(o *O) []Option) []Option {
	options := list(new(O))
	for i := range options {
		options[i].value = func(o any) Value { return list(o.(*O))[i].To }
	}
	return options
}

// IdleOf returns a Declaration.Idle: the options of these names, if idle reports that nothing
// depends on them.
func IdleOf[On, O any](idle func(on []On, o *O) bool, names ...string) func(on, o any) []string {
	return func(on, o any) []string {
		if idle(on.([]On), o.(*O)) {
			return names
		}
		return nil
	}
}

// Value is a value of an option: a flag.Value of the standard library with the name of its type for
// help.
type Value interface {
	String() string
	Set(text string) error
	Type() string
}

// setOption gives an option, of which value returns the value, what its parameter has. An option
// without a parameter, and one whose parameter is not there, stays as it is.
func setOption(swept *subject.Parameter, params subject.Params, value func() Value) error {
	if swept == nil ||
		!slices.ContainsFunc(params, func(have subject.Param) bool { return have.Name == swept.Name }) {
		return nil
	}
	if err := setOne(value(), params.Get(swept.Name)); err != nil {
		return fmt.Errorf("%s: %w", swept.Name, err)
	}
	return nil
}

// setOne gives an option the value of a parameter, which is one text also if it has a comma.
func setOne(v Value, text string) error {
	if list, is := v.(*texts); is {
		*list.to = []string{text}
		return nil
	}
	return v.Set(text)
}

// SeedOption returns the option of a seed of random numbers, which all studies call seed.
func SeedOption(to *uint64, swept *subject.Parameter) Option {
	return Option{Name: "seed", Swept: swept, To: Seed(to)}
}

// CountOption returns the option of a count, such as a number of chains. The plan checks its range.
func CountOption(name, doc string, to *int, swept *subject.Parameter) Option {
	return Option{Name: name, Doc: doc, Swept: swept, To: Whole(to, "N", 0, subject.MaxNumber)}
}
