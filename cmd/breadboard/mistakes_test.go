package main

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/experiments/forms"
	"breadboard/experiments/programs"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// TestListOfCommands: the list has a line for each command, which fits a terminal.
func TestListOfCommands(t *testing.T) {
	for _, c := range (&app{}).rootCommand().Commands() {
		if n := len(c.Short); c.IsAvailableCommand() && n > helpWidth-len("  subjective  ") {
			t.Errorf("%s: %q has %d letters, too many for a line", c.Name(), c.Short, n)
		}
	}
}

// TestNamesOfCommands: a command has the name under which it is made alone.
func TestNamesOfCommands(t *testing.T) {
	longtest.Only(t)
	for _, g := range (&app{}).groups() {
		for _, e := range g.commands {
			alone := (&app{args: []string{e.name}}).rootCommand()
			if c, _, err := alone.Find([]string{e.name}); err != nil || c.Name() != e.name {
				t.Errorf("%s is made as %s: %v", e.name, c.Name(), err)
			}
		}
	}
}

// TestWordsAreFlags: whatever option a message of the libraries names is a flag of some command, or
// words of our own.
func TestWordsAreFlags(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	flags := map[string]bool{}
	programs := programs.NewPrograms(context.Background(), programs.DefaultDeadline)
	defer programs.Close()
	each((&app{
		stdout: io.Discard,
		stderr: io.Discard,
		reader: subject.Reader{Forms: forms.All(), Programs: programs},
	}).rootCommand(), func(c *cobra.Command) {
		for _, set := range []*pflag.FlagSet{c.Flags(), c.PersistentFlags()} {
			set.VisitAll(func(f *pflag.Flag) { flags["--"+f.Name], flags["-"+f.Shorthand] = true, true })
		}
	})
	named := namedOptions(t, filepath.Join("..", ".."))
	if len(named) < 10 {
		t.Fatalf("only %d options are named: %v", len(named), named)
	}
	for option, where := range named {
		inWords := inFlags(option)
		first := regexp.MustCompile(`--?[A-Za-z][a-z-]*`).FindString(inWords)
		if !flags[first] {
			t.Errorf("%s names the option %q, which is said as %q: %s is not a flag", where, option, inWords, first)
		}
	}
}

// namedOptions returns the options that messages of the libraries name, with where.
func namedOptions(t *testing.T, root string) map[string]string {
	option := regexp.MustCompile(`\{([A-Za-z][\w -]*)=?(\|[^{}]*)?\}`)
	named := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") ||
			strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !isNote(call.Fun) || len(call.Args) == 0 {
				return true
			}
			if literal, ok := call.Args[0].(*ast.BasicLit); ok {
				if format, err := strconv.Unquote(literal.Value); err == nil {
					for _, m := range option.FindAllStringSubmatch(format, -1) {
						named[m[1]] = path
					}
				}
			}
			return true
		})
		return nil
	})
	longtest.NoError(t, err)
	return named
}

// isNote reports whether a function makes a message that may name options.
func isNote(f ast.Expr) bool {
	name := ""
	switch f := f.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	return name == "New" || name == "NewNote" || name == "note"
}
