// Longtests prints which tests the check of a commit runs with -long: those that do nothing without
// it, those that go through a whole list with it, and those that are left out if a tool is missing
// that a newcomer's machine does not have. It prints a pattern for -run, and after it the packages
// that have such tests. All others have run in `go test ./...`; tests that merely try more cases
// with -long are not repeated: run them if you change what they test.
//
//	go run ./.ci/longtests
//
// A test belongs to these if it, or anything that it refers to in the tests and in the packages
// that tests share, asks package longtest for Only or Everything, or skips. Names decide, not
// types: where two things have one name, both are followed, so that a test is rather run once more
// than forgotten.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	tests, err := find(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "longtests:", err)
		os.Exit(1)
	}
	names, packages := map[string]bool{}, map[string]bool{}
	for _, t := range tests {
		names[t.name], packages[t.folder] = true, true
	}
	fmt.Printf("^(%s)$\n%s\n", strings.Join(slices.Sorted(maps.Keys(names)), "|"), strings.Join(slices.Sorted(maps.Keys(packages)), " "))
}

// test is a test, and the folder of its package, which begins with "./".
type test struct{ folder, name string }

// declared is a function, a method or a variable of a package that imports testing or longtest, as
// "package.name".
type declared struct {
	test
	refers map[string]bool // to what, as "package.name"
	asks   bool            // package longtest for Only or Everything, or skips
}

// find returns the tests below a folder that ask package longtest for Only or Everything, or skip.
func find(root string) ([]test, error) {
	all := map[string][]*declared{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil || !slices.ContainsFunc(file.Imports, aboutTests) {
			return err
		}
		own := strings.TrimSuffix(file.Name.Name, "_test")
		if own == "longtest" { // what it is asked decides, not how it answers
			return nil
		}
		for _, d := range file.Decls {
			for name, node := range names(d) {
				r := &declared{test: test{"./" + filepath.ToSlash(filepath.Dir(path)), name}, refers: map[string]bool{}}
				ast.Inspect(node, func(n ast.Node) bool { return r.look(own, n) })
				all[own+"."+name] = append(all[own+"."+name], r)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for changed := true; changed; {
		changed = false
		for _, list := range all {
			for _, r := range list {
				if !r.asks && r.reaches(all) {
					r.asks, changed = true, true
				}
			}
		}
	}
	var tests []test
	for _, list := range all {
		for _, r := range list {
			if r.asks && strings.HasPrefix(r.name, "Test") {
				tests = append(tests, r.test)
			}
		}
	}
	return tests, nil
}

// aboutTests reports whether an import makes a file one for tests.
func aboutTests(s *ast.ImportSpec) bool {
	return s.Path.Value == `"testing"` || strings.HasSuffix(s.Path.Value, `/longtest"`) || strings.HasSuffix(s.Path.Value, `test"`)
}

// names returns what a declaration declares, each with its tree.
func names(d ast.Decl) map[string]ast.Node {
	list := map[string]ast.Node{}
	switch d := d.(type) {
	case *ast.FuncDecl:
		list[d.Name.Name] = d
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if v, ok := s.(*ast.ValueSpec); ok {
				for _, name := range v.Names {
					list[name.Name] = v
				}
			}
		}
	}
	return list
}

// look notes what a node of the tree says, in a package with the given name.
func (r *declared) look(own string, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		r.refers[own+"."+n.Sel.Name] = true // a method
		x, ok := n.X.(*ast.Ident)
		if !ok {
			break
		}
		switch r.refers[x.Name+"."+n.Sel.Name] = true; n.Sel.Name {
		case "Only", "Everything":
			r.asks = r.asks || x.Name == "longtest"
		case "Skip", "Skipf", "SkipNow":
			r.asks = true
		}
	case *ast.Ident:
		r.refers[own+"."+n.Name] = true
	}
	return true
}

// reaches reports whether it refers to what asks.
func (r *declared) reaches(all map[string][]*declared) bool {
	for name := range r.refers {
		if slices.ContainsFunc(all[name], func(other *declared) bool { return other.asks }) {
			return true
		}
	}
	return false
}
