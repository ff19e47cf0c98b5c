package rules

import (
	"go/ast"
	"go/parser"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"breadboard/grid/longtest"
)

// private are words that readers of the field do not know, or read twice, and what stands instead
// of them. They are looked for in what people read: pages, help, titles, notes and errors.
func private() map[string]string {
	return map[string]string{
		`the paper's [^obc]`:                     "the name, as in Grosse et al. (2016)",
		`[^` + "`" + `]\bours\b[^` + "`" + `]`:   "breadboard",
		`[Ww]hoever|[Nn]obody`:                   "you, no one, or the noun",
		`\bone's own\b`:                          "your own",
		`\bwho has\b`:                            "with",
		`\bit is said\b|\bis told\b`:             "reports, notes",
		`\bpromises too much\b`:                  "is optimistic",
		`\bhas learnt\b`:                         "is stuck",
		`\btests? look at it\b`:                  "is applied",
		`\bin the place of\b`:                    "in place of, instead of",
		`\bexact laws?\b`:                        "exact distribution",
		`\b[Tt]he laws? of (x|the|a|an|log|Z)\b`: "the distribution of",
		`\b(empty|Inf|NaN) where\b`:              "if",
		`\bwhere there (is|are)\b`:               "if there is",
		`\bodds against\b`:                       "relative to the likeliest",
	}
}

// TestPlainWords looks for private words in the README, the pages of help, and texts in the
// program.
func TestPlainWords(t *testing.T) {
	t.Chdir("../..")
	list := map[*regexp.Regexp]string{}
	for words, instead := range private() {
		list[regexp.MustCompile(words)] = instead
	}
	look := func(where, text string) {
		for words, instead := range list {
			if found := words.FindString(text); found != "" {
				t.Errorf("%s: %q; write %s", where, found, instead)
			}
		}
	}
	longtest.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != "." || d.Name() == "testdata"):
			return fs.SkipDir
		case strings.HasSuffix(path, ".md") && path != "CHANGELOG.md":
			for i, line := range strings.Split(string(longtest.Must(os.ReadFile(path))(t)), "\n") {
				look(path+":"+strconv.Itoa(i+1), line)
			}
		}
		return nil
	}))
	for path, file := range outsideTests(t) {
		for _, text := range textsOf(t, file) {
			if strings.Contains(text, " ") {
				look(path, text)
			}
		}
	}
}

// TestCommentsFit: a line that is nothing but a comment has at most 100 columns, a tab counted as
// four. Code and lists in comments, directives, the output of examples and generated files are left
// aside.
func TestCommentsFit(t *testing.T) {
	t.Chdir("../..")
	printed := regexp.MustCompile(`(?i)^//\s*(unordered )?output:`)
	for path := range longtest.Must(parsed())(t) {
		lines := strings.Split(string(longtest.Must(os.ReadFile(path))(t)), "\n")
		file := longtest.Must(
			parser.ParseFile(positions(), path, nil, parser.ParseComments|parser.SkipObjectResolution),
		)(t)
		if ast.IsGenerated(file) {
			continue
		}
		for _, group := range file.Comments {
			for _, c := range group.List {
				at := positions().Position(c.Pos()).Line
				line := strings.ReplaceAll(lines[at-1], "\t", "    ")
				if printed.MatchString(c.Text) {
					break
				}
				if text, is := strings.CutPrefix(c.Text, "// "); is && !strings.HasPrefix(text, " ") &&
					strings.TrimSpace(line) == c.Text &&
					utf8.RuneCountInString(line) > 100 {
					t.Errorf("%s:%d has %d columns", path, at, utf8.RuneCountInString(line))
				}
			}
		}
	}
}
