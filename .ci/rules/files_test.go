package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"breadboard/grid/longtest"
)

// readers are the ways to open or to swallow a file of which the caller does not know that it ends.
func readers() []string {
	return []string{
		"os.Open", "os.OpenFile", "os.ReadFile", "os.OpenRoot", "os.OpenInRoot", "os.DirFS", "os.NewFile",
		"os.Stdin", "os.CopyFS", "os.ReadDir",
		"io.ReadAll", "io.Copy", "io.CopyBuffer", "fs.ReadFile", "fs.ReadDir", "ioutil.",
		"syscall.Open", "unix.Open", "unix.Openat", "windows.Open", "syscall.Mmap", "unix.Mmap",
		"template.ParseFiles", "template.ParseGlob",
	}
}

// readersElsewhere are the uses of them outside of chains/selector/files.go, each with why it needs
// no bound.
func readersElsewhere() map[string]string {
	return map[string]string{
		"experiments/sweeps/sweep/filesystem.go: os.ReadDir": "the names in a folder; the system opens " +
			"nothing else so",
		"experiments/sweeps/sweep/filesystem.go: os.OpenFile": "opens the sweep's own files to write, " +
			"without waiting, and refuses what is no regular file",
		"experiments/sweeps/sweep/filesystem.go: os.Open": "opens a folder to sync it, and reads nothing",
		"reports/files.go: os.OpenFile": "makes a new file of its own, which must " +
			"not be there yet",
		"reports/files.go: os.ReadDir": "the names in a folder; the system opens " +
			"nothing else so",
		"reports/record.go: io.Copy": "hashes a file that selector.OpenFile has " +
			"opened, in pieces",
		"cmd/breadboard/record.go: os.ReadDir": "the names in a folder; the system opens " +
			"nothing else so",
		"cmd/breadboard/main.go: os.Stdin": "a pipe that says when the parent ends, of " +
			"which nothing is kept",
		"cmd/breadboard/main.go: io.Copy": "a pipe that says when the parent ends, of " +
			"which nothing is kept",
		"cmd/breadboard/run.go: os.Stdin": "samples from a stream, which package " +
			"files reads in lines of bounded length",
		"cmd/bench/file.go: io.ReadAll":            "the body of a request, through http.MaxBytesReader",
		"cmd/breadboard/reproduce.go: fs.ReadFile": "a file that is embedded in the program",
		"cmd/bench/server.go: fs.ReadFile":         "a file that is embedded in the program",
		".ci/dist/r.go: os.ReadFile":               "the project's own files",
		".ci/dist/recipe.go: os.ReadFile":          "the archive that it has just written",
		".ci/dist/release.go: os.ReadFile": "the project's own files, and the programs " +
			"that it has built",
		".ci/dist/wheel.go: os.ReadFile": "the project's own files, and the program " +
			"that has been built",
		".ci/dist/page.go: os.ReadFile": "the project's own files, the program that " +
			"has been built, and a file of Go",
		".ci/dist/licences.go: os.ReadFile": "the licences of modules, which the go " +
			"command has loaded",
		".ci/dist/wheel.go: os.DirFS": "the folder that it has just written",
		".ci/dist/page.go: os.CopyFS": "the files of a module, which the go command has loaded",
		".ci/dist/page.go: os.DirFS":  "the files of a module, which the go command has loaded",
		"cmd/breadboard/serve_export.go: os.ReadDir": "the names in a folder; the system opens " +
			"nothing else so",
		"cmd/breadboard/serve_export.go: os.CopyFS": "the page that was installed with the program",
		"cmd/breadboard/serve_export.go: os.DirFS":  "the page that was installed with the program",
		".ci/verdicts/checks.go: os.ReadFile":       "the project's own files",
		".ci/verdicts/main.go: os.ReadFile":         "the project's own files",
		".ci/mutate/changes.go: os.ReadFile": "the project's own source, of which the go " +
			"command has given the names",

		"experiments/programs/stages.go: os.ReadDir": "the names in a folder; the system opens nothing else so",
		"experiments/programs/keeper_linux.go: os.ReadFile": "the system's table of processes, which is " +
			"no file on a disk",
		"cmd/breadboard/memory.go: os.ReadFile": "what the system says of its memory, which " +
			"is no file on a disk",
		"experiments/programs/keeper_linux.go: os.NewFile": "the pipes to the process that started the " +
			"keeper, which carry a line",
		"experiments/programs/keeper_linux.go: unix.Open": "the null device, in place of the keeper's " +
			"own input and output",
		"experiments/programs/runner_linux.go: io.ReadAll": "a line of the keeper's, through a reader of 4096 bytes",
	}
}

// TestOneReaderOfFiles: files are read through selector.ReadFile and selector.OpenFile, which
// refuse what may never end.
func TestOneReaderOfFiles(t *testing.T) {
	t.Chdir("../..")
	oneUserOf(t, readers(), "chains/selector/files.go", readersElsewhere(),
		"read files through selector.ReadFile or selector.OpenFile, or say in this test why this needs no bound")
}

// logarithmsElsewhere are the uses of the standard library's logarithms outside of
// chains/number/log.go, each with why no number below 2^-1022 comes there.
func logarithmsElsewhere() map[string]string {
	return map[string]string{
		"grid/grid.go: math.Log10":             "of a length of a side; grid imports nothing",
		"grid/graph.go: math.Log":              "of a length of a side; grid imports nothing",
		"grid/graph.go: math.Log10":            "of a length of a side; grid imports nothing",
		"grid/quotients/quotient.go: math.Log": "of whole numbers, and of a mantissa; grid imports nothing",
		"grid/quotients/refined.go: math.Log":  "of a number of states; grid imports nothing",

		"experiments/checks/published/gonum/chain.go: math.Log": "of whole numbers, as whoever uses the " +
			"published package would write it",
	}
}

// TestOneLogarithm: logarithms are taken by number.Log and number.Log10, since those of the
// standard library are wrong below 2^-1022. Tests are left aside: theirs are the other route.
func TestOneLogarithm(t *testing.T) {
	t.Chdir("../..")
	oneUserOf(t, []string{"math.Log", "math.Log10"}, "chains/number/log.go", logarithmsElsewhere(),
		"take logarithms by number.Log and number.Log10, or say in this test why no subnormal number comes here")
}

// parsed returns the files of the project's code by their paths, read once for all tests that look
// through them.
var parsed = sync.OnceValues(func() (files map[string]*ast.File, err error) {
	files = map[string]*ast.File{}
	err = filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		files[filepath.ToSlash(path)], err = parser.ParseFile(positions(), path, nil, parser.SkipObjectResolution)
		return err
	})
	return files, err
})

// positions has the lines of all that parsed reads.
var positions = sync.OnceValue(token.NewFileSet)

// outsideTests returns those of the parsed files that are no tests, in the order of their paths.
func outsideTests(t *testing.T) iter.Seq2[string, *ast.File] {
	files := longtest.Must(parsed())(t)
	return func(yield func(string, *ast.File) bool) {
		for _, path := range slices.Sorted(maps.Keys(files)) {
			if !strings.HasSuffix(path, "_test.go") && !yield(path, files[path]) {
				return
			}
		}
	}
}

// oneUserOf fails if a file outside of tests, other than the one file that may, uses one of these
// names without an excuse, and where an excuse is not needed.
func oneUserOf(t *testing.T, names []string, theFile string, excuses map[string]string, cure string) {
	t.Helper()
	unused := maps.Clone(excuses)
	for path, file := range outsideTests(t) {
		if path == theFile {
			continue
		}
		for _, use := range usesOf(file, names) {
			at := path + ": " + use
			if _, excused := excuses[at]; !excused {
				t.Errorf("%s: %s", at, cure)
			}
			delete(unused, at)
		}
	}
	for at := range unused {
		t.Errorf("%s is excused and not there", at)
	}
}

// TestNoContextInStructs: a context is handed on as the first argument of a call.
func TestNoContextInStructs(t *testing.T) {
	t.Chdir("../..")
	for path, file := range outsideTests(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			if s, is := n.(*ast.StructType); is && !strings.HasPrefix(path, "grid/longtest/") {
				for _, f := range s.Fields.List {
					if types.ExprString(f.Type) == "context.Context" {
						t.Errorf("%s: a struct holds a context; hand it on as the first argument", path)
					}
				}
			}
			return true
		})
	}
}

// usesOf returns what a file uses of a list of names, whatever it calls the packages. A name that
// ends in a point is a package.
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
	t.Chdir("../..")
	const source = `package p
import ("os"; x "io"; "io/ioutil"; . "fmt")
var _ = []any{os.Open, x.ReadAll, ioutil.Discard, os.Remove}`
	file := longtest.Must(parser.ParseFile(token.NewFileSet(), "p.go", source, 0))(t)
	if got := strings.Join(usesOf(file, readers()), " "); got != "import . os.Open io.ReadAll ioutil.Discard" {
		t.Errorf("uses %s", got)
	}
}

// otherFlags are the texts of libraries in which flags stand after all, with whose they are.
func otherFlags() map[string]string {
	return map[string]string{
		`experiments/sweeps/sweep/spec.go: a sweep identifies its cells by their parameters, including ` +
			`the size, so it cannot search for a size; use a loop, as in for k in metropolis heatbath; do breadboard ` +
			`tightness --kernel $k --until "J<0.01" --format csv; done, or give a grid of sizes, as T = ` +
			`{logspace = [10, 1e5, 9]}`: "a script, which calls breadboard",
		`experiments/sweeps/sweep/shard.go: %s is %d; number the tasks from 1, as in --array=1-%d`: "a flag of sbatch",
		`experiments/sweeps/sweep/slurm.go: {sbatch} %s: write an option of sbatch, as in ` +
			`{sbatch=|}--partition=short`: "a flag of sbatch",
		"experiments/sweeps/sweep/slurm.go: #SBATCH --array=1-%d\n":       "a script for Slurm",
		"experiments/sweeps/sweep/slurm.go: #SBATCH --cpus-per-task=%d\n": "a script for Slurm",
		"experiments/sweeps/sweep/slurm.go: #SBATCH --requeue\n#SBATCH --open-mode=append\n#SBATCH " +
			"--signal=B:TERM@120\n": "a script for Slurm",
		`experiments/sweeps/sweep/slurm.go: exec %s sweep run --out %s --workers %d --shard ` +
			`"$SLURM_ARRAY_TASK_ID/%d"`: "a script, which calls breadboard",
		`experiments/sweeps/sweep/slurm.go:  --set %s`:                                                    "a script, which calls breadboard",
		`experiments/sweeps/sweep/slurm.go:  --extend`:                                                    "a script, which calls breadboard",
		"experiments/sweeps/sweep/slurm.go: exec %s sweep merge --format %s --out %s -- %s > /dev/null\n": "a script, which calls breadboard",
		"experiments/sweeps/sweep/slurm.go: #!/bin/bash\n#SBATCH --job-name=breadboard-%s\n":              "a script for Slurm",
		"experiments/sweeps/sweep/slurm.go: #SBATCH --output=\"%s\"\n":                                    "a script for Slurm",
		`experiments/programs/keeper_linux.go: ending programs with all their children needs the /proc of ` +
			`the own PID namespace: mount it (mount -t proc proc /proc; unshare has --mount-proc for it)`: "a flag of unshare",
	}
}

// TestMessagesNameNoFlags: a library does not know the flags of a command, apart from claims, which
// are declared by command lines, and from programs of the project's own, which call others. Where a
// message needs an option it is an errs.Advice, which the command says in its own words.
func TestMessagesNameNoFlags(t *testing.T) {
	t.Chdir("../..")
	flag := regexp.MustCompile(`(^|[^-\w])--[a-z]|(^|\s)-T(\s|$)`)
	unused := otherFlags()
	for path, file := range outsideTests(t) {
		if strings.HasPrefix(path, "cmd/") || strings.HasPrefix(path, ".ci/") ||
			strings.HasPrefix(path, "experiments/checks/reproduce/") {
			continue
		}
		for _, text := range textsOf(t, file, "Help", "Examples", "Sizes", "Specs", "Smaller") {
			at := path + ": " + text
			if _, excused := unused[at]; !excused && flag.MatchString(text) {
				t.Errorf("%s\nnames a flag; write it as errs.New, with the option in braces", at)
			}
			delete(unused, at)
		}
	}
	for at := range unused {
		t.Errorf("%q is excused and not there", at)
	}
}

// textsOf returns the texts in the code of a file, apart from the help of a study or of a kind of
// checked samplers and its examples, which are about its command.
func textsOf(t *testing.T, file *ast.File, but ...string) (texts []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		if pair, is := n.(*ast.KeyValueExpr); is {
			if key, is := pair.Key.(*ast.Ident); is && slices.Contains(but, key.Name) {
				return false
			}
		}
		e, is := n.(ast.Expr)
		if !is {
			return true
		}
		text, is := textOf(t, e)
		if is {
			texts = append(texts, text)
		}
		return !is
	})
	return texts
}

// textOf returns the text of a literal, or of a sum of literals.
func textOf(t *testing.T, e ast.Expr) (text string, is bool) {
	t.Helper()
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			return longtest.Must(strconv.Unquote(e.Value))(t), true
		}
	case *ast.BinaryExpr:
		left, is := textOf(t, e.X)
		right, too := textOf(t, e.Y)
		return left + right, is && too && e.Op == token.ADD
	}
	return "", false
}

// TestMustIsHandedOn: longtest.Must alone checks nothing, as it returns what checks; where only the
// error matters longtest.NoError is meant.
func TestMustIsHandedOn(t *testing.T) {
	t.Chdir("../..")
	idle := func(set *token.FileSet, file *ast.File) (lines []int) {
		ast.Inspect(file, func(n ast.Node) bool {
			statement, is := n.(*ast.ExprStmt)
			if !is {
				return true
			}
			if call, is := statement.X.(*ast.CallExpr); is {
				if f, is := call.Fun.(*ast.SelectorExpr); is && f.Sel.Name == "Must" {
					lines = append(lines, set.Position(n.Pos()).Line)
				}
			}
			return true
		})
		return lines
	}
	set := token.NewFileSet()
	sample := longtest.Must(parser.ParseFile(
		set,
		"p.go",
		"package p\nfunc f() {\n\tlongtest.Must(t, err)\n\tlongtest.Must(1, err)(t)\n}\n",
		0,
	))(t)
	if got := idle(set, sample); !slices.Equal(got, []int{3}) {
		t.Errorf("lines %v, want 3", got)
	}
	for path, file := range longtest.Must(parsed())(t) {
		for _, line := range idle(positions(), file) {
			t.Errorf("%s:%d: Must checks nothing by itself; write longtest.NoError(t, err)", path, line)
		}
	}
}

// TestContributingNamesFiles: the files of which CONTRIBUTING.md speaks are there, but for those
// that its reader makes.
func TestContributingNamesFiles(t *testing.T) {
	t.Chdir("../..")
	var paths []string
	longtest.NoError(t, filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		paths = append(paths, "/"+filepath.ToSlash(path))
		return err
	}))
	named := regexp.MustCompile("`([\\w./]+\\.(?:go|py|js|css|html|tmpl|json))`")
	for _, m := range named.FindAllStringSubmatch(string(longtest.Must(os.ReadFile("CONTRIBUTING.md"))(t)), -1) {
		name := m[1]
		if strings.Contains(name, "NAME") || strings.Contains(name, "FORMAT") || name == "my_ais.py" {
			continue
		}
		if !slices.ContainsFunc(paths, func(path string) bool { return strings.HasSuffix(path, "/"+name) }) {
			t.Errorf("CONTRIBUTING.md names %s, which is not there", name)
		}
	}
}
