package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/chains/couplings"
	"breadboard/chains/particle"
	"breadboard/chains/paths"
	"breadboard/chains/selector"
	"breadboard/cmd/catalogue"
	"breadboard/experiments/annealing/subjective"
	"breadboard/experiments/checks/sbc"
	"breadboard/experiments/data/export"
	"breadboard/experiments/forms"
	"breadboard/experiments/marginal/evidence"
	"breadboard/experiments/particles/aide"
	"breadboard/experiments/particles/policy"
	"breadboard/experiments/placement"
	"breadboard/experiments/programs"
	"breadboard/experiments/subject"
	"breadboard/grid"
	"breadboard/grid/longtest"
	module "breadboard/python"
	"breadboard/reports"
	"breadboard/toys"
)

const referenceHead = `# Reference

This page is made from the code: every selector, and every field of every table.

## Selectors

A selector is a name with arguments behind colons; those in [brackets] may be
left out. DIMS are the sides of a grid, as in 9x9; (grid) needs one. GAR is
Grosse, Ancha and Roy 2016, and GGA is Grosse, Ghahramani and Adams 2015. NAME=
in front of a target, path, start, schedule, kernel or policy names it in
tables, figures and files, as in own=file:betas.csv.

`

const fieldsHead = `## Fields

JSON and CSV have these fields (` + "`--format`" + `); tables for people have some of
them, under other headings. JSON is an array of flat objects with all digits of
numbers, the strings "+Inf" and "-Inf", and null without a value. The
output lacks a field that was not asked for, such as an estimate without
chains. A target without an answer has one row, with its name and a note.

Brackets have the type, a double if there is none, and the unit. A number that
is not known is empty, and its meaning or note has the reason. ESS is
the effective sample size, RESS the real one.

`

// TestReference holds the page of reference to the code. With -update it writes it anew.
func TestReference(t *testing.T) {
	const path = "topics/reference.md"
	var b strings.Builder
	b.WriteString(referenceHead)
	writeForms(&b, "Targets", "--toy", forms.All().Targets)
	writeForms(&b, "Paths", "--path", paths.Forms())
	writeForms(&b, "Starts of a path", "--initial", toys.InitialForms())
	writeForms(&b, "Schedules", "--schedule", placement.Forms())
	writeForms(&b, "Kernels", "--kernel", programs.Forms())
	writeForms(&b, "Distributions of the start of a sampler", "--start of samplers", subject.LawForms())
	writeForms(&b, "References of reverse chains", "--reference of subjective, which also takes those above", subjective.ReferenceForms())
	writeForms(&b, "Schemes of resampling", "--resample of smc", particle.Forms())
	writeForms(&b, "Algorithms of inference", "--target and --gold of aide", aide.Forms())
	writeForms(&b, "Estimators of the marginal likelihood", "--estimator of evidence", evidence.Forms())
	writeForms(&b, "Policies", "--policy", policy.Forms())
	writeForms(&b, "Chains over tokens", "--base-chain of policy twist", policy.ChainForms())
	writeForms(&b, "Twists", "--twist of policy twist", policy.TwistForms())
	writeForms(&b, "Samplers of posteriors", "--sampler of sbc", sbc.Forms())
	b.WriteString("### Couplings\n\n`--coupling`\n\n")
	for _, name := range couplings.Names() {
		writeItem(&b, "`"+name+"`", couplings.Doc(name))
	}
	b.WriteString("\n### Arrays\n\n`--arrays` of export\n\n")
	asFields := "" // the arrays that are fields of tightness
	for _, k := range export.Kinds() {
		if strings.HasPrefix(k.Shape, "one ") {
			asFields += ", `" + k.Name + "`"
			continue
		}
		writeItem(&b, fmt.Sprintf("`%s` (%s)", k.Name, k.Shape), k.Doc)
	}
	writeItem(&b, asFields[2:], "the fields of tightness, one text or number each")
	b.WriteString("\n")
	b.WriteString(fieldsHead)
	fmt.Fprintf(&b, "### %s\n\n%s\n", namesHeading, namesText)
	shared := sharedFields()
	where := map[field]string{} // the heading of the section that describes a field
	for _, heading := range []string{annealingHeading, "Shared"} {
		var fields []field
		for f := range shared {
			if slices.Contains(ofAnnealing(), f.name) == (heading == annealingHeading) && f.name != "error" && !f.byName() {
				fields = append(fields, f)
				where[f] = strings.ToLower(heading)
			}
		}
		slices.SortFunc(fields, func(f, g field) int { return strings.Compare(f.name, g.name) })
		fmt.Fprintf(&b, "### %s\n\n", heading)
		writeFields(&b, fields)
		b.WriteString("\n")
	}
	titles := map[string]string{}             // of the tables that are described, by their descriptions
	described := map[string]map[string]bool{} // the names of fields, by the title of their table
	for _, s := range catalogue.Schemas() {
		title := titleOf(s)
		of := studyTitle(s.Study, described)
		if of != "" && len(described["sweep"]) == 0 {
			b.WriteString(mergedText + "\n")
			described["sweep"] = map[string]bool{"error": true}
		}
		start := b.Len()
		fmt.Fprintf(&b, "### %s\n\n", title)
		if same, there := titles[fmt.Sprint(fieldsOf(s))]; there {
			fmt.Fprintf(&b, "The fields are those of %s.\n\n", same)
			continue
		}
		titles[fmt.Sprint(fieldsOf(s))] = title
		described[title] = map[string]bool{}
		var own []field
		names := map[string]string{} // those of fields of other sections, by their headings
		whole := 0                   // how many fields of an annealing there are
		for _, f := range fieldsOf(s) {
			heading, there := where[f]
			if f.byName() {
				heading = strings.ToLower(namesHeading)
				there = true
			}
			if heading == strings.ToLower(annealingHeading) {
				whole++
			}
			switch {
			case of != "" && (described[of][f.name] || described["sweep"][f.name]):
			case there:
				names[heading] += ", `" + f.name + "`"
			default:
				own = append(own, f)
				where[f] = title
			}
			described[title][f.name] = true
		}
		if of == "" && whole == len(ofAnnealing()) {
			names[strings.ToLower(annealingHeading)] = ", all"
		}
		if of != "" && own == nil && len(names) == 0 {
			kept := b.String()[:start]
			b.Reset()
			b.WriteString(strings.Replace(kept, mergedText, mergedText+"- See "+of+": all\n", 1))
			continue
		}
		if of != "" {
			names[of] = ", all"
		}
		writeFields(&b, own)
		for _, heading := range slices.Sorted(maps.Keys(names)) {
			writeItem(&b, "See "+heading, names[heading][2:])
		}
		b.WriteString("\n")
	}
	want := strings.TrimRight(b.String(), "\n") + "\n"
	if *update {
		writeFile(t, path, want)
	}
	got := longtest.Must(os.ReadFile(path))(t)
	if string(got) != want {
		t.Errorf("%s is not what the code says; go test ./cmd/breadboard -run Reference -update writes it anew",
			path)
	}
}

// TestHelpAnswersFirst: what a command does stands in one sentence in front of its usage, and
// each flag stands there once, in lines that fit. No more flags than today are explained, in all
// commands together, and no more are named.
func TestHelpAnswersFirst(t *testing.T) {
	explained := 0
	named := 0
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		for _, below := range c.Commands() {
			visit(below)
		}
		if !c.HasParent() || c.Hidden {
			return
		}
		help := bytes.Buffer{}
		longtest.NoError(t, helpTemplate.Execute(&help, c))
		text := fitLines(help.String(), helpWidth)
		before, _, found := strings.Cut(text, "\nUsage:\n")
		if lines := strings.Count(before, "\n"); !found || lines > 6 {
			t.Errorf("%s has %d lines before its usage:\n%s", c.CommandPath(), lines, before)
		}
		from := strings.Index(text, "\nbreadboard help output explains")
		for _, h := range headings() {
			if at := strings.Index(text, "\n"+h.title+":\n"); at >= 0 {
				from = min(from, at)
			}
		}
		head := text[:from]
		head, _, _ = strings.Cut(head, "\nDetails:\n")
		if lines := strings.Count(head, "\n"); lines > 60 {
			t.Errorf("%s has %d lines before its flags", c.CommandPath(), lines)
		}
		flags, _, _ := strings.Cut(text[from:], "\nDetails:\n")
		for line := range strings.SplitSeq(flags, "\n") {
			if utf8.RuneCountInString(line) > helpWidth && strings.HasPrefix(strings.TrimSpace(line), "-") {
				t.Errorf("%s: a line of a flag is too long: %s", c.CommandPath(), line)
			}
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if aspectOf(f) == ofMany {
				if !strings.Contains(flags, "-"+shortName(f)) {
					t.Errorf("%s does not name --%s", c.CommandPath(), f.Name)
				}
				return
			}
			if f.Name != "help" {
				named++
			}
			if isRare(f) {
				if !strings.Contains(flags, "-"+shortName(f)) {
					t.Errorf("%s does not name --%s", c.CommandPath(), f.Name)
				}
				return
			}
			if n := len(regexp.MustCompile(`(?m)^ {2,6}(-\w, )?--`+f.Name+`\b[^-]`).FindAllString(
				flags,
				-1,
			)); n != 1 && !f.Hidden && f.Name != "help" {
				t.Errorf("%s: --%s stands in %d lines", c.CommandPath(), f.Name, n)
			}
			if f.Name != "help" {
				explained++
			}
		})
	}
	visit((&app{}).rootCommand())
	if explained > 364 || named > 426 {
		t.Errorf("help explains %d flags and names %d, above 363 and 426", explained, named)
	}
}

// TestFirstSentence: abbreviations, brackets and numbers do not end a sentence.
func TestFirstSentence(t *testing.T) {
	for text, want := range map[string][2]string{
		"It does. That too.\n\nMore.":                {"It does.", "That too.\n\nMore."},
		"Of Grosse et al. (2016), B.1 and 3.5 of it": {"Of Grosse et al. (2016), B.1 and 3.5 of it", ""},
		"One.\nTwo.": {"One.", "Two."}, "no stop\n\nMore": {"no stop", "More"}, "": {"", ""},
		"A.": {"A.", ""},
	} {
		if first, rest := firstSentence(text); first != want[0] || rest != want[1] {
			t.Errorf("%q: %q and %q", text, first, rest)
		}
	}
}

// TestOutputPage holds the page about output to the flags that all commands have. With -update it
// writes them anew.
func TestOutputPage(t *testing.T) {
	const path, fence = "topics/output.md", "```text\n"
	page := string(longtest.Must(os.ReadFile(path))(t))
	head, _, _ := strings.Cut(page, fence)
	root := (&app{}).rootCommand()
	many := pflag.NewFlagSet("", pflag.ContinueOnError)
	each(root, func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if aspectOf(f) == ofMany && many.Lookup(f.Name) == nil {
				many.AddFlag(f)
			}
		})
	})
	lines := func(flags *pflag.FlagSet, of aspect) string {
		return strings.TrimRight(fitLines("\n"+flagLines(flags, of, func(*pflag.Flag) bool { return true }), helpWidth), "\n")[1:]
	}
	common := root.PersistentFlags()
	want := head + fence + lines(common, ofOutput) + "\n\nOf many commands:\n" +
		lines(many, ofMany) + "\n```\n"
	if *update {
		writeFile(t, path, want)
		page = want
	}
	if page != want {
		t.Errorf("%s does not have the flags of all commands; go test ./cmd/breadboard -run OutputPage "+
			"-update writes it anew", path)
	}
}

// writeForms writes the selectors of one kind.
func writeForms[E, T any](b *strings.Builder, title, flag string, set selector.Set[E, T]) {
	flag, where, _ := strings.Cut(flag, " ")
	fmt.Fprintf(b, "### %s\n\n%s\n\n", title, strings.TrimSpace(fmt.Sprintf("`%s` %s", flag, where)))
	for _, f := range set.Listing.All() {
		f.Doc = strings.Replace(f.Doc, "; needs a grid", " (grid)", 1)
		text := f.Doc
		if f.Source != "" {
			text += " (" + strings.NewReplacer("Grosse, Ancha and Roy 2016", "GAR",
				"Grosse, Ghahramani and Adams 2015", "GGA").Replace(f.Source) + ")"
		}
		if strings.Count(f.Syntax, ":") > 1 && f.Example != "" {
			text += ", as in `" + f.Example + "`"
		}
		item := strings.Builder{}
		writeItem(&item, "`"+f.Syntax+"`", text)
		if strings.HasSuffix(where, "above") && strings.Contains(b.String(), item.String()) {
			continue
		}
		b.WriteString(item.String())
	}
	b.WriteString("\n")
}

// studyTitle returns the title of the table of a study that is swept; empty if it has none.
func studyTitle(study string, described map[string]map[string]bool) string {
	if described[study] != nil {
		return study
	}
	for title := range described {
		if study != "" && strings.HasSuffix(title, ", table "+study) {
			return title
		}
	}
	return ""
}

// titleOf returns the heading of a table.
func titleOf(s reports.Schema) string {
	title := s.Command
	if s.Table != strings.ReplaceAll(s.Command, " ", "_") {
		title += ", table " + s.Table
	}
	if s.Study != "" {
		title += ", study " + s.Study
	}
	return title
}

// field is what the reference says of a column. Its kind is the type, if that is not float, and the
// unit.
type field struct{ name, kind, meaning string }

// annealingHeading is the heading of the fields that nearly all tables about annealing have.
const annealingHeading = "Annealings"

func ofAnnealing() []string {
	return []string{"toy", "T", "path", "initial", "schedule", "kernel", "note"}
}

const mergedText = `### sweep merge, table sweep

The table of a sweep has the options and the numbers of its study, and:

- ` + "`error`" + ` (string): why the cell failed; empty if it did not
`

// namesHeading is the heading of what the names of fields say.
const namesHeading = "Names"

const namesText = `- X_se: the standard error of X or of its estimate; empty if X is exact
- X_low, X_high: a lower and an upper bound on X
- estimate_X: the estimate of X from simulated runs; empty if none were asked for
- X_estimate, X_bias, X_z: the estimate of X from simulated runs, its bias to
  first order, and its distance from the expectation in standard errors
- X_q05, X_median, X_q95: quantiles of X; of ress and essd those of all chains
- digits_X: the certified decimal digits of X
`

// byName reports whether the name of a field says what it means.
func (f field) byName() bool {
	meaning, condition, _ := strings.Cut(f.meaning, "; empty ")
	for _, rule := range []struct{ before, after, meaning string }{
		{"", "_se", "the standard error of "},
		{"", "_low", "a lower bound on "},
		{"", "_high", "an upper bound on "},
		{"estimate_", "", "the estimate from simulated runs of "},
		{"", "_estimate", "the estimate of "},
		{"", "_bias", "the bias, to first order, of "},
		{"", "_z", "the distance, in standard errors, of "},
		{"digits_", "", "the number of correct decimal digits of "},
	} {
		if of, is := strings.CutPrefix(meaning, rule.meaning); is && f.name == rule.before+of+rule.after &&
			!strings.Contains(condition, ";") {
			return true
		}
	}
	return false
}

// fieldsOf returns the fields of a table.
func fieldsOf(s reports.Schema) (list []field) {
	for _, c := range s.Columns() {
		kind := strings.TrimPrefix(strings.TrimPrefix(string(c.Type)+", "+c.Unit, "float"), ", ")
		meaning := strings.Join(strings.Fields(c.Meaning), " ")
		for _, unknown := range []string{
			"; empty if it is not known", "; empty without an exact method"} {
			meaning = strings.TrimSuffix(meaning, unknown)
		}
		list = append(list, field{c.Name, strings.TrimSuffix(kind, ", "), meaning})
	}
	return list
}

// sharedFields are the fields that tables of three commands or more have; of the meanings of a
// name, the one that most have.
func sharedFields() map[field]bool {
	commands := map[field]map[string]bool{}
	most := map[string]field{}
	for _, s := range catalogue.Schemas() {
		for _, f := range fieldsOf(s) {
			if commands[f] == nil {
				commands[f] = map[string]bool{}
			}
			commands[f][cmp.Or(s.Study, s.Command)] = true
			if n := len(commands[f]); n >= 3 && n > len(commands[most[f.name]]) {
				most[f.name] = f
			}
		}
	}
	shared := map[field]bool{}
	for _, f := range most {
		shared[f] = true
	}
	return shared
}

// writeFields writes an item for each meaning.
func writeFields(b *strings.Builder, fields []field) {
	names := map[field]string{}
	for _, f := range fields {
		names[field{kind: f.kind, meaning: f.meaning}] += ", `" + f.name + "`"
	}
	for _, f := range fields {
		same := field{kind: f.kind, meaning: f.meaning}
		if names[same] == "" {
			continue
		}
		head := names[same][2:]
		if f.kind != "" {
			head += " (" + f.kind + ")"
		}
		writeItem(b, head, f.meaning)
		names[same] = ""
	}
}

// writeItem writes an item of a list, in lines of at most 79 bytes where its words allow that.
func writeItem(b *strings.Builder, head, text string) {
	line := "-"
	for _, word := range strings.Fields(head + ": " + text) {
		if len(line)+1+len(word) > 79 {
			b.WriteString(line + "\n")
			line = " "
		}
		line += " " + word
	}
	b.WriteString(line + "\n")
}

// TestSizes: the page of sizes has the largest number of states. Of each row, the first command is
// refused, and the second one ends.
func TestSizes(t *testing.T) {
	page := pageOf("sizes")
	if limit := fmt.Sprintf("%d states (2^%d)", grid.MaxStates, grid.MaxBits); !strings.Contains(
		strings.ReplaceAll(page, ",", ""),
		limit,
	) {
		t.Errorf("the page has no %s", limit)
	}
	longtest.Only(t)
	rows := regexp.MustCompile("(?m)^\\| `([^`]+ --?[^`]+|network [^`]+)` \\| `([^`]+)` \\|[^|]*\\|$").
		FindAllStringSubmatch(page, -1)
	if len(rows) < 20 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		if code, out, errs := command(t, strings.Fields(row[1])...); code != exitBadInput || out != "" {
			t.Errorf("%s: exit code %d, %s", row[1], code, errs)
		}
		if !longtest.More() { // the largest that are computed take minutes together
			continue
		}
		if code, _, errs := command(t, strings.Fields(row[2])...); code != exitDone {
			t.Errorf("%s: exit code %d, %s", row[2], code, errs)
		}
	}
}

// TestVersionOf: the version has the revision, and says whether files were changed after it.
func TestVersionOf(t *testing.T) {
	const revision = "0123456789abcdef0123456789abcdef01234567"
	for _, c := range []struct{ module, revision, modified, want string }{
		{"(devel)", "", "", "1.2.3"},
		{"", "", "", "1.2.3"},
		{"v1.2.3", "", "", "1.2.3"},
		{"(devel)", revision, "false", "1.2.3 (01234567)"},
		{"v0.0.0-20260102030405-0123456789ab+dirty", revision, "true", "1.2.3 (01234567, modified)"},
		{"v0.0.0-20260102030405-0123456789ab", "", "", "1.2.3 (v0.0.0-20260102030405-0123456789ab)"},
		{"(devel)", "abc", "true", "1.2.3 (abc, modified)"},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: c.module},
			Settings: []debug.BuildSetting{
				{Key: "vcs.revision", Value: c.revision}, {Key: "vcs.modified", Value: c.modified}}}
		if got := versionOf("1.2.3", info); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// TestVersionOfPackage: the program has the version of the module for users of Python.
func TestVersionOfPackage(t *testing.T) {
	if v := module.Version(); !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(v) ||
		!strings.HasPrefix(version(), v) {
		t.Errorf("%q of %q", version(), v)
	}
}
