package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// ofBench are the titles of figures that the page in the browser alone shows.
func ofBench() []string { return []string{"Inverse temperatures of the schedule"} }

// TestFiguresPage: the page of figures has every figure that a view or a study declares, and every
// command on it is one of the program.
func TestFiguresPage(t *testing.T) {
	page := string(longtest.Must(os.ReadFile("topics/figures.md"))(t))
	titles := figureTitles(t)
	if len(titles) < 50 {
		t.Fatalf("only %d titles were found: %q", len(titles), titles)
	}
	for _, title := range titles {
		if !strings.Contains(page, title) && !slices.Contains(ofBench(), title) {
			t.Errorf("help figures has no figure %q; add a row with a command that draws it, and then go run ./.ci/dist gallery -update", title)
		}
	}
	root := (&app{}).rootCommand()
	for line := range strings.Lines(page) {
		if words, is := strings.CutPrefix(line, "| `"); is {
			words, _, _ = strings.Cut(words, "`")
			if c, _, err := root.Find(strings.Fields(words)); err != nil || c == root {
				t.Errorf("%s is no command: %v", words, err)
			}
		}
	}
}

// figureTitles returns the titles of all figures that the sources declare, up to what a case is put
// into.
func figureTitles(t *testing.T) (titles []string) {
	t.Helper()
	add := func(of ast.Expr) {
		if text := firstText(of); text != "" {
			text, _, _ = strings.Cut(text, "%")
			text, _, _ = strings.Cut(text, ": ")
			titles = append(titles, strings.NewReplacer("{", "", "}", "").Replace(strings.TrimSuffix(strings.TrimSpace(text), ":")))
		}
	}
	look := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			parts := map[string]ast.Expr{}
			for _, e := range n.Elts {
				if pair, is := e.(*ast.KeyValueExpr); is {
					if key, is := pair.Key.(*ast.Ident); is {
						parts[key.Name] = pair.Value
					}
				}
			}
			if parts["Title"] != nil && (parts["X"] != nil || parts["Draw"] != nil) {
				add(parts["Title"])
			}
		case *ast.CallExpr:
			if f, is := n.Fun.(*ast.SelectorExpr); is && (f.Sel.Name == "Figure" || f.Sel.Name == "Filed") && len(n.Args) > 3 {
				add(n.Args[len(n.Args)-4])
			}
		}
		return true
	}
	for _, folder := range []string{"../../reports/views", "../../experiments"} {
		longtest.NoError(t, filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
				ast.Inspect(longtest.Must(parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution))(t), look)
			}
			return err
		}))
	}
	return titles
}

// firstText returns the text with which an expression of texts begins.
func firstText(of ast.Expr) string {
	switch e := of.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(e.Value)
		return text
	case *ast.BinaryExpr:
		return firstText(e.X)
	case *ast.CallExpr: // fmt.Sprintf
		return firstText(e.Args[0])
	}
	return ""
}
