package main

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gonum.org/v1/plot/vg"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/cmd/catalogue"
	"breadboard/experiments/study"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// addSelector adds a flag that takes one selector of the given forms.
func addSelector(flags *pflag.FlagSet, to *string, name, standard string, forms []string, usage string) {
	*to = standard
	flags.Var(study.Selector(to, forms), name, usage)
}

// addSeed adds the flag of a seed, 1 by default.
func addSeed(flags *pflag.FlagSet, seed *uint64) {
	*seed = 1
	flags.Var(study.Seed(seed), "seed", "")
}

// addWorkers adds the flag of how many are at work at once, which as many as there are cores are by
// default.
func addWorkers(flags *pflag.FlagSet, workers *int) {
	flags.Var(study.Whole(workers, "N", 0, maxCount), "workers", "")
	onlyPresents(flags, "workers")
}

// addTime adds the flag of the largest estimate of the computation on one core.
func addTime(flags *pflag.FlagSet, limit *time.Duration) {
	*limit = study.DefaultTime
	flags.Var(parsed(limit, "duration", time.Duration.String, parseTime), "time", "")
	onlyPresents(flags, "time")
}

// parseTime reads a limit on time.
func parseTime(text string) (time.Duration, error) {
	limit, err := time.ParseDuration(text)
	if err == nil && limit <= 0 {
		err = errs.New("a limit of no time allows nothing; give one above zero, as in 90s")
	}
	return limit, err
}

// addNumbers adds a flag that takes numbers separated by commas, which replace the default.
func addNumbers(flags *pflag.FlagSet, to *[]float64, name string, standard []float64, usage string) {
	*to = standard
	flags.Var(study.Numbers(to), name, usage)
}

// textFlag is a flag whose value is read from a text and shown as one.
type textFlag struct {
	kind string
	show func() string
	set  func(text string) error
}

func (f textFlag) Type() string          { return f.kind }
func (f textFlag) String() string        { return f.show() }
func (f textFlag) Set(text string) error { return f.set(text) }

// parsed is a flag of a kind that takes what parse reads.
func parsed[T any](to *T, kind string, show func(T) string, parse func(text string) (T, error)) pflag.Value {
	set := func(text string) error {
		v, err := parse(text)
		if err == nil {
			*to = v
		}
		return err
	}
	return textFlag{kind, func() string { return show(*to) }, set}
}

// asIs shows a text.
func asIs(text string) string { return text }

// tableFlags say how tables are written.
type tableFlags struct {
	table   string   // the one table that results are; empty for all that the command shows
	columns []string // the columns that are asked for; nil for those of each table
	digits  int      // the significant digits of numbers for people; 0 for those of each column
	latex   string   // how LaTeX has numbers: plain, siunitx, or empty for plain
}

// maxDigits is the largest number of significant digits that tell float64s apart.
const maxDigits = 17

// latexNumbers are the ways in which LaTeX has numbers.
func latexNumbers() []string { return []string{"plain", "siunitx"} }

func (f *tableFlags) addFlags(c *cobra.Command) {
	flags := c.PersistentFlags()
	flags.StringVar(&f.table, "table", "", "")
	flags.StringSliceVar(&f.columns, "columns", nil, "")
	flags.Var(parsed(&f.digits, "N", digitsText,
		func(text string) (int, error) { return selector.ParseWhole(text, 1, maxDigits) }), "digits", "")
	flags.Var(parsed(&f.latex, "NUMBERS", asIs, parseLatex), "latex", "")
}

// digitsText shows a number of digits, which is empty if it is not given.
func digitsText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// parseLatex reads a way in which LaTeX has numbers.
func parseLatex(text string) (string, error) {
	if slices.Contains(latexNumbers(), text) {
		return text, nil
	}
	return "", selector.UnknownError("way to write numbers", text, latexNumbers())
}

// checkTables fails if the flags ask for what the tables of a command cannot give. The flag --latex
// implies its format.
func (o *output) checkTables(c *cobra.Command) error {
	given := c.Flags().Changed
	if given("name") && (o.dir == "" || has(c, unrecorded) || has(c, keepsNames)) {
		return errs.New("--name is what tables and figures in --out DIR are called; leave it out")
	}
	for _, name := range []string{"figures", "width", "font-size", "style"} {
		if out := c.Flag("out"); given(name) && !out.Changed {
			return errs.New("--%s is for the figures in --out DIR; give that, or leave it out", name)
		}
	}
	asked := given("columns") || given("digits") || given("latex") || given("table") || len(o.required) > 0
	if !asked && !given("plot") && len(o.askedFor()) == 0 {
		return nil
	}
	command := commandName(c)
	tables := catalogue.SchemasOf(command)
	var more []columns.Column // that tables have beside their own
	if until := c.Flags().Lookup("until"); until != nil && until.Changed {
		more = study.UntilColumns()
	}
	if given("plot") {
		if err := o.checkPlots(command, tables, more); err != nil {
			return fmt.Errorf("--plot: %w", err)
		}
	}
	if err := reports.CheckGiven(tables, o.askedFor(), c.Flags().Changed); err != nil {
		return err
	}
	if !asked {
		return nil
	}
	if len(tables) == 0 {
		return fmt.Errorf("%s shows no table, which --table, --columns, --digits, --latex and --check-that are for",
			c.CommandPath())
	}
	if err := reports.CheckConditions(tables, more, o.required, c.Flags().Changed); err != nil {
		return fmt.Errorf("--check-that: %w", err)
	}
	if given("table") {
		if err := o.checkTable(command, tables); err != nil {
			return err
		}
	}
	if given("latex") && !c.Flags().Changed("format") {
		o.format = table.LaTeX
	}
	switch format := o.format; {
	case given("latex") && format != table.LaTeX:
		return fmt.Errorf("--latex is for --format latex, and not for %s", format)
	case given("digits") && format.ForMachines():
		return errs.New(
			"--digits rounds numbers for people, and --format %s has all digits; leave it out, or give another format",
			format,
		)
	case given("columns"):
		names := slices.DeleteFunc(slices.Clone(o.columns), func(name string) bool {
			return slices.ContainsFunc(more, func(u columns.Column) bool { return u.Name == name })
		})
		if err := reports.CheckColumns(tables, command, o.table, format, names, func(flag string) bool {
			return flag == reports.ByFiles && c.Flags().NArg() > 0 || c.Flags().Changed(flag)
		}); err != nil {
			return fmt.Errorf("--columns: %w", err)
		}
	}
	return nil
}

// askedFor returns the columns and the table that flags name.
func (o *output) askedFor() []string {
	names := slices.Clone(o.columns)
	for _, c := range o.required {
		names = append(names, c.Column)
	}
	if o.table != "" {
		names = append(names, o.table)
	}
	return names
}

// commandName returns the words of a command without the program's.
func commandName(c *cobra.Command) string {
	_, words, _ := strings.Cut(c.CommandPath(), " ")
	return words
}

// checkTable fails if a command has no table of the name that is asked for. What a run of it has is
// known when it is made.
func (o *output) checkTable(command string, tables []reports.Schema) error {
	known := reports.TablesOf(tables)
	full := func(s reports.Schema) bool { return s.Table == o.table || s.Table == reports.TableOfToy }
	if slices.Contains(known, o.table) || slices.ContainsFunc(tables, full) {
		return nil
	}
	return fmt.Errorf("--table: %w", selector.UnknownError("table of "+command, o.table, known))
}

// checkPlots fails if a command has no table with the columns of a plot, or if there is no folder
// for the figure. Of the tables of sweeps the columns are known when the results are read.
func (o *output) checkPlots(command string, schemas []reports.Schema, more []columns.Column) error {
	var tables []*table.Table
	for _, s := range schemas {
		tables = append(tables, &table.Table{Columns: append(s.Columns(), more...)})
	}
	switch {
	case len(tables) == 0:
		return fmt.Errorf("breadboard %s shows no table whose columns could be drawn", command)
	case o.dir == "":
		return errors.New("name the folder for the figure and the CSV of its points, as in --out figures")
	}
	called := map[string]string{}
	for _, p := range o.plots {
		name := reports.FileName(p.Name)
		if other, twice := called[name]; twice {
			return errs.New("\"%s\" and \"%s\" would be written to the same file; leave one of them out", other, p.Asked)
		}
		called[name] = p.Asked
		if strings.HasPrefix(command, "sweep ") {
			continue
		}
		i, err := reports.Plottable(tables, p)
		if err == nil {
			_, _, err = figure.Plot(tables[i], p)
		}
		if _, none := errors.AsType[figure.Nothing](err); err != nil && !none {
			return err
		}
	}
	return nil
}

// listValue is the value of a flag that is a list. Those of pflag are.
type listValue interface{ GetSlice() []string }

// plotList is a flag that takes what a figure shows, once for each figure.
type plotList struct{ plots *[]columns.Plot }

func (l plotList) Type() string   { return "PLOT" }
func (l plotList) String() string { return strings.Join(l.GetSlice(), "; ") }

func (l plotList) Set(text string) error {
	p, err := figure.ParsePlot(text)
	if err == nil {
		*l.plots = append(*l.plots, p)
	}
	return err
}

// GetSlice makes plotList a listValue.
func (l plotList) GetSlice() (texts []string) {
	if l.plots != nil {
		for _, p := range *l.plots {
			texts = append(texts, p.Asked)
		}
	}
	return texts
}

// tableStyle returns how tables are written. On a terminal they fit its lines, and have colours
// unless the environment has NO_COLOR (no-color.org) or the terminal is a dumb one.
func (a *app) tableStyle() table.Style {
	return table.Style{
		Digits:  a.output.digits,
		SIUnitx: a.output.latex == "siunitx",
		Width:   a.width(a.stdout),
		Colour:  a.terminal(a.stdout) && a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb",
		ASCII:   a.terminal(a.stdout) && a.plainTerminal(),
	}
}

// plainTerminal reports whether a terminal shows nothing but letters and goes back to no place: one
// that TERM calls dumb, or one of the C locale.
func (a *app) plainTerminal() bool {
	locale := cmp.Or(a.getenv("LC_ALL"), a.getenv("LC_CTYPE"), a.getenv("LANG"))
	return a.getenv("TERM") == "dumb" || locale == "C" || locale == "POSIX"
}

// figureFlags say how the figures that --out writes look, and in which formats they are written.
type figureFlags struct {
	style   figure.Style
	formats []string // nil for all
}

func (f *figureFlags) addFlags(c *cobra.Command) {
	flags := c.PersistentFlags()
	flags.Var(parsed(&f.formats, "FORMAT,...", func(list []string) string { return strings.Join(list, ",") },
		func(text string) ([]string, error) { return parseFigures(f.formats, text) }), "figures", "; known: "+
		strings.Join(figure.Formats(), ", ")+" (default all)")
	flags.Var(length(&f.style.Width, func(l vg.Length) figure.Style { return figure.Style{Width: l} }), "width", "")
	flags.Var(length(&f.style.FontSize, func(l vg.Length) figure.Style { return figure.Style{FontSize: l} }),
		"font-size", "")
	flags.Var(parsed(&f.style.Look, "STYLE", figure.Look.String, figure.ParseLook), "style", "")
}

// figureWords returns the flags of figures that a command was given, as words of a command line.
func figureWords(c *cobra.Command) (words []string) {
	known := &cobra.Command{}
	new(figureFlags).addFlags(known)
	known.PersistentFlags().VisitAll(func(f *pflag.Flag) {
		if given := c.Flag(f.Name); given != nil && given.Changed {
			words = append(words, "--"+f.Name+"="+given.Value.String())
		}
	})
	return words
}

// parseFigures reads formats of figures with commas between them, and adds them to those that are
// there.
func parseFigures(formats []string, text string) ([]string, error) {
	for part := range strings.SplitSeq(text, ",") {
		format := strings.ToLower(strings.TrimSpace(part))
		if !slices.Contains(figure.Formats(), format) {
			return nil, selector.UnknownError("format of figures", format, figure.Formats())
		}
		if !slices.Contains(formats, format) {
			formats = append(formats, format)
		}
	}
	return formats, nil
}

// length is a flag that takes a length with its unit. alone is the style that has only this length,
// which says whether it can be.
func length(to *vg.Length, alone func(vg.Length) figure.Style) pflag.Value {
	show := func(l vg.Length) string {
		if l == 0 {
			return ""
		}
		return fmt.Sprintf("%gpt", float64(l))
	}
	return parsed(to, "LENGTH", show, func(text string) (vg.Length, error) {
		l, err := figure.ParseLength(text)
		if err == nil {
			err = alone(l).Validate()
		}
		return l, err
	})
}

// maxToys bounds the number of toys of one command. A sweep takes more.
const maxToys = 10_000

// toyList is a flag that takes selectors of toys with commas between them, and ranges in them, as
// random:2:{0..99} or random:2:{3,7}. The first time it is given it replaces the default, and then
// it adds to what is there.
type toyList struct {
	toys    *[]string
	changed bool
}

// addToys adds the flag of a list of toys, whose default is what is there.
func addToys(flags *pflag.FlagSet, toys *[]string, usage string) *toyList {
	list := &toyList{toys: toys}
	flags.Var(list, "toy", usage)
	return list
}

func (l *toyList) Type() string { return "stringSlice" }

func (l *toyList) String() string {
	if l.toys == nil || len(*l.toys) == 0 {
		return ""
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write(*l.toys) // a strings.Builder never fails
	w.Flush()
	return "[" + strings.TrimSuffix(b.String(), "\n") + "]"
}

func (l *toyList) Set(text string) error {
	lines, err := selector.ReadLists(text)
	if err != nil {
		return err
	}
	if !l.changed {
		*l.toys, l.changed = nil, true
	}
	all, err := selector.ExpandRanges(slices.Concat(append([][]string{*l.toys}, lines...)...), maxToys)
	if err == nil {
		*l.toys = all
	}
	return err
}

// GetSlice makes toyList a listValue.
func (l *toyList) GetSlice() []string { return *l.toys }

// Repeated removes repeated targets from the list, and returns each of them once.
func (l *toyList) Repeated() (again []string) {
	*l.toys, again = study.Distinct(*l.toys, strings.TrimSpace)
	return again
}

// summed is a flag that takes parts with a plus between them, and adds to them where it is
// repeated.
func summed(to *string, kind string) pflag.Value {
	return parsed(to, kind, asIs, func(text string) (string, error) {
		if *to == "" {
			return text, nil
		}
		return *to + "+" + text, nil
	})
}

// conditions is a flag that takes conditions on the columns of a table, separated by commas, and
// adds to them where it is repeated.
func conditions(to *[]table.Condition) pflag.Value {
	show := func(list []table.Condition) string {
		parts := make([]string, len(list))
		for i, c := range list {
			parts[i] = c.String()
		}
		return strings.Join(parts, ",")
	}
	return parsed(to, "CONDITION,...", show, func(text string) ([]table.Condition, error) {
		more, err := columns.ParseConditions(text)
		return append(*to, more...), err
	})
}

// exclude makes a command refuse a flag beside any of some others.
func exclude(c *cobra.Command, flag string, others ...string) {
	for _, other := range others {
		c.MarkFlagsMutuallyExclusive(flag, other)
	}
}

// once is a flag that takes one value, and refuses a second one, by which the first would be lost.
type once struct {
	pflag.Value
	given bool
}

func (v *once) Set(text string) error {
	if v.given {
		return errs.New("the flag is given twice, and is %s already; give it once", v.Value)
	}
	err := v.Value.Set(text)
	v.given = err == nil
	return err
}

// addsUp reports whether a flag is a list, to which repeating the flag adds.
func addsUp(f *pflag.Flag) bool {
	_, list := f.Value.(listValue)
	return list || strings.HasSuffix(f.Value.Type(), "...")
}

// giveOnce has the flags of a command, and of all commands below it, refuse to be given twice,
// apart from those that add up. It also explains them.
func giveOnce(c *cobra.Command) {
	give := func(f *pflag.Flag) {
		explain(f)
		if _, single := f.Value.(*once); !single && !addsUp(f) {
			f.Value = &once{Value: f.Value}
		}
	}
	c.Flags().VisitAll(give)
	c.PersistentFlags().VisitAll(give)
	for _, below := range c.Commands() {
		giveOnce(below)
	}
}

// checkEmpty refuses an empty value of any flag, an empty element of a list and an empty argument,
// which would count as not given. It returns the command. What is behind -- is for a program.
func checkEmpty(root *cobra.Command, words []string) (*cobra.Command, error) {
	c, words, err := root.Find(words)
	if err != nil || c == root {
		return c, nil // without a command the root refuses the words, or completes them
	}
	c.InitDefaultHelpFlag() // parsing without it prints the usage
	empty := func(what string) error {
		return errs.New("%s is empty, as is a shell variable that is not set; give a value, or leave it out", what)
	}
	blank := func(text string) bool { return strings.TrimSpace(text) == "" }
	flags := c.Flags()
	err = nil
	_ = flags.ParseAll(words, func(f *pflag.Flag, value string) error { // Execute returns errors of parsing
		lists, _ := selector.ReadLists(value)
		switch name := "--" + shortName(f); {
		case blank(value):
			err = cmp.Or(err, empty(name))
		case addsUp(f) && strings.Contains(unitOf(f), ",") && slices.ContainsFunc(slices.Concat(lists...), blank):
			err = cmp.Or(err, empty(fmt.Sprintf("an element of %s %q", name, value)))
		}
		return nil
	})
	own := flags.Args()
	if dash := flags.ArgsLenAtDash(); dash >= 0 {
		own = own[:dash]
	}
	if at := slices.IndexFunc(own, blank); at >= 0 {
		err = cmp.Or(err, empty(fmt.Sprintf("argument %d", at+1)))
	}
	return c, err
}

// onceEach takes out of the lists that flags hold what they hold twice, and returns a note about
// each. A list of columns is left as it is: their places count.
func onceEach(c *cobra.Command) (notes []string) {
	note := func(f *pflag.Flag, repeated []string) {
		for _, text := range repeated {
			notes = append(notes, "--"+f.Name+" "+text+" is given twice; it is done once")
		}
	}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Changed || f.Name == "columns" {
			return
		}
		switch v := f.Value.(type) {
		case interface{ Repeated() []string }:
			note(f, v.Repeated())
		case pflag.SliceValue:
			if f.Value.Type() != "stringSlice" {
				return
			}
			kept, repeated := study.Distinct(v.GetSlice(), strings.TrimSpace)
			note(f, repeated)
			if err := v.Replace(kept); err != nil {
				panic(err) // the texts have been taken before
			}
		}
	})
	return notes
}
