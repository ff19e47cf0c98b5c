package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"breadboard/chains"
	"breadboard/experiments/programs"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/views"
)

// Exit codes, the same for every command.
const (
	exitDone        = 0
	exitFault       = 1 // a check found a fault
	exitBadInput    = 2 // the input was bad, and nothing was computed
	exitIO          = 3 // reading or writing failed, or there was not enough memory
	exitInterrupted = 130
)

// failure is an error with the exit code that it stands for.
type failure struct {
	code int
	error
}

func (f failure) Unwrap() error { return f.error }

// fault, badInput and ioFailure give an error its exit code; nil stays nil.
func fault(err error) error     { return withCode(exitFault, err) }
func badInput(err error) error  { return withCode(exitBadInput, err) }
func ioFailure(err error) error { return withCode(exitIO, err) }

// studyFailure gives an error of a study its exit code: that of a fault if a check has failed, and
// otherwise that of bad input, since the question could not be answered.
func studyFailure(err error) error {
	if chains.IsFault(err) {
		return fault(err)
	}
	return badInput(err)
}

func withCode(code int, err error) error {
	if err == nil {
		return nil
	}
	return failure{code, err}
}

// app holds what the commands share.
type app struct {
	stdin          io.Reader // samples may come from it
	stdout, stderr io.Writer
	output         output
	programs       *programs.Programs // kernels in other programs, ended with the run
	leftovers      *leftovers
	catalogue      []*views.Entry  // all studies; nil until they are asked for
	ctx            context.Context // the context of the run: when it has ended, nothing more is written
	getenv         func(string) string
	args           []string                             // the words of the command line behind the program's name
	now            func() time.Time                     // tells the time
	after          func(time.Duration) <-chan time.Time // is time.After, or in tests a clock of their own
	terminal       func(io.Writer) bool                 // tells whether something is a terminal
	width          func(io.Writer) int                  // tells how many characters a line of a terminal has, and 0 for what is none
	doubted        sync.Map                             // the doubts that have been told
	about          string                               // a note on the run, for its record; empty for none
	takes          time.Duration                        // what the study is estimated to take on one core; 0 if that is not known
}

// run is the whole program apart from its signals. It returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return runWith(ctx, args, stdout, stderr, &leftovers{})
}

// runWith does what run does. It adds to left what must be removed if the program ends before
// runWith returns.
func runWith(ctx context.Context, args []string, stdout, stderr io.Writer, left *leftovers) int {
	return newApp(ctx, args, stdout, stderr, left).run()
}

// newApp returns what the commands of a run share. Its method run ends the programs that it has
// started.
func newApp(ctx context.Context, args []string, stdout, stderr io.Writer, left *leftovers) *app {
	a := &app{
		stdin: os.Stdin, stdout: stdout, stderr: stderr, leftovers: left, programs: programs.NewPrograms(ctx, programs.DefaultDeadline),
		getenv: os.Getenv, args: args, now: time.Now, after: time.After, terminal: isTerminal, width: widthOf,
	}
	a.programs.OnSilence(func(what string) { a.note("%s", what) })
	a.ctx = subject.WithDoubts(ctx, a.doubt)
	return a
}

// run runs the command that the words of the command line name, and returns the exit code.
func (a *app) run() int {
	defer a.programs.Close()
	ctx, stdout, stderr := a.ctx, a.stdout, a.stderr
	root := a.rootCommand()
	root.SetArgs(a.args)
	help := &remembering{to: stdout}
	root.SetOut(help)
	root.SetErr(stderr)
	addCompletion(root)
	err, command := helpMistake(root, a.args), root
	if err == nil {
		command, err = root.ExecuteContextC(ctx)
	}
	if help.err != nil {
		err = ioFailure(fmt.Errorf("writing to standard output: %w", help.err))
	}
	if err == nil {
		err = a.output.unheld()
	}
	if err = a.endJUnit(err); err == nil {
		return exitDone
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		fmt.Fprintln(stderr, "breadboard: interrupted")
		return exitInterrupted
	}
	a.note("breadboard: %s", reports.OneLine(plainly(err, chains.InWords(err, inFlags))+sizeAdvice(command, err)))
	if exhausted(err) {
		return exitIO
	}
	if f, ok := errors.AsType[failure](err); ok {
		return f.code
	}
	return exitBadInput // errors of cobra's own are about an unknown command or flag
}

// exhausted reports whether the system had too little of something, also if that was noticed while
// input was read.
func exhausted(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
}

// remembering is the writer for what cobra itself writes, help and completions. It remembers the
// first error, because cobra ignores errors of writing or takes them for mistakes of the user.
type remembering struct {
	to  io.Writer
	err error
}

func (r *remembering) Write(p []byte) (int, error) {
	n, err := r.to.Write(p)
	if r.err == nil {
		r.err = err
	}
	return n, err
}

// addCompletion adds cobra's command that writes completions for shells. It must be called when the
// root's output is set, because the command keeps this output. For an unknown shell cobra's command
// shows its help as if nothing were wrong; explainMistakes makes that an error.
func addCompletion(root *cobra.Command) {
	if root.ContainsGroup(itself) {
		root.SetCompletionCommandGroupID(itself)
	}
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
			explainMistakes(c, nil)
			giveOnce(c)
		}
	}
}

func (a *app) rootCommand() *cobra.Command {
	var showVersion bool
	root := &cobra.Command{
		Use: "breadboard", Short: "Exact J and B of annealed samplers on small discrete spaces",
		Long:          `breadboard computes exactly what Monte Carlo methods do on small discrete spaces. Divergences, log weights and log Z are in nats.`,
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(c *cobra.Command, _ []string) error {
			if showVersion {
				return a.showVersion()
			}
			fmt.Fprint(c.OutOrStdout(), door)
			return nil
		},

		PersistentPreRunE: a.begin,
	}
	a.output.addFlags(root)
	root.Flags().BoolVar(&showVersion, "version", false, "")
	a.addGroups(root)
	root.SetGlobalNormalizationFunc(byLetter)
	root.SetUsageFunc(func(c *cobra.Command) error {
		a.listGroups(c.OutOrStderr(), root, false)
		return nil
	})
	a.addHelp(root)
	explainMistakes(root, a.args)
	a.wrapHelp(root)
	offerAll(root, completing(a.args))
	giveOnce(root)
	return root
}

// addHelp adds the topics of help, and the command help, which fails for what is neither. Cobra's
// own one shows the help of the whole program then, as if nothing were wrong.
func (a *app) addHelp(root *cobra.Command) {
	root.AddCommand(topicCommands()...)
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() == "help" {
			c.Run, c.Args, c.ValidArgsFunction = nil, cobra.ArbitraryArgs, completeHelp
			c.RunE = func(_ *cobra.Command, words []string) error {
				about, rest, err := root.Find(words)
				switch {
				case slices.Equal(words, []string{"all"}):
					var whole bytes.Buffer
					a.listGroups(&whole, root, true)
					_, err = io.WriteString(root.OutOrStdout(), fitLines(whole.String(), a.helpWidth()))
					return err
				case err != nil:
					return err
				case about == root && len(rest) > 0 && defined(strings.Join(rest, " ")) != "":
					_, err = fmt.Fprintf(root.OutOrStdout(), "%s\n\nbreadboard help glossary explains all terms.\n", defined(strings.Join(rest, " ")))
					return err
				case about.Name() == referencePage && len(rest) > 0:
					text, err := referenceFor(topic{name: referencePage}.text(), rest)
					if err == nil {
						fmt.Fprintln(root.OutOrStdout(), text)
					}
					return err
				case len(rest) > 0 && about.HasSubCommands():
					return argumentMistake(about, rest, nil)
				case len(rest) > 0:
					return fmt.Errorf("%s has no command %q; breadboard help %s describes it", about.CommandPath(), rest[0], strings.Join(words[:len(words)-len(rest)], " "))
				}
				about.InitDefaultHelpFlag()
				return about.Help()
			}
		}
	}
}

// doubt says once why a file that a target was read from may mean something else.
func (a *app) doubt(text string) {
	if _, noted := a.doubted.LoadOrStore(text, true); !noted {
		a.noteInput(text)
	}
}

// noteInput writes a line that says how an input was read, of which the user may not think. For
// programs it begins as BREADBOARD_DOUBT says.
func (a *app) noteInput(text string) {
	fmt.Fprintln(a.stderr, a.getenv("BREADBOARD_DOUBT")+reports.Line(text, widthOf(a.stderr)))
}

// note writes one line for the user to standard error.
func (a *app) note(format string, args ...any) {
	fmt.Fprintln(a.stderr, reports.Line(fmt.Sprintf(format, args...), widthOf(a.stderr)))
}
