package browsertest

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "take the pictures of documents anew")

// What all tests of this package share. Each is made at the first call, and every call returns it,
// or why there is none.
var (
	sharedFolder  = sync.OnceValues(makeFolder)
	sharedProgram = sync.OnceValues(buildProgram)
	sharedBrowser = sync.OnceValues(startBrowser)
	sharedBench   = sync.OnceValues(startSharedBench)
	sharedFiles   = sync.OnceValues(serveFiles)
	sharedReport  = sync.OnceValues(makeReport)
)

// atEnd has what ends when all tests have run.
var atEnd endings

// endings are functions that end what tests share, each of which may use what came before it.
type endings struct {
	mu  sync.Mutex
	all []func() error
}

func (e *endings) add(end func() error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all = append(e.all, end)
}

// run calls the functions, the last one first, and reports whether all that they end has ended
// well.
func (e *endings) run() (well bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	well = true
	for _, end := range slices.Backward(e.all) {
		if err := end(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			well = false
		}
	}
	return well
}

// makeFolder makes a folder that goes when all tests have run.
func makeFolder() (string, error) {
	dir, err := os.MkdirTemp("", "browsertest")
	if err == nil {
		atEnd.add(func() error { return os.RemoveAll(dir) })
	}
	return dir, err
}

// TestMain runs the tests, and ends what they share.
func TestMain(m *testing.M) {
	code := m.Run()
	if !atEnd.run() && code == 0 {
		code = 1
	}
	os.Exit(code)
}
