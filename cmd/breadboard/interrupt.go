package main

import (
	"os"
	"sync"
	"time"
)

const (
	// grace is the time that a command has to end by itself after the signal.
	grace = 700 * time.Millisecond
	// tidying is the time that is then allowed for removing what the command leaves behind.
	tidying = 100 * time.Millisecond
	// saying is the time that is allowed for the message on standard error, whose reader may have stopped reading.
	saying = 50 * time.Millisecond
)

// interruption ends a command within a second of the first signal, and at once at the second. It ends the context of the
// command, and where the command does not look at its context it ends the whole program.
type interruption struct {
	signals <-chan os.Signal
	after   func(time.Duration) <-chan time.Time // is time.After, or in tests a clock of their own
	cancel  func()                               // ends the context of the command
	tidy    func()                               // removes what the command leaves behind
	say     func()                               // says that the command did not end by itself
	exit    func()                               // ends the program
}

// watch answers signals until the command has ended.
func (i interruption) watch(ended <-chan struct{}) {
	select {
	case <-ended:
		return
	case <-i.signals:
	}
	i.cancel()
	select {
	case <-ended:
		return
	case <-i.signals:
	case <-i.after(grace):
	}
	i.within(tidying, i.tidy) // this has a time limit because the disk may not answer
	i.within(saying, i.say)
	i.exit()
}

// within does work, and waits no longer for it than the given time.
func (i interruption) within(limit time.Duration, work func()) {
	done := make(chan struct{})
	go func() { defer close(done); work() }()
	select {
	case <-done:
	case <-i.after(limit):
	}
}

// leftovers holds the functions that remove what a command leaves behind where the program ends before it: files that are not
// whole. The functions must be safe to call from any goroutine.
type leftovers struct {
	mu      sync.Mutex
	removal []func()
}

// add adds a function, which is called where the program ends before the command.
func (l *leftovers) add(remove func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.removal = append(l.removal, remove)
}

// remove calls the functions.
func (l *leftovers) remove() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range l.removal {
		f()
	}
}
