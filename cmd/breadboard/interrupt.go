package main

import (
	"os"
	"sync"
	"time"
)

const (
	// grace is how long a command has, after the signal to end, to end by itself.
	grace = 700 * time.Millisecond
	// tidying is how long it may then take to remove what the command leaves behind.
	tidying = 100 * time.Millisecond
	// saying is how long it may take to say so: whoever should read standard error may not.
	saying = 50 * time.Millisecond
)

// interruption ends a command within a second of the first signal, and at once at the second: by its context where it
// looks at that, else with the whole program.
type interruption struct {
	signals <-chan os.Signal
	after   func(time.Duration) <-chan time.Time // time.After
	cancel  func()                               // ends the context of the command
	tidy    func()                               // removes what it leaves behind
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
	i.within(tidying, i.tidy) // the disk may not answer
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

// leftovers are what a command leaves behind where the program ends under it: files that are not whole. What is in
// them must be safe to call from any goroutine.
type leftovers struct {
	mu      sync.Mutex
	removal []func()
}

// add has a function called where the program ends before the command.
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
