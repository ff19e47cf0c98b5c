package main

import (
	"slices"
	"strings"
	"testing"

	"breadboard/chains/paths"
	"breadboard/experiments/annealing/subjective"
	"breadboard/experiments/placement"
	"breadboard/experiments/programs"
	"breadboard/grid/longtest"
	"breadboard/reports/table"
	"breadboard/toys"
)

// completions returns what a shell is offered, and the directive that follows it.
func completions(t *testing.T, args ...string) (offered []string, directive string) {
	t.Helper()
	stdout, _ := ok(t, append([]string{"__complete"}, args...)...)
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	for _, line := range lines[:len(lines)-1] {
		text, _, _ := strings.Cut(line, "\t")
		offered = append(offered, text)
	}
	return offered, lines[len(lines)-1]
}

// TestCompletions: what has been typed of a name is completed, behind a comma as well if a flag
// takes several, and no space follows where arguments must.
func TestCompletions(t *testing.T) {
	longtest.Only(t)
	const space, noSpace = ":4", ":6" // cobra's directives: no files, and no files and no space
	for line, want := range map[string]string{
		"tightness --kernel heat":          "heatbath heatbath-axis: heatbath-scan heatbath-zigzag " + space,
		"tightness --kernel heatbath-a":    "heatbath-axis: " + noSpace,
		"tightness --kernel nothing":       noSpace,
		"tightness --kernel ex":            "exact exec: " + space,
		"tightness --schedule f":           "fisher friction file: " + space,
		"tightness --schedule cess":        "cess " + space,
		"tightness --path a":               "arithmetic " + space,
		"tightness --initial t":            "tempered: " + noSpace,
		"tightness --toy easy,ba":          "easy,barrier " + space,
		"kernel check metropolis --toy ha": "hard " + space,
		"kernel check suwa":                "suwa-todo suwa-todo-axis: " + space,
		"kernel check barker heat":         space,
		"toys show easy ha":                space,
		"toys show r":                      "random: rudy: " + noSpace,
		"subjective --reference mode,po":   "mode,point: " + noSpace,
		"schedule compare --schedule linear,": "linear,linear linear,sigmoid linear,power: linear,geometric linear,curve: linear,fisher linear,friction linear,acceptance linear,step-kl linear,cess linear,file: linear,optimal:B linear,optimal:J linear,optimal:kl_q_p linear,optimal:kl_p_q linear,optimal:success linear,optimal:tts " +
			space,
		"schedule optimize --objective kl_q":         "kl_q_p " + space,
		"tightness --format c":                       "csv " + space,
		"sweep plot grid --series T,to":              "T,toy " + space,
		"conform spec --schedule po":                 "power: " + noSpace,
		"conform check task --stdin t":               "transitions " + space,
		"conform check task --claim low":             "lower lower-on-average " + space,
		"conform estimates z.csv --claim law:n":      "law:ns " + space,
		"conform estimates z.csv --claim law:ns:9:s": "law:ns:9:strict " + space,
		"help ma":                                "maths " + space,
		"help sweep":                             "sweep sweeps " + space,
		"help sweep pl":                          "plan plot " + space,
		"help maths x":                           space,
		"conform check ta":                       ":16", // folders alone
		"tightness --kernel lazy:0.5:heatbath-s": "lazy:0.5:heatbath-scan " + space,
		"tightness --kernel mixture:0.5*barker+0.5*f":           "mixture:0.5*barker+0.5*flip " + space,
		"samplers errors --kernel barker,palindrome:flip+mo":    "barker,palindrome:flip+moore " + space,
		"kernel check repeat:3:sux":                             noSpace,
		"kernel check repeat:3:su":                              "repeat:3:suwa-todo repeat:3:suwa-todo-axis: " + space,
		"kernel check lazy:0.5:ex":                              "lazy:0.5:exact " + space, // a kernel within a kernel is one of the library
		"kernel check matrix:testd":                             "matrix:testdata/ " + noSpace,
		"tightness --toy file:testdata/friends_":                "file:testdata/friends_g.csv file:testdata/friends_xy.csv " + space,
		"tightness --toy easy,file:testdata/friends_g":          "easy,file:testdata/friends_g.csv " + space,
		"tightness --toy easy,ising:2x2:1:":                     "easy,ising:2x2:1:torus " + space,
		"toys show mixture:0.5*ea":                              "mixture:0.5*easy " + space,
		"tightness --path via:0.3:testdata/friends_g":           "via:0.3:testdata/friends_g.csv " + space, // before a path is a number
		"tightness --schedule file:testdata/friends_g":          "file:testdata/friends_g.csv " + space,
		"tightness --toy bif:../../toys/networks/testdata/canc": "bif:../../toys/networks/testdata/cancer.bif " + space,
		"tightness --toy file:nowhere/":                         noSpace,
		"conform run task --log":                                "--log-z-included " + space,
	} {
		offered, directive := completions(t, strings.Fields(line)...)
		if got := strings.Join(append(offered, directive), " "); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

// TestEveryFormIsShown: each form stands in the help of its flag and among its completions, and in
// the lists of kernels and schedules; the error of an unknown name has their names.
func TestEveryFormIsShown(t *testing.T) {
	longtest.Only(t)
	help, _ := ok(t, "tightness", "--help")
	targets, _ := ok(t, "toys", "--help")
	start, _ := ok(t, "subjective", "--help")
	common, _ := ok(t, "help", "output")
	kernels, _ := ok(t, "kernel", "list", "--format", "csv")
	families, _ := ok(t, "schedule", "list", "--format", "csv")
	for _, s := range []struct {
		command, flag, shown string
		syntaxes             []string
		names                int
	}{
		{"tightness", "toy", targets, toys.Forms().Listing.Syntaxes(), len(toys.Forms().Listing.Completions())},
		{"tightness", "path", help, paths.Forms().Listing.Syntaxes(), len(paths.Forms().Listing.Completions())},
		{"tightness", "initial", help, toys.InitialForms().Listing.Syntaxes(), len(toys.InitialForms().Listing.Completions())},
		{"tightness", "schedule", families, placement.Forms().Listing.Syntaxes(), len(placement.Forms().Listing.Completions())},
		{"tightness", "kernel", kernels, programs.Forms().Listing.Syntaxes(), len(programs.Forms().Listing.Completions())},
		{"subjective", "reference", start, subjective.ReferenceForms().Listing.Syntaxes(), len(subjective.ReferenceForms().Listing.Completions())},
		{"tightness", "format", common, table.Formats(), len(table.Formats())},
	} {
		offered, _ := completions(t, s.command, "--"+s.flag, "")
		code, _, stderr := command(t, s.command, "--"+s.flag, "zzzzzzzz")
		if code != exitBadInput || len(offered) != s.names || s.names != len(s.syntaxes) {
			t.Errorf("--%s: %d of %d names are offered, exit code %d", s.flag, len(offered), len(s.syntaxes), code)
		}
		for _, syntax := range s.syntaxes {
			name, _, _ := strings.Cut(strings.ReplaceAll(syntax, "[", ""), ":")
			if !strings.Contains(s.shown, syntax) || !strings.Contains(stderr, name) {
				t.Errorf("--%s: %s is not shown, or not in the error %q", s.flag, syntax, stderr)
			}
			if !slices.Contains(offered, name) && !slices.Contains(offered, name+":") {
				t.Errorf("--%s: %s is not completed", s.flag, name)
			}
		}
	}
}
