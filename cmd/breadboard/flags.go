package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gonum.org/v1/plot/vg"

	"breadboard/chains/selector"
	"breadboard/experiments/study"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views"
)

// addSelector adds a flag that takes one selector of the given forms.
func addSelector(flags *pflag.FlagSet, to *string, name, standard string, forms []string, usage string) {
	*to = standard
	flags.Var(study.Selector(to, forms), name, usage)
}

// addSeed adds the flag of a seed, 1 by default.
func addSeed(flags *pflag.FlagSet, seed *uint64, usage string) {
	*seed = 1
	flags.Var(study.Seed(seed), "seed", usage)
}

// addWorkers adds the flag of how many are at work at once, which as many as there are cores are by default.
func addWorkers(flags *pflag.FlagSet, workers *int, usage string) {
	flags.IntVar(workers, "workers", 0, usage+"; 0 is one for each core")
}

// addNumbers adds a flag that takes numbers separated by commas, which replace the default.
func addNumbers(flags *pflag.FlagSet, to *[]float64, name string, standard []float64, usage string) {
	*to = standard
	flags.Var(study.Numbers(to), name, usage)
}

// directoryValue is a flag that takes a directory.
type directoryValue string

func (v *directoryValue) String() string { return string(*v) }
func (v *directoryValue) Type() string   { return "DIR" }
func (v *directoryValue) Set(s string) error {
	if s == "" {
		return errors.New("no directory is named; leave the flag out, or write --out DIR")
	}
	*v = directoryValue(s)
	return nil
}

// tableFlags say how tables are written.
type tableFlags struct {
	table   string   // the one table that results are; empty for all that the command shows
	columns []string // the columns that are asked for; nil for all
	digits  int      // the significant digits of numbers for people; 0 for those of each column
	latex   string   // how LaTeX has numbers: plain, siunitx, or empty for plain
}

// maxDigits is the largest number of significant digits that tell float64s apart.
const maxDigits = 17

// latexNumbers are the ways in which LaTeX has numbers.
func latexNumbers() []string { return []string{"plain", "siunitx"} }

func (f *tableFlags) addFlags(c *cobra.Command) {
	flags := c.PersistentFlags()
	flags.StringVar(&f.table, "table", "", "print the table of this `NAME` alone, also one that is otherwise written to files only; a wrong name lists those there are")
	flags.StringSliceVar(&f.columns, "columns", nil, "the columns of tables, in this order, by their names or titles, as in toy,T,J (default all)")
	flags.Var((*digitsValue)(&f.digits), "digits", "the significant digits of numbers in table, markdown and latex (default those of each column)")
	flags.Var((*latexValue)(&f.latex), "latex", "numbers in --format latex: plain as $7.87\\times10^{-5}$, or siunitx with its S columns and \\num; it implies the format")
	completeOne(c, "latex", among(selector.Plain(latexNumbers())))
	register(c, "table", func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		return completed(among(selector.Plain(views.TablesOf(commandName(c)))), false)(c, args, typed)
	})
}

// digitsValue is a flag that takes a number of significant digits.
type digitsValue int

func (v *digitsValue) String() string {
	if *v == 0 {
		return ""
	}
	return strconv.Itoa(int(*v))
}
func (v *digitsValue) Type() string { return "N" }
func (v *digitsValue) Set(s string) error {
	n, err := selector.ParseWhole(s, 1, maxDigits)
	*v = digitsValue(n)
	return err
}

// latexValue is a flag that takes a way in which LaTeX has numbers.
type latexValue string

func (v *latexValue) String() string { return string(*v) }
func (v *latexValue) Type() string   { return "NUMBERS" }
func (v *latexValue) Set(s string) error {
	for _, known := range latexNumbers() {
		if s == known {
			*v = latexValue(s)
			return nil
		}
	}
	return selector.UnknownError("way to write numbers", s, latexNumbers())
}

// checkTables fails where the flags ask for what the tables of a command cannot give. The flag --latex implies its format.
func (o *output) checkTables(c *cobra.Command) error {
	given := func(name string) bool { // also of a command with another flag of this name
		own, common := c.Flags().Lookup(name), c.Root().PersistentFlags().Lookup(name)
		return own == common && own.Changed
	}
	if !given("columns") && !given("digits") && !given("latex") && !given("table") {
		return nil
	}
	command := commandName(c)
	over := c.Flags().Lookup("over") // with which sweep plot shows a table, whose columns are known when it is made
	shown := over != nil && over.Changed
	if len(views.SchemasOf(command)) == 0 && !shown {
		return fmt.Errorf("%s shows no table, which --table, --columns, --digits and --latex are for", c.CommandPath())
	}
	if given("table") && !shown {
		if err := o.checkTable(command); err != nil {
			return err
		}
	}
	if given("latex") && !c.Flags().Changed("format") {
		o.format.Format = table.LaTeX
	}
	switch format := o.format.Format; {
	case given("latex") && format != table.LaTeX:
		return fmt.Errorf("--latex is for --format latex, and not for %s", format)
	case given("digits") && format.ForMachines():
		return fmt.Errorf("--digits rounds numbers for people, and --format %s has all digits; leave it out, or give another format", format)
	case given("columns") && len(o.columns) == 0:
		return errors.New("--columns names no column; leave it out for all")
	case given("columns") && !shown:
		if err := views.CheckColumns(command, o.table, format, o.columns); err != nil {
			return fmt.Errorf("--columns: %w", err)
		}
	}
	return nil
}

// commandName returns the words of a command without the program's.
func commandName(c *cobra.Command) string {
	_, words, _ := strings.Cut(c.CommandPath(), " ")
	return words
}

// checkTable fails where a command has no table of the name that is asked for. What a run of it has is known when it is made.
func (o *output) checkTable(command string) error {
	known := views.TablesOf(command)
	full := func(s views.Schema) bool { return s.Table == o.table || s.Table == views.TableOfToy }
	if slices.Contains(known, o.table) || slices.ContainsFunc(views.SchemasOf(command), full) {
		return nil
	}
	return fmt.Errorf("--table: %w", selector.UnknownError("table of "+command, o.table, known))
}

// tableStyle returns how tables are written. On a terminal they fit its lines, and have colours unless the environment has NO_COLOR
// (no-color.org) or the terminal is a dumb one.
func (a *app) tableStyle() table.Style {
	return table.Style{
		Version: version(), Digits: a.output.digits, SIUnitx: a.output.latex == "siunitx",
		Width: a.width(a.stdout), Colour: a.terminal(a.stdout) && a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb",
	}
}

// figureFlags say how the figures that --out writes look, and in which formats they are written.
type figureFlags struct {
	style   figure.Style
	formats []string // nil for all
}

func (f *figureFlags) addFlags(c *cobra.Command) {
	flags := c.PersistentFlags()
	flags.Var((*formatsValue)(&f.formats), "figures", "the formats of figures in --out, as in svg,png; known: "+strings.Join(figure.Formats(), ", ")+" (default all)")
	flags.Var(&lengthValue{&f.style.Width, func(v vg.Length) figure.Style { return figure.Style{Width: v} }}, "width",
		"how wide figures are, as in 3.25in, 8.5cm, 85mm or 240pt; heights follow, and letters stay readable (default that of each figure)")
	flags.Var(&lengthValue{&f.style.FontSize, func(v vg.Length) figure.Style { return figure.Style{FontSize: v} }}, "font-size",
		"the size of letters in figures, as in 8pt (default 10pt, and 8pt in print, in mono and in figures narrower than 12cm)")
	flags.Var((*lookValue)(&f.style.Look), "style", "what figures are for: "+strings.Join(figure.Looks(), ", ")+"; print has smaller letters and thinner lines, mono is print in greys and dashes")
	completeOne(c, "style", among(selector.Plain(figure.Looks())))
	completeList(c, "figures", among(selector.Plain(figure.Formats())))
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

// formatsValue is a flag that takes formats of figures separated by commas.
type formatsValue []string

func (v *formatsValue) String() string { return strings.Join(*v, ",") }
func (v *formatsValue) Type() string   { return "FORMAT,..." }
func (v *formatsValue) Set(s string) error {
	var formats []string
	for part := range strings.SplitSeq(s, ",") {
		format := strings.ToLower(strings.TrimSpace(part))
		if !slices.Contains(figure.Formats(), format) {
			return selector.UnknownError("format of figures", format, figure.Formats())
		}
		if !slices.Contains(formats, format) {
			formats = append(formats, format)
		}
	}
	*v = formats
	return nil
}

// lengthValue is a flag that takes a length with its unit.
type lengthValue struct {
	to    *vg.Length
	alone func(vg.Length) figure.Style // the style that has only this length, which says whether it can be
}

func (v *lengthValue) String() string {
	if v.to == nil || *v.to == 0 {
		return ""
	}
	return fmt.Sprintf("%gpt", float64(*v.to))
}
func (v *lengthValue) Type() string { return "LENGTH" }
func (v *lengthValue) Set(s string) error {
	length, err := figure.ParseLength(s)
	if err == nil {
		err = v.alone(length).Validate()
	}
	if err == nil {
		*v.to = length
	}
	return err
}

// lookValue is a flag that takes the name of a look.
type lookValue figure.Look

func (v *lookValue) String() string { return figure.Look(*v).String() }
func (v *lookValue) Type() string   { return "STYLE" }
func (v *lookValue) Set(s string) error {
	look, err := figure.ParseLook(s)
	*v = lookValue(look)
	return err
}

// maxToys bounds the number of toys of one command. A sweep takes more.
const maxToys = 100_000

// toyList is a flag that takes selectors of toys with commas between them, and ranges in them, as random:2:{0..99} or random:2:{3,7}. The first time it
// is given it replaces the default, and then it adds to what is there.
type toyList struct {
	toys    *[]string
	changed bool
}

// addToys adds the flag of a list of toys, whose default is what is there.
func addToys(flags *pflag.FlagSet, toys *[]string, usage string) {
	flags.Var(&toyList{toys: toys}, "toy", usage)
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

// Append, Replace and GetSlice make toyList a pflag.SliceValue.
func (l *toyList) Append(toy string) error {
	*l.toys = append(*l.toys, toy)
	return nil
}

func (l *toyList) Replace(toys []string) error {
	*l.toys = toys
	return nil
}

func (l *toyList) GetSlice() []string { return *l.toys }

// conditionsValue is a flag that takes conditions on the columns of a table, separated by commas, and adds to them where it is
// repeated.
type conditionsValue []table.Condition

func (v *conditionsValue) Type() string { return "CONDITIONS" }
func (v *conditionsValue) String() string {
	parts := make([]string, len(*v))
	for i, c := range *v {
		parts[i] = c.String()
	}
	return strings.Join(parts, ",")
}

func (v *conditionsValue) Set(s string) error {
	conditions, err := table.ParseConditions(s)
	if err != nil {
		return err
	}
	*v = append(*v, conditions...)
	return nil
}

// unheld returns an error where conditions were given to a command that shows no table, and nil elsewhere.
func (o *output) unheld() error {
	if len(o.required) > 0 && !o.held {
		return badInput(errors.New("--check-that: this command shows no table whose rows could hold conditions; leave it out"))
	}
	return nil
}
