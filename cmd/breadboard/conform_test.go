package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"breadboard/chains"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
	"breadboard/experiments/checks/conform"
	"breadboard/experiments/forms"
	"breadboard/grid/longtest"
)

// implemented is a task in a folder, with chains that were drawn as it says.
type implemented struct {
	dir string
	// x_1 and x_2 of chains of two distributions are moves at beta = 1
	forward, reverse, moves *simulate.Batch
}

// implement writes a small task to the folder of all tests and draws chains of it, once for all
// tests.
var implement = sync.OnceValue(func() implemented {
	dir := filepath.Join(sharedFolder(), "task")
	run(context.Background(), strings.Fields(
		"conform spec --toy barrier:3x3 -T 3 --schedule power:2 --out "+dir,
	), io.Discard, io.Discard)
	made := longtest.Sure(conform.ReadTask(context.Background(), dir, forms.Reader()))
	a := made.Case.Annealing()
	two := longtest.Sure(chains.NewAnnealing(a.Path(), schedules.Linear{}, a.Kernel(), 2))
	draw := func(a *chains.Annealing, d chains.Direction) *simulate.Batch {
		return longtest.Sure(simulate.Rows(a, d, simulate.ChainStream(1, "test", d, 0), 4000, nil))
	}
	return implemented{dir, draw(a, chains.Forward), draw(a, chains.Reverse), draw(two, chains.Forward)}
})

// text returns chains as CSV.
func text(b *simulate.Batch) string {
	var s strings.Builder
	s.WriteString("log_w,x_first,x_last\n")
	for i, v := range b.LogW {
		fmt.Fprintf(&s, "%v,%d,%d\n", v, b.First[i], b.Last[i])
	}
	return s.String()
}

// in writes a file into a folder of its own and returns its path.
func in(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	writeFile(t, path, content)
	return path
}

// TestConformStream: after Ctrl-C in the midst of an endless stream what was found in the rows
// until then is printed.
func TestConformStream(t *testing.T) {
	longtest.Only(t)
	of := implement()
	rows := text(of.reverse)
	c := child(t, "conform", "check", of.dir, "--stdin", "reverse", "-v")
	stdin := longtest.Must(c.StdinPipe())(t)
	var out, errs bytes.Buffer
	c.Stdout = &out
	c.Stderr = &errs
	longtest.NoError(t, c.Start())
	_, body, _ := strings.Cut(rows, "\n")
	if _, err := fmt.Fprint(stdin, rows, strings.Repeat(body, 5)); err != nil {
		// a pipe holds less, so that rows have been read
		t.Fatal(err)
	}
	_ = c.Process.Signal(syscall.SIGINT)
	if code := ends(c); code != exitInterrupted || !strings.Contains(out.String(), "reverse outcomes") ||
		!strings.Contains(errs.String(), "interrupted: what follows is about the rows that were read until then") ||
		!strings.Contains(errs.String(), " reverse chains, with") ||
		strings.Contains(errs.String(), byForce) {
		t.Errorf("exit code %d\n%s\n%s", code, out.String(), errs.String())
	}
}

// TestConformRun: a program that draws the chains passes, one with a bug ends with exit code 1 and
// the name of the bug, and so does one that prints what it should not.
func TestConformRun(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3 here")
	}
	longtest.Only(t)
	of := implement()
	program := func(text string) string { return in(t, "my_ais.py", text) }
	right := program(myAIS(t, false))
	bug := program(myAIS(t, true))
	if _, stderr := ok(t, "conform", "run", of.dir, "--most", "1024", "--", "python3", right, "--task",
		of.dir, "--serve"); strings.Contains(stderr,
		"behind --") || !strings.Contains(stderr, "1024 reverse chains") {
		t.Error(stderr)
	}
	junit := filepath.Join(t.TempDir(), "annealing.xml")
	code, stdout, stderr := command(
		t,
		"conform",
		"run",
		of.dir,
		"--junit",
		junit,
		"--",
		"python3",
		bug,
		"--task",
		of.dir,
		"--serve",
	)
	if code != exitFault || !strings.Contains(stdout, "likeliest") ||
		!strings.Contains(stderr, `forward: "proposals off the edge are drawn again" explains what was sent`) ||
		strings.Contains(stderr, " 131072 chains") {
		t.Errorf("exit code %d\n%s\n%s", code, stdout, stderr)
	}
	// each names the bug, and the threshold of the e-value stands once
	failures := string(longtest.Must(os.ReadFile(junit))(t))
	if n := strings.Count(failures, "<failure message="); n == 0 ||
		n != strings.Count(failures,
			"<failure message=\"known mistake &#34;proposals off the edge are drawn again&#34;: after ") ||
		strings.Count(failures, "a fault if the e-value") != 1 {
		t.Error(failures)
	}
	_, _, stderr = command(t, "conform", "run", of.dir, "--", "python3", right, "--task", of.dir, "--out",
		"there", "--columns=3")
	if want := "--out and --columns behind -- go to the program; where breadboard is meant, write them " +
		"before --"; !strings.Contains(stderr, want) {
		t.Errorf("no %q in %s", want, stderr)
	}
	for text, want := range map[string]string{
		"print('hello')":                       `its line "hello" is not understood`,
		"import sys\nsys.exit('it is Monday')": "it is Monday",
		"print('{\"sampler\": \"x\"}', flush=True)\nprint(input())": `is not understood: json: unknown ` +
			`field "direction"`,
		strings.Replace(
			myAIS(t, false),
			`"x_last": [last`,
			`"x_last": [99`,
			1,
		): "x_last[0] is 99, which is outside 0..8",
	} {
		path := program(text)
		exit := exitFault
		if strings.Contains(text, "Monday") || strings.Contains(text, "hello") {
			// it is no sampler: it ends before its first line, or prints another one
			exit = exitBadInput
		}
		code, stdout, stderr := command(t, "conform", "run", of.dir, "--", "python3", path, "--task", of.dir, "--serve")
		// a slow machine may say before that it waits
		if code != exit || stdout != "" || !strings.Contains(stderr, want) ||
			strings.Count("\n"+stderr, "\nbreadboard: ") != 1 {
			t.Errorf("%.40q: exit code %d, no %q in\n%s\n%s", text, code, want, stdout, stderr)
		}
	}
}

// myAIS returns the program that the README calls my_ais.py: the example in plain Python, with or
// without a bug, by which a proposal into a wall is drawn again.
func myAIS(t *testing.T, bug bool) string {
	t.Helper()
	text := longtest.Must(os.ReadFile("../../experiments/checks/conform/examples/ais.py"))(t)
	if !bug {
		return string(text)
	}
	const proposal = "        y = rng.choice(self.neighbours[x])\n"
	if strings.Count(string(text), proposal) != 1 {
		t.Fatal("ais.py has changed; plant the bug in what it is now")
	}
	return strings.Replace(
		string(text),
		proposal,
		"        y = rng.choice([y for y in self.neighbours[x] if y >= 0])\n",
		1,
	)
}
