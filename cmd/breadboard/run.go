package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/exact"
	"breadboard/experiments/forms"
	"breadboard/experiments/programs"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
)

// Exit codes, the same for every command.
const (
	exitDone        = 0
	exitFault       = 1 // a check found a fault
	exitBadInput    = 2 // the input was bad, and nothing was computed
	exitIO          = 3 // reading or writing failed
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
	reader         subject.Reader // of selectors, with programs that end with the run
	leftovers      *leftovers
	catalogue      []*study.Declaration // all studies; nil until they are asked for
	getenv         func(string) string
	// the words of the command line behind the program's name
	args     []string
	now      func() time.Time                     // tells the time
	after    func(time.Duration) <-chan time.Time // is time.After, or in tests a clock of their own
	terminal func(io.Writer) bool                 // tells whether something is a terminal
	// tells how many characters a line of a terminal has, and 0 for what is none
	width   func(io.Writer) int
	doubted sync.Map // the doubts that have been printed
	about   string   // a note on the run, for its record; empty for none
	// what the study is estimated to take on one core; 0 if that is not known
	takes time.Duration
}

// newApp returns what the commands of a run share. Its method run ends the programs that it has
// started.
func newApp(ctx context.Context, args []string, stdout, stderr io.Writer, left *leftovers) *app {
	a := &app{
		stdin:     os.Stdin,
		stdout:    stdout,
		stderr:    newCaller(stderr, os.Getenv(callerVariable), args),
		leftovers: left,
		reader:    subject.Reader{Forms: forms.All(), Programs: programs.NewPrograms(ctx, programs.DefaultDeadline)},
		getenv:    os.Getenv,
		args:      args,
		now:       time.Now,
		after:     time.After,
		terminal:  isTerminal,
		width:     widthOf,
	}
	a.reader.Programs.OnSilence(func(what string) { a.note("%s", what) })
	a.reader.Doubt = a.doubt
	return a
}

// runCommand runs the command that the words of the command line name, and returns the exit code.
func (a *app) runCommand(ctx context.Context) int {
	defer a.reader.Programs.Close()
	help := &errorKeeper{to: a.stdout}
	root := a.rootCommand()
	root.SetArgs(a.args)
	root.SetOut(help)
	root.SetErr(a.stderr)
	command, err := checkEmpty(root, a.args)
	if err == nil {
		command, err = root.ExecuteContextC(ctx)
	}
	if help.err != nil {
		err = ioFailure(fmt.Errorf("writing to standard output: %w", help.err))
	}
	return a.exitCode(ctx, command, a.endJUnit(ctx, err))
}

// exitCode returns the exit code for the error of a command, and prints the error.
func (a *app) exitCode(ctx context.Context, command *cobra.Command, err error) int {
	if err == nil {
		return exitDone
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		fmt.Fprintln(a.stderr, "breadboard: interrupted")
		return exitInterrupted
	}
	what, hint := errs.Parts(err, inFlags)
	what = describeError(err, what)
	last := &what
	if hint != "" {
		last = &hint
	}
	*last += a.sizeAdvice(command, err)
	code := exitBadInput
	switch coded, is := errors.AsType[failure](err); {
	case isExhausted(err):
		code = exitIO
	case is:
		code = coded.code
	case hint == "" && !command.HasParent():
		hint = nearest(command, strings.Join(a.args[:min(1, len(a.args))], ""),
			"breadboard --help lists the commands, breadboard --version prints the version")
	case command.HasParent(): // errors of cobra's own are about the words of the command line
		hint = strings.TrimPrefix(errs.Join(hint, "see "+command.CommandPath()+" --help"), "; ")
	}
	a.note("breadboard: %s", reports.OneLine(errs.Join(what, hint)))
	if mark := a.getenv("BREADBOARD_ERROR"); mark != "" { // for programs, which show both parts
		fields := map[string]any{"error": a.inWords(reports.OneLine(what)), "hint": a.inWords(reports.OneLine(hint))}
		if unknown, is := errors.AsType[*selector.Unknown](err); is {
			fields["choices"] = unknown.Choices
		}
		parts, err := json.Marshal(fields)
		if err != nil {
			panic(err) // texts can always be written
		}
		fmt.Fprintf(a.stderr, "%s%s\n", mark, parts)
	}
	return code
}

// isExhausted reports whether the system had too few open files or too little memory, also if that
// was noticed while input was read.
func isExhausted(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
}

// errorKeeper is the writer for what cobra itself writes, help and completions. It remembers the
// first error, because cobra ignores errors of writing or takes them for mistakes of the user.
type errorKeeper struct {
	to  io.Writer
	err error
}

func (r *errorKeeper) Write(p []byte) (int, error) {
	n, err := r.to.Write(p)
	if r.err == nil {
		r.err = err
	}
	return n, err
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use: "breadboard", Short: "Exact J and B of annealed samplers on small discrete spaces",
		Long: "breadboard computes exactly what Monte Carlo methods do on small discrete spaces, " +
			"and tests samplers, kernels and estimators of your own.",
		Version:            version(),
		SilenceErrors:      true,
		SilenceUsage:       true,
		DisableSuggestions: true, // nearest makes them
		PersistentPreRunE:  a.beginRecord,
	}
	root.SetVersionTemplate(versionText(exact.Vectors()))
	a.output.addFlags(root)
	a.addGroups(root)
	a.addHelp(root)
	root.SetGlobalNormalizationFunc(byLetter)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if words := c.Flags().Args(); c.HasSubCommands() && len(words) > 0 {
			// what names no command comes before its flags
			return cmp.Or(c.ValidateArgs(words), err)
		}
		unknown, is := errors.AsType[*pflag.NotExistError](err)
		if !is || unknown.GetSpecifiedShortnames() != "" {
			return err
		}
		name := unknown.GetSpecifiedName()
		for _, f := range a.reader.Forms.Targets.Listing.All() {
			if f.Name() == name && c.Flags().Lookup("toy") != nil {
				syntax, _, _ := strings.Cut(f.Syntax, "[")
				return errs.New("unknown flag %q; write --toy %s", "--"+name, syntax)
			}
		}
		var flags []string
		c.Flags().VisitAll(func(f *pflag.Flag) { flags = append(flags, "--"+shortName(f)) })
		name = "--" + name[:min(len(name), helpWidth)] // a long name costs no time
		err = selector.UnknownError("flag", name, flags)
		if known, is := errors.AsType[*selector.Unknown](err); is && known.Near {
			return err
		}
		return errs.New("unknown flag %q; the nearest are %s", name, selector.Listed(selector.Nearest(name, flags, 3)))
	})
	giveOnce(root)
	return root
}

// byLetter takes the letter of a flag for its name, so that --T is -T.
func byLetter(all *pflag.FlagSet, name string) pflag.NormalizedName {
	if len(name) == 1 {
		if f := all.ShorthandLookup(name); f != nil {
			name = f.Name
		}
	}
	return pflag.NormalizedName(name)
}

// takes returns the check that a command has at least least and at most most arguments, whose
// message names them and has an example.
func takes(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if least <= len(args) && len(args) <= most {
			return nil
		}
		var names []string
		for _, word := range strings.Fields(c.Use)[1:] {
			if strings.HasPrefix(word, "-") {
				break
			}
			names = append(names, word)
		}
		_, example, _ := strings.Cut(c.Example, "  "+c.CommandPath()) // others may prepare it
		example, _, _ = strings.Cut(example, "\n")
		return errs.New("the command takes %s, found %d words; write it as in %s%s", strings.Join(names, " "), len(args),
			c.CommandPath(), example)
	}
}

// subcommandsOnly refuses the arguments of a command, and suggests the nearest of those that stand
// below it.
func subcommandsOnly(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !c.HasSubCommands() {
		return errs.New("%s takes flags only, found %q; leave it out", strings.TrimPrefix(c.CommandPath(), "breadboard "), args[0])
	}
	return errs.New("unknown command %q for %q; %s", args[0], c.CommandPath(),
		nearest(c, args[0], "leave it out"))
}

// nearest suggests the command below c that is nearest to a word, or gives other advice. Finding it
// takes as long as the word is long.
func nearest(c *cobra.Command, word, other string) string {
	c.SuggestionsMinimumDistance = 2
	if near := c.SuggestionsFor(word[:min(len(word), helpWidth)]); len(near) > 0 {
		return fmt.Sprintf("did you mean %s?", strings.Join(near, " or "))
	}
	return other
}

// helpAlone shows the help of a command that does nothing without a subcommand, and refuses flags.
func helpAlone(c *cobra.Command, _ []string) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		err = badInput(errs.New("--%s is for a subcommand; %s --help lists them", shortName(f), c.CommandPath()))
	})
	if err != nil {
		return err
	}
	return c.Help()
}

// describeError returns the text of an error without the name of the operation that failed on a
// file: only the file's name and what is wrong with it.
func describeError(err error, text string) string {
	file, is := errors.AsType[*fs.PathError](err)
	if !is || file.Path == "" {
		return text
	}
	why := file.Err.Error()
	if errors.Is(err, fs.ErrNotExist) {
		why = "no such file"
	}
	return strings.ReplaceAll(text, file.Error(), file.Path+": "+why)
}

// inFlags returns the flag, or the command, for an option of the libraries. The messages of the
// libraries name options, and inFlags turns these into flags.
func inFlags(option string) string {
	switch option {
	case "T", "N":
		return "-" + option
	case "verbose":
		return "-v"
	case "npy":
		return " with --out DIR"
	case "kernel check":
		return "breadboard kernel check and --beta"
	case "toys export":
		return "breadboard toys export --out DIR"
	case "schedule optimize":
		return "breadboard schedule optimize --out DIR"
	case "sweep run":
		return "breadboard sweep run SPEC --out"
	}
	return "--" + option
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
