package bench

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"breadboard/chains/selector"
	"breadboard/experiments/subject"
)

// commandLine returns the command line that makes the same rows. It is empty if no command makes
// them.
func (a *task) commandLine(q *question) string {
	if a.command == "" {
		return ""
	}
	line := []string{"breadboard", a.command}
	add := func(option, value string) { line = append(line, flag(option, value)) }
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
			add("toy", selector.InList(p.Value))
		case p.Value != usual(p.Name, q):
			add(p.Name, p.Value)
		}
	}
	return strings.Join(line, " ")
}

// flag returns an option of a command line with its value.
func flag(option, value string) string {
	dashes := "--"
	if len(option) == 1 {
		dashes = "-"
	}
	return dashes + option + " " + selector.ShellQuote(value)
}

// usual returns the value of a parameter that stands where it is left out.
func usual(name string, q *question) string {
	if name == "initial" {
		return q.toy.DefaultInitial()
	}
	return subject.Default(name)
}

// program is what a program in Go does that makes the same rows, beside building the annealing.
type program struct {
	before string // statements in front of it
	run    string // an expression of ctx and cases that returns rows and an error
	// an expression of rows that is their report, which the program prints as JSON; empty if print
	// prints the rows
	report string
	print  string // statements that print the rows
}

// packages are those of the library and the standard library that programs may use.
func packages() []string {
	return []string{
		"context", "fmt", "log", "os", "breadboard/experiments/annealing/gap",
		"breadboard/experiments/annealing/schedule",
		"breadboard/experiments/annealing/tightness", "breadboard/experiments/annealing/weights",
		"breadboard/experiments/checks/kernel",
		"breadboard/experiments/forms", "breadboard/experiments/study", "breadboard/experiments/subject",
		"breadboard/reports/table", "breadboard/cmd/catalogue",
	}
}

// fields returns the fields of the selection, their values below one another as gofmt has them.
func (p program) fields(q *question, lengths []int) (fields string) {
	list := [][2]string{{"Reader:", "forms.Reader()"}, {"Toys:", fmt.Sprintf("[]string{%q}", q.toy.Selector())}}
	width := len("Schedule:")
	if lengths != nil {
		width = len("Distributions:")
		list = append(list,
			[2]string{"Distributions:", "[]int{" + strings.ReplaceAll(joined(lengths), ",", ", ") + "}"})
	}
	for _, name := range []string{"Path", "Initial", "Schedule", "Kernel"} {
		list = append(list, [2]string{name + ":", fmt.Sprintf("%q", q.subject.Param(strings.ToLower(name)))})
	}
	for _, field := range list {
		fields += fmt.Sprintf("\t\t%-*s %s,\n", width, field[0], field[1])
	}
	return fields
}

// text returns the whole program. It is to stand in a folder of this module.
func (p program) text(q *question, lengths []int) string {
	if lengths == nil && !q.ownLength {
		lengths = q.selection.Distributions
	}
	const orStop = "\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n"
	print := p.print
	if p.report != "" {
		print = "\tif err := " + p.report +
			".Tables()[0].In(table.JSON).Write(os.Stdout, table.JSON); err != nil {\n\t\tlog.Fatal(err)\n\t}\n"
	}
	body := "func main() {\n\tctx := context.Background()\n\tselection := subject.Selection{\n" +
		p.fields(q, lengths) +
		"\t}\n\tcases, err := selection.Cases(ctx)\n" + orStop + p.before + "\trows, err := " + p.run +
		"\n" + orStop + print + "}\n"
	// without what selectors have in them
	code := regexp.MustCompile(`"(?:[^"\\]|\\.)*"`).ReplaceAllString(body, "")
	var standard, library strings.Builder
	for _, name := range packages() {
		imports := &standard
		if strings.Contains(name, "/") {
			imports = &library
		}
		if regexp.MustCompile(`\b` + path.Base(name) + `\.`).MatchString(code) {
			fmt.Fprintf(imports, "\t%q\n", name)
		}
	}
	return "package main\n\nimport (\n" + standard.String() + "\n" + library.String() + ")\n\n" + body
}
