package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains/selector"

	"breadboard/reports/table"
	"breadboard/reports/views"
)

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
