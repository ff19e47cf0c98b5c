package bench

import (
	"fmt"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments"
)

// line returns the command line that makes the same rows, with flags as words calls them. It is empty where no command makes them, and
// where nobody says how flags are called.
func (a *task) line(q *question, words chains.Words) string {
	if a.command == "" || words == nil {
		return ""
	}
	line := []string{"breadboard", a.command}
	add := func(option, value string) { line = append(line, words(option), selector.ShellQuote(value)) }
	for _, p := range a.options {
		add(p.Name, p.Value)
	}
	for _, p := range q.params() {
		switch {
		case p.Name == "T" && q.ownLength:
		case p.Name == "T" && a.lengths != nil:
			add("T", joined(a.lengths))
		case p.Name == "T":
			add("T", p.Value)
		case p.Name == "toy":
			add("toy", inList(p.Value))
		case p.Value != usual(p.Name, q):
			add(p.Name, p.Value)
		}
	}
	return strings.Join(line, " ")
}

// usual returns the value of a parameter that stands where it is left out.
func usual(name string, q *question) string {
	if name == "initial" {
		return q.toy.DefaultInitial()
	}
	return experiments.Default(name)
}

// inList quotes a selector for a flag that takes a list separated by commas.
func inList(text string) string {
	if strings.ContainsAny(text, ",\"") {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

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

// fields returns the fields of the selection, their values below one another as gofmt has them.
func (p program) fields(q *question, lengths []int) []string {
	width := len("Schedule:")
	list := [][2]string{{"Toys:", fmt.Sprintf("[]string{%q}", q.toy.Selector())}}
	if lengths != nil {
		width = len("Distributions:")
		list = append(list, [2]string{"Distributions:", "[]int{" + strings.ReplaceAll(joined(lengths), ",", ", ") + "}"})
	}
	for _, field := range [][2]string{{"Path:", "path"}, {"Initial:", "initial"}, {"Schedule:", "schedule"}, {"Kernel:", "kernel"}} {
		list = append(list, [2]string{field[0], fmt.Sprintf("%q", q.subject.Param(field[1]))})
	}
	lines := make([]string, len(list))
	for i, field := range list {
		lines[i] = fmt.Sprintf("%-*s %s,", width, field[0], field[1])
	}
	return lines
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
	for _, field := range p.fields(q, lengths) {
		b.WriteString("\t\t" + field + "\n")
	}
	b.WriteString("\t}\n\tcases, err := selection.Cases(ctx)\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n")
	b.WriteString(p.before)
	fmt.Fprintf(&b, "\trows, err := %s\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n%s}\n", p.run, p.print)
	return b.String()
}
