package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"breadboard/grid/longtest"
)

// TestScripts runs the scripts of testdata/script, which are command lines, what they print and how
// they end. Beside the commands of package testscript a line of a script may be
//
//	breadboard ARGUMENTS           the program ends with exit code 0
//	! breadboard ARGUMENTS         it refuses: exit code 2, one line on standard error, no results
//	exits N breadboard ARGUMENTS   it ends with exit code N
//
// and have [long] in front, which only -long runs. $repo is the folder of the module. "exec
// breadboard" is a process of its own, with the standard input that stdin names.
func TestScripts(t *testing.T) {
	t.Parallel()
	self := longtest.Must(os.Executable())(t)
	repo := longtest.Must(filepath.Abs("../.."))(t)
	bin := t.TempDir()
	chains := t.TempDir()
	if longtest.Enabled() {
		drawChains(t, chains)
	}
	longtest.NoError(t, os.Symlink(self, filepath.Join(bin, "breadboard")))
	consoles := make(chan *console, runtime.GOMAXPROCS(0))
	for range cap(consoles) {
		consoles <- startConsole(t, self)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", ContinueOnError: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("repo", repo)
			e.Setenv("chains", chains)
			e.Setenv("testdata", filepath.Join(repo, "cmd/breadboard/testdata"))
			e.Setenv("PATH", bin+string(os.PathListSeparator)+e.Getenv("PATH"))
			e.Setenv(asCommand, "1")
			e.Values["consoles"] = consoles
			return nil
		},
		Condition: func(name string) (bool, error) { return longtest.Enabled(), nil },
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"breadboard": func(s *testscript.TestScript, refused bool, args []string) {
				if !refused {
					runLine(s, exitDone, args)
				} else if got := runLine(s, exitBadInput, args); got.Out != "" ||
					strings.Count(got.Errs, "\n") != 1 {
					s.Fatalf("it refuses in one line, and prints nothing")
				}
			},
			"exits": func(s *testscript.TestScript, _ bool, args []string) {
				code, err := strconv.Atoi(args[0])
				s.Check(err)
				runLine(s, code, args[2:])
			},
		},
	})
}

// question is a command line in a folder, and answer how it ends.
type (
	question struct {
		Dir  string
		Args []string
	}
	answer struct {
		Code      int
		Out, Errs string
	}
)

// console is a process that answers command lines, so that none waits for a program to start. It
// runs each in the folder of its script.
type console struct {
	asks    *json.Encoder
	answers *json.Decoder
}

// startConsole starts a console, which ends with the test.
func startConsole(t *testing.T, self string) *console {
	p := exec.Command(self)
	p.Env = append(os.Environ(), asCommand+"=script")
	in := longtest.Must(p.StdinPipe())(t)
	out := longtest.Must(p.StdoutPipe())(t)
	p.Stderr = os.Stderr
	longtest.NoError(t, p.Start())
	t.Cleanup(func() { _, _ = in.Close(), p.Wait() })
	return &console{json.NewEncoder(in), json.NewDecoder(out)}
}

// runLine runs a command line on a console that is free, and fails the script if it ends with
// another exit code.
func runLine(s *testscript.TestScript, code int, args []string) (got answer) {
	consoles := s.Value("consoles").(chan *console)
	c := <-consoles
	defer func() { consoles <- c }()
	s.Check(c.asks.Encode(question{s.MkAbs("."), args}))
	s.Check(c.answers.Decode(&got))
	_, _ = io.WriteString(s.Stdout(), got.Out)
	_, _ = io.WriteString(s.Stderr(), got.Errs)
	if got.Code != code {
		s.Fatalf("exit code %d", got.Code)
	}
	return got
}

// answerScript is that process.
func answerScript() error {
	asks := json.NewDecoder(os.Stdin)
	answers := json.NewEncoder(os.Stdout)
	for {
		var q question
		if err := asks.Decode(&q); err != nil {
			return err
		}
		if err := os.Chdir(q.Dir); err != nil {
			return err
		}
		var out, errs bytes.Buffer
		code := run(context.Background(), q.Args, &out, &errs)
		if err := answers.Encode(answer{code, out.String(), errs.String()}); err != nil {
			return err
		}
	}
}

// drawChains writes chains that are drawn as the task of barrier:3x3 with three distributions and
// the schedule power:2 says, and single moves of its kernel.
func drawChains(t *testing.T, dir string) {
	of := implement()
	writeFile(t, filepath.Join(dir, "forward.csv"), text(of.forward))
	writeFile(t, filepath.Join(dir, "reverse.csv"), text(of.reverse))
	moves := "beta,from,to\n"
	for i, from := range of.moves.First {
		moves += fmt.Sprintf("1,%d,%d\n", from, of.moves.Last[i])
	}
	writeFile(t, filepath.Join(dir, "moves.csv"), moves)
}
