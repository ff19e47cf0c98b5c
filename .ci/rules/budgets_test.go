package rules

import (
	"fmt"
	"go/build"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// weight is how heavy a room is: tokens of Go without comments, of its code and of its tests, and
// the packages that have tests, each of which is a binary that go test compiles and links.
type weight struct{ code, tests, binaries int }

// TestBudgets: no room is heavier than budgets.txt allows. A commit that raises a line there says
// what is worth it, and what the new code replaces. With -v it prints what every room weighs.
func TestBudgets(t *testing.T) {
	t.Chdir("../..")
	limits := budgets(t)
	weights := map[string]*weight{}
	for room := range limits {
		weights[room] = &weight{}
	}
	tested := map[string]bool{}
	longtest.NoError(t, filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == ".git") {
			return fs.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(file, ".go") {
			return nil
		}
		folder := filepath.ToSlash(filepath.Dir(file))
		room := folder
		for ; weights[room] == nil && room != "."; room = path.Dir(room) {
		}
		w := weights[room]
		if w == nil {
			return fmt.Errorf("%s belongs to no room of budgets.txt: add a line", file)
		}
		tokens, err := tokensOf(file)
		switch {
		case !strings.HasSuffix(file, "_test.go"):
			w.code += tokens
		default:
			w.tests += tokens
			if !tested[folder] && here(file) {
				tested[folder] = true
				w.binaries++
			}
		}
		return err
	}))
	for room, limit := range limits {
		w := weights[room]
		t.Logf("%-24s %8d %8d %4d", room, w.code, w.tests, w.binaries)
		for _, c := range []struct {
			what        string
			is, allowed int
		}{
			{"tokens of code", w.code, limit.code}, {"tokens of tests", w.tests, limit.tests},
			{"test binaries", w.binaries, limit.binaries},
		} {
			if c.is > c.allowed {
				t.Errorf("%s has %d %s; budgets.txt allows %d", room, c.is, c.what, c.allowed)
			}
		}
	}
}

// budgets reads budgets.txt.
func budgets(t *testing.T) map[string]weight {
	t.Helper()
	limits := map[string]weight{}
	for line := range strings.Lines(string(longtest.Must(os.ReadFile(".ci/rules/budgets.txt"))(t))) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var room string
		var w weight
		if _, err := fmt.Sscan(line, &room, &w.code, &w.tests, &w.binaries); err != nil {
			t.Fatalf("budgets.txt: %q: %v", line, err)
		}
		limits[room] = w
	}
	return limits
}

// here reports whether a file is compiled on this system, but for files that need a tag.
func here(file string) bool {
	matched, err := build.Default.MatchFile(filepath.Dir(file), filepath.Base(file))
	return err == nil && matched
}

// tokensOf counts the tokens of a file. Neither long lines nor comments nor semicolons that gofmt
// leaves out change the number.
func tokensOf(file string) (int, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile(file, -1, len(text)), text, nil, 0)
	for n := 0; ; {
		switch _, kind, literal := s.Scan(); {
		case kind == token.EOF:
			return n, nil
		case kind != token.SEMICOLON || literal == ";":
			n++
		}
	}
}
