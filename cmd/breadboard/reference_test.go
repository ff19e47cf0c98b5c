package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"breadboard/chains/particle"
	"breadboard/chains/paths"
	"breadboard/chains/selector"
	"breadboard/experiments"
	"breadboard/experiments/aide"
	"breadboard/experiments/evidence"
	"breadboard/experiments/external"
	"breadboard/experiments/placement"
	"breadboard/experiments/subjective"
	"breadboard/grid/longtest"

	"breadboard/reports/views"
	"breadboard/toys"
)

const referenceHead = `# Reference

This page is made from the code: every selector, and every field of every table.

## Selectors

A selector is a name, with arguments behind colons. What stands in [brackets]
may be left out. DIMS are the sides of a grid, as in 9x9.

`

const fieldsHead = `## Fields

JSON, CSV and Parquet have these fields (` + "`--format`" + `); tables for people have
some of them, under other headings. JSON is an array of flat objects. Its
numbers have all their digits, numbers that are not finite are the strings
"+Inf", "-Inf" and "NaN", and a field without a value is null. A field that
stands here and not in the output was not asked for, such as an estimate where
no chains are run.

A number of type float is a double, an int is whole. Where no unit is given it
has none.

`

// TestReference holds the page of reference to the code. With -update it writes it anew.
func TestReference(t *testing.T) {
	const path = "topics/reference.md"
	var b strings.Builder
	b.WriteString(referenceHead)
	writeForms(&b, "Targets", "--toy", toys.Forms())
	writeForms(&b, "Paths", "--path", paths.Forms())
	writeForms(&b, "Starts of a path", "--initial", toys.InitialForms())
	writeForms(&b, "Schedules", "--schedule", placement.Forms())
	writeForms(&b, "Kernels", "--kernel", external.Forms())
	writeForms(&b, "Laws of the start of a sampler", "--start of samplers", experiments.LawForms())
	writeForms(&b, "References of reverse chains", "--reference of subjective", subjective.ReferenceForms())
	writeForms(&b, "Schemes of resampling", "--resample of smc", particle.Forms())
	writeForms(&b, "Algorithms of inference", "--target and --gold of aide", aide.Forms())
	writeForms(&b, "Estimators of the marginal likelihood", "--estimator of evidence", evidence.Forms())
	b.WriteString(fieldsHead)
	titles := map[string]string{} // of the tables that are described, by what is said of them
	for _, s := range views.Schemas() {
		title, fields := titleOf(s), fieldsOf(s)
		fmt.Fprintf(&b, "### %s\n\n", title)
		if same, there := titles[fields]; there {
			fields = "The fields are those of " + same + ".\n\n"
		} else {
			titles[fields] = title
		}
		b.WriteString(fields)
	}
	want := strings.TrimRight(b.String(), "\n") + "\n"
	if *update {
		writeFile(t, path, want)
	}
	got := longtest.Must(os.ReadFile(path))(t)
	if string(got) != want {
		t.Errorf("%s is not what the code says; go test ./cmd/breadboard -run Reference -update writes it anew", path)
	}
}

// writeForms writes the selectors of one kind.
func writeForms[E, T any](b *strings.Builder, title, flag string, set selector.Set[E, T]) {
	flag, where, _ := strings.Cut(flag, " ")
	fmt.Fprintf(b, "### %s\n\n%s\n\n", title, strings.TrimSpace(fmt.Sprintf("`%s` %s", flag, where)))
	for _, f := range set.All() {
		text := f.Doc
		if f.Source != "" {
			text += " (" + f.Source + ")"
		}
		if f.Example != "" && f.Example != f.Syntax {
			text += ", as in `" + f.Example + "`"
		}
		writeItem(b, "`"+f.Syntax+"`", text)
	}
	b.WriteString("\n")
}

// titleOf returns the heading of a table.
func titleOf(s views.Schema) string {
	title := s.Command
	if s.Table != strings.ReplaceAll(s.Command, " ", "_") {
		title += ", table " + s.Table
	}
	if s.Study != "" {
		title += ", study " + s.Study
	}
	return title
}

// fieldsOf returns what is said of the fields of a table.
func fieldsOf(s views.Schema) string {
	var b strings.Builder
	for _, c := range s.Columns {
		kind := string(c.Type)
		if c.Unit != "" {
			kind += ", " + c.Unit
		}
		writeItem(&b, "`"+c.Name+"` ("+kind+")", c.Meaning)
	}
	b.WriteString("\n")
	return b.String()
}

// writeItem writes an item of a list, in lines of at most 79 bytes where its words allow that.
func writeItem(b *strings.Builder, head, text string) {
	line := "- " + head + ":"
	for _, word := range strings.Fields(text) {
		if len(line)+1+len(word) > 79 {
			b.WriteString(line + "\n")
			line = " "
		}
		line += " " + word
	}
	b.WriteString(line + "\n")
}

// TestReferenceSections: every section of the page is found by its heading, names that many share find all of them, and what is no section is
// said to be none.
func TestReferenceSections(t *testing.T) {
	longtest.NotShort(t)
	t.Parallel()
	page := topic{name: referencePage}.text()
	sections := sectionsOf(page)
	for _, s := range sections {
		got, _ := ok(t, append([]string{"help", "reference"}, strings.Fields(s.heading)...)...)
		if !strings.Contains(page, s.text) || !strings.Contains(got, s.text) {
			t.Errorf("%s: %.80q is not the section %.80q", s.heading, got, s.text)
		}
	}
	if got, _ := ok(t, "help", "reference", "samplers"); strings.Count(got, "### ") < 5 {
		t.Errorf("of samplers: %.200q", got)
	}
	if code, _, stderr := command(t, "help", "reference", "sampler"); code != exitBadInput || !strings.Contains(stderr, "breadboard help reference lists them") {
		t.Errorf("half a word: exit code %d, %s", code, stderr)
	}
}
