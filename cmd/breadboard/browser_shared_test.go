package main

import (
	"fmt"
	"os"
	"slices"
	"sync"
)

// What all tests in a browser share. Each is made at the first call, and every call returns it,
// or why there is none.
var (
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
