package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// pkg is what the go command says of a package.
type pkg struct {
	Dir, ImportPath           string
	GoFiles                   []string
	Deps                      []string
	TestGoFiles, XTestGoFiles []string
	TestImports, XTestImports []string
}

// tested reports whether it has tests.
func (p *pkg) tested() bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

// listPackages asks the go command for packages with their files for this system.
func listPackages(ctx context.Context, patterns []string) ([]pkg, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{
		"list", "-json=Dir,ImportPath,GoFiles,Deps,TestGoFiles,XTestGoFiles,TestImports,XTestImports"},
		patterns...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var list []pkg
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
}

// fate is what became of a mutant.
type fate string

const (
	invalid  fate = "invalid" // it did not compile
	noticed  fate = "noticed"
	survived fate = "SURVIVED"
)

// bench builds and tests mutants.
type bench struct {
	dir      string // for the changed files
	module   []pkg
	duration map[testRun]time.Duration // of the tests of a package as it is
	lanes    []bool                    // whether a run has -long, the faster one first
}

// testRun is a run of a package's tests: the default run, which notices most mutants, or the one
// with -long, which decides about those that pass it if it is asked for.
type testRun struct {
	path string
	long bool
}

func newBench(ctx context.Context, long bool) (*bench, error) {
	module, err := listPackages(ctx, []string{"./..."})
	if err != nil {
		return nil, err
	}
	lanes := []bool{false}
	if long {
		lanes = append(lanes, true)
	}
	dir, err := os.MkdirTemp("", "mutate")
	return &bench{dir: dir, module: module, duration: map[testRun]time.Duration{}, lanes: lanes}, err
}

func (b *bench) close() { os.RemoveAll(b.dir) }

// importers returns the packages of the module that have tests and depend on one.
func (b *bench) importers(path string) []string {
	var list []string
	for _, p := range b.module {
		if slices.Contains(p.Deps, path) && p.tested() {
			list = append(list, p.ImportPath)
		}
	}
	return list
}

// testers returns the packages whose tests are those of a package: itself, if it has some, and the
// packages in folders above it whose tests import it.
func (b *bench) testers(p pkg) []string {
	var list []string
	if p.tested() {
		list = append(list, p.ImportPath)
	}
	for _, q := range b.module {
		if strings.HasPrefix(p.ImportPath, q.ImportPath+"/") &&
			slices.Contains(slices.Concat(q.TestImports, q.XTestImports), p.ImportPath) {
			list = append(list, q.ImportPath)
		}
	}
	return list
}

// runs returns those of all packages, the fast ones first.
func (b *bench) runs(packages []string) []testRun {
	var list []testRun
	for _, lane := range b.lanes {
		for _, p := range packages {
			list = append(list, testRun{p, lane})
		}
	}
	return list
}

// measure runs the tests of packages as they are. They must pass, or every mutant would count as
// noticed.
func (b *bench) measure(ctx context.Context, packages []string) error {
	for _, r := range b.runs(packages) {
		if _, known := b.duration[r]; known {
			continue
		}
		started := time.Now()
		if out, err := b.test(ctx, "", r, time.Hour); err != nil {
			return fmt.Errorf("the tests of %s fail on the code as it is: %w\n%s", r.path, err, out)
		}
		b.duration[r] = time.Since(started)
	}
	return nil
}

// memory is how much address space, in kB, a test may take: a mutant may ask for all there is.
const memory = 8_000_000

// test runs the tests of one package, within a time.
func (b *bench) test(ctx context.Context, overlay string, r testRun, limit time.Duration) ([]byte, error) {
	args := []string{
		"test", "-count=1", "-failfast", "-vet=off", "-timeout=" + limit.String(),
		"-exec", fmt.Sprintf(`sh -c 'ulimit -v %d; exec "$0" "$@"'`, memory),
	}
	if overlay != "" {
		args = append(args, "-overlay="+overlay)
	}
	args = append(args, r.path)
	if r.long {
		args = append(args, "-long")
	}
	ctx, cancel := context.WithTimeout(ctx, limit+5*time.Minute) // the build comes on top
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	return cmd.CombinedOutput()
}

// try builds one mutant and runs tests until one fails.
func (b *bench) try(ctx context.Context, m *mutant, packages []string, margin float64) (fate, error) {
	file := filepath.Join(b.dir, "mutant.go")
	overlay := filepath.Join(b.dir, "overlay.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {m.file: file}})
	if err == nil {
		err = os.WriteFile(file, m.changed(), 0o666)
	}
	if err == nil {
		err = os.WriteFile(overlay, replace, 0o666)
	}
	if err != nil {
		return "", err
	}
	for _, r := range b.runs(packages) {
		limit := time.Duration(margin*float64(b.duration[r])) + 20*time.Second
		out, err := b.test(ctx, overlay, r, limit)
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if err == nil {
			continue
		}
		if strings.Contains(string(out), "[build failed]") ||
			strings.Contains(string(out), "[setup failed]") {
			return invalid, nil
		}
		return noticed, nil
	}
	return survived, nil
}
