package bench

import (
	"fmt"
	"slices"
	"strings"
)

// program is what a program in Go does that makes the same rows, beside building the annealing.
type program struct {
	imports []string // of the library, beside that of the package experiments
	before  string   // statements in front of it
	run     string   // an expression of ctx and cases that returns rows and an error
	print   string   // statements that print the rows
}

// printReport returns the statements that print the rows of a report as JSON.
func printReport(report string) string {
	return "\tif err := " + report + ".Tables()[0].In(table.JSON).Write(os.Stdout, table.JSON); err != nil {\n\t\tlog.Fatal(err)\n\t}\n"
}

// text returns the whole program. It is to stand in a folder of this module.
func (p program) text(q *question, lengths []int) string {
	if lengths == nil && !q.ownLength {
		lengths = q.selection.Distributions
	}
	var b strings.Builder
	standard := []string{"context", "log"}
	if strings.Contains(p.print, "fmt.") {
		standard = append(standard, "fmt")
	}
	if strings.Contains(p.print, "os.") {
		standard = append(standard, "os")
	}
	b.WriteString("package main\n\nimport (\n")
	imports := func(list []string) {
		slices.Sort(list)
		for _, name := range list {
			fmt.Fprintf(&b, "\t%q\n", name)
		}
	}
	imports(standard)
	b.WriteString("\n")
	imports(append([]string{"breadboard/experiments"}, p.imports...))
	b.WriteString(")\n\nfunc main() {\n\tctx := context.Background()\n\tselection := experiments.Selection{\n")
	fmt.Fprintf(&b, "\t\tToys:          []string{%q},\n", q.toy.Selector())
	if lengths != nil {
		fmt.Fprintf(&b, "\t\tDistributions: []int{%s},\n", strings.ReplaceAll(joined(lengths), ",", ", "))
	}
	for _, field := range [][2]string{{"Path:", "path"}, {"Initial:", "initial"}, {"Schedule:", "schedule"}, {"Kernel:", "kernel"}} {
		fmt.Fprintf(&b, "\t\t%-14s %q,\n", field[0], q.of.Param(field[1]))
	}
	b.WriteString("\t}\n\tcases, err := selection.Cases(ctx)\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n")
	b.WriteString(p.before)
	fmt.Fprintf(&b, "\trows, err := %s\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n%s}\n", p.run, p.print)
	return b.String()
}
