package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"breadboard/grid/longtest"
)

// TestArraysToTerminal: it is refused before anything is computed, unless a folder gets the files.
func TestArraysToTerminal(t *testing.T) {
	longtest.Only(t)
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil || !isTerminal(terminal) {
		t.Skip("no terminal: ", err)
	}
	defer terminal.Close()
	var stderr bytes.Buffer
	code := run(context.Background(), []string{"export", "--toy", "easy", "-T", "1e5"}, terminal, &stderr)
	if code != exitBadInput || stderr.String() !=
		"breadboard: --format npz is nothing for a terminal; send it to a file with > or --out DIR\n" {
		t.Errorf("export: exit code %d, %q", code, stderr.String())
	}
}

// TestProgressEnds: a bar of unknown length, which shows a sign that turns, draws nothing on the
// terminal once the work is done.
func TestProgressEnds(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	terminal, shown := openTerminal(t)
	a := &app{stderr: terminal, getenv: func(string) string { return "" }}
	_, done := a.progress("examining", -1)
	until := func(want string) {
		t.Helper()
		var text string
		if !eventually(func() bool { text += shown(); return strings.Contains(text, want) }) {
			t.Errorf("%q is not shown: %q", want, text)
		}
	}
	until("examining: 0 in ") // bars appear after a second
	done()
	fmt.Fprint(terminal, "ended")
	until("ended")
	time.Sleep(500 * time.Millisecond) // in which nothing is to happen
	if text := shown(); text != "" {
		t.Errorf("%q is drawn after the end", text)
	}
}

// TestPlainTerminal: a terminal that is called dumb, or of the C locale, gets lines of plain
// characters and no bar, and another one both.
func TestPlainTerminal(t *testing.T) {
	terminal, _ := openTerminal(t)
	for _, c := range []struct {
		set   map[string]string
		plain bool
	}{
		{nil, false}, {map[string]string{"TERM": "xterm", "LANG": "C.UTF-8"}, false},
		{map[string]string{"TERM": "dumb", "LANG": "C.UTF-8"}, true},
		{map[string]string{"LANG": "C"}, true}, {map[string]string{"LANG": "C", "LC_ALL": "en_US.UTF-8"},
			false}, {map[string]string{"LC_CTYPE": "POSIX"}, true},
	} {
		a := newApp(context.Background(), nil, terminal, terminal, &leftovers{})
		a.getenv = func(name string) string { return c.set[name] }
		if style := a.tableStyle(); style.ASCII != c.plain {
			t.Errorf("%v: %+v", c.set, style)
		}
		a.stdout = &bytes.Buffer{}
		if a.tableStyle().ASCII {
			t.Errorf("%v: a file has plain characters", c.set)
		}
		a.reader.Programs.Close()
	}
}

// openTerminal returns a terminal, and a function that takes what has been written to it since it
// was last called.
func openTerminal(t *testing.T) (terminal *os.File, shown func() string) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Skip("no terminal: ", err)
	}
	t.Cleanup(func() { master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Skip("no terminal: ", err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Skip("no terminal: ", err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no terminal: ", err)
	}
	t.Cleanup(func() { terminal.Close() })
	return terminal, func() string {
		buffer := make([]byte, 1<<16)
		n, err := syscall.Read(int(master.Fd()), buffer)
		if err != nil {
			return "" // nothing is there to be read
		}
		return string(buffer[:n])
	}
}
