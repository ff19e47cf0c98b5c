package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"breadboard/grid/longtest"
)

// anchorOf returns the anchor that a viewer of Markdown gives a heading.
func anchorOf(heading string) string {
	kept := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(heading), "")
	return strings.ReplaceAll(strings.TrimSpace(kept), " ", "-")
}

// deadLinks returns the links of a page to files and headings that are not there.
func deadLinks(t *testing.T, file string) (dead []string) {
	page := string(longtest.Must(os.ReadFile(file))(t))
	for _, link := range regexp.MustCompile(`\]\(([^):#]*)(#[^)]+)?\)`).FindAllStringSubmatch(page, -1) {
		path := file
		if link[1] != "" {
			path = filepath.Join(filepath.Dir(file), link[1])
		}
		if _, err := os.Stat(path); err != nil {
			dead = append(dead, link[1])
		} else if link[2] != "" {
			text := string(longtest.Must(os.ReadFile(path))(t))
			if !slices.ContainsFunc(regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1),
				func(h []string) bool { return "#"+anchorOf(h[1]) == link[2] }) {
				dead = append(dead, link[1]+link[2])
			}
		}
	}
	return dead
}

// deadPaths returns the paths of the clone that a page names in its text and that are not there.
func deadPaths(page string) (dead []string) {
	for _, path := range regexp.MustCompile(
		"`((?:experiments|cmd|python|reports|chains|exact|toys|grid|r|\\.ci)/[\\w./-]+)`",
	).
		FindAllStringSubmatch(page, -1) {
		if _, err := os.Stat(filepath.Join("../..", path[1])); err != nil &&
			!strings.Contains(path[1], "GROUP") {
			dead = append(dead, path[1])
		}
	}
	return dead
}

// TestPagesNameWhatIsThere: links of pages lead to files and headings, and named paths exist.
func TestPagesNameWhatIsThere(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "page.md")
	writeFile(t, broken,
		"# A page: it has one\n[here](#a-page-it-has-one) [dead](#a-page) [gone](none.md)\n`cmd/none.go` "+
			"`cmd/breadboard`\n")
	if got := fmt.Sprint(deadLinks(t, broken), deadPaths("`cmd/none.go` `cmd/breadboard`")); got !=
		"[#a-page none.md] [cmd/none.go]" {
		t.Errorf("found %s", got)
	}
	for _, file := range append(longtest.Must(filepath.Glob("topics/*.md"))(t), "../../README.md",
		"../../CONTRIBUTING.md", "../../SKILL.md", "../../python/README.md") {
		page := string(longtest.Must(os.ReadFile(file))(t))
		for _, what := range append(deadLinks(t, file), deadPaths(page)...) {
			t.Errorf("%s: %s is not there", file, what)
		}
	}
}

// TestPagesReadOnce: the text of pages, apart from code and outputs, has none of the phrases that
// readers have to read twice.
func TestPagesReadOnce(t *testing.T) {
	twice := regexp.MustCompile(`(?:[^e]|[^r]e) (?:is|are|was|were) no [a-z]+|\bstands? in\b|\bbehind ` +
		`(?:it|them)\b|\banew\b|\b(?:as|what) it stands\b|\bso many\b`)
	code := regexp.MustCompile("(?s)```.*?```|(?m)^    .*$|\"[^\"\n]*\"")
	if !twice.MatchString("a pass is no proof") || twice.MatchString("there is no proof") {
		t.Error("the phrases are not found")
	}
	for _, file := range append(longtest.Must(filepath.Glob("topics/*.md"))(t), "../../README.md",
		"../../CONTRIBUTING.md", "../../SKILL.md", "../../.ci/paper.md") {
		if filepath.Base(file) == referencePage+".md" {
			continue // it is made from the code
		}
		text := code.ReplaceAllString(string(longtest.Must(os.ReadFile(file))(t)), "")
		for _, phrase := range twice.FindAllString(strings.Join(strings.Fields(text), " "), -1) {
			t.Errorf("%s: %q", file, phrase)
		}
	}
}

// TestExamplesOfHelp: the flags in examples of help exist, and the sweeps in it can be planned.
func TestExamplesOfHelp(t *testing.T) {
	t.Parallel()
	examples := 0
	sweeps := 0
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		for _, line := range strings.Split(c.Example, "\n") {
			if call, is := callOf(strings.TrimSpace(line)); is && !python.MatchString(call) &&
				!asks.MatchString(call) {
				examples++
				call, _, _ = strings.Cut(call, " > ")
				call, _, _ = strings.Cut(call, " | ")
				call, _, _ = strings.Cut(call, " -- ")
				flagsAreRead(t, wordsOf(call))
			}
		}
		for _, block := range regexp.MustCompile(`(?m)^(?:  .*\n)*  \[grid\].*\n(?:  .*\n)*`).FindAllString(
			c.Long+"\n",
			-1,
		) {
			sweeps++
			spec := filepath.Join(t.TempDir(), "grid.toml")
			writeFile(t, spec, strings.ReplaceAll("\n"+block, "\n  ", "\n"))
			ok(t, "sweep", "plan", spec)
		}
		for _, below := range c.Commands() {
			visit(below)
		}
	}
	visit((&app{}).rootCommand())
	if examples < 100 || sweeps < 1 {
		t.Errorf("%d examples and %d sweeps", examples, sweeps)
	}
}

// TestNumbersInPages: numbers of things that pages count, and the names of files that they give.
func TestNumbersInPages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	draws := filepath.Join(dir, "draws.csv")
	random := rand.New(rand.NewPCG(1, 1))
	states := "state\n"
	for range 1000 {
		states += fmt.Sprintln(random.IntN(2))
	}
	writeFile(t, draws, states)
	out, _ := ok(t, "conform", "draws", draws, "--toy", "cells:0:0", "-v", "--format", "csv", "--columns", "verdict")
	if n := strings.Count(out, "note"); n != 9 ||
		!strings.Contains(pageOf("check-draws"), "Nine tests are applied") {
		t.Errorf("check-draws says nine tests, and there are %d", n)
	}
	const figure = "tightness_distributions.svg"
	ok(t, "tightness", "--toy", "barrier", "-T", "50", "--out", dir)
	if _, err := os.Stat(filepath.Join(dir, figure)); err != nil ||
		!strings.Contains(pageOf("output"), figure) {
		t.Errorf("the page output names %s: %v", figure, err)
	}
	concept := string(longtest.Must(os.ReadFile(images + "/concept.svg"))(t))
	row, _ := ok(t, "tightness", "--toy", "cells:0:2.2:3:1:-3:-3.5:-2:1.6:3.4:2:-0.5", "-T", "4", "--columns",
		"J,B", "--format", "csv")
	for _, number := range strings.FieldsFunc(
		strings.TrimPrefix(row, "J,B"),
		func(r rune) bool { return r == ',' || r == '\n' },
	) {
		if rounded := fmt.Sprintf("= %.2f ",
			longtest.Must(strconv.ParseFloat(number, 64))(t)); !strings.Contains(concept, rounded) {
			t.Errorf("the figure of the concept has no %s", rounded)
		}
	}
}
