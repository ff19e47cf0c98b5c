package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains/selector"

	"breadboard/reports/table"
	"breadboard/reports/views"
)

// tableFlags say how tables are written.
type tableFlags struct {
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
	flags.StringSliceVar(&f.columns, "columns", nil, "the columns of tables, in this order, by their names or titles, as in toy,T,J (default all)")
	flags.Var((*digitsValue)(&f.digits), "digits", "the significant digits of numbers in table, markdown and latex (default those of each column)")
	flags.Var((*latexValue)(&f.latex), "latex", "numbers in --format latex: plain as $7.87\\times10^{-5}$, or siunitx with its S columns and \\num; it implies the format")
	completeOne(c, "latex", among(selector.Plain(latexNumbers())))
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
	if !given("columns") && !given("digits") && !given("latex") {
		return nil
	}
	_, command, _ := strings.Cut(c.CommandPath(), " ")
	over := c.Flags().Lookup("over") // with which sweep plot shows a table, whose columns are known when it is made
	shown := over != nil && over.Changed
	if len(views.SchemasOf(command)) == 0 && !shown {
		return fmt.Errorf("%s shows no table, which --columns, --digits and --latex are for", c.CommandPath())
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
		if err := views.CheckColumns(command, format, o.columns); err != nil {
			return fmt.Errorf("--columns: %w", err)
		}
	}
	return nil
}

// tableStyle returns how tables are written. On a terminal they fit its lines, and have colours unless the environment has NO_COLOR
// (no-color.org) or the terminal is a dumb one.
func (a *app) tableStyle() table.Style {
	return table.Style{
		Version: version(), Digits: a.output.digits, SIUnitx: a.output.latex == "siunitx",
		Width: a.width(a.stdout), Colour: a.terminal(a.stdout) && a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb",
	}
}
