package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/chains/selector"
	"breadboard/experiments/programs"
	"breadboard/experiments/subject"
	"breadboard/experiments/sweeps/sweep"
	"breadboard/reports"
)

// These are annotations of commands. The first three say what --out is to them if it is not a
// folder of results.
const (
	// unrecorded commands write to a folder that is not theirs to keep a record in.
	unrecorded = "breadboard_unrecorded"
	// keepsNames commands write files that are taken by their names.
	keepsNames = "breadboard_keeps_names"
	// distinctNames commands write files whose names say what they hold.
	distinctNames = "breadboard_distinct_names"
)

// annotate gives a command one of the annotations.
func annotate(c *cobra.Command, annotation string) *cobra.Command {
	if c.Annotations == nil {
		c.Annotations = map[string]string{}
	}
	c.Annotations[annotation] = "true"
	return c
}

// has reports whether a command has an annotation.
func has(c *cobra.Command, annotation string) bool { return c.Annotations[annotation] != "" }

// beginRecord notes what a run is, before it does anything, and refuses an output that cannot be.
func (a *app) beginRecord(c *cobra.Command, args []string) error {
	a.output.notes = onceEach(c)
	if a.about != "" {
		a.output.notes = append(a.output.notes, a.about)
	}
	parameters := parametersOf(c, args)
	names := reports.FileNames{
		Study:    studyName(c),
		Run:      a.output.called,
		Question: reports.Question(studyName(c), parameters),
	}
	a.output.run = reports.Run{
		Study:    names.Study,
		Name:     names.NameOf(""),
		Question: names.Question,
		Command:  append([]string{"breadboard"}, a.args...),
		Version:  version(),
		Notes:    []string{},
	}
	a.output.began, a.output.given = a.now(), c.Flags().Changed
	if seed := c.Flags().Lookup("seed"); seed != nil {
		if v, err := strconv.ParseUint(seed.Value.String(), 10, 64); err == nil {
			a.output.run.Seed = &v
		}
	}
	a.output.inputs = a.inputsOf(c, args)
	a.output.recorded = !has(c, unrecorded)
	a.output.claims = a.output.recorded && a.output.called == "" && !has(c, keepsNames) && !has(c, distinctNames)
	if has(c, keepsNames) {
		names = reports.FileNames{Question: names.Question}
	}
	a.output.names = names
	if err := cmp.Or(doubled(parameters), a.output.checkTables(c)); err != nil {
		return badInput(err)
	}
	if err := a.openJUnit(c); err != nil {
		return err
	}
	return a.checkOutput()
}

// checkOutput fails if --out has a record that is not of this program.
func (a *app) checkOutput() error {
	if a.output.dir == "" || !a.output.recorded {
		return nil
	}
	_, err := reports.ReadRunRecord(a.output.dir)
	return badInput(err)
}

// studyName returns the words of a command without the program's, with underscores between them.
func studyName(c *cobra.Command) string { return strings.ReplaceAll(commandName(c), " ", "_") }

// parametersOf returns the arguments of a run, and the flags that were given and say what is
// computed: those of an annealing first, in the order of a sweep's parameters with T behind the
// toy, and then the others by their names.
func parametersOf(c *cobra.Command, args []string) []reports.Parameter {
	var list []reports.Parameter
	if len(args) > 0 {
		list = append(list, reports.Parameter{Values: args})
	}
	var flags []*pflag.Flag
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Changed && !presentation(c, f) {
			flags = append(flags, f)
		}
	})
	order := append([]string{"toy", "T"}, subject.Names(subject.Parameters())...)
	rank := func(f *pflag.Flag) int {
		if i := slices.Index(order, shortName(f)); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(flags, func(f, g *pflag.Flag) int {
		if d := rank(f) - rank(g); d != 0 {
			return d
		}
		return strings.Compare(f.Name, g.Name)
	})
	for _, f := range flags {
		list = append(list, reports.Parameter{Name: shortName(f), Values: texts(f)})
	}
	return list
}

// doubled fails if one name of the user's own stands for two selectors.
func doubled(parameters []reports.Parameter) (err error) {
	for _, p := range parameters {
		if subject.TakesNames(p.Name) {
			err = cmp.Or(err, selector.CheckNames(p.Values))
		}
	}
	return err
}

// shortName returns the name of a flag for names of files and for messages: T for --distributions,
// and N for --samples.
func shortName(f *pflag.Flag) string {
	if s := f.Shorthand; s != "" && s == strings.ToUpper(s) {
		return s
	}
	return f.Name
}

// presents is the annotation of flags that change nothing of what is computed.
const presents = "breadboard_presents"

// onlyPresents marks a flag of a command as one that changes nothing of what is computed, or that
// the names of parts have, so that runs with and without it are the same.
func onlyPresents(flags *pflag.FlagSet, name string) {
	if err := flags.SetAnnotation(name, presents, []string{"true"}); err != nil {
		panic(err)
	}
}

// presentation reports whether a flag changes nothing of what is computed.
func presentation(c *cobra.Command, f *pflag.Flag) bool {
	_, marked := f.Annotations[presents]
	return marked || f.Name == "help" || c.Root().PersistentFlags().Lookup(f.Name) == f
}

// texts returns the values of a flag that was given.
func texts(f *pflag.Flag) []string {
	if list, is := f.Value.(listValue); is {
		return list.GetSlice()
	}
	return []string{f.Value.String()}
}

// record writes to the folder what the run was and which files it has written, and says what else
// is in the folder.
func (a *app) record(ctx context.Context, partial bool) error {
	if a.output.files == nil || !a.output.recorded {
		return nil
	}
	run := &a.output.run
	run.Partial = run.Partial || partial
	err := a.within(ctx, func() error { run.Inputs = hashed(a.output.inputs, a.output.began, partial); return nil })
	if err != nil {
		return err
	}
	path := a.output.files.Path(reports.RunRecordName)
	stop := a.sayWaiting(path)
	others, err := a.output.files.Describe(ctx, *run)
	stop()
	if err != nil {
		return ioFailure(err)
	}
	a.note("wrote %s, which says how the files were made", path)
	if others.Files > 0 {
		a.note("%s also has %v, see %s", a.output.dir, others, path)
	}
	return nil
}

// sayWaiting says after a second that another run writes a file, unless it is stopped before.
func (a *app) sayWaiting(path string) (stop func() bool) {
	return time.AfterFunc(time.Second, func() {
		a.note("waiting for another run that writes %s, or for a slow disk", path)
	}).Stop
}

// standardInput is the argument for standard input, if a command takes it instead of a file.
const standardInput = "-"

// pathArguments is the annotation of commands whose arguments are files and folders; those behind
// -- are not.
const pathArguments = "breadboard_path_arguments"

// input is a file or a folder that a run reads, or what is there instead of one.
type input struct {
	path string
	note string // says what it is where it is no file
}

// inputsOf returns what the arguments and flags of a run name: files, by themselves and in
// selectors, and programs.
func (a *app) inputsOf(c *cobra.Command, args []string) []input {
	var list []input
	add := func(in ...input) {
		for _, i := range in {
			if !slices.Contains(list, i) {
				list = append(list, i)
			}
		}
	}
	own := len(args)
	if dash := c.ArgsLenAtDash(); dash >= 0 {
		own = dash
		add(input{strings.Join(args[dash:], " "), aProgram})
	}
	for _, arg := range args[:own] {
		switch named := namedIn(a.reader.Forms, arg); {
		case len(named) > 0 || !has(c, pathArguments):
			add(named...)
		case arg != standardInput:
			add(input{path: arg})
		}
	}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if _, marked := f.Annotations[presents]; marked || !f.Changed {
			return // what it names is no input
		}
		placeholder, _ := pflag.UnquoteUsage(f)
		for _, text := range texts(f) {
			if placeholder == "FILE" {
				add(input{path: text})
			} else {
				add(namedIn(a.reader.Forms, strings.TrimSpace(text))...)
			}
		}
	})
	if f := c.LocalFlags().Lookup("stdin"); f != nil && f.Changed {
		add(input{"standard input", "a stream, which has no hash"})
	}
	return list
}

// aProgram is the note of a program.
const aProgram = "a program, which has no hash"

// namedIn returns the files and the program that a selector names.
func namedIn(forms subject.Forms, selector string) []input {
	if command, is := programs.CommandOf(selector); is {
		return []input{{command, aProgram}}
	}
	var list []input
	for _, path := range sweep.FilesOf(forms, selector) {
		list = append(list, input{path: path})
	}
	return list
}

// maxListed is the largest number of files of a folder that are listed.
const maxListed = 10_000

// withFolders puts the files that a run reads instead of each folder of a sweep, and behind any
// other folder all that stand in it. Such a folder itself has a note instead of a hash.
func withFolders(inputs []input) (list []input) {
	for _, in := range inputs {
		info, err := os.Stat(in.path)
		if in.note != "" || err != nil || !info.IsDir() {
			list = append(list, in)
			continue
		}
		if results := sweep.ResultFiles(in.path); results != nil {
			for _, path := range results {
				list = append(list, input{path: path})
			}
			continue
		}
		names := filesIn(in.path)
		note := "a folder, whose files follow"
		switch {
		case len(names) == 0:
			note = "a folder without files"
		case len(names) > maxListed:
			names, note = nil, fmt.Sprintf("a folder with %d files, which are too many to list", len(names))
		}
		list = append(list, input{in.path, note})
		for _, name := range names {
			list = append(list, input{path: filepath.Join(in.path, name)})
		}
	}
	return list
}

// filesIn returns the names of the files of a folder, apart from hidden ones and the records of
// runs, in their order.
func filesIn(dir string) (names []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // the note of the folder says that it has no files
	}
	for _, e := range entries {
		if e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") && e.Name() != reports.RunRecordName {
			names = append(names, e.Name())
		}
	}
	return names
}

// hashed describes inputs with the hashes of the files. If a run was interrupted it must end soon,
// and large files are not read again.
func hashed(inputs []input, began time.Time, interrupted bool) []reports.RunInput {
	list := []reports.RunInput{}
	for _, in := range withFolders(inputs) {
		switch {
		case in.note != "":
			list = append(list, reports.RunInput{Path: in.path, Note: in.note})
		case interrupted:
			list = append(list, reports.HashInput(in.path, began, maxHurried))
		default:
			list = append(list, reports.HashInput(in.path, began, maxHashed))
		}
	}
	return list
}

// These are the sizes of the largest files that are hashed, of which the second takes a tenth of a
// second.
const (
	maxHashed  = 1 << 40
	maxHurried = 32 << 20
)
