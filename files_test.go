package breadboard

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// readers are the ways to open or to swallow a file of which the caller does not know that it ends.
func readers() []string {
	return []string{
		"os.Open", "os.OpenFile", "os.ReadFile", "os.OpenRoot", "os.OpenInRoot", "os.DirFS", "os.NewFile", "os.Stdin", "os.CopyFS", "os.ReadDir",
		"io.ReadAll", "io.Copy", "io.CopyBuffer", "fs.ReadFile", "fs.ReadDir", "ioutil.",
		"syscall.Open", "unix.Open", "unix.Openat", "windows.Open", "syscall.Mmap", "unix.Mmap",
		"template.ParseFiles", "template.ParseGlob", "npyio.", "npz.",
	}
}

// readersElsewhere are the uses of them outside of chains/selector/files.go, each with why it needs no bound.
func readersElsewhere() map[string]string {
	return map[string]string{
		"experiments/sweep/filesystem.go: os.ReadDir":  "the names in a folder; the system opens nothing else so",
		"experiments/sweep/filesystem.go: os.OpenFile": "opens the sweep's own files to write, without waiting, and refuses what is no regular file",
		"experiments/sweep/filesystem.go: os.Open":     "opens a folder to sync it, and reads nothing",
		"reports/files.go: io.Copy":                    "writes what is in memory",
		"reports/files.go: os.ReadDir":                 "the names in a folder; the system opens nothing else so",
		"reports/record.go: io.Copy":                   "hashes a file that selector.OpenFile has opened, in pieces",
		"cmd/breadboard/completion.go: os.ReadDir":     "the names in a folder; the system opens nothing else so",
		"cmd/breadboard/inputs.go: os.ReadDir":         "the names in a folder; the system opens nothing else so",
		"cmd/breadboard/run.go: os.Stdin":              "samples from a stream, which package files reads in lines of bounded length",
		"reports/bench/file.go: io.ReadAll":            "the body of a request, through http.MaxBytesReader",
		"cmd/breadboard/reproduce.go: fs.ReadFile":     "a file that is embedded in the program",
		"reports/bench/server.go: fs.ReadFile":         "a file that is embedded in the program",
		".ci/release/main.go: os.ReadFile":             "the project's own files, and the programs that it has built",
		".ci/mutate/changes.go: os.ReadFile":           "the project's own source, of which the go command has given the names",

		".ci/wheel/main.go: os.ReadFile": "the project's own files, and the program that has been built",

		"experiments/external/matrix.go: os.ReadDir":        "the names in a folder; the system opens nothing else so",
		"experiments/external/keeper_linux.go: os.ReadFile": "the system's table of processes, which is no file on a disk",
		"experiments/external/keeper_linux.go: os.NewFile":  "the pipes to the process that started the keeper, which carry a line",
		"experiments/external/keeper_linux.go: unix.Open":   "the null device, in place of the keeper's own input and output",
		"experiments/external/runner_linux.go: io.ReadAll":  "a line of the keeper's, through a reader of 4096 bytes",
	}
}

// TestOneReaderOfFiles: files are read through selector.ReadFile and selector.OpenFile, which refuse what may never end.
func TestOneReaderOfFiles(t *testing.T) {
	longtest.NotShort(t)
	const theReader = "chains/selector/files.go"
	unused := readersElsewhere()
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		path = filepath.ToSlash(path)
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil || path == theReader {
			return err
		}
		for _, use := range usesOf(file, readers()) {
			at := path + ": " + use
			if _, excused := readersElsewhere()[at]; !excused {
				t.Errorf("%s: read files through selector.ReadFile or selector.OpenFile, or say in this test why this needs no bound", at)
			}
			delete(unused, at)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for at := range unused {
		t.Errorf("%s is excused and not there", at)
	}
}

// usesOf returns what a file uses of a list of names, whatever it calls the packages. A name that ends in a point is a
// package.
func usesOf(file *ast.File, names []string) (uses []string) {
	packages := map[string]string{} // by their names in the file
	for _, i := range file.Imports {
		path := strings.Trim(i.Path.Value, `"`)
		name := path[strings.LastIndex(path, "/")+1:]
		local := name
		if i.Name != nil {
			local = i.Name.Name
		}
		packages[local] = name
	}
	if _, all := packages["."]; all {
		uses = append(uses, "import .") // what comes from where cannot be seen
	}
	ast.Inspect(file, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if p, ok := s.X.(*ast.Ident); ok && packages[p.Name] != "" {
			name := packages[p.Name] + "." + s.Sel.Name
			if slices.Contains(names, name) || slices.Contains(names, packages[p.Name]+".") {
				uses = append(uses, name)
			}
		}
		return true
	})
	return uses
}

// TestUsesOf: renamed packages are seen through.
func TestUsesOf(t *testing.T) {
	const source = `package p
import ("os"; x "io"; "io/ioutil"; . "fmt")
var _ = []any{os.Open, x.ReadAll, ioutil.Discard, os.Remove}`
	file := longtest.Must(parser.ParseFile(token.NewFileSet(), "p.go", source, 0))(t)
	if got := strings.Join(usesOf(file, readers()), " "); got != "import . os.Open io.ReadAll ioutil.Discard" {
		t.Errorf("uses %s", got)
	}
}
