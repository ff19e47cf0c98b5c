package rules

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// way is one in which a module of your own comes to import packages of the clone.
type way struct {
	name        string
	steps       []string // with CLONE for the path of the clone
	environment []string
}

// tidied needs no module that the tests of the clone do not need, hence no network: its go.mod has
// all requirements of the clone, as `go mod tidy` would leave it.
func tidied() way {
	return way{
		"tidied",
		[]string{"cp CLONE/go.mod CLONE/go.sum .",
			"go mod edit -module=mine -require=breadboard@v0.0.0 -replace=breadboard=CLONE", "go test .",
			"go run ."},
		[]string{"GOPROXY=off", "GOFLAGS=-mod=mod"},
	}
}

// documented are the two ways that the documents name. They look up modules that nothing of the
// clone is built from, so that they need a module proxy, or a cache that has seen them before.
func documented() []way {
	return []way{
		{"work", []string{"go work init . CLONE", "go vet .", "go test .", "go run ."}, []string{"GOFLAGS="}},
		{"replace", []string{"go mod edit -require=breadboard@v0.0.0 -replace=breadboard=CLONE",
			"cp CLONE/go.sum .", "go mod tidy", "go run ."},
			[]string{"GOFLAGS="}},
	}
}

// TestModule: a module of your own uses the packages from outside the clone, and its tests run
// there.
func TestModule(t *testing.T) {
	t.Chdir("../..")
	longtest.Only(t)
	ways := []way{tidied()}
	if longtest.More() {
		ways = append(ways, documented()...)
	}
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			const want = "J = 0.038466, B = 0.141813 nats"
			if out := w.run(t); !strings.Contains(out, want) {
				t.Errorf("it prints\n%s\nwithout %q", out, want)
			}
		})
	}
}

// run takes the steps in a copy of the example and returns what the last of them prints.
func (w way) run(t *testing.T) string {
	clone, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("exact/examples/module")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "go.work")); err != nil { // it knows the clone by a relative path
		t.Fatal(err)
	}
	var out []byte
	for _, step := range w.steps {
		words := strings.Fields(step)
		for i, word := range words {
			words[i] = strings.ReplaceAll(word, "CLONE", clone)
		}
		c := exec.Command(words[0], words[1:]...)
		c.Dir = dir
		c.Env = append(append(os.Environ(), "GOWORK=", "PWD="+dir), w.environment...)
		out, err = c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", step, err, out)
		}
	}
	return string(out)
}

// TestNothingStray: the top of the tree holds what it is known to hold, and not what a trial left.
func TestNothingStray(t *testing.T) {
	t.Chdir("../..")
	out, err := exec.Command("git", "ls-files", "-z").Output()
	if err != nil {
		t.Skip("this is not a clone")
	}
	known := strings.Fields(".ci .gitignore CHANGELOG.md CITATION.cff CONTRIBUTING.md LICENSE README.md SKILL.md " +
		"chains cmd exact experiments go.mod go.sum grid pyproject.toml python r reports toys")
	for name := range strings.SplitSeq(strings.Trim(string(out), "\x00"), "\x00") {
		top, _, _ := strings.Cut(name, "/")
		if !slices.Contains(known, top) {
			t.Errorf("%s does not belong here", name)
		}
	}
}
