package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/experiments"
	"breadboard/reports"
	"breadboard/reports/table"
	"breadboard/toys"
)

// These are annotations of commands, which say what --out is to them where it is not a folder of results.
const (
	// unrecorded commands write to a folder that is not theirs to keep a record in.
	unrecorded = "breadboard_unrecorded"
	// keepsNames commands write files that are taken by their names.
	keepsNames = "breadboard_keeps_names"
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

// begin notes what a run is, before it does anything, and refuses an output that cannot be.
func (a *app) begin(c *cobra.Command, args []string) error {
	a.output.notes = a.onceEach(c)
	if a.about != "" {
		a.output.notes = append(a.output.notes, a.about)
	}
	parameters := parametersOf(c, args)
	names := reports.FileNames{Study: studyName(c), Parameters: reports.Slug(shortened(parameters)), Asked: reports.Asked(studyName(c), parameters)}
	a.output.run = reports.Run{
		Study: names.Study, Name: names.Of(""), Asked: names.Asked, Command: append([]string{"breadboard"}, a.args...), Version: version(),
		Machine: reports.Machine{System: runtime.GOOS, Architecture: runtime.GOARCH, CPUs: runtime.NumCPU(), Go: runtime.Version()}, Notes: []string{},
		Arguments: append([]string{}, args...), Flags: map[string]any{}, Given: []string{}, Started: a.now(),
	}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" {
			return
		}
		a.output.run.Flags[f.Name] = flagValue(f)
		if f.Changed {
			a.output.run.Given = append(a.output.run.Given, f.Name)
		}
	})
	if seed := c.Flags().Lookup("seed"); seed != nil {
		if v, err := strconv.ParseUint(seed.Value.String(), 10, 64); err == nil {
			a.output.run.Seed = &v
		}
	}
	a.output.inputs = inputsOf(c, args)
	a.output.recorded = !has(c, unrecorded)
	if has(c, keepsNames) {
		names = reports.FileNames{Asked: names.Asked}
	}
	a.output.names = names
	if err := a.output.checkTables(c); err != nil {
		return badInput(err)
	}
	if err := a.openJUnit(c); err != nil {
		return err
	}
	return a.checkOutput(c)
}

// checkOutput fails where results cannot be shown as they are asked for, and where --out has a record that is not of this program.
func (a *app) checkOutput(c *cobra.Command) error {
	if a.output.dir == "" {
		if a.output.format.Format == table.Parquet && a.output.recorded && a.terminal(a.stdout) {
			return badInput(fmt.Errorf("--format parquet is not for a terminal; send it to a file with >, or give --out DIR"))
		}
		return nil
	}
	if !a.output.recorded {
		return nil
	}
	_, err := reports.ReadRunRecord(a.output.dir)
	return badInput(err)
}

// studyName returns the words of a command without the program's, with underscores between them.
func studyName(c *cobra.Command) string {
	return strings.ReplaceAll(commandName(c), " ", "_")
}

// parametersOf returns the arguments of a run, and the flags that were given and say what is computed: those of an annealing first, in the order
// of a sweep's parameters with T behind the toy, and then the others by their names.
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
	order := append([]string{"toy", "T"}, experiments.Names(experiments.Parameters())...)
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

// shortened returns parameters in which toys that have a name of the user's own have it alone.
func shortened(parameters []reports.Parameter) []reports.Parameter {
	list := slices.Clone(parameters)
	for i, p := range list {
		if p.Name != "toy" {
			continue
		}
		list[i].Values = slices.Clone(p.Values)
		for k, text := range list[i].Values {
			if name, _ := toys.SplitName(strings.TrimSpace(text)); name != "" {
				list[i].Values[k] = name
			}
		}
	}
	return list
}

// shortName returns the name of a flag for the name of a file: T for --distributions, and N for --samples.
func shortName(f *pflag.Flag) string {
	if s := f.Shorthand; s != "" && s == strings.ToUpper(s) {
		return s
	}
	return f.Name
}

// presents is the annotation of flags that change nothing of what is computed.
const presents = "breadboard_presents"

// onlyPresents marks a flag of a command as one that changes nothing of what is computed, or that the names of parts have, so that it is not in
// the names of files.
func onlyPresents(flags *pflag.FlagSet, name string) {
	if err := flags.SetAnnotation(name, presents, []string{"true"}); err != nil {
		panic(err)
	}
}

// presentation reports whether a flag changes nothing of what is computed: --workers, and what every command has.
func presentation(c *cobra.Command, f *pflag.Flag) bool {
	_, marked := f.Annotations[presents]
	return marked || f.Name == "workers" || f.Name == "help" || c.Root().PersistentFlags().Lookup(f.Name) != nil
}

// texts returns the values of a flag that was given.
func texts(f *pflag.Flag) []string {
	if list, is := f.Value.(pflag.SliceValue); is {
		return list.GetSlice()
	}
	return []string{f.Value.String()}
}

// flagValue returns the value of a flag for the record of a run: a text, or a list of them where the flag takes several.
func flagValue(f *pflag.Flag) any {
	list, several := f.Value.(pflag.SliceValue)
	text := f.DefValue
	if f.Changed {
		text = f.Value.String()
	}
	switch {
	case several && f.Changed:
		return append([]string{}, list.GetSlice()...)
	case several:
		text = strings.TrimSuffix(strings.TrimPrefix(text, "["), "]")
	case !strings.HasSuffix(f.Value.Type(), ",..."):
		return text
	}
	if text == "" {
		return []string{}
	}
	return strings.Split(text, ",")
}

// record writes to the folder what the run was and which files it has written, and says what else is in the folder.
func (a *app) record(ctx context.Context, partial bool) error {
	if a.output.files == nil || !a.output.recorded {
		return nil
	}
	run := &a.output.run
	run.Partial = run.Partial || partial
	run.Seconds = a.now().Sub(run.Started).Seconds()
	err := a.within(ctx, func() error { run.Inputs = hashed(a.output.inputs, run.Started, partial); return nil })
	if err != nil {
		return err
	}
	others, err := a.output.files.Describe(ctx, *run)
	if err != nil {
		return ioFailure(err)
	}
	path := a.output.files.Path(reports.RunRecordName)
	a.note("wrote %s, which says how the files were made", path)
	if others.Files > 0 {
		a.note("%s also has %v, see %s", a.output.dir, others, path)
	}
	return nil
}
