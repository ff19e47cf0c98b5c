package breadboard

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestModule: a module of one's own uses the packages from outside the clone, without network, in both ways that the documents
// name. Its own test is run with the first.
func TestModule(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	clone, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, way := range []struct {
		name  string
		steps []string // with CLONE for the path of the clone
	}{
		{"work", []string{"go work init . CLONE", "go vet .", "go test .", "go run ."}},
		{"replace", []string{"go mod edit -require=breadboard@v0.0.0 -replace=breadboard=CLONE", "cp CLONE/go.sum .", "go mod tidy", "go run ."}},
	} {
		t.Run(way.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS("exact/examples/module")); err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(filepath.Join(dir, "go.work")); err != nil { // it knows the clone by a relative path
				t.Fatal(err)
			}
			var out []byte
			for _, step := range way.steps {
				words := strings.Fields(step)
				for i, w := range words {
					words[i] = strings.Replace(w, "CLONE", clone, 1)
				}
				c := exec.Command(words[0], words[1:]...)
				c.Dir = dir
				c.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=", "GOWORK=", "PWD="+dir)
				if out, err = c.CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", step, err, out)
				}
			}
			const want = "T =  100: J = 0.002262, B = 0.068345 nats"
			if !strings.Contains(string(out), want) {
				t.Errorf("it prints\n%s\nwithout %q", out, want)
			}
		})
	}
}
