package breadboard

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// otherFlags are the texts of libraries in which flags stand after all, with whose they are.
func otherFlags() map[string]string {
	return map[string]string{
		`experiments/sweep/shard.go: %s is %d; number the tasks from 1, as in --array=1-%d`:                        "a flag of sbatch",
		`experiments/sweep/slurm.go: {sbatch} %s: write an option of sbatch, as in {sbatch=|}--partition=short`:    "a flag of sbatch",
		"experiments/sweep/slurm.go: #SBATCH --array=1-%d\n":                                                       "a script for Slurm",
		"experiments/sweep/slurm.go: #SBATCH --cpus-per-task=%d\n":                                                 "a script for Slurm",
		"experiments/sweep/slurm.go: #SBATCH --requeue\n#SBATCH --open-mode=append\n#SBATCH --signal=B:TERM@120\n": "a script for Slurm",
		`experiments/sweep/slurm.go: exec %s sweep run --out %s --workers %d --shard "$SLURM_ARRAY_TASK_ID/%d"`:    "a script, which calls breadboard",
		`experiments/sweep/slurm.go:  --set %s`:                                                                    "a script, which calls breadboard",
		`experiments/sweep/slurm.go:  --extend`:                                                                    "a script, which calls breadboard",
		"experiments/sweep/slurm.go: exec %s sweep merge --format %s --out %s -- %s > /dev/null\n":                 "a script, which calls breadboard",
		"experiments/sweep/slurm.go: #!/bin/bash\n#SBATCH --job-name=breadboard-%s\n":                              "a script for Slurm",
		"experiments/sweep/slurm.go: #SBATCH --output=\"%s\"\n":                                                    "a script for Slurm",
		`experiments/external/keeper_linux.go: programs can only be ended with all that they start where /proc is that of the own PID namespace: mount it (mount -t proc proc /proc; unshare has --mount-proc for it)`: "a flag of unshare",
	}
}

// TestMessagesNameNoFlags: a library does not know the flags of a command, apart from claims, which are declared by command lines, and from
// programs of the project's own, which call others. Where a message needs an option it is a
// chains.Advice, which the command says in its own words.
func TestMessagesNameNoFlags(t *testing.T) {
	longtest.NotShort(t)
	flag := regexp.MustCompile(`(^|[^-\w])--[a-z]|(^|\s)-T(\s|$)`)
	unused := otherFlags()
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		path = filepath.ToSlash(path)
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "cmd/") || strings.HasPrefix(path, ".ci/") || strings.HasPrefix(path, "experiments/papers/") {
			return err
		}
		for _, text := range textsOf(t, path) {
			at := path + ": " + text
			if _, excused := unused[at]; !excused && flag.MatchString(text) {
				t.Errorf("%s\nnames a flag; write it as chains.NewAdvice, with the option in braces", at)
			}
			delete(unused, at)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for at := range unused {
		t.Errorf("%q is excused and not there", at)
	}
}

// textsOf returns the texts in the code of a file, apart from the help of a study and its examples, which are about its command.
func textsOf(t *testing.T, path string) (texts []string) {
	file := longtest.Must(parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution))(t)
	ast.Inspect(file, func(n ast.Node) bool {
		if pair, is := n.(*ast.KeyValueExpr); is {
			if key, is := pair.Key.(*ast.Ident); is && (key.Name == "Help" || key.Name == "Examples") {
				return false
			}
		}
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		text := longtest.Must(strconv.Unquote(literal.Value))(t)
		texts = append(texts, text)
		return true
	})
	return texts
}
