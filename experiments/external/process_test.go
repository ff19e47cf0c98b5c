package external

import (
	"bufio"
	"context"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"pgregory.net/rapid"

	"breadboard/grid/longtest"
)

// TestEndedProcessesAreForgotten: the run's context does not hold on to a process that has been closed, of which a program
// that is started again and again has many.
func TestEndedProcessesAreForgotten(t *testing.T) {
	longtest.NotShort(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	const n = 3
	gone := make(chan int, n)
	for i := range n {
		p := longtest.Must(startProcess(ctx, command{"mute", []string{os.Args[0], "program", "mute"}}, DefaultDeadline, DefaultDeadline, maxLine, &meter{}))(t)
		runtime.AddCleanup(p, func(i int) { gone <- i }, i)
		p.close()
	}
	deadline := time.After(longtest.Patience)
	for left := n; left > 0; {
		runtime.GC()
		select {
		case <-gone:
			left--
		case <-deadline:
			t.Fatalf("%d of %d closed processes are still held", left, n)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// TestMissingProgram: a command that the system does not start says what to look at.
func TestMissingProgram(t *testing.T) {
	for _, name := range []string{"/no/such/program", "no-such-program-anywhere"} {
		_, err := startProcess(context.Background(), command{name, []string{name}}, DefaultDeadline, DefaultDeadline, maxLine, &meter{})
		if err == nil || !strings.Contains(err.Error(), "check the path") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLastWords: the end of a traceback can be read in one line, is not long, and has nothing that a terminal obeys.
func TestLastWords(t *testing.T) {
	traceback := strings.Repeat("  File \"kernel.py\", line 3, in serve\n    answer(request)\n    ^^^^~~~~^^^^^^^\n", 9) +
		"  File \"kernel.py\", line 13, in move\n    d = logff[y]\n        ^^^^^\nNameError: name 'logff' is not defined\n"
	for _, c := range []struct{ written, want string }{
		{"", `""`},
		{"\n ^^^ \n", `""`},
		{"the last words\n", `"the last words"`},
		{"one\r\ntwo", `"one | two"`},
		{traceback[len(traceback)-120:], `"File "kernel.py", line 13, in move | d = logff[y] | NameError: name 'logff' is not defined"`},
		{"a\x1b[2Jb \"c\"", `"a\x1b[2Jb \"c\""`},
		{strings.Repeat("é", 1<<10), `"` + strings.Repeat("é", mostQuoted/2) + `"`},
	} {
		if got := quotedLine(lastWords(c.written)); got != c.want {
			t.Errorf("%q: %s, want %s", c.written, got, c.want)
		}
	}
	if got := lastWords(traceback); len(got) > mostQuoted+3 || !strings.HasSuffix(got, "in move | d = logff[y] | NameError: name 'logff' is not defined") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
}

// TestReadLine: lines are cut as bufio.Scanner cuts them, whatever their lengths are and in whatever pieces they come.
func TestReadLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"\n", "\r", "a", "bc", strings.Repeat("d", 20), strings.Repeat("e", 79), strings.Repeat("f", 80), "g"})).Draw(t, "text"), "")
		const longest = 80
		plain := bufio.NewScanner(strings.NewReader(text))
		plain.Buffer(nil, longest+1)
		in := bufio.NewReaderSize(iotest.HalfReader(strings.NewReader(text)), 16)
		for plain.Scan() {
			if line, err := readLine(in, longest); err != nil || string(line) != plain.Text() {
				t.Fatalf("%q, %v; want %q", line, err, plain.Text())
			}
		}
		want := plain.Err()
		if want == nil {
			want = io.EOF
		}
		if line, err := readLine(in, longest); err != want {
			t.Fatalf("%q, %v; want %v", line, err, want)
		}
	})
}

// TestFirstLine: a program has time of its own for its first line, before which it may load libraries, and that time is not held against it.
func TestFirstLine(t *testing.T) {
	var cost meter
	p := longtest.Must(startProcess(t.Context(), command{"padded", []string{os.Args[0], "program", "padded"}}, longtest.Patience, time.Nanosecond, maxLine, &cost))(t)
	defer p.close()
	if _, err := p.exchange(nil); err != nil {
		t.Error(err)
	}
	started := cost.waited
	if _, err := p.exchange(map[string]int{"move": 0}); err == nil || !strings.Contains(err.Error(), "within 1ns") {
		t.Errorf("an answer has as much time: %v", err)
	}
	if cost.waited <= started {
		t.Error("waiting for an answer costs nothing")
	}
}
