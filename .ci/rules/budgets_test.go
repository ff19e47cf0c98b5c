package rules

import (
	"bytes"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// weight is how heavy a room is: tokens without comments, of its code and of its tests.
type weight struct{ code, tests int }

// TestBudgets: no room is heavier than budgets.txt allows. A commit that raises a line there says
// what is worth it, and what the new code replaces. With -v it prints what every room weighs.
func TestBudgets(t *testing.T) {
	t.Chdir("../..")
	limits := budgets(t)
	weights := map[string]*weight{}
	for room := range limits {
		weights[room] = &weight{}
	}
	longtest.NoError(t, filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{"testdata", "node_modules", ".git"}, entry.Name()):
			return fs.SkipDir
		case !entry.Type().IsRegular():
			return nil
		}
		count := counterOf(file)
		if count == nil {
			return nil
		}
		room := filepath.ToSlash(filepath.Dir(file))
		for ; weights[room] == nil && room != "."; room = path.Dir(room) {
		}
		w := weights[room]
		if w == nil {
			return fmt.Errorf("%s belongs to no room of budgets.txt: add a line", file)
		}
		text, err := os.ReadFile(file)
		if isTest.MatchString(filepath.ToSlash(file)) {
			w.tests += count(text)
		} else {
			w.code += count(text)
		}
		return err
	}))
	for room, limit := range limits {
		w := weights[room]
		t.Logf("%-24s %8d %8d", room, w.code, w.tests)
		for _, c := range []struct {
			what        string
			is, allowed int
		}{{"tokens of code", w.code, limit.code}, {"tokens of tests", w.tests, limit.tests}} {
			if c.is > c.allowed {
				t.Errorf("%s has %d %s; budgets.txt allows %d", room, c.is, c.what, c.allowed)
			}
		}
	}
}

// budgets reads the rooms of budgets.txt.
func budgets(t *testing.T) map[string]weight {
	t.Helper()
	limits := map[string]weight{}
	for line := range strings.Lines(string(longtest.Must(os.ReadFile(".ci/rules/budgets.txt"))(t))) {
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "newcomer ") {
			continue
		}
		var room string
		var w weight
		if _, err := fmt.Sscan(line, &room, &w.code, &w.tests); err != nil {
			t.Fatalf("budgets.txt: %q: %v", line, err)
		}
		limits[room] = w
	}
	return limits
}

// isTest matches the paths of files that are tests, in every language.
var isTest = regexp.MustCompile(`_test\.go$|(^|/)test_[^/]*\.py$|^r/tests/|-test$`)

// counterOf returns what counts the tokens of a file, or nil if the file is no code. A script has a
// known ending, or stands in .ci without one.
func counterOf(file string) func([]byte) int {
	switch ending := filepath.Ext(file); {
	case ending == ".go":
		return tokensOfGo
	case ending == ".js":
		return func(text []byte) int { return tokensOfScript(text, "//") }
	case ending == ".py", ending == ".R", ending == ".sh",
		ending == "" && filepath.ToSlash(filepath.Dir(file)) == ".ci":
		return func(text []byte) int { return tokensOfScript(text, "#") }
	}
	return nil
}

// word is a token of a script: a word, a number or a sign. A string has as many tokens as it has
// words and signs.
var word = regexp.MustCompile(`[\pL\pN_]+|[^\pL\pN_\s]`)

// tokensOfScript counts the words and signs of a script but in lines of comments.
func tokensOfScript(text []byte, comment string) (n int) {
	for line := range bytes.Lines(text) {
		if !bytes.HasPrefix(bytes.TrimSpace(line), []byte(comment)) {
			n += len(word.FindAll(line, -1))
		}
	}
	return n
}

// tokensOfGo counts the tokens of a file of Go. Neither long lines nor comments nor semicolons that
// gofmt leaves out change the number.
func tokensOfGo(text []byte) int {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(text)), text, nil, 0)
	for n := 0; ; {
		switch _, kind, literal := s.Scan(); {
		case kind == token.EOF:
			return n
		case kind != token.SEMICOLON || literal == ";":
			n++
		}
	}
}
