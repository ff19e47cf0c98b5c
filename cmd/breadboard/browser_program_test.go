package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"breadboard/grid/longtest"
)

// moduleFolder is the folder of the module, from that of this package.
const moduleFolder = "../.."

// buildProgram builds breadboard and returns its path. All but the link comes from the cache of the
// go command.
func buildProgram() (string, error) {
	if err := lookAtSources(); err != nil {
		return "", err
	}
	dir := filepath.Join(sharedFolder(), "program")
	// A folder that ends with a separator has the program under its own name, which has an ending
	// on Windows. What only debuggers read is left out, and so is the state of the clone, which
	// takes a run of git.
	build := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o",
		dir+string(filepath.Separator), "breadboard/cmd/breadboard")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(build.Args, " "), err, out)
	}
	return filepath.Join(dir, "breadboard"), nil
}

// lookAtSources reads the folders of the module. The go command keeps the result of tests until
// they change or a file that they have looked at does, and would not know otherwise that these
// depend on the program.
func lookAtSources() error {
	root, err := filepath.Abs(moduleFolder)
	if err != nil {
		return err
	}
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && strings.HasPrefix(entry.Name(), ".") {
			// .git changes with every command of git
			return fs.SkipDir
		}
		return err
	})
}

// breadboard runs a command of the program in a folder, fails the test if the command does, and
// returns what it prints.
func breadboard(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out := longtest.Must(outputOf(dir, args...))(t)
	return out
}

// outputOf runs a command of the program in a folder and returns what it prints.
func outputOf(dir string, args ...string) (string, error) {
	path, err := sharedProgram()
	if err != nil {
		return "", err
	}
	var messages bytes.Buffer
	c := exec.Command(path, args...)
	c.Dir = dir
	c.Stderr = &messages
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("breadboard %s: %w\n%s", strings.Join(args, " "), err, &messages)
	}
	return string(out), nil
}

// server is breadboard serve.
type server struct {
	address  string // the first one that it prints
	process  *exec.Cmd
	messages bytes.Buffer // to be read when it has ended
}

// startServer starts breadboard serve at a free port, and waits for its address.
func startServer(args ...string) (*server, error) {
	path, err := sharedProgram()
	if err != nil {
		return nil, err
	}
	s := &server{process: exec.Command(path, append([]string{"serve", "--port", "0"}, args...)...)}
	endWithTests(s.process)
	s.process.Stderr = &s.messages
	out, err := s.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	mute := time.AfterFunc(longtest.Patience, func() { _ = s.process.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	mute.Stop()
	if err != nil {
		_ = s.process.Process.Kill()
		_ = s.process.Wait()
		return nil, fmt.Errorf("breadboard serve prints no address: %w\n%s", err, &s.messages)
	}
	s.address = strings.TrimSpace(line)
	return s, nil
}

// stop interrupts the server as Ctrl-C does. That it ends otherwise than with exit code 0, or has
// said that anything went wrong inside, is an error.
func (s *server) stop() error {
	if runtime.GOOS == "windows" { // if no process can interrupt another one
		_ = s.process.Process.Kill()
		_ = s.process.Wait()
		return nil
	}
	_ = s.process.Process.Signal(os.Interrupt) // which fails if it has ended already
	hung := time.AfterFunc(longtest.Patience, func() { _ = s.process.Process.Kill() })
	defer hung.Stop()
	if err := s.process.Wait(); err != nil {
		return fmt.Errorf("breadboard serve ends: %w\n%s", err, &s.messages)
	}
	if said := s.messages.String(); strings.Contains(said, "panicked") ||
		!strings.Contains(said, "the bench has ended") {
		return fmt.Errorf("breadboard serve says\n%s", said)
	}
	return nil
}

// startSharedBench starts the server of all tests that need none of their own, which ends when all
// tests have run.
func startSharedBench() (*server, error) {
	s, err := startServer()
	if err == nil {
		atEnd.add(s.stop)
	}
	return s, err
}

// serveAlone starts a server of the test's own, which ends with the test, and returns its address.
func serveAlone(t *testing.T, args ...string) string {
	t.Helper()
	if *inBrowser {
		return servedBench(t)
	}
	s := longtest.Must(startServer(args...))(t)
	t.Cleanup(func() {
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
	return s.address
}

// servedBench returns the address of the server of all tests that need none of their own. It keeps
// nothing between requests.
func servedBench(t *testing.T) string {
	t.Helper()
	if *inBrowser {
		return longtest.Must(sharedFiles())(t)
	}
	s := longtest.Must(sharedBench())(t)
	return s.address
}
