package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

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
